/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LEARNER_CLASS_H
#define COLLAB_TORCH_LEARNER_CLASS_H

#include "collab-sample-order.h"
#include "collab-torch-cost.h"
#include "collab-torch-learner-config.h"
#include "collab-torch-passes.h"

#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-flat-optimizer.h"
#include "ns3/collab-flat-tensor.h"
#include "ns3/collab-learner-weights.h"
#include "ns3/collab-torch-device.h"
#include "ns3/collab-torch-model.h"
#include "ns3/collab-variational.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// Vectors of ObjectiveTerms where a job computes; undefined without them.
struct ObjectiveTensors
{
    at::Tensor center;     //!< of the proximal term
    at::Tensor correction; //!< added to the gradient
};

/// The learner of MakeTorchLearner().
class TorchLearner : public Learner
{
  public:
    /// @param config what to build, already checked
    /// @param model model not bound to weights yet
    /// @param weights weights to start from; null for random ones
    TorchLearner(TorchLearnerConfig config, std::unique_ptr<TorchModel> model, FlatVector weights);

    TrainReport Train(const TrainTask& task) override;
    Matrix<float> Predict(const DataView& inputs) override;
    Matrix<float> PredictScores(const DataView& inputs) override;
    Score Evaluate(const DataView& labelled) override;
    uint64_t CountTrainFlops(const TrainTask& task) const override;
    uint64_t CountMostTrainFlops(const TrainTask& task) const override;
    uint64_t CountPredictFlops(std::size_t samples) const override;
    uint64_t GetParameterCount() const override;
    FlatVector GetWeights() const override;
    void SetWeights(FlatVector weights) override;
    GradientReport ComputeGradient(const GradientTask& task) override;
    uint64_t CountGradientFlops(const GradientTask& task) const override;
    double GetEpsilon(double delta) const override;
    LearnerState GetState() const override;
    void SetState(const LearnerState& state) override;

  private:
    /// @return whether the learner has a belief instead of weights
    bool IsVariational() const;
    /// @return whether its steps are those of StepNaturally()
    bool IsNatural() const;
    /// @return length of the vectors of GetWeights() and SetWeights()
    std::size_t CountWeights() const;
    /// @param labelled samples with the labels to judge by
    /// @return how well a logistic regression of the probe's embeddings classifies these
    /// @throws std::invalid_argument if there is no probe
    Score EvaluateEmbeddings(const DataView& labelled);

    /// @param terms terms of a job
    /// @throws std::invalid_argument if one is not allowed
    void CheckJob(const ObjectiveTerms& terms) const;
    /// @param task a training job
    /// @throws std::invalid_argument if a value is not allowed
    void CheckTask(const TrainTask& task) const;

    /// Let the model's tensors show the present weights.
    void BindWeights();
    /// @return lets this thread's work go to the device while it lives; null for the host
    std::unique_ptr<DeviceScope> EnterDevice() const;
    /// @brief Bring to the device what a job needs, and let the model show it.
    /// @param terms terms of the job
    void BeginJob(const ObjectiveTerms& terms);
    /// @brief Let go of what a job has on the device.
    /// @param hasTrained whether the weights there are the new ones
    void EndJob(bool hasTrained);

    /// @brief Some steps of one pass over the local samples.
    /// @param task the job
    /// @param steps most steps to take
    /// @param report report to which the last gradient is added
    /// @return the losses
    LossSums TrainEpoch(const TrainTask& task, uint64_t steps, TrainReport& report);
    /// @brief Make the private gradient of a lot that is drawn now, and add that of the
    /// distillation, whose samples are no secret.
    /// @param task the job
    /// @param references batch of reference samples, without local samples
    /// @param sums sums to which the losses are added
    /// @return gradient by all trained numbers
    std::vector<float> DifferentiatePrivately(const TrainTask& task,
                                              const Batch& references,
                                              LossSums& sums);
    /// @brief Take a step.
    /// @param task the job
    /// @param gradient gradient of the losses by the weights of the passes
    /// @param report report to which the gradient is added if it is to be returned
    /// @param isLast whether it is the last step of the job
    void Step(const TrainTask& task, const at::Tensor& gradient, TrainReport& report, bool isLast);
    /// If the learner has a belief, draw weights from it and let the model have them.
    void DrawWeights();
    /// @brief Forward and backward passes over samples and X*; gradients are added to the
    /// parameters'.
    /// @param task a gradient to compute
    /// @param positions positions of its samples
    /// @return the losses
    LossSums DifferentiateAll(const GradientTask& task, const std::vector<uint32_t>& positions);
    /// @param terms terms of a job; its vectors are those of m_terms
    /// @param[in,out] gradient gradient by all trained numbers, to which the terms' gradients are
    /// added
    void AddTerms(const ObjectiveTerms& terms, const at::Tensor& gradient) const;
    /// @param terms terms of a job
    /// @param gradient gradient of the losses by the weights of the passes
    /// @param divergenceWeight weight of a belief's divergence from the prior
    /// @return gradient of the whole objective by what is learned
    at::Tensor FinishGradient(const ObjectiveTerms& terms,
                              const at::Tensor& gradient,
                              double divergenceWeight);
    /// @param gradient gradient by what is learned
    /// @return the same as a flat vector, zeros for state
    FlatVector Share(const at::Tensor& gradient) const;
    /// @param task a training job
    /// @return whether its steps are private: they take own samples of a learner with DP-SGD
    bool IsPrivate(const TrainTask& task) const;
    /// @param inputs samples
    /// @param isRaw whether to leave the model's outputs as they are
    /// @return samples x outputs
    Matrix<float> PredictAll(const DataView& inputs, bool isRaw);

    TorchLearnerConfig m_config;          //!< what was built
    std::unique_ptr<TorchModel> m_model;  //!< what learns
    std::optional<at::Device> m_device;   //!< where it computes; none: with the host's ways
    std::size_t m_outputs;                //!< of the model
    LearnerCost m_cost;                   //!< counts operations
    TorchPasses m_passes;                 //!< forward and backward, with what they draw
    std::optional<WeightBelief> m_belief; //!< if it has one
    SampleOrder m_order;                  //!< of what steps take
    uint64_t m_stepsTaken = 0;            //!< in all jobs
    FlatOptimizer m_optimizer;            //!< with its state
    RenyiAccountant m_accountant;         //!< of the steps of DP-SGD
    LearnerWeights m_weights;  //!< the model's weights, or all means and then all r of a belief
    at::Tensor m_bound;       //!< flat vector that the model shows
    ObjectiveTensors m_terms; //!< of the present job
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_LEARNER_CLASS_H */
