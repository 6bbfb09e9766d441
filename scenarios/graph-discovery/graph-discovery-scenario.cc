/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-scenario.h"

#include "common/scenario-checks.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"
#include "graph-discovery-devices.h"
#include "graph-discovery-downstream.h"

#include "ns3/collab-given-attributes.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-phase-energy-recorder.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/d2d-dynamic-rss-model.h"
#include "ns3/federated-recorder.h"
#include "ns3/graph-discovery-recorder.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Between the end of the exchange and the begin of what follows
const Time PAUSE = MilliSeconds(10);

/**
 * @brief Give the devices their radios, and the base station if there is one.
 *
 * @param p parameters of the run
 * @param parameters the same, as declared
 * @param server node of the base station
 * @param nodes the devices, in place
 * @return RSS of the dynamic channel, or null
 */
Ptr<D2dDynamicRssModel>
InstallRadios(const GraphDiscoveryParameters& p,
              const ParameterList& parameters,
              Ptr<Node> server,
              const NodeContainer& nodes)
{
    Ptr<D2dDynamicRssModel> dynamic;
    const int64_t streams = InstallNetwork(parameters, nodes, [&](D2dHelper& d2d) {
        UseFullDuplex(d2d);
        if (!IsAttributeGiven("ns3::collab::D2dNetDevice::SpectralEfficiency"))
        {
            d2d.SetDeviceAttribute("SpectralEfficiency", DoubleValue(0.8));
        }
        if (p.channel == "dynamic")
        {
            dynamic = CreateObject<D2dDynamicRssModel>();
            d2d.SetChannelAttribute("PropagationLossModel", PointerValue(dynamic));
            d2d.SetChannelAttribute("NoisePower", DoubleValue(0.02));
        }
    });
    if (p.HasServer())
    {
        InstallServerLinks(parameters, server, nodes, p.serverOutage, streams);
    }
    return dynamic;
}

/**
 * @brief Let a dynamic channel change with the slots.
 *
 * @param discovery the devices' applications
 * @param dynamic the channel's RSS
 * @return when the applications must start for that
 */
Time
AlignChannel(const ApplicationContainer& discovery, Ptr<D2dDynamicRssModel> dynamic)
{
    const auto first = DynamicCast<GraphDiscoveryApplication>(discovery.Get(0));
    const int64_t slot = first->GetSlotDuration().GetTimeStep();
    dynamic->SetAttribute("Interval", TimeValue(TimeStep(slot)));
    const int64_t begin = first->GetSlotsBegin().GetTimeStep();
    return TimeStep((slot - begin % slot) % slot);
}

/// @param discovery the devices' applications, after the exchange
/// @return what each device has now
std::vector<DataView>
CollectSamples(const ApplicationContainer& discovery)
{
    std::vector<DataView> samples;
    for (auto it = discovery.Begin(); it != discovery.End(); ++it)
    {
        const auto application = DynamicCast<GraphDiscoveryApplication>(*it);
        NS_ABORT_MSG_IF(application->IsExchanging(), "datapoints are still under way");
        samples.push_back(application->GetSamples());
    }
    return samples;
}

/**
 * @brief Tell the recorder of energy when parts of the run begin.
 *
 * @param discovery the devices' applications
 * @param start when they start
 * @param energy the recorder; must outlive the simulation
 */
void
ScheduleParts(const ApplicationContainer& discovery, Time start, PhaseEnergyRecorder& energy)
{
    const auto first = DynamicCast<GraphDiscoveryApplication>(discovery.Get(0));
    const Time pass = first->GetPassDuration();
    const auto begin = [&energy](Time when, const std::string& part) {
        Simulator::Schedule(when, [&energy, part]() { energy.Begin(part); });
    };
    for (uint32_t round = 0; round < first->GetRounds(); ++round)
    {
        const Time offset = start + pass * static_cast<int64_t>(round);
        if (round > 0)
        {
            begin(offset, "setup");
        }
        begin(offset + first->GetSlotsBegin(), "discovery");
        begin(offset + first->GetDataBegin(), "exchange");
    }
}

} // namespace

