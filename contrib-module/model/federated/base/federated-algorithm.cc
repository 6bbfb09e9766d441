/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithm.h"

#include "ns3/collab-vector-stack.h"
#include "ns3/federated-fedavgm.h"
#include "ns3/federated-fedbuff.h"
#include "ns3/federated-feddyn.h"
#include "ns3/federated-fednova.h"
#include "ns3/federated-fedprox.h"
#include "ns3/federated-fedsgd.h"
#include "ns3/federated-scaffold.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

bool
FederatedOptions::HasControls() const
{
    return MakeFederatedStrategy(*this)->HasControls();
}

bool
FederatedOptions::HasMemory() const
{
    return MakeFederatedStrategy(*this)->HasMemory();
}

bool
FederatedOptions::SendsSteps() const
{
    return MakeFederatedStrategy(*this)->SendsSteps();
}

bool
FederatedOptions::IsAsynchronous() const
{
    return algorithm == FederatedAlgorithm::FEDBUFF;
}

void
FederatedOptions::Check() const
{
    if (!(std::isfinite(mu) && mu >= 0))
    {
        throw std::invalid_argument(
            fmt::format("mu {} is not allowed; it must be 0 or greater", mu));
    }
    if (!(std::isfinite(alpha) && alpha > 0))
    {
        throw std::invalid_argument(
            fmt::format("alpha {} is not allowed; it must be greater than 0", alpha));
    }
    if (!(std::isfinite(serverRate) && serverRate > 0))
    {
        throw std::invalid_argument(
            fmt::format("server rate {} is not allowed; it must be greater than 0", serverRate));
    }
    for (const auto& [name, momentum] :
         {std::pair("server", serverMomentum), std::pair("local", localMomentum)})
    {
        if (!(momentum >= 0 && momentum < 1))
        {
            throw std::invalid_argument(fmt::format(
                "{} momentum {} is not allowed; it must be 0 to below 1", name, momentum));
        }
    }
}

void
CheckDimension(const FlatVector& vector, std::size_t dimension, const char* name)
{
    if (!vector || vector->size() != dimension)
    {
        throw std::invalid_argument(fmt::format(
            "{} of {} elements, expected {}", name, vector ? vector->size() : 0, dimension));
    }
}

FederatedRound::FederatedRound(const std::vector<FederatedUpdate>& updates,
                               bool isWeighted,
                               const AggregationRule& rule,
                               std::size_t trained,
                               std::size_t devices)
    : m_updates(updates),
      m_rule(rule),
      m_trained(trained),
      m_share(static_cast<double>(updates.size()) / static_cast<double>(devices))
{
    m_rule.CheckCount(updates.size());
    for (const auto& update : updates)
    {
        m_weights.push_back(isWeighted ? update.samples : 1.0);
    }
}

const std::vector<FederatedUpdate>&
FederatedRound::GetUpdates() const
{
    return m_updates;
}

const std::vector<double>&
FederatedRound::GetWeights() const
{
    return m_weights;
}

std::size_t
FederatedRound::GetTrained() const
{
    return m_trained;
}

double
FederatedRound::GetShare() const
{
    return m_share;
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
    m_rule.Aggregate(VectorStack(rows, dimension), m_weights, result.data());
    return result;
}

std::vector<float>
FederatedRound::AggregateChanges(std::size_t dimension) const
{
    std::vector<FlatVector> changes;
    for (const auto& update : m_updates)
    {
        changes.push_back(update.change);
    }
    return Aggregate(changes, dimension, "change");
}

FederatedStrategy::~FederatedStrategy() = default;

bool
FederatedStrategy::HasControls() const
{
    return false;
}

bool
FederatedStrategy::HasMemory() const
{
    return false;
}

bool
FederatedStrategy::SendsSteps() const
{
    return false;
}

bool
FederatedStrategy::IsWeighted() const
{
    return true;
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

std::unique_ptr<FederatedStrategy>
MakeFederatedStrategy(const FederatedOptions& options)
{
    options.Check();
    switch (options.algorithm)
    {
    case FederatedAlgorithm::FEDPROX:
        return std::make_unique<FedProx>(options.mu);
    case FederatedAlgorithm::SCAFFOLD:
        return std::make_unique<Scaffold>(options.serverRate);
    case FederatedAlgorithm::FEDDYN:
        return std::make_unique<FedDyn>(options.alpha);
    case FederatedAlgorithm::FEDSGD:
        return std::make_unique<FedSgd>();
    case FederatedAlgorithm::FEDAVGM:
        return std::make_unique<FedAvgM>(options.serverMomentum);
    case FederatedAlgorithm::FEDNOVA:
        return std::make_unique<FedNova>(options.localMomentum);
    case FederatedAlgorithm::FEDBUFF:
        return std::make_unique<FedBuff>(options.serverRate, options.stalenessWeight);
    case FederatedAlgorithm::FEDAVG:
    case FederatedAlgorithm::SEMI_DECENTRALIZED: // its sets are between the devices
        break;
    }
    return std::make_unique<FederatedStrategy>();
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

} // namespace collab
} // namespace ns3
