/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PSEUDO_LABELS_H
#define COLLAB_PSEUDO_LABELS_H

#include "collab-label-propagation.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <string>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab-learning
 * Labels that a device comes to believe in for samples that have none. What labels its samples has
 * always one result: a view of all of them, in the order that they had before SplitLabeled(), those
 * with a label keeping it.
 */

/// @ingroup collab-learning
/// @brief A small model that labels a device's samples: Appendix D.D of Wagle et al. (2025).
struct LabelingModel
{
    std::string model = "linear"; //!< such as "mlp:64", by MakeTorchLearner()
    uint32_t epochs = 50;         //!< passes over the labelled samples; at least 1
    double learningRate = 1e-2;   //!< of Adam; positive
    uint32_t batchSize = 32;      //!< samples a step; at least 1
};

/// @param views samples with labels, at least one, and samples without
/// @param subspace F, features x d: what all devices have found in common
/// @param options how labels spread; neighbors at most the number of samples
/// @return all samples, with labels by PropagateLabels() over their projections
/// @throws std::invalid_argument as Project() and PropagateLabels() do, or if the views do not
/// belong together
DataView LabelByPropagation(const SemiSupervisedViews& views,
                            const Matrix<float>& subspace,
                            const PropagationOptions& options = {});

/// @param views samples with labels, at least one, and samples without
/// @param model trained on the former; labels the latter by its most probable class
/// @param seed seed of its initial weights and the order of samples
/// @return all samples
/// @throws std::invalid_argument as MakeTorchLearner() does, or if the views do not belong together
DataView LabelByModel(const SemiSupervisedViews& views, const LabelingModel& model, uint64_t seed);

/// @param views views as they are given to LabelByModel()
/// @param model model that labels the samples
/// @return floating-point operations of LabelByModel()
/// @throws std::invalid_argument as LabelByModel() does
uint64_t CountModelLabelFlops(const SemiSupervisedViews& views, const LabelingModel& model);

/// @brief Compare believed labels with those of the data set, which no device can: for traces only.
/// @param views views as they were labelled
/// @param believed what came out
/// @return part of the samples without a label that got the right one; NaN if there are none
/// @throws std::invalid_argument if they do not belong together, or the data set has no labels
double MeasureLabelingAccuracy(const SemiSupervisedViews& views, const DataView& believed);

} // namespace ns3::collab

#endif /* COLLAB_PSEUDO_LABELS_H */
