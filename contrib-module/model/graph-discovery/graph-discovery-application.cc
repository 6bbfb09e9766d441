/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-application.h"

#include "graph-discovery-payloads.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/graph-discovery-baselines.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("GraphDiscoveryApplication");
NS_OBJECT_ENSURE_REGISTERED(GraphDiscoveryApplication);

namespace
{

constexpr uint16_t REWARD = 706;      //!< kind of messages: rewards
constexpr uint32_t BITS_PER_BYTE = 8; //!< in a byte

/**
 * Operations of the draw by the policy and of the update, for each peer: exponential, sum and
 * division of (7), comparison with the draw, and the sum of a reward.
 */
constexpr uint64_t POLICY_FLOPS = 6;

} // namespace

TypeId
GraphDiscoveryApplication::GetTypeId()
{
    using App = GraphDiscoveryApplication;
    static TypeId tid =
        TypeId("ns3::collab::GraphDiscoveryApplication")
            .SetParent<DiscoveryGroupApplication>()
            .SetGroupName("Collab")
            .AddAttribute("Method",
                          "How devices choose from whom they get datapoints.",
                          compat::EnumAttribute(GraphMethod::LEARNED),
                          compat::EnumAccessor(&App::m_method),
                          compat::EnumChecker(GraphMethod::LEARNED,
                                              "Learned",
                                              GraphMethod::NONE,
                                              "None",
                                              GraphMethod::CLOSEST,
                                              "Closest",
                                              GraphMethod::MOST_TRUSTED,
                                              "MostTrusted",
                                              GraphMethod::UNIFORM,
                                              "Uniform",
                                              GraphMethod::GIVEN,
                                              "Given"))
            .AddAttribute("Iterations",
                          "Slots of learning in a pass.",
                          UintegerValue(5000),
                          MakeUintegerAccessor(&App::m_iterations),
                          MakeUintegerChecker<uint32_t>(1, 10000000))
            .AddAttribute("CountBits",
                          "Bits of a number of datapoints on the wire, 8 or 16. The same on all "
                          "devices.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&App::m_countBits),
                          MakeUintegerChecker<uint32_t>(8, 16))
            .AddAttribute("SlotMessages",
                          "Messages of one device, one after the other, for which each part of a "
                          "slot has time if its deadline is 0.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&App::m_slotMessages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GrantDeadline",
                          "How long grants may take; 0: see SlotMessages.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_grantDeadline),
                          MakeTimeChecker(Time()))
            .AddAttribute("RewardDeadline",
                          "How long computing and telling rewards may take; 0: see SlotMessages.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_rewardDeadline),
                          MakeTimeChecker(Time()))
            .AddAttribute("DiversityWeight",
                          "a1 of local rewards, (13) and (16).",
                          DoubleValue(RewardOptions().diversity),
                          MakeDoubleAccessor(&App::m_diversityWeight),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ReliabilityWeight",
                          "a2 of local rewards, (13) and (16).",
                          DoubleValue(RewardOptions().reliability),
                          MakeDoubleAccessor(&App::m_reliabilityWeight),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("BudgetWeight",
                          "a3 of global rewards, (14) and (17).",
                          DoubleValue(RewardOptions().budget),
                          MakeDoubleAccessor(&App::m_budgetWeight),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("Budget",
                          "B_k: datapoints from outside of a cluster.",
                          DoubleValue(RewardOptions().budgetPoints),
                          MakeDoubleAccessor(&App::m_budget),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("GlobalWeight",
                          "gamma: weight of the global reward.",
                          DoubleValue(RewardOptions().global),
                          MakeDoubleAccessor(&App::m_globalWeight),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("DividesByCluster",
                          "Whether (14) divides local rewards by the size of the cluster, not by "
                          "the number of devices, as printed.",
                          BooleanValue(RewardOptions().dividesByCluster),
                          MakeBooleanAccessor(&App::m_dividesByCluster),
                          MakeBooleanChecker())
            .AddAttribute(
                "BudgetCount",
                "What counts as datapoints from outside of a cluster: those that are "
                "granted, or that arrive.",
                compat::EnumAttribute(BudgetCount::REQUESTED),
                compat::EnumAccessor(&App::m_budgetCount),
                compat::EnumChecker(
                    BudgetCount::REQUESTED, "Requested", BudgetCount::RECEIVED, "Received"))
            .AddAttribute("EnforceBudget",
                          "Whether requests to devices outside of the cluster are cut to what is "
                          "left of its budget, as far as known; without learning nothing is, and "
                          "each device of a cluster has an equal share of its budget.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_enforcesBudget),
                          MakeBooleanChecker())
            .AddAttribute("ExpectedValueExchange",
                          "Whether rewards count (1 - P_D) of what is granted, as in the paper, or "
                          "a draw of what would arrive if it were sent once.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&App::m_isExpectedValue),
                          MakeBooleanChecker())
            .AddAttribute("Psi",
                          "Which rewards the policy is made of: those in the buffer of the same "
                          "state and peer, all in the buffer (as printed: does not learn), or all "
                          "so far of the same state and peer.",
                          compat::EnumAttribute(PsiRule::WINDOW),
                          compat::EnumAccessor(&App::m_psi),
                          compat::EnumChecker(PsiRule::WINDOW,
                                              "Window",
                                              PsiRule::PRINTED,
                                              "Printed",
                                              PsiRule::CUMULATIVE,
                                              "Cumulative"))
            .AddAttribute("Untried",
                          "What a peer counts with that was not tried: the buffer's mean, or 0.",
                          compat::EnumAttribute(UntriedRule::BUFFER_MEAN),
                          compat::EnumAccessor(&App::m_untried),
                          compat::EnumChecker(
                              UntriedRule::BUFFER_MEAN, "BufferMean", UntriedRule::ZERO, "Zero"))
            .AddAttribute(
                "BufferMean",
                "What the mean of a buffer is divided by that is not full: its entries, "
                "or its size, as printed.",
                compat::EnumAttribute(BufferMeanRule::ENTRIES),
                compat::EnumAccessor(&App::m_bufferMean),
                compat::EnumChecker(
                    BufferMeanRule::ENTRIES, "Entries", BufferMeanRule::PRINTED, "Printed"))
            .AddAttribute("Buffer",
                          "H: rewards in the buffer.",
                          UintegerValue(PolicyOptions().buffer),
                          MakeUintegerAccessor(&App::m_buffer),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Reduction",
                          "delta: part that is taken off rewards below the buffer's mean.",
                          DoubleValue(PolicyOptions().reduction),
                          MakeDoubleAccessor(&App::m_reduction),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("StateLevels",
                          "Levels of RSS that the policy tells apart; 1 for none.",
                          UintegerValue(PolicyOptions().levels),
                          MakeUintegerAccessor(&App::m_levelCount),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("State",
                          "What tells the rows of the policy's table apart: the level of the "
                          "peer's own RSS, or those of all peers together, as printed.",
                          compat::EnumAttribute(StateRule::LEVEL),
                          compat::EnumAccessor(&App::m_state),
                          compat::EnumChecker(StateRule::LEVEL, "Level", StateRule::JOINT, "Joint"))
            .AddAttribute("StateMinimum",
                          "RSS at the lower end of the lowest level [W].",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&App::m_stateMinimumW),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("StateMaximum",
                          "RSS at the upper end of the highest level [W].",
                          DoubleValue(0.55),
                          MakeDoubleAccessor(&App::m_stateMaximumW),
                          MakeDoubleChecker<double>(0.0))
            .AddTraceSource("Discovery",
                            "An iteration of learning is over.",
                            MakeTraceSourceAccessor(&App::m_discoveryTrace),
                            "ns3::collab::GraphDiscoveryApplication::DiscoveryTracedCallback")
            .AddTraceSource("Edge",
                            "A pass is over, and its edge known.",
                            MakeTraceSourceAccessor(&App::m_edgeTrace),
                            "ns3::collab::GraphDiscoveryApplication::EdgeTracedCallback");
    return tid;
}

GraphDiscoveryApplication::GraphDiscoveryApplication() = default;

void
GraphDiscoveryApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_policy.reset();
    DiscoveryGroupApplication::DoDispose();
}

void
GraphDiscoveryApplication::SetGivenPeers(std::vector<std::optional<uint32_t>> peers)
{
    m_givenPeers = std::move(peers);
}

bool
GraphDiscoveryApplication::Asks() const
{
    return m_method != GraphMethod::NONE;
}

bool
GraphDiscoveryApplication::IsLearned() const
{
    return m_method == GraphMethod::LEARNED;
}

uint32_t
GraphDiscoveryApplication::CountIterations() const
{
    return IsLearned() ? m_iterations : 0;
}

Time
GraphDiscoveryApplication::FindGrantEnd() const
{
    return GetAskDuration() +
           GetStage(m_grantDeadline, CountGrantBytes(), m_slotMessages, GetControlLossPolicy());
}

uint64_t
GraphDiscoveryApplication::CountSlotFlops(uint64_t samples) const
{
    return Asks() ? CountGainFlops(samples) + POLICY_FLOPS * CountDevices() : 0;
}

Time
GraphDiscoveryApplication::FindRewardEnd(bool shares) const
{
    if (!m_rewardDeadline.IsZero())
    {
        return FindGrantEnd() + m_rewardDeadline;
    }
    const Time computing = GetPlannedDuration(CountSlotFlops(GetPlannedSamples()));
    const LossPolicy policy = GetControlLossPolicy();
    // With ARQ a stage is twice as long; without, this leaves time for backoffs and for a header
    // each
    const uint32_t messages = policy == LossPolicy::RELIABLE ? 1 : SINGLE_MESSAGE;
    const uint64_t shared = shares ? CountSharedBytes() : 0;
    return FindGrantEnd() + computing +
           GetTellingStage(LinkRewardPayload::SIZE + shared, messages, policy);
}

Time
GraphDiscoveryApplication::FindSlotDuration(bool shares) const
{
    return FindRewardEnd(shares) + GetPlannedDuration(CountGlobalFlops(shares));
}

Time
GraphDiscoveryApplication::GetSlotDuration() const
{
    return FindSlotDuration(true);
}

Time
GraphDiscoveryApplication::AddSlots(uint32_t slots, Time sharing, Time quiet) const
{
    const auto period = int64_t{GetSharePeriod()};
    const int64_t shared = (slots + period - 1) / period;
    return sharing * shared + quiet * (slots - shared);
}

bool
GraphDiscoveryApplication::Shares(uint32_t iteration) const
{
    return iteration % GetSharePeriod() == 0;
}

Time
GraphDiscoveryApplication::GetPassBegin(uint32_t pass) const
{
    return pass == 0 ? Time()
                     : GetPassDuration(0) + GetPassDuration(1) * static_cast<int64_t>(pass - 1);
}

Time
GraphDiscoveryApplication::GetSlotsBegin(uint32_t pass) const
{
    return GetSetupDuration(GetNeeds(), pass) + GetOwnSetupDuration(pass);
}

Time
GraphDiscoveryApplication::GetFinalSlotBegin(uint32_t pass) const
{
    return GetSlotsBegin(pass) +
           AddSlots(CountIterations(), FindSlotDuration(true), FindSlotDuration(false));
}

Time
GraphDiscoveryApplication::GetDataBegin(uint32_t pass) const
{
    // Nothing global is computed in the final slot
    return GetFinalSlotBegin(pass) + FindRewardEnd(Shares(CountIterations()));
}

Time
GraphDiscoveryApplication::GetPassDuration(uint32_t pass) const
{
    return GetDataBegin(pass) + GetExchangeDuration();
}

Time
GraphDiscoveryApplication::GetDuration() const
{
    return GetPassBegin(GetRounds());
}

void
GraphDiscoveryApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    DiscoveryGroupApplication::DoStart();
    NS_ABORT_MSG_UNLESS(m_countBits % BITS_PER_BYTE == 0,
                        "GraphDiscoveryApplication: CountBits is " << m_countBits
                                                                   << ", expected 8 or 16");
    NS_ABORT_MSG_UNLESS(m_levelCount == 1 || m_stateMinimumW < m_stateMaximumW,
                        "GraphDiscoveryApplication: StateMinimum is "
                            << m_stateMinimumW << " W, expected less than StateMaximum, "
                            << m_stateMaximumW << " W");
    m_known.assign(CountDevices(), Member());
    m_excluded.assign(CountDevices(), 0);
    m_excluded[GetOwnIndex()] = 1;
    m_start = Simulator::Now();
    m_askDuration = GetAskDuration();
    m_grantEnd = FindGrantEnd();
    m_sharingEnd = FindRewardEnd(true);
    m_quietEnd = FindRewardEnd(false);
    m_sharingDuration = FindSlotDuration(true);
    m_quietDuration = FindSlotDuration(false);
    RegisterControl(
        REWARD,
        "reward",
        &LinkRewardPayload::Parse,
        [this](uint32_t sender, const Message& message) { HandleReward(sender, message); });
}

void
GraphDiscoveryApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_isInSlot = false;
    DiscoveryGroupApplication::DoHalt();
}

void
GraphDiscoveryApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_edge = EdgeRecord();
    m_edge.round = GetRound();
    m_edge.device = GetDeviceId();
    m_iteration = 0;
    m_rewardSum = 0;
    m_localSum = 0;
    m_learned = 0;
    m_grants = 0;
    m_known.assign(CountDevices(), Member());
    const Time begin = m_start + GetPassBegin(GetRound());
    m_event = Simulator::Schedule(
        std::max(Time(), begin - Simulator::Now()), &GraphDiscoveryApplication::BeginPass, this);
}

void
GraphDiscoveryApplication::BeginPass()
{
    EnterPhase("setup");
    // On a device that is late too
    m_slotsBegin = m_start + GetPassBegin(GetRound()) + GetSlotsBegin(GetRound());
    BeginSetup(GetNeeds(), [this]() { SetUp([this]() { EndSetup(); }); });
}

void
GraphDiscoveryApplication::EndSetup()
{
    NS_LOG_FUNCTION(this);
    m_edge.before = CountPartitions();
    MakePolicy();
    ScheduleSlot(0);
}

void
GraphDiscoveryApplication::MakePolicy()
{
    PolicyOptions options;
    options.psi = m_psi;
    options.untried = m_untried;
    options.bufferMean = m_bufferMean;
    options.state = m_state;
    options.buffer = m_buffer;
    options.reduction = m_reduction;
    options.levels = m_levelCount;
    m_policy = std::make_unique<GraphDiscoveryPolicy>(CountDevices(), options);
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        if (m_excluded[peer] || !GetTransport()->GetLinkQuality(GetDevices()[peer]))
        {
            m_policy->Mask(peer);
        }
    }
}

std::vector<uint32_t>
GraphDiscoveryApplication::GetLevels() const
{
    std::vector<uint32_t> levels;
    if (m_levelCount == 1)
    {
        return levels;
    }
    levels.resize(CountDevices());
    const double width = (m_stateMaximumW - m_stateMinimumW) / m_levelCount;
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        const auto quality = peer == GetOwnIndex()
                                 ? std::nullopt
                                 : GetTransport()->GetLinkQuality(GetDevices()[peer]);
        const double cell = quality ? (quality->rssW - m_stateMinimumW) / width : 0.0;
        levels[peer] = static_cast<uint32_t>(std::clamp(cell, 0.0, m_levelCount - 1.0));
    }
    return levels;
}

