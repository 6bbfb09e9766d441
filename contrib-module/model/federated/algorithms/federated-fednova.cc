/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithms.h"

#include "ns3/collab-check-argument.h"

#include <cmath>
#include <memory>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @brief Sum up how much each of the gradients of a training counts in its change.
/// @param steps tau, steps taken
/// @param momentum rho, from 0 to below 1, of SGD without dampening that begins with none
/// @return |a|_1 = (tau - rho (1 - rho^tau) / (1 - rho)) / (1 - rho) (Wang et al., section 3.2);
/// tau without momentum
double
CountNormalizedSteps(uint64_t steps, double momentum)
{
    const auto tau = static_cast<double>(steps);
    return (tau - momentum * (1 - std::pow(momentum, tau)) / (1 - momentum)) / (1 - momentum);
}

/**
 * @brief FedNova: J. Wang et al., NeurIPS 2020, with w_k = p_k.
 *
 * Each change is divided by |a_k|_1, by which the steps of a device add up, and the aggregated
 * quotients D make x += tau D, where tau is the mean of |a_k|_1; both weighted by numbers of
 * samples. |a_k|_1 is that of CountNormalizedSteps().
 */
class FedNova : public FederatedStrategy
{
  public:
    explicit FedNova(double momentum)
        : m_momentum(momentum)
    {
        m_traits.sendsSteps = true;
    }

    void
    Finish(const FederatedTraining& training, FederatedUpdate& update) const override
    {
        CheckArgument(training.steps != 0, "0 steps; FedNova needs 1 or more");
        update.steps = training.steps;
    }

    void
    Step(const FederatedRound& round, std::vector<float>& model) override
    {
        std::vector<FlatVector> quotients;
        double length = 0;
        double total = 0;
        for (std::size_t k = 0; k < round.updates.size(); ++k)
        {
            const FederatedUpdate& update = round.updates[k];
            CheckDimension(update.change, model.size(), "change");
            CheckArgument(update.steps != 0, "an update of 0 steps; FedNova needs 1 or more");
            const double normalized = CountNormalizedSteps(update.steps, m_momentum);
            length += round.weights[k] * normalized;
            total += round.weights[k];
            std::vector<float> quotient = *update.change;
            for (std::size_t i = 0; i < round.trained; ++i)
            {
                quotient[i] = static_cast<float>(quotient[i] / normalized);
            }
            quotients.push_back(std::make_shared<const std::vector<float>>(std::move(quotient)));
        }
        const std::vector<float> mean = round.Aggregate(quotients, model.size(), "change");
        for (std::size_t i = 0; i < round.trained; ++i)
        {
            model[i] = static_cast<float>(model[i] + length / total * mean[i]);
        }
        Add(mean, round.trained, model);
    }

    uint64_t
    CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const override
    {
        // A quotient an update, and tau times their mean
        return CountAverageFlops(dimension, updates) + (updates + 1) * trained;
    }

  private:
    double m_momentum; //!< rho
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeFedNova(double momentum)
{
    return std::make_unique<FedNova>(momentum);
}

} // namespace ns3::collab
