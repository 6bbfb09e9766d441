/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MULTIPLY_ADD_COUNTER_H
#define MULTIPLY_ADD_COUNTER_H

#include <cstdint>
#include <functional>

namespace tests
{

/**
 * @brief Count the products of LibTorch's matrix products and convolutions.
 *
 * Read from the shapes of the operators that LibTorch really runs, forward and backward.
 *
 * @param work to run on this thread
 * @return number of products
 */
uint64_t CountMultiplyAdds(const std::function<void()>& work);

} // namespace tests

#endif /* MULTIPLY_ADD_COUNTER_H */
