/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_PASSES_H
#define COLLAB_TORCH_PASSES_H

#include "collab-torch-batches.h"
#include "collab-torch-learner-config.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-random.h"
#include "ns3/collab-small-network.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
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

/// What the passes of one job have in common
struct PassJob
{
    const Distillation& distillation; //!< must outlive the job
    std::size_t localBatch;           //!< most local samples of a pass
    std::size_t referenceBatch;       //!< most reference samples of a pass
    bool takesSteps;                  //!< whether samples change and running statistics follow
};

/// Forward and backward passes of a learner's model over the batches of its jobs.
class TorchPasses
{
  public:
    /// @param config configuration of the learner; must outlive this, as the model has to
    /// @param model model, bound to the present weights whenever a pass begins
    /// @param device where it computes; none: with the host's ways
    TorchPasses(const TorchLearnerConfig& config,
                const TorchModel& model,
                const std::optional<at::Device>& device);

    /// @brief Begin a job.
    /// @param job what its passes have in common
    /// @throws std::invalid_argument if its samples cannot be in one pass
    void Begin(const PassJob& job);
    /// Give back what the job needed.
    void End();

    /// @brief Forward and backward pass; gradients are added to the parameters'.
    /// @param batch batch of samples
    /// @param sums sums to which the losses are added
    void Differentiate(const Batch& batch, LossSums& sums);
    /// @return gradient of the passes since the last call by all trained numbers
    at::Tensor TakeGradient();
    /// @param batch batch of a step
    /// @param weights weights that the model is bound to
    /// @param sums sums to which the losses are added
    /// @return gradient by all trained numbers, valid until the next call; of a small network
    /// without LibTorch
    at::Tensor DifferentiateStep(const Batch& batch, const at::Tensor& weights, LossSums& sums);

    /// @return generator of masks, changed samples, and of what else a learner draws
    RandomGenerator& GetGenerator();
    /// @copydoc GetGenerator()
    const RandomGenerator& GetGenerator() const;

  private:
    /// @param batch batch of samples
    /// @return outputs of the local samples, and of the reference samples
    std::pair<at::Tensor, at::Tensor> Forward(const Batch& batch);
    /// @param outputs outputs of the local samples
    /// @param batch batch of samples
    /// @return the mean loss
    at::Tensor LocalLoss(const at::Tensor& outputs, const Batch& batch);
    /// @param augmentation augmentation to apply
    /// @param samples samples of a batch
    /// @return the same changed at random
    at::Tensor ChangeSamples(const Augmentation& augmentation, const at::Tensor& samples);
    /// @param batch batch of samples
    /// @return local samples, then reference samples; valid until the next call
    at::Tensor LoadBatch(const Batch& batch);
    /// @brief Differentiate() without LibTorch; the gradient replaces m_gradient.
    /// @param batch batch of samples
    /// @param weights weights of the network
    /// @param sums sums to which the losses are added
    void DifferentiateSmall(const Batch& batch, const float* weights, LossSums& sums);

    const TorchLearnerConfig& m_config;           //!< of the learner
    const TorchModel& m_model;                    //!< what learns
    std::optional<at::Device> m_device;           //!< where it computes
    bool m_isRaw;                                 //!< see HasRawOutputs()
    at::Tensor m_classWeights;                    //!< of the loss; undefined for none
    RandomGenerator m_generator;                  //!< of masks and changed samples
    std::optional<SmallNetwork> m_small;          //!< the model, if it is one
    std::vector<float> m_gradient;                //!< by the weights of m_small
    std::vector<float> m_outputGradient;          //!< by its outputs
    const Distillation* m_distillation = nullptr; //!< of the present job
    std::optional<StepLoader> m_loader;           //!< of its samples
    ForwardContext m_context;                     //!< of its forward passes
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_PASSES_H */
