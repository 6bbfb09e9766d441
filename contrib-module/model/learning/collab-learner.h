/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNER_H
#define COLLAB_LEARNER_H

#include "collab-data-set.h"
#include "collab-matrix.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Pull of a model towards given soft labels on unlabelled samples.
 *
 * The second term of eq. (2) of Fan et al. (NeurIPS 2023): lambda * dist(f(X*), psi) with dist the
 * soft cross-entropy, averaged over a batch.
 */
struct Distillation
{
    std::shared_ptr<const DataView> inputs;       //!< X*; its labels are never read
    std::shared_ptr<const Matrix<float>> targets; //!< psi, one row of class probabilities a sample
    double lambda = 0.5;                          //!< weight of the term; not negative
};

/// @ingroup collab
/// @brief One local training job: so many passes over the learner's own samples.
struct TrainTask
{
    uint32_t epochs = 1;       //!< passes over the local samples
    Distillation distillation; //!< added to every step if its targets are set
};

/// @ingroup collab
/// @brief What a training job did.
struct TrainReport
{
    uint64_t steps = 0; //!< optimizer steps taken
    /// mean cross-entropy over the local samples of the last epoch, each taken in its own step
    /// [nat]
    double localLoss = 0;
    /// mean soft cross-entropy over the X* samples of the last epoch [nat]; 0 without targets
    double distillationLoss = 0;
};

/// @ingroup collab
/// @brief How well a learner classifies some labelled samples.
struct Score
{
    double accuracy = 0; //!< fraction classified rightly; NaN if there are no samples
    double balancedAccuracy =
        0;           //!< mean recall over the classes present; NaN if there are no samples
    double loss = 0; //!< mean cross-entropy [nat]; NaN if there are no samples
};

/**
 * @ingroup collab
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

    /**
     * @brief Train on the learner's own samples, continuing from the present state.
     *
     * @param task what to do
     * @return what was done
     * @throws std::invalid_argument if there are targets whose shape is not inputs x classes, that
     * are not finite, or whose lambda is negative or not finite
     */
    virtual TrainReport Train(const TrainTask& task) = 0;

    /**
     * @param inputs samples; their labels are not read
     * @return class probabilities (softmax), shape samples x classes
     */
    virtual Matrix<float> Predict(const DataView& inputs) = 0;

    /**
     * @param labelled samples with the labels to judge by
     * @return the scores
     */
    virtual Score Evaluate(const DataView& labelled) = 0;

    /**
     * @param task a training job
     * @return floating-point operations of Train(task)
     */
    virtual uint64_t CountTrainFlops(const TrainTask& task) const = 0;

    /**
     * @param samples number of samples
     * @return floating-point operations of Predict() on so many
     */
    virtual uint64_t CountPredictFlops(std::size_t samples) const = 0;

    /// @return number of trainable parameters
    virtual uint64_t GetParameterCount() const = 0;
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_LEARNER_H */
