/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MODEL_H
#define COLLAB_TORCH_MODEL_H

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A network: its trainable parameters and its forward pass.
 *
 * Written with functions on tensors and not with LibTorch's modules, whose constructors draw from
 * a generator that the whole process shares. Not part of the module's public headers.
 */
class TorchModel
{
  public:
    virtual ~TorchModel() = default;

    /**
     * @param samples shape samples x channels x height x width, contiguous
     * @return logits, shape samples x classes
     */
    virtual at::Tensor Forward(const at::Tensor& samples) const = 0;

    /// @return the trainable parameters in the order of registration
    const std::vector<at::Tensor>& GetParameters() const;

    /**
     * @brief Draw all parameters uniformly from +-1/sqrt(fan-in), PyTorch's default for these
     * layers.
     * @param seed of the drawing
     */
    void DrawParameters(uint64_t seed);

    /**
     * @param values of all parameters, in the order of registration, each row-major
     * @throws std::invalid_argument if their number is not the model's
     */
    void SetParameters(const std::vector<float>& values);

  protected:
    /**
     * @brief Register the weights and biases of a layer.
     * @param weightSizes shape of the weights, the number of outputs first
     */
    void AddLayer(const std::vector<int64_t>& weightSizes);

    /**
     * @param layer index of a layer, in the order of registration
     * @return its weights
     */
    const at::Tensor& Weight(std::size_t layer) const;

    /**
     * @param layer index of a layer, in the order of registration
     * @return its biases
     */
    const at::Tensor& Bias(std::size_t layer) const;

  private:
    std::vector<at::Tensor> m_parameters; //!< weights and biases in turn
};

/**
 * @brief Build a model with parameters that have no values yet.
 *
 * @param name one of GetModelNames()
 * @param sampleShape channels, height, width
 * @param classes number of classes
 * @return the model
 * @throws std::invalid_argument as DescribeModel() does
 */
std::unique_ptr<TorchModel> MakeTorchModel(const std::string& name,
                                           const std::vector<int64_t>& sampleShape,
                                           uint32_t classes);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TORCH_MODEL_H */
