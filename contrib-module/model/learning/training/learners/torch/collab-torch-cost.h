/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_COST_H
#define COLLAB_TORCH_COST_H

#include "collab-torch-learner-config.h"

#include "ns3/collab-batch-cut.h"
#include "ns3/collab-learner.h"

#include <cstdint>

namespace ns3::collab
{

/// Counts the operations of a learner's jobs, as MakeTorchLearner() says.
class LearnerCost
{
  public:
    /// @param config configuration of the learner
    /// @param description description of its model
    /// @param outputs number of outputs of the model
    /// @param mixesSamples see TorchModel::MixesSamples(); then no batch of one is left over
    LearnerCost(const TorchLearnerConfig& config,
                ModelDescription description,
                uint64_t outputs,
                bool mixesSamples);

    /// @param task a training job
    /// @return number of its local samples
    std::size_t Samples(const TrainTask& task) const;
    /// @param task a training job
    /// @return local samples of a step; of the last one of an epoch more or less
    std::size_t BatchSize(const TrainTask& task) const;
    /// @param task a training job
    /// @return local samples of the steps of an epoch
    BatchCut CutEpoch(const TrainTask& task) const;
    /// @param samples samples of X*
    /// @return samples of X* of the steps of an epoch, again and again, with
    /// ReferenceOrder::RESTARTED
    BatchCut CutReferences(std::size_t samples) const;
    /// @param samples samples of X*
    /// @return samples of X* of a step, with ReferenceOrder::SHUFFLED
    std::size_t ReferenceBatch(std::size_t samples) const;
    /// @param samples number of samples of a gradient that is computed at once
    /// @return samples of its passes through the model
    BatchCut CutPasses(std::size_t samples) const;
    /// @param task a training job
    /// @return number of steps of an epoch
    std::size_t StepsOfEpoch(const TrainTask& task) const;
    /// @param task a training job
    /// @return number of steps of the job
    uint64_t Steps(const TrainTask& task) const;
    /// @param task a training job
    /// @return its operations
    uint64_t Train(const TrainTask& task) const;
    /// @param task a training job of a learner with DP-SGD
    /// @param drawn number of samples in all its lots
    /// @return its operations
    uint64_t TrainPrivately(const TrainTask& task, uint64_t drawn) const;
    /// @param task a gradient to compute
    /// @return its operations
    uint64_t Gradient(const GradientTask& task) const;
    /// @param samples number of samples
    /// @return operations of a prediction
    uint64_t Predict(std::size_t samples) const;
    /// @return number of trained numbers
    uint64_t Parameters() const;

  private:
    /// @param task a training job
    /// @return samples of X* in all its steps
    uint64_t References(const TrainTask& task) const;
    /// @param local samples
    /// @param references samples of X*
    /// @param passes number of passes through the model
    /// @param loss of samples of X*
    /// @return operations of the passes and of the losses
    uint64_t Passes(uint64_t local,
                    uint64_t references,
                    uint64_t passes,
                    DistillationLoss loss) const;
    /// @param terms terms of a job
    /// @return operations of a step for all parameters, without the optimizer's
    uint64_t Terms(const ObjectiveTerms& terms) const;

    ModelDescription m_description; //!< of the model
    uint64_t m_outputs;             //!< of the model
    std::size_t m_samples;          //!< the learner's own
    std::size_t m_batchSize;        //!< of the learner
    std::size_t m_referenceBatch;   //!< of the learner
    ReferenceOrder m_order;         //!< of X*
    OptimizerOptions m_optimizer;   //!< of the learner
    uint32_t m_draws;               //!< of a prediction by a belief; 0 without one
    bool m_isNatural;               //!< whether steps are those of StepNaturally()
    bool m_isRegression;            //!< whether outputs are not classes
    bool m_isTriplet;               //!< whether outputs are embeddings
    bool m_smooths;                 //!< whether labels are smoothed
    bool m_weighs;                  //!< whether classes have weights
    bool m_mixesSamples;            //!< whether samples of a batch change each other's outputs
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_COST_H */
