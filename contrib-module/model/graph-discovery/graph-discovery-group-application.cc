/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-group-application.h"

#include "graph-discovery-payloads.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-message-header.h"
#include "ns3/double.h"
#include "ns3/graph-discovery-reliable-clusters.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("DiscoveryGroupApplication");
NS_OBJECT_ENSURE_REGISTERED(DiscoveryGroupApplication);

namespace
{

constexpr uint16_t ROW = 703;        //!< kind of messages: P_D of all links to a device
constexpr uint16_t TRUST = 704;      //!< kind of messages: partitions that a device is trusted with
constexpr uint16_t COMPONENTS = 705; //!< kind of messages: principal components
/// of a part of what all need: at an outage of 0.9 one of a million is lost before the deadline
constexpr uint32_t SETUP_ATTEMPTS = 128;
constexpr double GREATEST_SQUARE = 1.01; //!< of a unit vector that was rounded

/// @param components of a device
/// @return them as they travel: a row a component, its singular value first
Matrix<float>
PackComponents(const PrincipalComponents& components)
{
    const auto& vectors = components.vectors;
    Matrix<float> packed(vectors.rows, 1 + vectors.columns);
    for (std::size_t i = 0; i < vectors.rows; ++i)
    {
        packed(i, 0) = components.singularValues[i];
        std::copy(vectors.Row(i), vectors.Row(i) + vectors.columns, packed.Row(i) + 1);
    }
    return packed;
}

/**
 * @param packed as PackComponents() makes it
 * @param count d
 * @param features D
 * @throws PayloadError if they cannot be principal components
 */
void
CheckComponents(const Matrix<float>& packed, std::size_t count, std::size_t features)
{
    bool isGood = count > 0 && packed.rows == count && packed.columns == features + 1 &&
                  packed.values.size() == packed.rows * packed.columns;
    for (std::size_t i = 0; isGood && i < packed.rows; ++i)
    {
        double square = 0;
        for (std::size_t j = 1; j < packed.columns; ++j)
        {
            square += static_cast<double>(packed(i, j)) * packed(i, j);
        }
        // Comparisons that are false of NaN
        isGood = packed(i, 0) >= 0 && packed(i, 0) <= GREATEST_NUMBER && square <= GREATEST_SQUARE;
    }
    if (!isGood)
    {
        throw PayloadError("what are no principal components");
    }
}

/// @param packed as PackComponents() makes it
/// @return the components
std::shared_ptr<PrincipalComponents>
UnpackComponents(const Matrix<float>& packed)
{
    auto components = std::make_shared<PrincipalComponents>();
    components->vectors = Matrix<float>(packed.rows, packed.columns - 1);
    for (std::size_t i = 0; i < packed.rows; ++i)
    {
        components->singularValues.push_back(packed(i, 0));
        std::copy(packed.Row(i) + 1, packed.Row(i) + packed.columns, components->vectors.Row(i));
    }
    return components;
}

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
    m_listening.Cancel();
    m_setupEnd.Cancel();
    m_done = nullptr;
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
    RegisterControl(
        ROW,
        "outage-row",
        [n = CountDevices()](const uint8_t* bytes, std::size_t size) {
            return NumbersPayload::Parse(bytes, size, 1, n);
        },
        [this](uint32_t sender, const Message& message) {
            const auto& row = ReadPayload<NumbersPayload>(message).GetNumbers();
            if (row.values.size() != CountDevices())
            {
                throw PayloadError(fmt::format(
                    "{} outage probabilities, expected {}", row.values.size(), CountDevices()));
            }
            if (!IsSettingUp())
            {
                return; // too late
            }
            if (std::any_of(row.values.begin(), row.values.end(), [](float p) {
                    return !(p >= 0 && p <= 1);
                }))
            {
                throw PayloadError("an outage probability that is not from 0 to 1");
            }
            std::copy(row.values.begin(), row.values.end(), m_outage.Row(sender));
            m_hasRow[sender] = 1;
        });
    RegisterControl(
        TRUST,
        "trust",
        [](const uint8_t* bytes, std::size_t size) {
            return PartitionCountsPayload::Parse(bytes, size, 1);
        },
        [this](uint32_t sender, const Message& message) {
            const auto& bits = ReadPayload<PartitionCountsPayload>(message).GetCounts();
            if (bits.size() != GetPartitions())
            {
                throw PayloadError(fmt::format(
                    "trust in {} partitions, expected {}", bits.size(), GetPartitions()));
            }
            if (!IsSettingUp())
            {
                return;
            }
            m_trustedWith[sender] = static_cast<uint32_t>(
                std::count_if(bits.begin(), bits.end(), [](uint32_t bit) { return bit > 0; }));
        });
    m_datapointParts = GetTransport()->CountUnitParts(
        DatapointsPayload::CountUnitBytes(*GetHoldings().GetDataSet()));
    const std::size_t features = GetHoldings().GetDataSet()->SampleSize();
    RegisterControl(
        COMPONENTS,
        "components",
        [this, features](const uint8_t* bytes, std::size_t size) {
            return NumbersPayload::Parse(bytes, size, m_needs.components, features + 1);
        },
        [this, features](uint32_t sender, const Message& message) {
            const auto& packed = ReadPayload<NumbersPayload>(message).GetNumbers();
            CheckComponents(packed, m_needs.components, features);
            if (IsSettingUp())
            {
                m_parts[sender] = UnpackComponents(packed);
            }
        });
}

