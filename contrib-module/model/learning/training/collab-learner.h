/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNER_H
#define COLLAB_LEARNER_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief All weights of a model as one flat vector that nobody changes any more.
 *
 * Trained numbers, tensor by tensor in the order of the forward pass, each row-major; then the
 * state that travels with them, such as the running statistics of batch normalization. Gradients
 * and corrections have the same length and order, and are 0 where the state is. Devices that hold
 * the same vector share its memory until one of them trains.
 */
using FlatVector = std::shared_ptr<const std::vector<float>>;

/// @ingroup collab-learning
/// @brief All that changes in a learner when it trains, by names of its own.
struct LearnerState
{
    std::map<std::string, FlatVector> vectors; //!< such as weights and moments; none is null
    std::map<std::string, std::string> values; //!< such as counters and generators, as text
};

/// @ingroup collab-learning
/// @brief Distance of a classifier from what it is to say of unlabelled samples.
enum class DistillationLoss : uint8_t
{
    SOFT_CROSS_ENTROPY, //!< of class probabilities; in regression the squared error of outputs
    ABSOLUTE_ERROR,     //!< of class scores before the softmax, mean over the classes
};

/**
 * @ingroup collab-learning
 * @brief Pull of a model towards given soft labels on unlabelled samples.
 *
 * The second term of eq. (2) of Fan et al. (NeurIPS 2023): lambda * dist(f(X*), psi) with dist the
 * soft cross-entropy, or in regression the squared l2 distance over the number of outputs, averaged
 * over a batch.
 */
struct Distillation
{
    std::shared_ptr<const DataView> inputs; //!< X*; its labels are never read
    std::shared_ptr<const Matrix<float>>
        targets; //!< psi, one row of class probabilities, or of outputs in regression, a sample
    double lambda = 0.5; //!< weight of the term; not negative
    /// what is distant; targets of ABSOLUTE_ERROR are class scores
    DistillationLoss loss = DistillationLoss::SOFT_CROSS_ENTROPY;
    /// whether steps of a training take samples of X* alone, and epochs are passes over X*
    bool isAlone = false;
};

/**
 * @ingroup collab-learning
 * @brief What a job adds to the learner's own loss.
 *
 * With w the trained numbers, the gradient of a step becomes
 * g + l2 w + mu (w - center) + correction:
 * - FedProx (Li et al., MLSys 2020): center is the global model.
 * - SCAFFOLD (Karimireddy et al., ICML 2020): correction is c - c_i.
 * - FedDyn (Acar et al., ICLR 2021): center is the global model, mu is alpha, and correction is
 *   minus the gradient of the device's last local loss.
 */
struct ObjectiveTerms
{
    Distillation distillation; //!< added to every step if its targets are set
    double l2 = 0;             //!< weight of |w|^2 / 2; not negative
    FlatVector center;         //!< of the proximal term; null for none
    double mu = 0;             //!< weight of |w - center|^2 / 2; not negative
    FlatVector correction;     //!< added to every gradient; null for none
    FlatVector prior; //!< of a variational learner: means, then standard deviations; null: its own
};

/// @ingroup collab-learning
/// @brief One local training job: so many passes over the learner's own samples, or so many steps.
struct TrainTask : ObjectiveTerms
{
    uint32_t epochs = 1;          //!< passes over the local samples; not read if there are steps
    uint32_t steps = 0;           //!< if not 0: batches to take, from as many passes as they need
    double learningRate = 0;      //!< of this job; 0 for the learner's own
    uint32_t batchSize = 0;       //!< local samples of a step; 0 for the learner's own
    bool resetsOptimizer = false; //!< whether to forget the optimizer's moments first
    bool dropsOptimizer = false; //!< whether to forget them in the end, and need no memory for them
    bool returnsGradient = false; //!< whether the report has the gradient of the last step
    /// positions of samples in the learner's own view: the job is as if there were no others, which
    /// goes for passes, steps, operations and the weight of a belief's divergence; all if empty
    std::vector<uint32_t> positions;
    /// of a variational learner: the divergence weighs klWeight klScale over the number of the
    /// job's samples; not negative
    double klScale = 1;
};

/// @ingroup collab-learning
/// @brief A gradient to be computed without a step. A belief's divergence weighs klWeight over the
/// number of all of the learner's samples, whatever the positions.
struct GradientTask : ObjectiveTerms
{
    /// positions of samples in the learner's own view; all of them if empty
    std::vector<uint32_t> positions;
};

/// @ingroup collab-learning
/// @brief A gradient of a learner's loss.
struct GradientReport
{
    FlatVector gradient;         //!< of the mean loss and of the other terms
    double localLoss = 0;        //!< mean loss over the samples [nat, or squared units]
    double distillationLoss = 0; //!< mean over the samples of X*; 0 without targets
};

/// @ingroup collab-learning
/// @brief What a training job did.
struct TrainReport
{
    uint64_t steps = 0; //!< optimizer steps taken
    /// mean loss over the local samples of the last epoch, each taken in its own step [nat];
    /// squared error in regression, the triplets' in training without labels; NaN if that epoch
    /// drew no sample, as may happen with DP-SGD, or X* was trained on alone
    double localLoss = 0;
    /// mean of the DistillationLoss over the X* samples of the last epoch; 0 without targets
    double distillationLoss = 0;
    FlatVector lastGradient; //!< of the last step, if the task asks for it; else null
};

/// @ingroup collab-learning
/// @brief How well a learner predicts some labelled samples.
struct Score
{
    double accuracy = 0; //!< fraction classified rightly; NaN if there are no samples
    double balancedAccuracy =
        0;           //!< mean recall over the classes present; NaN if there are no samples
    double loss = 0; //!< mean cross-entropy [nat], or squared error in regression; NaN if there are
                     //!< no samples
    /// regression: 1 - squared error / variance of the targets, over all outputs; else NaN
    double determination = std::numeric_limits<double>::quiet_NaN();
};

