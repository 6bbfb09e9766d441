/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MAX_POOL_H
#define COLLAB_TORCH_MAX_POOL_H

#include <ATen/core/Tensor.h>

namespace ns3
{
namespace collab
{

/**
 * @brief Maximum over windows of 2 x 2 without overlap, the first one of equals.
 *
 * LibTorch's own takes a quarter of a small network's step: which of four numbers is the greatest
 * is a matter of chance, so its branches are mispredicted. This one has none. An odd last row or
 * column is left out.
 *
 * @param input shape samples x channels x height x width
 * @return the maxima
 */
at::Tensor MaxPoolPairs(const at::Tensor& input);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TORCH_MAX_POOL_H */
