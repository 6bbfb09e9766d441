/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-devices.h"

#include "ns3/collab-label-propagation.h"
#include "ns3/collab-partition-skew.h"
#include "ns3/collab-pseudo-labels.h"

#include <cmath>
#include <limits>
#include <set>

using namespace ns3;
using namespace ns3::collab;

namespace
{

const std::string SLOT_MESSAGES = "ns3::collab::GraphDiscoveryApplication::SlotMessages";
constexpr uint32_t LEAST_MESSAGES = 8; //!< of a slot of learning

/// @brief Hide most labels, and let the device find them again.
/// @param[in,out] agent gets samples without labels, and what labels them
/// @param[in,out] most operations of a labeling model, on the device that needs most of them
/// @return gets the part of labels that were found rightly, once they are
std::shared_ptr<double>
HideLabels(const GraphDiscoveryParameters& p,
           const DataView& samples,
           uint32_t device,
           DiscoveryAgent& agent,
           const std::shared_ptr<uint64_t>& most)
{
    const auto views = std::make_shared<const SemiSupervisedViews>(HidePart(p, samples, device));
    p.Require(views->labeled.Size() > 0, "labeled", "above 0");
    p.Require(p.neighbors <= samples.Size(),
              "neighbors",
              fmt::format("at most the {} samples of a device", samples.Size()));
    agent.samples.labels.clear();
    const uint64_t seed = SeedFor(RandomPurpose::INITIALIZATION, device);
    PropagationOptions options;
    options.neighbors = p.neighbors;
    LabelingModel model;
    model.model = p.labeling;
    const bool isPropagated = p.UsesSubspace();
    const auto accuracy = std::make_shared<double>(std::numeric_limits<double>::quiet_NaN());
    agent.partitioner.find = [=](DataView& view, const Matrix<float>& subspace) {
        if (view.labels.empty()) // in later passes the labels that were found are there
        {
            view = isPropagated ? LabelByPropagation(*views, subspace, options)
                                : LabelByModel(*views, model, seed);
            *accuracy = MeasureLabelingAccuracy(*views, view);
        }
        return std::vector<uint32_t>(view.labels.begin(), view.labels.end());
    };
    const uint64_t classes = samples.data->classes;
    const uint64_t modelFlops = isPropagated ? 0 : CountModelLabelFlops(*views, model);
    *most = std::max(*most, modelFlops);
    const auto count = [=, features = samples.data->SampleSize(), d = p.components](
                           uint64_t size, uint64_t flopsOfModel) {
        return isPropagated ? CountProjectionFlops(size, features, d) +
                                  CountPropagationFlops(size, d, classes, options)
                            : flopsOfModel;
    };
    agent.partitioner.flops = [=](const DataView& view) {
        return view.labels.empty() ? count(view.Size(), modelFlops) : 0;
    };
    agent.partitioner.plannedFlops = [=](uint64_t size) { return count(size, *most); };
    return accuracy;
}

/// @return the greatest number of samples of a device
std::size_t
FindMostSamples(const std::vector<DiscoveryAgent>& agents)
{
    std::size_t most = 0;
    for (const auto& agent : agents)
    {
        most = std::max(most, agent.samples.Size());
    }
    return most;
}

/// @return how long datapoints may take: as given, or twice as long as all of a device's, at the
/// same time as those of all others
Time
GetExchangeDeadline(const GraphDiscoveryParameters& p,
                    const NodeContainer& nodes,
                    const std::vector<DiscoveryAgent>& agents)
{
    if (p.exchangeDeadline > 0)
    {
        return Seconds(p.exchangeDeadline);
    }
    // What one fragment carries is the same for all datapoints
    const Time each = nodes.Get(0)->GetObject<Transport>()->GetContendedAirtime(
        agents[0].samples.data->SampleBytes(), p.devices);
    return each * static_cast<int64_t>(2 * FindMostSamples(agents));
}

/// @brief Let a device partition its samples by the gaps between their targets.
/// @param agent gets it
void
PartitionTargets(const GraphDiscoveryParameters& p, DiscoveryAgent& agent)
{
    agent.partitioner.find = [groups = p.clusters](DataView& view, const Matrix<float>&) {
        std::vector<float> targets;
        for (const uint32_t index : view.indices)
        {
            targets.push_back(view.data->targets[index]);
        }
        // With fewer distinct targets than groups some groups are empty on this device
        const std::set<float> distinct(targets.begin(), targets.end());
        const auto count = std::min<std::size_t>(groups, distinct.size());
        const auto labels = GroupTargetsByGaps(targets, static_cast<uint32_t>(count));
        return std::vector<uint32_t>(labels.begin(), labels.end());
    };
    agent.partitioner.plannedFlops = [](uint64_t count) {
        // Comparisons of a sort, and of gaps
        return static_cast<uint64_t>(static_cast<double>(count) *
                                     (std::log2(static_cast<double>(count)) + 1));
    };
    agent.partitioner.flops = [planned = agent.partitioner.plannedFlops](const DataView& view) {
        return planned(view.Size());
    };
}

} // namespace

