/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-group-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/graph-discovery-reliable-clusters.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("DiscoveryGroupApplication");
NS_OBJECT_ENSURE_REGISTERED(DiscoveryGroupApplication);

namespace
{

/// of a part of what all need: at an outage of 0.9 one of a million is lost before the deadline
constexpr uint32_t SETUP_ATTEMPTS = 128;

} // namespace

TypeId
DiscoveryGroupApplication::GetTypeId()
{
    using App = DiscoveryGroupApplication;
    static TypeId tid =
        TypeId("ns3::collab::DiscoveryGroupApplication")
            .SetParent<DatapointExchangeApplication>()
            .SetGroupName("Collab")
            .AddAttribute(
                "ControlLossPolicy",
                "What the radio does about lost messages that are no datapoints and for one "
                "device.",
                compat::EnumAttribute(LossPolicy::RELIABLE),
                compat::EnumAccessor(&App::m_controlLossPolicy),
                compat::EnumChecker(
                    LossPolicy::BEST_EFFORT, "BestEffort", LossPolicy::RELIABLE, "Reliable"))
            .AddAttribute("SetupDeadline",
                          "How long rows of outage probabilities, numbers of trusted partitions "
                          "and principal components may take; 0 for as long as they do.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_setupDeadline),
                          MakeTimeChecker(Time()))
            .AddAttribute("ReliabilityThreshold",
                          "alpha_D: outage probability that no pair of a cluster of reliable "
                          "devices exceeds.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&App::m_threshold),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

DiscoveryGroupApplication::DiscoveryGroupApplication() = default;

void
DiscoveryGroupApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_parts.clear();
    m_planned = NodeContainer();
    DatapointExchangeApplication::DoDispose();
}

void
DiscoveryGroupApplication::SetGroup(std::vector<uint32_t> devices,
                                    Matrix<uint8_t> trust,
                                    uint64_t seed)
{
    NS_ABORT_MSG_UNLESS(!devices.empty() && std::is_sorted(devices.begin(), devices.end()) &&
                            trust.rows == devices.size() && trust.columns > 0,
                        "DiscoveryGroupApplication::SetGroup: devices must ascend, and trust have "
                        "a row a device and a column a partition");
    m_indexOf.assign(devices.back() + 1, NOBODY);
    for (uint32_t i = 0; i < devices.size(); ++i)
    {
        m_indexOf[devices[i]] = i;
    }
    m_devices = std::move(devices);
    m_trust = std::move(trust);
    m_generator.seed(seed);
    const auto n = static_cast<uint32_t>(m_devices.size());
    m_outage = Matrix<double>(n, n, 1.0);
    m_hasRow.assign(n, 0);
    m_trustedWith.assign(n, 0);
    m_parts.assign(n, nullptr);
    m_clusters.resize(n);
    std::iota(m_clusters.begin(), m_clusters.end(), 0);
}

void
DiscoveryGroupApplication::DoStart()
{
    DatapointExchangeApplication::DoStart();
    m_own = FindIndex(GetDeviceId());
    NS_ABORT_MSG_IF(m_own == NOBODY,
                    "DiscoveryGroupApplication on node "
                        << GetDeviceId() << ": SetGroup() is missing, or without this device");
    m_datapointParts =
        GetTransport()->CountUnitParts(Datapoints::CountUnitBytes(*GetHoldings().GetDataSet()));
    OutageRow row;
    row.outages.resize(CountDevices());
    OnControl<OutageRow>(
        [this](uint32_t sender, const auto& message) {
            if (IsSettingUp())
            {
                const auto& outages = message->outages;
                std::copy(outages.begin(), outages.end(), m_outage.Row(sender));
                m_hasRow[sender] = 1;
            }
        },
        row);
    OnControl<TrustedPartitions>(
        [this](uint32_t sender, const auto& message) {
            if (IsSettingUp())
            {
                const auto& bits = message->counts;
                m_trustedWith[sender] = static_cast<uint32_t>(
                    std::count_if(bits.begin(), bits.end(), [](uint32_t bit) { return bit > 0; }));
            }
        },
        {{PartitionCounts(GetPartitions()), 1}});
    SharedComponents components;
    components.count = GetNeeds().components;
    components.features = GetHoldings().GetDataSet()->SampleSize();
    OnControl<SharedComponents>(
        [this](uint32_t sender, const auto& message) {
            if (IsSettingUp())
            {
                m_parts[sender] = message->components;
            }
        },
        components);
}

void
DiscoveryGroupApplication::SetPlan(NodeContainer nodes, uint64_t samples)
{
    m_planned = std::move(nodes);
    m_plannedSamples = samples;
}

uint64_t
DiscoveryGroupApplication::GetPlannedSamples() const
{
    return 2 * (m_plannedSamples > 0 ? m_plannedSamples : GetHoldings().GetFirstSize());
}

SlowestDevice
DiscoveryGroupApplication::GetSlowest() const
{
    NodeContainer nodes(GetNode());
    nodes.Add(m_planned);
    return SlowestDevice(nodes, CountDevices());
}

bool
DiscoveryGroupApplication::IsSettingUp() const
{
    return Simulator::Now() < m_setupEnd;
}

Time
DiscoveryGroupApplication::GetListeningTime() const
{
    return GetNeeds().links ? GetSlowest().GetListening() : Time();
}

Time
DiscoveryGroupApplication::GetSetupDuration(uint32_t round) const
{
    if (round > 0)
    {
        return Time();
    }
    const SetupNeeds needs = GetNeeds();
    const SlowestDevice slowest = GetSlowest();
    Time duration = GetListeningTime();
    if (!m_setupDeadline.IsZero())
    {
        return duration + m_setupDeadline;
    }
    if (needs.clusters)
    {
        duration += slowest.GetTelling(CountDevices() * sizeof(float));
    }
    if (needs.trust)
    {
        duration += slowest.GetTelling(GetPartitions());
    }
    if (needs.components > 0)
    {
        const uint64_t features = GetHoldings().GetDataSet()->SampleSize();
        duration +=
            slowest.GetTelling(uint64_t{needs.components} * (features + 1) * sizeof(float)) +
            slowest.GetComputing(CountPcaFlops(GetPlannedSamples(), features, needs.components));
    }
    return duration;
}

Process
DiscoveryGroupApplication::SetUpGroup()
{
    const Time duration = GetSetupDuration(GetRound());
    const Time deadline = Simulator::Now() + duration;
    Alarm end(duration);
    const SetupNeeds needs = GetNeeds();
    const bool isFirst = GetRound() == 0; // later on all of it is known
    if (isFirst)
    {
        m_setupEnd = deadline;
        if (!GetListeningTime().IsZero())
        {
            co_await Delay(GetListeningTime());
        }
        if (needs.clusters)
        {
            TellRow(deadline);
        }
        if (needs.trust)
        {
            TellTrust(deadline);
        }
    }
    if (needs.components > 0 && (isFirst || !m_parts[m_own])) // it may have been off until now
    {
        const DataView view = GetSamples();
        const auto features = view.data->SampleSize();
        m_parts[m_own] = co_await Compute(
            "", CountPcaFlops(view.Size(), features, needs.components), PrepareComponents());
        if (!end.IsOver())
        {
            Broadcast(SharedComponents{needs.components, features, m_parts[m_own]},
                      MakeSetupOptions(deadline));
        }
    }
    co_await end;
    FindCluster();
}

void
DiscoveryGroupApplication::TellRow(Time deadline)
{
    OutageRow row;
    for (uint32_t j = 0; j < CountDevices(); ++j)
    {
        row.outages.push_back(j == m_own ? 0.0F : static_cast<float>(GetOutage(j)));
    }
    std::copy(row.outages.begin(), row.outages.end(), m_outage.Row(m_own));
    m_hasRow[m_own] = 1;
    SendOptions options = MakeSetupOptions(deadline);
    options.priority = CONTROL_PRIORITY;
    Broadcast(std::move(row), options);
}

void
DiscoveryGroupApplication::TellTrust(Time deadline)
{
    for (const uint32_t neighbor : GetTransport()->GetNeighbors())
    {
        const uint32_t i = FindIndex(neighbor);
        if (i != NOBODY && i != m_own)
        {
            const std::vector<uint8_t> trusted = GetTrusted(i);
            SendControl(i,
                        TrustedPartitions{{PartitionCounts(trusted.begin(), trusted.end()), 1}},
                        GetRound(),
                        deadline);
        }
    }
}

std::function<std::shared_ptr<const PrincipalComponents>()>
DiscoveryGroupApplication::PrepareComponents() const
{
    return [view = GetSamples(), count = GetNeeds().components]() {
        return std::make_shared<const PrincipalComponents>(
            FindPrincipalComponents(DecodeSamples(view), count));
    };
}

std::function<Matrix<float>()>
DiscoveryGroupApplication::PrepareSubspace() const
{
    return [shared = m_parts, count = GetNeeds().components]() {
        std::vector<const PrincipalComponents*> parts;
        for (const auto& part : shared)
        {
            if (part && part->vectors.rows > 0)
            {
                parts.push_back(part.get());
            }
        }
        return CombinePrincipalComponents(parts, count);
    };
}

bool
DiscoveryGroupApplication::HasRow(uint32_t index) const
{
    return m_hasRow[index] > 0;
}

bool
DiscoveryGroupApplication::HasComponents(uint32_t index) const
{
    return m_parts[index] && m_parts[index]->vectors.rows > 0;
}

SendOptions
DiscoveryGroupApplication::MakeSetupOptions(Time deadline)
{
    SendOptions options(LossPolicy::RELIABLE);
    options.deadline = deadline;
    options.maxAttempts = SETUP_ATTEMPTS;
    return options;
}

uint64_t
DiscoveryGroupApplication::CountSubspaceFlops() const
{
    const uint32_t components = GetNeeds().components;
    return CountPcaFlops(uint64_t{CountDevices()} * components,
                         GetHoldings().GetDataSet()->SampleSize(),
                         components);
}

void
DiscoveryGroupApplication::FindCluster()
{
    m_clusters = FindReliableClusters(m_outage, m_threshold);
    m_members.clear();
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < CountDevices(); ++i)
    {
        if (i != m_own && m_clusters[i] == m_clusters[m_own])
        {
            m_members.push_back(i);
            numbers.push_back(m_devices[i]);
        }
    }
    m_memberGroup = std::make_shared<const std::vector<uint32_t>>(std::move(numbers));
}

