/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LABEL_SCORE_H
#define GRAPH_DISCOVERY_LABEL_SCORE_H

#include "graph-discovery-label-exchange.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How far apart two distributions of labels are.
enum class DiversityDistance
{
    WASSERSTEIN,    //!< 1-Wasserstein with the ground distance |l - l'|
    DISCRETE,       //!< total variation: 1-Wasserstein with the ground distance 0 or 1
    JENSEN_SHANNON, //!< square root of the divergence to base 2
};

/// @ingroup collab
/// @brief How the diversity of labels is scored.
struct LabelScoreOptions
{
    DiversityDistance distance = DiversityDistance::WASSERSTEIN; //!< between before and after
    double thresholdSlack = 0.8; //!< part of b that suffices for a label to be reached; above 0
    uint32_t leastLabels = 3;    //!< Lhat of (8)
};

/// @param after Dhat_i
/// @param thresholds b_i
/// @param slack part of b that suffices
/// @return number of labels with Dhat >= slack b
/// @throws std::invalid_argument if the sizes differ
uint32_t CountReachedLabels(const std::vector<double>& after,
                            const PartitionCounts& thresholds,
                            double slack);

/// @brief The score function g of Sec. V-A3, gated by (8).
/// @param before D_i
/// @param after Dhat_i, (12); expected values need not be whole
/// @param thresholds b_i
/// @param options distance and gate
/// @return distance from before to after if at least leastLabels are reached, else 0; 0 too if one
/// of them has no datapoints
/// @throws std::invalid_argument if the sizes differ
double ScoreLabels(const PartitionCounts& before,
                   const std::vector<double>& after,
                   const PartitionCounts& thresholds,
                   const LabelScoreOptions& options);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LABEL_SCORE_H */
