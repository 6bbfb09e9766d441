/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
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

/// Purposes of seeds that are drawn from the shared one
constexpr uint64_t FIRST_COMMITTEE = 1;
constexpr uint64_t ACTIVATION = 2; //!< see FIRST_COMMITTEE
constexpr uint64_t ATTACK = 3;     //!< see FIRST_COMMITTEE
constexpr uint64_t BEHAVIOR = 4;   //!< see FIRST_COMMITTEE
constexpr uint64_t DELAYS = 5;     //!< see FIRST_COMMITTEE

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
 * @param set ascending
 * @param device to look for
 * @return whether the set has it
 */
bool
Contains(const std::vector<uint32_t>& set, uint32_t device)
{
    return std::binary_search(set.begin(), set.end(), device);
}

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "accuracy of the round's model; nan if the device was idle"},
     &Score::accuracy},
    {{"loss", "nat", "cross-entropy of the round's model; nan if the device was idle"},
     &Score::loss}};

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
                          "Part of the training clients whose gradients are accepted [%].",
                          DoubleValue(40),
                          MakeDoubleAccessor(&App::m_alpha),
                          MakeDoubleChecker<double>(1e-9, 100))
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
                "Paper: floor(C / 2) + 1 replicas convince the primary. Byzantine: commit "
                "certificates of ceil((C + f + 1) / 2) members, f the most below C / 3.",
                compat::EnumAttribute(QuorumRule::PAPER),
                compat::EnumAccessor(&App::m_rule),
                compat::EnumChecker(QuorumRule::PAPER, "Paper", QuorumRule::BYZANTINE, "Byzantine"))
            .AddAttribute("PrimaryVotes",
                          "With the paper's rule: whether the primary's own vote counts.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_primaryVotes),
                          MakeBooleanChecker())
            .AddAttribute("MaxAttempts",
                          "Primaries of a vote before the round is abandoned.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&App::m_maxAttempts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GradientTimeout",
                          "Longest time from a member's begin of a round to the end of its wait "
                          "for gradients.",
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
            .AddAttribute("LocalSteps",
                          "Steps of local SGD in a round (tau).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&App::m_localSteps),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LocalLearningRate",
                          "Of a local step (eta_i).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&App::m_localRate),
                          MakeDoubleChecker<double>(1e-12))
            .AddAttribute("GlobalLearningRate",
                          "Of a round (eta).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&App::m_globalRate),
                          MakeDoubleChecker<double>(1e-12))
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
                "What the radio does about lost messages.",
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
            .AddTraceSource("Vote",
                            "A member has learned what is decided in a vote.",
                            MakeTraceSourceAccessor(&App::m_voteTrace),
                            "ns3::collab::CommitteeApplication::VoteTracedCallback")
            .AddTraceSource("Committee",
                            "A member's votes of a round have ended.",
                            MakeTraceSourceAccessor(&App::m_committeeTrace),
                            "ns3::collab::CommitteeApplication::CommitteeTracedCallback");
    return tid;
}

CommitteeApplication::CommitteeApplication() = default;

void
CommitteeApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    m_learner.reset();
    m_repeater.reset();
    m_conspiracy.reset();
    m_evaluations.Clear();
    m_gradients.clear();
    m_early.clear();
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
    return m_role;
}

FlatVector
CommitteeApplication::GetModel() const
{
    return m_state.model;
}

const std::vector<uint32_t>&
CommitteeApplication::GetCommittee() const
{
    return m_state.committee;
}

ConsensusOptions
CommitteeApplication::MakeOptions(uint32_t round, const std::vector<uint32_t>& members) const
{
    ConsensusOptions options;
    options.seed = m_seed;
    options.round = round;
    options.self = GetDeviceId();
    options.members = members;
    options.rule = m_rule;
    options.primaryVotes = m_primaryVotes;
    options.faults = GetGreatestFaults(members.size());
    options.maxAttempts = m_maxAttempts;
    options.scoreTimeoutNs = static_cast<uint64_t>(m_scoreTimeout.GetNanoSeconds());
    options.attemptTimeoutNs = static_cast<uint64_t>(m_attemptTimeout.GetNanoSeconds());
    options.alphaPercent = m_alpha;
    options.selection = m_selection;
    options.election = m_election;
    return options;
}

