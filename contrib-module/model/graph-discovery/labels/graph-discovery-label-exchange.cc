/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-label-exchange.h"

#include "ns3/collab-check-argument.h"
#include "ns3/graph-discovery-checks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// Products of numbers of datapoints
__extension__ typedef unsigned __int128 Product; // NOLINT(modernize-use-using): no extension there

/// @brief Raise by 1 those of the largest remainders.
/// @param[in,out] shares rounded down
/// @param remainders what was rounded off, in any unit
/// @param left how many to raise, at most as many as there are
template <typename T>
void
RaiseLargest(std::vector<uint32_t>& shares, const std::vector<T>& remainders, uint64_t left)
{
    if (left == 0)
    {
        return;
    }
    std::vector<uint32_t> order(shares.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&remainders](uint32_t a, uint32_t b) {
        return remainders[a] > remainders[b];
    });
    for (uint64_t k = 0; k < left; ++k)
    {
        ++shares[order[k]];
    }
}

/// @brief Scale requests down to a smaller sum, by largest remainders of whole numbers.
/// @param[in,out] requests of a sum above the total
/// @param total to divide
void
ScaleDown(std::vector<uint32_t>& requests, uint64_t total)
{
    const uint64_t sum = std::accumulate(requests.begin(), requests.end(), uint64_t{0});
    std::vector<uint64_t> remainders;
    uint64_t left = total;
    for (uint32_t& request : requests)
    {
        const Product product = Product{request} * total;
        request = static_cast<uint32_t>(product / sum);
        remainders.push_back(static_cast<uint64_t>(product % sum));
        left -= request;
    }
    RaiseLargest(requests, remainders, left);
}

} // namespace

std::vector<uint8_t>
OfferLabels(const PartitionCounts& held,
            const PartitionCounts& thresholds,
            const std::vector<uint8_t>& trusted)
{
    CheckSize("thresholds", held.size(), thresholds.size());
    CheckSize("trust", held.size(), trusted.size());
    std::vector<uint8_t> offer(held.size());
    for (std::size_t l = 0; l < held.size(); ++l)
    {
        offer[l] = trusted[l] != 0 && held[l] > thresholds[l] ? 1 : 0;
    }
    return offer;
}

PartitionCounts
RequestLabels(const PartitionCounts& held,
              const PartitionCounts& thresholds,
              const std::vector<uint8_t>& offer,
              uint64_t most)
{
    CheckSize("thresholds", held.size(), thresholds.size());
    CheckSize("offer", held.size(), offer.size());
    PartitionCounts request(held.size());
    for (std::size_t l = 0; l < held.size(); ++l)
    {
        request[l] = offer[l] != 0 && thresholds[l] > held[l] ? thresholds[l] - held[l] : 0;
    }
    if (std::accumulate(request.begin(), request.end(), uint64_t{0}) > most)
    {
        ScaleDown(request, most);
    }
    return request;
}

std::vector<PartitionCounts>
AllotLabels(const PartitionCounts& held,
            const PartitionCounts& thresholds,
            const std::vector<PartitionCounts>& requests)
{
    CheckSize("thresholds", held.size(), thresholds.size());
    for (const PartitionCounts& request : requests)
    {
        CheckSize("request", held.size(), request.size());
    }
    std::vector<PartitionCounts> allotted = requests;
    std::vector<uint32_t> column(requests.size());
    for (std::size_t l = 0; l < held.size(); ++l)
    {
        uint64_t sum = 0;
        for (std::size_t i = 0; i < requests.size(); ++i)
        {
            column[i] = requests[i][l];
            sum += column[i];
        }
        const uint64_t spare = held[l] > thresholds[l] ? held[l] - thresholds[l] : 0;
        if (sum <= spare)
        {
            continue;
        }
        ScaleDown(column, spare);
        for (std::size_t i = 0; i < requests.size(); ++i)
        {
            allotted[i][l] = column[i];
        }
    }
    return allotted;
}

std::vector<uint32_t>
DivideByLargestRemainder(uint32_t total, const std::vector<double>& weights)
{
    std::vector<uint32_t> shares(weights.size());
    double greatest = 0;
    for (const double weight : weights)
    {
        CheckArgument(weight >= 0 && std::isfinite(weight),
                      "weight {}, but it must be finite and not negative",
                      weight);
        greatest = std::max(greatest, weight);
    }
    if (total == 0)
    {
        return shares;
    }
    CheckArgument(greatest != 0, "{} things, but all weights are 0", total);
    double sum = 0; // of weights up to 1: those that are given may overflow
    for (const double weight : weights)
    {
        sum += weight / greatest;
    }
    std::vector<double> remainders;
    uint64_t left = total;
    for (std::size_t k = 0; k < weights.size(); ++k)
    {
        const double share = total * (weights[k] / greatest / sum);
        shares[k] = static_cast<uint32_t>(share);
        remainders.push_back(share - shares[k]);
        left -= shares[k];
    }
    RaiseLargest(shares, remainders, left);
    return shares;
}

} // namespace ns3::collab
