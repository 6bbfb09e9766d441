/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-scenario.h"

#include "common/scenario.h"
#include "graph-discovery-devices.h"
#include "graph-discovery-downstream.h"

#include "ns3/collab-phase-energy-recorder.h"
#include "ns3/d2d-dynamic-rss-model.h"
#include "ns3/federated-recorder.h"
#include "ns3/gossip-recorder.h"
#include "ns3/graph-discovery-recorder.h"

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Between the end of the exchange and the begin of what follows
const Time PAUSE = MilliSeconds(10);

/// @brief Give the devices their radios, and the base station if there is one.
/// @param[out] dynamic RSS of the dynamic channel, if it is one
ScenarioNetwork
InstallRadios(const GraphDiscoveryParameters& p, Ptr<D2dDynamicRssModel>& dynamic)
{
    RadioPlan plan;
    plan.configure = [&](D2dHelper& d2d) {
        UseFullDuplex(d2d);
        if (const auto rate = p.GetUsualRate())
        {
            d2d.SetDeviceAttribute("SpectralEfficiency", DoubleValue(*rate));
        }
        if (p.channel == "dynamic")
        {
            dynamic = CreateObject<D2dDynamicRssModel>();
            d2d.SetChannelAttribute("PropagationLossModel", PointerValue(dynamic));
            SetUnlessGiven(d2d,
                           "ns3::collab::D2dChannel::NoisePower",
                           DoubleValue(0.02),
                           &D2dHelper::SetChannelAttribute);
        }
    };
    if (p.HasServer())
    {
        plan.serverOutage = p.serverOutage;
    }
    ScenarioNetwork network = MakeNetwork(p, plan);
    const auto hints = p.FindHints();
    network.hints.insert(network.hints.begin(), hints.begin(), hints.end());
    return network;
}

/// The devices' applications, and when they run
struct Discovery
{
    ApplicationContainer applications; //!< of graph discovery, by device
    Time start;                        //!< when they start
    Time end;                          //!< when no datapoint is under way any more

    /// @return that of the first device, which runs as long as all do
    Ptr<GraphDiscoveryApplication>
    GetFirst() const
    {
        return DynamicCast<GraphDiscoveryApplication>(applications.Get(0));
    }
};

/// @param has whether a device has what another one has told
/// @param consequence of not having it
/// @return a line that says that devices have not the same; empty if they have
std::string
FindUnheard(const ApplicationContainer& applications,
            bool (DiscoveryGroupApplication::*has)(uint32_t) const,
            const std::string& what,
            const std::string& consequence)
{
    uint32_t told = 0;
    uint32_t unheard = 0;
    const auto get = [&applications](uint32_t device) {
        return DynamicCast<DiscoveryGroupApplication>(applications.Get(device));
    };
    for (uint32_t sender = 0; sender < applications.GetN(); ++sender)
    {
        for (uint32_t receiver = 0; receiver < applications.GetN(); ++receiver)
        {
            // Who has died needs nothing, and what it has not told all others miss alike
            if (receiver != sender && get(receiver)->IsFinished() &&
                (PeekPointer(get(sender))->*has)(sender))
            {
                ++told;
                unheard += (PeekPointer(get(receiver))->*has)(sender) ? 0 : 1;
            }
        }
    }
    return unheard == 0 ? ""
                        : fmt::format("warning: of {} times that a device needed another one's "
                                      "{}, it had not got them {} times: {}\n",
                                      told,
                                      what,
                                      unheard,
                                      consequence);
}

/// @brief Find when the applications run, and let a dynamic channel change with their slots until
/// they exchange data.
/// @param dynamic the channel's RSS; may be null
/// @return the same, with their times
Discovery
ScheduleDiscovery(const ApplicationContainer& applications, Ptr<D2dDynamicRssModel> dynamic)
{
    Discovery discovery{applications, Time(), Time()};
    const auto first = discovery.GetFirst();
    const PassPlan plan = first->GetPlan();
    if (dynamic)
    {
        const int64_t slot = plan.sharingSlot.GetTimeStep();
        dynamic->SetAttribute("Interval", TimeValue(TimeStep(slot)));
        const int64_t begin = plan.GetSlotsBegin().GetTimeStep();
        discovery.applications.Start(TimeStep((slot - begin % slot) % slot));
    }
    TimeValue start;
    first->GetAttribute("StartTime", start);
    discovery.start = start.Get();
    discovery.end = discovery.start + plan.GetPassBegin(first->GetRounds()) + PAUSE;
    if (dynamic)
    {
        // Datapoints go over the links that the final slot has chosen, as long as that takes
        dynamic->SetAttribute("HoldStart", TimeValue(discovery.start + plan.GetFinalSlotBegin()));
        dynamic->SetAttribute("HoldEnd", TimeValue(discovery.end));
    }
    return discovery;
}

