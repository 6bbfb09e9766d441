/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-variational.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param rho any number
/// @return log(1 + exp(rho)), without overflow
float
Softplus(float rho)
{
    return std::max(rho, 0.0F) + std::log1p(std::exp(-std::abs(rho)));
}

} // namespace

void
CheckVariational(const VariationalOptions& options)
{
    for (const auto& [name, value] : {std::pair{"initialDeviation", options.initialDeviation},
                                      std::pair{"priorDeviation", options.priorDeviation}})
    {
        CheckArgument(value > 0 && std::isfinite(value),
                      "variational: {} {} is not positive and finite",
                      name,
                      value);
    }
    CheckArgument(options.klWeight >= 0 && std::isfinite(options.klWeight) &&
                      options.predictionDraws != 0,
                  "variational: klWeight {} and predictionDraws {}, expected 0 or a positive "
                  "finite number, and at least 1",
                  options.klWeight,
                  options.predictionDraws);
}

void
DeviationsToRho(const float* deviations, std::size_t count, float* rho)
{
    std::transform(deviations, deviations + count, rho, [](float deviation) {
        return deviation + std::log(-std::expm1(-deviation)); // log(exp(s) - 1), without overflow
    });
}

void
RhoToDeviations(const float* rho, std::size_t count, float* deviations)
{
    std::transform(rho, rho + count, deviations, Softplus);
}

void
DrawFromBelief(const std::vector<float>& belief, RandomGenerator& generator, BeliefDraw& draw)
{
    const std::size_t count = belief.size() / 2;
    boost::random::normal_distribution<float> normal(0, 1);
    draw.noise.resize(count);
    draw.deviations.resize(count);
    draw.weights.resize(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        draw.noise[i] = normal(generator);
        draw.deviations[i] = Softplus(belief[count + i]);
        draw.weights[i] = belief[i] + draw.deviations[i] * draw.noise[i];
    }
}

void
DifferentiateBelief(const std::vector<float>& belief,
                    const BeliefDraw& draw,
                    const std::vector<float>& lossGradient,
                    const std::vector<float>& prior,
                    double weight,
                    std::vector<float>& gradient)
{
    const std::size_t count = belief.size() / 2;
    gradient.resize(belief.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const double rho = belief[count + i];
        const double deviation = draw.deviations[i];
        const double priorDeviation = prior[count + i];
        const double precision = 1 / (priorDeviation * priorDeviation);
        const double distance = double{belief[i]} - double{prior[i]};
        const double byDeviation = double{lossGradient[i]} * draw.noise[i] +
                                   weight * (deviation * precision - 1 / deviation);
        gradient[i] = static_cast<float>(lossGradient[i] + weight * distance * precision);
        gradient[count + i] = static_cast<float>(byDeviation / (1 + std::exp(-rho)));
    }
}

void
StepNaturally(std::vector<float>& belief,
              const BeliefDraw& draw,
              const std::vector<float>& lossGradient,
              const std::vector<float>& prior,
              double weight,
              double rate)
{
    const std::size_t count = belief.size() / 2;
    for (std::size_t i = 0; i < count; ++i)
    {
        const double deviation = draw.deviations[i];
        double precision = 1 / (deviation * deviation);
        const double priorDeviation = prior[count + i];
        const double priorPrecision = 1 / (priorDeviation * priorDeviation);
        const double step =
            rate * (priorPrecision +
                    double{lossGradient[i]} * draw.noise[i] / (deviation * weight) - precision);
        precision += step + step * step / (2 * precision);
        const double slope =
            lossGradient[i] / weight + priorPrecision * (double{belief[i]} - double{prior[i]});
        belief[i] = static_cast<float>(belief[i] - rate * slope / precision);
        belief[count + i] = static_cast<float>(1 / std::sqrt(precision));
    }
    DeviationsToRho(belief.data() + count, count, belief.data() + count);
}

WeightBelief::WeightBelief(const VariationalOptions& options, std::size_t weights)
    : m_prior(weights, 0.0F)
{
    m_prior.resize(2 * weights, static_cast<float>(options.priorDeviation));
}

const std::vector<float>&
WeightBelief::Draw(const std::vector<float>& belief, RandomGenerator& generator)
{
    DrawFromBelief(belief, generator, m_draw);
    return m_draw.weights;
}

const std::vector<float>&
WeightBelief::Differentiate(const std::vector<float>& belief,
                            const std::vector<float>& lossGradient,
                            const std::shared_ptr<const std::vector<float>>& prior,
                            double weight)
{
    DifferentiateBelief(belief, m_draw, lossGradient, prior ? *prior : m_prior, weight, m_gradient);
    return m_gradient;
}

void
WeightBelief::StepNaturally(std::vector<float>& belief,
                            const std::vector<float>& lossGradient,
                            const std::shared_ptr<const std::vector<float>>& prior,
                            double weight,
                            double rate) const
{
    collab::StepNaturally(belief, m_draw, lossGradient, prior ? *prior : m_prior, weight, rate);
}

} // namespace ns3::collab
