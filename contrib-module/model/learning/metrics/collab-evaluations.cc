/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-evaluations.h"

#include <limits>

namespace ns3
{
namespace collab
{

namespace
{

/// What is measured in regression
const std::vector<ScoreMetric> REGRESSION_MEASURES = {
    {{"loss", "", "mean squared error on the samples NAME"}, &Score::loss},
    {{"determination", "1", "1 - squared error / variance of the targets of NAME"},
     &Score::determination}};

/**
 * @param metric metric of a measure
 * @param name name of samples
 * @return the metric of these samples
 */
Metric
NameSamples(Metric metric, const std::string& name)
{
    const std::string place = "NAME";
    metric.name += "_" + name;
    const std::size_t found = metric.meaning.find(place);
    if (found != std::string::npos)
    {
        metric.meaning.replace(found, place.size(), name);
    }
    return metric;
}

} // namespace

void
Evaluations::Add(std::shared_ptr<SharedEvaluation> evaluation)
{
    m_evaluations.push_back(std::move(evaluation));
}

void
Evaluations::Add(const std::string& name, std::shared_ptr<const DataView> labelled)
{
    Add(std::make_shared<SharedEvaluation>(name, std::move(labelled), 0));
}

void
Evaluations::Clear()
{
    m_evaluations.clear();
}

std::vector<Score>
Evaluations::Evaluate(Learner& learner) const
{
    std::vector<Score> scores;
    for (const auto& evaluation : m_evaluations)
    {
        scores.push_back(evaluation->Evaluate(learner));
    }
    return scores;
}

bool
Evaluations::IsRegression() const
{
    return !m_evaluations.empty() && m_evaluations.front()->IsRegression();
}

const std::vector<ScoreMetric>&
Evaluations::GetMeasures(const std::vector<ScoreMetric>& classification) const
{
    return IsRegression() ? REGRESSION_MEASURES : classification;
}

void
Evaluations::AddMetrics(const std::vector<ScoreMetric>& measures,
                        std::vector<Metric>& metrics) const
{
    for (const auto& evaluation : m_evaluations)
    {
        for (const auto& measure : measures)
        {
            metrics.push_back(NameSamples(measure.metric, evaluation->GetName()));
            const bool isWhole = measure.part == &Score::accuracy || measure.part == &Score::loss;
            if (evaluation->HasSeveralViews() && !isWhole)
            {
                metrics.back().meaning += ", each device's own, mean by numbers of samples";
            }
        }
    }
}

void
Evaluations::AddValues(const std::vector<ScoreMetric>& measures,
                       const std::vector<Score>* scores,
                       std::vector<std::pair<std::string, double>>& values) const
{
    for (std::size_t i = 0; i < m_evaluations.size(); ++i)
    {
        for (const auto& measure : measures)
        {
            values.emplace_back(measure.metric.name + "_" + m_evaluations[i]->GetName(),
                                scores ? (*scores)[i].*measure.part
                                       : std::numeric_limits<double>::quiet_NaN());
        }
    }
}

} // namespace collab
} // namespace ns3