Time
CommitteeApplication::GetLongestRound() const
{
    const ConsensusOptions options = MakeOptions(0, {});
    return m_gradientTimeout + NanoSeconds(options.GetLongestRoundNs()) +
           m_modelTimeout * static_cast<int64_t>(m_maxAttempts);
}

std::vector<Metric>
CommitteeApplication::GetMetrics() const
{
    std::vector<Metric> metrics = {
        {"role", "", "what the device did: 0 idle, 1 training, 2 member of the committee"},
        {"assumed", "", "1 if the device took the round before for abandoned, else 0"},
        {"loss", "nat", "mean loss of the own training; nan if it did not train"}};
    m_evaluations.AddMetrics(MEASURES, metrics);
    return metrics;
}

std::vector<std::pair<std::string, double>>
CommitteeApplication::MakeMetrics() const
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<std::string, double>> metrics = {{"role", static_cast<double>(m_role)},
                                                           {"assumed", m_state.IsAssumed() ? 1 : 0},
                                                           {"loss", m_scores ? m_loss : NONE}};
    m_evaluations.AddValues(MEASURES, m_scores.get(), metrics);
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
    const std::size_t dimension = m_learner->GetWeights()->size();
    const uint32_t authenticatorBytes = m_keys->GetAuthenticatorBytes();
    const auto parseVector = [dimension,
                              authenticatorBytes,
                              multiplicity = m_learner->GetMultiplicity()](const uint8_t* bytes,
                                                                           std::size_t size) {
        return SignedVectorPayload::Parse(bytes, size, dimension, authenticatorBytes, multiplicity);
    };
    const auto parseVote = [authenticatorBytes](const uint8_t* bytes, std::size_t size) {
        return ConsensusPayload::Parse(bytes, size, authenticatorBytes);
    };
    GetTransport()->RegisterKind(
        GRADIENT, "gradient", parseVector, [this](const Message& m) { HandleGradient(m); });
    GetTransport()->RegisterKind(
        CONSENSUS, "consensus", parseVote, [this](const Message& m) { HandleConsensus(m); });
    GetTransport()->RegisterKind(
        MODEL, "committee-model", parseVector, [this](const Message& m) { HandleModel(m); });
    m_generator.seed(MakeSeed(m_seed, DELAYS, GetDeviceId()));
    DeliveryRepeater::Options sending;
    sending.policy = m_lossPolicy;
    sending.retries = m_retries;
    sending.delay = m_retryDelay;
    sending.draw = [this](double greatest) {
        return boost::random::uniform_real_distribution<double>(0, greatest)(m_generator);
    };
    sending.isAlive = [this](const Delivery& delivery) {
        return IsRunning() && delivery.round >= GetRound();
    };
    m_repeater = std::make_unique<DeliveryRepeater>(GetTransport(), std::move(sending));
    m_state.model = m_learner->GetWeights();
    m_state.committee =
        DrawDevices(m_devices, {}, m_committeeSize, MakeSeed(m_seed, FIRST_COMMITTEE, 0));
}

std::vector<uint32_t>
CommitteeApplication::DrawTrainingClients() const
{
    return DrawDevices(m_devices,
                       m_state.committee,
                       m_trainingClients,
                       MakeSeed(m_seed, ACTIVATION, m_state.round));
}

void
CommitteeApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_role = CommitteeRole::IDLE;
    m_scores.reset();
    if (GetRound() == m_state.round) // else the device has slept through it
    {
        TakeRole();
    }
}

