/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_METRICS_H
#define PREDICTION_CONSENSUS_METRICS_H

#include "ns3/collab-columns.h"
#include "ns3/collab-evaluations.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What is measured in a round of an agent.
struct ConsensusMetrics
{
    bool isCollaborative = false;               //!< whether there were pseudo-labels
    std::shared_ptr<std::vector<Score>> scores; //!< of the model
    double localLoss = 0;                       //!< of the training
    double distillationLoss = 0;                //!< of the training
    double pseudoLabelAccuracy = std::numeric_limits<double>::quiet_NaN(); //!< on X*
    std::size_t used = 0;     //!< peers heard in this round and used
    std::size_t stale = 0;    //!< peers used with older or newer predictions
    std::size_t excluded = 0; //!< neighbors not used

    /// @param evaluations what the model is measured on
    /// @param isRegression whether it predicts values
    /// @return the columns
    static Columns<ConsensusMetrics> GetColumns(const Evaluations& evaluations, bool isRegression);
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_METRICS_H */