std::vector<double>
GraphDiscoveryApplication::GetOutages() const
{
    std::vector<double> outages(CountDevices(), 1.0);
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        if (peer != GetOwnIndex())
        {
            outages[peer] = GetOutage(peer);
        }
    }
    return outages;
}

uint32_t
GraphDiscoveryApplication::ChooseFinal()
{
    std::vector<uint8_t> excluded(CountDevices());
    for (uint32_t peer = 0; peer < CountDevices(); ++peer)
    {
        excluded[peer] = m_policy->IsMasked(peer) ? 1 : 0;
    }
    switch (m_method)
    {
    case GraphMethod::LEARNED:
        return m_policy->GetBest(m_levels);
    case GraphMethod::CLOSEST:
        return ChooseClosest(GetOutages(), excluded);
    case GraphMethod::MOST_TRUSTED:
        return ChooseMostTrusted(GetTrustedWith(), GetOutages(), excluded);
    case GraphMethod::UNIFORM:
        return ChooseUniform(excluded, GetGenerator());
    case GraphMethod::GIVEN:
    {
        const auto given =
            GetRound() < m_givenPeers.size() ? m_givenPeers[GetRound()] : std::nullopt;
        const uint32_t peer = given ? FindIndex(*given) : NOBODY;
        return peer == NOBODY || excluded[peer] ? NOBODY : peer;
    }
    case GraphMethod::NONE:
        break;
    }
    return NOBODY;
}

