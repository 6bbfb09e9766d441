/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-network.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-metrics.h"
#include "ns3/collab-random.h"
#include "ns3/collab-regression-score.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ns3::collab
{

namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< nothing was measured

/// @param weights of a learner
/// @return the same, exactly
Belief
ToBelief(const std::vector<float>& weights)
{
    return std::make_shared<const std::vector<double>>(weights.begin(), weights.end());
}

/// @param classes scores of all classes
/// @param labels those asked for
/// @param isAmong whether the classes are those or all others
/// @return fraction of their samples that is labelled right; NaN if there are none
double
AccuracyOf(const std::vector<ClassScore>& classes, const std::vector<int64_t>& labels, bool isAmong)
{
    uint64_t right = 0;
    uint64_t samples = 0;
    for (std::size_t label = 0; label < classes.size(); ++label)
    {
        const auto found = std::find(labels.begin(), labels.end(), static_cast<int64_t>(label));
        if ((found != labels.end()) == isAmong)
        {
            right += classes[label].right;
            samples += classes[label].samples;
        }
    }
    return samples > 0 ? static_cast<double>(right) / static_cast<double>(samples) : NONE;
}

/// @param probabilities predicted for samples
/// @param labels of these
/// @param seen labels that do not matter
/// @return those of other labels
std::pair<Matrix<float>, std::vector<int64_t>>
SelectUnseen(const Matrix<float>& probabilities,
             const std::vector<int64_t>& labels,
             const std::vector<int64_t>& seen)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < labels.size(); ++row)
    {
        if (std::find(seen.begin(), seen.end(), labels[row]) == seen.end())
        {
            rows.push_back(row);
        }
    }
    std::pair<Matrix<float>, std::vector<int64_t>> unseen;
    unseen.first = Matrix<float>(rows.size(), probabilities.columns);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const float* row = probabilities.Row(rows[i]);
        std::copy(row, row + probabilities.columns, unseen.first.Row(i));
        unseen.second.push_back(labels[rows[i]]);
    }
    return unseen;
}

} // namespace

NetworkBelief::NetworkBelief(NetworkBeliefConfig config)
    : m_config(std::move(config))
{
    CheckNumbers();
    CheckArgument(m_config.learner && m_config.learner->GetWeights() &&
                      m_config.learner->GetMultiplicity() == 1,
                  "a belief about a network needs a learner that has weights");
    CheckTest();
    m_prior = ToBelief(*m_config.learner->GetWeights());
    if (m_config.stream)
    {
        RandomGenerator generator(m_config.streamSeed);
        m_order = DrawPermutation(m_config.samples, generator);
    }
    CheckJobs();
}

FlatVector
NetworkBelief::ToWeights(const std::vector<double>& belief)
{
    std::vector<float> weights(belief.size());
    std::transform(belief.begin(), belief.end(), weights.begin(), [](double number) {
        return static_cast<float>(number);
    });
    return std::make_shared<const std::vector<float>>(std::move(weights));
}

void
NetworkBelief::CheckPooling(BeliefPooling pooling)
{
    CheckArgument(
        pooling != BeliefPooling::COVARIANCE_INTERSECTION,
        "covariance intersection needs covariances, which beliefs about networks have not");
}

void
NetworkBelief::CheckStrength(double strength)
{
    CheckArgument(strength > 0 && std::isfinite(strength),
                  "strength {} is not positive and finite",
                  strength);
}

