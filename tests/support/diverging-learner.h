/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_DIVERGING_LEARNER_H
#define SUPPORT_DIVERGING_LEARNER_H

#include "support/quadratic-learner.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tests
{

/**
 * A QuadraticLearner all of whose numbers are NaN after each of its trainings from some one on.
 *
 * What it answers follows from its first weight, which follows from what it is taught.
 */
class DivergingLearner : public QuadraticLearner
{
  public:
    static constexpr std::size_t NEVER = SIZE_MAX; //!< it does not diverge

    /// @param target see QuadraticLearner
    /// @param first number of the first training that diverges, from 0
    DivergingLearner(std::vector<float> target, std::size_t first)
        : QuadraticLearner(std::move(target)),
          m_first(first)
    {
    }

    ns3::collab::TrainReport
    Train(const ns3::collab::TrainTask& task) override
    {
        ns3::collab::TrainReport report = QuadraticLearner::Train(task);
        if (task.distillation.targets)
        {
            auto weights = *GetWeights();
            weights.front() += 0.1F * task.distillation.targets->values.front();
            QuadraticLearner::SetWeights(
                std::make_shared<const std::vector<float>>(std::move(weights)));
        }
        if (tasks.size() > m_first)
        {
            const auto nothing =
                std::make_shared<const std::vector<float>>(GetWeights()->size(), NAN);
            QuadraticLearner::SetWeights(nothing);
            report.lastGradient = task.returnsGradient ? nothing : nullptr;
            report.localLoss = NAN;
        }
        return report;
    }

    ns3::collab::Matrix<float>
    Predict(const ns3::collab::DataView& inputs) override
    {
        const std::size_t classes = inputs.data->classes;
        const float weight = GetWeights()->front();
        const float first = 0.5F + 0.4F * weight / (1 + std::abs(weight));
        const float other = IsFinite() ? (1 - first) / static_cast<float>(classes - 1) : NAN;
        ns3::collab::Matrix<float> labels(inputs.Size(), classes, other);
        for (std::size_t i = 0; i < inputs.Size(); ++i)
        {
            labels(i, 0) = first;
        }
        return labels;
    }

    void
    SetWeights(ns3::collab::FlatVector weights) override
    {
        QuadraticLearner::SetWeights(std::move(weights));
        if (!IsFinite())
        {
            throw std::invalid_argument("weights that are not finite");
        }
    }

  private:
    /// @return whether its weights are finite
    bool
    IsFinite() const
    {
        const auto weights = GetWeights();
        return std::all_of(
            weights->begin(), weights->end(), [](float weight) { return std::isfinite(weight); });
    }

    std::size_t m_first; //!< training from which on it diverges
};

} // namespace tests

#endif /* SUPPORT_DIVERGING_LEARNER_H */