void
GraphDiscoveryApplication::ScheduleSlot(uint32_t least)
{
    const auto find = [this](uint32_t slot) {
        return m_slotsBegin + AddSlots(slot, m_sharingDuration, m_quietDuration);
    };
    m_iteration = std::min(least, CountIterations());
    // The next one that has not begun; but a device that is late is late for the final one too
    while (m_iteration < CountIterations() && find(m_iteration) < Simulator::Now())
    {
        ++m_iteration;
    }
    m_slotBegin = find(m_iteration);
    if (m_slotBegin <= Simulator::Now())
    {
        BeginSlot();
        return;
    }
    m_event = Simulator::Schedule(
        m_slotBegin - Simulator::Now(), &GraphDiscoveryApplication::BeginSlot, this);
}

void
GraphDiscoveryApplication::ScheduleAt(Time offset, void (GraphDiscoveryApplication::*next)())
{
    m_event =
        Simulator::Schedule(std::max(Time(), m_slotBegin + offset - Simulator::Now()), next, this);
}

void
GraphDiscoveryApplication::BeginSlot()
{
    if (IsFinalSlot())
    {
        EnterPhase("exchange");
    }
    else if (m_learned == 0)
    {
        EnterPhase("discovery");
    }
    m_rewardEnd = Shares(m_iteration) ? m_sharingEnd : m_quietEnd;
    m_isInSlot = true;
    m_isComputing = false;
    m_isTimeOver = false;
    m_gain = Gain();
    m_levels = GetLevels();
    m_link = Link();
    m_link.peer = IsFinalSlot() ? ChooseFinal() : m_policy->Draw(m_levels, GetGenerator());
    ClearSlot();
    ScheduleAt(m_askDuration, &GraphDiscoveryApplication::EndAsking);
    if (m_link.peer != NOBODY)
    {
        m_link.outage = GetOutage(m_link.peer);
        Ask(m_link.peer);
    }
}