/**
 * @ingroup collab-learning
 * @brief A model with its own data, optimizer state and random generator.
 *
 * A learner belongs to one device. It is called by one thread at a time, but not always by the same
 * one; what it computes depends on its seed and on the calls made so far, never on the thread.
 * The numbers of floating-point operations are exact counts for the given work and are known before
 * it is done, so that simulated time can be charged for it.
 */
class Learner
{
  public:
    virtual ~Learner() = default;

    /// @brief Train on the learner's own samples, continuing from the present state.
    /// @param task what to do
    /// @return what was done
    /// @throws std::invalid_argument if there are targets whose shape is not inputs x outputs, that
    /// are not finite, or whose lambda is negative or not finite; if a vector's length is not that
    /// of the weights; if a number is not allowed; if a position is not that of a sample, or the
    /// learner only knows all samples
    virtual TrainReport Train(const TrainTask& task) = 0;

    /// @param inputs samples; their labels are not read
    /// @return class probabilities (softmax), shape samples x classes; in regression or of an
    /// encoder the outputs themselves, shape samples x outputs
    virtual Matrix<float> Predict(const DataView& inputs) = 0;

    /// @param inputs samples; their labels are not read
    /// @return class scores before the softmax (logits), shape samples x classes; without a softmax
    /// the same as Predict(), for as many operations
    virtual Matrix<float>
    PredictScores(const DataView& inputs)
    {
        return Predict(inputs);
    }

    /// @param labelled samples with the labels to judge by
    /// @return the scores
    virtual Score Evaluate(const DataView& labelled) = 0;

    /// @param task a training job
    /// @return floating-point operations of Train(task)
    virtual uint64_t CountTrainFlops(const TrainTask& task) const = 0;

    /// @param task a training job
    /// @return floating-point operations that no Train(task) takes more of, ever, by which others
    /// plan how long they wait; where numbers of samples are drawn (DP-SGD), all but one job in a
    /// billion
    virtual uint64_t CountMostTrainFlops(const TrainTask& task) const;

    /// @param samples number of samples
    /// @return floating-point operations of Predict() on so many
    virtual uint64_t CountPredictFlops(std::size_t samples) const = 0;

    /// @return number of trainable parameters
    virtual uint64_t GetParameterCount() const = 0;

    /// @brief Look at the weights without copying them.
    /// @return the weights as they are now; null if the learner has none
    virtual FlatVector
    GetWeights() const
    {
        return nullptr;
    }

    /**
     * @brief Say how many numbers each element of the weights stands for.
     *
     * More than 1 only for a learner without a model, whose weights shall take little memory: they
     * are repeated so often when they travel, and counted so often when devices compute with them.
     *
     * @return how many numbers of a model each element of GetWeights() stands for
     */
    virtual uint32_t
    GetMultiplicity() const
    {
        return 1;
    }

    /// @brief Replace the weights without copying them; the optimizer's moments stay.
    /// @param weights weights to go on from
    /// @throws std::invalid_argument if there are not as many as the learner has, or one is not
    /// finite
    virtual void
    SetWeights(FlatVector weights)
    {
        if (weights)
        {
            throw std::invalid_argument("this learner has no weights to set");
        }
    }

    /// @brief Look at all weights, also those that are never sent; see MakePersonalLearner().
    /// @return them as they are now; null if the learner has none
    virtual FlatVector
    GetAllWeights() const
    {
        return GetWeights();
    }

    /// @brief Say how private the learner's samples still are, who sees all weights that it had.
    /// @param delta delta of differential privacy; above 0, below 1
    /// @return epsilon spent so far; infinite for a learner that trains without DpSgdOptions
    virtual double
    GetEpsilon([[maybe_unused]] double delta) const
    {
        return std::numeric_limits<double>::infinity();
    }

    /**
     * @brief Look at all that the learner's next job depends on, besides what it was built of.
     *
     * An identically built learner that gets this state continues as this one does, bit for bit.
     *
     * @return the state, for SetState() or SaveLearner()
     */
    virtual LearnerState
    GetState() const
    {
        throw std::logic_error("this learner has no state that can be taken");
    }

    /// @brief Go on from where another learner was.
    /// @param state state of a learner that was built alike
    /// @throws std::invalid_argument if it is not the state of such a learner
    virtual void
    SetState([[maybe_unused]] const LearnerState& state)
    {
        throw std::logic_error("this learner has no state that can be set");
    }

    /// @brief Compute a gradient at the present weights, which stay as they are.
    /// @param task samples and terms
    /// @return the gradient
    /// @throws std::invalid_argument as Train() does, or if a position is not that of a sample
    virtual GradientReport
    ComputeGradient([[maybe_unused]] const GradientTask& task)
    {
        throw std::logic_error("this learner computes no gradients");
    }

    /// @param task a gradient to compute
    /// @return floating-point operations of ComputeGradient(task)
    virtual uint64_t
    CountGradientFlops([[maybe_unused]] const GradientTask& task) const
    {
        return 0;
    }
};

/// @brief Say in which direction training has moved weights, as if it had been one step.
/// @param before weights before training
/// @param after weights after training
/// @param learningRate learning rate of the training; positive
/// @return (before - after) / learningRate
/// @throws std::invalid_argument if the lengths differ or the rate is not positive
FlatVector PseudoGradient(const std::vector<float>& before,
                          const std::vector<float>& after,
                          double learningRate);

} // namespace ns3::collab

#endif /* COLLAB_LEARNER_H */
