/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_FLAT_TENSOR_H
#define COLLAB_FLAT_TENSOR_H

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @param values a flat vector; must outlive the tensor
/// @return these, not copied
inline at::Tensor
ViewFlat(const std::vector<float>& values)
{
    // LibTorch has no tensor of constants; only what a learner owns is written to.
    return at::from_blob(const_cast<float*>(values.data()), {static_cast<int64_t>(values.size())});
}

/// @param tensor tensor of float on any device
/// @return its numbers, row-major
inline std::vector<float>
CopyFlat(const at::Tensor& tensor)
{
    const at::Tensor numbers = tensor.cpu().contiguous();
    const auto* begin = numbers.data_ptr<float>();
    return {begin, begin + numbers.numel()};
}

} // namespace ns3::collab

#endif /* COLLAB_FLAT_TENSOR_H */
