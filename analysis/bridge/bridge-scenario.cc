/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridge-scenario.h"

#include "bridge-network.h"
#include "common/scenario-learners.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "inputs/scenario-checks.h"
#include "python-device.h"

#include "ns3/application-container.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/config.h"
#include "ns3/prediction-consensus-application.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

const std::string APPLICATION = "ns3::collab::PythonApplication";
const std::string CONSENSUS = "ns3::collab::PredictionConsensusApplication";

/// Leaves nothing behind in the process that another simulation would find
struct ProcessGuard
{
    ~ProcessGuard()
    {
        Simulator::Destroy();
        Config::Reset();
    }
};

/// What devices learn with, and from
struct BridgeAgents
{
    std::optional<ScenarioSamples> samples;         //!< none without data
    std::vector<std::shared_ptr<Learner>> learners; //!< of the module; none if Python has its own
    std::vector<std::shared_ptr<SharedEvaluation>> shared; //!< what all models are measured on
};

BridgeAgents
MakeAgents(const BridgeDescription& description, BridgeParameters& p)
{
    BridgeAgents agents;
    if (!description.hasData)
    {
        return agents;
    }
    agents.samples = PrepareSamples(p, p.targetGroups);
    CheckRegression(p, *agents.samples);
    p.hasTargets = IsRegression(*agents.samples);
    if (!description.type.hasLearner)
    {
        return agents;
    }
    const FlatVector weights = description.sharesStart || !p.initialWeights.empty()
                                   ? DrawWeights(p, MakeLearnerConfig(p, *agents.samples, 0))
                                   : nullptr;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        agents.learners.push_back(
            MakeSharingLearner(p, MakeLearnerConfig(p, *agents.samples, device), weights));
    }
    agents.shared = {std::make_shared<SharedEvaluation>("reference", agents.samples->reference),
                     std::make_shared<SharedEvaluation>("global", agents.samples->global)};
    return agents;
}

/// Give an application the device's learner
void
SetLearner(LearningApplication& application, const BridgeAgents& agents, uint32_t device)
{
    if (agents.learners.empty())
    {
        return;
    }
    const auto& samples = *agents.samples;
    application.SetLearner(agents.learners[device],
                           static_cast<uint32_t>(samples.train[device].Size()));
    application.AddEvaluation(agents.shared[0]);
    application.AddEvaluation("local", std::make_shared<const DataView>(samples.test[device]));
    application.AddEvaluation(agents.shared[1]);
}

/// @param p parameters of the run
/// @return devices that do not run the protocol in Python
/// @throws UserError for a protocol that is not there for them
std::set<uint32_t>
ReadOthers(const BridgeParameters& p)
{
    if (p.others.empty())
    {
        return {};
    }
    const std::string type = CONSENSUS + ":";
    Require(p.others.rfind(type, 0) == 0,
            "others",
            p.others,
            "one of the types of protocols that devices can run instead, as " + type + "1,2");
    const auto devices = ParseDevices("others", p.others.substr(type.size()), p.devices);
    Require(devices.size() < p.devices, "others", p.others, "some of the devices");
    return {devices.begin(), devices.end()};
}

/// @return the application of a device that runs the module's prediction consensus
Ptr<CollaborationApplication>
MakeOther(const BridgeAgents& agents, uint32_t device)
{
    const auto application = CreateObject<PredictionConsensusApplication>();
    SetLearner(*application, agents, device);
    application->SetReference(agents.samples->reference);
    return application;
}

/// @return the application of a device that runs the protocol in Python
Ptr<PythonApplication>
MakePython(const std::shared_ptr<const PythonProtocolType>& type,
           const BridgeAgents& agents,
           const Ptr<Node>& node,
           const BridgeCalls& calls)
{
    const auto application = CreateObject<PythonApplication>();
    const uint32_t device = node->GetId();
    SetLearner(*application, agents, device);
    node->AddApplication(application);
    application->SetProtocol(type, nullptr); // its instance may ask for it
    const auto* samples = agents.samples ? &*agents.samples : nullptr;
    application->SetProtocol(type, calls.make(device, application->GetDevice(), samples));
    return application;
}

