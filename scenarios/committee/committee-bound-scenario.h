/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BOUND_SCENARIO_H
#define COMMITTEE_BOUND_SCENARIO_H

#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>

/// Everything that one run of the committee mechanism on a convex problem depends on
struct CommitteeBoundParameters : RunParameters
{
    std::string selection = "I"; //!< I or II
    uint32_t rounds = 1000;      //!< rounds
    uint32_t clients = 30;       //!< K
    uint32_t training = 15;      //!< n
    uint32_t committee = 5;      //!< C
    double acceptPercent = 40;   //!< alpha [%]
    uint32_t localSteps = 1;     //!< tau
    double spread = 0.3;         //!< of the clients' true models

    CommitteeBoundParameters();

    /// Refuse what makes no sense together
    void Validate() const;
};

/// @brief Measure the error of a convex model, and Theorem 1's bound of it, and write a run folder.
void RunCommitteeBound(CommitteeBoundParameters& parameters, std::ostream& output);

#endif /* COMMITTEE_BOUND_SCENARIO_H */
