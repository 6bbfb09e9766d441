/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-user-application.h"

#include "belief-consensus-effective-weights.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("BeliefUserApplication");
NS_OBJECT_ENSURE_REGISTERED(BeliefUserApplication);

namespace
{

constexpr uint16_t BELIEF = 1; //!< kind of messages

/**
 * @brief Weigh distant beliefs less.
 *
 * @param model of the user
 * @param radius of the attribute ClipRadius
 * @param[in,out] beliefs the user's own first
 */
void
Clip(const BeliefModel& model, double radius, std::vector<WeightedBelief>& beliefs)
{
    std::vector<double> weights;
    std::vector<double> distances;
    for (const auto& [belief, weight] : beliefs)
    {
        if (!weights.empty())
        {
            distances.push_back(model.GetDistance(beliefs[0].belief, belief));
        }
        weights.push_back(weight);
    }
    ClipWeights(weights, distances, radius);
    for (std::size_t i = 0; i < beliefs.size(); ++i)
    {
        beliefs[i].weight = weights[i];
    }
}

} // namespace

/// What a job has made
struct BeliefUserApplication::Result
{
    Belief belief;                          //!< b, or the pool; proper
    std::shared_ptr<const Payload> payload; //!< what to tell, after an update
    std::vector<double> weights;            //!< in force in a pool
    std::vector<double> values;             //!< what was measured, if anything
    bool isUndone = false;                  //!< whether what came out was not proper
};

TypeId
BeliefUserApplication::GetTypeId()
{
    using App = BeliefUserApplication;
    static TypeId tid =
        TypeId("ns3::collab::BeliefUserApplication")
            .SetParent<CollaborationApplication>()
            .SetGroupName("Collab")
            .AddAttribute(
                "LossPolicy",
                "What the radio does about lost beliefs; Reliable: ARQ.",
                compat::EnumAttribute(LossPolicy::BEST_EFFORT),
                compat::EnumAccessor(&App::m_lossPolicy),
                compat::EnumChecker(
                    LossPolicy::BEST_EFFORT, "BestEffort", LossPolicy::RELIABLE, "Reliable"))
            .AddAttribute("Precision",
                          "How the numbers of beliefs are sent; Family: networks in single "
                          "precision, others in double. The same on all devices.",
                          compat::EnumAttribute(BeliefPrecision::FAMILY),
                          compat::EnumAccessor(&App::m_precision),
                          compat::EnumChecker(BeliefPrecision::FAMILY,
                                              "Family",
                                              BeliefPrecision::FLOAT32,
                                              "Float32",
                                              BeliefPrecision::FLOAT64,
                                              "Float64"))
            .AddAttribute("Pooling",
                          "How beliefs are merged.",
                          compat::EnumAttribute(BeliefPooling::LOGARITHMIC),
                          compat::EnumAccessor(&App::m_pooling),
                          compat::EnumChecker(BeliefPooling::LOGARITHMIC,
                                              "Logarithmic",
                                              BeliefPooling::CLIPPED,
                                              "Clipped",
                                              BeliefPooling::MOMENT,
                                              "Moment",
                                              BeliefPooling::WASSERSTEIN,
                                              "Wasserstein",
                                              BeliefPooling::COVARIANCE_INTERSECTION,
                                              "CovarianceIntersection"))
            .AddAttribute("ClipRadius",
                          "With Pooling Clipped, distance from the own belief up to which another "
                          "one has its full weight; see BeliefModel::GetDistance().",
                          DoubleValue(std::numeric_limits<double>::max()),
                          MakeDoubleAccessor(&App::m_clipRadius),
                          MakeDoubleChecker<double>(std::numeric_limits<double>::min()))
            .AddAttribute("Lie",
                          "What the user tells instead of its belief.",
                          compat::EnumAttribute(BeliefLie::NONE),
                          compat::EnumAccessor(&App::m_lie),
                          compat::EnumChecker(BeliefLie::NONE,
                                              "None",
                                              BeliefLie::WRONG,
                                              "Wrong",
                                              BeliefLie::OVERCONFIDENT,
                                              "Overconfident",
                                              BeliefLie::VETO,
                                              "Veto",
                                              BeliefLie::NOT_A_NUMBER,
                                              "NotANumber",
                                              BeliefLie::NEGATIVE_PRECISION,
                                              "NegativePrecision",
                                              BeliefLie::SILENCE,
                                              "Silence"))
            .AddAttribute("LieStrength",
                          "Of a wrong belief in nats, of an overconfident one as a factor.",
                          DoubleValue(10.0),
                          MakeDoubleAccessor(&App::m_lieStrength),
                          MakeDoubleChecker<double>(std::numeric_limits<double>::min()))
            .AddAttribute("EvaluationInterval",
                          "Instants from one measurement of the belief to the next; it is measured "
                          "at the end of the last one too, and its metrics are NaN in others.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&App::m_evaluationInterval),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BeliefInterval",
                          "Instants from one trace Belief to the next; 0 for none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_beliefInterval),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Weights",
                            "The weights that were in force when the user pooled beliefs.",
                            MakeTraceSourceAccessor(&App::m_weightsTrace),
                            "ns3::collab::BeliefUserApplication::WeightsTracedCallback")
            .AddTraceSource("Belief",
                            "Parameters of the user's private belief.",
                            MakeTraceSourceAccessor(&App::m_beliefTrace),
                            "ns3::collab::BeliefUserApplication::BeliefTracedCallback");
    return tid;
}