void
GraphDiscoveryApplication::EndAsking()
{
    ScheduleAt(m_grantEnd, &GraphDiscoveryApplication::EndGranting);
    Grant();
}

void
GraphDiscoveryApplication::EndGranting()
{
    ScheduleAt(m_rewardEnd, &GraphDiscoveryApplication::EndSlot);
    m_isComputing = true;
    auto gain = std::make_shared<Gain>();
    RunJob(
        CountSlotFlops(GetHoldings().GetSize()),
        [gain, compute = PrepareGain(m_link)]() { *gain = compute(); },
        [this, gain]() { TakeGain(*gain); },
        IsGainLight());
}

void
GraphDiscoveryApplication::TakeGain(const Gain& gain)
{
    m_isComputing = false;
    m_gain = gain;
    m_localReward = GetLocalReward(gain.score, m_link.outage, GetRewardOptions());
    const bool isOutside = m_link.peer != NOBODY && !IsMember(m_link.peer);
    const double counted = m_budgetCount == BudgetCount::REQUESTED
                               ? static_cast<double>(gain.points)
                               : std::round(gain.received);
    m_points = isOutside ? static_cast<uint32_t>(counted) : 0;
    if (!m_isTimeOver && !IsFinalSlot())
    {
        if (!GetMembers().empty())
        {
            SendOptions options;
            options.priority = CONTROL_PRIORITY;
            options.deadline = m_slotBegin + m_rewardEnd;
            GetTransport()->Multicast(GetMemberGroup(),
                                      {REWARD,
                                       GetSlot(),
                                       std::make_shared<const LinkRewardPayload>(
                                           static_cast<float>(m_localReward), m_points)},
                                      options);
        }
        if (Shares(m_iteration))
        {
            ShareGain();
        }
    }
    if (m_isTimeOver)
    {
        ContinueSlot();
    }
}