uint32_t
CountPartitions(const GraphDiscoveryParameters& p, const ScenarioSamples& samples)
{
    return p.IsUnsupervised() || IsRegression(samples) ? p.clusters : samples.global->data->classes;
}

TrustMatrices
MakeTrust(const GraphDiscoveryParameters& p, uint32_t partitions)
{
    DiscoveryTrustOptions options;
    options.structure = ParseTrustStructure(p.trust);
    options.density = p.trustDensity;
    return DrawTrust(p.devices, partitions, options, SeedFor(RandomPurpose::TRUST));
}

std::vector<DiscoveryAgent>
MakeDiscoveryAgents(const GraphDiscoveryParameters& p,
                    const ScenarioSamples& samples,
                    std::vector<std::shared_ptr<double>>& labeling)
{
    const auto most = std::make_shared<uint64_t>(0);
    std::vector<DiscoveryAgent> agents(p.devices);
    for (uint32_t i = 0; i < p.devices; ++i)
    {
        agents[i].samples = samples.train[i];
        agents[i].seed = SeedFor(RandomPurpose::EXPLORATION, i);
        if (IsRegression(samples))
        {
            PartitionTargets(p, agents[i]);
        }
        else if (p.paradigm == "semi-supervised")
        {
            labeling.push_back(HideLabels(p, samples.train[i], i, agents[i], most));
        }
        if (p.IsUnsupervised())
        {
            agents[i].samples.labels.clear();
        }
    }
    return agents;
}

SemiSupervisedViews
HidePart(const GraphDiscoveryParameters& p, const DataView& samples, uint32_t device)
{
    return SplitLabeled(samples, p.labeled, SeedFor(RandomPurpose::LABELED_PART, device));
}

ApplicationContainer
InstallDiscovery(const GraphDiscoveryParameters& p,
                 const NodeContainer& nodes,
                 const std::vector<DiscoveryAgent>& agents,
                 const TrustMatrices& trust,
                 Ptr<LearnerPool> pool)
{
    GraphDiscoveryHelper helper(p.GetApplicationType(), pool);
    SetAttributes(p, p.GetApplicationType(), helper);
    helper.SetAttribute(
        "Rounds", UintegerValue(p.Get<uint32_t>("edges"))); // those of the learning are others
    helper.SetAttribute("ThresholdShare", DoubleValue(p.thresholdShare));
    helper.SetAttribute("DiversityWeight", DoubleValue(p.diversityWeight));
    helper.SetAttribute("ReliabilityWeight", DoubleValue(p.reliabilityWeight));
    if (p.UsesSubspace())
    {
        helper.SetAttribute("Components", UintegerValue(p.components));
    }
    const std::string countBits = "ns3::collab::GraphDiscoveryApplication::CountBits";
    const uint32_t needed = p.GetCountBits(trust[0].columns, FindMostSamples(agents));
    if (!IsAttributeGiven(countBits))
    {
        helper.SetAttribute("CountBits", UintegerValue(needed));
    }
    else if (const double given = GetGivenNumber(countBits);
             given < needed || std::fmod(given, 8) != 0) // of bytes
    {
        RefuseAttribute(countBits, fmt::format("it must be a multiple of 8 from {} on", needed));
    }
    if (p.Get("method") != "learned") // there is one slot, in which all may ask the same device
    {
        SetUnlessGiven(
            helper, SLOT_MESSAGES, UintegerValue(std::max(LEAST_MESSAGES, p.devices - 1)));
    }
    SetUnlessGiven(helper,
                   "ns3::collab::DatapointExchangeApplication::ExchangeDeadline",
                   TimeValue(GetExchangeDeadline(p, nodes, agents)));
    return helper.Install(nodes, agents, trust);
}
