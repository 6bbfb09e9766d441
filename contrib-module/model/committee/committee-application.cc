/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/collab-wire-format.h"
#include "ns3/committee-saboteur.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <fmt/format.h>
#include <limits>
#include <tuple>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("CommitteeApplication");
NS_OBJECT_ENSURE_REGISTERED(CommitteeApplication);

namespace
{

/// Priorities of messages: votes leave the queue first
constexpr uint8_t VOTE_PRIORITY = 2;
constexpr uint8_t MODEL_PRIORITY = 1; //!< see VOTE_PRIORITY

constexpr const char* UPLOAD = "upload"; //!< the phase in which a client sends its gradient

/// Purposes of seeds that are drawn from the shared one
constexpr uint64_t FIRST_COMMITTEE = 1;
constexpr uint64_t ATTACK = 3;      //!< see FIRST_COMMITTEE
constexpr uint64_t BEHAVIOR = 4;    //!< see FIRST_COMMITTEE
constexpr uint64_t DELAYS = 5;      //!< see FIRST_COMMITTEE
constexpr uint64_t DISTURBANCE = 6; //!< see FIRST_COMMITTEE

/**
 * @param seed of the run
 * @param purpose what is drawn
 * @param number of the round, or of the device
 * @return a seed of its own
 */
uint64_t
MakeSeed(uint64_t seed, uint64_t purpose, uint64_t number)
{
    return SplitMix64(SplitMix64(SplitMix64(seed) + purpose) + number);
}

/**
 * @param model w
 * @param gradients of the aggregation set
 * @param rate eta
 * @param mostWeight see LimitSampleWeights()
 * @return the new model
 */
std::vector<float>
ApplyAll(const std::vector<float>& model,
         const std::vector<std::shared_ptr<const SignedGradient>>& gradients,
         double rate,
         double mostWeight)
{
    std::vector<const float*> rows;
    std::vector<double> samples;
    for (const auto& gradient : gradients)
    {
        rows.push_back(gradient->values->data());
        samples.push_back(gradient->samples);
    }
    const auto weights = LimitSampleWeights(std::move(samples), mostWeight);
    return ApplyGradients(model, VectorStack(rows, model.size()), weights, rate);
}

/**
 * @param message any
 * @return its priority
 */
uint8_t
PriorityOf(const CommitteeMessage& message)
{
    return message.gradient ? 0 : message.model ? MODEL_PRIORITY : VOTE_PRIORITY;
}

/**
 * @param message any
 * @param present round of the device
 * @return the round that it is of; of a model the one that begins
 */
uint32_t
RoundOf(const CommitteeMessage& message, uint32_t present)
{
    return message.gradient    ? message.gradient->round
           : message.model     ? message.model->certified.block.round + 1
           : message.consensus ? message.consensus->round
                               : present;
}

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "accuracy of the round's model; nan if the device was idle"},
     &collab::Score::accuracy},
    {{"loss", "nat", "cross-entropy of the round's model; nan if the device was idle"},
     &collab::Score::loss}};

} // namespace

