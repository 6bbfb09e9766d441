/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-theory.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @throws std::invalid_argument if not 0 < convexity <= smoothness
void
CheckCurvature(double smoothness, double convexity)
{
    CheckArgument(convexity > 0 && convexity <= smoothness && std::isfinite(smoothness),
                  "mu {} and L {}, allowed is 0 < mu <= L",
                  convexity,
                  smoothness);
}

/// @throws std::invalid_argument if there is no client or the sizes differ
void
CheckClients(const std::vector<double>& weights, const std::vector<double>& localOptima)
{
    CheckArgument(!weights.empty() && weights.size() == localOptima.size(),
                  "{} weights for {} clients",
                  weights.size(),
                  localOptima.size());
}

} // namespace

double
ComputeConvergentRate(double smoothness, double convexity, uint64_t round)
{
    CheckCurvature(smoothness, convexity);
    return 1 / (convexity * static_cast<double>(round) + 4 * smoothness);
}

double
ComputeConvergenceBound(const ConvergenceConstants& constants, uint64_t rounds)
{
    const ConvergenceConstants& c = constants;
    CheckCurvature(c.smoothness, c.convexity);
    for (const double value : {c.localSteps,
                               c.gradientSquare,
                               c.variance,
                               c.objectiveSpread,
                               c.heterogeneity,
                               c.startSquare})
    {
        CheckArgument(value >= 0, "{} is no constant of Theorem 1, which is not negative", value);
    }
    CheckArgument(!std::isnan(c.gapMin) && !std::isnan(c.gapMax),
                  "a gap of Theorem 1 is not a number");
    if (c.gapMin <= 0)
    {
        return std::numeric_limits<double>::infinity();
    }
    const double l = c.smoothness;
    const double mu = c.convexity;
    const double gamma = 4 * l / mu;
    const double drift = 32 * c.localSteps * c.localSteps * c.gradientSquare + c.variance;
    const double vanishing =
        (4 * l * drift + 24 * l * l * c.objectiveSpread) / (3 * mu * mu * c.gapMin) +
        8 * l * l * c.heterogeneity / (mu * mu) + l * gamma * c.startSquare / 2;
    const double remaining = 8 * l * c.heterogeneity / (3 * mu) * (c.gapMax / c.gapMin - 1);
    return vanishing / (static_cast<double>(rounds) + gamma) + remaining;
}

double
ComputeHeterogeneity(double optimum,
                     const std::vector<double>& weights,
                     const std::vector<double>& localOptima)
{
    CheckClients(weights, localOptima);
    return optimum - std::inner_product(weights.begin(), weights.end(), localOptima.begin(), 0.0);
}

AggregationGap::AggregationGap(std::vector<double> weights,
                               std::vector<double> localOptima,
                               std::size_t committee)
    : m_weights(std::move(weights)),
      m_localOptima(std::move(localOptima))
{
    CheckClients(m_weights, m_localOptima);
    CheckArgument(committee != 0 && committee <= m_weights.size(),
                  "a committee of {} of {} clients",
                  committee,
                  m_weights.size());
    std::vector<std::size_t> clients(m_weights.size());
    std::iota(clients.begin(), clients.end(), std::size_t{0});
    m_meanOptimum = MeanWithin(clients, m_localOptima);
    std::stable_sort(clients.begin(), clients.end(), [this](std::size_t a, std::size_t b) {
        return m_localOptima[a] < m_localOptima[b];
    });
    clients.resize(committee);
    m_committeeOptimum = MeanWithin(clients, m_localOptima);
}

double
AggregationGap::MeanWithin(const std::vector<std::size_t>& clients,
                           const std::vector<double>& values) const
{
    double weight = 0;
    double sum = 0;
    for (const std::size_t client : clients)
    {
        CheckArgument(client < m_weights.size(), "client {} of {}", client, m_weights.size());
        weight += m_weights[client];
        sum += m_weights[client] * values[client];
    }
    CheckArgument(weight > 0, "a set of clients without weight");
    return sum / weight;
}

double
AggregationGap::Compute(const std::vector<std::size_t>& aggregated,
                        const std::vector<double>& losses) const
{
    CheckClients(m_weights, losses);
    const double mean = std::inner_product(m_weights.begin(), m_weights.end(), losses.begin(), 0.0);
    CheckArgument(mean > m_meanOptimum,
                  "the gap is not defined where all clients are at their optima");
    return (MeanWithin(aggregated, losses) - m_committeeOptimum) / (mean - m_meanOptimum);
}

void
AggregationGap::Add(const std::vector<std::size_t>& aggregated,
                    const std::vector<double>& losses,
                    const std::vector<double>& lossesAtOptimum)
{
    const double atOptimum = Compute(aggregated, lossesAtOptimum);
    m_min = std::min({m_min, Compute(aggregated, losses), atOptimum});
    m_max = std::max(m_max, atOptimum);
}

double
AggregationGap::ComputeObjectiveSpread(const std::vector<std::size_t>& aggregated) const
{
    return std::abs(MeanWithin(aggregated, m_localOptima) - m_committeeOptimum);
}

} // namespace ns3::collab
