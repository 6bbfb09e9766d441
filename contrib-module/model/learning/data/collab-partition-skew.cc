/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-partition-skew.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// So likely is every class to a writer at least, that the last samples can be dealt out
constexpr double LEAST_TASTE = 1e-9;

/// @brief Round shares of a whole so that they sum to it: the method of the largest remainder.
/// @param total the whole
/// @param proportions not negative, with a positive sum
/// @return one share each; of equal remainders the first is rounded up
std::vector<uint64_t>
RoundShares(uint64_t total, const std::vector<double>& proportions)
{
    const double sum = std::accumulate(proportions.begin(), proportions.end(), 0.0);
    std::vector<uint64_t> shares;
    std::vector<double> remainders;
    uint64_t dealt = 0;
    for (double proportion : proportions)
    {
        const double share = static_cast<double>(total) * proportion / sum;
        shares.push_back(std::min(static_cast<uint64_t>(share), total - dealt));
        remainders.push_back(share - std::floor(share));
        dealt += shares.back();
    }
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        return remainders[left] > remainders[right];
    });
    for (std::size_t i = 0; dealt < total; i = (i + 1) % order.size())
    {
        ++shares[order[i]];
        ++dealt;
    }
    return shares;
}

/// @param classes number of classes
/// @param options options of the devices
/// @throws std::invalid_argument if an option is not allowed
void
CheckShards(uint32_t classes, const ShardOptions& options)
{
    const auto& parts = options.proportions;
    const bool positive =
        std::all_of(parts.begin(), parts.end(), [](double part) { return part > 0; });
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    CheckArgument(options.devices != 0 && !parts.empty() && parts.size() <= classes && positive &&
                      std::abs(sum - 1) < 1e-9,
                  "{} devices with proportions {} of {} classes, allowed are at least 1 device and "
                  "positive proportions of sum 1, not more than classes",
                  options.devices,
                  fmt::join(parts, "/"),
                  classes);
}

/// @param classes number of classes
/// @param options options of the devices
/// @param generator generator to draw with
/// @return labels of each device
std::vector<std::vector<uint32_t>>
DrawShardLabels(uint32_t classes, const ShardOptions& options, RandomGenerator& generator)
{
    std::vector<std::vector<uint32_t>> labels(options.devices);
    std::vector<uint32_t> order;
    std::vector<uint32_t> shifts;
    for (uint32_t device = 0; device < options.devices; ++device)
    {
        if (device % classes == 0)
        {
            order = DrawPermutation(classes, generator);
            shifts = DrawPermutation(classes, generator);
        }
        for (std::size_t m = 0; m < options.proportions.size(); ++m)
        {
            labels[device].push_back(order[(device + shifts[m]) % classes]);
        }
    }
    return labels;
}

/// @param labels labels of each device
/// @param shares samples of each device's first, second, ... label
/// @param classes number of classes
/// @return samples needed of each class
std::vector<uint64_t>
CountNeeds(const std::vector<std::vector<uint32_t>>& labels,
           const std::vector<uint64_t>& shares,
           uint32_t classes)
{
    std::vector<uint64_t> needs(classes, 0);
    for (const auto& own : labels)
    {
        for (std::size_t m = 0; m < own.size(); ++m)
        {
            needs[own[m]] += shares[m];
        }
    }
    return needs;
}

/// @param needs samples needed of each class
/// @param groups samples that there are of each class
/// @return first class of which there are too few; classes if there is none
std::size_t
FindShortage(const std::vector<uint64_t>& needs, const std::vector<std::vector<uint32_t>>& groups)
{
    std::size_t label = 0;
    while (label < needs.size() && needs[label] <= groups[label].size())
    {
        ++label;
    }
    return label;
}

