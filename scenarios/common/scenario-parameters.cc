/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-parameters.h"

#include "inputs/scenario-checks.h"
#include "inputs/scenario-links.h"
#include "inputs/scenario-presence.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-number.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-table-formats.h"
#include "ns3/collab-table-registry.h"
#include "ns3/collab-torch-device.h"
#include "ns3/d2d-link-budget.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return names of data sets, and how a file of the user's is given
std::vector<std::string>
GetAllowedDataSets()
{
    std::vector<std::string> allowed = GetDataSetNames();
    allowed.push_back(std::string(DATA_SET_FILE_PREFIX) + "PATH");
    return allowed;
}

} // namespace

std::vector<uint32_t>
ParseDevices(const std::string& name, const std::string& given, uint32_t devices)
{
    std::vector<uint32_t> result;
    if (given == "none" || given.empty())
    {
        return result;
    }
    for (const std::string& item : SplitList(given))
    {
        const uint32_t device = ParseWholeNumber(item).value_or(devices);
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
    if (lowQuality != "auto")
    {
        return ParseDevices("lowQuality", lowQuality, devices);
    }
    std::vector<uint32_t> usual = {2, 9};
    usual.erase(std::lower_bound(usual.begin(), usual.end(), devices), usual.end());
    return usual;
}

std::pair<uint32_t, uint32_t>
CommonParameters::GetLabelCounts() const
{
    std::vector<uint32_t> counts;
    for (const std::string& item : SplitList(labels))
    {
        counts.push_back(ParseWholeNumber(item).value_or(0));
    }
    const bool isAllowed = !counts.empty() && counts.size() <= 2 &&
                           *std::min_element(counts.begin(), counts.end()) > 0 &&
                           *std::max_element(counts.begin(), counts.end()) < 10000;
    Require(isAllowed, "labels", "a whole number from 1 to 9999, or two with a comma");
    return {counts.front(), counts.back()};
}

std::vector<double>
CommonParameters::GetShares() const
{
    std::vector<double> result;
    double sum = 0;
    for (const std::string& item : SplitList(shares))
    {
        result.push_back(ParseNumber(item).value_or(0) / 100);
        sum += result.back();
    }
    const bool isAllowed = !result.empty() && *std::min_element(result.begin(), result.end()) > 0 &&
                           std::abs(sum - 1) < 1e-9;
    Require(isAllowed, "shares", "positive percents with commas between, 100 in all");
    return result;
}

std::vector<double>
CommonParameters::GetRotations() const
{
    std::vector<double> rotations;
    for (const std::string& item : SplitList(featureRotations))
    {
        const auto rotation = ParseNumber(item);
        Require(rotation && std::abs(*rotation) <= 360,
                "featureRotations",
                "angles from -360 to 360 with commas between");
        rotations.push_back(*rotation);
    }
    return rotations;
}

void
DeclareDataSet(ParameterList& list,
               std::string& dataSet,
               std::string& dataDir,
               const std::string& help)
{
    const auto allowed = GetAllowedDataSets();
    list.Add("dataSet", dataSet, help).Suggestions({allowed.begin(), allowed.end()});
    list.Add("dataDir", dataDir, "folder of its files; the usual one if empty");
}

void
ValidateDataSet(const std::string& dataSet)
{
    const std::string prefix = DATA_SET_FILE_PREFIX;
    if (dataSet.rfind(prefix, 0) != 0 || dataSet == prefix)
    {
        RequireOneOf("dataSet", dataSet, GetAllowedDataSets());
    }
}

void
RunParameters::DeclareRun()
{
    Take("threads", "ns3::collab::LearnerPool::Threads").ChangesNoResult();
    Add("runDir", runDir, "run folder to write; must not exist").ChangesNoResult();
    Add("runs",
        runs,
        "play several runs in one process, which loads the program once: their numbers, as 1..20 "
        "or 1..3,7, in the place of --RngRun; each has a folder of its number in --runDir; with - "
        "lines on standard input tell what to play")
        .Suggestions({"1..5", "-"})
        .ChangesNoResult();
    Add("recorder", recorder, "format of the tables; sqlite writes run.sqlite")
        .Suggestions({"csv", "sqlite"})
        .ChangesNoResult();
    Add("omit", omit, "tables that get no rows, e.g. messages,latency").ChangesNoResult();
    Add("tableSample",
        tableSample,
        "about this share of the devices have rows in the tables, drawn by their numbers; for "
        "runs of many devices")
        .Above(0)
        .AtMost(1);
    Add("quiet", quiet, "print nothing but errors").ChangesNoResult();
}

void
RunParameters::ValidateRun() const
{
    RequireTableFormat(recorder);
    GetOmitted();
}

Parameter&
RunParameters::AddWait(const std::string& name,
                       double& seconds,
                       const std::string& help,
                       double bound)
{
    return Add(name, seconds, help).Unit("s").AtLeast(1e-9).OrComputed().Below(bound);
}

void
RunParameters::Require(bool fulfilled, const std::string& name, const std::string& allowed) const
{
    if (!fulfilled)
    {
        ::Require(false, name, ToText(Find(name)->GetValue()), allowed);
    }
}

void
RunParameters::RequireListed(const std::string& name) const
{
    std::vector<std::string> allowed;
    for (const auto& choice : Find(name)->GetDescription().choices)
    {
        allowed.push_back(choice.text);
    }
    RequireOneOf(name, ToText(Find(name)->GetValue()), allowed);
}

std::set<std::string>
RunParameters::GetOmitted() const
{
    std::set<std::string> allowed;
    const auto allow = [&allowed](const std::vector<TableDescription>& tables) {
        for (const auto& table : tables)
        {
            allowed.insert(table.name);
        }
    };
    allow(DescribeRunTables({}));
    for (const auto& algorithm : GetAlgorithmsWithTables())
    {
        allow(DescribeTablesOf(algorithm));
    }
    allowed.erase("rounds"); // without it no folder is a run
    std::set<std::string> omitted;
    for (const std::string& name : SplitList(omit))
    {
        Require(allowed.count(name) > 0,
                "omit",
                fmt::format("some of {} with commas between", fmt::join(allowed, ", ")));
        omitted.insert(name);
    }
    return omitted;
}

uint32_t
CommonParameters::CountSampled() const
{
    uint32_t count = 0;
    for (uint32_t device = 0; device < devices; ++device)
    {
        count += IsSampled(device, tableSample) ? 1 : 0;
    }
    return count;
}

void
CommonParameters::DeclareSamples(uint32_t mostDevices)
{
    Add("devices", devices, "number of agents").AtLeast(2).AtMost(mostDevices);
    DeclareDataSet(*this, dataSet, dataDir, "name of a data set, or file:PATH for one of your own");
    Add("samples", samples, "labelled samples a device, on average").AtLeast(8);
    Add("referenceSamples", referenceSamples, "size of X*; if balanced, a multiple of the classes");
    Add("referenceSource",
        referenceSource,
        "where X* is from: equally many samples of each class that no device has (balanced), or "
        "samples of all devices, which then have them no more: of each in proportion to its own "
        "(clients), or as many (equal)")
        .Choices({"balanced", "clients", "equal"});
    Add("testSamples", testSamples, "size of the global test set").AtLeast(1);
    Add("domainClasses",
        domainClasses,
        "balanced: classes of the target domain, of which X* and the global test set are, as "
        "0,1,2; all if empty")
        .For("referenceSource", {"balanced"});
    Add("domainRotation",
        domainRotation,
        "angle by which the images of the target domain, X* and the global test set, are turned")
        .Unit("degrees")
        .AtLeast(-360)
        .AtMost(360);
    Add("partition",
        partition,
        "who holds which samples: by a Dirichlet distribution of the classes, evenly, a few "
        "classes each in equal parts (labels) or in given ones (shares), evenly but in parts of "
        "different sizes (quantity), by made-up users with styles and favorite classes (writers), "
        "by natural ones of the data set, a device each (users), or drawn for each device anew, "
        "with classes as of dirichlet, so that devices share samples (resampled)")
        .Choices(
            {"dirichlet", "iid", "labels", "shares", "quantity", "writers", "users", "resampled"});
    Add("labels", labels, "classes a device, or of the first and the others, as 8,2")
        .For("partition", {"labels"});
    Add("shares", shares, "percent of each of a device's classes, as 70,20,10")
        .For("partition", {"shares"});
    Add("sizeExponent",
        sizeExponent,
        "a of sizes that fall with the device's number n as 1 / (n + 1)^a")
        .For("partition", {"quantity"})
        .AtLeast(0)
        .AtMost(10);
    Add("featureRotations",
        featureRotations,
        "angles by which devices turn their images, one after the other and again, as "
        "0,90,180,270; none if empty")
        .Unit("degrees");
    Add("featureNoise",
        featureNoise,
        "standard deviation of the noise of the last device's sensor; variance falls linearly to "
        "that of the first one")
        .AtLeast(0)
        .Below(1e6);
    Add("alpha", alpha, "concentration of the Dirichlet distribution")
        .For("partition", {"dirichlet", "writers", "resampled"})
        .Above(0);
    Add("minimumSamples",
        minimumSamples,
        "least samples of a device; if --samples is less and this is not given, a quarter of "
        "--samples, but 4 at least")
        .For("partition", {"dirichlet", "quantity", "writers", "users"})
        .AtLeast(4);
    Add("lowQuality",
        lowQuality,
        "devices with bad labels, such as 0,4, or none; auto: 2 and 9, if there are so many");
    Add("labelNoise",
        labelNoise,
        "what is bad about them: labels are shifted by a number of classes, targets by one to two "
        "standard deviations; or they are permuted among a device's samples")
        .Choices({"shift", "permute"})
        .OnlyIf([this]() { return !GetLowQualityDevices().empty(); }, LOW_QUALITY);
}

void
CommonParameters::DeclareTargets()
{
    Add("targetGroups",
        targetGroups,
        "regression: samples are dealt out by so many equal groups of ascending targets, of the "
        "first one if there are several, as if they were classes")
        .AtLeast(1)
        .AtMost(1000)
        .OnlyIf([this]() { return hasTargets; }, "data sets with targets and no classes");
}

Parameter&
CommonParameters::DeclareModel()
{
    DeclareModelWithoutAdam();
    Parameter& rate = Add("learningRate", learningRate, "of Adam").Above(0);
    rate.AtMost(std::numeric_limits<float>::max()); // what weights are computed with
    return rate;
}

void
CommonParameters::DeclareModelWithoutAdam()
{
    Add("model", model, "model of every agent").Suggestions({"mlp", "mlp:100-50", "netcnn"});
    Add("batchSize", batchSize, "local samples a step").AtLeast(1);
}

void
CommonParameters::DeclareWeights()
{
    Add("weights",
        initialWeights,
        "file of the weights that all models begin with, safetensors or TorchScript; random ones "
        "if empty");
    Add("saveWeights",
        saveWeights,
        "write the weights of all models at the end, to the folder weights of the run folder")
        .ChangesNoResult();
}

void
CommonParameters::DeclareTraining()
{
    Add("optimizerOptions",
        optimizerOptions,
        "constants of the optimizer that differ from the usual ones: momentum, nesterov, "
        "weightDecay, decoupled, beta1, beta2, epsilon, maxNorm; e.g. weightDecay=1e-4,maxNorm=1");
    Add("rateSchedule", rateSchedule, "learning rate over a learner's steps")
        .Suggestions({"constant", "step:every=1000,gamma=0.1", "cosine:steps=1000,warmup=10"});
    Add("labelSmoothing", labelSmoothing, "part of a label that all classes share equally")
        .AtLeast(0)
        .Below(1);
    Add("classWeights",
        classWeights,
        "of the loss on local samples: none, or by the number of a device's samples of each class "
        "(balanced)")
        .Choices({"none", "balanced"});
    Add("augmentation",
        augmentation,
        "how local samples are changed at random in every step: shift, flip, rotation, crop, blur, "
        "blurRadius, oneOf, jitter, noise; e.g. shift=4,flip=0.5; not at all if empty");
    Add("dpSgd",
        dpSgd,
        "differentially private steps: greatest norm of a sample's gradient, noise multiplier, and "
        "delta at which the privacy spent is told; e.g. clip=1,noise=1.1,delta=1e-5; none if "
        "empty");
    DeclareDevice();
}

void
CommonParameters::DeclareDevice()
{
    Add("device",
        device,
        "where models compute: the processor with the ways of this module (host) or with "
        "LibTorch's alone (cpu), or a GPU")
        .Suggestions({"host", "cpu", "cuda:0"});
}

void
CommonParameters::ValidateDevice() const
{
    CheckArgument("device", device, [&]() { CheckTorchDevice(device); });
    Require(!IsStub(model) || device == "host", "device", "host for a stub");
}

void
CommonParameters::DeclareSharing()
{
    Add("personalLayers",
        personalLayers,
        "layers that each device keeps for itself: how many of the last ones, or names of tensors "
        "with commas between, e.g. fc.*; none if empty");
    Add("share",
        share,
        "what devices exchange of their models: names of tensors with commas between, in which * "
        "stands for any text, e.g. conv*; each keeps the others for itself; all but "
        "--personalLayers and what --train freezes if empty");
    Add("train",
        train,
        "what devices train: names of tensors, e.g. fc.*,*.lora_*; the others are frozen; all if "
        "empty");
}

bool
CommonParameters::IsWhole() const
{
    return personalLayers.empty() && share.empty() && train.empty();
}

std::string
CommonParameters::GetTrainedModel() const
{
    return train.empty() ? model : fmt::format("trained:{}:{}", train, model);
}

std::optional<double>
CommonParameters::GetSgdRate() const
{
    return std::nullopt;
}

bool
CommonParameters::UsesSgd() const
{
    return GetSgdRate().has_value();
}

OptimizerOptions
CommonParameters::GetOptimizer() const
{
    OptimizerOptions options;
    options.kind = UsesSgd() ? OptimizerKind::SGD : OptimizerKind::ADAM;
    CheckArgument(
        "rateSchedule", rateSchedule, [&]() { options.schedule = MakeRateSchedule(rateSchedule); });
    CheckArgument("optimizerOptions", optimizerOptions, [&]() {
        ReadOptimizerOptions(optimizerOptions, options);
        CheckOptimizer(options);
    });
    return options;
}

void
CommonParameters::ValidateTraining() const
{
    ValidateDevice();
    const OptimizerOptions options = GetOptimizer();
    Require(UsesSgd() || options.momentum == 0,
            "optimizerOptions",
            "without momentum for Adam, which has beta1");
    const OptimizerOptions usual;
    Require(!UsesSgd() || (options.beta1 == usual.beta1 && options.beta2 == usual.beta2 &&
                           options.epsilon == usual.epsilon),
            "optimizerOptions",
            "without beta1, beta2 and epsilon for SGD, which has momentum");
    const bool isPlain = optimizerOptions.empty() && rateSchedule == "constant" &&
                         labelSmoothing == 0 && classWeights == "none" && augmentation.empty() &&
                         dpSgd.empty() && IsWhole();
    Require(!IsStub(model) || isPlain,
            "model",
            "no stub, which learns nothing, with optimizerOptions, rateSchedule, labelSmoothing, "
            "classWeights, augmentation, dpSgd, personalLayers, share or train");
    Require(share.empty() || personalLayers.empty(),
            "share",
            "empty with personalLayers, which names what is not shared");
    if (!dpSgd.empty())
    {
        CheckArgument("dpSgd", dpSgd, [this]() { ReadDpSgd(dpSgd); });
        Require(classWeights == "none",
                "classWeights",
                "none with dpSgd: they tell of a device's samples");
    }
}

void
CommonParameters::ValidateSteps(const std::string& algorithm) const
{
    const OptimizerOptions steps = GetOptimizer();
    Require(algorithm != "scaffold" || rateSchedule == "constant",
            "rateSchedule",
            "constant with scaffold, which divides by the sum of the rates");
    Require(algorithm != "scaffold" || (steps.momentum == 0 && steps.maxNorm == 0),
            "optimizerOptions",
            "without momentum and maxNorm with scaffold, whose control variates are means of "
            "gradients");
    Require(algorithm != "fednova" || rateSchedule == "constant",
            "rateSchedule",
            "constant with fednova, which counts steps as equally long");
    Require(algorithm != "fednova" || !steps.isNesterov,
            "optimizerOptions",
            "without nesterov with fednova, whose steps add up as those of plain momentum");
    Require(algorithm != "fedsgd" || steps.momentum == 0 || GetGivenNumber(RESETS_OPTIMIZER) == 0,
            "optimizerOptions",
            fmt::format(
                "without momentum with fedsgd, whose rounds are one step each, unless --{}=false",
                RESETS_OPTIMIZER));
}

void
CommonParameters::DeclareNetwork(double battery)
{
    places.DeclarePlaces(*this);
    Add("maxOutage",
        maxOutage,
        "outage probability of the longest link, which decides how far apart devices are, whatever "
        "ns3::collab::D2dPhy::TxPower is; by log-distance path loss and Rayleigh fading, and no "
        "less than a link of a meter has (1e-8 by default)")
        .Above(0)
        .Below(1)
        .OnlyIf([this]() { return !linkTrace && places.AreByOutage(); },
                "links that are of no file (--links), and places that follow from it, by neither "
                "--area nor given positions");
    if (!Find("links"))
    {
        Add("links",
            links,
            "path gains or received powers: by propagation models (radio), or of a trace "
            "(file:PATH, CSV with the columns time, from, to and gain or rss)")
            .Suggestions({"radio", "file:PATH"});
    }
    Take("battery", BasicEnergySource::GetTypeId().GetName() + "::BasicEnergySourceInitialEnergyJ")
        .Help("charge of each device")
        .Unit("J")
        .Above(0)
        .Default(battery);
    constexpr const char* FLOPS = "ns3::collab::Processor::FlopsPerCycle";
    Add("slowDevices", slowDevices, "devices with slow processors, e.g. 1,5, or none")
        .ExcludedBy(FLOPS);
    Add("slowdown", slowdown, "how many times as long their jobs take")
        .AtLeast(1)
        .ExcludedBy(FLOPS)
        .OnlyIf([this]() { return !ParseDevices("slowDevices", slowDevices, devices).empty(); },
                "slow devices (--slowDevices)");
    Add("presence",
        presence,
        "when devices are on: always; by random stays of the mean durations ON and OFF in seconds "
        "(exponential:ON,OFF); by a trace (file:PATH, CSV with the columns time, device and on); "
        "or always but for given times in seconds, such as off:3:20-60;7,9:100-")
        .Suggestions({"always", "exponential:ON,OFF", "file:PATH", "off:DEVICES:FROM-TO"});
}

Parameter&
CommonParameters::DeclareServerLinks(double& outage, const std::function<bool()>& hasServer)
{
    Add("serverOutage",
        outage,
        "outage probability of the farthest device's link to the server, which sets the devices' "
        "power")
        .Above(0)
        .Below(1)
        .OnlyIf([this]() { return !linkTrace || !linkTrace->HasServer(); }, UNTRACED)
        .DecidedBy(SERVER_POWER);
    places.DeclareServerPosition(*this, hasServer);
    return *Find("serverOutage");
}

Parameter&
CommonParameters::DeclareKnowledge()
{
    return Take("knowledge", "ns3::collab::D2dNeighborDiscovery::NeighborDiscovery")
        .Help("how devices know who is near and how good links are: from the link budget (ideal), "
              "or from what they have received, beacons for one: by the mean power of the last "
              "burst (measured), by powers with their fading (rss), or by these and the share of "
              "beacons missed (beacons)");
}

std::vector<ParameterChoice>
GetFederatedAlgorithms()
{
    return {{"fedavg", "FedAvg"},
            {"fedprox", "FedProx"},
            {"scaffold", "Scaffold"},
            {"feddyn", "FedDyn"},
            {"fedsgd", "FedSgd"},
            {"fedavgm", "FedAvgM"},
            {"fednova", "FedNova"},
            {"fedbuff", "FedBuff"},
            {"semi-decentralized", "SemiDecentralized"}};
}

void
CommonParameters::CompleteCommon()
{
    constexpr uint32_t LEAST = 4;
    const Parameter* minimum = Find("minimumSamples");
    if (minimum && !minimum->IsGiven() && minimumSamples > samples)
    {
        minimumSamples = std::max(samples / 4, LEAST);
    }
    linkTrace = ReadLinkTrace(links);
    places.CompletePlaces([this]() { return GetLongestByOutage(); });
}

std::optional<double>
CommonParameters::GetUsualRate() const
{
    return IsAttributeGiven("ns3::collab::D2dPhy::SpectralEfficiency") ? std::nullopt : usualRate;
}

double
CommonParameters::GetLongestByOutage() const
{
    return GetDistanceForOutage(maxOutage, GetUsualRate());
}

void
CommonParameters::ValidateCommon(bool needsReference) const
{
    Require(referenceSamples >= 1 || !needsReference, "referenceSamples", "at least 1");
    Require(
        minimumSamples <= samples, "minimumSamples", fmt::format("4 to {} (--samples)", samples));
    ValidateDataSet(dataSet);
    CheckArgument("model", model, [this]() { FindModel(model); });
    Require(!IsStub(model) || (initialWeights.empty() && !saveWeights),
            "model",
            "no stub, whose weights mean nothing, with weights or saveWeights");
    ValidateRun();
    Require(CountSampled() > 0,
            "tableSample",
            fmt::format("more, for rows of at least one of {} devices", devices));
    GetLowQualityDevices();
    ParseDevices("slowDevices", slowDevices, devices);
    places.ValidatePlaces(*this, devices);
    if (linkTrace)
    {
        CheckLinkTrace(links, *linkTrace, devices);
    }
    else
    {
        RequireListed("links");
    }
    Presence(presence, devices);
    GetLabelCounts();
    GetShares();
    const bool hasSkew = !GetRotations().empty() || featureNoise > 0;
    Require(!hasSkew || partition != "writers",
            "partition",
            "another one with featureRotations or featureNoise: writers have styles of their own");
}