TypeId
CommitteeApplication::GetTypeId()
{
    using App = CommitteeApplication;
    static TypeId tid =
        TypeId("ns3::collab::CommitteeApplication")
            .SetParent<CollaborationApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("CommitteeSize",
                          "Members of the committee (C).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_committeeSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("TrainingClients",
                          "Clients that train in a round (n).",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_trainingClients),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Alpha",
                          "Part of the clients whose gradients are accepted [%]; see AlphaOf.",
                          DoubleValue(40),
                          MakeDoubleAccessor(&App::m_alpha),
                          MakeDoubleChecker<double>(1e-9, 100))
            .AddAttribute(
                "AlphaOf",
                "What Alpha is a part of: the training clients, or all active ones, members too.",
                compat::EnumAttribute(AlphaBase::TRAINING),
                compat::EnumAccessor(&App::m_alphaOf),
                compat::EnumChecker(AlphaBase::TRAINING, "Training", AlphaBase::ACTIVE, "Active"))
            .AddAttribute("Selection",
                          "Which gradients are accepted: those with the highest scores (I) or with "
                          "the lowest (II).",
                          compat::EnumAttribute(SelectionStrategy::SIMILAR),
                          compat::EnumAccessor(&App::m_selection),
                          compat::EnumChecker(
                              SelectionStrategy::SIMILAR, "I", SelectionStrategy::DIFFERENT, "II"))
            .AddAttribute("Election",
                          "Which training clients are the next committee, by their scores.",
                          compat::EnumAttribute(ElectionStrategy::MIDDLE),
                          compat::EnumAccessor(&App::m_election),
                          compat::EnumChecker(ElectionStrategy::MIDDLE,
                                              "Middle",
                                              ElectionStrategy::TOP,
                                              "Top",
                                              ElectionStrategy::RANDOM,
                                              "Random"))
            .AddAttribute(
                "QuorumRule",
                "Paper: floor(C / 2) + 1 replicas convince the primary, and all others take its "
                "word. Byzantine: rounds end by blocks that ceil((C + f + 1) / 2) members have "
                "signed, f the most below C / 3.",
                compat::EnumAttribute(QuorumRule::PAPER),
                compat::EnumAccessor(&App::m_rule),
                compat::EnumChecker(QuorumRule::PAPER, "Paper", QuorumRule::BYZANTINE, "Byzantine"))
            .AddAttribute("PrimaryVotes",
                          "Paper: whether the primary's own vote counts.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_primaryVotes),
                          MakeBooleanChecker())
            .AddAttribute("MaxAttempts",
                          "Primaries of a vote before the round is abandoned; with the rule "
                          "Byzantine at least f + 1, for one of them is honest.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&App::m_maxAttempts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GradientTimeout",
                          "Longest time from a member's begin of a round to the end of its wait "
                          "for gradients; with the rule Byzantine it waits once more if it has "
                          "heard fewer than C + f clients.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&App::m_gradientTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ScoreTimeout",
                          "Longest wait for the scores of other members.",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&App::m_scoreTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AttemptTimeout",
                          "Patience with one primary, which has to aggregate too.",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&App::m_attemptTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ModelTimeout",
                          "Time for one member to broadcast the new model.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&App::m_modelTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Patience",
                          "With the rule Byzantine: longest time without the end of a round, after "
                          "which the device stops; rounds end only by a quorum of the committee. "
                          "0 for 1 h, or twice the longest round that the timeouts allow, if that "
                          "is longer.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&App::m_patience),
                          MakeTimeChecker(Time()))
            .AddAttribute("LocalSteps",
                          "Steps of local SGD in a round (tau).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&App::m_localSteps),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LocalLearningRate",
                          "Learning rate of a local step (eta_i).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&App::m_localRate),
                          MakeDoubleChecker<double>(1e-12))
            .AddAttribute("GlobalLearningRate",
                          "Learning rate of a round (eta).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&App::m_globalRate),
                          MakeDoubleChecker<double>(1e-12))
            .AddAttribute("MaxSampleWeight",
                          "Largest weight of a gradient in the aggregate, as a multiple of the "
                          "median of the numbers of samples that the aggregated clients say to "
                          "have; 0 for no limit, as in the paper: a client's word decides then.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&App::m_mostWeight),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("GradientMode",
                          "What is uploaded: the gradient of the last local step, or the change of "
                          "the weights over all local steps divided by the local learning rate.",
                          compat::EnumAttribute(GradientMode::LAST),
                          compat::EnumAccessor(&App::m_gradientMode),
                          compat::EnumChecker(
                              GradientMode::LAST, "Last", GradientMode::ACCUMULATED, "Accumulated"))
            .AddAttribute("Upload",
                          "How a gradient is sent: to one member after the other, or to all by one "
                          "transmission.",
                          compat::EnumAttribute(UploadMode::UNICAST),
                          compat::EnumAccessor(&App::m_upload),
                          compat::EnumChecker(
                              UploadMode::UNICAST, "Unicast", UploadMode::BROADCAST, "Broadcast"))
            .AddAttribute(
                "LossPolicy",
                "What the radio does about lost messages; Reliable: ARQ.",
                compat::EnumAttribute(LossPolicy::RELIABLE),
                compat::EnumAccessor(&App::m_lossPolicy),
                compat::EnumChecker(
                    LossPolicy::BEST_EFFORT, "BestEffort", LossPolicy::RELIABLE, "Reliable"))
            .AddAttribute("Retries",
                          "How often a reliable message to one device is sent again when the radio "
                          "has given it up.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_retries),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RetryDelay",
                          "Mean of the random time before the first retry; doubled for each "
                          "further one. It parts half-duplex devices that send to each other.",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&App::m_retryDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("Misbehavior",
                          "What the device does against the protocol when it is a member; see "
                          "ParseMisbehavior(). Empty: nothing.",
                          StringValue(""),
                          MakeStringAccessor(&App::SetMisbehavior, &App::GetMisbehavior),
                          MakeStringChecker())
            .AddAttribute("GradientAttack",
                          "How the device forges the gradients that it uploads; see "
                          "MakeGradientAttack(). Empty: it does not.",
                          StringValue(""),
                          MakeStringAccessor(&App::SetGradientAttack, &App::GetGradientAttack),
                          MakeStringChecker())
            .AddAttribute("AttackTarget",
                          "What GradientAttack is applied to: the gradient that is uploaded, or "
                          "the weights that a step of GlobalLearningRate along it leads to.",
                          compat::EnumAttribute(AttackTarget::GRADIENT),
                          compat::EnumAccessor(&App::m_attackTarget),
                          compat::EnumChecker(
                              AttackTarget::GRADIENT, "Gradient", AttackTarget::WEIGHTS, "Weights"))
            .AddAttribute("AttackedScores",
                          "Whether a device with a GradientAttack compares gradients, when it is a "
                          "member, with what it would upload; else with its own gradient.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_attackedScores),
                          MakeBooleanChecker())
            .AddTraceSource("Vote",
                            "A member has learned what is decided in a vote.",
                            MakeTraceSourceAccessor(&App::m_voteTrace),
                            "ns3::collab::CommitteeApplication::VoteTracedCallback")
            .AddTraceSource("Committee",
                            "A member's votes of a round have ended.",
                            MakeTraceSourceAccessor(&App::m_committeeTrace),
                            "ns3::collab::CommitteeApplication::CommitteeTracedCallback")
            .AddTraceSource("Wait",
                            "A member waits no longer for gradients, or for scores.",
                            MakeTraceSourceAccessor(&App::m_waitTrace),
                            "ns3::collab::CommitteeApplication::WaitTracedCallback");
    return tid;
}

