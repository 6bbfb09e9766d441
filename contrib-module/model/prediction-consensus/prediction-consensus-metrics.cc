/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-metrics.h"

#include <string>
#include <utility>

namespace ns3::collab
{

namespace
{

/// What is measured on each set of samples
const std::vector<ScoreMetric> MEASURES = {
    {{"accuracy", "1", "fraction of the samples NAME that the model labels right"},
     &Score::accuracy},
    {{"balanced_accuracy", "1", "the same, mean over the classes of NAME"},
     &Score::balancedAccuracy}};

/// The same in regression
const std::vector<ScoreMetric> REGRESSION_MEASURES = {
    {{"squared_error", "", "mean squared error on the samples NAME"}, &Score::loss},
    {{"determination", "1", "1 - squared error / variance of the targets of NAME"},
     &Score::determination}};

} // namespace

Columns<ConsensusMetrics>
ConsensusMetrics::GetColumns(const Evaluations& evaluations, bool isRegression)
{
    const std::string unit = isRegression ? "" : "nat";
    Columns<ConsensusMetrics> columns = {
        {"collaborative",
         "",
         "1 if the device trained toward pseudo-labels, or as an oracle toward the true ones of "
         "X*; 0 if on its own samples alone",
         &ConsensusMetrics::isCollaborative}};
    columns =
        std::move(columns) + evaluations.MakeColumns(isRegression ? REGRESSION_MEASURES : MEASURES,
                                                     &ConsensusMetrics::scores);
    columns.Add({"local_loss",
                 unit,
                 isRegression ? "squared error on the own samples, in the last epoch"
                              : "cross-entropy on the own samples, mean over the last epoch",
                 &ConsensusMetrics::localLoss});
    columns.Add({"distillation_loss",
                 unit,
                 isRegression ? "squared distance to the pseudo-labels, in the last epoch"
                              : "soft cross-entropy to the pseudo-labels, mean over the last epoch",
                 &ConsensusMetrics::distillationLoss});
    if (!isRegression) // which only the researcher can tell
    {
        columns.Add({"accuracy_pseudo_labels",
                     "",
                     "part of X* to which the pseudo-labels give the right class; NaN without "
                     "pseudo-labels",
                     &ConsensusMetrics::pseudoLabelAccuracy});
    }
    return std::move(columns) +
           Columns<ConsensusMetrics>{{"heard",
                                      "",
                                      "peers whose predictions of this round were used",
                                      &ConsensusMetrics::used},
                                     {"stale",
                                      "",
                                      "peers whose predictions of another round were used",
                                      &ConsensusMetrics::stale},
                                     {"excluded",
                                      "",
                                      "neighbors whose predictions were not used",
                                      &ConsensusMetrics::excluded}};
}

} // namespace ns3::collab
