/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MODEL_DESCRIPTION_H
#define COLLAB_MODEL_DESCRIPTION_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief Work and size of one layer for one sample.
 *
 * An addition, a multiplication and a comparison count as one operation each, and so does every
 * division, square root, exponential, logarithm and hyperbolic tangent. With P products of a
 * weight and an input (inputs x outputs of a linear layer; kernel height x kernel width x input
 * channels of a group x outputs of a convolution, those with the zeros around the image included):
 * - forward: 2 P. P multiplications, P - outputs additions, and outputs additions of a bias; less
 *   outputs if there are no biases.
 * - input gradient: 2 P - inputs. P multiplications, and P - inputs additions, as the first of the
 *   products that an input gets is not added to anything.
 * - parameter gradient: 2 P + outputs. P multiplications, P additions to the sums over positions
 *   and samples, and outputs additions to those of the biases, if there are any.
 *
 * A rectifier does one operation an element forward (the comparison with 0) and one backward (the
 * choice between the gradient and 0). A 2 x 2 max-pool does three comparisons an output forward, a
 * 1 x 2 one does one, and both do one operation an output backward (the gradient's addition to the
 * chosen input). The other layers
 * are counted in the section "Counting operations" of the module's documentation.
 */
struct LayerCost
{
    std::string name;                //!< e.g. "conv1"
    uint64_t parameters = 0;         //!< trainable numbers
    uint64_t forwardFlops = 0;       //!< operations of the forward pass
    uint64_t inputGradientFlops = 0; //!< operations of the backward pass towards the layer's input
    uint64_t parameterGradientFlops = 0; //!< operations of the backward pass towards its parameters
    uint64_t trainingFlops = 0;          //!< operations of the forward pass that only training does
    uint64_t multiplyAdds = 0;           //!< P of the above: products of the forward pass
    uint64_t inputGradientMultiplyAdds = 0;     //!< products of the backward pass towards the input
    uint64_t parameterGradientMultiplyAdds = 0; //!< and towards the parameters
    uint64_t state = 0;   //!< numbers that travel with the parameters and are not trained
    bool perPass = false; //!< operations are those of a pass over any number of samples
};

/**
 * @ingroup collab-learning
 * @brief Cost of a model, layer by layer, for one sample.
 *
 * The first layer's input gradient is never computed and does not count.
 */
class ModelDescription
{
  public:
    /// @param layers layers in the order of the forward pass
    explicit ModelDescription(std::vector<LayerCost> layers);

    /// @return the layers in the order of the forward pass
    const std::vector<LayerCost>& GetLayers() const;
    /// @return number of trainable parameters
    uint64_t CountParameters() const;
    /// @return number of parameters and of the state that travels with them
    uint64_t CountWeights() const;
    /// @return bytes of the weights in single precision
    uint64_t CountBytes() const;
    /// @param samples samples of all passes together
    /// @param passes number of passes
    /// @return operations of forward passes
    uint64_t CountForwardFlops(uint64_t samples = 1, uint64_t passes = 1) const;
    /// @param samples samples of all passes together
    /// @param passes number of passes
    /// @return operations of forward and backward passes
    uint64_t CountTrainingFlops(uint64_t samples = 1, uint64_t passes = 1) const;
    /// @param samples samples of the pass
    /// @return products of weights and inputs in a forward pass
    uint64_t CountMultiplyAdds(uint64_t samples = 1) const;
    /// @param samples samples of the pass
    /// @return products in a forward and a backward pass
    uint64_t CountTrainingMultiplyAdds(uint64_t samples = 1) const;

  private:
    std::vector<LayerCost> m_layers; //!< in the order of the forward pass
};

/// @ingroup collab-learning
/// @brief A graph whose nodes have features, for models that read one.
struct GraphInput
{
    Matrix<float> features;                           //!< nodes x features
    std::vector<std::pair<uint32_t, uint32_t>> edges; //!< pairs of nodes, undirected, each once
};

/// @ingroup collab-learning
/// @brief What a model reads and how many numbers it makes of it.
struct ModelInput
{
    std::vector<int64_t> sampleShape; //!< e.g. {1, 28, 28}: channels, height, width
    uint32_t outputs = 0;             //!< numbers made of a sample: classes, or targets
    uint32_t vocabulary = 0;          //!< number of tokens if samples are tokens, otherwise 0
    std::shared_ptr<const Matrix<float>> embedding; //!< given row of each token, or null
    std::shared_ptr<const GraphInput> graph;        //!< whose nodes the samples name, or null
};

/// @return names of the models that can be built, sorted; registered ones included
std::vector<std::string> GetModelNames();

/**
 * @brief Describe a model without building it.
 *
 * A name may be followed by ":" and options of the model, e.g. "mlp:100-50"; the models and their
 * options are listed in the module's documentation.
 *
 * @param name one of GetModelNames(), with options or without
 * @param input what it reads
 * @return its cost
 * @throws std::invalid_argument if the name or an option is unknown or the model cannot read such
 * samples
 */
ModelDescription DescribeModel(const std::string& name, const ModelInput& input);

/// @brief Describe a classifier without building it.
/// @param name one of GetModelNames(), with options or without
/// @param sampleShape e.g. channels, height, width
/// @param classes number of classes; at least 2
/// @return its cost
/// @throws std::invalid_argument as the other one does
ModelDescription DescribeModel(const std::string& name,
                               const std::vector<int64_t>& sampleShape,
                               uint32_t classes);

} // namespace ns3::collab

#endif /* COLLAB_MODEL_DESCRIPTION_H */
