/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-label-score.h"

#include "ns3/collab-distribution-distance.h"
#include "ns3/graph-discovery-checks.h"

#include <cmath>
#include <numeric>

namespace ns3::collab
{

uint32_t
CountReachedLabels(const std::vector<double>& after,
                   const PartitionCounts& thresholds,
                   double slack)
{
    CheckSize("thresholds", after.size(), thresholds.size());
    uint32_t reached = 0;
    for (std::size_t l = 0; l < after.size(); ++l)
    {
        reached += after[l] >= slack * thresholds[l] ? 1 : 0;
    }
    return reached;
}

double
ScoreLabels(const PartitionCounts& before,
            const std::vector<double>& after,
            const PartitionCounts& thresholds,
            const LabelScoreOptions& options)
{
    CheckSize("counts", before.size(), after.size());
    if (CountReachedLabels(after, thresholds, options.thresholdSlack) < options.leastLabels)
    {
        return 0;
    }
    const std::vector<double> was(before.begin(), before.end());
    if (!(std::accumulate(was.begin(), was.end(), 0.0) > 0) ||
        !(std::accumulate(after.begin(), after.end(), 0.0) > 0))
    {
        return 0;
    }
    switch (options.distance)
    {
    case DiversityDistance::DISCRETE:
        return TotalVariationDistance(was, after);
    case DiversityDistance::JENSEN_SHANNON:
        return std::sqrt(JensenShannonDivergence(was, after));
    case DiversityDistance::WASSERSTEIN:
        break;
    }
    return HistogramWassersteinDistance(was, after);
}

} // namespace ns3::collab
