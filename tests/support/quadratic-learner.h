/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_QUADRATIC_LEARNER_H
#define SUPPORT_QUADRATIC_LEARNER_H

#include "ns3/collab-learner.h"

#include <memory>
#include <utility>
#include <vector>

namespace tests
{

/**
 * A learner whose loss is a |w - t|^2 / 2, in steps of gradient descent: exact, without LibTorch.
 *
 * Its accuracy is its first weight, so that a test sees which model was measured.
 */
class QuadraticLearner : public ns3::collab::Learner
{
  public:
    /// @param target t
    /// @param curvature a
    /// @param rate of its steps
    /// @param trainFlops operations of a training job
    explicit QuadraticLearner(std::vector<float> target,
                              double curvature = 1,
                              double rate = 0.1,
                              uint64_t trainFlops = 6000000)
        : m_target(std::move(target)),
          m_curvature(curvature),
          m_rate(rate),
          m_trainFlops(trainFlops),
          m_weights(std::make_shared<const std::vector<float>>(m_target.size(), 0.0F))
    {
    }

    ns3::collab::TrainReport
    Train(const ns3::collab::TrainTask& task) override
    {
        tasks.push_back(task);
        const double rate = task.learningRate > 0 ? task.learningRate : m_rate;
        std::vector<double> w(m_weights->begin(), m_weights->end());
        ns3::collab::TrainReport report;
        report.steps = task.steps > 0 ? task.steps : task.epochs;
        std::vector<float> last(w.size());
        for (uint64_t step = 0; step < report.steps; ++step)
        {
            for (std::size_t i = 0; i < w.size(); ++i)
            {
                double gradient = m_curvature * (w[i] - m_target[i]);
                last[i] = static_cast<float>(gradient);
                gradient += task.center ? task.mu * (w[i] - (*task.center)[i]) : 0.0;
                gradient += task.correction ? (*task.correction)[i] : 0.0F;
                w[i] -= rate * gradient;
            }
        }
        m_weights = std::make_shared<const std::vector<float>>(w.begin(), w.end());
        if (task.returnsGradient)
        {
            report.lastGradient = std::make_shared<const std::vector<float>>(std::move(last));
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

    std::vector<ns3::collab::TrainTask> tasks; //!< training jobs so far

  private:
    std::vector<float> m_target;       //!< t
    double m_curvature;                //!< a
    double m_rate;                     //!< of its steps
    uint64_t m_trainFlops;             //!< operations of a training job
    ns3::collab::FlatVector m_weights; //!< w
};

} // namespace tests

#endif /* SUPPORT_QUADRATIC_LEARNER_H */
