/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-agreement-table.h"

#include "graph-discovery-agreement.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-gaussian-divergence.h"
#include "ns3/collab-parallel-for.h"
#include "ns3/collab-partition.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// The clusters of all devices
using SystemClusters = std::vector<std::vector<GaussianCluster>>;

/// @param points of all samples
/// @param held samples of a device
/// @param options how to find clusters
/// @param seed of the search
/// @return the device's clusters
std::vector<GaussianCluster>
DescribeDevice(const Matrix<float>& points,
               const std::vector<uint32_t>& held,
               const KMeansOptions& options,
               uint64_t seed)
{
    Matrix<float> own(held.size(), points.columns);
    for (std::size_t row = 0; row < held.size(); ++row)
    {
        std::copy_n(points.Row(held[row]), points.columns, own.Row(row));
    }
    std::vector<GaussianCluster> clusters;
    const std::vector<uint32_t> labels = FindClusters(own, options, seed).labels;
    for (const std::vector<uint32_t>& rows : ListClusters(labels, options.clusters))
    {
        clusters.push_back(DescribeCluster(own, rows));
    }
    return clusters;
}

/// @param points of all samples
/// @param partition who holds which samples
/// @param options how to find clusters
/// @param seed of the search
/// @return the clusters of all devices
SystemClusters
DescribeSystem(const Matrix<float>& points,
               const Partition& partition,
               const AgreementTableOptions& options,
               uint64_t seed)
{
    SystemClusters system(partition.size());
    ParallelFor(options.threads, partition.size(), [&](std::size_t device) {
        system[device] = DescribeDevice(
            points, partition[device], options.clusters, SplitMix64(seed ^ SplitMix64(device)));
    });
    return system;
}

/// @param options to check
/// @throws std::invalid_argument if one is not allowed
void
CheckOptions(const AgreementTableOptions& options)
{
    CheckArgument(options.devices >= 2 && options.minimumSamples >= options.clusters.clusters,
                  "{} devices of {} samples at least: allowed are 2 or more, and not less samples "
                  "than the {} clusters",
                  options.devices,
                  options.minimumSamples,
                  options.clusters.clusters);
}

} // namespace

std::vector<AgreementCell>
MeasureAgreementTable(const Matrix<float>& points,
                      const std::vector<int64_t>& labels,
                      uint32_t classes,
                      const AgreementTableOptions& options,
                      uint64_t seed)
{
    CheckOptions(options);
    std::vector<uint32_t> all(points.rows);
    std::iota(all.begin(), all.end(), 0U);
    std::vector<SystemClusters> systems; // for each alpha, before and after
    for (std::size_t i = 0; i < 2 * options.alphas.size(); ++i)
    {
        const uint64_t own = SplitMix64(seed ^ SplitMix64(i));
        DirichletOptions dealing;
        dealing.devices = options.devices;
        dealing.alpha = options.alphas[i / 2];
        dealing.minimumSize = options.minimumSamples;
        const Partition partition = PartitionDirichlet(labels, all, classes, dealing, own);
        systems.push_back(DescribeSystem(points, partition, options, SplitMix64(own)));
    }
    std::vector<AgreementCell> cells;
    SystemAgreement agreement(options.devices, AgreementRule::RATIO_OF_MEANS);
    for (std::size_t before = 0; before < options.alphas.size(); ++before)
    {
        for (uint32_t device = 0; device < options.devices; ++device)
        {
            agreement.SetBefore(device, systems[2 * before][device]);
        }
        for (std::size_t after = 0; after < options.alphas.size(); ++after)
        {
            for (uint32_t device = 0; device < options.devices; ++device)
            {
                agreement.SetAfter(device, systems[2 * after + 1][device]);
            }
            cells.push_back({options.alphas[before],
                             options.alphas[after],
                             agreement.Get(AgreementRule::RATIO_OF_MEANS),
                             agreement.Get(AgreementRule::SUM),
                             agreement.Get(AgreementRule::MEAN_RATIO)});
        }
    }
    return cells;
}

} // namespace ns3::collab