BeliefUserApplication::BeliefUserApplication() = default;

void
BeliefUserApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    CollaborationApplication::DoDispose(); // waits for a job that uses the model
    m_model.reset();
    m_belief.reset();
    m_payload.reset();
}

void
BeliefUserApplication::SetModel(std::shared_ptr<BeliefModel> model)
{
    m_model = std::move(model);
    m_belief = m_model->GetPrior();
}

void
BeliefUserApplication::SetNeighbors(std::vector<uint32_t> devices,
                                    std::vector<double> weights,
                                    std::vector<uint32_t> listeners)
{
    constexpr double ROUNDING = 1e-9;
    NS_ABORT_MSG_UNLESS(weights.empty() || weights.size() == devices.size(),
                        "BeliefUserApplication::SetNeighbors: "
                            << weights.size() << " weights of " << devices.size()
                            << " neighbors; give one for each, or none");
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    NS_ABORT_MSG_UNLESS(
        sum <= 1 + ROUNDING &&
            std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0; }),
        "BeliefUserApplication::SetNeighbors: weights that sum to "
            << sum << ", expected numbers that are not negative with a sum of at most 1");
    m_devices = std::move(devices);
    m_weights = std::move(weights);
    m_listeners = std::make_shared<const std::vector<uint32_t>>(std::move(listeners));
}

Belief
BeliefUserApplication::GetBelief() const
{
    return m_belief;
}

bool
BeliefUserApplication::IsHonest() const
{
    return m_lie == BeliefLie::NONE;
}

uint32_t
BeliefUserApplication::CountUndone() const
{
    return m_undone;
}

BeliefModel&
BeliefUserApplication::CheckModel() const
{
    NS_ABORT_MSG_UNLESS(m_model,
                        "BeliefUserApplication on node " << GetDeviceId() << ": needs a model");
    return *m_model;
}

std::vector<Metric>
BeliefUserApplication::GetMetrics() const
{
    std::vector<Metric> metrics = CheckModel().GetMetrics();
    metrics.push_back(
        {"diverged", "", "1 if an update or a pool was undone, as it was no belief, or 0"});
    const auto own = GetOwnMetrics();
    metrics.insert(metrics.end(), own.begin(), own.end());
    return metrics;
}