void
GraphDiscoveryApplication::ShareGain()
{
}

uint32_t
GraphDiscoveryApplication::GetSharePeriod() const
{
    return 1;
}

uint64_t
GraphDiscoveryApplication::CountSharedBytes() const
{
    return 0;
}

DiscoveryGroupApplication::SetupNeeds
GraphDiscoveryApplication::GetMethodNeeds() const
{
    SetupNeeds needs;
    needs.links = Asks();
    needs.clusters = IsLearned() || (Asks() && m_enforcesBudget);
    needs.trust = m_method == GraphMethod::MOST_TRUSTED;
    return needs;
}

void
GraphDiscoveryApplication::HandleReward(uint32_t sender, const Message& message)
{
    if (!IsInTime(message, m_rewardEnd) || !IsMember(sender))
    {
        return;
    }
    const auto& payload = ReadPayload<LinkRewardPayload>(message);
    if (!std::isfinite(payload.GetReward()))
    {
        throw PayloadError("a reward that is not finite");
    }
    m_known[sender] = {payload.GetReward(), payload.GetPoints()};
}

void
GraphDiscoveryApplication::EndSlot()
{
    m_isTimeOver = true;
    if (!m_isComputing)
    {
        ContinueSlot();
    }
}

void
GraphDiscoveryApplication::ContinueSlot()
{
    m_isInSlot = false;
    if (IsFinalSlot())
    {
        BeginData();
        return;
    }
    const uint64_t flops = CountGlobalFlops(Shares(m_iteration));
    if (flops == 0)
    {
        ConcludeSlot();
        return;
    }
    RunJob(flops, PrepareGlobal(), [this]() { ConcludeSlot(); });
}

