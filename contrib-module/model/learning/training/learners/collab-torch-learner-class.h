/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LEARNER_CLASS_H
#define COLLAB_TORCH_LEARNER_CLASS_H

#include "collab-small-network.h"
#include "collab-torch-batches.h"
#include "collab-torch-learner.h"

#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-flat-optimizer.h"
#include "ns3/collab-flat-tensor.h"
#include "ns3/collab-random.h"
#include "ns3/collab-reference-order.h"
#include "ns3/collab-torch-cost.h"
#include "ns3/collab-torch-device.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// A loss, summed over samples.
class LossSum
{
  public:
    /// @param mean loss of some samples
    /// @param samples number of these
    void
    Add(double mean, std::size_t samples)
    {
        m_sum += mean * static_cast<double>(samples);
        m_samples += samples;
    }

    /// @param mean loss of some samples, one number; on a device it stays there until Mean()
    /// @param samples number of these
    void
    Add(const at::Tensor& mean, std::size_t samples)
    {
        if (mean.is_cpu())
        {
            Add(mean.item<double>(), samples);
            return;
        }
        const at::Tensor sum = mean.detach().to(at::kDouble).mul(static_cast<double>(samples));
        m_pending = m_pending.defined() ? m_pending.add(sum) : sum;
        m_samples += samples;
    }

    /// @param without what it is without samples
    /// @return mean over all samples
    double
    Mean(double without) const
    {
        const double pending = m_pending.defined() ? m_pending.item<double>() : 0;
        return m_samples > 0 ? (m_sum + pending) / static_cast<double>(m_samples) : without;
    }

  private:
    double m_sum = 0;       //!< of what is at hand
    at::Tensor m_pending;   //!< sum of what is on a device
    uint64_t m_samples = 0; //!< number of samples
};

/// Losses of some steps.
struct LossSums
{
    LossSum local;        //!< on the local samples
    LossSum distillation; //!< on the reference samples
};