CommitteeApplication::CommitteeApplication() = default;
CommitteeApplication::~CommitteeApplication() = default;

void
CommitteeApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    m_repeater.reset();
    m_disturber.reset();
    m_node.reset();
    m_learner.reset();
    m_conspiracy.reset();
    m_evaluations.Clear();
    CollaborationApplication::DoDispose();
}

void
CommitteeApplication::SetMisbehavior(std::string specification)
{
    m_misbehavior = ReadAttribute("Misbehavior", specification, ParseMisbehavior);
    m_misbehaviorNames = std::move(specification);
}

std::string
CommitteeApplication::GetMisbehavior() const
{
    return m_misbehaviorNames;
}

void
CommitteeApplication::SetGradientAttack(std::string specification)
{
    ReadAttribute("GradientAttack", specification, [this](const std::string& name) {
        m_adversary.SetAttack(name);
        return true;
    });
}

std::string
CommitteeApplication::GetGradientAttack() const
{
    return m_adversary.GetAttack();
}

void
CommitteeApplication::SetLearner(std::shared_ptr<Learner> learner, uint32_t samples)
{
    m_learner = std::move(learner);
    m_samples = samples;
}

void
CommitteeApplication::SetFederation(std::vector<uint32_t> devices,
                                    uint64_t seed,
                                    std::shared_ptr<const KeyRing> keys)
{
    m_devices = std::move(devices);
    m_seed = seed;
    m_keys = std::move(keys);
}

void
CommitteeApplication::SetConspiracy(std::shared_ptr<Conspiracy> conspiracy)
{
    m_conspiracy = std::move(conspiracy);
}

void
CommitteeApplication::SetCollusion(std::shared_ptr<GradientCollusion> collusion)
{
    m_adversary.SetCollusion(std::move(collusion), GetDeviceId());
}

void
CommitteeApplication::AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation)
{
    m_evaluations.Add(std::move(evaluation));
}

CommitteeRole
CommitteeApplication::GetRole() const
{
    return m_node->GetRole();
}

FlatVector
CommitteeApplication::GetModel() const
{
    return m_node ? m_node->GetModel() : m_learner->GetWeights();
}

bool
CommitteeApplication::HasModel() const
{
    return m_node && m_node->HasModel();
}

