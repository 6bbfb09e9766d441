/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_TOY_SCENARIO_H
#define PREDICTION_CONSENSUS_TOY_SCENARIO_H

#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>

/**
 * @brief One run of an example that Fan et al. (NeurIPS 2023) draw.
 *
 * - regression: Fig. 1 and A.1, three agents, cubic regression by polynomials of degree 4;
 * - two-degrees: Fig. 7 and A.2, a fourth agent, which has a polynomial of degree 1 and is set
 * apart in results as of low quality;
 * - boundaries: Fig. 2 and 5.1, four agents, four Gaussian classes, a network of 5, 10 and 4 units;
 *   labels of 10 % of the samples of agents 0 to 2 are wrong, and all of agent 3.
 */
struct ConsensusToyParameters : CommonParameters
{
    std::string experiment = "regression"; //!< regression, two-degrees or boundaries
    uint32_t rounds = 0;        //!< collaborative rounds; 0 for the paper's: 20, 50 or 50
    uint32_t agentSamples = 50; //!< samples of an agent; on average in boundaries
    double deadline = 0;        //!< longest wait for predictions [s]; 0 for as long as all compute

    ConsensusToyParameters();

    /// @brief Fill in what the experiment decides: devices, rounds, models and bad devices.
    /// @throws UserError if the attribute Rounds leaves none for collaboration
    void Complete();

    /// Refuse what makes no sense together
    void Validate() const;
};

/**
 * @brief Run an example once and write its run folder.
 *
 * Besides the tables of every run of prediction consensus it has the table samples, and curves or
 * boundaries.
 */
void RunConsensusToy(ConsensusToyParameters& parameters, std::ostream& output);

#endif /* PREDICTION_CONSENSUS_TOY_SCENARIO_H */