ApplicationContainer
InstallProtocol(const BridgeDescription& description,
                const BridgeParameters& p,
                const NodeContainer& nodes,
                const BridgeAgents& agents,
                const BridgeCalls& calls)
{
    const auto type = std::make_shared<const PythonProtocolType>(description.type);
    const auto others = ReadOthers(p);
    const Ptr<LearnerPool> pool = MakePool(p);
    pool->SetThreadInitializer(ConfigureTorchThread);
    ApplicationContainer applications;
    for (uint32_t device = 0; device < nodes.GetN(); ++device)
    {
        Ptr<CollaborationApplication> application;
        if (others.count(device))
        {
            application = MakeOther(agents, device);
            nodes.Get(device)->AddApplication(application);
        }
        else
        {
            application = MakePython(type, agents, nodes.Get(device), calls);
        }
        application->SetLearnerPool(pool);
        p.Apply(*application);
        applications.Add(application);
        const Callback<void, const RoundRecord&> tell(
            [progress = calls.progress](const RoundRecord& record) { progress(record.round); });
        application->TraceConnectWithoutContext("Round", tell);
    }
    return applications;
}

/// @return what run.json says of a run whose models, if any, are Python's
nlohmann::ordered_json
DescribeBridge(const RunDescription& description,
               const BridgeParameters& p,
               const BridgeAgents& agents,
               const std::vector<Vector>& positions)
{
    if (!agents.learners.empty())
    {
        return DescribeRun(p, description, *agents.samples, positions);
    }
    nlohmann::ordered_json run = BeginDescription(p, description);
    AddEnvironment(description, run);
    const auto lowQuality = p.GetLowQualityDevices();
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        nlohmann::ordered_json entry = {
            {"device", device}, {"x_m", positions[device].x}, {"y_m", positions[device].y}};
        if (agents.samples)
        {
            entry["low_quality"] = std::binary_search(lowQuality.begin(), lowQuality.end(), device);
            entry["train_samples"] = agents.samples->train[device].Size();
            entry["test_samples"] = agents.samples->test[device].Size();
        }
        run["devices"].push_back(std::move(entry));
    }
    return run;
}

/// @return columns of a table whose rows are known while the program runs
TableColumns<BridgeRow>
MakeColumns(const TableDescription& description)
{
    TableColumns<BridgeRow> table{description.name, description.meaning, {}};
    for (std::size_t i = 0; i < description.columns.size(); ++i)
    {
        const ColumnDescription& column = description.columns[i];
        const auto add = [&](const auto& read) {
            table.columns.Add({column.name, column.unit, column.meaning, read});
        };
        switch (column.type)
        {
        case ColumnType::INTEGER:
            add([i](const BridgeRow& row) { return std::get<int64_t>(row.cells[i]); });
            break;
        case ColumnType::REAL:
            add([i](const BridgeRow& row) { return std::get<double>(row.cells[i]); });
            break;
        case ColumnType::TEXT:
            add([i](const BridgeRow& row) { return std::get<std::string>(row.cells[i]); });
            break;
        }
    }
    return table;
}

/// @return writes a row of one of the protocol's own tables
BridgeWriter
AddTables(const BridgeDescription& description, TableStore& store)
{
    std::vector<TableOf<BridgeRow>> tables;
    for (const TableDescription& table : description.tables)
    {
        tables.push_back(store.Add(MakeColumns(table)));
    }
    return [tables = std::move(tables)](std::size_t table, const BridgeRow& row) {
        tables.at(table).Write(row);
    };
}

} // namespace

