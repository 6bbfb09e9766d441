/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-fednova.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

double
CountNormalizedSteps(uint64_t steps, double momentum)
{
    const auto tau = static_cast<double>(steps);
    return (tau - momentum * (1 - std::pow(momentum, tau)) / (1 - momentum)) / (1 - momentum);
}

FedNova::FedNova(double momentum)
    : m_momentum(momentum)
{
}

bool
FedNova::SendsSteps() const
{
    return true;
}

void
FedNova::Finish(const FederatedTraining& training, FederatedUpdate& update) const
{
    if (training.steps == 0)
    {
        throw std::invalid_argument("0 steps; FedNova needs 1 or more");
    }
    update.steps = training.steps;
}

void
FedNova::Step(const FederatedRound& round, std::vector<float>& model)
{
    std::vector<FlatVector> quotients;
    double length = 0;
    double total = 0;
    for (std::size_t k = 0; k < round.GetUpdates().size(); ++k)
    {
        const FederatedUpdate& update = round.GetUpdates()[k];
        CheckDimension(update.change, model.size(), "change");
        if (update.steps == 0)
        {
            throw std::invalid_argument("an update of 0 steps; FedNova needs 1 or more");
        }
        const double normalized = CountNormalizedSteps(update.steps, m_momentum);
        length += round.GetWeights()[k] * normalized;
        total += round.GetWeights()[k];
        std::vector<float> quotient = *update.change;
        for (std::size_t i = 0; i < round.GetTrained(); ++i)
        {
            quotient[i] = static_cast<float>(quotient[i] / normalized);
        }
        quotients.push_back(std::make_shared<const std::vector<float>>(std::move(quotient)));
    }
    const std::vector<float> mean = round.Aggregate(quotients, model.size(), "change");
    for (std::size_t i = 0; i < round.GetTrained(); ++i)
    {
        model[i] = static_cast<float>(model[i] + length / total * mean[i]);
    }
    Add(mean, round.GetTrained(), model);
}

uint64_t
FedNova::CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const
{
    // A quotient an update, and tau times their mean
    return CountAverageFlops(dimension, updates) + (updates + 1) * trained;
}

} // namespace collab
} // namespace ns3
