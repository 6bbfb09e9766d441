/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LOSSES_H
#define COLLAB_TORCH_LOSSES_H

#include "ns3/collab-matrix.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace ns3::collab
{

/// @param targets one row a sample
/// @param positions positions of the rows to take
/// @param sizes sizes of the tensor, rows first
/// @return the rows
at::Tensor GatherTargets(const Matrix<float>& targets,
                         const uint32_t* positions,
                         at::IntArrayRef sizes);

/// @param logits logits of a batch
/// @param targets probabilities of the same shape
/// @return mean over the samples of -sum_c target_c log(p_c + 1e-8)
at::Tensor SoftCrossEntropy(const at::Tensor& logits, const at::Tensor& targets);

/// @param outputs outputs of a batch
/// @param targets targets of the same shape
/// @return mean over samples and outputs of the squared difference
at::Tensor SquaredError(const at::Tensor& outputs, const at::Tensor& targets);

/// @param outputs outputs of a batch
/// @param targets targets of the same shape
/// @return mean over samples and outputs of the absolute difference
at::Tensor AbsoluteError(const at::Tensor& outputs, const at::Tensor& targets);

/// @brief Triplet loss (Schroff et al., CVPR 2015) with distances instead of their squares, as
/// PyTorch's, each sample's negative being the next anchor of the batch.
/// @param anchors embeddings of samples; at least two
/// @param positives embeddings of changed samples, of the same shape
/// @param margin margin by which negatives are to be farther away
/// @return mean over the samples of max(0, |a - p| - |a - n| + margin)
at::Tensor TripletLoss(const at::Tensor& anchors, const at::Tensor& positives, double margin);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_LOSSES_H */