void
CommitteeApplication::TakeRole()
{
    const uint32_t self = GetDeviceId();
    m_expected = DrawTrainingClients();
    m_role = Contains(m_state.committee, self) ? CommitteeRole::MEMBER
             : Contains(m_expected, self)      ? CommitteeRole::TRAINING
                                               : CommitteeRole::IDLE;
    m_roundEvent.Cancel();
    m_roundEvent =
        Simulator::Schedule(GetLongestRound(), &CommitteeApplication::HandleRoundTimeout, this);
    if (m_role == CommitteeRole::IDLE)
    {
        EnterPhase("idle");
        return;
    }
    if (m_role == CommitteeRole::MEMBER && m_lastVoted >= GetRound())
    {
        m_role = CommitteeRole::IDLE; // it has voted, perhaps in another committee
        EnterPhase("idle");
        return;
    }
    if (m_role == CommitteeRole::MEMBER)
    {
        const uint32_t round = GetRound();
        m_lastVoted = round;
        const ConsensusOptions options = MakeOptions(round, m_state.committee);
        Session& session = m_sessions[round];
        session.members = m_state.committee;
        if (m_misbehaviorNames.empty())
        {
            session.member = std::make_unique<CommitteeConsensus>(options, m_keys);
        }
        else
        {
            const auto oracle = [this](const std::vector<uint32_t>& set) {
                const auto aggregate = MakeAggregation(set);
                return aggregate ? std::optional<Digest>(ComputeDigest(*aggregate()))
                                 : std::nullopt;
            };
            session.member =
                std::make_unique<ByzantineMember>(options,
                                                  m_keys,
                                                  m_misbehavior,
                                                  m_conspiracy,
                                                  oracle,
                                                  MakeSeed(m_seed, BEHAVIOR + self, round));
        }
        m_gradientEvent.Cancel();
        m_gradientEvent =
            Simulator::Schedule(m_gradientTimeout, &CommitteeApplication::BeginScore, this);
    }
    BeginTrain();
    for (const auto& message : m_early[GetRound()])
    {
        HandleConsensus(message);
    }
    m_early.erase(m_early.begin(), m_early.upper_bound(GetRound()));
}

void
CommitteeApplication::RunTask(uint64_t flops,
                              std::function<void()> work,
                              std::function<void()> done)
{
    m_busy = true;
    RunJob(flops, std::move(work), [this, done = std::move(done)]() {
        m_busy = false;
        if (m_pending)
        {
            State state = std::move(*m_pending);
            m_pending.reset();
            Advance(std::move(state));
            return;
        }
        done();
    });
}

void
CommitteeApplication::BeginTrain()
{
    EnterPhase("train");
    m_adversary.Begin(GetRound());
    TrainTask task;
    task.steps = m_localSteps;
    task.learningRate = m_localRate;
    task.returnsGradient = m_gradientMode == GradientMode::LAST;
    auto scores = std::make_shared<std::vector<Score>>();
    auto gradient = std::make_shared<FlatVector>();
    auto loss = std::make_shared<double>(0);
    RunTask(
        m_learner->CountTrainFlops(task),
        [learner = m_learner,
         model = m_state.model,
         evaluations = m_evaluations,
         rate = m_localRate,
         task,
         scores,
         gradient,
         loss]() {
            learner->SetWeights(model);
            *scores = evaluations.Evaluate(*learner);
            const TrainReport report = learner->Train(task);
            *loss = report.localLoss;
            *gradient = task.returnsGradient ? report.lastGradient
                                             : PseudoGradient(*model, *learner->GetWeights(), rate);
        },
        [this, scores, gradient, loss]() {
            m_scores = scores;
            m_loss = *loss;
            m_role == CommitteeRole::MEMBER ? BeginCollect(*gradient) : BeginUpload(*gradient);
        });
}

void
CommitteeApplication::BeginUpload(FlatVector gradient)
{
    EnterPhase("upload");
    GradientAdversary::Upload upload;
    upload.round = GetRound();
    upload.honest = std::move(gradient);
    upload.count = m_expected.size();
    upload.seed = MakeSeed(m_seed, ATTACK + GetDeviceId(), GetRound());
    upload.target = m_attackTarget;
    upload.model = m_state.model;
    upload.step = -m_globalRate;
    m_adversary.Forge(upload, [this](FlatVector sent) { Upload(std::move(sent)); });
}

void
CommitteeApplication::Upload(FlatVector gradient)
{
    VectorLabel label;
    label.round = GetRound();
    label.sender = GetDeviceId();
    label.samples = m_samples;
    const auto payload = std::make_shared<const SignedVectorPayload>(
        std::move(label), std::move(gradient), *m_keys, m_learner->GetMultiplicity());
    auto left = std::make_shared<std::size_t>(
        m_upload == UploadMode::BROADCAST ? 1 : m_state.committee.size());
    const uint32_t round = GetRound();
    const auto finished = [this, left, round](bool) {
        if (--*left == 0 && IsRunning() && GetRound() == round && m_role == CommitteeRole::TRAINING)
        {
            EnterPhase("wait");
        }
    };
    if (m_upload == UploadMode::BROADCAST)
    {
        const SendOptions options(m_lossPolicy,
                                  [finished](const DeliveryReport&) { finished(true); });
        GetTransport()->Broadcast(GRADIENT, round, payload, options);
        return;
    }
    // Clients begin with different members, so that all members have all gradients at the same time
    const auto place = static_cast<std::size_t>(
        std::lower_bound(m_expected.begin(), m_expected.end(), GetDeviceId()) - m_expected.begin());
    for (std::size_t i = 0; i < m_state.committee.size(); ++i)
    {
        Delivery delivery;
        delivery.receiver = m_state.committee[(place + i) % m_state.committee.size()];
        delivery.kind = GRADIENT;
        delivery.round = round;
        delivery.payload = payload;
        delivery.finished = finished;
        m_repeater->Send(std::move(delivery));
    }
}

