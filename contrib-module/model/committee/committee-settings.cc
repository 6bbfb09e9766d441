/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-settings.h"

#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-wire-format.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::collab
{

TypeId
CommitteeSettings::AddSettings(TypeId type)
{
    using S = CommitteeSettings;
    type.AddAttribute("CommitteeSize",
                      "Members of the committee (C).",
                      UintegerValue(5),
                      MakeUintegerAccessor(&S::m_committeeSize),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("TrainingClients",
                      "Clients that train in a round (n).",
                      UintegerValue(10),
                      MakeUintegerAccessor(&S::m_trainingClients),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("Alpha",
                      "Part of the clients whose gradients are accepted [%]; see AlphaOf.",
                      DoubleValue(40),
                      MakeDoubleAccessor(&S::m_alpha),
                      MakeDoubleChecker<double>(1e-9, 100))
        .AddAttribute(
            "AlphaOf",
            "What Alpha is a part of: the training clients, or all active ones, members too.",
            compat::EnumAttribute(AlphaBase::TRAINING),
            compat::EnumAccessor(&S::m_alphaOf),
            compat::EnumChecker(AlphaBase::TRAINING, "Training", AlphaBase::ACTIVE, "Active"))
        .AddAttribute("Selection",
                      "Which gradients are accepted: those with the highest scores (I) or with the "
                      "lowest (II).",
                      compat::EnumAttribute(SelectionStrategy::SIMILAR),
                      compat::EnumAccessor(&S::m_selection),
                      compat::EnumChecker(
                          SelectionStrategy::SIMILAR, "I", SelectionStrategy::DIFFERENT, "II"))
        .AddAttribute("Election",
                      "Which training clients are the next committee, by their scores.",
                      compat::EnumAttribute(ElectionStrategy::MIDDLE),
                      compat::EnumAccessor(&S::m_election),
                      compat::EnumChecker(ElectionStrategy::MIDDLE,
                                          "Middle",
                                          ElectionStrategy::TOP,
                                          "Top",
                                          ElectionStrategy::RANDOM,
                                          "Random"))
        .AddAttribute("Combination",
                      "How the scores of members become one. Mean: the inverse of the mean squared "
                      "distance, which one member decides. Median: the lower median over all "
                      "members. ByRule: Mean with the quorum rule Paper, Median with Byzantine.",
                      compat::EnumAttribute(ScoreCombination::BY_RULE),
                      compat::EnumAccessor(&S::m_combination),
                      compat::EnumChecker(ScoreCombination::BY_RULE,
                                          "ByRule",
                                          ScoreCombination::MEAN,
                                          "Mean",
                                          ScoreCombination::MEDIAN,
                                          "Median"))
        .AddAttribute(
            "QuorumRule",
            "Paper: floor(C / 2) + 1 replicas convince the primary, and all others take its word. "
            "Byzantine: rounds end by blocks that ceil((C + f + 1) / 2) members have signed, f the "
            "most below C / 3.",
            compat::EnumAttribute(QuorumRule::PAPER),
            compat::EnumAccessor(&S::m_rule),
            compat::EnumChecker(QuorumRule::PAPER, "Paper", QuorumRule::BYZANTINE, "Byzantine"))
        .AddAttribute("PrimaryVotes",
                      "Paper: whether the primary's own vote counts.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&S::m_primaryVotes),
                      MakeBooleanChecker())
        .AddAttribute("MaxAttempts",
                      "Primaries of a vote before the round is abandoned; with the rule Byzantine "
                      "at least f + 1, for one of them is honest.",
                      UintegerValue(4),
                      MakeUintegerAccessor(&S::m_maxAttempts),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute(
            "GradientTimeout",
            "Longest time from a member's begin of a round to the end of its wait for gradients; "
            "with the rule Byzantine it waits once more if it has heard fewer than C + f clients.",
            TimeValue(Seconds(10)),
            MakeTimeAccessor(&S::m_gradientTimeout),
            MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("ScoreTimeout",
                      "Longest wait for the scores of other members.",
                      TimeValue(Seconds(2)),
                      MakeTimeAccessor(&S::m_scoreTimeout),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("AttemptTimeout",
                      "Patience with one primary, which has to aggregate too.",
                      TimeValue(Seconds(2)),
                      MakeTimeAccessor(&S::m_attemptTimeout),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("ModelTimeout",
                      "Time for one member to broadcast the new model.",
                      TimeValue(Seconds(5)),
                      MakeTimeAccessor(&S::m_modelTimeout),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("Patience",
                      "With the rule Byzantine: longest time without the end of a round, after "
                      "which the device stops; rounds end only by a quorum of the committee. 0 for "
                      "1 h, or twice the longest round that the timeouts allow, if that is longer.",
                      TimeValue(Time()),
                      MakeTimeAccessor(&S::m_patience),
                      MakeTimeChecker(Time()))
        .AddAttribute("LocalSteps",
                      "Steps of local SGD in a round (tau).",
                      UintegerValue(1),
                      MakeUintegerAccessor(&S::m_localSteps),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("LocalLearningRate",
                      "Learning rate of a local step (eta_i).",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&S::m_localRate),
                      MakeDoubleChecker<double>(1e-12))
        .AddAttribute("GlobalLearningRate",
                      "Learning rate of a round (eta).",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&S::m_globalRate),
                      MakeDoubleChecker<double>(1e-12))
        .AddAttribute("MaxSampleWeight",
                      "Largest weight of a gradient in the aggregate, as a multiple of the median "
                      "of the numbers of samples that the aggregated clients say to have; 0 for no "
                      "limit, as in the paper: a client's word decides then.",
                      DoubleValue(4),
                      MakeDoubleAccessor(&S::m_mostWeight),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("GradientMode",
                      "What is uploaded: the gradient of the last local step; the gradient after "
                      "all local steps, on one more batch, as Algorithm 1 prints it; or the change "
                      "of the weights over all local steps divided by the local learning rate.",
                      compat::EnumAttribute(GradientMode::LAST),
                      compat::EnumAccessor(&S::m_gradientMode),
                      compat::EnumChecker(GradientMode::LAST,
                                          "Last",
                                          GradientMode::PRINTED,
                                          "Printed",
                                          GradientMode::ACCUMULATED,
                                          "Accumulated"))
        .AddAttribute(
            "Upload",
            "How a gradient is sent: to one member after the other, or to all by one transmission.",
            compat::EnumAttribute(UploadMode::UNICAST),
            compat::EnumAccessor(&S::m_upload),
            compat::EnumChecker(
                UploadMode::UNICAST, "Unicast", UploadMode::BROADCAST, "Broadcast"));
    return AddAttack(AddRetries(AddLossPolicy(type, LossPolicy::RELIABLE), 5))
        .AddAttribute("Misbehavior",
                      "What the device does against the protocol when it is a member; see "
                      "ParseMisbehavior(). Empty: nothing.",
                      StringValue(""),
                      MakeStringAccessor(&S::SetMisbehavior, &S::GetMisbehavior),
                      MakeStringChecker())
        .AddAttribute("AttackedScores",
                      "Whether a device with a GradientAttack compares gradients, when it is a "
                      "member, with what it would upload; else with its own gradient.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&S::m_attackedScores),
                      MakeBooleanChecker());
}

void
CommitteeSettings::DoDispose()
{
    LearningApplication::DoDispose();
    m_conspiracy.reset();
}

uint64_t
CommitteeSettings::MakeSeed(uint64_t purpose, uint64_t number) const
{
    return SplitMix64(SplitMix64(SplitMix64(m_seed) + purpose) + number);
}

void
CommitteeSettings::SetMisbehavior(std::string specification)
{
    m_misbehavior = ReadAttribute("Misbehavior", specification, ParseMisbehavior);
    m_misbehaviorNames = std::move(specification);
}

NodeOptions
CommitteeSettings::MakeOptions() const
{
    const auto inNs = [](const Time& time) { return static_cast<uint64_t>(time.GetNanoSeconds()); };
    NodeOptions options;
    options.self = GetDeviceId();
    options.rounds = GetRounds();
    options.trainingClients = m_trainingClients;
    options.samples = GetSamples();
    options.gradientTimeoutNs = inNs(m_gradientTimeout);
    options.modelTimeoutNs = inNs(m_modelTimeout);
    options.patienceNs = inNs(m_patience);
    ChainOptions& federation = options.federation;
    federation.seed = m_seed;
    federation.rule = m_rule;
    federation.devices = m_devices;
    federation.committee =
        DrawDevices(m_devices, {}, m_committeeSize, MakeSeed(FIRST_COMMITTEE, 0));
    ConsensusOptions& voting = options.voting;
    voting.primaryVotes = m_primaryVotes;
    voting.maxAttempts = m_maxAttempts;
    voting.scoreTimeoutNs = inNs(m_scoreTimeout);
    voting.attemptTimeoutNs = inNs(m_attemptTimeout);
    voting.alphaPercent = m_alpha;
    voting.alphaOf = m_alphaOf;
    voting.selection = m_selection;
    voting.election = m_election;
    voting.combination = m_combination;
    return options;
}

Time
CommitteeSettings::GetComputingDuration() const
{
    const auto processor = GetNode()->GetObject<Processor>();
    return processor->GetDuration(GetLearner()->CountMostTrainFlops(MakeTask())) +
           processor->GetDuration(m_trainingClients * CountScoreFlops(CountElements())) +
           GetAggregatingDuration();
}

Time
CommitteeSettings::GetAggregatingDuration() const
{
    return GetNode()->GetObject<Processor>()->GetDuration(
        CountApplyFlops(CountElements(), m_trainingClients));
}

Time
CommitteeSettings::GetModelAirtime(uint32_t senders) const
{
    const uint64_t bytes = MessageHeader::SIZE + CountElements() * WIRE_WORD;
    return GetNode()->GetObject<Transport>()->GetContendedAirtime(bytes, senders);
}

TrainTask
CommitteeSettings::MakeTask() const
{
    TrainTask task;
    // nobody keeps the weights of a job, so that its gradient at w_tau is that of one more step
    task.steps = m_localSteps + (m_gradientMode == GradientMode::PRINTED ? 1 : 0);
    task.learningRate = m_localRate;
    task.returnsGradient = m_gradientMode != GradientMode::ACCUMULATED;
    return task;
}

} // namespace ns3::collab
