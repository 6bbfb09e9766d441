/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-belief.h"

namespace ns3
{
namespace collab
{

BeliefPooling
BeliefModel::ChooseWeights(std::vector<WeightedBelief>& /* beliefs */, BeliefPooling pooling) const
{
    return pooling;
}

Belief
BeliefModel::FromSharedWire(const Belief& numbers) const
{
    return FromWire(*numbers);
}

std::vector<double>
SumBeliefs(const std::vector<WeightedBelief>& beliefs)
{
    std::vector<double> sum(beliefs.front().belief->size(), 0.0);
    for (const auto& [belief, weight] : beliefs)
    {
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            sum[i] += weight * (*belief)[i];
        }
    }
    return sum;
}

} // namespace collab
} // namespace ns3
