/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MODEL_MEASURE_H
#define COLLAB_TORCH_MODEL_MEASURE_H

#include "ns3/collab-model-description.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace ns3::collab
{

class TorchModel;

/// @ingroup collab-learning
/// @brief What running a model has shown.
struct MeasuredModel
{
    ModelDescription description; //!< cost: a layer of samples, and one of passes
    std::size_t outputs;          //!< numbers that it makes of a sample
};

/**
 * @brief Describe a model by running it on a few samples of zeros.
 *
 * The operations of passes over two and over four samples are counted, forward, forward in training
 * and backward; their difference is the cost of samples, the rest that of passes.
 *
 * @param make function that builds the model
 * @param input what it reads
 * @return what it costs, and how many numbers it makes
 * @throws std::invalid_argument if it makes something else than a row of each sample, or executes
 * an operation whose cost is not known
 */
MeasuredModel MeasureModel(const std::function<std::unique_ptr<TorchModel>()>& make,
                           const ModelInput& input);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_MODEL_MEASURE_H */
