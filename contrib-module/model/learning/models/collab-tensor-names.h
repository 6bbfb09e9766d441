/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TENSOR_NAMES_H
#define COLLAB_TENSOR_NAMES_H

#include "ns3/collab-layer-list.h"

#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Find the tensors of a model whose names fit.
 *
 * @param specs tensors of the model
 * @param patterns names with commas between them, in which * stands for any text and ? for any
 * character, such as "fc.*,norm?.bias"
 * @return names of those that fit one
 * @throws std::invalid_argument if none fits a pattern; the text names the tensors that there are
 */
std::set<std::string> FindTensors(const std::vector<WeightSpec>& specs,
                                  const std::string& patterns);

} // namespace ns3::collab

#endif /* COLLAB_TENSOR_NAMES_H */
