/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithms.h"

#include <memory>

namespace ns3::collab
{

namespace
{

/// @brief FedAvgM: Hsu, Qi and Brown, "Measuring the Effects of Non-Identical Data Distribution for
/// Federated Visual Classification", 2019, section 4.3. With v = 0 at first, v = beta v + A and
/// x += v, weighted by numbers of samples; the paper's v and its change have the other sign.
class FedAvgM : public FederatedStrategy
{
  public:
    explicit FedAvgM(double momentum)
        : m_momentum(momentum)
    {
    }

    void
    Begin(std::size_t dimension) override
    {
        m_velocity.assign(dimension, 0.0F);
    }

    void
    Step(const FederatedRound& round, std::vector<float>& model) override
    {
        const std::vector<float> mean = round.AggregateChanges(model.size());
        for (std::size_t i = 0; i < round.trained; ++i)
        {
            m_velocity[i] = static_cast<float>(m_momentum * m_velocity[i] + mean[i]);
            model[i] += m_velocity[i];
        }
        Add(mean, round.trained, model);
    }

    uint64_t
    CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const override
    {
        return CountAverageFlops(dimension, updates) + 2 * trained; // beta v + A
    }

  private:
    double m_momentum;             //!< beta
    std::vector<float> m_velocity; //!< v
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeFedAvgM(double momentum)
{
    return std::make_unique<FedAvgM>(momentum);
}

} // namespace ns3::collab