void
CommitteeApplication::BeginCollect(FlatVector gradient)
{
    EnterPhase("collect");
    m_adversary.Tell(GetRound(), gradient);
    m_gradient = std::move(gradient);
    m_collecting = true;
    if (m_gradientEvent.IsExpired()) // training has taken all of the time
    {
        BeginScore();
        return;
    }
    CheckCollect();
}

void
CommitteeApplication::CheckCollect()
{
    if (m_collecting && m_gradients[GetRound()].size() == m_expected.size())
    {
        BeginScore();
    }
}

void
CommitteeApplication::BeginScore()
{
    if (!m_collecting) // still training
    {
        return;
    }
    m_collecting = false;
    m_gradientEvent.Cancel();
    EnterPhase("score");
    const uint32_t round = GetRound();
    const auto heard = std::make_shared<const Gradients>(m_gradients[round]);
    const auto scores = std::make_shared<ClientScores>();
    RunTask(
        heard->size() * CountScoreFlops(m_gradient->size() * m_learner->GetMultiplicity()),
        [heard, scores, own = m_gradient]() {
            if (!AreFinite(*own)) // it has diverged: it can tell of nobody how near he is
            {
                return;
            }
            for (const auto& [client, payload] : *heard)
            {
                (*scores)[client] =
                    ComputeScore(payload->GetValues()->data(), own->data(), own->size());
            }
        },
        [this, round, heard, scores]() {
            EnterPhase("consensus");
            Session& session = m_sessions.at(round);
            session.scores = *scores;
            CountMessages(heard->size(), m_expected.size());
            session.gradients = heard->size();
            session.missing = m_expected.size() - heard->size();
            Apply(round, session.member->Begin(Simulator::Now().GetNanoSeconds(), *scores));
        });
}

void
CommitteeApplication::HandleGradient(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    const bool isMember = m_role == CommitteeRole::MEMBER;
    if (!IsRunning() || (message.round == GetRound() && !isMember))
    {
        return; // a broadcast that is for others
    }
    auto payload = std::static_pointer_cast<const SignedVectorPayload>(message.payload);
    try
    {
        payload->Check(m_state.model->size(), *m_keys);
        const VectorLabel& label = payload->GetLabel();
        if (label.sender == message.sender)
        {
            CatchUp(label.sender, label.round);
        }
        if (label.sender != message.sender || label.samples == 0 ||
            (label.round == GetRound() && !Contains(m_expected, label.sender)))
        {
            throw PayloadError("a gradient of a client that does not train");
        }
        if (label.round < GetRound() || label.round > GetRound() + 1)
        {
            throw PayloadError("a gradient of another round");
        }
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    // The first one counts: all members shall score the same
    m_gradients[payload->GetLabel().round].emplace(message.sender, payload);
    CheckCollect();
}

void
CommitteeApplication::CatchUp(uint32_t client, uint32_t round)
{
    uint32_t& claim = m_claims[client];
    claim = std::max(claim, round);
    const uint32_t ahead = m_isBehind || m_state.IsAssumed() ? 1 : 2;
    if (round < GetRound() + ahead || round >= GetRounds())
    {
        return;
    }
    std::vector<uint32_t> claims;
    for (const auto& [known, latest] : m_claims)
    {
        claims.push_back(latest);
    }
    const std::size_t enough = GetGreatestFaults(m_trainingClients) + 1;
    if (claims.size() < enough)
    {
        return;
    }
    std::nth_element(claims.begin(), claims.begin() + (enough - 1), claims.end(), std::greater<>());
    const uint32_t reached = claims[enough - 1];
    const bool isComing = m_pending && m_pending->round >= reached;
    if (reached < GetRound() + ahead || reached >= GetRounds() || isComing)
    {
        return;
    }
    NS_LOG_INFO("device " << GetDeviceId() << " goes on from round " << GetRound() << " to "
                          << reached);
    State state = m_state;
    state.round = reached;
    Advance(std::move(state));
}

void
CommitteeApplication::HandleConsensus(const Message& message)
{
    const auto payload = std::static_pointer_cast<const ConsensusPayload>(message.payload);
    const uint32_t round = payload->GetMessage().round;
    const auto found = m_sessions.find(round);
    if (found != m_sessions.end())
    {
        const ConsensusCounters before = found->second.member->GetCounters();
        const ConsensusOutput output = found->second.member->HandleMessage(
            static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()), payload->GetMessage());
        if (found->second.member->GetCounters().Total() > before.Total())
        {
            GetTransport()->Reject("a message of the committee that is not believed");
        }
        Apply(round, output);
    }
    else if (IsRunning() && round == GetRound() + 1)
    {
        m_early[round].push_back(message);
    }
    else
    {
        GetTransport()->Reject("a message of the committee of another round");
    }
}

