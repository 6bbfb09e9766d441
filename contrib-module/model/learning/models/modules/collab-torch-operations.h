/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_OPERATIONS_H
#define COLLAB_TORCH_OPERATIONS_H

#include <cstdint>
#include <functional>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Operations that LibTorch has executed.
struct TorchOperations
{
    uint64_t flops = 0;        //!< as LayerCost counts them
    uint64_t multiplyAdds = 0; //!< products of matrices and convolutions alone
};

/**
 * @brief Count the operations of all LibTorch operators that are executed on this thread.
 *
 * Products of matrices, convolutions and LSTMs that run as one operator are counted by their
 * shapes, other operators by the size of what they read or make. What only moves or names numbers
 * costs nothing. See the section "Counting operations" of the module's documentation.
 *
 * @param work what to count, with a backward pass if it makes one
 * @return the operations
 * @throws std::invalid_argument if an operator was executed of which the cost is not known; the
 * text names it
 */
TorchOperations CountTorchOperations(const std::function<void()>& work);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_OPERATIONS_H */
