/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-effective-weights.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::collab
{

std::vector<double>
ComputeEffectiveWeights(const std::vector<double>& row,
                        double self,
                        const std::vector<bool>& isThere,
                        MissingBeliefPolicy policy)
{
    std::vector<double> weights = {self};
    for (std::size_t j = 0; j < row.size(); ++j)
    {
        weights.push_back(isThere[j] ? row[j] : 0.0);
    }
    const double all = std::accumulate(row.begin(), row.end(), self);
    const double there = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (policy == MissingBeliefPolicy::SELF || there <= 0)
    {
        weights[0] += all - there;
        return weights;
    }
    const bool isComplete = std::all_of(isThere.begin(), isThere.end(), [](bool is) { return is; });
    for (double& weight : weights)
    {
        weight *= isComplete ? 1.0 : all / there;
    }
    return weights;
}

void
ClipWeights(std::vector<double>& weights, const std::vector<double>& distances, double radius)
{
    for (std::size_t j = 0; j < distances.size(); ++j)
    {
        if (distances[j] > radius)
        {
            const double kept = weights[j + 1] * (radius / distances[j]);
            weights[0] += weights[j + 1] - kept;
            weights[j + 1] = kept;
        }
    }
}

} // namespace ns3::collab