void
CommitteeApplication::Apply(uint32_t round, const ConsensusOutput& output)
{
    Session& session = m_sessions.at(round);
    for (const auto& outgoing : output.messages)
    {
        const auto payload = std::make_shared<const ConsensusPayload>(outgoing.message);
        for (const uint32_t member : session.members)
        {
            if (member != GetDeviceId() && (!outgoing.receiver || *outgoing.receiver == member))
            {
                Delivery delivery;
                delivery.receiver = member;
                delivery.kind = CONSENSUS;
                delivery.round = round;
                delivery.payload = payload;
                delivery.priority = VOTE_PRIORITY;
                m_repeater->Send(std::move(delivery));
            }
        }
    }
    if (output.timer)
    {
        session.timer.Cancel();
        session.timer = Simulator::Schedule(
            NanoSeconds(output.timer->delayNs), [this, round, number = output.timer->number]() {
                const auto now = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
                Apply(round, m_sessions.at(round).member->HandleTimeout(now, number));
            });
    }
    for (const auto& decision : output.decisions)
    {
        session.decisions[decision.vote] = decision;
        m_voteTrace({round,
                     GetDeviceId(),
                     decision.vote,
                     decision.attempt,
                     decision.primary,
                     decision.proposal.clients,
                     decision.proposal.digest,
                     Simulator::Now()});
    }
    if (output.toAggregate)
    {
        Aggregate(round, *output.toAggregate);
    }
    if (output.outcome)
    {
        session.outcome = output.outcome;
        session.timer.Cancel();
        m_committeeTrace({round,
                          GetDeviceId(),
                          *output.outcome,
                          session.gradients,
                          session.missing,
                          session.member->GetCounters(),
                          session.member->GetRanking(),
                          session.scores});
        EnterPhase("wait");
        CheckDecided(round);
    }
}

std::function<FlatVector()>
CommitteeApplication::MakeAggregation(const std::vector<uint32_t>& set) const
{
    const auto heard = m_gradients.find(m_state.round);
    std::vector<FlatVector> gradients;
    std::vector<const float*> rows;
    std::vector<double> samples;
    for (const uint32_t client : set)
    {
        if (heard == m_gradients.end() || heard->second.count(client) == 0)
        {
            return nullptr;
        }
        const SignedVectorPayload& payload = *heard->second.at(client);
        gradients.push_back(payload.GetValues());
        rows.push_back(gradients.back()->data());
        samples.push_back(payload.GetLabel().samples);
    }
    return [model = m_state.model, gradients, rows, samples, rate = m_globalRate]() {
        return std::make_shared<const std::vector<float>>(
            ApplyGradients(*model, VectorStack(rows, model->size()), samples, rate));
    };
}

