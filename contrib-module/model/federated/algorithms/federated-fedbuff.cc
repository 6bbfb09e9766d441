/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithms.h"

#include <cmath>
#include <memory>
#include <utility>

namespace ns3::collab
{

double
GetStalenessFactor(uint32_t staleness, StalenessWeight weight)
{
    return weight == StalenessWeight::CONSTANT ? 1.0 : 1 / std::sqrt(1.0 + staleness);
}

namespace
{

/**
 * @brief FedBuff: J. Nguyen et al., "Federated Learning with Buffered Asynchronous Aggregation",
 * AISTATS 2022, algorithm 1.
 *
 * The server's step of a buffer of K updates is x += eta_g (1/K) sum of s(tau_i) delta_i, not
 * weighted by numbers of samples; see GetStalenessFactor() for s. It divides by K, not by the sum
 * of the s. State is averaged as it is, without eta_g and s.
 */
class FedBuff : public FederatedStrategy
{
  public:
    FedBuff(double rate, StalenessWeight weight)
        : m_rate(rate),
          m_weight(weight)
    {
        m_traits.isWeighted = false;
        m_traits.isAsynchronous = true;
    }

    void
    Step(const FederatedRound& round, std::vector<float>& model) override
    {
        std::vector<FlatVector> scaled;
        for (const auto& update : round.updates)
        {
            CheckDimension(update.change, model.size(), "change");
            const double factor = GetStalenessFactor(update.staleness, m_weight);
            std::vector<float> change = *update.change;
            for (std::size_t i = 0; i < round.trained; ++i)
            {
                change[i] = static_cast<float>(factor * change[i]);
            }
            scaled.push_back(std::make_shared<const std::vector<float>>(std::move(change)));
        }
        const std::vector<float> mean = round.Aggregate(scaled, model.size(), "change");
        for (std::size_t i = 0; i < round.trained; ++i)
        {
            model[i] = static_cast<float>(model[i] + m_rate * mean[i]);
        }
        Add(mean, round.trained, model);
    }

    uint64_t
    CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const override
    {
        // A factor an update, and eta_g times their mean
        return CountAverageFlops(dimension, updates) + (updates + 1) * trained;
    }

  private:
    double m_rate;            //!< eta_g
    StalenessWeight m_weight; //!< how staleness weighs
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeFedBuff(double rate, StalenessWeight weight)
{
    return std::make_unique<FedBuff>(rate, weight);
}

} // namespace ns3::collab
