/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_AGREEMENT_SCENARIO_H
#define GRAPH_DISCOVERY_AGREEMENT_SCENARIO_H

#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>

/// Everything that one run of Example 2 of Wagle et al. depends on
struct GraphDiscoveryAgreementParameters : RunParameters
{
    std::string rule = "ratio-of-means";   //!< how divergences become one number
    std::string alphas = "0.01,0.1,1,10";  //!< of Dirichlet distributions
    uint32_t rounds = 20;                  //!< independent draws
    uint32_t devices = 10;                 //!< N
    std::string dataSet = "fashion-mnist"; //!< name of a data set with classes, or file:PATH
    std::string dataDir;                   //!< folder of its files; empty for the usual one
    uint32_t samples = 6000;               //!< of a device, on average
    uint32_t minimumSamples = 1500;        //!< fewest of a device
    uint32_t components = 16;              //!< d
    uint32_t clusters = 7;                 //!< L
    uint32_t restarts = 10;                //!< of k-means

    GraphDiscoveryAgreementParameters();

    /// Refuse what makes no sense together
    void Validate() const;
};

/// @brief Measure how devices agree after other exchanges than before, and write a run folder.
void RunGraphDiscoveryAgreement(GraphDiscoveryAgreementParameters& parameters,
                                std::ostream& output);

#endif /* GRAPH_DISCOVERY_AGREEMENT_SCENARIO_H */
