/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-seed-learner.h"

#include "ns3/collab-batch-cut.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-random.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr uint64_t SPLIT_MIX_STEP = 0x9e3779b97f4a7c15U; //!< between states of SplitMix64
constexpr uint64_t DIRECTION_FLOPS = 5; //!< a number: half of a logarithm, a root and two products,
                                        //!< and a product, a cosine or sine and its product
constexpr uint64_t SUM_FLOPS = 2;       //!< a number: w + a z
constexpr uint64_t SEED_LOSS_FLOPS = 2; //!< a sample: logarithm, sum

/// @param[in,out] weights of which the first are moved
/// @param by a, how far
/// @param direction z
void
MoveAlong(std::vector<float>& weights, double by, const std::vector<float>& direction)
{
    for (std::size_t i = 0; i < direction.size(); ++i)
    {
        weights[i] = static_cast<float>(weights[i] + by * direction[i]);
    }
}

/// The learner of MakeSeedLearner()
class SeedLearner : public Learner
{
  public:
    SeedLearner(std::unique_ptr<Learner> learner,
                DataView samples,
                std::shared_ptr<SeedModel> model,
                const SeedSteps& steps)
        : m_learner(std::move(learner)),
          m_samples(std::move(samples)),
          m_model(std::move(model)),
          m_steps(steps),
          m_generator(steps.shuffleSeed),
          m_scalars(std::make_shared<const std::vector<float>>(m_model->CountSeeds(), 0.0F))
    {
    }

    TrainReport
    Train(const TrainTask& task) override // Qin et al., algorithm 1: ClientTraining
    {
        CheckTask(task);
        const double rate = task.learningRate > 0 ? task.learningRate : m_steps.learningRate;
        TrainReport report;
        std::vector<float> scalars = *m_scalars;
        std::vector<float> weights = *Build()->GetWeights();
        m_present.reset(); // the learner's model moves
        std::vector<uint32_t> order;
        boost::random::uniform_int_distribution<uint32_t> draw(0, m_model->CountSeeds() - 1);
        for (const uint64_t steps = CountSteps(task); report.steps < steps; ++report.steps)
        {
            const DataView batch = TakeBatch(order);
            const uint32_t seed = draw(m_generator);
            const std::vector<float> direction = m_model->DrawDirection(seed);
            const double above = FindLoss(weights, m_steps.smoothing, direction, batch);
            const double below = FindLoss(weights, -m_steps.smoothing, direction, batch);
            const double step = rate * (above - below) / (2 * m_steps.smoothing);
            MoveAlong(weights, -step, direction);
            scalars[seed] = static_cast<float>(scalars[seed] + step);
            report.localLoss += (above + below) / 2 / static_cast<double>(steps);
            if (!std::isfinite(scalars[seed]) || !AreFinite(weights))
            {
                scalars[seed] = std::numeric_limits<float>::quiet_NaN(); // it has diverged
                report.steps = steps;
                break;
            }
        }
        m_scalars = std::make_shared<const std::vector<float>>(std::move(scalars));
        if (AreFinite(*m_scalars))
        {
            m_learner->SetWeights(std::make_shared<const std::vector<float>>(std::move(weights)));
            m_present = m_scalars;
        }
        return report;
    }

    Matrix<float>
    Predict(const DataView& inputs) override
    {
        return Build()->Predict(inputs);
    }

    Matrix<float>
    PredictScores(const DataView& inputs) override
    {
        return Build()->PredictScores(inputs);
    }

    Score
    Evaluate(const DataView& labelled) override
    {
        return Build()->Evaluate(labelled);
    }

    uint64_t
    CountTrainFlops(const TrainTask& task) const override
    {
        CheckTask(task);
        const auto zeros = std::count(m_scalars->begin(), m_scalars->end(), 0.0F);
        return CountFlops(task, m_scalars->size() - static_cast<std::size_t>(zeros));
    }

    uint64_t
    CountMostTrainFlops(const TrainTask& task) const override
    {
        CheckTask(task);
        return CountFlops(task, m_scalars->size());
    }

