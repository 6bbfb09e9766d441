/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-run.h"

#include "inputs/scenario-links.h"
#include "inputs/scenario-presence.h"

#include "ns3/collab-application.h"
#include "ns3/collab-build-versions.h"
#include "ns3/collab-changed-attributes.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-processor-energy-model.h"
#include "ns3/collab-run-progress.h"
#include "ns3/collab-run-radios.h"
#include "ns3/collab-table-formats.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

using namespace ns3;
using namespace ns3::collab;

nlohmann::ordered_json
BeginDescription(const ParameterList& p, const RunDescription& description)
{
    nlohmann::ordered_json run;
    run["schema"] = 1;
    run["scenario"] = description.scenario;
    run["parameters"] = p.GetValues();
    run["defaults"] = p.GetDefaults();
    run["computed"] = p.GetComputed();
    run["display"] = {{"method", description.method},
                      {"measure", description.measure},
                      {"order", nlohmann::ordered_json::array()}};
    for (const auto& choice : p.Find(description.method)->GetDescription().choices)
    {
        run["display"]["order"].push_back(choice.text);
    }
    return run;
}

namespace
{

/// Tell seed, run number and versions
void
AddVersions(nlohmann::ordered_json& run)
{
    run["seed"] = RngSeedManager::GetSeed();
    run["run"] = RngSeedManager::GetRun();
    run["versions"] = GetBuildVersions();
}

/// @return run.json of a computation without devices, time and network
nlohmann::ordered_json
DescribeTimeless(const ParameterList& p, const RunDescription& description)
{
    nlohmann::ordered_json run = BeginDescription(p, description);
    AddVersions(run);
    run["devices"] = {{{"device", 0}}};
    return run;
}

} // namespace

void
AddEnvironment(const RunDescription& description, nlohmann::ordered_json& run)
{
    run["attributes"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : GetChangedAttributes())
    {
        run["attributes"][name] = value;
    }
    AddVersions(run);
    run["versions"]["torch"] = GetTorchVersion();
    run["versions"]["blas"] = GetBlasDescription(); // whose kernel decides how sums are rounded
    run["radios"] = DescribeRadios();
    run["hints"] = FindRunHints();
    for (const std::string& hint : description.hints)
    {
        run["hints"].push_back(hint);
    }
}

std::vector<std::string>
CollectHints(const CommonParameters& p, const std::vector<std::string>& network)
{
    std::vector<std::string> hints = p.FindIdle();
    const bool isOfDevices = p.referenceSource != "balanced" && p.referenceSamples > 0;
    for (const std::string privacy : {"dpSgd", "updatePrivacy", "predictionPrivacy"})
    {
        if (isOfDevices && p.Find(privacy) != nullptr && !p.Get(privacy).empty())
        {
            hints.push_back(
                fmt::format("X* is of the devices' own samples (--referenceSource={}) and known "
                            "to all, by no message: epsilon (--{}) does not cover it",
                            p.referenceSource,
                            privacy));
        }
    }
    if (p.linkTrace)
    {
        const auto trace = FindTraceHints(p.links, *p.linkTrace);
        hints.insert(hints.end(), trace.begin(), trace.end());
    }
    hints.insert(hints.end(), network.begin(), network.end());
    if (p.tableSample < 1)
    {
        hints.push_back(fmt::format("tables have rows of {} of {} devices (--tableSample={})",
                                    p.CountSampled(),
                                    p.devices,
                                    p.tableSample));
    }
    return hints;
}

nlohmann::ordered_json
DescribeRun(const CommonParameters& p,
            const RunDescription& description,
            const ScenarioSamples& samples,
            const std::vector<Vector>& positions,
            const std::vector<std::string>& models)
{
    const ModelInput input = MakeModelInput(*samples.reference->data);
    const ModelDescription model =
        DescribeModel(models.empty() ? p.GetTrainedModel() : models[0], input);
    nlohmann::ordered_json run = BeginDescription(p, description);
    AddEnvironment(description, run);
    run["model"] = {{"parameters", model.CountParameters()},
                    {"forward_flops_per_sample", model.CountForwardFlops()},
                    {"training_flops_per_sample", model.CountTrainingFlops()}};
    const auto lowQuality = p.GetLowQualityDevices();
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const std::string name = models.empty() ? p.GetTrainedModel() : models[device];
        run["devices"].push_back(
            {{"device", device},
             {"low_quality", std::binary_search(lowQuality.begin(), lowQuality.end(), device)},
             {"malicious",
              std::binary_search(
                  description.malicious.begin(), description.malicious.end(), device)},
             {"train_samples", samples.train[device].Size()},
             {"test_samples", samples.test[device].Size()},
             {"x_m", positions[device].x},
             {"y_m", positions[device].y},
             {"model", name},
             {"parameters", DescribeModel(name, input).CountParameters()}});
        if (!samples.classes.empty()) // of the toys nobody has counted them
        {
            run["devices"].back()["class_samples"] =
                fmt::format("{}", fmt::join(samples.classes[device], " "));
        }
        const auto& stragglers = description.stragglers;
        if (!stragglers.empty())
        {
            run["devices"].back()["straggler"] =
                std::binary_search(stragglers.begin(), stragglers.end(), device);
        }
    }
    return run;
}

