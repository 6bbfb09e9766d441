/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_IMAGES_H
#define COLLAB_TORCH_IMAGES_H

#include "collab-image-network.h"

#include <memory>
#include <vector>

namespace at
{
class Tensor;
} // namespace at

namespace ns3::collab
{

/// @param network convolutions that compute
/// @param weights filters, then biases of each, on the processor
/// @param samples images, samples x channels x height x width, of which no gradient is needed
/// @return their features, from which LibTorch's backward pass goes on into the weights
at::Tensor ComputeFeatures(const std::shared_ptr<const ImageNetwork>& network,
                           const std::vector<at::Tensor>& weights,
                           const at::Tensor& samples);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_IMAGES_H */
