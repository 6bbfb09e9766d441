/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MODEL_DESCRIPTION_H
#define COLLAB_MODEL_DESCRIPTION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Work and size of one layer for one sample.
 *
 * An addition, a multiplication and a comparison count as one operation each. With P products of a
 * weight and an input (inputs x outputs of a linear layer; kernel height x kernel width x input
 * channels x outputs of a convolution):
 * - forward: 2 P. P multiplications, P - outputs additions, and outputs additions of a bias.
 * - input gradient: 2 P - inputs. P multiplications, and P - inputs additions, as the first of the
 *   products that an input gets is not added to anything.
 * - parameter gradient: 2 P + outputs. P multiplications, P additions to the sums over positions
 *   and samples, and outputs additions to those of the biases.
 *
 * A rectifier does one operation an element forward (the comparison with 0) and one backward (the
 * choice between the gradient and 0). A 2 x 2 max-pool does three comparisons an output forward and
 * one operation an output backward (the gradient's addition to the chosen input).
 */
struct LayerCost
{
    std::string name;                //!< e.g. "conv1"
    uint64_t parameters = 0;         //!< trainable numbers
    uint64_t forwardFlops = 0;       //!< operations of the forward pass
    uint64_t inputGradientFlops = 0; //!< operations of the backward pass towards the layer's input
    uint64_t parameterGradientFlops = 0; //!< operations of the backward pass towards its parameters
};

/**
 * @ingroup collab
 * @brief Cost of a model, layer by layer, for one sample.
 *
 * The first layer's input gradient is never computed and does not count.
 */
class ModelDescription
{
  public:
    /**
     * @param layers in the order of the forward pass
     */
    explicit ModelDescription(std::vector<LayerCost> layers);

    /// @return the layers in the order of the forward pass
    const std::vector<LayerCost>& GetLayers() const;
    /// @return number of trainable parameters
    uint64_t CountParameters() const;
    /// @return operations of a forward pass of one sample
    uint64_t CountForwardFlops() const;
    /// @return operations of a forward and a backward pass of one sample
    uint64_t CountTrainingFlops() const;

  private:
    std::vector<LayerCost> m_layers; //!< in the order of the forward pass
};

/// @return names of the models that can be built, sorted
std::vector<std::string> GetModelNames();

/**
 * @brief Describe a model without building it.
 *
 * - "linear": flattened input to classes.
 * - "mlp": flattened input, 200 ReLU units, classes.
 * - "netcnn": convolution 5x5 to 32 channels, ReLU, max-pool 2, convolution 5x5 to 64 channels,
 * ReLU, max-pool 2, 512 ReLU units, classes; 582 026 parameters for 1 x 28 x 28 and 10 classes.
 *
 * @param name one of GetModelNames()
 * @param sampleShape channels, height, width
 * @param classes number of classes
 * @return its cost
 * @throws std::invalid_argument if the name is unknown or the shape too small for the model
 */
ModelDescription DescribeModel(const std::string& name,
                               const std::vector<int64_t>& sampleShape,
                               uint32_t classes);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_MODEL_DESCRIPTION_H */
