/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-scaffold.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

Scaffold::Scaffold(double serverRate)
    : m_serverRate(serverRate)
{
}

bool
Scaffold::HasControls() const
{
    return true;
}

bool
Scaffold::HasMemory() const
{
    return true;
}

bool
Scaffold::IsWeighted() const
{
    return false;
}

void
Scaffold::Prepare(const FlatVector& model,
                  const FlatVector& control,
                  const std::vector<float>& memory,
                  std::size_t trained,
                  TrainTask& task) const
{
    CheckDimension(control, model->size(), "control variate");
    std::vector<float> correction(model->size(), 0.0F);
    for (std::size_t i = 0; i < trained; ++i)
    {
        correction[i] = (*control)[i] - (memory.empty() ? 0.0F : memory[i]);
    }
    task.correction = std::make_shared<const std::vector<float>>(std::move(correction));
}

void
Scaffold::Finish(const FederatedTraining& training, FederatedUpdate& update) const
{
    const std::vector<float>& change = *update.change;
    CheckDimension(training.control, change.size(), "control variate");
    const double length = static_cast<double>(training.steps) * training.learningRate;
    if (!(length > 0))
    {
        throw std::invalid_argument(fmt::format("{} steps of rate {}; SCAFFOLD needs both above 0",
                                                training.steps,
                                                training.learningRate));
    }
    std::vector<float> controlChange(change.size());
    for (std::size_t i = 0; i < training.trained; ++i)
    {
        controlChange[i] = static_cast<float>(-(*training.control)[i] - change[i] / length);
    }
    update.controlChange = std::make_shared<const std::vector<float>>(std::move(controlChange));
}

std::vector<float>
Scaffold::GetMemoryChange(const FederatedUpdate& sent, std::size_t) const
{
    return *sent.controlChange;
}

uint64_t
Scaffold::CountDeviceFlops(std::size_t trained) const
{
    return 4 * trained; // c - c_k; quotient, difference, c_k plus it
}

void
Scaffold::Begin(std::size_t dimension)
{
    m_control = std::make_shared<const std::vector<float>>(dimension, 0.0F);
}

FlatVector
Scaffold::GetControl() const
{
    return m_control;
}

void
Scaffold::Step(const FederatedRound& round, std::vector<float>& model)
{
    std::vector<FlatVector> changes;
    for (const auto& update : round.GetUpdates())
    {
        changes.push_back(update.controlChange);
    }
    const std::vector<float> mean = round.AggregateChanges(model.size());
    const std::vector<float> controlMean =
        round.Aggregate(changes, model.size(), "change of a control variate");
    auto control = *m_control;
    for (std::size_t i = 0; i < round.GetTrained(); ++i)
    {
        control[i] = static_cast<float>(control[i] + round.GetShare() * controlMean[i]);
        model[i] = static_cast<float>(model[i] + m_serverRate * mean[i]);
    }
    Add(mean, round.GetTrained(), model);
    m_control = std::make_shared<const std::vector<float>>(std::move(control));
}

uint64_t
Scaffold::CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const
{
    // Two means and x + step; rate times mean, c + share times mean
    return CountAverageFlops(dimension, 2 * updates) + 3 * trained;
}

} // namespace collab
} // namespace ns3