const std::vector<uint32_t>&
CommitteeApplication::GetCommittee() const
{
    return m_node->GetCommittee();
}

const CommitteeChain&
CommitteeApplication::GetChain() const
{
    static const CommitteeChain EMPTY({}, nullptr);
    return m_node ? m_node->GetChain() : EMPTY;
}

NodeOptions
CommitteeApplication::MakeOptions() const
{
    const auto inNs = [](const Time& time) { return static_cast<uint64_t>(time.GetNanoSeconds()); };
    NodeOptions options;
    options.self = GetDeviceId();
    options.rounds = GetRounds();
    options.trainingClients = m_trainingClients;
    options.samples = m_samples;
    options.gradientTimeoutNs = inNs(m_gradientTimeout);
    options.modelTimeoutNs = inNs(m_modelTimeout);
    options.patienceNs = inNs(m_patience);
    ChainOptions& federation = options.federation;
    federation.seed = m_seed;
    federation.rule = m_rule;
    federation.devices = m_devices;
    federation.committee =
        DrawDevices(m_devices, {}, m_committeeSize, MakeSeed(m_seed, FIRST_COMMITTEE, 0));
    ConsensusOptions& voting = options.voting;
    voting.primaryVotes = m_primaryVotes;
    voting.maxAttempts = m_maxAttempts;
    voting.scoreTimeoutNs = inNs(m_scoreTimeout);
    voting.attemptTimeoutNs = inNs(m_attemptTimeout);
    voting.alphaPercent = m_alpha;
    voting.alphaOf = m_alphaOf;
    voting.selection = m_selection;
    voting.election = m_election;
    return options;
}

Time
CommitteeApplication::GetLongestRound() const
{
    return NanoSeconds(MakeOptions().GetLongestRoundNs());
}

Time
CommitteeApplication::GetPatience() const
{
    return NanoSeconds(MakeOptions().GetPatienceNs());
}

bool
CommitteeApplication::HasGivenUp() const
{
    return m_hasGivenUp;
}

Time
CommitteeApplication::GetComputingDuration() const
{
    const auto processor = GetNode()->GetObject<Processor>();
    const uint64_t dimension = m_learner->GetWeights()->size() * m_learner->GetMultiplicity();
    return processor->GetDuration(m_learner->CountMostTrainFlops(MakeTask())) +
           processor->GetDuration(m_trainingClients * CountScoreFlops(dimension)) +
           GetAggregatingDuration();
}

Time
CommitteeApplication::GetAggregatingDuration() const
{
    const uint64_t dimension = m_learner->GetWeights()->size() * m_learner->GetMultiplicity();
    return GetNode()->GetObject<Processor>()->GetDuration(
        CountApplyFlops(dimension, m_trainingClients));
}

Time
CommitteeApplication::GetModelAirtime(uint32_t senders) const
{
    const uint64_t values = m_learner->GetWeights()->size() * m_learner->GetMultiplicity();
    const uint64_t bytes = MessageHeader::SIZE + values * WIRE_WORD;
    return GetNode()->GetObject<Transport>()->GetContendedAirtime(bytes, senders);
}

bool
CommitteeApplication::IsBusy() const
{
    const auto processor = GetNode()->GetObject<Processor>();
    const bool isExchanging = GetPhase() == UPLOAD || GetPhase() == CommitteeNode::COLLECT;
    return processor->IsOn() && (processor->IsBusy() || isExchanging);
}

std::vector<Metric>
CommitteeApplication::GetMetrics() const
{
    std::vector<Metric> metrics = {
        {"role", "", "what the device did: 0 idle, 1 training, 2 member of the committee"},
        {"assumed", "", "1 if the device took the round before for abandoned, else 0"},
        {"loss", "nat", "mean loss of the own training; nan if it did not train"}};
    m_evaluations.AddMetrics(m_evaluations.GetMeasures(MEASURES), metrics);
    return metrics;
}

std::vector<std::pair<std::string, double>>
CommitteeApplication::MakeMetrics(CommitteeRole role) const
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<std::string, double>> metrics = {{"role", static_cast<double>(role)},
                                                           {"assumed", m_wasAssumed ? 1 : 0},
                                                           {"loss", m_scores ? m_loss : NONE}};
    m_evaluations.AddValues(m_evaluations.GetMeasures(MEASURES), m_scores.get(), metrics);
    return metrics;
}

