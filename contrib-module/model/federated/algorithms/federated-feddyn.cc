/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithms.h"

#include <memory>
#include <utility>

namespace ns3::collab
{

namespace
{

/**
 * @brief FedDyn: Acar et al., ICLR 2021, algorithm 1.
 *
 * A device adds alpha / 2 |w - x|^2 and the correction -g_k, the gradient of its last local loss,
 * then g_k+ = g_k - alpha (y - x) if the server uses its update, of the change y - x as it was
 * sent: so with the rule "mean" h stays the mean of all g_k. The server: h -= alpha |S| / N A, and
 * x += A - h / alpha, unweighted.
 */
class FedDyn : public FederatedStrategy
{
  public:
    explicit FedDyn(double alpha)
        : m_alpha(alpha)
    {
        m_traits.hasMemory = true;
        m_traits.isWeighted = false;
    }

    void
    Prepare(const FlatVector& model,
            const FlatVector&,
            const std::vector<float>& memory,
            std::size_t trained,
            TrainTask& task) const override
    {
        task.center = model;
        task.mu = m_alpha;
        std::vector<float> correction(model->size(), 0.0F);
        for (std::size_t i = 0; i < trained && !memory.empty(); ++i)
        {
            correction[i] -= memory[i];
        }
        task.correction = std::make_shared<const std::vector<float>>(std::move(correction));
    }

    std::vector<float>
    GetMemoryChange(const FederatedUpdate& sent, std::size_t trained) const override
    {
        std::vector<float> change(sent.change->size(), 0.0F);
        for (std::size_t i = 0; i < trained; ++i)
        {
            change[i] = static_cast<float>(-m_alpha * (*sent.change)[i]);
        }
        return change;
    }

    uint64_t
    CountDeviceFlops(std::size_t trained) const override
    {
        return 3 * trained; // -g_k; product, g_k less it
    }

    void
    Begin(std::size_t dimension) override
    {
        m_memory.assign(dimension, 0.0F);
    }

    void
    Step(const FederatedRound& round, std::vector<float>& model) override
    {
        const std::vector<float> mean = round.AggregateChanges(model.size());
        for (std::size_t i = 0; i < round.trained; ++i)
        {
            m_memory[i] = static_cast<float>(m_memory[i] - m_alpha * round.share * mean[i]);
            model[i] = static_cast<float>(model[i] + (mean[i] - m_memory[i] / m_alpha));
        }
        Add(mean, round.trained, model);
    }

    uint64_t
    CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const override
    {
        // h less product, step less quotient
        return CountAverageFlops(dimension, updates) + 4 * trained;
    }

  private:
    double m_alpha;              //!< weight of the regularizer
    std::vector<float> m_memory; //!< of the server: h
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeFedDyn(double alpha)
{
    return std::make_unique<FedDyn>(alpha);
}

} // namespace ns3::collab
