/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-partition.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/discrete_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

constexpr uint32_t MOST_DRAWS = 10000;  //!< of a Dirichlet partition, until one is accepted
constexpr std::size_t COLUMN_WIDTH = 7; //!< of a printed table, in characters

/// @param groups samples of each class
/// @param devices number of parts
/// @param alpha concentration
/// @param generator generator to draw with
/// @return one partition, whatever the sizes of its parts
Partition
DrawDirichletPartition(const std::vector<std::vector<uint32_t>>& groups,
                       uint32_t devices,
                       double alpha,
                       RandomGenerator& generator)
{
    Partition parts(devices);
    for (const std::vector<uint32_t>& group : groups)
    {
        const std::vector<double> proportions = DrawDirichlet(devices, alpha, generator);
        const std::vector<uint32_t> samples = Shuffled(group, generator);
        double cumulative = 0;
        std::size_t begin = 0;
        for (uint32_t device = 0; device < devices; ++device)
        {
            cumulative += proportions[device];
            const bool last = device + 1 == devices;
            const auto cut =
                static_cast<std::size_t>(std::floor(cumulative * samples.size() + 0.5));
            const std::size_t end = last ? samples.size() : std::min(cut, samples.size());
            parts[device].insert(parts[device].end(),
                                 samples.begin() + static_cast<std::ptrdiff_t>(begin),
                                 samples.begin() + static_cast<std::ptrdiff_t>(end));
            begin = end;
        }
    }
    return parts;
}

/// @param devices number of parts
/// @param minimumSize least number of samples of a part
/// @param candidates number of samples to deal out
/// @throws std::invalid_argument if there are no parts or too few samples for them
void
CheckSizes(uint32_t devices, uint32_t minimumSize, std::size_t candidates)
{
    CheckArgument(devices != 0, "0 devices, but at least 1 is needed");
    CheckArgument(uint64_t{devices} * minimumSize <= candidates,
                  "{} devices with at least {} samples each need more than the {} there are",
                  devices,
                  minimumSize,
                  candidates);
}

} // namespace

std::vector<std::vector<uint32_t>>
GroupByClass(const std::vector<int64_t>& labels,
             const std::vector<uint32_t>& candidates,
             uint32_t classes)
{
    std::vector<std::vector<uint32_t>> groups(classes);
    for (uint32_t index : candidates)
    {
        CheckArgument(index < labels.size(),
                      "candidate {} is not below the {} samples",
                      index,
                      labels.size());
        const int64_t label = labels[index];
        CheckArgument(label >= 0 && label < static_cast<int64_t>(classes),
                      "label {} of sample {} is not below {} classes",
                      label,
                      index,
                      classes);
        groups[static_cast<std::size_t>(label)].push_back(index);
    }
    return groups;
}

Partition
PartitionIid(const std::vector<uint32_t>& candidates, uint32_t devices, uint64_t seed)
{
    CheckSizes(devices, 1, candidates.size());
    RandomGenerator generator(seed);
    const std::vector<uint32_t> samples = Shuffled(candidates, generator);
    Partition parts(devices);
    for (uint64_t device = 0; device < devices; ++device)
    {
        const uint64_t begin = samples.size() * device / devices;
        const uint64_t end = samples.size() * (device + 1) / devices;
        parts[device].assign(samples.begin() + static_cast<std::ptrdiff_t>(begin),
                             samples.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return parts;
}

Partition
PartitionDirichlet(const std::vector<int64_t>& labels,
                   const std::vector<uint32_t>& candidates,
                   uint32_t classes,
                   const DirichletOptions& options,
                   uint64_t seed)
{
    CheckSizes(options.devices, options.minimumSize, candidates.size());
    CheckDirichletAlpha(options.alpha);
    const auto groups = GroupByClass(labels, candidates, classes);
    RandomGenerator generator(seed);
    for (uint32_t draw = 0; draw < MOST_DRAWS; ++draw)
    {
        Partition parts = DrawDirichletPartition(groups, options.devices, options.alpha, generator);
        const bool accepted = std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
            return part.size() >= options.minimumSize;
        });
        if (accepted)
        {
            for (std::vector<uint32_t>& part : parts)
            {
                part = Shuffled(part, generator);
            }
            return parts;
        }
    }
    throw std::invalid_argument(fmt::format(
        "{} draws with alpha {} gave no partition with at least {} samples for each of {} devices",
        MOST_DRAWS,
        options.alpha,
        options.minimumSize,
        options.devices));
}

