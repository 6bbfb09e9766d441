/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-fedbuff.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace collab
{

double
GetStalenessFactor(uint32_t staleness, StalenessWeight weight)
{
    return weight == StalenessWeight::CONSTANT ? 1.0 : 1 / std::sqrt(1.0 + staleness);
}

FedBuff::FedBuff(double rate, StalenessWeight weight)
    : m_rate(rate),
      m_weight(weight)
{
}

bool
FedBuff::IsWeighted() const
{
    return false;
}

void
FedBuff::Step(const FederatedRound& round, std::vector<float>& model)
{
    std::vector<FlatVector> scaled;
    for (const auto& update : round.GetUpdates())
    {
        CheckDimension(update.change, model.size(), "change");
        const double factor = GetStalenessFactor(update.staleness, m_weight);
        std::vector<float> change = *update.change;
        for (std::size_t i = 0; i < round.GetTrained(); ++i)
        {
            change[i] = static_cast<float>(factor * change[i]);
        }
        scaled.push_back(std::make_shared<const std::vector<float>>(std::move(change)));
    }
    const std::vector<float> mean = round.Aggregate(scaled, model.size(), "change");
    for (std::size_t i = 0; i < round.GetTrained(); ++i)
    {
        model[i] = static_cast<float>(model[i] + m_rate * mean[i]);
    }
    Add(mean, round.GetTrained(), model);
}

uint64_t
FedBuff::CountServerFlops(std::size_t updates, std::size_t dimension, std::size_t trained) const
{
    // A factor an update, and eta_g times their mean
    return CountAverageFlops(dimension, updates) + (updates + 1) * trained;
}

} // namespace collab
} // namespace ns3
