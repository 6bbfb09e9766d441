/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-application.h"

#include "ns3/abort.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-processor.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CommitteeApplication");
NS_OBJECT_ENSURE_REGISTERED(CommitteeApplication);

namespace
{

constexpr const char* UPLOAD = "upload"; //!< the phase in which a client sends its gradient

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "accuracy of the round's model; nan if the device was idle"},
     &collab::Score::accuracy},
    {{"loss", "nat", "cross-entropy of the round's model; nan if the device was idle"},
     &collab::Score::loss}};

/// @return the steps of the training as one gradient, 0 for state beside the weights, as in the
/// gradient of one step: a global rate above the local one would make running variances negative
FlatVector
FindAccumulated(const std::vector<float>& before, const Learner& learner, double rate)
{
    std::vector<float> values = *PseudoGradient(before, *learner.GetWeights(), rate);
    const std::size_t trained = learner.GetParameterCount() / learner.GetMultiplicity();
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(trained), values.end(), 0.0F);
    return std::make_shared<const std::vector<float>>(std::move(values));
}

} // namespace

TypeId
CommitteeApplication::GetTypeId()
{
    using App = CommitteeApplication;
    static TypeId tid =
        AddSettings(TypeId("ns3::collab::CommitteeApplication")
                        .SetParent<LearningApplication>()
                        .SetGroupName("Collab")
                        .AddConstructor<App>())
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

bool
CommitteeApplication::IsBusy() const
{
    const auto processor = GetNode()->GetObject<Processor>();
    const bool isExchanging = GetPhase() == UPLOAD || GetPhase() == CommitteeNode::COLLECT;
    return processor->IsOn() && (processor->IsBusy() || isExchanging);
}

Columns<CommitteeApplication::Metrics>
CommitteeApplication::GetColumns() const
{
    const auto role = [](const Metrics& metrics) { return static_cast<uint32_t>(metrics.role); };
    Columns<Metrics> columns = {
        {"role", "", "what the device did: 0 idle, 1 training, 2 member of the committee", role},
        {"assumed",
         "",
         "1 if the device took the round before for abandoned, else 0",
         &Metrics::wasAssumed},
        {"loss", "nat", "mean loss of the own training; nan if it did not train", &Metrics::loss}};
    return std::move(columns) +
           GetEvaluations().MakeColumns(GetEvaluations().GetMeasures(MEASURES), &Metrics::scores);
}

void
CommitteeApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(GetLearner() && GetLearner()->GetWeights() && m_keys,
                        "CommitteeApplication on node "
                            << GetDeviceId() << ": it needs a Learner with weights and a KeyRing");
    NS_ABORT_MSG_UNLESS(m_devices.size() >= 2 * std::size_t{m_committeeSize},
                        "CommitteeApplication: " << m_devices.size()
                                                 << " devices for a committee of "
                                                 << m_committeeSize << " and its successors");
    SeedRetries(MakeSeed(DELAYS, GetDeviceId()));
    Listen();
    MakeNode();
}

Process
CommitteeApplication::Round()
{
    m_metrics = {};
    m_metrics.wasAssumed = m_isAssumed;
    if (!m_isLive)
    {
        Spawn(Live());
    }
    const std::function<bool()> isOver = [this]() { return m_reached > GetRound(); };
    co_await WaitUntil(isOver); // the node works meanwhile: see CommitteeWorker::Work()
    Report(m_metrics, GetColumns());
}

Process
CommitteeApplication::Live()
{
    /// Loses what is lost without power
    struct Power
    {
        CommitteeApplication& application; //!< of the device

        ~Power()
        {
            application.m_isLive = false;
            application.GetAdversary().Withdraw();
            application.m_node->Crash();
        }
    };

    const Power power{*this};
    m_isLive = true;
    if (m_isBack)
    {
        m_node->Resume();
    }
    else
    {
        m_node->Start();
        Disturb();
    }
    const std::function<bool()> never = []() { return false; };
    co_await WaitUntil(never);
}

ProcessOf<FlatVector>
CommitteeApplication::Train()
{
    struct Found
    {
        std::vector<collab::Score> scores; // of the round's model
        TrainReport report;
        bool isFinite = true;
        FlatVector gradient;
    };

    GetAdversary().Begin(GetRound());
    m_attacked.reset();
    const TrainTask task = MakeTask();
    const auto work = [learner = GetLearner(),
                       model = m_node->GetModel(),
                       evaluations = GetEvaluations(),
                       rate = m_localRate,
                       task]() {
        Found found;
        learner->SetWeights(model);
        found.scores = evaluations.Evaluate(*learner);
        found.report = learner->Train(task);
        found.isFinite = HasFiniteWeights(*learner);
        found.gradient = task.returnsGradient ? found.report.lastGradient
                                              : FindAccumulated(*model, *learner, rate);
        return found;
    };
    Found found = co_await Compute("", GetLearner()->CountTrainFlops(task), work);
    NoteTrained(found.isFinite);
    if (!m_node->IsOvertaken())
    {
        m_metrics.scores = std::make_shared<std::vector<collab::Score>>(std::move(found.scores));
        m_metrics.loss = found.report.localLoss;
        if (m_node->GetRole() == CommitteeRole::MEMBER)
        {
            PrepareToScore(found.gradient);
        }
    }
    co_return found.gradient;
}