Partition
PartitionResampled(const std::vector<int64_t>& labels,
                   const std::vector<uint32_t>& candidates,
                   uint32_t classes,
                   const DirichletOptions& options,
                   uint64_t seed)
{
    CheckSizes(options.devices, 0, candidates.size());
    CheckDirichletAlpha(options.alpha);
    const auto groups = GroupByClass(labels, candidates, classes);
    for (uint32_t label = 0; label < classes; ++label)
    {
        CheckArgument(groups[label].size() >= options.minimumSize,
                      "class {} has {} samples, fewer than the {} of a device",
                      label,
                      groups[label].size(),
                      options.minimumSize);
    }
    Partition parts(options.devices);
    for (uint32_t device = 0; device < options.devices; ++device)
    {
        RandomGenerator generator(SplitMix64(SplitMix64(seed) ^ device));
        const auto taste = DrawDirichlet(classes, options.alpha, generator);
        boost::random::discrete_distribution<std::size_t> drawLabel(taste.begin(), taste.end());
        std::set<uint32_t> taken;
        while (parts[device].size() < options.minimumSize)
        {
            const auto& group = groups[drawLabel(generator)];
            boost::random::uniform_int_distribution<std::size_t> draw(0, group.size() - 1);
            const uint32_t sample = group[draw(generator)];
            if (taken.insert(sample).second)
            {
                parts[device].push_back(sample);
            }
        }
    }
    return parts;
}

std::vector<uint32_t>
DrawBalanced(const std::vector<int64_t>& labels,
             const std::vector<uint32_t>& candidates,
             uint32_t classes,
             uint32_t size,
             uint64_t seed)
{
    CheckArgument(classes != 0 && size % classes == 0,
                  "size {} is not a multiple of {} classes",
                  size,
                  classes);
    const std::size_t perClass = size / classes;
    RandomGenerator generator(seed);
    std::vector<uint32_t> chosen;
    for (const auto& group : GroupByClass(labels, candidates, classes))
    {
        CheckArgument(group.size() >= perClass,
                      "a class has {} samples, {} are needed",
                      group.size(),
                      perClass);
        const std::vector<uint32_t> samples = Shuffled(group, generator);
        chosen.insert(
            chosen.end(), samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(perClass));
    }
    return Shuffled(chosen, generator);
}

std::vector<std::vector<std::size_t>>
CountPartition(const std::vector<int64_t>& labels, const Partition& partition, uint32_t classes)
{
    std::vector<std::vector<std::size_t>> counts;
    for (const auto& part : partition)
    {
        auto& ofDevice = counts.emplace_back();
        for (const auto& group : GroupByClass(labels, part, classes))
        {
            ofDevice.push_back(group.size());
        }
    }
    return counts;
}

std::string
DescribePartition(const std::vector<int64_t>& labels, const Partition& partition, uint32_t classes)
{
    const auto printLine = [](const std::string& head, const auto& cells) {
        std::string line = fmt::format("{:>{}}", head, COLUMN_WIDTH);
        for (const auto& cell : cells)
        {
            line += fmt::format("{:>{}}", cell, COLUMN_WIDTH);
        }
        return line + "\n";
    };
    std::vector<std::string> heads;
    for (uint32_t label = 0; label < classes; ++label)
    {
        heads.push_back(std::to_string(label));
    }
    heads.emplace_back("total");
    std::string table = printLine("device", heads);
    std::vector<std::size_t> totals(heads.size(), 0);
    auto ofDevices = CountPartition(labels, partition, classes);
    for (std::size_t device = 0; device < partition.size(); ++device)
    {
        auto& counts = ofDevices[device];
        counts.push_back(partition[device].size());
        std::transform(counts.begin(), counts.end(), totals.begin(), totals.begin(), std::plus<>());
        table += printLine(std::to_string(device), counts);
    }
    return table + printLine("total", totals);
}

} // namespace ns3::collab
