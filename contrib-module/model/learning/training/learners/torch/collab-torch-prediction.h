/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_PREDICTION_H
#define COLLAB_TORCH_PREDICTION_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-matrix.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <optional>

namespace ns3::collab
{

/// How a model predicts
struct PredictionWay
{
    std::optional<at::Device> device; //!< where it computes; none: with the host's ways
    bool channelsLast = true;         //!< see ForwardContext
    bool isRaw = false;               //!< whether to leave the model's outputs as they are
};

/// @brief Add the outputs for all samples, at the weights that a model is bound to.
/// @param model the model
/// @param way how it predicts
/// @param inputs samples
/// @param outputs samples x outputs
/// @param isFirst whether to replace what is there
void AddPredictions(const TorchModel& model,
                    const PredictionWay& way,
                    const DataView& inputs,
                    Matrix<float>& outputs,
                    bool isFirst);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_PREDICTION_H */
