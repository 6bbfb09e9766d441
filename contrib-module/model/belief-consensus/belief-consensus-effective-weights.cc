/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-effective-weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
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

Matrix<double>
CompleteBeliefs(std::vector<WeightedBelief>& beliefs, MissingBeliefPolicy policy)
{
    const std::vector<WeightedBelief> told = beliefs;
    const std::vector<double>& own = *told[0].belief;
    const double each = 1 / static_cast<double>(own.size());
    std::vector<std::shared_ptr<std::vector<double>>> complete;
    Matrix<double> shares(told.size(), told.size());
    for (std::size_t k = 0; k < told.size(); ++k)
    {
        complete.push_back(std::make_shared<std::vector<double>>(*told[k].belief));
        beliefs[k].belief = complete.back();
        shares(k, k) = 1;
    }
    for (std::size_t i = 0; i < own.size(); ++i)
    {
        double sum = 0;
        double weight = 0;
        for (const auto& [belief, share] : told)
        {
            const bool isThere = !std::isnan((*belief)[i]);
            sum += isThere ? share * (*belief)[i] : 0;
            weight += isThere ? share : 0;
        }
        const bool isMean = policy != MissingBeliefPolicy::SELF && weight > 0;
        for (std::size_t k = 1; k < told.size(); ++k)
        {
            if (!std::isnan((*told[k].belief)[i]))
            {
                continue;
            }
            (*complete[k])[i] = isMean ? sum / weight : own[i];
            shares(k, k) -= each;
            shares(k, 0) += isMean ? 0 : each;
            for (std::size_t j = 0; isMean && j < told.size(); ++j)
            {
                const bool isThere = !std::isnan((*told[j].belief)[i]);
                shares(k, j) += isThere ? each * told[j].weight / weight : 0;
            }
        }
    }
    return shares;
}

std::vector<double>
MakeHeardRow(uint32_t degree, const std::vector<std::optional<uint32_t>>& degrees)
{
    const auto heard = std::count_if(
        degrees.begin(), degrees.end(), [](const auto& told) { return told.has_value(); });
    const uint32_t own = std::max(degree, static_cast<uint32_t>(heard));
    std::vector<double> row;
    for (const auto& told : degrees)
    {
        row.push_back(told ? 1 / (1.0 + std::max(own, *told)) : 0.0);
    }
    return row;
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
