/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-losses.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/log.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/triplet_margin_loss.h>
#include <algorithm>

namespace ns3::collab
{

namespace
{

constexpr double LOGARITHM_GUARD = 1e-8; //!< added to probabilities before the logarithm

} // namespace

at::Tensor
GatherTargets(const Matrix<float>& targets, const uint32_t* positions, at::IntArrayRef sizes)
{
    const at::Tensor rows = at::empty(sizes);
    auto* next = rows.data_ptr<float>();
    for (int64_t i = 0; i < sizes[0]; ++i)
    {
        next = std::copy_n(targets.Row(positions[i]), targets.columns, next);
    }
    return rows;
}

at::Tensor
SoftCrossEntropy(const at::Tensor& logits, const at::Tensor& targets)
{
    return at::softmax(logits, 1)
        .add(LOGARITHM_GUARD)
        .log()
        .mul(targets)
        .sum()
        .div(-logits.size(0));
}

at::Tensor
SquaredError(const at::Tensor& outputs, const at::Tensor& targets)
{
    return at::mse_loss(outputs, targets);
}

at::Tensor
AbsoluteError(const at::Tensor& outputs, const at::Tensor& targets)
{
    return at::l1_loss(outputs, targets);
}

at::Tensor
TripletLoss(const at::Tensor& anchors, const at::Tensor& positives, double margin)
{
    return at::triplet_margin_loss(anchors, positives, anchors.roll(-1, 0), margin);
}

} // namespace ns3::collab
