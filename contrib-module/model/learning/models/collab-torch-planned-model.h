/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_PLANNED_MODEL_H
#define COLLAB_TORCH_PLANNED_MODEL_H

#include "collab-torch-model.h"

#include "ns3/collab-layer-list.h"

#include <memory>

namespace ns3::collab
{

/// @param plan layers of a network
/// @return a model that computes them, not bound to weights yet
std::unique_ptr<TorchModel> MakePlannedModel(LayerList plan);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_PLANNED_MODEL_H */