void
CommitteeApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_learner && m_learner->GetWeights() && m_keys,
                        "CommitteeApplication on node "
                            << GetDeviceId() << ": it needs a Learner with weights and a KeyRing");
    NS_ABORT_MSG_UNLESS(m_devices.size() >= 2 * std::size_t{m_committeeSize},
                        "CommitteeApplication: " << m_devices.size()
                                                 << " devices for a committee of "
                                                 << m_committeeSize << " and its successors");
    RegisterKinds();
    m_generator.seed(MakeSeed(m_seed, DELAYS, GetDeviceId()));
    MakeRepeater();
    MakeNode();
}

void
CommitteeApplication::MakeRepeater()
{
    DeliveryRepeater::Options sending;
    sending.policy = m_lossPolicy;
    sending.retries = m_retries;
    sending.delay = m_retryDelay;
    sending.draw = [this](double greatest) {
        return boost::random::uniform_real_distribution<double>(0, greatest)(m_generator);
    };
    sending.isAlive = [this](const Delivery& delivery) {
        return (IsRunning() || IsFinished()) && delivery.content.round >= GetRound();
    };
    m_repeater = std::make_unique<DeliveryRepeater>(GetTransport(), std::move(sending));
}

void
CommitteeApplication::MakeNode()
{
    NodeOptions options = MakeOptions();
    options.federation.model = ComputeDigest(*m_learner->GetWeights());
    MemberMaker maker;
    if (!m_misbehaviorNames.empty())
    {
        maker = [this](const ConsensusOptions& voting,
                       const std::shared_ptr<ConsensusMemory>& memory) {
            return MakeMisbehaving(voting, memory);
        };
        m_disturber =
            std::make_unique<CommitteeDisturber>(GetDeviceId(),
                                                 m_misbehavior,
                                                 m_conspiracy->accomplices,
                                                 m_keys,
                                                 GetRounds(),
                                                 MakeSeed(m_seed, DISTURBANCE, GetDeviceId()));
    }
    CommitteeHost& host = *this;
    m_node = std::make_unique<CommitteeNode>(
        std::move(options), m_keys, m_learner->GetWeights(), host, std::move(maker));
}

std::unique_ptr<CommitteeMember>
CommitteeApplication::MakeMisbehaving(const ConsensusOptions& options,
                                      const std::shared_ptr<ConsensusMemory>& memory) const
{
    const uint64_t seed = MakeSeed(m_seed, BEHAVIOR + GetDeviceId(), options.round);
    if (m_rule == QuorumRule::BYZANTINE)
    {
        const auto oracle = [this](const AggregationOrder& order) { return Guess(order); };
        return std::make_unique<CommitteeSaboteur>(
            options, m_keys, memory, m_misbehavior, m_conspiracy, oracle, seed);
    }
    const auto oracle = [this](const std::vector<uint32_t>& set) {
        AggregationOrder order;
        order.clients = set;
        return Guess(order);
    };
    return std::make_unique<ByzantineMember>(
        options, m_keys, m_misbehavior, m_conspiracy, oracle, seed);
}

std::optional<Digest>
CommitteeApplication::Guess(const AggregationOrder& order) const
{
    std::vector<std::shared_ptr<const SignedGradient>> gradients;
    for (const uint32_t client : order.clients)
    {
        gradients.push_back(m_node->FindGradient(client, order));
        if (!gradients.back())
        {
            return std::nullopt;
        }
    }
    return ComputeDigest(ApplyAll(*m_node->GetModel(), gradients, m_globalRate, m_mostWeight));
}