GradientAdversary::Upload
CommitteeApplication::MakeUpload(FlatVector honest) const
{
    GradientAdversary::Upload upload;
    upload.round = GetRound();
    upload.honest = std::move(honest);
    upload.count = m_node->GetInbox().GetClients().size();
    upload.seed = MakeSeed(ATTACK + GetDeviceId(), GetRound());
    upload.target = GetAttackTarget();
    upload.model = m_node->GetModel();
    upload.step = -m_globalRate;
    return upload;
}

void
CommitteeApplication::PrepareToScore(const FlatVector& honest)
{
    if (!m_attackedScores)
    {
        GetAdversary().Tell(GetRound(), honest);
        return;
    }
    GradientAdversary::Upload upload = MakeUpload(honest);
    upload.isSent = false;
    GetAdversary().Forge(upload, [this](FlatVector attacked) { m_attacked = std::move(attacked); });
}

void
CommitteeApplication::Upload(const std::shared_ptr<const SignedGradient>& gradient)
{
    EnterPhase(UPLOAD);
    GetAdversary().Forge(MakeUpload(gradient->values), [this, gradient](FlatVector sent) {
        SignedGradient forged = *gradient;
        if (sent != gradient->values)
        {
            forged.values = std::move(sent);
            forged.Sign(*m_keys);
        }
        UploadSigned(std::move(forged));
    });
}

void
CommitteeApplication::UploadSigned(SignedGradient gradient)
{
    const auto& committee = m_node->GetChain().GetCommittee();
    const auto& clients = m_node->GetInbox().GetClients();
    gradient.repeats = GetLearner()->GetMultiplicity();
    const auto message = Pack(std::move(gradient));
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
        LearningApplication::Broadcast<SignedGradient>(
            message,
            SendOptions(GetLossPolicy(), [finished](const DeliveryReport&) { finished(true); }));
        return;
    }
    // Clients begin with different members, so that all members have all gradients at the same time
    const auto place = static_cast<std::size_t>(
        std::lower_bound(clients.begin(), clients.end(), GetDeviceId()) - clients.begin());
    for (std::size_t i = 0; i < committee.size(); ++i)
    {
        Post<SignedGradient>(committee[(place + i) % committee.size()], message, {}, finished);
    }
}

ProcessOf<ClientScores>
CommitteeApplication::Score(GradientsByClient gradients, FlatVector own)
{
    CountMessages(gradients.size(), m_node->GetInbox().GetClients().size());
    const uint64_t flops = gradients.size() * CountScoreFlops(CountElements());
    const auto work = [gradients, own = m_attacked ? m_attacked : own]() {
        ClientScores scores;
        if (AreFinite(*own)) // else it has diverged: it can tell of nobody how near he is
        {
            for (const auto& [client, gradient] : gradients)
            {
                scores[client] = ComputeScore(gradient->values->data(), own->data(), own->size());
            }
        }
        return scores;
    };
    co_return co_await Compute("", flops, work);
}

ProcessOf<MadeModel>
CommitteeApplication::Aggregate(GradientList gradients)
{
    const auto work =
        [model = m_node->GetModel(), gradients, rate = m_globalRate, most = m_mostWeight]() {
            MadeModel made;
            auto values =
                std::make_shared<const std::vector<float>>(ApplyAll(*model, gradients, rate, most));
            if (AreFinite(*values))
            {
                made.digest = ComputeDigest(*values);
                made.values = std::move(values);
            }
            return made;
        };
    co_return co_await Compute("", CountApplyFlops(CountElements(), gradients.size()), work);
}

void
CommitteeApplication::ReachRound(uint32_t round, CommitteeRole role)
{
    NS_LOG_FUNCTION(this << round);
    if (round <= GetRound())
    {
        return;
    }
    GetAdversary().Withdraw();
    m_isAssumed = m_node->IsAssumed();
    if (role != CommitteeRole::MEMBER)
    {
        CountMessages(m_isAssumed ? 0 : 1, 1);
    }
    m_metrics.role = role;
    m_reached = round;
    CheckWaits(); // the present round ends, and those that the device has missed
    Disturb();
}

void
CommitteeApplication::TellDecision(uint32_t round, const Decision& decision)
{
    m_voteTrace({decision, round, GetDeviceId(), Simulator::Now()});
}

void
CommitteeApplication::GiveUp()
{
    NS_LOG_INFO("device " << GetDeviceId() << " gives up in round " << GetRound());
    m_hasGivenUp = true;
    StopForGood();
}

void
CommitteeApplication::DoResume()
{
    NS_LOG_FUNCTION(this << GetRound());
    m_isBack = true;
}

} // namespace ns3::collab
