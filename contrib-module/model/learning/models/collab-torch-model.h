/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MODEL_H
#define COLLAB_TORCH_MODEL_H

#include "ns3/collab-layer-list.h"
#include "ns3/collab-random.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace at
{
class Tensor; // LibTorch's headers would cost every script that includes this one seconds
}

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What a forward pass is for.
struct ForwardContext
{
    bool isTraining = false;              //!< whether dropout drops and batches are normalized
    bool updatesState = false;            //!< whether running statistics follow the batch
    RandomGenerator* generator = nullptr; //!< of dropout's masks; not null in training
    bool channelsLast = true; //!< whether convolutions keep images with their channels last
    /// whether only what is deterministic on a GPU as well may be computed
    bool isOnDevice = false;
};

/**
 * @ingroup collab-learning
 * @brief A network: its weights, which are views into one flat vector, and its forward pass.
 *
 * Written with functions on tensors and not with LibTorch's modules, whose constructors draw from
 * a generator that the whole process shares. For authors of models with a forward pass of their
 * own: derive, add the weights in the constructor, and register a ModelFactory. Their own source
 * includes what it needs of LibTorch.
 */
class TorchModel
{
  public:
    TorchModel();
    virtual ~TorchModel();

    /// @param samples shape samples x that of one sample, contiguous; int64 for tokens
    /// @param context what the pass is for
    /// @return logits or other outputs, shape samples x outputs
    virtual at::Tensor Forward(const at::Tensor& samples, const ForwardContext& context) const = 0;

    /// @return whether a sample's outputs in training depend on the others of its batch
    virtual bool MixesSamples() const;

    /// @return whether it cannot be trained on a batch of one sample, as with a batch normalization
    /// of one value a channel
    virtual bool NeedsTwoSamples() const;

    /// @return name, shape and first values of each tensor, in the order of the flat vector
    const std::vector<WeightSpec>& GetSpecs() const;

    /// @return the trained tensors, views into the vector given to Bind(), in its order
    virtual const std::vector<at::Tensor>& GetParameters() const;

    /// @return number of trained numbers
    std::size_t CountParameters() const;

    /// @return length of the flat vector: trained numbers, then state
    std::size_t CountWeights() const;

    /// @brief Let all tensors be views into a flat vector.
    /// @param weights trained numbers and then state, on the device where the model is to compute;
    /// what it shows must outlive its use
    virtual void Bind(const at::Tensor& weights);

    /**
     * @brief Train a part of the model from now on: the others are state, behind it in the flat
     * vector, and have no gradient.
     *
     * First values stay what they are without. Call it before Bind().
     *
     * @param trained names of tensors; others that are trained so far are frozen
     * @return place of each tensor in the new order of the flat vector, by its place before
     */
    virtual std::vector<std::size_t> Freeze(const std::set<std::string>& trained);

    /// @param seed seed of the drawing
    /// @return first values of all weights, drawn one after the other in the order of the layers
    virtual std::vector<float> DrawWeights(uint64_t seed) const;

    /// @return whole numbers that change in training and are no weights, such as counters of
    /// batches
    virtual std::vector<int64_t> GetCounters() const;
    /// @param counters counters as GetCounters() of a model of the same name gives them
    /// @throws std::invalid_argument if they are not as many
    virtual void SetCounters(const std::vector<int64_t>& counters);

  protected:
    /// @brief Add a tensor of weights.
    /// @param spec its name, shape and first values; a state comes after all that are trained
    /// @return its index for GetWeight()
    std::size_t AddWeight(WeightSpec spec);

    /**
     * @brief Add the weights "NAME.weight" and the biases "NAME.bias" of a layer.
     *
     * Their first values are uniform between +-1/sqrt(fan-in), PyTorch's default.
     *
     * @param name name of the layer
     * @param sizes shape of the weights, the number of outputs first
     * @return index of the weights for GetWeight(); that of the biases is the next one
     */
    std::size_t AddLayer(const std::string& name, const std::vector<int64_t>& sizes);

    /// @param first flat vector in the order in which the model was made
    /// @return the same in the order of the specs, which Freeze() has changed
    std::vector<float> PutInOrder(const std::vector<float>& first) const;

    /// @param index index of a tensor, in the order in which they were added
    /// @return the tensor
    const at::Tensor& GetWeight(std::size_t index) const;

  private:
    std::vector<WeightSpec> m_specs;      //!< of all tensors, in the order of the flat vector
    std::vector<std::size_t> m_places;    //!< place in that order of each tensor as it was added
    std::vector<std::size_t> m_moved;     //!< place of each tensor by its first one; none if alike
    std::vector<at::Tensor> m_tensors;    //!< views, in the order of the flat vector
    std::vector<at::Tensor> m_parameters; //!< the first of them, which are trained
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_MODEL_H */
