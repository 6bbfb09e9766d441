/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-evaluations.h"

#include <limits>

namespace ns3::collab
{

namespace
{

/// What is measured in regression
const std::vector<ScoreMetric> REGRESSION_MEASURES = {
    {{"loss", "", "mean squared error on the samples NAME"}, &Score::loss},
    {{"determination", "1", "1 - squared error / variance of the targets of NAME"},
     &Score::determination}};

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

Metric
Evaluations::MakeMetric(const ScoreMetric& measure, const SharedEvaluation& evaluation)
{
    const std::string place = "NAME";
    const std::string& name = evaluation.GetName();
    Metric metric = measure.metric;
    metric.name += "_" + name;
    const std::size_t found = metric.meaning.find(place);
    if (found != std::string::npos)
    {
        metric.meaning.replace(found, place.size(), name);
    }
    const bool isWhole = measure.part == &Score::accuracy || measure.part == &Score::loss;
    if (evaluation.HasSeveralViews() && !isWhole)
    {
        metric.meaning += ", each device's own, mean by numbers of samples";
    }
    return metric;
}

} // namespace ns3::collab
