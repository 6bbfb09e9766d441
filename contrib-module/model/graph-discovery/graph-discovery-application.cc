/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-application.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("GraphDiscoveryApplication");
NS_OBJECT_ENSURE_REGISTERED(GraphDiscoveryApplication);

namespace
{

constexpr uint32_t BITS_PER_BYTE = 8; //!< in a byte

/// Operations of the draw by the policy and of the update, for each peer: exponential, sum and
/// division of (7), comparison with the draw, and the sum of a reward.
constexpr uint64_t POLICY_FLOPS = 6;

} // namespace

double
PassMetrics::GetMean(double sum) const
{
    return learned > 0 ? sum / static_cast<double>(learned)
                       : std::numeric_limits<double>::quiet_NaN();
}

Columns<PassMetrics>
PassMetrics::GetColumns()
{
    const auto edge = [](auto EdgeRecord::*member) {
        return [member](const PassMetrics& m) { return m.edge.*member; };
    };
    return {{"mean_local_reward",
             "",
             "rL over the iterations of learning",
             [](const PassMetrics& m) { return m.GetMean(m.localSum); }},
            {"mean_reward",
             "",
             "R over the iterations of learning",
             [](const PassMetrics& m) { return m.GetMean(m.rewardSum); }},
            {"grant_rate",
             "1",
             "part of the iterations of learning in which a grant came",
             [](const PassMetrics& m) { return m.GetMean(static_cast<double>(m.grants)); }},
            {"local_reward",
             "",
             "rL of the final graph, as expected from its grants",
             edge(&EdgeRecord::localReward)},
            {"diversity",
             "",
             "g, or the sum of traces' ratios, of the final graph",
             edge(&EdgeRecord::score)},
            {"outage", "1", "P_D of the edge", edge(&EdgeRecord::outage)},
            {"granted",
             "",
             "datapoints of the grant that came; 0 if it was lost",
             edge(&EdgeRecord::granted)},
            {"received", "", "datapoints that came", edge(&EdgeRecord::taken)},
            {"given", "", "datapoints sent to others", edge(&EdgeRecord::sent)},
            {"samples", "", "datapoints that the device has then", edge(&EdgeRecord::samples)}};
}

TypeId
GraphDiscoveryApplication::GetTypeId()
{
    using App = GraphDiscoveryApplication;
    const auto addSlots = [](TypeId type) {
        return type
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
                          MakeTimeChecker(Time()));
    };
    static TypeId tid =
        AddPolicy(AddRewards(addSlots(AddMethod(TypeId("ns3::collab::GraphDiscoveryApplication")
                                                    .SetParent<DiscoveryGroupApplication>()
                                                    .SetGroupName("Collab")))))
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

uint64_t
GraphDiscoveryApplication::CountSlotFlops(uint64_t samples) const
{
    return Asks() ? CountGainFlops(samples) + POLICY_FLOPS * CountDevices() : 0;
}

PassPlan
GraphDiscoveryApplication::GetPlan() const
{
    const SlowestDevice slowest = GetSlowest();
    const LossPolicy policy = GetControlLossPolicy();
    PassPlan plan;
    plan.firstSetup = GetSetupDuration(0) + GetOwnSetupDuration(0);
    plan.laterSetup = GetSetupDuration(1) + GetOwnSetupDuration(1);
    plan.iterations = IsLearned() ? m_iterations : 0;
    plan.period = GetSharePeriod();
    plan.askEnd = GetAskDuration();
    plan.grantEnd =
        plan.askEnd + slowest.GetStage(m_grantDeadline, CountGrantBytes(), m_slotMessages, policy);
    // With ARQ a stage is twice as long; without, this leaves time for backoffs and for a header
    // each
    const uint32_t messages = policy == LossPolicy::RELIABLE ? 1 : SlowestDevice::SINGLE_MESSAGE;
    const auto findEnd = [&](uint64_t shared) {
        const Time usual = slowest.GetComputing(CountSlotFlops(GetPlannedSamples())) +
                           slowest.GetTellingStage(LinkReward::SIZE + shared, messages, policy);
        return plan.grantEnd + (m_rewardDeadline.IsZero() ? usual : m_rewardDeadline);
    };
    plan.sharingEnd = findEnd(CountSharedBytes());
    plan.quietEnd = findEnd(0);
    plan.sharingSlot = plan.sharingEnd + slowest.GetComputing(CountGlobalFlops(true));
    plan.quietSlot = plan.quietEnd + slowest.GetComputing(CountGlobalFlops(false));
    plan.exchange = GetExchangeDuration();
    return plan;
}

void
GraphDiscoveryApplication::DoStart()
{
    DiscoveryChoiceApplication::DoStart();
    NS_ABORT_MSG_UNLESS(m_countBits % BITS_PER_BYTE == 0,
                        "GraphDiscoveryApplication: CountBits is " << m_countBits
                                                                   << ", expected 8 or 16");
    m_plan = GetPlan();
    OnControl<LinkReward>([this](uint32_t sender, const auto& message) {
        if (IsInTime(message.round, GetRewardEnd()) && IsMember(sender))
        {
            SetKnown(sender, message->reward, message->points);
        }
    });
}

void
GraphDiscoveryApplication::DoResume()
{
    DiscoveryChoiceApplication::DoResume();
    m_isInSlot = false;
}

std::optional<uint32_t>
GraphDiscoveryApplication::FindPresentRound() const
{
    uint32_t pass = 0;
    while (GetStart() + m_plan.GetPassBegin(pass + 1) <= Simulator::Now() && pass < GetRounds())
    {
        ++pass;
    }
    return pass; // that others are in by their clocks
}