void
RunGraphDiscovery(GraphDiscoveryParameters p, std::ostream& output)
{
    const ParameterList parameters = PrepareParameters(p);
    ConfigureTorchProcess();
    const ScenarioSamples samples = PrepareSamples(p, p.IsUnsupervised() ? 0 : p.clusters);
    Require(!IsRegression(samples) || (p.method != "gcn" && p.method != "optimum"),
            "method",
            p.method,
            "another one with --dataSet=" + p.dataSet + ": these know labels");
    const std::size_t features = samples.global->data->SampleSize();
    Require(p.paradigm == "supervised" || p.components <= features,
            "components",
            p.components,
            fmt::format("at most the {} features of --dataSet={}", features, p.dataSet));
    CheckModel(p.model, [&]() { DescribeModel(p.model, MakeModelInput(*samples.global->data)); });
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    NodeContainer server;
    server.Create(p.HasServer() ? 1 : 0);
    const Ptr<Node> station = p.HasServer() ? server.Get(0) : nullptr;
    const auto positions = PlaceDevices(p, nodes);
    const auto dynamic = InstallRadios(p, parameters, station, nodes);
    const TrustMatrices trust = MakeTrust(p, CountPartitions(p, samples));
    const auto pool = MakePool(parameters);
    std::vector<std::shared_ptr<double>> labeling;
    const auto agents = MakeDiscoveryAgents(p, samples, trust, nodes, labeling);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    ApplicationContainer discovery = InstallDiscovery(p, parameters, nodes, agents, trust, pool);
    TimeValue begin;
    discovery.Get(0)->GetAttribute("StartTime", begin);
    Time start = begin.Get();
    if (dynamic && !IsAttributeGiven("ns3::Application::StartTime"))
    {
        start = AlignChannel(discovery, dynamic);
        discovery.Start(start);
    }
    const Time end =
        start + DynamicCast<GraphDiscoveryApplication>(discovery.Get(0))->GetDuration() + PAUSE;
    std::optional<DiscoveryDownstream> downstream;
    if (p.HasDownstream())
    {
        downstream.emplace(p, parameters, samples, station, nodes, pool, end);
        Simulator::Schedule(end - PAUSE / 2,
                            [&]() { downstream->SetSamples(CollectSamples(discovery)); });
    }
    const ApplicationContainer& devices = downstream ? downstream->GetDevices() : discovery;
    const std::string quality = IsRegression(samples) ? "loss_global" : "accuracy_global";
    const std::string measure = downstream ? quality : "local_reward";
    const RunDescription description = {"graph-discovery",
                                        "method",
                                        measure,
                                        parameters,
                                        {},
                                        DrawStragglers(p.stragglers, p.devices)};
    folder.WriteFile("run.json", DescribeRun(description, p, samples, positions));
    WritePartition(p, folder, samples, output);

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder, p.GetOmitted());
    RunRecorder recorder(*tables, devices);
    GraphDiscoveryRecorder graphs(*tables, discovery, trust, samples.groups, p.recordInterval);
    PhaseEnergyRecorder energy(*tables, nodes);
    ScheduleParts(discovery, start, energy);
    ApplicationContainer others;
    std::unique_ptr<FederatedRecorder> participation;
    if (downstream)
    {
        Simulator::Schedule(end, [&]() { energy.Begin("training"); });
        others.Add(discovery);
        recorder.AddPhases(discovery);
        if (p.HasServer())
        {
            recorder.AddSender(station->GetObject<Transport>());
            others.Add(downstream->GetServer());
            participation = std::make_unique<FederatedRecorder>(
                *tables, downstream->GetServer(), downstream->GetDevices());
        }
    }
    PlayRun(p, recorder, {p.method, measure, output}, devices, others);
    participation.reset();
    for (uint32_t device = 0; device < labeling.size(); ++device)
    {
        graphs.WriteLabeling(nodes.Get(device)->GetId(), *labeling[device]);
    }
    if (p.embeddings > 0)
    {
        std::vector<uint32_t> indices(samples.global->indices.begin(),
                                      samples.global->indices.begin() + p.embeddings);
        const DataView view = MakeView(samples.global->data, std::move(indices));
        graphs.WriteEmbeddings(view.labels, downstream->Embed(view));
    }
    graphs.Finish();
    energy.Finish();
    FinishRun(std::move(tables), folder);
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
