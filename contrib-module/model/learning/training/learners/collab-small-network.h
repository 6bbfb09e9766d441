/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SMALL_NETWORK_H
#define COLLAB_SMALL_NETWORK_H

#include "ns3/collab-layer-list.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @brief A small fully connected network with rectifiers, computed without LibTorch.
 *
 * A step of a network of some hundred weights takes LibTorch ten times as long to organize as to
 * compute. Here the numbers of a layer are kept unit by unit, each for all samples of a batch, so
 * that the processor's vector units work on many samples at once. Not part of the module's public
 * headers.
 */
class SmallNetwork
{
  public:
    /// Most weights of a layer: with more, products of matrices are faster
    static constexpr std::size_t MOST_WEIGHTS = 2048;

    /// @param plan layers of a network
    /// @return the network if it is a chain of small linear layers with rectifiers between them
    static std::optional<SmallNetwork> Make(const LayerList& plan);

    /// @brief Compute the outputs for a batch.
    /// @param weights flat vector of all weights
    /// @param samples samples of the batch, samples x inputs
    /// @param size number of samples
    /// @return outputs x samples, valid until the next call
    const std::vector<float>& Forward(const float* weights, const float* samples, std::size_t size);

    /// @brief Compute the gradient of a loss on the batch of the last Forward().
    /// @param weights the same as in Forward()
    /// @param outputGradient gradient of the loss by the outputs, outputs x samples
    /// @param[out] gradient gradient of the loss by the weights, in their order
    void Backward(const float* weights, const std::vector<float>& outputGradient, float* gradient);

    /// @return number of weights
    std::size_t CountWeights() const;
    /// @return number of outputs
    std::size_t CountOutputs() const;

  private:
    /// A linear layer: weights as outputs x inputs, then biases
    struct Layer
    {
        std::size_t inputs = 0;  //!< numbers that it reads
        std::size_t outputs = 0; //!< numbers that it makes
        std::size_t begin = 0;   //!< place of its first weight
        bool hasRelu = false;    //!< whether a rectifier follows
    };

    std::vector<Layer> m_layers;              //!< in the order of the forward pass
    std::size_t m_size = 0;                   //!< samples of the batch
    std::vector<std::vector<float>> m_values; //!< inputs of each layer, and the outputs
    std::vector<float> m_gradients;           //!< by the inputs of a layer
    std::vector<float> m_nextGradients;       //!< by those of the layer before
};

} // namespace ns3::collab

#endif /* COLLAB_SMALL_NETWORK_H */
