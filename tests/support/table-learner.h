/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_TABLE_LEARNER_H
#define SUPPORT_TABLE_LEARNER_H

#include "ns3/collab-learner.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace tests
{

/**
 * A learner that answers from a table: fast and exact, without LibTorch.
 *
 * Its prediction in its k-th call is the k-th row block of the table (the last one from then on);
 * it remembers what it was told to train.
 */
class TableLearner : public ns3::collab::Learner
{
  public:
    /// @param answers predictions on X*, one after the other
    /// @param trainFlops operations of a training job
    explicit TableLearner(std::vector<ns3::collab::Matrix<float>> answers,
                          uint64_t trainFlops = 6000000)
        : m_answers(std::move(answers)),
          m_trainFlops(trainFlops)
    {
    }

    ns3::collab::TrainReport
    Train(const ns3::collab::TrainTask& task) override
    {
        tasks.push_back(task);
        return {};
    }

    ns3::collab::Matrix<float>
    Predict(const ns3::collab::DataView&) override
    {
        const std::size_t index = std::min(m_calls++, m_answers.size() - 1);
        return m_answers[index];
    }

    ns3::collab::Score
    Evaluate(const ns3::collab::DataView&) override
    {
        ns3::collab::Score score;
        score.accuracy = static_cast<double>(tasks.size()) / 100;
        return score;
    }

    uint64_t
    CountTrainFlops(const ns3::collab::TrainTask&) const override
    {
        return m_trainFlops;
    }

    uint64_t
    CountPredictFlops(std::size_t samples) const override
    {
        return samples * 1000;
    }

    uint64_t
    GetParameterCount() const override
    {
        return 0;
    }

    /// @param answers predictions on X* from now on, one after the other
    void
    SetAnswers(std::vector<ns3::collab::Matrix<float>> answers)
    {
        m_answers = std::move(answers);
    }

    std::vector<ns3::collab::TrainTask> tasks; //!< training jobs so far

  private:
    std::vector<ns3::collab::Matrix<float>> m_answers; //!< predictions on X*
    uint64_t m_trainFlops;                             //!< operations of a training job
    std::size_t m_calls = 0;                           //!< calls of Predict()
};

/// @param samples number of samples
/// @param classes number of classes
/// @return an unlabelled set of that shape, without features
inline std::shared_ptr<const ns3::collab::DataView>
MakeReference(uint32_t samples, uint32_t classes)
{
    auto data = std::make_shared<ns3::collab::DataSet>();
    data->classes = classes;
    data->sampleShape = {1, 1, 1};
    data->features.resize(samples);
    data->labels.resize(samples);
    auto view = std::make_shared<ns3::collab::DataView>();
    view->data = data;
    for (uint32_t i = 0; i < samples; ++i)
    {
        view->indices.push_back(i);
        view->labels.push_back(0);
    }
    return view;
}

/// @param samples number of samples
/// @param classes number of classes
/// @param favourite class that gets most of the probability
/// @param confidence probability of that class; the others share the rest
/// @return the same soft label for every sample
inline ns3::collab::Matrix<float>
MakeSoftLabels(std::size_t samples, std::size_t classes, std::size_t favourite, float confidence)
{
    ns3::collab::Matrix<float> labels(
        samples, classes, (1 - confidence) / static_cast<float>(classes - 1));
    for (std::size_t i = 0; i < samples; ++i)
    {
        labels(i, favourite) = confidence;
    }
    return labels;
}

} // namespace tests

#endif /* SUPPORT_TABLE_LEARNER_H */