/// @param labels labels of each device
/// @param groups samples of each class
/// @param options options of the devices
/// @return samples of each device's first, second, ... label
/// @throws std::invalid_argument if there are too few samples
std::vector<uint64_t>
ChooseShares(const std::vector<std::vector<uint32_t>>& labels,
             const std::vector<std::vector<uint32_t>>& groups,
             const ShardOptions& options)
{
    const auto classes = static_cast<uint32_t>(groups.size());
    uint64_t size = options.samplesPerDevice;
    if (size == 0)
    {
        // Rounding makes no need smaller as the size grows but may by one sample: so step down from
        // an upper bound.
        size = std::numeric_limits<uint64_t>::max();
        for (uint32_t label = 0; label < classes; ++label)
        {
            double need = 0;
            for (const auto& own : labels)
            {
                for (std::size_t m = 0; m < own.size(); ++m)
                {
                    need += own[m] == label ? options.proportions[m] : 0;
                }
            }
            if (need > 0)
            {
                const double most =
                    static_cast<double>(groups[label].size() + labels.size()) / need;
                size = std::min(size, static_cast<uint64_t>(most) + 1);
            }
        }
        while (size > 0 &&
               FindShortage(CountNeeds(labels, RoundShares(size, options.proportions), classes),
                            groups) < classes)
        {
            --size;
        }
    }
    const auto shares = RoundShares(size, options.proportions);
    const auto needs = CountNeeds(labels, shares, classes);
    const std::size_t shortage = FindShortage(needs, groups);
    if (size == 0 || shortage < classes)
    {
        const std::size_t shown = std::min<std::size_t>(shortage, classes - 1);
        throw std::invalid_argument(
            fmt::format("{} devices of {} samples: class {} has {} samples, {} are needed",
                        labels.size(),
                        std::max<uint64_t>(size, 1),
                        shown,
                        groups[shown].size(),
                        std::max<uint64_t>(needs[shown], 1)));
    }
    return shares;
}

/// @brief Raise sizes to a minimum at the expense of the largest ones.
/// @param sizes sizes to change
/// @param minimumSize minimum size of each
void
RaiseToMinimum(std::vector<uint64_t>& sizes, uint32_t minimumSize)
{
    for (uint64_t& size : sizes)
    {
        while (size < minimumSize)
        {
            uint64_t& largest = *std::max_element(sizes.begin(), sizes.end());
            const uint64_t moved = std::min(largest - minimumSize, minimumSize - size);
            largest -= moved;
            size += moved;
        }
    }
}

/// @throws std::invalid_argument if an option is not allowed
void
CheckWriters(const WriterOptions& options)
{
    const bool areNumbers = std::isfinite(options.meanSize) && options.sizeDeviation >= 0 &&
                            std::isfinite(options.sizeDeviation) && options.rotationDegrees >= 0 &&
                            std::isfinite(options.rotationDegrees) && options.greatestNoise >= 0 &&
                            std::isfinite(options.greatestNoise);
    CheckArgument(
        areNumbers && options.writers != 0 && options.minimumSize != 0 &&
            options.meanSize >= options.minimumSize,
        "{} writers of {} samples on average and {} at least, deviation {}, slant {}, noise {}; "
        "allowed: at least 1 writer, 1 sample, no mean below the least, nothing negative",
        options.writers,
        options.meanSize,
        options.minimumSize,
        options.sizeDeviation,
        options.rotationDegrees,
        options.greatestNoise);
    CheckDirichletAlpha(options.concentration);
}

/// @param options options of the writers
/// @param available samples
/// @param generator generator to draw with
/// @return number of samples of each writer
std::vector<uint64_t>
DrawWriterSizes(const WriterOptions& options, uint64_t available, RandomGenerator& generator)
{
    CheckArgument(available >= uint64_t{options.writers} * options.minimumSize,
                  "{} writers of at least {} samples out of {}",
                  options.writers,
                  options.minimumSize,
                  available);
    std::vector<double> drawn;
    double sum = 0;
    for (uint32_t writer = 0; writer < options.writers; ++writer)
    {
        const double factor =
            options.sizeDeviation > 0
                ? boost::random::normal_distribution<double>(1, options.sizeDeviation)(generator)
                : 1;
        drawn.push_back(
            std::max<double>(options.minimumSize, std::round(options.meanSize * factor)));
        sum += drawn.back();
    }
    const auto total = std::min(static_cast<uint64_t>(sum), available);
    auto sizes = RoundShares(total, drawn);
    RaiseToMinimum(sizes, options.minimumSize);
    return sizes;
}

} // namespace