void
BeliefUserApplication::DoStart()
{
    const BeliefModel& model = CheckModel();
    NS_ABORT_MSG_IF(std::find(m_devices.begin(), m_devices.end(), GetDeviceId()) != m_devices.end(),
                    "BeliefUserApplication on node " << GetDeviceId()
                                                     << ": is no neighbor of itself");
    NS_ABORT_MSG_UNLESS(model.IsProper(m_belief),
                        "BeliefUserApplication on node " << GetDeviceId()
                                                         << ": the prior is no distribution");
    for (const auto& metric : GetMetrics())
    {
        m_metricNames.push_back(metric.name);
    }
    GetTransport()->RegisterKind(
        BELIEF,
        "belief",
        [precision = GetWirePrecision()](const uint8_t* bytes, std::size_t size) {
            return BeliefPayload::Parse(bytes, size, precision);
        },
        [this](const Message& message) { HandleMessage(message); });
}

BeliefPrecision
BeliefUserApplication::GetWirePrecision() const
{
    if (m_precision != BeliefPrecision::FAMILY)
    {
        return m_precision;
    }
    return m_model->IsDouble() ? BeliefPrecision::FLOAT64 : BeliefPrecision::FLOAT32;
}

void
BeliefUserApplication::HandleMessage(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    const bool isNeighbor =
        std::find(m_devices.begin(), m_devices.end(), message.sender) != m_devices.end();
    if (!IsRunning() || !isNeighbor) // a broadcast reaches all in range
    {
        return;
    }
    try
    {
        const auto payload = std::dynamic_pointer_cast<const BeliefPayload>(message.payload);
        if (!payload || payload->GetPrecision() != GetWirePrecision())
        {
            throw PayloadError("no belief in the precision of this run");
        }
        if (message.round >= GetRounds())
        {
            throw PayloadError("a belief of an instant that this run does not have");
        }
        const Belief numbers(payload, &payload->GetNumbers()); // keeps the payload
        HandleBelief(message, m_model->FromSharedWire(numbers));
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
    }
    catch (const ImproperBelief& error)
    {
        GetTransport()->Reject(error.what());
    }
}

void
BeliefUserApplication::Update(const Belief& prior,
                              bool measures,
                              std::function<void(const Belief&)> done)
{
    EnterPhase("update");
    auto result = std::make_shared<Result>();
    const bool isTelling = m_listeners && !m_listeners->empty() && m_lie != BeliefLie::SILENCE;
    RunJob(
        m_model->CountUpdateFlops(GetRound()),
        [=,
         model = m_model,
         instant = GetRound(),
         lie = m_lie,
         strength = m_lieStrength,
         precision = GetWirePrecision()]() {
            result->belief = model->Update(prior, instant);
            result->isUndone = !model->IsProper(result->belief);
            if (result->isUndone)
            {
                result->belief = prior;
            }
            if (isTelling)
            {
                result->payload = std::make_shared<const BeliefPayload>(
                    lie == BeliefLie::NONE ? model->ToWire(result->belief)
                                           : model->Forge(lie, strength, result->belief),
                    precision);
            }
            if (measures)
            {
                result->values = model->Evaluate(result->belief);
            }
        },
        [this, result, done = std::move(done)]() {
            TakeResult(*result);
            m_payload = result->payload;
            done(result->belief);
        },
        m_model->IsLight());
}

void
BeliefUserApplication::Pool(std::vector<WeightedBelief> beliefs,
                            bool measures,
                            std::function<void(const Belief&, const std::vector<double>&)> done)
{
    EnterPhase("pool");
    const bool isAlone = beliefs.size() == 1;
    const bool isClipping = m_pooling == BeliefPooling::CLIPPED && !isAlone;
    const uint64_t flops = CountPoolFlops(beliefs.size());
    auto result = std::make_shared<Result>();
    RunJob(
        flops,
        [=,
         model = m_model,
         pooling = m_pooling,
         radius = m_clipRadius,
         pooled = std::move(beliefs)]() mutable {
            if (isClipping)
            {
                Clip(*model, radius, pooled);
            }
            const BeliefPooling rule = isAlone ? pooling : model->ChooseWeights(pooled, pooling);
            result->belief = isAlone ? pooled[0].belief : model->Pool(pooled, rule);
            result->isUndone = !model->IsProper(result->belief);
            for (std::size_t i = 0; i < pooled.size(); ++i)
            {
                const double alone = i == 0 ? 1 : 0;
                result->weights.push_back(result->isUndone ? alone : pooled[i].weight);
            }
            if (result->isUndone)
            {
                result->belief = pooled[0].belief;
            }
            if (measures)
            {
                result->values = model->Evaluate(result->belief);
            }
        },
        [this, result, done = std::move(done)]() {
            TakeResult(*result);
            done(result->belief, result->weights);
        },
        m_model->IsLight());
}

