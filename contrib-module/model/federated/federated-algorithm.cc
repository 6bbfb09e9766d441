/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithm.h"

#include "ns3/collab-random.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param vector a vector
 * @param dimension elements that it should have
 * @param name what to call it
 * @throws std::invalid_argument if it is null or has not as many
 */
void
CheckDimension(const FlatVector& vector, std::size_t dimension, const char* name)
{
    if (!vector || vector->size() != dimension)
    {
        throw std::invalid_argument(fmt::format(
            "{} of {} elements, expected {}", name, vector ? vector->size() : 0, dimension));
    }
}

} // namespace

bool
FederatedOptions::HasControls() const
{
    return algorithm == FederatedAlgorithm::SCAFFOLD;
}

bool
FederatedOptions::IsWeighted() const
{
    return algorithm != FederatedAlgorithm::SCAFFOLD && algorithm != FederatedAlgorithm::FEDDYN;
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
}

FederatedServer::FederatedServer(const FederatedOptions& options,
                                 FlatVector model,
                                 std::size_t trained,
                                 std::size_t devices,
                                 std::shared_ptr<const AggregationRule> rule)
    : m_options(options),
      m_model(std::move(model)),
      m_trained(trained),
      m_devices(devices),
      m_rule(std::move(rule))
{
    m_options.Check();
    if (!m_model || m_model->empty() || m_trained > m_model->size() || m_devices == 0 || !m_rule)
    {
        throw std::invalid_argument("a server needs weights, devices and an aggregation rule");
    }
    if (m_options.HasControls())
    {
        m_control = std::make_shared<const std::vector<float>>(m_model->size(), 0.0F);
    }
    if (m_options.algorithm == FederatedAlgorithm::FEDDYN)
    {
        m_memory.assign(m_model->size(), 0.0F);
    }
}

std::vector<float>
FederatedServer::Aggregate(const std::vector<const float*>& vectors,
                           const std::vector<double>& weights) const
{
    std::vector<float> result(m_model->size());
    m_rule->Aggregate(VectorStack(vectors, result.size()), weights, result.data());
    return result;
}

void
FederatedServer::Step(const std::vector<FederatedUpdate>& updates)
{
    m_rule->CheckCount(updates.size());
    std::vector<const float*> changes;
    std::vector<const float*> controls;
    std::vector<double> weights;
    for (const auto& update : updates)
    {
        CheckDimension(update.change, m_model->size(), "change");
        changes.push_back(update.change->data());
        weights.push_back(m_options.IsWeighted() ? update.samples : 1.0);
        if (m_options.HasControls())
        {
            CheckDimension(update.controlChange, m_model->size(), "change of a control variate");
            controls.push_back(update.controlChange->data());
        }
    }
    const std::vector<float> mean = Aggregate(changes, weights);
    const double share = static_cast<double>(updates.size()) / static_cast<double>(m_devices);
    auto model = *m_model;
    if (m_options.HasControls())
    {
        const std::vector<float> controlMean = Aggregate(controls, weights);
        auto control = *m_control;
        for (std::size_t i = 0; i < m_trained; ++i)
        {
            control[i] = static_cast<float>(control[i] + share * controlMean[i]);
        }
        m_control = std::make_shared<const std::vector<float>>(std::move(control));
    }
    for (std::size_t i = 0; i < model.size(); ++i)
    {
        double step = mean[i];
        if (m_options.algorithm == FederatedAlgorithm::SCAFFOLD && i < m_trained)
        {
            step *= m_options.serverRate;
        }
        if (m_options.algorithm == FederatedAlgorithm::FEDDYN && i < m_trained)
        {
            m_memory[i] = static_cast<float>(m_memory[i] - m_options.alpha * share * mean[i]);
            step -= m_memory[i] / m_options.alpha;
        }
        model[i] = static_cast<float>(model[i] + step);
    }
    m_model = std::make_shared<const std::vector<float>>(std::move(model));
}

FlatVector
FederatedServer::GetModel() const
{
    return m_model;
}

FlatVector
FederatedServer::GetControl() const
{
    return m_control;
}

uint64_t
FederatedServer::CountFlops(std::size_t updates) const
{
    const uint64_t dimension = m_model->size();
    const uint64_t trained = m_trained;
    const uint64_t mean = 2 * updates * dimension; // a product and a sum an element
    switch (m_options.algorithm)
    {
    case FederatedAlgorithm::SCAFFOLD:
        return 2 * mean + dimension +
               3 * trained; // x + step, rate times mean, c + share times mean
    case FederatedAlgorithm::FEDDYN:
        return mean + dimension + 4 * trained; // x + step, h less product, step less quotient
    default:
        return mean + dimension;
    }
}

FederatedClient::FederatedClient(const FederatedOptions& options, std::size_t trained)
    : m_options(options),
      m_trained(trained)
{
    m_options.Check();
}

