/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-strategy.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::collab
{

void
CompleteUpdates(std::vector<FederatedUpdate>& updates, bool isWeighted, std::size_t dimension)
{
    const auto isWhole = [](const FederatedUpdate& update) { return update.arrived.IsWhole(); };
    if (std::all_of(updates.begin(), updates.end(), isWhole))
    {
        return;
    }
    std::vector<double> sums(dimension);
    std::vector<double> weights(dimension);
    for (const auto& update : updates)
    {
        const double weight = isWeighted ? update.samples : 1.0;
        for (std::size_t i = 0; i < update.change->size(); ++i)
        {
            const std::size_t place = isWhole(update) ? i : update.arrived.units[i];
            sums[place] += weight * (*update.change)[i];
            weights[place] += weight;
        }
    }
    std::vector<float> mean(dimension);
    for (std::size_t i = 0; i < dimension; ++i)
    {
        mean[i] = weights[i] > 0 ? static_cast<float>(sums[i] / weights[i]) : 0.0F;
    }
    for (auto& update : updates)
    {
        update.change = FlatUnits{update.change, update.arrived}.Complete(mean);
        update.arrived = {};
    }
}

void
CheckDimension(const FlatVector& vector, std::size_t dimension, const char* name)
{
    CheckArgument(vector && vector->size() == dimension,
                  "{} of {} elements, expected {}",
                  name,
                  vector ? vector->size() : 0,
                  dimension);
}

std::vector<float>
FederatedRound::Aggregate(const std::vector<FlatVector>& vectors,
                          std::size_t dimension,
                          const char* name) const
{
    std::vector<const float*> rows;
    for (const auto& vector : vectors)
    {
        CheckDimension(vector, dimension, name);
        rows.push_back(vector->data());
    }
    std::vector<float> result(dimension);
    const float* start = last.empty() ? nullptr : last.data();
    rule.AggregateFrom(VectorStack(rows, dimension), weights, start, result.data());
    if (rule.StartsFromLast())
    {
        last = result;
    }
    return result;
}

std::vector<float>
FederatedRound::AggregateChanges(std::size_t dimension) const
{
    std::vector<FlatVector> changes;
    for (const auto& update : updates)
    {
        changes.push_back(update.change);
    }
    return Aggregate(changes, dimension, "change");
}

FederatedStrategy::~FederatedStrategy() = default;

const FederatedTraits&
FederatedStrategy::GetTraits() const
{
    return m_traits;
}

void
FederatedStrategy::Plan(uint32_t, TrainTask&) const
{
    // It trains as long as the task says.
}

void
FederatedStrategy::Prepare(
    const FlatVector&, const FlatVector&, const std::vector<float>&, std::size_t, TrainTask&) const
{
    // Its objective is its own loss.
}

void
FederatedStrategy::Finish(const FederatedTraining&, FederatedUpdate&) const
{
    // It sends nothing else.
}

std::vector<float>
FederatedStrategy::GetMemoryChange(const FederatedUpdate&, std::size_t) const
{
    return {};
}

uint64_t
FederatedStrategy::CountDeviceFlops(std::size_t) const
{
    return 0;
}

void
FederatedStrategy::Begin(std::size_t)
{
    // It remembers nothing.
}

FlatVector
FederatedStrategy::GetControl() const
{
    return nullptr;
}

void
FederatedStrategy::Step(const FederatedRound& round, std::vector<float>& model)
{
    Add(round.AggregateChanges(model.size()), 0, model);
}

uint64_t
FederatedStrategy::CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t) const
{
    return CountAverageFlops(dimension, updates);
}

void
FederatedStrategy::Add(const std::vector<float>& vector,
                       std::size_t from,
                       std::vector<float>& model)
{
    for (std::size_t i = from; i < model.size(); ++i)
    {
        model[i] += vector[i];
    }
}

FederatedUpdate
AverageUpdates(const std::vector<FederatedUpdate>& updates)
{
    const std::size_t dimension = updates.at(0).change->size();
    std::vector<const float*> changes;
    std::vector<double> weights;
    FederatedUpdate average;
    for (const auto& update : updates)
    {
        CheckDimension(update.change, dimension, "change");
        changes.push_back(update.change->data());
        weights.push_back(update.samples);
        average.samples += update.samples;
    }
    std::vector<float> mean(dimension);
    MakeAggregationRule("mean")->Aggregate(VectorStack(changes, dimension), weights, mean.data());
    average.change = std::make_shared<const std::vector<float>>(std::move(mean));
    return average;
}

uint64_t
CountAverageFlops(std::size_t dimension, std::size_t updates)
{
    return (2 * updates + 1) * dimension; // a product and a sum an element, and x + mean
}

} // namespace ns3::collab