/// Let no device go on with graph discovery when learning begins, which needs its processor
void
StopWhoIsLate(Discovery& discovery)
{
    const Time end = discovery.end - PAUSE / 2;
    TimeValue given;
    discovery.applications.Get(0)->GetAttribute("StopTime", given);
    if (given.Get().IsZero() || given.Get() > end)
    {
        discovery.applications.Stop(end);
    }
}

/// @brief Refuse data that the method or the model cannot work with.
/// @throws UserError that names what was given and what is allowed
void
CheckData(const GraphDiscoveryParameters& p, const ScenarioSamples& samples)
{
    p.Require(
        samples.global->data->outputs <= 1, "dataSet", "one with classes, or with one target");
    p.Require(!IsRegression(samples) || !p.IsOracle(),
              "method",
              "another one with --dataSet=" + p.dataSet + ": these know labels");
    p.Require(!IsRegression(samples) || p.paradigm != "semi-supervised",
              "paradigm",
              "another one with --dataSet=" + p.dataSet + ": targets are no labels to be found");
    const std::size_t features = samples.global->data->SampleSize();
    p.Require(!p.UsesSubspace() || p.components <= features,
              "components",
              fmt::format("at most the {} features of --dataSet={}", features, p.dataSet));
    CheckDownstream(p, samples);
}

/// @return what each device has now
std::vector<DataView>
CollectSamples(const Discovery& discovery)
{
    std::vector<DataView> samples;
    for (auto it = discovery.applications.Begin(); it != discovery.applications.End(); ++it)
    {
        const auto application = DynamicCast<GraphDiscoveryApplication>(*it);
        NS_ABORT_MSG_IF(application->IsExchanging(), "datapoints are still under way");
        samples.push_back(application->GetSamples());
    }
    return samples;
}

/// @brief Tell the recorder of energy when parts of the run begin.
/// @param isLearning whether they learn after the exchange
/// @param energy the recorder; must outlive the simulation
void
ScheduleParts(const Discovery& discovery, bool isLearning, PhaseEnergyRecorder& energy)
{
    const auto first = discovery.GetFirst();
    const PassPlan plan = first->GetPlan();
    const auto begin = [&energy](Time when, const std::string& part) {
        Simulator::Schedule(when, [&energy, part]() { energy.Begin(part); });
    };
    for (uint32_t pass = 0; pass < first->GetRounds(); ++pass)
    {
        const Time offset = discovery.start + plan.GetPassBegin(pass);
        if (pass > 0)
        {
            begin(offset, "setup");
        }
        if (first->IsLearned())
        {
            begin(offset + plan.GetSlotsBegin(pass), "discovery");
        }
        begin(offset + plan.GetFinalSlotBegin(pass), "exchange");
    }
    if (isLearning)
    {
        begin(discovery.end, "training");
    }
}

/// @brief Write what is known only at the end.
/// @param labeling part of the labels that each device has found rightly; none if it had them
/// @param downstream the learning after the exchange; null without
void
WriteFindings(const GraphDiscoveryParameters& p,
              const ScenarioSamples& samples,
              const Discovery& discovery,
              const std::vector<std::shared_ptr<double>>& labeling,
              const DiscoveryDownstream* downstream,
              GraphDiscoveryRecorder& graphs)
{
    for (uint32_t device = 0; device < labeling.size(); ++device)
    {
        const auto node = discovery.applications.Get(device)->GetNode();
        graphs.WriteLabeling(node->GetId(), *labeling[device]);
    }
    if (p.embeddings > 0)
    {
        std::vector<uint32_t> indices(samples.global->indices.begin(),
                                      samples.global->indices.begin() + p.embeddings);
        const DataView view = MakeView(samples.global->data, std::move(indices));
        graphs.WriteEmbeddings(view.labels, downstream->Embed(view));
    }
}

