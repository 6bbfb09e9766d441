/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-panel.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param rows of samples
/// @param samples some of them
/// @return the rows of these
Matrix<float>
SelectRows(const Matrix<float>& rows, const std::vector<uint32_t>& samples)
{
    Matrix<float> selected(samples.size(), rows.columns);
    for (std::size_t i = 0; i < samples.size(); ++i)
    {
        std::copy_n(rows.Row(samples[i]), rows.columns, selected.Row(i));
    }
    return selected;
}

/// @param confidence in samples; none in a regression
/// @param samples some of them
/// @return that in these
std::vector<double>
Select(const std::vector<double>& confidence, const std::vector<uint32_t>& samples)
{
    std::vector<double> selected(confidence.empty() ? 0 : samples.size());
    std::transform(samples.begin(),
                   samples.begin() + static_cast<std::ptrdiff_t>(selected.size()),
                   selected.begin(),
                   [&confidence](uint32_t sample) { return confidence[sample]; });
    return selected;
}

/// @param panel predictions at hand
/// @param importance of each agent
/// @return ideal trust in each
std::vector<double>
ComputeIdealTrust(const TrustPanel& panel, const std::vector<double>& importance)
{
    const std::size_t agents = panel.agents.size();
    const std::vector<double> alike(panel.predictions.front()->rows, 1.0);
    Matrix<double> similarities(agents, agents);
    for (std::size_t i = 0; i < agents; ++i)
    {
        for (std::size_t j = 0; j <= i; ++j)
        {
            similarities(i, j) = similarities(j, i) =
                ComputeAffinity(*panel.predictions[i], *panel.predictions[j], alike);
        }
    }
    return ComputeIdealTrust(similarities, importance, panel.self);
}

/// @param panel predictions at hand
/// @param plan how to judge
/// @return affinity to each agent of the panel
std::vector<double>
ComputeAffinities(const TrustPanel& panel, const TrustPlan& plan)
{
    if (!plan.importance.empty())
    {
        return ComputeIdealTrust(panel, plan.importance);
    }
    std::vector<double> affinities = plan.known;
    const Matrix<float>& mine = *panel.predictions[panel.self];
    std::vector<double> allConfidence;
    if (!plan.isRegression)
    {
        allConfidence = ComputeConfidence(*plan.own, plan.options);
    }
    const auto judge = [&](const Matrix<float>& own,
                           const Matrix<float>& other,
                           const std::vector<double>& confidence) {
        if (!plan.isRegression)
        {
            return ComputeAffinity(own, other, confidence);
        }
        return plan.regressionTrust == RegressionTrust::COSINE
                   ? ComputeValueCosine(own, other)
                   : ComputeValueAffinity(own, other, plan.scale);
    };
    for (const std::size_t agent : plan.judged)
    {
        const Matrix<float>& other = *panel.predictions[agent];
        const Arrival& arrived = panel.arrived[agent];
        affinities[agent] = arrived.IsWhole() ? judge(mine, other, allConfidence)
                                              : judge(SelectRows(mine, arrived.units),
                                                      SelectRows(other, arrived.units),
                                                      Select(allConfidence, arrived.units));
    }
    if (plan.JudgesLateOnes(panel.self))
    {
        // The confidence of another round is in the others' affinities: one's own makes them equal
        const double unit = plan.knownOwn / judge(mine, mine, allConfidence);
        for (const std::size_t agent : plan.judged)
        {
            affinities[agent] *= unit;
        }
    }
    return affinities;
}

} // namespace

void
TrustPanel::Add(uint32_t agent, uint32_t round, Predictions labels, Arrival come)
{
    arrived.push_back(std::move(come));
    agents.push_back(agent);
    rounds.push_back(round);
    predictions.push_back(std::move(labels));
}

void
TrustMemory::Recall(const TrustPanel& panel, bool judgesAnew, TrustPlan& plan) const
{
    const auto self = m_affinities.find(panel.agents[panel.self]);
    const bool isAnyKnown = !judgesAnew && self != m_affinities.end();
    plan.knownOwn = isAnyKnown ? self->second.value : 1.0;
    for (std::size_t i = 0; i < panel.agents.size(); ++i)
    {
        const auto known = m_affinities.find(panel.agents[i]);
        if (isAnyKnown && known != m_affinities.end())
        {
            plan.known[i] = known->second.value * (plan.knownOwn / known->second.own);
        }
        else
        {
            plan.judged.push_back(i);
        }
    }
}

void
TrustMemory::Keep(const TrustPanel& panel, const TrustResult& result)
{
    for (std::size_t i = 0; i < panel.agents.size(); ++i)
    {
        m_affinities[panel.agents[i]] = {result.affinities[i], result.affinities[panel.self]};
    }
}

bool
TrustPlan::JudgesLateOnes(std::size_t self) const
{
    return !judged.empty() && std::find(judged.begin(), judged.end(), self) == judged.end();
}

Matrix<float>
PoolPredictions(const std::vector<double>& weights,
                const std::vector<const Matrix<float>*>& predictions,
                bool isRegression,
                ConsensusMode mode)
{
    if (isRegression)
    {
        return MixValues(weights, predictions);
    }
    switch (mode)
    {
    case ConsensusMode::MEDIAN:
        return TakeMedian(weights, predictions);
    case ConsensusMode::MAJORITY_VOTE:
        return VoteByMajority(weights, predictions);
    default:
        return MixPredictions(weights, predictions);
    }
}

TrustResult
ComputeTrust(const TrustPanel& panel, const TrustPlan& plan)
{
    TrustResult result;
    result.affinities = ComputeAffinities(panel, plan);
    result.weights = NormalizeTrust(result.affinities);
    std::vector<const Matrix<float>*> predictions;
    for (const auto& prediction : panel.predictions)
    {
        predictions.push_back(prediction.get());
    }
    result.targets = std::make_shared<const Matrix<float>>(
        PoolPredictions(result.weights, predictions, plan.isRegression, plan.mode));
    return result;
}

uint64_t
CountTrustFlops(std::size_t samples,
                std::size_t columns,
                std::size_t judged,
                std::size_t mixed,
                const TrustPlan& plan)
{
    if (plan.isRegression)
    {
        return CountValueTrustFlops(samples, columns, judged, mixed);
    }
    const auto pooling = plan.mode == ConsensusMode::MEDIAN          ? CountMedianFlops
                         : plan.mode == ConsensusMode::MAJORITY_VOTE ? CountVotingFlops
                                                                     : CountMixingFlops;
    return CountJudgingFlops(samples, columns, judged) + pooling(samples, columns, mixed);
}

} // namespace ns3::collab
