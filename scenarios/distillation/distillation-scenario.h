/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_SCENARIO_H
#define DISTILLATION_SCENARIO_H

#include "common/scenario-parameters.h"

#include <ostream>
#include <string>

/// Everything that one run of federated distillation depends on, besides ns-3's own attributes and
/// seeds
struct DistillationParameters : CommonParameters
{
    uint32_t referenceBatchSize = 256; //!< X* samples a step
    double roundDeadline = 0;          //!< longest wait in a round; 0: computed [s]
    double serverOutage = 0.1;         //!< of the farthest device's link to the server

    DistillationParameters();

    /// Refuse what makes no sense together
    void Validate() const;
};

/**
 * @brief Run federated distillation once and write its run folder.
 *
 * With the same common parameters, seed and run number, data, X*, labels, positions and the
 * learners' generators are those of prediction consensus.
 */
void RunDistillation(DistillationParameters& parameters, std::ostream& output);

#endif /* DISTILLATION_SCENARIO_H */