const std::vector<uint32_t>&
DiscoveryGroupApplication::GetClusters() const
{
    return m_clusters;
}

const std::vector<uint32_t>&
DiscoveryGroupApplication::GetDevices() const
{
    return m_devices;
}

uint32_t
DiscoveryGroupApplication::CountDevices() const
{
    return static_cast<uint32_t>(m_devices.size());
}

uint32_t
DiscoveryGroupApplication::GetOwnIndex() const
{
    return m_own;
}

uint32_t
DiscoveryGroupApplication::FindIndex(uint32_t device) const
{
    return device < m_indexOf.size() ? m_indexOf[device] : NOBODY;
}

uint32_t
DiscoveryGroupApplication::GetPartitions() const
{
    return static_cast<uint32_t>(m_trust.columns);
}

std::vector<uint8_t>
DiscoveryGroupApplication::GetTrusted(uint32_t index) const
{
    const uint8_t* row = m_trust.Row(index);
    return std::vector<uint8_t>(row, row + m_trust.columns);
}

const std::vector<uint32_t>&
DiscoveryGroupApplication::GetTrustedWith() const
{
    return m_trustedWith;
}

const std::vector<uint32_t>&
DiscoveryGroupApplication::GetMembers() const
{
    return m_members;
}

const DeviceGroup&
DiscoveryGroupApplication::GetMemberGroup() const
{
    return m_memberGroup;
}

bool
DiscoveryGroupApplication::IsMember(uint32_t index) const
{
    return m_clusters[index] == m_clusters[m_own];
}

double
DiscoveryGroupApplication::GetOutage(uint32_t index) const
{
    const auto quality = GetTransport()->GetLinkQuality(m_devices[index]);
    const double part = quality ? std::clamp(quality->outageProbability, 0.0, 1.0) : 1.0;
    return m_datapointParts == 1 ? part : 1 - std::pow(1 - part, m_datapointParts);
}

RandomGenerator&
DiscoveryGroupApplication::GetGenerator()
{
    return m_generator;
}

LossPolicy
DiscoveryGroupApplication::GetControlLossPolicy() const
{
    return m_controlLossPolicy;
}

SendOptions
DiscoveryGroupApplication::MakeControlOptions(Time deadline, LossPolicy policy)
{
    SendOptions options(policy);
    options.priority = CONTROL_PRIORITY;
    options.deadline = deadline;
    return options;
}

uint32_t
DiscoveryGroupApplication::FindOther(uint32_t device) const
{
    const uint32_t index = FindIndex(device);
    Require<PayloadError>(index != NOBODY && index != m_own, "a message from a stranger");
    return index;
}

} // namespace ns3::collab