uint64_t
BeliefUserApplication::CountPoolFlops(std::size_t beliefs) const
{
    if (beliefs == 1)
    {
        return 0;
    }
    const uint64_t distances = m_pooling == BeliefPooling::CLIPPED ? beliefs - 1 : 0;
    return m_model->CountPoolFlops(beliefs, m_pooling) + distances * m_model->CountDistanceFlops();
}

Time
BeliefUserApplication::GetPoolDuration(std::size_t beliefs) const
{
    return GetNode()->GetObject<Processor>()->GetDuration(CountPoolFlops(beliefs));
}

void
BeliefUserApplication::TakeResult(const Result& result)
{
    if (result.isUndone)
    {
        NS_LOG_WARN("device " << GetDeviceId() << ", instant " << GetRound()
                              << ": what came out is no belief, and is undone");
        m_diverged = true;
    }
    if (!result.values.empty())
    {
        m_values = result.values;
    }
}

void
BeliefUserApplication::Tell(Time deadline)
{
    if (m_payload)
    {
        SendOptions options(m_lossPolicy);
        options.deadline = deadline;
        if (m_lossPolicy == LossPolicy::RELIABLE)
        {
            GetTransport()->Multicast(m_listeners, {BELIEF, GetRound(), m_payload}, options);
            return;
        }
        GetTransport()->Broadcast({BELIEF, GetRound(), m_payload}, options);
    }
}

void
BeliefUserApplication::SetBelief(Belief belief)
{
    m_belief = std::move(belief);
}

const std::vector<uint32_t>&
BeliefUserApplication::GetDevices() const
{
    return m_devices;
}

std::vector<double>
BeliefUserApplication::GetWeights() const
{
    if (!m_weights.empty())
    {
        return m_weights;
    }
    std::vector<double> weights;
    for (const uint32_t device : m_devices)
    {
        const auto quality = GetTransport()->GetLinkQuality(device);
        weights.push_back(quality ? 1 - quality->outageProbability : 0.0);
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 1.0);
    for (double& weight : weights)
    {
        weight /= sum;
    }
    return weights;
}

void
BeliefUserApplication::TraceWeights(std::vector<BeliefWeightsRecord::Entry> entries)
{
    m_weightsTrace({GetRound(), GetDeviceId(), Simulator::Now(), std::move(entries)});
}

bool
BeliefUserApplication::IsMeasuring() const
{
    const uint32_t done = GetRound() + 1;
    return done % m_evaluationInterval == 0 || done == GetRounds();
}

void
BeliefUserApplication::EndInstant(const std::vector<double>& own)
{
    if (m_beliefInterval > 0 && (GetRound() + 1) % m_beliefInterval == 0)
    {
        m_beliefTrace({GetRound(), GetDeviceId(), Simulator::Now(), m_model->Describe(m_belief)});
    }
    std::vector<double> values = m_values;
    values.resize(m_metricNames.size() - 1 - own.size(), std::numeric_limits<double>::quiet_NaN());
    values.push_back(m_diverged ? 1 : 0);
    values.insert(values.end(), own.begin(), own.end());
    m_values.clear();
    m_undone += m_diverged ? 1 : 0;
    m_diverged = false;
    std::vector<std::pair<std::string, double>> metrics;
    for (const std::string& name : m_metricNames)
    {
        metrics.emplace_back(name, values[metrics.size()]);
    }
    EndRound(std::move(metrics));
}

} // namespace collab
} // namespace ns3
