/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-user-application.h"

#include "ns3/abort.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("BeliefUserApplication");
NS_OBJECT_ENSURE_REGISTERED(BeliefUserApplication);

namespace
{

constexpr auto NO_MEANS = MissingBeliefPolicy::SELF; //!< whose own numbers stand in

/// @brief Weigh distant beliefs less.
/// @param model of the user
/// @param radius of the attribute ClipRadius
/// @param[in,out] beliefs the user's own first
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

/// @param told a belief
/// @return whether some of its numbers have not come
bool
HasGaps(const WeightedBelief& told)
{
    return std::any_of(
        told.belief->begin(), told.belief->end(), [](double number) { return std::isnan(number); });
}

/// @param row weights of beliefs
/// @param shares see CompleteBeliefs()
/// @return weights in force
std::vector<double>
Multiply(const std::vector<double>& row, const Matrix<double>& shares)
{
    std::vector<double> product(row.size());
    for (std::size_t k = 0; k < row.size(); ++k)
    {
        for (std::size_t j = 0; j < row.size(); ++j)
        {
            product[j] += row[k] * shares(k, j);
        }
    }
    return product;
}

} // namespace

TypeId
BeliefUserApplication::GetTypeId()
{
    using App = BeliefUserApplication;
    static TypeId tid =
        AddPartialLossPolicy(TypeId("ns3::collab::BeliefUserApplication")
                                 .SetParent<CollaborationApplication>()
                                 .SetGroupName("Collab"),
                             LossPolicy::BEST_EFFORT)
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

Columns<BeliefUserApplication::Metrics>
BeliefUserApplication::GetColumns() const
{
    Columns<Metrics> columns;
    for (const auto& metric : CheckModel().GetMetrics())
    {
        const auto read = [i = columns.Describe().size()](const Metrics& metrics) {
            constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
            return metrics.values.empty() ? NONE : metrics.values[i];
        };
        columns.Add({metric.name, metric.unit, metric.meaning, read});
    }
    columns.Add({"diverged",
                 "",
                 "1 if an update or a pool was undone, as it was no belief, or 0",
                 &Metrics::isUndone});
    return std::move(columns) + GetOwnColumns();
}

std::vector<Metric>
BeliefUserApplication::GetMetrics() const
{
    return DescribeMetrics(GetColumns());
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
    NS_ABORT_MSG_UNLESS(!UsesParts() || model.HasUnits(),
                        "BeliefUserApplication on node "
                            << GetDeviceId()
                            << ": parts of its family's beliefs are of no use; set LossPolicy to "
                               "BestEffort or Reliable");
    On<PublicBelief>([this](const Received<PublicBelief>& message) { HandleMessage(message); },
                     MakeShape());
}

PublicBelief
BeliefUserApplication::MakeShape() const
{
    PublicBelief shape({}, GetWirePrecision());
    shape.degree = m_degree;
    shape.shares = m_shares;
    return shape;
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
BeliefUserApplication::HandleMessage(const Received<PublicBelief>& message)
{
    if (std::find(m_devices.begin(), m_devices.end(), message.sender) == m_devices.end())
    {
        return; // a broadcast reaches all in range
    }
    Require<PayloadError>(message.round < GetRounds(),
                          "a belief of an instant that this run does not have");
    try
    {
        HandleBelief(message, ReadBelief(message));
    }
    catch (const ImproperBelief& error)
    {
        throw PayloadError(error.what());
    }
}

Belief
BeliefUserApplication::ReadBelief(const Received<PublicBelief>& message) const
{
    const Arrival& arrived = message->arrived;
    if (arrived.IsWhole())
    {
        const Belief numbers(message.body, &message->numbers); // keeps the message
        return m_model->FromSharedWire(numbers);
    }
    Require<PayloadError>(arrived.sent == m_model->GetWireCount() && m_model->HasUnits(),
                          "a part of {} numbers is no part of a belief",
                          arrived.sent);
    std::vector<double> all = m_model->ToWire(m_model->GetPrior());
    std::vector<double> come(all.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < arrived.units.size(); ++i)
    {
        all[arrived.units[i]] = come[arrived.units[i]] = message->numbers[i];
    }
    m_model->FromWire(all); // which refuses what is not proper
    return std::make_shared<const std::vector<double>>(std::move(come));
}

ProcessOf<Belief>
BeliefUserApplication::Update(Belief prior, bool measures)
{
    const bool isTelling = m_listeners && !m_listeners->empty() && m_lie != BeliefLie::SILENCE;
    const auto update = [=,
                         model = m_model,
                         instant = GetRound(),
                         lie = m_lie,
                         strength = m_lieStrength,
                         influence = m_shares.empty() ? 0 : m_shares[GetDeviceId()],
                         shape = MakeShape()]() {
        Result result;
        if (influence > 0)
        {
            model->SetInfluence(influence);
        }
        result.belief = model->Update(prior, instant);
        result.isUndone = !model->IsProper(result.belief);
        if (result.isUndone)
        {
            result.belief = prior;
        }
        if (isTelling)
        {
            PublicBelief told(lie == BeliefLie::NONE ? model->ToWire(result.belief)
                                                     : model->Forge(lie, strength, result.belief),
                              shape.precision);
            told.degree = shape.degree;
            told.shares = shape.shares;
            result.message = Pack(std::move(told));
        }
        if (measures)
        {
            result.values = model->Evaluate(result.belief);
        }
        return result;
    };
    const Result result = co_await Compute(
        "update", m_model->CountUpdateFlops(GetRound()), update, m_model->IsLight());
    TakeResult(result);
    m_message = result.message;
    co_return result.belief;
}

ProcessOf<BeliefUserApplication::Pooled>
BeliefUserApplication::Pool(std::vector<WeightedBelief> beliefs,
                            MissingBeliefPolicy missing,
                            bool measures)
{
    const bool isAlone = beliefs.size() == 1;
    const bool isPartial =
        UsesParts() && std::any_of(beliefs.begin(), beliefs.end(), HasGaps); // else without a look
    const bool isClipping = m_pooling == BeliefPooling::CLIPPED && !isAlone;
    const auto pool = [=, model = m_model, pooling = m_pooling, radius = m_clipRadius]() {
        auto pooled = beliefs;
        const auto shares = isPartial ? CompleteBeliefs(pooled, missing) : Matrix<double>();
        if (isClipping)
        {
            Clip(*model, radius, pooled);
        }
        const BeliefPooling rule = isAlone ? pooling : model->ChooseWeights(pooled, pooling);
        Result result;
        result.belief = isAlone ? pooled[0].belief : model->Pool(pooled, rule);
        result.isUndone = !model->IsProper(result.belief);
        for (std::size_t i = 0; i < pooled.size(); ++i)
        {
            const double alone = i == 0 ? 1 : 0;
            result.weights.push_back(result.isUndone ? alone : pooled[i].weight);
        }
        if (isPartial && !result.isUndone)
        {
            result.weights = Multiply(result.weights, shares);
        }
        if (result.isUndone)
        {
            result.belief = pooled[0].belief;
        }
        if (measures)
        {
            result.values = model->Evaluate(result.belief);
        }
        return result;
    };
    const uint64_t flops = CountPoolFlops(beliefs.size(), isPartial ? missing : NO_MEANS);
    const Result result = co_await Compute("pool", flops, pool, m_model->IsLight());
    TakeResult(result);
    co_return Pooled{result.belief, result.weights};
}

uint64_t
BeliefUserApplication::CountPoolFlops(std::size_t beliefs, MissingBeliefPolicy missing) const
{
    if (beliefs == 1)
    {
        return 0;
    }
    const uint64_t distances = m_pooling == BeliefPooling::CLIPPED ? beliefs - 1 : 0;
    // Means of what has come: products, sums and sums of weights of each number, and a quotient
    const uint64_t means = missing == NO_MEANS ? 0 : 3 * beliefs * m_model->GetWireCount();
    const uint64_t shares = (2 * beliefs - 1) * m_shares.size();
    return m_model->CountPoolFlops(beliefs, m_pooling) + distances * m_model->CountDistanceFlops() +
           means + shares;
}

Time
BeliefUserApplication::GetPoolDuration(std::size_t beliefs, MissingBeliefPolicy missing) const
{
    return GetNode()->GetObject<Processor>()->GetDuration(
        CountPoolFlops(beliefs, UsesParts() ? missing : NO_MEANS));
}

bool
BeliefUserApplication::UsesParts() const
{
    return GetLossPolicy() == LossPolicy::PARTIAL ||
           GetLossPolicy() == LossPolicy::PARTIAL_RELIABLE;
}

void
BeliefUserApplication::TakeResult(const Result& result)
{
    if (result.isUndone)
    {
        NS_LOG_WARN("device " << GetDeviceId() << ", instant " << GetRound()
                              << ": what came out is no belief, and is undone");
        m_metrics.isUndone = true;
    }
    if (!result.values.empty())
    {
        m_metrics.values = result.values;
    }
}

void
BeliefUserApplication::Tell(Time deadline)
{
    if (m_message)
    {
        SendOptions options(GetLossPolicy());
        options.deadline = deadline;
        if (GetLossPolicy() == LossPolicy::RELIABLE ||
            GetLossPolicy() == LossPolicy::PARTIAL_RELIABLE)
        {
            Multicast(m_listeners, m_message, options);
            return;
        }
        Broadcast(m_message, options);
    }
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
BeliefUserApplication::ReportInstant()
{
    if (m_beliefInterval > 0 && (GetRound() + 1) % m_beliefInterval == 0)
    {
        m_beliefTrace({GetRound(), GetDeviceId(), Simulator::Now(), m_model->Describe(m_belief)});
    }
    m_undone += m_metrics.isUndone ? 1 : 0;
    Report(std::exchange(m_metrics, {}), GetColumns());
}

} // namespace ns3::collab
