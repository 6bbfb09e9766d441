/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_EVALUATIONS_H
#define COLLAB_EVALUATIONS_H

#include "collab-shared-evaluation.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-metric.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief A part of a Score that an algorithm tells of each set of samples.
 *
 * Its metric's name gets "_NAME" appended, and NAME stands in its meaning for the samples' name.
 */
struct ScoreMetric
{
    Metric metric; //!< e.g. "accuracy", "1", "fraction of NAME that is labelled right"
    double Score::*part = nullptr; //!< which part
};

/**
 * @ingroup collab-learning
 * @brief What a model is measured on, and how that becomes metrics.
 *
 * Copies share the samples. Measuring takes no simulated time and no energy: it is the
 * researcher's, not the device's.
 */
class Evaluations
{
  public:
    /// @param evaluation one more, after all others
    void Add(std::shared_ptr<SharedEvaluation> evaluation);
    /// @param name name of the samples
    /// @param labelled samples with the labels to judge by, of this device alone
    void Add(const std::string& name, std::shared_ptr<const DataView> labelled);
    /// @brief Forget all.
    void Clear();

    /// @param learner learner that has the weights now; on any thread
    /// @return a score for each
    std::vector<Score> Evaluate(Learner& learner) const;

    /// @return whether the first samples are of a regression
    bool IsRegression() const;
    /// @param classification what an algorithm tells of each set of labelled samples
    /// @return that; in regression loss, the squared error, and determination instead
    const std::vector<ScoreMetric>& GetMeasures(
        const std::vector<ScoreMetric>& classification) const;
    /// @tparam Metrics a struct of metrics
    /// @param measures to be told of each
    /// @param scores pointer to what Evaluate() has returned; null if nothing is measured: all are
    /// NaN
    /// @return a column for each, all of the first samples first
    template <typename Metrics, typename Scores>
    Columns<Metrics> MakeColumns(const std::vector<ScoreMetric>& measures,
                                 Scores Metrics::*scores) const;

  private:
    /// @param measure what is measured
    /// @param evaluation on which samples
    /// @return its metric
    static Metric MakeMetric(const ScoreMetric& measure, const SharedEvaluation& evaluation);

    std::vector<std::shared_ptr<SharedEvaluation>> m_evaluations; //!< what to measure on
};

template <typename Metrics, typename Scores>
Columns<Metrics>
Evaluations::MakeColumns(const std::vector<ScoreMetric>& measures, Scores Metrics::*scores) const
{
    Columns<Metrics> columns;
    for (std::size_t i = 0; i < m_evaluations.size(); ++i)
    {
        for (const auto& measure : measures)
        {
            const auto read = [i, part = measure.part, scores](const Metrics& metrics) {
                const auto& all = metrics.*scores;
                return all ? (*all)[i].*part : std::numeric_limits<double>::quiet_NaN();
            };
            const Metric metric = MakeMetric(measure, *m_evaluations[i]);
            columns.Add({metric.name, metric.unit, metric.meaning, read});
        }
    }
    return columns;
}

} // namespace ns3::collab

#endif /* COLLAB_EVALUATIONS_H */