Process
GraphDiscoveryApplication::Round() // a pass: one more incoming edge of each device
{
    m_metrics = PassMetrics();
    ForgetRewards();
    const Time begin = GetStart() + m_plan.GetPassBegin(GetRound());
    co_await Delay(std::max(Time(), begin - Simulator::Now()));

    EnterPhase("setup");
    co_await SetUpGroup();
    co_await SetUp();
    m_held = GetHoldings().Count();
    MakePolicy();

    const Time slots = begin + m_plan.GetSlotsBegin(GetRound());
    for (m_iteration = 0; m_iteration <= m_plan.iterations; ++m_iteration)
    {
        // Slots that have begun are left out; but a device that is late is late for the final one
        while (!IsFinalSlot() && slots + m_plan.GetSlotBegin(m_iteration) < Simulator::Now())
        {
            ++m_iteration;
        }
        m_slotBegin = slots + m_plan.GetSlotBegin(m_iteration);
        if (m_slotBegin > Simulator::Now())
        {
            co_await Delay(m_slotBegin - Simulator::Now());
        }
        if (IsFinalSlot())
        {
            break;
        }
        if (m_metrics.learned == 0)
        {
            EnterPhase("discovery");
        }
        co_await Slot();
        co_await JudgeAll();
        Learn();
    }

    EnterPhase("exchange");
    co_await Slot();
    const auto transmitter = TakeEdge();
    co_await Exchange(m_gifts, transmitter, GetMostFrom(), m_slotBegin + GetRewardEnd());
    EdgeRecord& edge = m_metrics.edge;
    edge.taken = GetTaken();
    edge.sent = GetSent();
    edge.putBack = GetPutBack();
    edge.samples = GetHoldings().GetSize();
    m_edgeTrace(edge);
    Report(m_metrics);
}

Process
GraphDiscoveryApplication::Slot() // Algorithm 1 or 2: a subclass asks, grants and finds the gain
{
    m_isInSlot = true;
    m_gain = Gain();
    m_link = Link();
    m_link.peer = IsFinalSlot() ? ChooseFinal() : DrawPeer();
    ClearSlot();
    Alarm asked(m_slotBegin + m_plan.askEnd - Simulator::Now());
    if (m_link.peer != NOBODY)
    {
        m_link.outage = GetOutage(m_link.peer);
        Ask(m_link.peer);
    }
    co_await asked;
    Alarm granted(m_slotBegin + m_plan.grantEnd - Simulator::Now());
    m_gifts = Grant();
    co_await granted;
    Alarm rewarded(m_slotBegin + GetRewardEnd() - Simulator::Now());
    m_gain = co_await FindGain(m_link);
    Reward();
    if (!rewarded.IsOver() && !IsFinalSlot())
    {
        TellReward();
        if (SharesNow())
        {
            ShareGain();
        }
    }
    co_await rewarded;
    m_isInSlot = false;
}

void
GraphDiscoveryApplication::Reward()
{
    m_localReward = GetLocalReward(m_gain.score, m_link.outage, GetRewardOptions());
    const bool isOutside = m_link.peer != NOBODY && !IsMember(m_link.peer);
    m_points = isOutside ? static_cast<uint32_t>(m_gain.points) : 0;
}

void
GraphDiscoveryApplication::TellReward()
{
    if (!GetMembers().empty())
    {
        const auto points = static_cast<uint16_t>(std::min<uint32_t>(m_points, UINT16_MAX));
        Multicast(GetMemberGroup(),
                  Pack(LinkReward{static_cast<float>(m_localReward), points}),
                  MakeControlOptions(m_slotBegin + GetRewardEnd(), LossPolicy::BEST_EFFORT),
                  GetSlot());
    }
}

Process
GraphDiscoveryApplication::JudgeAll()
{
    co_return;
}

void
GraphDiscoveryApplication::Learn()
{
    if (m_link.peer == NOBODY)
    {
        return;
    }
    const double global = GetGlobalReward(m_localReward, m_points + CountKnownPoints());
    const double reward = m_localReward + GetRewardOptions().global * global;
    LearnPeer(m_link.peer, reward);
    m_metrics.rewardSum += reward;
    m_metrics.localSum += m_localReward;
    ++m_metrics.learned;
    m_metrics.grants += m_gain.granted ? 1 : 0;
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

std::optional<uint32_t>
GraphDiscoveryApplication::TakeEdge()
{
    EdgeRecord& edge = m_metrics.edge;
    edge.round = GetRound();
    edge.device = GetDeviceId();
    edge.before = m_held;
    edge.outage = m_link.outage;
    edge.score = m_gain.score;
    edge.localReward = m_localReward;
    edge.granted = m_gain.points;
    if (m_link.peer != NOBODY)
    {
        edge.peer = GetDevices()[m_link.peer];
        edge.probability = GetProbability(m_link.peer);
        Exclude(m_link.peer);
    }
    return edge.peer;
}

std::vector<Metric>
GraphDiscoveryApplication::GetMetrics() const
{
    return DescribeMetrics<PassMetrics>();
}

uint32_t
GraphDiscoveryApplication::GetSlot() const
{
    return GetRound() * (m_plan.iterations + 1) + m_iteration;
}

bool
GraphDiscoveryApplication::IsInTime(uint32_t slot, Time deadline) const
{
    return m_isInSlot && slot == GetSlot() && Simulator::Now() <= m_slotBegin + deadline;
}

} // namespace ns3::collab
