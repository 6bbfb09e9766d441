/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NETWORK_PLAN_H
#define COLLAB_NETWORK_PLAN_H

#include "collab-layer-list.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief A network as a list of layers, from which its cost is counted and its forward pass runs.
 *
 * A layer reads the layer added before it, unless ReadFrom() says another. Names of layers are the
 * caller's and become the names of the weights in files. Every method that adds a layer returns its
 * index.
 */
class NetworkPlan : public LayerList
{
  public:
    using LayerList::LayerList;

    /// @return all numbers of a sample in one row; the same layer if they are already
    std::size_t Flatten();
    /// @param name name of the layer
    /// @param degree greatest sum of exponents of a monomial; 1 to 20
    /// @return the monomials of one sample, by degree
    std::size_t Polynomial(const std::string& name, int64_t degree);
    /// @param name name of the layer
    /// @param outputs number of outputs
    /// @param hasBias whether to add biases
    /// @return a product with a matrix over the last dimension
    std::size_t Linear(const std::string& name, int64_t outputs, bool hasBias = true);
    /// Geometry of a convolution.
    struct Convolution
    {
        int64_t channels = 1; //!< made
        int64_t kernel = 1;   //!< height and width
        int64_t stride = 1;   //!< of rows and columns
        int64_t padding = 0;  //!< rows and columns of zeros around the input
        int64_t groups = 1;   //!< of channels; as many as channels for a depthwise convolution
        bool hasBias = true;  //!< whether to add biases
        /// whether kernel, stride and padding are along columns only: each row is convolved alone
        bool isRowwise = false;
    };

    /// @param name name of the layer
    /// @param geometry geometry of the convolution
    /// @return a convolution
    std::size_t Convolve(const std::string& name, const Convolution& geometry);
    /// @brief Batch normalization, epsilon 1e-5, momentum of the running statistics 0.1.
    /// @param name name of the layer
    /// @return the layer
    std::size_t BatchNorm(const std::string& name);
    /// @brief Group normalization, epsilon 1e-5.
    /// @param name name of the layer
    /// @param groups number of groups of channels; divides their number
    /// @return the layer
    std::size_t GroupNorm(const std::string& name, int64_t groups);
    /// @brief Normalization over all numbers of a sample, epsilon 1e-5.
    /// @param name name of the layer
    /// @return the layer; its input has one dimension
    std::size_t LayerNorm(const std::string& name);
    /// @param name name of the layer
    /// @return x times the normal distribution function of x
    std::size_t Gelu(const std::string& name);
    /// @param name name of the layer
    /// @return hyperbolic tangent
    std::size_t Tanh(const std::string& name);
    /// @param name name of the layer
    /// @return max(x, 0)
    std::size_t Relu(const std::string& name);
    /// @param name name of the layer
    /// @return x sigmoid(x)
    std::size_t Silu(const std::string& name);
    /// @param name name of the layer
    /// @return 1 / (1 + exp(-x))
    std::size_t Sigmoid(const std::string& name);
    /// @param name name of the layer
    /// @param isRowwise whether windows are of one row
    /// @return maximum over windows of 2 x 2, or of 1 x 2; an odd last row or column is left out
    std::size_t MaxPool(const std::string& name, bool isRowwise = false);
    /// @param name name of the layer
    /// @return mean over windows of 2 x 2; an odd last row or column is left out
    std::size_t MeanPool(const std::string& name);
    /// @param name name of the layer
    /// @return mean of each channel, one row
    std::size_t GlobalMean(const std::string& name);
    /// @param name name of the layer
    /// @param rate probability that an element is zeroed in training
    /// @return the layer
    std::size_t Dropout(const std::string& name, double rate);
    /// @param name name of the layer
    /// @param other index of a layer of the same shape
    /// @return its sum with the last one
    std::size_t Add(const std::string& name, std::size_t other);
    /// @param name name of the layer
    /// @param image index of a layer of channels, height, width
    /// @return its channels times the numbers of the last layer
    std::size_t Scale(const std::string& name, std::size_t image);
    /// @param name name of the layer
    /// @param channels channels of the output, the new ones shared among both ends and all zero
    /// @param stride stride of rows and columns
    /// @return a shortcut without weights
    std::size_t Shortcut(const std::string& name, int64_t channels, int64_t stride);
    /// @param name name of the layer
    /// @param width numbers of a token
    /// @return a learned row for each token
    std::size_t Embedding(const std::string& name, int64_t width);
    /// @param name name of the layer
    /// @return the given row of ModelInput::embedding for each token
    std::size_t FixedEmbedding(const std::string& name);
    /// @param name name of the layer
    /// @param units number of hidden units
    /// @return outputs of all steps
    std::size_t Lstm(const std::string& name, int64_t units);
    /// @return outputs of the last step
    std::size_t LastStep();
    /// @return features of all nodes of ModelInput::graph
    std::size_t NodeFeatures();
    /// @param name name of the layer
    /// @return each node's sum over its neighbors and itself, weighted symmetrically
    std::size_t Propagate(const std::string& name);
    /// @return rows of the nodes that the samples name
    std::size_t SelectNodes();

  private:
    /**
     * @brief Add a layer of products of weights and inputs, perhaps with biases.
     *
     * @param name name of the layer
     * @param layer its kind, shape and geometry, and whether it has biases
     * @param sizes sizes of its weights, the number of outputs first
     * @return its index
     */
    std::size_t Multiply(const std::string& name,
                         PlannedLayer layer,
                         const std::vector<int64_t>& sizes);
    /// @brief Add an element-wise layer.
    /// @param kind kind of the layer
    /// @param name name of the layer
    /// @param forward operations an element
    /// @param backward operations an element
    /// @return its index
    std::size_t ElementWise(LayerKind kind,
                            const std::string& name,
                            uint64_t forward,
                            uint64_t backward);
    /// @brief Add a pool of windows of 2 x 2 or 1 x 2 without overlap.
    /// @param kind kind of the layer
    /// @param name name of the layer
    /// @param isRowwise whether windows are of one row
    /// @param forward operations an output
    /// @return its index
    std::size_t Pool(LayerKind kind, const std::string& name, bool isRowwise, uint64_t forward);
    /// @brief Add a normalization with its two trained tensors.
    /// @param kind kind of the layer
    /// @param name name of the layer
    /// @param groups number of groups of channels
    /// @return its index
    std::size_t Normalize(LayerKind kind, const std::string& name, int64_t groups);
};

} // namespace ns3::collab

#endif /* COLLAB_NETWORK_PLAN_H */
