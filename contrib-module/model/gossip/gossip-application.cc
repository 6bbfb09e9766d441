/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iterator>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(GossipApplication);

namespace
{

constexpr uint8_t CONTROL_PRIORITY = 1; //!< of small messages: before weights

} // namespace

TypeId
GossipApplication::GetTypeId()
{
    using App = GossipApplication;
    const auto common = [](TypeId type) {
        return AddRetries(AddPartialLossPolicy(AddTraining(type), LossPolicy::RELIABLE));
    };
    static TypeId tid =
        common(TypeId("ns3::collab::GossipApplication")
                   .SetParent<LearningApplication>()
                   .SetGroupName("Collab"))
            .AddAttribute("MaxSamples",
                          "Greatest data size that a peer is believed to have.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&App::m_maxSamples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("Exchange",
                            "A model or part that the device wanted has come, or has not in time.",
                            MakeTraceSourceAccessor(&App::m_exchangeTrace),
                            "ns3::collab::GossipApplication::ExchangeTracedCallback");
    return tid;
}

void
GossipApplication::SetFederation(std::shared_ptr<const std::vector<uint32_t>> devices,
                                 uint64_t seed)
{
    m_devices = std::move(devices);
    m_seed = seed;
}

FlatVector
GossipApplication::GetModel() const
{
    return GetLearner() ? GetLearner()->GetWeights() : nullptr;
}

Time
GossipApplication::GetTrainingDuration(uint32_t round) const
{
    const bool isTraining = IsRunning() && m_trainingRound && *m_trainingRound <= round;
    return isTraining ? m_trainingDuration : Time();
}

Columns<GossipApplication::Metrics>
GossipApplication::GetColumns() const
{
    return Columns<Metrics>{{"merged",
                             "",
                             "models or parts of others that the device has merged",
                             &Metrics::merged},
                            {"missing",
                             "",
                             "models or parts that it wanted and did not get in time",
                             &Metrics::missing},
                            {"local_loss",
                             "nat",
                             "cross-entropy on the own samples, mean over the last epoch; NaN if "
                             "it did not train",
                             &Metrics::loss}} +
           GetEvaluations().MakeColumns(GetEvaluations().GetMeasures(GetCommonMeasures()),
                                        &Metrics::scores);
}

std::vector<Metric>
GossipApplication::GetMetrics() const
{
    return DescribeMetrics(GetColumns());
}

void
GossipApplication::DoStart()
{
    NS_ABORT_MSG_UNLESS(GetModel() && GetSamples() > 0,
                        "GossipApplication on node "
                            << GetDeviceId() << ": needs a learner with weights, and samples");
    NS_ABORT_MSG_UNLESS(m_devices && m_devices->size() >= 2 &&
                            std::binary_search(m_devices->begin(), m_devices->end(), GetDeviceId()),
                        "GossipApplication on node " << GetDeviceId()
                                                     << ": needs the devices, itself among them");
    m_dimension = GetModel()->size();
    SeedRetries(SplitMix64(SplitMix64(m_seed) + GetDeviceId()));
}

void
GossipApplication::DoResume()
{
    m_awaited.clear();
    m_trainingRound.reset();
}

bool
GossipApplication::IsAnswering() const
{
    return IsRunning() || IsFinished();
}

void
GossipApplication::CheckSender(uint32_t sender, uint32_t round) const
{
    Require<PayloadError>(round < GetRounds() && IsPeer(sender),
                          "no message of a peer for a round of this run");
}

Process
GossipApplication::TrainLocally()
{
    TrainTask task = MakeTask();
    task.dropsOptimizer = ResetsOptimizer(); // the next training begins without
    m_trainingRound = GetRound();
    m_trainingDuration =
        GetNode()->GetObject<Processor>()->GetDuration(GetLearner()->CountTrainFlops(task));
    Trained trained = co_await Train(task);
    m_metrics.loss = trained.report.localLoss;
    m_metrics.scores = std::make_shared<std::vector<Score>>(std::move(trained.scores));
    m_trainingRound.reset();
}

Process
GossipApplication::Merge(uint64_t flops, std::function<std::vector<float>()> work)
{
    const auto merge = [learner = GetLearner(), evaluations = GetEvaluations(), work]() {
        auto merged = std::make_shared<const std::vector<float>>(work());
        if (AreFinite(*merged))
        {
            learner->SetWeights(std::move(merged));
        }
        return evaluations.Evaluate(*learner);
    };
    m_metrics.scores =
        std::make_shared<std::vector<Score>>(co_await Compute("merge", flops, merge));
}

void
GossipApplication::ForgetScores()
{
    m_metrics.scores.reset();
}

void
GossipApplication::ReportRound()
{
    Report(m_metrics, GetColumns());
    const auto scores = m_metrics.scores; // which last as long as the model
    m_metrics = {};
    m_metrics.scores = scores;
}

void
GossipApplication::NoteExchange(uint32_t peer,
                                uint32_t part,
                                bool received,
                                const std::string& timeout)
{
    received ? ++m_metrics.merged : ++m_metrics.missing;
    CountMessages(received ? 1 : 0, 1);
    m_exchangeTrace({GetRound(), GetDeviceId(), peer, part, received, Simulator::Now(), timeout});
}

SendOptions
GossipApplication::MakeControlOptions() const
{
    SendOptions options(GetLossPolicy());
    options.priority = CONTROL_PRIORITY;
    return options;
}

DeliverOptions
GossipApplication::MakeControlDelivery(uint32_t round, std::function<bool()> wanted)
{
    DeliverOptions options;
    options.round = round;
    options.priority = CONTROL_PRIORITY;
    options.wanted = std::move(wanted);
    return options;
}

void
GossipApplication::MissAwaited(const std::string& timeout)
{
    for (const auto& [peer, part] : std::exchange(m_awaited, {}))
    {
        NoteExchange(peer, part, false, timeout);
    }
}

const std::vector<uint32_t>&
GossipApplication::GetDevices() const
{
    return *m_devices;
}

bool
GossipApplication::IsPeer(uint32_t device) const
{
    return device != GetDeviceId() &&
           std::binary_search(m_devices->begin(), m_devices->end(), device);
}

std::vector<uint32_t>
GossipApplication::ListPeers() const
{
    std::vector<uint32_t> peers;
    std::remove_copy(
        m_devices->begin(), m_devices->end(), std::back_inserter(peers), GetDeviceId());
    return peers;
}

uint32_t
GossipApplication::DrawLeader(uint32_t round) const
{
    return DrawDevice(*m_devices, m_seed, round);
}

std::size_t
GossipApplication::GetNumbers() const
{
    return m_dimension * GetLearner()->GetMultiplicity();
}

GossipSegment
GossipApplication::GetWeightsOf(const GossipSegment& numbers) const
{
    const std::size_t multiplicity = GetLearner()->GetMultiplicity();
    const std::size_t count = (numbers.count + multiplicity - 1) / multiplicity;
    return {std::min(numbers.first / multiplicity, m_dimension - count), count};
}

} // namespace ns3::collab
