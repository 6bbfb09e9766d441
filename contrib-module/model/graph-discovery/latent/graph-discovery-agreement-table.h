/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_AGREEMENT_TABLE_H
#define GRAPH_DISCOVERY_AGREEMENT_TABLE_H

#include "ns3/collab-k-means.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How the example of App. B of Wagle et al. is computed.
struct AgreementTableOptions
{
    uint32_t devices = 10;                           //!< N; at least 2
    std::vector<double> alphas = {0.01, 0.1, 1, 10}; //!< of Dirichlet distributions
    KMeansOptions clusters;                          //!< of each device
    /// Fewest samples of a device; at least as many as clusters. A cluster of fewer points than
    /// dimensions has divergences a million times those of others, which no mean stands: a quarter
    /// of the average leaves hardly any
    uint32_t minimumSamples = 1500;
    unsigned threads = 1; //!< of the host; no result depends on it
};

/// @ingroup collab
/// @brief The agreement between samples that are dealt out once and those dealt out otherwise.
struct AgreementCell
{
    double alphaBefore = 0;  //!< of the Dirichlet distribution before the exchange
    double alphaAfter = 0;   //!< of that after the exchange
    double ratioOfMeans = 0; //!< mean(hB) / mean(hA) - 1
    double sum = 0;          //!< sum of hB / hA
    double meanRatio = 0;    //!< mean of hB / hA
};

/**
 * @brief Measure the system's agreement, (17), between samples that are dealt out as if by no
 * exchange with different alphas: Table III of Wagle et al.
 *
 * Samples are dealt out among the devices by PartitionDirichlet(), for each alpha once as before
 * and once, independently, as after an exchange; each device finds its clusters in what it has.
 *
 * @param points of all samples in the latent space, samples x d
 * @param labels true ones
 * @param classes number of classes
 * @param options how
 * @param seed of all that is random
 * @return a cell for each pair of alphas, by the first, then by the second
 * @throws std::invalid_argument if an option is not allowed, or there are too few samples
 */
std::vector<AgreementCell> MeasureAgreementTable(const Matrix<float>& points,
                                                 const std::vector<int64_t>& labels,
                                                 uint32_t classes,
                                                 const AgreementTableOptions& options,
                                                 uint64_t seed);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_AGREEMENT_TABLE_H */
