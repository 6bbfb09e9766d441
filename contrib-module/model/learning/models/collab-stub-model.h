/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_STUB_MODEL_H
#define COLLAB_STUB_MODEL_H

#include "collab-model-description.h"

#include <cstdint>
#include <string>

namespace ns3::collab
{

/// @param model name of a model, with options or without
/// @return whether it is that of learners that only have a size
bool IsStub(const std::string& model);

/// @brief Describe a stub.
/// @param options "PARAMETERS" or "PARAMETERS:FLOPS": the number of parameters, at most 1000 or a
/// multiple of it up to 10^9; and the operations of training with one sample, a third of which is
/// the forward pass. If FLOPS is not given: 6 PARAMETERS, as of large layers that use every
/// parameter once.
/// @return its size and work
/// @throws std::invalid_argument if they are not that
ModelDescription DescribeStub(const std::string& options);

/// @param parameters parameters of a stub
/// @return how many of them a weight in memory stands for
uint32_t GetStubMultiplicity(uint64_t parameters);

} // namespace ns3::collab

#endif /* COLLAB_STUB_MODEL_H */
