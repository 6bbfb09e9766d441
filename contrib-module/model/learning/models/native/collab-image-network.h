/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_IMAGE_NETWORK_H
#define COLLAB_IMAGE_NETWORK_H

#include "collab-image-kernels.h"

#include "ns3/collab-layer-list.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @brief The convolutions with which a network begins, computed without LibTorch.
 *
 * Each may have a rectifier and a maximum over windows of 2 x 2 behind it. A few samples go through
 * all layers at once, so that what a layer makes is still in the cache when the next one reads it.
 * Not part of the module's public headers.
 */
class ImageNetwork
{
  public:
    /// What a backward pass needs of the forward pass, of some samples
    struct Part
    {
        std::size_t begin = 0;                     //!< the first sample
        std::size_t size = 0;                      //!< number of samples
        std::vector<std::vector<float>> inputs;    //!< of each convolution
        std::vector<std::vector<uint8_t>> choices; //!< behind each convolution
    };

    /// All samples of a pass, in parts
    using Pass = std::vector<Part>;

    /// @param plan layers of a network
    /// @return the network's beginning, if that is a chain of such layers up to the first FLATTEN
    static std::optional<ImageNetwork> Make(const LayerList& plan);

    /// @brief Compute the features that the layers after FLATTEN read.
    /// @param weights filters, then biases of each convolution
    /// @param samples images, samples x channels x height x width
    /// @param size number of samples
    /// @param[out] features samples x numbers
    /// @param[out] pass what Backward() needs, or null
    void Forward(const std::vector<const float*>& weights,
                 const float* samples,
                 std::size_t size,
                 float* features,
                 Pass* pass) const;

    /// @brief Compute the gradient by the weights.
    /// @param weights the same as in Forward()
    /// @param pass by Forward()
    /// @param featureGradient gradient by the features, samples x numbers
    /// @param gradients where to add it, in the order of the weights
    void Backward(const std::vector<const float*>& weights,
                  const Pass& pass,
                  const float* featureGradient,
                  const std::vector<float*>& gradients) const;

    /// @return index of the layer FLATTEN
    std::size_t GetLastLayer() const;
    /// @return indices of the convolutions' layers
    std::vector<std::size_t> GetConvolutions() const;
    /// @return numbers of a sample's features
    std::size_t CountFeatures() const;

  private:
    /// A convolution and what is done before the next one
    struct Stage
    {
        std::size_t layer = 0;      //!< index of the convolution
        std::size_t kernel = 0;     //!< rows and columns of a filter
        ImageShape input;           //!< without samples
        ImageShape made;            //!< by the convolution
        ImageShape next;            //!< input of the next stage, or the features
        ImageTransition transition; //!< from made to next
    };

    /// @brief Compute a part.
    /// @param filters by PackFilters(), of each stage
    /// @param weights as in Forward()
    /// @param features of the part's samples
    /// @param part part with the input of the first stage
    void RunPart(const std::vector<std::vector<float>>& filters,
                 const std::vector<const float*>& weights,
                 float* features,
                 Part& part) const;
    /// @brief Add the gradient by the weights of a part.
    /// @param filters by PackTurnedFilters(), of each stage but the first
    /// @param part the part
    /// @param featureGradient of the part's samples
    /// @param gradients as in Backward()
    void ReturnPart(const std::vector<std::vector<float>>& filters,
                    const Part& part,
                    const float* featureGradient,
                    const std::vector<float*>& gradients) const;

    std::vector<Stage> m_stages; //!< in the order of the forward pass
    std::size_t m_lastLayer = 0; //!< index of the layer FLATTEN
};

} // namespace ns3::collab

#endif /* COLLAB_IMAGE_NETWORK_H */
