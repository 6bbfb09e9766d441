/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-stub-learner.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-number.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no score

/// @param model name of a stub with its options
/// @return its size and work
ModelDescription
Describe(const std::string& model)
{
    return DescribeStub(FindModel(model).options);
}

/// The learner of MakeStubLearner()
class StubLearner : public Learner
{
  public:
    /// @param config what to build
    /// @param weights weights to begin with
    StubLearner(StubLearnerConfig config, FlatVector weights)
        : m_config(std::move(config)),
          m_description(Describe(m_config.model)),
          m_weights(std::move(weights))
    {
    }

    TrainReport
    Train(const TrainTask& task) override
    {
        CheckPositions(task.positions, m_config.samples);
        TrainReport report;
        report.steps = task.steps > 0 ? task.steps : task.epochs * CountBatches(task);
        report.localLoss = NONE;
        const double rate = task.learningRate > 0 ? task.learningRate : m_config.learningRate;
        RandomGenerator generator(SplitMix64(m_config.seed + m_jobs++));
        boost::random::uniform_real_distribution<float> draw(-1, 1);
        auto gradient = std::make_shared<std::vector<float>>();
        auto weights = std::make_shared<std::vector<float>>(*m_weights);
        for (float& weight : *weights)
        {
            gradient->push_back(draw(generator));
            weight -= static_cast<float>(rate) * gradient->back();
        }
        m_weights = std::move(weights);
        report.lastGradient = task.returnsGradient ? std::move(gradient) : nullptr;
        return report;
    }

    Matrix<float>
    Predict(const DataView&) override
    {
        throw std::logic_error("a stub has a size only: it cannot predict");
    }

    Score
    Evaluate(const DataView&) override
    {
        Score score;
        score.accuracy = NONE;
        score.balancedAccuracy = NONE;
        score.loss = NONE;
        return score;
    }

    uint64_t
    CountTrainFlops(const TrainTask& task) const override
    {
        CheckPositions(task.positions, m_config.samples);
        const uint64_t all = CountSamples(task);
        const uint64_t batches = CountBatches(task);
        const uint64_t samples = task.steps == 0
                                     ? task.epochs * all
                                     : task.steps / batches * all +
                                           std::min(task.steps % batches * GetBatchSize(task), all);
        return m_description.CountTrainingFlops(samples, 1);
    }

    uint64_t
    CountPredictFlops(std::size_t samples) const override
    {
        return m_description.CountForwardFlops(samples);
    }

    uint64_t
    GetParameterCount() const override
    {
        return m_description.CountParameters();
    }

    FlatVector
    GetWeights() const override
    {
        return m_weights;
    }

    LearnerState
    GetState() const override
    {
        return {{{"weights", m_weights}}, {{"jobs", fmt::format("{}", m_jobs)}}};
    }

    void
    SetState(const LearnerState& state) override
    {
        const auto weights = state.vectors.find("weights");
        const auto jobs = state.values.find("jobs");
        CheckArgument(weights != state.vectors.end() && jobs != state.values.end(),
                      "state of a learner that is no stub");
        SetWeights(weights->second);
        m_jobs = ParseWholeNumber<uint64_t>(jobs->second).value_or(0);
    }

    uint32_t
    GetMultiplicity() const override
    {
        return GetStubMultiplicity(GetParameterCount());
    }

    void
    SetWeights(FlatVector weights) override
    {
        CheckArgument(weights && weights->size() == m_weights->size(),
                      "a stub of {} weights cannot take others",
                      m_weights->size());
        m_weights = std::move(weights);
    }

  private:
    /// @param task a job
    /// @return local samples of a step
    uint64_t
    GetBatchSize(const TrainTask& task) const
    {
        return task.batchSize > 0 ? task.batchSize : m_config.batchSize;
    }

    /// @param task a job
    /// @return number of its local samples
    uint64_t
    CountSamples(const TrainTask& task) const
    {
        return task.positions.empty() ? m_config.samples : task.positions.size();
    }

    /// @param task a job
    /// @return steps of an epoch
    uint64_t
    CountBatches(const TrainTask& task) const
    {
        return (CountSamples(task) + GetBatchSize(task) - 1) / GetBatchSize(task);
    }

    StubLearnerConfig m_config;     //!< what it was built of
    ModelDescription m_description; //!< size and work
    FlatVector m_weights;           //!< each stands for several parameters
    uint64_t m_jobs = 0;            //!< trainings so far
};

} // namespace

FlatVector
MakeStubWeights(const std::string& model)
{
    const uint64_t parameters = Describe(model).CountParameters();
    return std::make_shared<const std::vector<float>>(parameters / GetStubMultiplicity(parameters),
                                                      0.0F);
}

std::unique_ptr<Learner>
MakeStubLearner(StubLearnerConfig config, FlatVector weights)
{
    CheckArgument(config.samples != 0 && config.batchSize != 0 && config.learningRate > 0,
                  "a stub needs samples, a batch size and a learning rate");
    const uint64_t parameters = Describe(config.model).CountParameters();
    CheckArgument(weights && weights->size() * GetStubMultiplicity(parameters) == parameters,
                  "weights that are not those of the stub");
    return std::make_unique<StubLearner>(std::move(config), std::move(weights));
}

} // namespace ns3::collab
