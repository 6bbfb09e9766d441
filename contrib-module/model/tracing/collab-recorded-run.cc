/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-recorded-run.h"

#include "collab-build-versions.h"
#include "collab-changed-attributes.h"
#include "collab-run-progress.h"
#include "collab-run-radios.h"
#include "collab-run-recorder.h"

#include "ns3/collab-table-formats.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// @param devices applications, one a device
/// @return which devices there are, and where
nlohmann::ordered_json
DescribeDevices(const ApplicationContainer& devices)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (auto it = devices.Begin(); it != devices.End(); ++it)
    {
        Ptr<Node> node = (*it)->GetNode();
        nlohmann::ordered_json device = {{"device", node->GetId()}};
        if (Ptr<MobilityModel> mobility = node->GetObject<MobilityModel>())
        {
            device["x_m"] = mobility->GetPosition().x;
            device["y_m"] = mobility->GetPosition().y;
        }
        list.push_back(std::move(device));
    }
    return list;
}

} // namespace

RecordedRun::RecordedRun(const std::string& folder,
                         std::string scenario,
                         std::string measure,
                         const std::string& format)
    : m_folder((RequireTableFormat(format), folder)), // before the folder is made
      m_tables(MakeTableStore(format, m_folder)),
      m_scenario(std::move(scenario)),
      m_measure(std::move(measure))
{
}

std::string
RecordedRun::Quote(const std::string& text, bool isPlain)
{
    return isPlain && nlohmann::json::accept(text) ? text : nlohmann::json(text).dump();
}

RecordedRun&
RecordedRun::AddParameters(const nlohmann::ordered_json& values)
{
    for (const auto& [name, value] : values.items())
    {
        m_parameters.emplace_back(name, value.dump());
    }
    return *this;
}

RecordedRun&
RecordedRun::AddDeviceValues(const std::string& name, const std::vector<double>& values)
{
    m_deviceValues.emplace_back(name, values);
    return *this;
}

TableStore&
RecordedRun::GetTables()
{
    return *m_tables;
}

std::string
RecordedRun::Describe(const ApplicationContainer& devices) const
{
    nlohmann::ordered_json run;
    run["schema"] = 1;
    run["scenario"] = m_scenario;
    run["display"] = {{"measure", m_measure}};
    run["parameters"] = nlohmann::ordered_json::object();
    for (const auto& [name, json] : m_parameters)
    {
        run["parameters"][name] = nlohmann::ordered_json::parse(json);
    }
    run["attributes"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : GetChangedAttributes())
    {
        run["attributes"][name] = value;
    }
    run["seed"] = RngSeedManager::GetSeed();
    run["run"] = RngSeedManager::GetRun();
    run["versions"] = GetBuildVersions();
    run["radios"] = DescribeRadios();
    run["devices"] = DescribeDevices(devices);
    for (const auto& [name, values] : m_deviceValues)
    {
        if (values.size() != devices.GetN())
        {
            throw std::invalid_argument(fmt::format(
                "{} has {} values, for {} devices", name, values.size(), devices.GetN()));
        }
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            run["devices"][i][name] = values[i];
        }
    }
    return run.dump(2) + "\n";
}

void
RecordedRun::Play(const ApplicationContainer& devices)
{
    m_folder.WriteFile("run.json", Describe(devices));
    RunRecorder recorder(*m_tables, devices);
    recorder.Flush(); // a run that is killed can be read from here on
    StopWhenAllEnd(devices);
    {
        std::optional<RunProgress> progress;
        if (RunProgress::IsTerminal())
        {
            progress.emplace(std::cerr, m_scenario, m_measure, devices);
        }
        Simulator::Run();
    }
    recorder.Finish(&std::cout);
    m_tables.reset();
    m_folder.Finish();
}

} // namespace ns3::collab