void
DiscoveryGroupApplication::DoHalt()
{
    m_listening.Cancel();
    m_setupEnd.Cancel();
    m_done = nullptr;
    DatapointExchangeApplication::DoHalt();
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

Time
DiscoveryGroupApplication::GetPlannedDuration(uint64_t flops) const
{
    Time longest = GetNode()->GetObject<Processor>()->GetDuration(flops);
    for (auto node = m_planned.Begin(); node != m_planned.End(); ++node)
    {
        longest = std::max(longest, (*node)->GetObject<Processor>()->GetDuration(flops));
    }
    return longest;
}

bool
DiscoveryGroupApplication::IsSettingUp() const
{
    return GetRound() == 0 && !m_setupEnd.IsExpired();
}

Time
DiscoveryGroupApplication::GetListeningTime(const SetupNeeds& needs) const
{
    if (!needs.links)
    {
        return Time();
    }
    Time longest = GetNode()->GetObject<Transport>()->GetListeningTime();
    for (auto node = m_planned.Begin(); node != m_planned.End(); ++node)
    {
        longest = std::max(longest, (*node)->GetObject<Transport>()->GetListeningTime());
    }
    return longest;
}

Time
DiscoveryGroupApplication::GetTellingTime(uint64_t bytes) const
{
    // A reliable broadcast serves one receiver after the other. Who shares a medium collides again
    // and again, for all have something to say all the time
    const auto transport = GetNode()->GetObject<Transport>();
    const bool isShared =
        transport->GetContendedAirtime(bytes, CountDevices()) > transport->GetAirtime(bytes);
    const uint32_t each = isShared ? SINGLE_MESSAGE : 1;
    return GetTellingStage(bytes, each * CountDevices(), LossPolicy::RELIABLE);
}

Time
DiscoveryGroupApplication::GetSetupDuration(const SetupNeeds& needs, uint32_t round) const
{
    if (round > 0)
    {
        return Time();
    }
    Time duration = GetListeningTime(needs);
    if (!m_setupDeadline.IsZero())
    {
        return duration + m_setupDeadline;
    }
    if (needs.clusters)
    {
        duration += GetTellingTime(CountDevices() * sizeof(float));
    }
    if (needs.trust)
    {
        duration += GetTellingTime(GetPartitions());
    }
    if (needs.components > 0)
    {
        const uint64_t features = GetHoldings().GetDataSet()->SampleSize();
        const uint64_t bytes = uint64_t{needs.components} * (features + 1) * sizeof(float);
        duration += GetTellingTime(bytes);
        duration +=
            GetPlannedDuration(CountPcaFlops(GetPlannedSamples(), features, needs.components));
    }
    return duration;
}

void
DiscoveryGroupApplication::BeginSetup(const SetupNeeds& needs, std::function<void()> done)
{
    NS_LOG_FUNCTION(this);
    m_needs = needs;
    m_done = std::move(done);
    m_isTelling = false;
    const Time duration = GetSetupDuration(needs, GetRound());
    const Time deadline = Simulator::Now() + duration;
    m_setupEnd = Simulator::Schedule(duration, &DiscoveryGroupApplication::EndSetup, this);
    if (GetRound() > 0)
    {
        return; // all of it is known from the first pass
    }
    const Time listening = GetListeningTime(needs);
    if (listening.IsZero())
    {
        Tell(deadline);
        return;
    }
    m_listening = Simulator::Schedule(listening, &DiscoveryGroupApplication::Tell, this, deadline);
}

void
DiscoveryGroupApplication::Tell(Time deadline)
{
    if (m_needs.clusters)
    {
        TellRow(deadline);
    }
    if (m_needs.trust)
    {
        TellTrust(deadline);
    }
    if (m_needs.components > 0)
    {
        TellComponents(deadline);
    }
}

void
DiscoveryGroupApplication::TellRow(Time deadline)
{
    Matrix<float> row(1, CountDevices());
    for (uint32_t j = 0; j < CountDevices(); ++j)
    {
        row(0, j) = j == m_own ? 0.0F : static_cast<float>(GetOutage(j));
    }
    std::copy(row.values.begin(), row.values.end(), m_outage.Row(m_own));
    m_hasRow[m_own] = 1;
    SendOptions options = MakeSetupOptions(deadline);
    options.priority = CONTROL_PRIORITY;
    GetTransport()->Broadcast(
        {ROW, GetRound(), std::make_shared<const NumbersPayload>(std::move(row))}, options);
}

void
DiscoveryGroupApplication::TellTrust(Time deadline)
{
    for (const uint32_t neighbor : GetTransport()->GetNeighbors())
    {
        const uint32_t i = FindIndex(neighbor);
        if (i == NOBODY || i == m_own)
        {
            continue;
        }
        const std::vector<uint8_t> trusted = GetTrusted(i);
        SendControl(i,
                    TRUST,
                    GetRound(),
                    std::make_shared<const PartitionCountsPayload>(
                        PartitionCounts(trusted.begin(), trusted.end()), 1),
                    deadline);
    }
}

void
DiscoveryGroupApplication::TellComponents(Time deadline)
{
    auto own = std::make_shared<PrincipalComponents>();
    m_parts[m_own] = own;
    const DataView view = GetSamples();
    const uint32_t components = m_needs.components;
    m_isTelling = true;
    RunJob(
        CountPcaFlops(view.Size(), view.data->SampleSize(), components),
        [own, view, components]() {
            *own = FindPrincipalComponents(DecodeSamples(view), components);
        },
        [this, own, deadline]() {
            m_isTelling = false;
            if (m_setupEnd.IsExpired())
            {
                EndSetup(); // it had to wait
                return;
            }
            GetTransport()->Broadcast(
                {COMPONENTS,
                 GetRound(),
                 std::make_shared<const NumbersPayload>(PackComponents(*own))},
                MakeSetupOptions(deadline));
        });
}

void
DiscoveryGroupApplication::EndSetup()
{
    NS_LOG_FUNCTION(this);
    if (m_isTelling)
    {
        return;
    }
    FindCluster();
    const auto done = std::move(m_done);
    m_done = nullptr;
    done();
}

std::function<Matrix<float>()>
DiscoveryGroupApplication::PrepareSubspace() const
{
    return [shared = m_parts, count = m_needs.components]() {
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
DiscoveryGroupApplication::CountSubspaceFlops(uint32_t components) const
{
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

Time
DiscoveryGroupApplication::GetStage(Time given,
                                    uint64_t payloadBytes,
                                    uint32_t messages,
                                    LossPolicy policy) const
{
    return given.IsZero()
               ? FindStage(&Transport::GetContendedAirtime, payloadBytes, messages, policy)
               : given;
}

Time
DiscoveryGroupApplication::GetTellingStage(uint64_t payloadBytes,
                                           uint32_t messages,
                                           LossPolicy policy) const
{
    return FindStage(&Transport::GetBroadcastTime, payloadBytes, messages, policy);
}

Time
DiscoveryGroupApplication::FindStage(Time (Transport::*ofAll)(uint64_t, uint32_t) const,
                                     uint64_t payloadBytes,
                                     uint32_t messages,
                                     LossPolicy policy) const
{
    const uint64_t bytes = MessageHeader::SIZE + payloadBytes;
    const auto find = [this, ofAll, bytes](const Ptr<Node>& node) {
        return (*node->GetObject<Transport>().*ofAll)(bytes, CountDevices());
    };
    Time airtime = find(GetNode());
    for (auto node = m_planned.Begin(); node != m_planned.End(); ++node)
    {
        airtime = std::max(airtime, find(*node));
    }
    // Propagation and turnaround take microseconds
    const Time each = airtime + MicroSeconds(100);
    return each * static_cast<int64_t>(messages * (policy == LossPolicy::RELIABLE ? 2 : 1));
}

void
DiscoveryGroupApplication::SendControl(uint32_t index,
                                       uint16_t kind,
                                       uint32_t round,
                                       std::shared_ptr<const Payload> payload,
                                       Time deadline)
{
    SendOptions options(m_controlLossPolicy);
    options.priority = CONTROL_PRIORITY;
    options.deadline = deadline;
    GetTransport()->Send(m_devices[index], {kind, round, std::move(payload)}, std::move(options));
}

void
DiscoveryGroupApplication::RegisterControl(uint16_t kind,
                                           const std::string& name,
                                           PayloadParser parser,
                                           std::function<void(uint32_t, const Message&)> receiver)
{
    GetTransport()->RegisterKind(kind,
                                 name,
                                 std::move(parser),
                                 [this, receiver = std::move(receiver)](const Message& message) {
                                     const uint32_t sender = FindIndex(message.sender);
                                     if (!IsRunning())
                                     {
                                         return;
                                     }
                                     if (sender == NOBODY || sender == m_own)
                                     {
                                         GetTransport()->Reject("a message from a stranger");
                                         return;
                                     }
                                     try
                                     {
                                         receiver(sender, message);
                                     }
                                     catch (const PayloadError& error)
                                     {
                                         GetTransport()->Reject(error.what());
                                     }
                                 });
}

} // namespace collab
} // namespace ns3