void
FederatedClient::Prepare(const FlatVector& model, const FlatVector& control, TrainTask& task) const
{
    std::vector<float> correction;
    switch (m_options.algorithm)
    {
    case FederatedAlgorithm::FEDAVG:
    case FederatedAlgorithm::FEDSGD:
    case FederatedAlgorithm::SEMI_DECENTRALIZED:
        return;
    case FederatedAlgorithm::FEDPROX:
        task.center = model;
        task.mu = m_options.mu;
        return;
    case FederatedAlgorithm::SCAFFOLD:
        CheckDimension(control, model->size(), "control variate");
        correction = *control;
        break;
    case FederatedAlgorithm::FEDDYN:
        task.center = model;
        task.mu = m_options.alpha;
        correction.assign(model->size(), 0.0F);
        break;
    }
    for (std::size_t i = 0; i < m_memory.size(); ++i)
    {
        correction[i] -= m_memory[i];
    }
    std::fill(correction.begin() + static_cast<std::ptrdiff_t>(m_trained), correction.end(), 0.0F);
    task.correction = std::make_shared<const std::vector<float>>(std::move(correction));
}

FederatedUpdate
FederatedClient::Finish(const std::vector<float>& model,
                        const FlatVector& control,
                        const std::vector<float>& trainedModel,
                        uint64_t steps,
                        double learningRate)
{
    if (trainedModel.size() != model.size() || m_trained > model.size())
    {
        throw std::invalid_argument(fmt::format(
            "{} weights after training and {} before it", trainedModel.size(), model.size()));
    }
    std::vector<float> change(model.size());
    for (std::size_t i = 0; i < model.size(); ++i)
    {
        change[i] = trainedModel[i] - model[i];
    }
    FederatedUpdate update;
    const bool isFinite = AreFinite(change); // else the memory stays: the next model may do better
    if (m_options.algorithm == FederatedAlgorithm::SCAFFOLD)
    {
        CheckDimension(control, model.size(), "control variate");
        const double length = static_cast<double>(steps) * learningRate;
        if (!(length > 0))
        {
            throw std::invalid_argument(fmt::format(
                "{} steps of rate {}; SCAFFOLD needs both above 0", steps, learningRate));
        }
        m_memory.resize(model.size());
        std::vector<float> controlChange(model.size());
        for (std::size_t i = 0; i < m_trained; ++i)
        {
            controlChange[i] = static_cast<float>(-(*control)[i] - change[i] / length);
            m_memory[i] += isFinite ? controlChange[i] : 0.0F;
        }
        update.controlChange = std::make_shared<const std::vector<float>>(std::move(controlChange));
    }
    else if (m_options.algorithm == FederatedAlgorithm::FEDDYN && isFinite)
    {
        m_memory.resize(model.size());
        for (std::size_t i = 0; i < m_trained; ++i)
        {
            m_memory[i] = static_cast<float>(m_memory[i] - m_options.alpha * change[i]);
        }
    }
    update.change = std::make_shared<const std::vector<float>>(std::move(change));
    return update;
}

const std::vector<float>&
FederatedClient::GetMemory() const
{
    return m_memory;
}

uint64_t
FederatedClient::CountFlops(std::size_t dimension) const
{
    const uint64_t trained = m_trained;
    switch (m_options.algorithm)
    {
    case FederatedAlgorithm::SCAFFOLD:
        return dimension + 4 * trained; // y - x; c - c_k; quotient, difference, c_k plus it
    case FederatedAlgorithm::FEDDYN:
        return dimension + 3 * trained; // y - x; -g_k; product, g_k less it
    default:
        return dimension;
    }
}

std::size_t
CountParticipants(uint32_t devices, double fraction)
{
    if (!(fraction > 0 && fraction <= 1))
    {
        throw std::invalid_argument(
            fmt::format("fraction {} is not allowed; it must be above 0, at most 1", fraction));
    }
    const auto count = static_cast<std::size_t>(std::llround(fraction * devices));
    return std::min<std::size_t>(std::max<std::size_t>(count, 1), devices);
}

std::vector<uint32_t>
SampleParticipants(uint32_t devices, double fraction, uint64_t seed)
{
    const std::size_t count = CountParticipants(devices, fraction);
    RandomGenerator generator(seed);
    auto order = DrawPermutation(devices, generator);
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
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

std::vector<std::vector<uint32_t>>
MakeSets(const std::vector<uint32_t>& devices, uint32_t size)
{
    if (size == 0)
    {
        throw std::invalid_argument("sets of 0 devices; there must be 1 or more");
    }
    std::vector<std::vector<uint32_t>> sets;
    for (std::size_t i = 0; i < devices.size(); ++i)
    {
        if (i % size == 0)
        {
            sets.emplace_back();
        }
        sets.back().push_back(devices[i]);
    }
    return sets;
}

std::vector<uint32_t>
SampleOneOfEach(const std::vector<std::vector<uint32_t>>& sets, uint64_t seed)
{
    RandomGenerator generator(seed);
    std::vector<uint32_t> drawn;
    for (const auto& set : sets)
    {
        if (!set.empty())
        {
            boost::random::uniform_int_distribution<std::size_t> place(0, set.size() - 1);
            drawn.push_back(set[place(generator)]);
        }
    }
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

} // namespace collab
} // namespace ns3