    uint64_t
    CountPredictFlops(std::size_t samples) const override
    {
        return m_learner->CountPredictFlops(samples);
    }

    uint64_t
    GetParameterCount() const override
    {
        return m_model->CountSeeds();
    }

    FlatVector
    GetWeights() const override
    {
        return m_scalars;
    }

    void
    SetWeights(FlatVector weights) override
    {
        CheckArgument(weights, "scalars: there are none");
        CheckFlatVector(weights, "scalars", m_model->CountSeeds());
        m_scalars = std::move(weights);
    }

    FlatVector
    GetAllWeights() const override
    {
        return Build()->GetAllWeights();
    }

  private:
    /// @brief Let the model be that of the scalars, unless it would not be finite.
    /// @return the learner with that model
    Learner*
    Build() const
    {
        if (m_present != m_scalars && AreFinite(*m_scalars))
        {
            const FlatVector weights = m_model->Build(m_scalars);
            if (AreFinite(*weights))
            {
                m_learner->SetWeights(weights);
            }
            m_present = m_scalars;
        }
        return m_learner.get();
    }

    /// @param task a training job
    /// @throws std::invalid_argument if it has anything but steps
    void
    CheckTask(const TrainTask& task) const
    {
        CheckArgument(!task.center && !task.correction && task.l2 == 0 && task.positions.empty() &&
                          !task.distillation.targets && !task.returnsGradient &&
                          task.batchSize == 0,
                      "a training along seeds has no terms, no gradient, and batches of its own");
    }

    /// @return number of samples of a step
    std::size_t
    CountBatch() const
    {
        return std::min<std::size_t>(m_steps.batchSize, m_samples.Size());
    }

    /// @return number of steps of the job
    uint64_t
    CountSteps(const TrainTask& task) const
    {
        const BatchCut cut(m_samples.Size(), CountBatch(), false);
        return task.steps > 0 ? task.steps : uint64_t{task.epochs} * cut.Count();
    }

    /// @param[in,out] order what is left of the present pass over the samples
    /// @return samples of the next step
    DataView
    TakeBatch(std::vector<uint32_t>& order)
    {
        if (order.empty())
        {
            order = DrawPermutation(static_cast<uint32_t>(m_samples.Size()), m_generator);
        }
        DataView batch;
        batch.data = m_samples.data;
        batch.transform = m_samples.transform;
        for (std::size_t left = std::min(CountBatch(), order.size()); left > 0; --left)
        {
            batch.indices.push_back(m_samples.indices[order.back()]);
            if (!m_samples.labels.empty())
            {
                batch.labels.push_back(m_samples.labels[order.back()]);
            }
            order.pop_back();
        }
        return batch;
    }

    /// @return loss of a batch at w + a z; NaN if that is not finite
    double
    FindLoss(std::vector<float> weights,
             double by,
             const std::vector<float>& direction,
             const DataView& batch)
    {
        MoveAlong(weights, by, direction);
        if (!AreFinite(weights))
        {
            return std::numeric_limits<double>::quiet_NaN();
        }
        m_learner->SetWeights(std::make_shared<const std::vector<float>>(std::move(weights)));
        return m_learner->Evaluate(batch).loss;
    }

    /// @return operations of a job that begins with so many directions
    uint64_t
    CountFlops(const TrainTask& task, std::size_t directions) const
    {
        const std::size_t batch = CountBatch();
        const BatchCut cut(m_samples.Size(), batch, false);
        const uint64_t steps = CountSteps(task);
        const uint64_t last = steps / cut.Count(); // of passes, which may be smaller
        const uint64_t full = steps - last;
        const std::size_t rest = cut.Size(cut.Count() - 1);
        const uint64_t losses =
            full * (m_learner->CountPredictFlops(batch) + SEED_LOSS_FLOPS * batch) +
            last * (m_learner->CountPredictFlops(rest) + SEED_LOSS_FLOPS * rest);
        return m_model->CountFlops(directions + steps) + 2 * losses +
               2 * steps * SUM_FLOPS * m_model->CountTrained();
    }