void
NetworkBelief::CheckNumbers() const
{
    for (const auto& [name, number] : {std::pair{"samples", m_config.samples},
                                       std::pair{"batchSize", m_config.batchSize},
                                       std::pair{"steps", m_config.steps}})
    {
        CheckArgument(number != 0, "{} 0, but at least 1 is needed", name);
    }
    for (const auto& [name, number] : {std::pair{"learningRate", m_config.learningRate},
                                       std::pair{"decay", m_config.decay},
                                       std::pair{"evidencePower", m_config.evidencePower}})
    {
        CheckArgument(
            number > 0 && std::isfinite(number), "{} {} is not positive and finite", name, number);
    }
    CheckArgument(m_config.decay <= 1, "decay {} lets the learning rate grow", m_config.decay);
    CheckArgument(!m_config.influence || !m_config.stream,
                  "influence {}, but a stream counts samples once anyway",
                  m_config.influence.value_or(0));
    CheckArgument(m_config.klScale >= 0 && std::isfinite(m_config.klScale),
                  "klScale {} is not 0 or positive and finite",
                  m_config.klScale);
}

void
NetworkBelief::CheckTest() const
{
    const DataView* test = m_config.test.get();
    if (!test)
    {
        return;
    }
    CheckArgument(test->data && test->Size() != 0 &&
                      (test->data->outputs != 0 || test->labels.size() == test->Size()),
                  "test: there are no samples, or not as many labels");
    for (const int64_t label : m_config.seenLabels)
    {
        CheckArgument(test->data->outputs != 0 ||
                          (label >= 0 && label < int64_t{test->data->classes}),
                      "seenLabels: {} is not below {} classes",
                      label,
                      test->data->classes);
    }
}

void
NetworkBelief::CheckJobs() const
{
    TrainTask all = MakeTask(0);
    all.positions = m_order;
    m_config.learner->CountTrainFlops(all);
    m_config.learner->CountTrainFlops(MakeTask(0)); // in a stream, the smallest batch
}

uint32_t
NetworkBelief::CountBatches() const
{
    return std::max(m_config.samples / m_config.batchSize, 1U);
}

bool
NetworkBelief::HasEnded(uint32_t instant) const
{
    return m_config.stream && instant >= CountBatches();
}

TrainTask
NetworkBelief::MakeTask(uint32_t instant) const
{
    TrainTask task;
    task.steps = m_config.steps;
    task.batchSize = m_config.batchSize;
    // 0 would be the learner's own rate
    task.learningRate = std::max(m_config.learningRate * std::pow(m_config.decay, instant),
                                 std::numeric_limits<double>::min());
    if (m_config.stream)
    {
        const bool isLast = instant + 1 == CountBatches();
        const auto begin = m_order.begin() + std::ptrdiff_t{instant} * m_config.batchSize;
        task.positions.assign(begin, isLast ? m_order.end() : begin + m_config.batchSize);
        task.batchSize = static_cast<uint32_t>(task.positions.size());
    }
    return task;
}

bool
NetworkBelief::IsLight() const
{
    return false;
}

Belief
NetworkBelief::Update(const Belief& prior, uint32_t instant)
{
    if (HasEnded(instant) || !IsProper(prior))
    {
        return prior;
    }
    const FlatVector weights = ToWeights(*prior);
    TrainTask task = MakeTask(instant);
    task.resetsOptimizer = m_hasDiverged; // or NaN would stay in the moments for ever
    AddPrior(weights, task);
    m_config.learner->SetWeights(weights);
    m_config.learner->Train(task);
    Belief belief = ToBelief(*m_config.learner->GetWeights());
    m_hasDiverged = !IsProper(belief);
    return belief;
}

uint64_t
NetworkBelief::CountUpdateFlops(uint32_t instant) const
{
    return HasEnded(instant) ? 0 : m_config.learner->CountTrainFlops(MakeTask(instant));
}

bool
NetworkBelief::IsDouble() const
{
    return false;
}

std::vector<double>
NetworkBelief::ToWire(const Belief& belief) const
{
    return *belief;
}

Belief
NetworkBelief::FromWire(const std::vector<double>& numbers) const
{
    return FromSharedWire(std::make_shared<const std::vector<double>>(numbers));
}

Belief
NetworkBelief::FromSharedWire(const Belief& numbers) const
{
    const std::string fault = FindFault(*numbers);
    Require<ImproperBelief>(fault.empty(), "{}", fault);
    return numbers;
}