Partition
PartitionShards(const std::vector<int64_t>& labels,
                const std::vector<uint32_t>& candidates,
                uint32_t classes,
                const ShardOptions& options,
                uint64_t seed)
{
    CheckShards(classes, options);
    RandomGenerator generator(seed);
    auto groups = GroupByClass(labels, candidates, classes);
    const auto shardLabels = DrawShardLabels(classes, options, generator);
    const auto shares = ChooseShares(shardLabels, groups, options);
    for (auto& group : groups)
    {
        group = Shuffled(group, generator);
    }
    Partition parts;
    for (const auto& own : shardLabels)
    {
        std::vector<uint32_t> part;
        for (std::size_t m = 0; m < own.size(); ++m)
        {
            auto& group = groups[own[m]];
            part.insert(
                part.end(), group.end() - static_cast<std::ptrdiff_t>(shares[m]), group.end());
            group.resize(group.size() - shares[m]);
        }
        parts.push_back(Shuffled(part, generator));
    }
    return parts;
}

std::vector<double>
MakePowerLawProportions(uint32_t devices, double exponent)
{
    CheckArgument(
        devices != 0 && exponent >= 0 && std::isfinite(exponent),
        "{} devices and exponent {}, allowed are at least 1 device and finite exponents from 0",
        devices,
        exponent);
    std::vector<double> proportions;
    for (uint32_t rank = 1; rank <= devices; ++rank)
    {
        proportions.push_back(std::pow(rank, -exponent));
    }
    const double sum = std::accumulate(proportions.rbegin(), proportions.rend(), 0.0);
    for (double& proportion : proportions)
    {
        proportion /= sum;
    }
    return proportions;
}

Partition
PartitionQuantity(const std::vector<uint32_t>& candidates,
                  const std::vector<double>& proportions,
                  uint32_t minimumSize,
                  uint64_t seed)
{
    const double sum = std::accumulate(proportions.begin(), proportions.end(), 0.0);
    const bool allowed =
        std::all_of(proportions.begin(), proportions.end(), [](double part) { return part >= 0; });
    CheckArgument(allowed && sum > 0 && std::isfinite(sum),
                  "{} proportions of sum {}, expected none negative and a positive finite sum",
                  proportions.size(),
                  sum);
    CheckArgument(uint64_t{minimumSize} * proportions.size() <= candidates.size(),
                  "{} devices with at least {} samples each need more than the {} there are",
                  proportions.size(),
                  minimumSize,
                  candidates.size());
    std::vector<uint64_t> sizes = RoundShares(candidates.size(), proportions);
    RaiseToMinimum(sizes, minimumSize);
    RandomGenerator generator(seed);
    const std::vector<uint32_t> samples = Shuffled(candidates, generator);
    Partition parts;
    auto next = samples.begin();
    for (uint64_t size : sizes)
    {
        parts.emplace_back(next, next + static_cast<std::ptrdiff_t>(size));
        next += static_cast<std::ptrdiff_t>(size);
    }
    return parts;
}

Partition
PartitionByUser(const std::vector<uint32_t>& users,
                const std::vector<uint32_t>& candidates,
                uint32_t devices,
                uint32_t usersPerDevice,
                uint32_t minimumSize,
                uint64_t seed)
{
    std::map<uint32_t, std::vector<uint32_t>> samples;
    for (uint32_t index : candidates)
    {
        CheckArgument(index < users.size(),
                      "candidate {} is not below the {} samples with users",
                      index,
                      users.size());
        samples[users[index]].push_back(index);
    }
    std::vector<uint32_t> large;
    for (const auto& [user, own] : samples)
    {
        if (own.size() >= minimumSize)
        {
            large.push_back(user);
        }
    }
    const uint64_t needed = uint64_t{devices} * std::max(usersPerDevice, 1U);
    CheckArgument(devices != 0 && needed <= large.size(),
                  "{} devices of {} users, allowed is at least 1 device and there are {} users "
                  "with at least {} samples",
                  devices,
                  std::max(usersPerDevice, 1U),
                  large.size(),
                  minimumSize);
    RandomGenerator generator(seed);
    large = Shuffled(large, generator);
    large.resize(usersPerDevice == 0 ? large.size() : needed);
    Partition parts(devices);
    for (std::size_t i = 0; i < large.size(); ++i)
    {
        const auto& own = samples.at(large[i]);
        auto& part = parts[i % devices];
        part.insert(part.end(), own.begin(), own.end());
    }
    return parts;
}