/// The samples of one forward and backward pass.
struct Batch
{
    const uint32_t* positions = nullptr;  //!< of local samples in their view
    std::size_t size = 0;                 //!< number of local samples
    const uint32_t* references = nullptr; //!< positions of the reference samples
    std::size_t referenceSize = 0;        //!< number of reference samples
    double localWeight = 1;               //!< of the local loss
    double referenceWeight = 0;           //!< of the distillation's
};

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
    /// @return length of the vectors of GetWeights() and SetWeights()
    std::size_t CountWeights() const;
    /// @return what the model's outputs mean
    bool HasRawOutputs() const;
    /// @param labelled samples with the labels to judge by
    /// @return how well a logistic regression of the probe's embeddings classifies these
    /// @throws std::invalid_argument if there is no probe
    Score EvaluateEmbeddings(const DataView& labelled);

    /// @throws std::invalid_argument if the model does not make what the loss needs
    void CheckOutputs() const;
    /// @param batchSize local samples of a step
    /// @param samples samples of a job
    /// @throws std::invalid_argument if they are too few for the model
    void CheckBatchSize(std::size_t batchSize, std::size_t samples) const;
    /// @param terms terms of a job
    /// @throws std::invalid_argument if one is not allowed
    void CheckJob(const ObjectiveTerms& terms) const;
    /// @param task a training job
    /// @throws std::invalid_argument if a value is not allowed
    void CheckTask(const TrainTask& task) const;

    /// Get weights of one's own, by a copy if others can see them.
    void BeginWriting();
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

    /// @param distillation distillation of the job
    /// @param cycle cycle over X*, which goes on to the next batch
    /// @return positions of the samples of X* that the next step takes; none without targets
    std::vector<uint32_t> NextReferences(const Distillation& distillation, ReferenceCycle& cycle);
    /// @param positions positions of the job's samples; all of them if empty
    /// @return these in the order of the pass that begins now
    std::vector<uint32_t> NextOrder(const std::vector<uint32_t>& positions);
    /// @brief Some steps of one pass over the local samples.
    /// @param task the job
    /// @param steps most steps to take
    /// @param loader loader of the samples
    /// @param report report to which the last gradient is added
    /// @return the losses
    LossSums TrainEpoch(const TrainTask& task,
                        uint64_t steps,
                        StepLoader& loader,
                        TrainReport& report);
    /// @brief Forward and backward pass; gradients are added to the parameters'.
    /// @param batch batch of samples
    /// @param distillation distillation of the job
    /// @param loader loader of the samples
    /// @param context context of the forward pass
    /// @param sums sums to which the losses are added
    void Differentiate(const Batch& batch,
                       const Distillation& distillation,
                       StepLoader& loader,
                       const ForwardContext& context,
                       LossSums& sums);
    /// @param batch batch of samples
    /// @param loader loader of the samples
    /// @param context context of the forward pass
    /// @return outputs of the local samples, and of the reference samples
    std::pair<at::Tensor, at::Tensor> ForwardBatch(const Batch& batch,
                                                   StepLoader& loader,
                                                   const ForwardContext& context);
    /// @param outputs outputs of the local samples
    /// @param batch batch of samples
    /// @param loader loader of the samples
    /// @param context context of the forward pass
    /// @return the mean loss
    at::Tensor LocalLoss(const at::Tensor& outputs,
                         const Batch& batch,
                         StepLoader& loader,
                         const ForwardContext& context);
    /// @param augmentation augmentation to apply
    /// @param samples samples of a batch
    /// @return the same changed at random
    at::Tensor ChangeSamples(const Augmentation& augmentation, const at::Tensor& samples);
    /// @param batch batch of samples
    /// @param loader loader of the samples
    /// @param isStep whether they are for a step, for which local samples are augmented
    /// @return local samples, then reference samples; valid until the next call
    at::Tensor LoadBatch(const Batch& batch, StepLoader& loader, bool isStep);

    /// @brief Differentiate() without LibTorch; the gradient replaces m_gradient.
    /// @param batch batch of samples
    /// @param distillation distillation of the job
    /// @param loader loader of the samples
    /// @param sums sums to which the losses are added
    void DifferentiateSmall(const Batch& batch,
                            const Distillation& distillation,
                            StepLoader& loader,
                            LossSums& sums);

    /// @brief Make m_gradient the private gradient of a lot that is drawn now, and add that of the
    /// distillation, whose samples are no secret.
    /// @param task the job
    /// @param references batch of reference samples, without local samples
    /// @param loader loader of the samples
    /// @param context context of the forward passes
    /// @param sums sums to which the losses are added
    void DifferentiatePrivately(const TrainTask& task,
                                const Batch& references,
                                StepLoader& loader,
                                const ForwardContext& context,
                                LossSums& sums);
    /// @param batch batch of samples
    /// @param distillation distillation of the job
    /// @param loader loader of the samples
    /// @param context context of the forward pass
    /// @param sums sums to which the losses are added
    /// @return gradient by all trained numbers
    std::vector<float> DifferentiateFlat(const Batch& batch,
                                         const Distillation& distillation,
                                         StepLoader& loader,
                                         const ForwardContext& context,
                                         LossSums& sums);
    /// @param task a job of a learner with DP-SGD
    /// @return number of samples in the lots that it is going to draw
    uint64_t CountLots(const TrainTask& task) const;

    /// @return gradient of the last backward pass by all trained numbers, which the parameters give
    /// away
    at::Tensor TakeGradient();
    /// @brief Take a step with the gradient of the last backward pass.
    /// @param task the job
    /// @param report report to which the gradient is added if it is to be returned
    /// @param isLast whether it is the last step of the job
    void Step(const TrainTask& task, TrainReport& report, bool isLast);
    /// @param terms terms of a job
    /// @param gradient gradient by the weights drawn from the belief
    /// @param divergenceWeight weight of the divergence from the prior
    /// @return gradient by the numbers of the belief, with the divergence's
    std::vector<float> ByBelief(const ObjectiveTerms& terms,
                                const std::vector<float>& gradient,
                                double divergenceWeight) const;
    /// If the learner has a belief, draw weights from it and let the model have them.
    void DrawWeights();
    /// @param task a gradient to compute
    /// @return positions of its samples
    /// @throws std::invalid_argument if one is not that of a sample
    std::vector<uint32_t> PositionsOf(const GradientTask& task) const;
    /// @param positions positions of samples
    /// @param count number of samples
    /// @return sum of the weights of their classes; their number without such weights
    double WeighSamples(const uint32_t* positions, std::size_t count) const;
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
    /// @brief Add the outputs for all samples, at the weights that the model is bound to.
    /// @param inputs samples
    /// @param isRaw whether to leave the model's outputs as they are
    /// @param outputs samples x outputs
    /// @param isFirst whether to replace what is there
    void AddPredictions(const DataView& inputs,
                        bool isRaw,
                        Matrix<float>& outputs,
                        bool isFirst) const;

    TorchLearnerConfig m_config;         //!< what was built
    std::optional<at::Device> m_device;  //!< where it computes; none: with the host's ways
    std::unique_ptr<TorchModel> m_model; //!< what learns
    std::size_t m_outputs;               //!< of the model
    LearnerCost m_cost;                  //!< counts operations
    at::Tensor m_classWeights;           //!< of the loss; undefined for none
    uint64_t m_stepsTaken = 0;           //!< in all jobs
    FlatOptimizer m_optimizer;           //!< with its state
    RenyiAccountant m_accountant;        //!< of the steps of DP-SGD
    RandomGenerator m_generator;         //!< of the order of samples
    ShuffledReferences m_references;     //!< order of X*
    std::size_t m_passes = 0;            //!< over the local samples that have begun
    RandomGenerator m_drawGenerator;     //!< of masks, changed samples and weights drawn
    /// the model's weights, or all means and then all r of a belief
    std::shared_ptr<const std::vector<float>> m_weights;
    std::vector<float>* m_ownWeights = nullptr; //!< the same if it was made here, else null
    std::vector<float> m_drawnWeights;          //!< by a belief
    at::Tensor m_bound;                         //!< flat vector that the model shows
    ObjectiveTensors m_terms;                   //!< of the present job
    std::optional<SmallNetwork> m_small;        //!< the model, if it is one
    std::vector<float> m_gradient;              //!< by all weights of m_small or of a belief
    std::vector<float> m_outputGradient;        //!< by its outputs
    FlatVector m_ownPrior;                      //!< of a belief, if a job has none
    std::vector<float> m_noise;                 //!< that they were drawn with
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_LEARNER_CLASS_H */