uint64_t
GraphDiscoveryApplication::CountGlobalFlops(bool) const
{
    return 0;
}

std::function<void()>
GraphDiscoveryApplication::PrepareGlobal()
{
    return []() {};
}

void
GraphDiscoveryApplication::ConcludeSlot()
{
    if (m_link.peer != NOBODY)
    {
        Learn();
    }
    ScheduleSlot(m_iteration + 1);
}

void
GraphDiscoveryApplication::Learn()
{
    uint64_t points = m_points;
    for (const uint32_t member : GetMembers())
    {
        points += m_known[member].points;
    }
    const double global = GetGlobalReward(m_localReward, points);
    const double reward = m_localReward + m_globalWeight * global;
    m_policy->Learn(m_levels, m_link.peer, reward);
    m_rewardSum += reward;
    m_localSum += m_localReward;
    ++m_learned;
    m_grants += m_gain.granted ? 1 : 0;
    CountMessages(m_gain.granted ? 1 : 0, 1);
    m_discoveryTrace({GetRound(),
                      m_iteration,
                      GetDeviceId(),
                      GetDevices()[m_link.peer],
                      m_link.outage,
                      m_gain.granted,
                      m_gain.score,
                      m_localReward,
                      global,
                      reward});
}

void
GraphDiscoveryApplication::BeginData()
{
    m_edge.outage = m_link.outage;
    m_edge.score = m_gain.score;
    m_edge.localReward = m_localReward;
    m_edge.granted = m_gain.points;
    std::optional<uint32_t> transmitter;
    if (m_link.peer != NOBODY)
    {
        transmitter = GetDevices()[m_link.peer];
        m_edge.peer = transmitter;
        m_edge.probability = IsLearned() ? m_policy->GetProbabilities(m_levels)[m_link.peer] : 1.0;
        m_excluded[m_link.peer] = 1;
    }
    BeginExchange(
        GetGifts(), transmitter, GetMostFrom(), m_slotBegin + m_rewardEnd, [this]() { EndPass(); });
}