bool
NetworkBelief::IsProper(const Belief& belief) const
{
    return FindFault(*belief).empty();
}

std::string
NetworkBelief::FindFault(const std::vector<double>& numbers) const
{
    if (numbers.size() != GetWireCount())
    {
        return fmt::format("{} numbers, a belief has {}", numbers.size(), GetWireCount());
    }
    const auto wrong = FindNot(numbers.begin(), numbers.end(), [](double number) {
        return std::abs(number) <= std::numeric_limits<float>::max();
    });
    return wrong == numbers.end() ? std::string()
                                  : fmt::format("number {} is {}, not finite in single precision",
                                                wrong - numbers.begin(),
                                                *wrong);
}

std::vector<Metric>
NetworkBelief::GetMetrics() const
{
    if (!m_config.test)
    {
        return {};
    }
    if (m_config.test->data->outputs > 0)
    {
        return {{"test_mse", "", "mean squared error on the test samples, of averaged outputs"}};
    }
    std::vector<Metric> metrics = {
        {"accuracy", "1", "fraction of the test samples that is labelled right"},
        {"nll", "nat", "mean of minus the logarithm of a test sample's probability"},
        {"ece", "1", "expected calibration error on the test samples"},
        {"accuracy_seen", "1", "accuracy on test samples of labels that the user has"},
        {"accuracy_unseen", "1", "accuracy on test samples of labels that it has not"}};
    if (m_config.novel)
    {
        metrics.push_back({"nll_unseen", "nat", "nll on test samples of labels that it has not"});
        metrics.push_back({"ece_unseen", "1", "ece on test samples of labels that it has not"});
        metrics.push_back({"novelty_auroc",
                           "1",
                           "probability that a sample of a label that no user has is predicted "
                           "with more entropy than a test sample"});
    }
    return metrics;
}

std::vector<double>
NetworkBelief::Evaluate(const Belief& belief)
{
    if (!m_config.test)
    {
        return {};
    }
    m_config.learner->SetWeights(ToWeights(*belief));
    const Matrix<float> predictions = m_config.learner->Predict(*m_config.test);
    if (m_config.test->data->outputs > 0)
    {
        return {ScoreRegression(predictions, *m_config.test).loss};
    }
    std::vector<double> scores = ScoreClassification(predictions);
    if (m_config.novel)
    {
        const std::vector<double> more = ScoreNovelty(predictions);
        scores.insert(scores.end(), more.begin(), more.end());
    }
    return scores;
}

std::vector<double>
NetworkBelief::ScoreNovelty(const Matrix<float>& probabilities) const
{
    const auto& [unseen, labels] =
        SelectUnseen(probabilities, m_config.test->labels, m_config.seenLabels);
    const double auroc =
        AreaUnderRoc(PredictiveEntropies(probabilities),
                     PredictiveEntropies(m_config.learner->Predict(*m_config.novel)));
    return {ScorePredictions(unseen, labels).loss, ExpectedCalibrationError(unseen, labels), auroc};
}

std::vector<double>
NetworkBelief::ScoreClassification(const Matrix<float>& probabilities) const
{
    const std::vector<int64_t>& labels = m_config.test->labels;
    const Score score = ScorePredictions(probabilities, labels);
    if (std::isnan(score.accuracy)) // finite weights may overflow all the same
    {
        return std::vector<double>(5, NONE);
    }
    const std::vector<ClassScore> classes = ScoreClasses(probabilities, labels);
    return {score.accuracy,
            score.loss,
            ExpectedCalibrationError(probabilities, labels),
            AccuracyOf(classes, m_config.seenLabels, true),
            AccuracyOf(classes, m_config.seenLabels, false)};
}

std::vector<std::pair<std::string, double>>
NetworkBelief::Describe(const Belief& /* belief */) const
{
    return {};
}

} // namespace ns3::collab
