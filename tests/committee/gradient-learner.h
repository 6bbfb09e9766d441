/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_GRADIENT_LEARNER_H
#define COMMITTEE_GRADIENT_LEARNER_H

#include "ns3/collab-learner.h"

#include <memory>
#include <utility>
#include <vector>

namespace tests
{

/// A learner whose loss is |w - t|^2 / 2, in steps of gradient descent: exact, without LibTorch.
/// Its accuracy is its first weight, so that a test sees which model was measured.
class GradientLearner : public ns3::collab::Learner
{
  public:
    /**
     * @param target t
     * @param trainFlops operations of a training job
     */
    explicit GradientLearner(std::vector<float> target, uint64_t trainFlops = 6000000)
        : m_target(std::move(target)),
          m_trainFlops(trainFlops),
          m_weights(std::make_shared<const std::vector<float>>(m_target.size(), 0.0F))
    {
    }

    ns3::collab::TrainReport
    Train(const ns3::collab::TrainTask& task) override
    {
        ns3::collab::TrainReport report;
        for (report.steps = 0; report.steps < task.steps; ++report.steps)
        {
            std::vector<float> gradient;
            std::vector<float> weights;
            for (std::size_t i = 0; i < m_target.size(); ++i)
            {
                gradient.push_back((*m_weights)[i] - m_target[i]);
                weights.push_back((*m_weights)[i] -
                                  static_cast<float>(task.learningRate) * gradient[i]);
            }
            m_weights = std::make_shared<const std::vector<float>>(std::move(weights));
            report.lastGradient = std::make_shared<const std::vector<float>>(std::move(gradient));
        }
        return report;
    }

    ns3::collab::Matrix<float>
    Predict(const ns3::collab::DataView&) override
    {
        return {};
    }

    ns3::collab::Score
    Evaluate(const ns3::collab::DataView&) override
    {
        ns3::collab::Score score;
        score.accuracy = m_weights->front();
        return score;
    }

    uint64_t
    CountTrainFlops(const ns3::collab::TrainTask&) const override
    {
        return m_trainFlops;
    }

    uint64_t
    CountPredictFlops(std::size_t) const override
    {
        return 0;
    }

    uint64_t
    GetParameterCount() const override
    {
        return m_target.size();
    }

    ns3::collab::FlatVector
    GetWeights() const override
    {
        return m_weights;
    }

    void
    SetWeights(ns3::collab::FlatVector weights) override
    {
        m_weights = std::move(weights);
    }

  private:
    std::vector<float> m_target;       //!< t
    uint64_t m_trainFlops;             //!< operations of a training job
    ns3::collab::FlatVector m_weights; //!< w
};

} // namespace tests

#endif /* COMMITTEE_GRADIENT_LEARNER_H */