void
CommitteeApplication::RegisterKinds()
{
    const std::size_t dimension = m_learner->GetWeights()->size();
    const uint32_t authenticatorBytes = m_keys->GetAuthenticatorBytes();
    const uint32_t multiplicity = m_learner->GetMultiplicity();
    const auto hear = [this](const Message& message, const CommitteeMessage& heard) {
        if (IsRunning() || IsFinished())
        {
            m_node->HandleMessage(message.sender, heard);
        }
    };
    GetTransport()->RegisterKind(
        GRADIENT,
        "gradient",
        [=](const uint8_t* bytes, std::size_t size) {
            return GradientPayload::Parse(bytes, size, dimension, authenticatorBytes, multiplicity);
        },
        [hear](const Message& message) {
            CommitteeMessage heard;
            heard.gradient =
                std::static_pointer_cast<const GradientPayload>(message.payload)->GetGradient();
            hear(message, heard);
        });
    GetTransport()->RegisterKind(
        CONSENSUS,
        "consensus",
        [=](const uint8_t* bytes, std::size_t size) {
            return ConsensusPayload::Parse(bytes, size, authenticatorBytes);
        },
        [hear](const Message& message) {
            CommitteeMessage heard;
            heard.consensus =
                std::static_pointer_cast<const ConsensusPayload>(message.payload)->GetMessage();
            hear(message, heard);
        });
    GetTransport()->RegisterKind(
        MODEL,
        "committee-model",
        [=](const uint8_t* bytes, std::size_t size) {
            return ModelPayload::Parse(bytes, size, dimension, authenticatorBytes, multiplicity);
        },
        [hear](const Message& message) {
            CommitteeMessage heard;
            heard.model =
                std::static_pointer_cast<const ModelPayload>(message.payload)->GetMessage();
            hear(message, heard);
        });
    GetTransport()->RegisterKind(
        CHAIN,
        "committee-chain",
        [=](const uint8_t* bytes, std::size_t size) {
            return ChainPayload::Parse(bytes, size, authenticatorBytes);
        },
        [hear](const Message& message) {
            CommitteeMessage heard;
            heard.chain =
                std::static_pointer_cast<const ChainPayload>(message.payload)->GetMessage();
            hear(message, heard);
        });
}

void
CommitteeApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_scores.reset();
    if (GetRound() == 0)
    {
        m_node->Start();
        Disturb();
    }
}

void
CommitteeApplication::Disturb()
{
    if (m_disturber)
    {
        for (const auto& message : m_disturber->MakeMessages(*m_node))
        {
            Broadcast(message);
        }
    }
}

namespace
{

/**
 * @param before weights before training
 * @param learner that has trained
 * @param rate of the training
 * @return the steps of the training as one gradient, 0 for state beside the weights, as in the
 * gradient of one step: a global rate above the local one would make running variances negative
 */
FlatVector
FindAccumulated(const std::vector<float>& before, const Learner& learner, double rate)
{
    std::vector<float> values = *PseudoGradient(before, *learner.GetWeights(), rate);
    const std::size_t trained = learner.GetParameterCount() / learner.GetMultiplicity();
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(trained), values.end(), 0.0F);
    return std::make_shared<const std::vector<float>>(std::move(values));
}

} // namespace

TrainTask
CommitteeApplication::MakeTask() const
{
    TrainTask task;
    task.steps = m_localSteps;
    task.learningRate = m_localRate;
    task.returnsGradient = m_gradientMode == GradientMode::LAST;
    return task;
}

void
CommitteeApplication::Train()
{
    m_adversary.Begin(GetRound());
    m_attacked.reset();
    const TrainTask task = MakeTask();
    auto scores = std::make_shared<std::vector<collab::Score>>();
    auto gradient = std::make_shared<FlatVector>();
    auto loss = std::make_shared<double>(0);
    auto isFinite = std::make_shared<bool>(true);
    RunJob(
        m_learner->CountTrainFlops(task),
        [learner = m_learner,
         model = m_node->GetModel(),
         evaluations = m_evaluations,
         rate = m_localRate,
         task,
         scores,
         gradient,
         loss,
         isFinite]() {
            learner->SetWeights(model);
            *scores = evaluations.Evaluate(*learner);
            const TrainReport report = learner->Train(task);
            *loss = report.localLoss;
            *isFinite = HasFiniteWeights(*learner);
            *gradient = task.returnsGradient ? report.lastGradient
                                             : FindAccumulated(*model, *learner, rate);
        },
        [this, scores, gradient, loss, isFinite]() {
            NoteTrained(*isFinite);
            if (!m_node->IsOvertaken())
            {
                m_scores = scores;
                m_loss = *loss;
                if (m_node->GetRole() == CommitteeRole::MEMBER)
                {
                    PrepareToScore(*gradient);
                }
            }
            m_node->HandleTrained(*gradient);
        });
}