Partition
PartitionWriters(const std::vector<int64_t>& labels,
                 const std::vector<uint32_t>& candidates,
                 uint32_t classes,
                 const WriterOptions& options,
                 uint64_t seed)
{
    CheckWriters(options);
    RandomGenerator generator(seed);
    auto groups = GroupByClass(labels, candidates, classes);
    for (auto& group : groups)
    {
        group = Shuffled(group, generator);
    }
    Partition parts;
    for (const uint64_t size : DrawWriterSizes(options, candidates.size(), generator))
    {
        const auto taste = DrawDirichlet(classes, options.concentration, generator);
        std::vector<uint32_t> part;
        while (part.size() < size)
        {
            std::vector<double> weights;
            double sum = 0;
            for (uint32_t label = 0; label < classes; ++label)
            {
                weights.push_back(groups[label].empty() ? 0 : taste[label] + LEAST_TASTE);
                sum += weights.back();
            }
            double left = boost::random::uniform_real_distribution<double>(0, sum)(generator);
            uint32_t label = 0;
            while (groups[label].empty() || (label + 1 < classes && left >= weights[label]))
            {
                left -= weights[label];
                ++label;
            }
            part.push_back(groups[label].back());
            groups[label].pop_back();
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

std::vector<std::shared_ptr<const SampleTransform>>
MakeWriterStyles(const WriterOptions& options, uint64_t seed)
{
    CheckWriters(options);
    RandomGenerator generator(seed);
    std::vector<std::shared_ptr<const SampleTransform>> styles;
    for (uint32_t writer = 0; writer < options.writers; ++writer)
    {
        auto style = std::make_shared<SampleTransform>();
        style->rotation =
            options.rotationDegrees * boost::random::normal_distribution<double>(0, 1)(generator);
        style->noise = options.greatestNoise *
                       boost::random::uniform_real_distribution<double>(0, 1)(generator);
        style->seed = SplitMix64(SplitMix64(seed) ^ writer);
        styles.push_back(style);
    }
    return styles;
}

std::vector<std::shared_ptr<const SampleTransform>>
MakeFeatureSkew(uint32_t devices, const FeatureSkewOptions& options, uint64_t seed)
{
    const bool finite = std::all_of(options.rotations.begin(),
                                    options.rotations.end(),
                                    [](double degrees) { return std::isfinite(degrees); });
    CheckArgument(finite && options.noise >= 0 && std::isfinite(options.noise),
                  "rotations {} and noise {}, expected finite numbers and no negative noise",
                  fmt::join(options.rotations, ", "),
                  options.noise);
    std::vector<std::shared_ptr<const SampleTransform>> transforms;
    for (uint32_t device = 0; device < devices; ++device)
    {
        auto transform = std::make_shared<SampleTransform>();
        if (!options.rotations.empty())
        {
            transform->rotation = options.rotations[device % options.rotations.size()];
        }
        transform->noise = options.noise * std::sqrt((device + 1.0) / devices);
        transform->seed = SplitMix64(SplitMix64(seed) ^ device);
        transforms.push_back(transform);
    }
    return transforms;
}

std::vector<int64_t>
GroupTargetsByGaps(const std::vector<float>& targets, uint32_t groups)
{
    std::vector<float> sorted = targets;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    CheckArgument(groups != 0 && groups <= sorted.size(),
                  "{} groups of {} distinct targets, allowed are 1 to that many",
                  groups,
                  sorted.size());
    std::vector<std::size_t> gaps(sorted.size() - 1); // gap i is before sorted[i + 1]
    std::iota(gaps.begin(), gaps.end(), std::size_t{0});
    std::stable_sort(gaps.begin(), gaps.end(), [&](std::size_t left, std::size_t right) {
        return sorted[left + 1] - sorted[left] > sorted[right + 1] - sorted[right];
    });
    gaps.resize(groups - 1);
    std::vector<float> cuts; // least targets of groups 1, 2, ...
    for (std::size_t gap : gaps)
    {
        cuts.push_back(sorted[gap + 1]);
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<int64_t> labels;
    for (float target : targets)
    {
        labels.push_back(std::upper_bound(cuts.begin(), cuts.end(), target) - cuts.begin());
    }
    return labels;
}

} // namespace ns3::collab