    std::unique_ptr<Learner> m_learner; //!< whose model learns
    DataView m_samples;                 //!< the own ones
    std::shared_ptr<SeedModel> m_model; //!< of all devices
    SeedSteps m_steps;                  //!< how it takes them
    RandomGenerator m_generator;        //!< of the order of samples, and of seeds
    FlatVector m_scalars;               //!< a
    mutable FlatVector m_present;       //!< those that the learner's model is of
};

} // namespace

SeedModel::SeedModel(FlatVector first, std::size_t trained, uint32_t seeds, uint64_t origin)
    : m_first(std::move(first)),
      m_trained(trained),
      m_seeds(seeds),
      m_origin(origin)
{
    CheckArgument(m_first && trained > 0 && trained <= m_first->size() && seeds > 0,
                  "{} seeds for {} trained numbers, expected at least 1 of both",
                  seeds,
                  trained);
}

uint32_t
SeedModel::CountSeeds() const
{
    return m_seeds;
}

std::size_t
SeedModel::CountTrained() const
{
    return m_trained;
}

std::vector<float>
SeedModel::DrawDirection(uint32_t seed) const
{
    constexpr double TWO_PI = boost::math::constants::two_pi<double>();
    constexpr int UNUSED_BITS = 11; // of 64: a double has 53
    uint64_t state = SplitMix64(m_origin + seed);
    const auto draw = [&state]() { // from 0 to below 1
        const uint64_t bits = SplitMix64(state) >> UNUSED_BITS;
        state += SPLIT_MIX_STEP;
        return std::ldexp(static_cast<double>(bits), UNUSED_BITS - 64);
    };
    std::vector<float> direction(m_trained + m_trained % 2);
    for (std::size_t i = 0; i < m_trained; i += 2)
    {
        const double radius = std::sqrt(-2 * std::log(1 - draw()));
        const double angle = TWO_PI * draw();
        direction[i] = static_cast<float>(radius * std::cos(angle));
        direction[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
    direction.resize(m_trained);
    return direction;
}

FlatVector
SeedModel::Build(const FlatVector& scalars)
{
    CheckFlatVector(scalars, "scalars", m_seeds);
    const std::lock_guard<std::mutex> lock(m_access);
    if (scalars == m_scalars)
    {
        return m_built;
    }
    std::vector<float> weights = *m_first;
    for (uint32_t seed = 0; seed < m_seeds; ++seed)
    {
        if ((*scalars)[seed] != 0)
        {
            MoveAlong(weights, -double{(*scalars)[seed]}, DrawDirection(seed));
        }
    }
    m_scalars = scalars;
    m_built = std::make_shared<const std::vector<float>>(std::move(weights));
    return m_built;
}

uint64_t
SeedModel::CountFlops(uint64_t directions) const
{
    return directions * m_trained * (DIRECTION_FLOPS + SUM_FLOPS);
}

std::unique_ptr<Learner>
MakeSeedLearner(std::unique_ptr<Learner> learner,
                DataView samples,
                std::shared_ptr<SeedModel> model,
                const SeedSteps& steps)
{
    CheckArgument(learner && model && samples.Size() > 0 && steps.batchSize > 0 &&
                      steps.smoothing > 0 && std::isfinite(steps.smoothing) &&
                      steps.learningRate > 0 && std::isfinite(steps.learningRate),
                  "a learner along seeds of {} samples in batches of {}, with the smoothing {} and "
                  "the rate {}, expected positive numbers",
                  samples.Size(),
                  steps.batchSize,
                  steps.smoothing,
                  steps.learningRate);
    CheckArgument(learner->GetParameterCount() == model->CountTrained(),
                  "a learner of {} trained numbers, its model has {}",
                  learner->GetParameterCount(),
                  model->CountTrained());
    return std::make_unique<SeedLearner>(
        std::move(learner), std::move(samples), std::move(model), steps);
}

} // namespace ns3::collab
