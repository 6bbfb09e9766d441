/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithms.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::collab
{

namespace
{

/**
 * @brief SCAFFOLD: Karimireddy et al., ICML 2020, algorithm 1 with option II.
 *
 * A device adds the correction c - c_k to each gradient, then c_k+ = c_k - c + (x - y) / (K eta)
 * if the server uses its update: the memory c_k gains the control change as it was sent, so that
 * with the rule "mean" c stays the mean of all c_k.
 * The server: x += serverRate A and c += |S| / N times the aggregated control changes, both
 * unweighted.
 */
class Scaffold : public FederatedStrategy
{
  public:
    explicit Scaffold(double serverRate)
        : m_serverRate(serverRate)
    {
        m_traits.hasControls = true;
        m_traits.hasMemory = true;
        m_traits.isWeighted = false;
    }

    void
    Prepare(const FlatVector& model,
            const FlatVector& control,
            const std::vector<float>& memory,
            std::size_t trained,
            TrainTask& task) const override
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
    Finish(const FederatedTraining& training, FederatedUpdate& update) const override
    {
        const std::vector<float>& change = *update.change;
        CheckDimension(training.control, change.size(), "control variate");
        const double length = static_cast<double>(training.steps) * training.learningRate;
        CheckArgument(length > 0,
                      "{} steps of rate {}; SCAFFOLD needs both above 0",
                      training.steps,
                      training.learningRate);
        std::vector<float> controlChange(change.size());
        for (std::size_t i = 0; i < training.trained; ++i)
        {
            controlChange[i] = static_cast<float>(-(*training.control)[i] - change[i] / length);
        }
        update.controlChange = std::make_shared<const std::vector<float>>(std::move(controlChange));
    }

    std::vector<float>
    GetMemoryChange(const FederatedUpdate& sent, std::size_t) const override
    {
        return *sent.controlChange;
    }

    uint64_t
    CountDeviceFlops(std::size_t trained) const override
    {
        return 4 * trained; // c - c_k; quotient, difference, c_k plus it
    }

    void
    Begin(std::size_t dimension) override
    {
        m_control = std::make_shared<const std::vector<float>>(dimension, 0.0F);
    }

    FlatVector
    GetControl() const override
    {
        return m_control;
    }

    void
    Step(const FederatedRound& round, std::vector<float>& model) override
    {
        std::vector<FlatVector> changes;
        for (const auto& update : round.updates)
        {
            changes.push_back(update.controlChange);
        }
        const std::vector<float> mean = round.AggregateChanges(model.size());
        const std::vector<float> controlMean =
            round.Aggregate(changes, model.size(), "change of a control variate");
        auto control = *m_control;
        for (std::size_t i = 0; i < round.trained; ++i)
        {
            control[i] = static_cast<float>(control[i] + round.share * controlMean[i]);
            model[i] = static_cast<float>(model[i] + m_serverRate * mean[i]);
        }
        Add(mean, round.trained, model);
        m_control = std::make_shared<const std::vector<float>>(std::move(control));
    }

    uint64_t
    CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const override
    {
        // Two means and x + step; rate times mean, c + share times mean
        return CountAverageFlops(dimension, 2 * updates) + 3 * trained;
    }

  private:
    double m_serverRate;  //!< the server's step size
    FlatVector m_control; //!< of the server: c
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeScaffold(double serverRate)
{
    return std::make_unique<Scaffold>(serverRate);
}

} // namespace ns3::collab
