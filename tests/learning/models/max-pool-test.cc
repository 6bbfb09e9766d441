/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-torch-max-pool.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/max_pool2d.h>
#include <gtest/gtest.h>

namespace
{

using ns3::collab::MaxPoolPairs;

/// Heights and widths, odd ones too
class MaxPoolTest : public testing::TestWithParam<std::pair<int64_t, int64_t>>
{
};

TEST_P(MaxPoolTest, EqualsLibTorchWhateverTheLayout)
{
    const auto [height, width] = GetParam();
    for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast})
    {
        const int64_t size = 3 * 5 * height * width;
        // Five different numbers, so that windows have equal ones
        const at::Tensor numbers = at::arange(size, at::kFloat).mul(7).fmod(5).sub(2);
        const at::Tensor samples =
            numbers.reshape({3, 5, height, width}).contiguous(format).requires_grad_();
        const at::Tensor expected = at::max_pool2d(samples, {2, 2});
        const at::Tensor weights =
            at::arange(expected.numel(), at::kFloat).reshape(expected.sizes());
        expected.mul(weights).sum().backward();
        const at::Tensor gradient = samples.grad().clone();
        samples.mutable_grad().reset();

        const at::Tensor pooled = MaxPoolPairs(samples);
        EXPECT_TRUE(pooled.equal(expected));
        EXPECT_TRUE(pooled.is_contiguous(format));
        pooled.mul(weights).sum().backward();
        EXPECT_TRUE(samples.grad().equal(gradient));
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         MaxPoolTest,
                         testing::Values(std::make_pair(4, 6),
                                         std::make_pair(5, 6),
                                         std::make_pair(4, 7),
                                         std::make_pair(5, 3)));

} // namespace