GradientAdversary::Upload
CommitteeApplication::MakeUpload(FlatVector honest) const
{
    GradientAdversary::Upload upload;
    upload.round = GetRound();
    upload.honest = std::move(honest);
    upload.count = m_node->GetClients().size();
    upload.seed = MakeSeed(m_seed, ATTACK + GetDeviceId(), GetRound());
    upload.target = m_attackTarget;
    upload.model = m_node->GetModel();
    upload.step = -m_globalRate;
    return upload;
}

void
CommitteeApplication::PrepareToScore(const FlatVector& honest)
{
    if (!m_attackedScores)
    {
        m_adversary.Tell(GetRound(), honest);
        return;
    }
    GradientAdversary::Upload upload = MakeUpload(honest);
    upload.isSent = false;
    m_adversary.Forge(upload, [this](FlatVector attacked) { m_attacked = std::move(attacked); });
}

void
CommitteeApplication::Upload(const std::shared_ptr<const SignedGradient>& gradient)
{
    EnterPhase(UPLOAD);
    m_adversary.Forge(MakeUpload(gradient->values), [this, gradient](FlatVector sent) {
        if (sent == gradient->values)
        {
            UploadSigned(gradient);
            return;
        }
        auto forged = std::make_shared<SignedGradient>(*gradient);
        forged->values = std::move(sent);
        forged->Sign(*m_keys);
        UploadSigned(std::move(forged));
    });
}

void
CommitteeApplication::UploadSigned(std::shared_ptr<const SignedGradient> gradient)
{
    const auto& committee = m_node->GetCommittee();
    const auto& clients = m_node->GetClients();
    const auto payload =
        std::make_shared<const GradientPayload>(std::move(gradient), m_learner->GetMultiplicity());
    auto left =
        std::make_shared<std::size_t>(m_upload == UploadMode::BROADCAST ? 1 : committee.size());
    const uint32_t round = GetRound();
    const auto finished = [this, left, round](bool) {
        if (--*left == 0 && IsRunning() && GetRound() == round &&
            m_node->GetRole() == CommitteeRole::TRAINING)
        {
            EnterPhase("wait");
        }
    };
    if (m_upload == UploadMode::BROADCAST)
    {
        const SendOptions options(m_lossPolicy,
                                  [finished](const DeliveryReport&) { finished(true); });
        GetTransport()->Broadcast({GRADIENT, round, payload}, options);
        return;
    }
    // Clients begin with different members, so that all members have all gradients at the same time
    const auto place = static_cast<std::size_t>(
        std::lower_bound(clients.begin(), clients.end(), GetDeviceId()) - clients.begin());
    for (std::size_t i = 0; i < committee.size(); ++i)
    {
        Delivery delivery;
        delivery.receiver = committee[(place + i) % committee.size()];
        delivery.content.kind = GRADIENT;
        delivery.content.round = round;
        delivery.content.payload = payload;
        delivery.finished = finished;
        m_repeater->Send(std::move(delivery));
    }
}

void
CommitteeApplication::Score(const GradientsByClient& gradients, const FlatVector& own)
{
    CountMessages(gradients.size(), m_node->GetClients().size());
    const auto scores = std::make_shared<ClientScores>();
    RunJob(
        gradients.size() * CountScoreFlops(own->size() * m_learner->GetMultiplicity()),
        [gradients, scores, own = m_attacked ? m_attacked : own]() {
            if (!AreFinite(*own)) // it has diverged: it can tell of nobody how near he is
            {
                return;
            }
            for (const auto& [client, gradient] : gradients)
            {
                (*scores)[client] =
                    ComputeScore(gradient->values->data(), own->data(), own->size());
            }
        },
        [this, scores]() { m_node->HandleScored(*scores); });
}

void
CommitteeApplication::Aggregate(const std::vector<std::shared_ptr<const SignedGradient>>& gradients)
{
    struct Result
    {
        FlatVector model;
        Digest digest = {};
    };

    const auto result = std::make_shared<Result>();
    const FlatVector model = m_node->GetModel();
    RunJob(
        CountApplyFlops(model->size() * m_learner->GetMultiplicity(), gradients.size()),
        [result, model, gradients, rate = m_globalRate, most = m_mostWeight]() {
            auto values =
                std::make_shared<const std::vector<float>>(ApplyAll(*model, gradients, rate, most));
            if (AreFinite(*values))
            {
                result->digest = ComputeDigest(*values);
                result->model = std::move(values);
            }
        },
        [this, result]() { m_node->HandleAggregated(result->model, result->digest); });
}