BridgeParameters::BridgeParameters(const BridgeDescription& description)
    : protocol(description.name),
      m_description(description)
{
    runDir = "runs/" + description.name;
    dataSet = description.dataSet;
    lowQuality = "none";
    Add("protocol", protocol, "what devices run").Choices({description.name});
    if (description.hasData)
    {
        DeclareSamples();
        DeclareTargets();
    }
    else
    {
        Add("devices", devices, "number of devices").AtLeast(2).AtMost(10000);
    }
    Take("rounds", "ns3::collab::CollaborationApplication::Rounds").Default(10);
    Take("loss", APPLICATION + "::LossPolicy");
    Take("retries", APPLICATION + "::Retries");
    if (description.type.hasLearner)
    {
        DeclareLearner();
    }
    DeclareOwn();
    DeclarePlaces();
    DeclareNetwork();
    if (description.type.hasLearner)
    {
        Add("others",
            others,
            "devices that run the module's prediction consensus instead, such as " + CONSENSUS +
                ":3,4");
    }
    faults.DeclareFaults(*this);
    DeclareRun();
}

std::optional<double>
BridgeParameters::GetSgdRate() const
{
    return optimizer == "sgd" ? std::optional(learningRate) : std::nullopt;
}

void
BridgeParameters::DeclareLearner()
{
    DeclareModel().Help("of the optimizer");
    DeclareWeights();
    DeclareTraining();
    DeclareSharing();
    Add("optimizer", optimizer, "what takes the steps").Choices({"adam", "sgd"});
}

void
BridgeParameters::DeclarePlaces()
{
    const auto isD2d = [this]() { return network == "d2d"; };
    Add("network", network, "what messages cross: D2D radios, or 802.11a ad hoc under IPv4")
        .Choices({"d2d", "wifi"});
    Add("transport", transport, "of messages over IPv4")
        .Choices({"udp", "tcp"})
        .OnlyIf([isD2d]() { return !isD2d(); }, "networks with IPv4 (--network=wifi)");
    Take("bandwidth", "ns3::collab::D2dPhy::Bandwidth");
}

void
BridgeParameters::DeclareOwn()
{
    for (const BridgeParameter& own : m_description.parameters)
    {
        ParameterValue& value = m_values.emplace_back(own.value);
        std::visit(
            [&](auto& field) {
                Parameter& parameter = Add(own.name, field, own.help);
                parameter.Unit(own.unit);
                if (own.least)
                {
                    parameter.AtLeast(*own.least);
                }
                if (own.greatest)
                {
                    parameter.AtMost(*own.greatest);
                }
                if (!own.choices.empty())
                {
                    parameter.Choices({own.choices.begin(), own.choices.end()});
                }
            },
            value);
    }
}

void
BridgeParameters::Validate() const
{
    ValidateCommon(m_description.hasData);
    if (m_description.type.hasLearner)
    {
        ValidateTraining();
    }
    faults.ValidateFaults(devices);
    ValidateNetwork(*this);
    ReadOthers(*this);
}

void
RunBridge(const BridgeDescription& description,
          std::vector<std::string> words,
          const BridgeCalls& calls)
{
    const ProcessGuard guard;
    BridgeParameters p(description);
    std::vector<char*> arguments;
    for (std::string& word : words)
    {
        arguments.push_back(word.data());
    }
    ScenarioArguments(words[0], description.usage, p)
        .Parse(static_cast<int>(arguments.size()), arguments.data());
    PrepareParameters(p);
    calls.begin(p);
    ConfigureTorchProcess();
    const BridgeAgents agents = MakeAgents(description, p);

    const ScenarioNetwork network = MakeBridgeNetwork(p);
    ScheduleFaults(p.faults, network.nodes);
    const ApplicationContainer applications =
        InstallProtocol(description, p, network.nodes, agents, calls);
    const std::string measure =
        description.measure.empty() ? GetMeasure(*agents.samples, "global") : description.measure;
    const RunDescription run = {
        description.name, "protocol", measure, {}, {}, CollectHints(p, network.hints)};
    RunResults results(p, run, DescribeBridge(run, p, agents, network.positions), std::cout);
    if (agents.samples)
    {
        results.WritePartition(*agents.samples);
    }
    RunRecorder recorder(*results.tables, applications);
    calls.tables(AddTables(description, *results.tables));
    results.Play(p, recorder, applications);
    if (!agents.learners.empty())
    {
        WriteLearners(p, results, *agents.samples, agents.learners);
    }
    results.Finish();
}