namespace
{

/// @return a line that says how many of them have not done all rounds; empty if there are none
std::string
FindUnfinished(const ApplicationContainer& devices)
{
    const auto count = std::count_if(devices.Begin(), devices.End(), [](const auto& application) {
        return !DynamicCast<CollaborationApplication>(application)->IsFinished();
    });
    return count == 0
               ? ""
               : fmt::format("warning: the run ended with {} of {} devices before all rounds "
                             "were done\n",
                             count,
                             devices.GetN());
}

/// @return whether the node has a battery without charge; none is charged again in a scenario
bool
IsEmpty(const Ptr<Node>& node)
{
    const auto batteries = node->GetObject<EnergySourceContainer>();
    if (!batteries)
    {
        return false;
    }
    const auto models =
        batteries->Get(0)->FindDeviceEnergyModels(ProcessorEnergyModel::GetTypeId());
    return models.GetN() != 0 && DynamicCast<ProcessorEnergyModel>(models.Get(0))->IsDepleted();
}

/// End the simulation when no device has energy to come back with; StopWhenAllEnd() would wait for
/// that
void
StopWhenAllAreEmpty(const ApplicationContainer& applications)
{
    const Callback<void, uint32_t, bool> ended([applications](uint32_t, bool) {
        const auto isEmpty = [](const auto& application) {
            return IsEmpty(application->GetNode());
        };
        if (std::all_of(applications.Begin(), applications.End(), isEmpty))
        {
            Simulator::Stop();
        }
    });
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->TraceConnectWithoutContext("End", ended);
    }
}

} // namespace

RunResults::RunResults(const RunParameters& p,
                       RunDescription description,
                       const nlohmann::ordered_json& run,
                       std::ostream& output)
    : folder(p.runDir),
      m_isQuiet(p.quiet),
      m_description(std::move(description)),
      m_output(output)
{
    Begin(p, run);
}

RunResults::RunResults(const RunParameters& p,
                       const RunDescription& description,
                       std::ostream& output)
    : RunResults(p, description, DescribeTimeless(p, description), output)
{
}

RunResults::RunResults(const CommonParameters& p,
                       RunDescription description,
                       const ScenarioSamples& samples,
                       const ScenarioNetwork& network,
                       std::ostream& output,
                       const std::vector<std::string>& models)
    : folder(p.runDir),
      m_isQuiet(p.quiet),
      m_description(std::move(description)),
      m_output(output)
{
    m_description.hints = CollectHints(p, network.hints);
    Begin(p, DescribeRun(p, m_description, samples, network.positions, models));
}

void
RunResults::Begin(const RunParameters& p, const nlohmann::ordered_json& run)
{
    folder.WriteFile("run.json", run.dump(2) + "\n");
    tables = MakeTableStore(p.recorder, folder, p.GetOmitted(), p.tableSample);
}

void
RunResults::WritePartition(const ScenarioSamples& samples)
{
    folder.WriteFile("partition.txt", samples.description);
    Print(samples.description);
}

void
RunResults::Play(const CommonParameters& p,
                 RunRecorder& recorder,
                 const ApplicationContainer& devices,
                 const ApplicationContainer& others)
{
    recorder.Flush();
    if (p.places.Moves())
    {
        recorder.RecordPositions(Seconds(p.places.positionInterval));
    }
    std::optional<RunProgress> progress;
    if (!p.quiet && RunProgress::IsTerminal())
    {
        progress.emplace(std::cerr, m_description.scenario, m_description.measure, devices);
    }
    ApplicationContainer all(devices);
    all.Add(others);
    const Time lastReturn = Presence(p.presence, p.devices).GetLastReturn();
    StopWhenAllEnd(all, lastReturn);
    if (lastReturn.IsStrictlyPositive())
    {
        StopWhenAllAreEmpty(all);
    }
    if (p.beforeRun)
    {
        p.beforeRun();
    }
    try
    {
        Simulator::Run();
    }
    catch (...) // rows up to then are kept; what has failed is told, whatever becomes of them
    {
        try
        {
            recorder.Flush();
        }
        catch (const std::exception&)
        {
        }
        throw;
    }
    recorder.Finish(p.quiet ? nullptr : &m_output);
    for (const std::string& hint : m_description.hints)
    {
        Print(fmt::format("hint: {}\n", hint));
    }
    Print(FindUnfinished(devices));
}

void
RunResults::Print(const std::string& text)
{
    if (!m_isQuiet)
    {
        m_output << text << std::flush;
    }
}

void
RunResults::Finish()
{
    tables->Flush();
    tables.reset();
    folder.Finish();
    Print(fmt::format("wrote {}\n", folder.GetPath()));
}