/// @brief Simulate, and write the run's tables.
/// @param downstream the learning after the exchange; null without
void
Play(const GraphDiscoveryParameters& p,
     const Discovery& discovery,
     const DiscoveryDownstream* downstream,
     RunResults& results)
{
    if (!downstream)
    {
        RunRecorder recorder(*results.tables, discovery.applications);
        results.Play(p, recorder, discovery.applications);
        return;
    }
    const ApplicationContainer& devices = downstream->devices;
    RunRecorder recorder(*results.tables, devices);
    recorder.AddPhases(discovery.applications);
    ApplicationContainer others(discovery.applications);
    std::unique_ptr<FederatedRecorder> participation;
    std::unique_ptr<GossipRecorder> exchanges;
    if (const auto server = downstream->server)
    {
        recorder.AddSender(server->GetNode()->GetObject<Transport>());
        others.Add(server);
        participation = std::make_unique<FederatedRecorder>(*results.tables, server, devices);
    }
    else
    {
        exchanges = std::make_unique<GossipRecorder>(*results.tables, devices);
    }
    results.Play(p, recorder, devices, others);
    results.Print(participation ? participation->FindShortWaits()
                                : exchanges->FindShortWaits({{"PullTimeout", "--roundDeadline"}}));
}

} // namespace

void
RunGraphDiscovery(GraphDiscoveryParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    ConfigureTorchProcess();
    const ScenarioSamples samples = PrepareSamples(p, p.IsUnsupervised() ? 0 : p.clusters);
    CheckData(p, samples);
    p.hasTargets = IsRegression(samples);
    SimulatorGuard guard;
    Ptr<D2dDynamicRssModel> dynamic; // RSS of the dynamic channel
    const ScenarioNetwork network = InstallRadios(p, dynamic);
    const TrustMatrices trust = MakeTrust(p, CountPartitions(p, samples));
    const auto pool = MakePool(p);
    std::vector<std::shared_ptr<double>> labeling;
    const auto agents = MakeDiscoveryAgents(p, samples, labeling);
    Discovery discovery =
        ScheduleDiscovery(InstallDiscovery(p, network.nodes, agents, trust, pool), dynamic);
    if (p.IsOracle())
    {
        Simulator::Schedule(discovery.start + discovery.GetFirst()->GetPlan().GetFinalSlotBegin(),
                            [&]() { ConsultOracle(p, samples, trust, discovery.applications); });
    }
    std::unique_ptr<DiscoveryDownstream> downstream;
    if (p.HasDownstream())
    {
        StopWhoIsLate(discovery);
        const WorstLinks worst(p); // of its waits
        downstream =
            std::make_unique<DiscoveryDownstream>(p, samples, network, pool, discovery.end);
        Simulator::Schedule(discovery.end - PAUSE / 4,
                            [&]() { downstream->SetSamples(CollectSamples(discovery)); });
    }

    const std::string measure = downstream ? GetMeasure(samples, "global") : "local_reward";
    RunResults results(
        p,
        {"graph-discovery", "method", measure, {}, DrawStragglers(p.stragglers, p.devices)},
        samples,
        network,
        output);
    results.WritePartition(samples);
    GraphDiscoveryRecorder graphs(
        *results.tables, discovery.applications, trust, samples.groups, p.recordInterval);
    PhaseEnergyRecorder energy(*results.tables, network.nodes);
    ScheduleParts(discovery, p.HasDownstream(), energy);
    Play(p, discovery, downstream.get(), results);
    if (downstream)
    {
        downstream->WriteModels(results);
    }
    using Group = DiscoveryGroupApplication;
    results.Print(FindUnheard(discovery.applications,
                              &Group::HasRow,
                              "outage probabilities",
                              "devices do not know the same clusters of reliable ones"));
    results.Print(FindUnheard(discovery.applications,
                              &Group::HasComponents,
                              "principal components",
                              "devices do not project on the same subspace"));
    WriteFindings(p, samples, discovery, labeling, downstream.get(), graphs);
    graphs.Finish();
    energy.Finish();
    results.Finish();
}