void
GraphDiscoveryApplication::EndPass()
{
    NS_LOG_FUNCTION(this);
    m_edge.taken = GetTaken();
    m_edge.sent = GetSent();
    m_edge.putBack = GetPutBack();
    m_edge.samples = GetHoldings().GetSize();
    m_edgeTrace(m_edge);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto mean = [this, nan](double sum) {
        return m_learned > 0 ? sum / static_cast<double>(m_learned) : nan;
    };
    std::vector<double> values = {mean(m_localSum),
                                  mean(m_rewardSum),
                                  mean(static_cast<double>(m_grants)),
                                  m_edge.localReward,
                                  m_edge.score,
                                  m_edge.outage,
                                  static_cast<double>(m_edge.granted),
                                  static_cast<double>(m_edge.taken),
                                  static_cast<double>(m_edge.sent),
                                  static_cast<double>(m_edge.samples)};
    std::vector<std::pair<std::string, double>> metrics;
    for (const auto& metric : GetMetrics())
    {
        metrics.emplace_back(metric.name, values[metrics.size()]);
    }
    EndRound(std::move(metrics));
}

std::vector<Metric>
GraphDiscoveryApplication::GetMetrics() const
{
    return {{"mean_local_reward", "", "rL over the iterations of learning"},
            {"mean_reward", "", "R over the iterations of learning"},
            {"grant_rate", "1", "part of the iterations of learning in which a grant came"},
            {"local_reward", "", "rL of the final graph, as expected from its grants"},
            {"diversity", "", "g, or the sum of traces' ratios, of the final graph"},
            {"outage", "1", "P_D of the edge"},
            {"granted", "", "datapoints of the grant that came; 0 if it was lost"},
            {"received", "", "datapoints that came"},
            {"given", "", "datapoints sent to others"},
            {"samples", "", "datapoints that the device has then"}};
}

uint32_t
GraphDiscoveryApplication::GetCountBytes() const
{
    return m_countBits / BITS_PER_BYTE;
}

uint32_t
GraphDiscoveryApplication::GetGreatestCount() const
{
    return (1U << m_countBits) - 1;
}

uint32_t
GraphDiscoveryApplication::GetSlotMessages() const
{
    return m_slotMessages;
}

RewardOptions
GraphDiscoveryApplication::GetRewardOptions() const
{
    RewardOptions options;
    options.diversity = m_diversityWeight;
    options.reliability = m_reliabilityWeight;
    options.budget = m_budgetWeight;
    options.budgetPoints = m_budget;
    options.global = m_globalWeight;
    options.dividesByCluster = m_dividesByCluster;
    return options;
}

std::vector<double>
GraphDiscoveryApplication::GetClusterRewards(double own) const
{
    std::vector<double> rewards = {own};
    for (const uint32_t member : GetMembers())
    {
        rewards.push_back(m_known[member].reward);
    }
    return rewards;
}

uint64_t
GraphDiscoveryApplication::GetRequestLimit(uint32_t peer) const
{
    if (!m_enforcesBudget || IsMember(peer))
    {
        return UINT64_MAX;
    }
    double left = m_budget;
    if (!IsLearned())
    {
        // Nobody tells what it draws: each device of the cluster has its share
        left /= static_cast<double>(GetMembers().size() + 1);
    }
    for (const uint32_t member : GetMembers())
    {
        left -= m_known[member].points;
    }
    return static_cast<uint64_t>(std::max(0.0, left));
}

double
GraphDiscoveryApplication::GetArriving(uint32_t granted,
                                       double outage,
                                       RandomGenerator& generator) const
{
    if (m_isExpectedValue)
    {
        return (1 - outage) * granted;
    }
    return boost::random::binomial_distribution<int64_t, double>(granted, 1 - outage)(generator);
}

uint32_t
GraphDiscoveryApplication::GetSlot() const
{
    return GetRound() * (CountIterations() + 1) + m_iteration;
}

Time
GraphDiscoveryApplication::GetSlotBegin() const
{
    return m_slotBegin;
}

const GraphDiscoveryApplication::Link&
GraphDiscoveryApplication::GetLink() const
{
    return m_link;
}

bool
GraphDiscoveryApplication::IsFinalSlot() const
{
    return m_iteration == CountIterations();
}

Time
GraphDiscoveryApplication::GetGrantEnd() const
{
    return m_grantEnd;
}

Time
GraphDiscoveryApplication::GetRewardEnd() const
{
    return m_rewardEnd;
}

bool
GraphDiscoveryApplication::IsInTime(const Message& message, Time deadline) const
{
    return m_isInSlot && message.round == GetSlot() && Simulator::Now() <= m_slotBegin + deadline;
}

} // namespace collab
} // namespace ns3
