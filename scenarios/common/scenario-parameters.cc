/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-parameters.h"

#include "scenario-checks.h"

#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-table-store.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::collab;

std::vector<uint32_t>
ParseDevices(const std::string& name, const std::string& given, uint32_t devices)
{
    std::vector<uint32_t> result;
    if (given == "none" || given.empty())
    {
        return result;
    }
    std::istringstream list(given);
    for (std::string item; std::getline(list, item, ',');)
    {
        const bool isNumber =
            !item.empty() && item.size() < 9 &&
            std::all_of(item.begin(), item.end(), [](char c) { return c >= '0' && c <= '9'; });
        const uint32_t device = isNumber ? static_cast<uint32_t>(std::stoul(item)) : devices;
        Require(
            device < devices,
            name,
            given,
            fmt::format("none, or device numbers from 0 to {} with commas between", devices - 1));
        result.push_back(device);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<uint32_t>
CommonParameters::GetLowQualityDevices() const
{
    return ParseDevices("lowQuality", lowQuality, devices);
}

void
CommonParameters::ValidateCommon(bool needsReference) const
{
    Require(devices >= 2 && devices <= 10000, "devices", devices, "2 to 10000");
    RequireOneOf("dataSet", dataSet, GetDataSetNames());
    Require(samples >= 8, "samples", samples, "at least 8");
    Require(referenceSamples >= 1 || !needsReference,
            "referenceSamples",
            referenceSamples,
            "at least 1");
    RequireOneOf("partition", partition, {"dirichlet", "iid", "writers", "users"});
    Require(std::isfinite(alpha) && alpha > 0, "alpha", alpha, "greater than 0");
    Require(minimumSamples >= 4 && minimumSamples <= samples,
            "minimumSamples",
            minimumSamples,
            fmt::format("4 to {} (--samples)", samples));
    RequireOneOf("labelNoise", labelNoise, {"shift", "permute"});
    CheckModel(model, [this]() { FindModel(model); });
    Require(std::isfinite(learningRate) && learningRate > 0,
            "learningRate",
            learningRate,
            "greater than 0");
    Require(batchSize >= 1, "batchSize", batchSize, "at least 1");
    Require(
        maxOutage > 0 && maxOutage < 1, "maxOutage", maxOutage, "between 0 and 1, both excluded");
    Require(battery > 0 && std::isfinite(battery), "battery", battery, "greater than 0 J");
    Require(threads <= 1024, "threads", threads, "0 to 1024");
    RequireTableFormat(recorder);
    GetLowQualityDevices();
}

void
AddSampleArguments(ScenarioArguments& arguments, CommonParameters& p)
{
    arguments.Add("devices", "number of agents, at least 2", p.devices);
    arguments.Add("dataSet", "name of a data set with classes, e.g. cifar-10", p.dataSet);
    arguments.Add("dataDir", "folder of its files; the usual one if empty", p.dataDir);
    arguments.Add("samples", "labelled samples a device, on average", p.samples);
    arguments.Add("referenceSamples", "size of X*, a multiple of the classes", p.referenceSamples);
    arguments.Add("testSamples", "size of the global test set", p.testSamples);
    arguments.Add("partition",
                  "dirichlet, iid, writers (made-up users with styles and favorite classes), or "
                  "users (natural ones of the data set, a device each)",
                  p.partition);
    arguments.Add(
        "alpha", "concentration of the Dirichlet distribution of dirichlet and writers", p.alpha);
    arguments.Add("minimumSamples", "least samples of a device", p.minimumSamples);
    arguments.Add("lowQuality", "devices with bad labels, e.g. 2,9, or none", p.lowQuality);
    arguments.Add("labelNoise", "what is bad about them: shift or permute", p.labelNoise);
}

void
AddModelArguments(ScenarioArguments& arguments, CommonParameters& p)
{
    arguments.Add("model", "model of every agent, such as mlp, mlp:100-50 or netcnn", p.model);
    arguments.Add("learningRate", "of Adam", p.learningRate);
    arguments.Add("batchSize", "local samples a step", p.batchSize);
}

void
AddRunArguments(ScenarioArguments& arguments, CommonParameters& p)
{
    arguments.Add("maxOutage",
                  "outage probability of the longest link, by log-distance path loss",
                  p.maxOutage);
    arguments.Add("battery", "charge of each device [J]", p.battery);
    arguments.Add("threads", "host threads, 0 for one a core", p.threads);
    arguments.Add("runDir", "run folder to write; must not exist", p.runDir);
    arguments.Add("recorder", "format of the tables: csv or sqlite (run.sqlite)", p.recorder);
    arguments.Add("quiet", "print nothing but errors", p.quiet);
}

void
DescribeLearning(const CommonParameters& p, nlohmann::ordered_json& description)
{
    description["devices"] = p.devices;
    description["dataSet"] = p.dataSet;
    description["dataDir"] = p.dataDir;
    description["samples"] = p.samples;
    description["referenceSamples"] = p.referenceSamples;
    description["testSamples"] = p.testSamples;
    description["partition"] = p.partition;
    description["alpha"] = p.alpha;
    description["minimumSamples"] = p.minimumSamples;
    description["lowQuality"] = p.lowQuality;
    description["labelNoise"] = p.labelNoise;
    description["model"] = p.model;
    description["learningRate"] = p.learningRate;
    description["batchSize"] = p.batchSize;
}

void
DescribeNetwork(const CommonParameters& p, nlohmann::ordered_json& description)
{
    description["maxOutage"] = p.maxOutage;
    description["battery"] = p.battery;
}
