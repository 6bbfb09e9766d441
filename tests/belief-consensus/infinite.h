/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_INFINITE_H
#define BELIEF_INFINITE_H

#include <limits>

namespace tests
{

constexpr double INFINITE = std::numeric_limits<double>::infinity(); //!< what no number reaches

} // namespace tests

#endif /* BELIEF_INFINITE_H */