std::pair<uint16_t, std::shared_ptr<const Payload>>
CommitteeApplication::Pack(const CommitteeMessage& message) const
{
    const uint32_t multiplicity = m_learner->GetMultiplicity();
    if (message.gradient)
    {
        return {GRADIENT, std::make_shared<const GradientPayload>(message.gradient, multiplicity)};
    }
    if (message.model)
    {
        return {MODEL, std::make_shared<const ModelPayload>(message.model, multiplicity)};
    }
    if (message.chain)
    {
        return {CHAIN, std::make_shared<const ChainPayload>(message.chain)};
    }
    return {CONSENSUS, std::make_shared<const ConsensusPayload>(message.consensus)};
}

void
CommitteeApplication::Send(uint32_t receiver, const CommitteeMessage& message)
{
    Delivery delivery;
    delivery.receiver = receiver;
    std::tie(delivery.content.kind, delivery.content.payload) = Pack(message);
    delivery.content.round = RoundOf(message, GetRound());
    delivery.priority = PriorityOf(message);
    m_repeater->Send(std::move(delivery));
}

void
CommitteeApplication::Broadcast(const CommitteeMessage& message)
{
    SendOptions options(m_lossPolicy);
    options.priority = PriorityOf(message);
    const auto [kind, payload] = Pack(message);
    GetTransport()->Broadcast({kind, RoundOf(message, GetRound()), payload}, options);
}

void
CommitteeApplication::SetTimer(CommitteeTimer timer, uint64_t delayNs)
{
    EventId& event = m_timers[static_cast<std::size_t>(timer)];
    event.Cancel();
    event = Simulator::Schedule(NanoSeconds(delayNs),
                                [this, timer]() { m_node->HandleTimeout(timer); });
}

void
CommitteeApplication::CancelTimer(CommitteeTimer timer)
{
    m_timers[static_cast<std::size_t>(timer)].Cancel();
}

uint64_t
CommitteeApplication::GetNowNs() const
{
    return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
}

void
CommitteeApplication::BeginPhase(const std::string& phase)
{
    EnterPhase(phase);
}

void
CommitteeApplication::ReachRound(uint32_t round, CommitteeRole role)
{
    NS_LOG_FUNCTION(this << round);
    if (round <= GetRound())
    {
        return;
    }
    m_adversary.Withdraw();
    const bool isAssumed = m_node->IsAssumed();
    if (role != CommitteeRole::MEMBER)
    {
        CountMessages(isAssumed ? 0 : 1, 1);
    }
    const auto metrics = MakeMetrics(role);
    m_wasAssumed = isAssumed;
    EndRound(metrics);
    while (IsRunning() && GetRound() < round)
    {
        EndRound(MakeMetrics(CommitteeRole::IDLE));
    }
    Disturb();
}

void
CommitteeApplication::TellDecision(uint32_t round, const Decision& decision)
{
    m_voteTrace({round,
                 GetDeviceId(),
                 decision.vote,
                 decision.attempt,
                 decision.primary,
                 decision.proposal.clients,
                 decision.proposal.digest,
                 Simulator::Now()});
}

void
CommitteeApplication::TellWait(const WaitReport& report)
{
    WaitRecord record;
    static_cast<WaitReport&>(record) = report;
    record.device = GetDeviceId();
    m_waitTrace(record);
}

void
CommitteeApplication::TellReport(const CommitteeReport& report)
{
    CommitteeRecord record;
    static_cast<CommitteeReport&>(record) = report;
    record.device = GetDeviceId();
    m_committeeTrace(record);
}

void
CommitteeApplication::Reject(const std::string& reason)
{
    GetTransport()->Reject(reason);
}

void
CommitteeApplication::GiveUp()
{
    NS_LOG_INFO("device " << GetDeviceId() << " gives up in round " << GetRound());
    m_hasGivenUp = true;
    StopForGood();
}

void
CommitteeApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_adversary.Withdraw();
    if (m_node)
    {
        m_node->Crash();
    }
}

bool
CommitteeApplication::CanResume() const
{
    return true;
}

void
CommitteeApplication::DoResume()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_scores.reset();
    MakeRepeater(); // what waited to be sent again is lost
    m_node->Resume();
}

} // namespace collab
} // namespace ns3