void
CommitteeApplication::Aggregate(uint32_t round, const std::vector<uint32_t>& set)
{
    struct Result
    {
        FlatVector model;
        Digest digest = {};
    };

    auto result = std::make_shared<Result>();
    const auto aggregate = MakeAggregation(set);
    const uint64_t flops =
        aggregate
            ? CountApplyFlops(m_state.model->size() * m_learner->GetMultiplicity(), set.size())
            : uint64_t{0};
    EnterPhase("aggregate");
    RunTask(
        flops,
        [aggregate, result]() {
            const FlatVector model = aggregate ? aggregate() : nullptr;
            if (model && AreFinite(*model))
            {
                result->model = model;
                result->digest = ComputeDigest(*model);
            }
        },
        [this, round, result]() {
            Session& session = m_sessions.at(round);
            session.result = result->model;
            session.digest = result->digest;
            const auto digest =
                result->model ? std::optional<Digest>(result->digest) : std::nullopt;
            const auto now = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
            if (session.outcome) // the others have decided without this member
            {
                CheckDecided(round);
                return;
            }
            EnterPhase("consensus");
            Apply(round, session.member->HandleResult(now, digest));
        });
}

void
CommitteeApplication::CheckDecided(uint32_t round)
{
    Session& session = m_sessions.at(round);
    if (round != GetRound() || session.outcome != ConsensusOutcome::AGREED || m_busy)
    {
        return;
    }
    const Decision& aggregation = session.decisions.at(CommitteeVote::AGGREGATION);
    if (!session.result || session.digest != aggregation.proposal.digest)
    {
        return; // the model has to come from another member
    }
    const auto& committee = m_state.committee;
    const auto place = [&committee](uint32_t member) {
        return static_cast<std::size_t>(
            std::lower_bound(committee.begin(), committee.end(), member) - committee.begin());
    };
    const std::size_t turn =
        (place(GetDeviceId()) + committee.size() - place(aggregation.primary)) % committee.size();
    State state;
    state.round = round + 1;
    state.modelRound = round + 1;
    state.model = session.result;
    state.committee = session.decisions.at(CommitteeVote::ELECTION).proposal.clients;
    m_decidedModel = state.model;
    m_decidedLabel = VectorLabel();
    m_decidedLabel.round = round + 1;
    m_decidedLabel.sender = GetDeviceId();
    m_decidedLabel.committee = state.committee;
    if (m_rule == QuorumRule::BYZANTINE)
    {
        for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
        {
            m_decidedLabel.proofs.push_back(*session.member->GetCommit(vote));
        }
    }
    if (turn < m_maxAttempts)
    {
        session.fallback = Simulator::Schedule(m_modelTimeout * static_cast<int64_t>(turn),
                                               &CommitteeApplication::BroadcastModel,
                                               this);
    }
    Advance(std::move(state));
}

void
CommitteeApplication::BroadcastModel()
{
    NS_LOG_FUNCTION(this << m_decidedLabel.round);
    SendOptions options(m_lossPolicy);
    options.priority = MODEL_PRIORITY;
    GetTransport()->Broadcast(
        MODEL,
        m_decidedLabel.round,
        std::make_shared<const SignedVectorPayload>(
            m_decidedLabel, m_decidedModel, *m_keys, m_learner->GetMultiplicity()),
        options);
}

void
CommitteeApplication::RepeatModel()
{
    m_repeatEvent.Cancel();
    if (!m_decidedModel || m_decidedLabel.round != m_state.modelRound)
    {
        return;
    }
    const double delay = boost::random::uniform_real_distribution<double>(
        0, m_modelTimeout.GetSeconds())(m_generator);
    m_repeatEvent =
        Simulator::Schedule(Seconds(delay), &CommitteeApplication::BroadcastModel, this);
}

void
CommitteeApplication::HandleModel(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning())
    {
        return;
    }
    const auto payload = std::static_pointer_cast<const SignedVectorPayload>(message.payload);
    const VectorLabel& label = payload->GetLabel();
    try
    {
        if (label.sender != message.sender || label.round == 0 || label.round > GetRounds())
        {
            throw PayloadError("a model of a round that this run does not have, or of another "
                               "sender");
        }
        CheckModel(*payload);
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    const auto session = m_sessions.find(label.round - 1);
    if (session != m_sessions.end())
    {
        session->second.fallback.Cancel();
    }
    if (label.round >= m_state.modelRound)
    {
        m_repeatEvent.Cancel();
    }
    const bool isComing = m_pending && m_pending->modelRound >= label.round;
    if (label.round > m_state.modelRound && !isComing)
    {
        State state;
        state.round = std::max(label.round, GetRound());
        state.modelRound = label.round;
        state.model = payload->GetValues();
        state.committee = label.committee;
        Advance(std::move(state));
    }
}

void
CommitteeApplication::CheckModel(const SignedVectorPayload& payload) const
{
    payload.Check(m_state.model->size(), *m_keys);
    const VectorLabel& label = payload.GetLabel();
    const bool isCommittee =
        label.committee.size() == m_committeeSize &&
        std::adjacent_find(label.committee.begin(),
                           label.committee.end(),
                           std::greater_equal<>()) == label.committee.end() &&
        std::includes(
            m_devices.begin(), m_devices.end(), label.committee.begin(), label.committee.end());
    if (!isCommittee)
    {
        throw PayloadError("a model with a committee that can be none");
    }
    // A device that has missed a model does not know whose word counts: it takes the next one on
    // the sender's.
    const bool mayHaveMissedOne = label.round > m_state.round + (m_state.IsAssumed() ? 0 : 1);
    if (label.round <= m_state.modelRound || mayHaveMissedOne)
    {
        return;
    }
    if (!Contains(m_state.committee, label.sender))
    {
        throw PayloadError("a model of a device that is not in the committee");
    }
    if (m_rule == QuorumRule::PAPER)
    {
        return;
    }
    const ConsensusOptions options = MakeOptions(label.round - 1, m_state.committee);
    bool isProven[COMMITTEE_VOTES] = {};
    for (const auto& proof : label.proofs)
    {
        const bool isElection = proof.vote == CommitteeVote::ELECTION;
        const bool fits = isElection ? proof.proposal.clients == label.committee
                                     : proof.proposal.digest == payload.GetDigest();
        isProven[isElection ? 1 : 0] |=
            fits && proof.round == options.round && IsCertified(proof, options, *m_keys);
    }
    if (!isProven[0] || !isProven[1])
    {
        throw PayloadError("a model without certificates of both votes");
    }
}

void
CommitteeApplication::Advance(State state)
{
    NS_LOG_FUNCTION(this << state.round);
    if (m_busy)
    {
        m_pending = std::move(state);
        return;
    }
    m_adversary.Withdraw();
    m_roundEvent.Cancel();
    m_gradientEvent.Cancel();
    m_collecting = false;
    for (auto it = m_sessions.begin(); it != m_sessions.end();)
    {
        // An agreed one stays for a round, to tell stragglers
        it->second.timer.Cancel();
        const bool stays =
            it->second.outcome == ConsensusOutcome::AGREED && it->first + 1 >= state.round;
        if (!stays)
        {
            it->second.fallback.Cancel();
        }
        it = stays ? std::next(it) : m_sessions.erase(it);
    }
    m_gradients.erase(m_gradients.begin(), m_gradients.lower_bound(state.round));
    m_early.erase(m_early.begin(), m_early.lower_bound(state.round));
    if (m_role != CommitteeRole::MEMBER)
    {
        CountMessages(state.IsAssumed() ? 0 : 1, 1);
    }
    const auto metrics = MakeMetrics();
    m_isBehind = false;
    m_state = std::move(state);
    if (m_state.round == GetRound())
    {
        TakeRole();
        return;
    }
    EndRound(metrics);
    while (IsRunning() && GetRound() < m_state.round)
    {
        EndRound(MakeMetrics());
    }
}

void
CommitteeApplication::HandleRoundTimeout()
{
    NS_LOG_FUNCTION(this << GetRound());
    RepeatModel();
    State state = m_state;
    ++state.round;
    Advance(std::move(state));
}

void
CommitteeApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_adversary.Withdraw();
    m_gradientEvent.Cancel();
    m_roundEvent.Cancel();
    m_repeatEvent.Cancel();
    for (auto& [round, session] : m_sessions)
    {
        session.timer.Cancel();
        session.fallback.Cancel();
    }
    m_sessions.clear();
    m_gradients.clear();
    m_early.clear();
    m_pending.reset();
    m_busy = false;
    m_collecting = false;
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
    m_role = CommitteeRole::IDLE;
    m_isBehind = true;
    RepeatModel();
    m_scores.reset();
    EnterPhase("idle");
    m_roundEvent =
        Simulator::Schedule(GetLongestRound(), &CommitteeApplication::HandleRoundTimeout, this);
}

} // namespace collab
} // namespace ns3
