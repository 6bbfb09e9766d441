/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-model-description.h"

#include <gmock/gmock.h>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::ElementsAre;

const std::vector<int64_t> IMAGE = {1, 28, 28};

TEST(ModelDescriptionTest, NamesAreSorted)
{
    EXPECT_THAT(GetModelNames(),
                ElementsAre("alexnet",
                            "char-lstm",
                            "conv4",
                            "efficientnet-b0",
                            "fc3",
                            "gcn",
                            "lenet",
                            "linear",
                            "mlp",
                            "netcnn",
                            "polynomial",
                            "resnet20",
                            "sentiment-lstm"));
}

TEST(ModelDescriptionTest, CountsParameters)
{
    EXPECT_EQ(DescribeModel("linear", IMAGE, 10).CountParameters(), 7850U);
    EXPECT_EQ(DescribeModel("mlp", IMAGE, 10).CountParameters(), 159010U);
    EXPECT_EQ(DescribeModel("netcnn", IMAGE, 10).CountParameters(), 582026U);
    EXPECT_EQ(DescribeModel("linear", {3, 2, 5}, 4).CountParameters(), 124U);
}

TEST(ModelDescriptionTest, CountsLinearByHand)
{
    // Each of 10 outputs: 784 products, 783 sums, 1 bias. Gradient: 7840 products, as many sums
    // over the batch, and 10 sums of biases. None towards the input of the only layer.
    const ModelDescription linear = DescribeModel("linear", IMAGE, 10);
    EXPECT_EQ(linear.CountForwardFlops(), 10U * (784 + 783 + 1));
    EXPECT_EQ(linear.CountTrainingFlops(), 15680U + 15680U + 10U);
}

TEST(ModelDescriptionTest, CountsMlpByHand)
{
    const ModelDescription mlp = DescribeModel("mlp", IMAGE, 10);
    const uint64_t fc1 = 156800; // products, 784 x 200
    const uint64_t fc = 2000;    // 200 x 10
    const uint64_t forward = 2 * fc1 + 200 + 2 * fc;
    EXPECT_EQ(mlp.CountForwardFlops(), forward);
    const uint64_t parameterGradient = (2 * fc1 + 200) + (2 * fc + 10);
    const uint64_t inputGradient = 200 + (2 * fc - 200);
    EXPECT_EQ(mlp.CountTrainingFlops(), forward + parameterGradient + inputGradient);
}

TEST(ModelDescriptionTest, CountsNetCnnByHand)
{
    const ModelDescription netcnn = DescribeModel("netcnn", IMAGE, 10);
    const uint64_t conv1 = 460800;  // products, 5 x 5 x 1 for each of 32 x 24 x 24
    const uint64_t conv2 = 3276800; // 5 x 5 x 32 for each of 64 x 8 x 8
    const uint64_t fc1 = 524288;    // 1024 x 512
    const uint64_t fc = 5120;       // 512 x 10
    // Elements: 32 x 24 x 24 = 18432, pooled 32 x 12 x 12 = 4608; 64 x 8 x 8 = 4096, pooled 1024.
    const uint64_t forward = 2 * conv1 + 18432 + 3 * uint64_t{4608} + 2 * conv2 + 4096 +
                             3 * uint64_t{1024} + 2 * fc1 + 512 + 2 * fc;
    EXPECT_EQ(netcnn.CountForwardFlops(), forward);
    const uint64_t parameterGradient =
        (2 * conv1 + 18432) + (2 * conv2 + 4096) + (2 * fc1 + 512) + (2 * fc + 10);
    const uint64_t inputGradient =
        18432 + 4608 + (2 * conv2 - 4608) + 4096 + 1024 + (2 * fc1 - 1024) + 512 + (2 * fc - 512);
    EXPECT_EQ(netcnn.CountTrainingFlops(), forward + parameterGradient + inputGradient);
}

TEST(ModelDescriptionTest, NamesLayersInOrder)
{
    std::vector<std::string> names;
    const ModelDescription netcnn = DescribeModel("netcnn", IMAGE, 10);
    for (const LayerCost& layer : netcnn.GetLayers())
    {
        names.push_back(layer.name);
    }
    EXPECT_THAT(
        names,
        ElementsAre("conv1", "relu1", "pool1", "conv2", "relu2", "pool2", "fc1", "relu3", "fc"));
}

TEST(ModelDescriptionTest, PoolsLeaveOddEdgesOut)
{
    // 19 - 4 = 15, pooled 7, - 4 = 3, pooled 1; 17 - 4 = 13, 6, 2, 1
    const ModelDescription netcnn = DescribeModel("netcnn", {1, 19, 17}, 10);
    EXPECT_EQ(netcnn.GetLayers()[2].forwardFlops, 3U * 32 * 7 * 6);
    EXPECT_EQ(netcnn.GetLayers()[6].parameters, 64U * 512 + 512);
}

TEST(ModelDescriptionTest, RefusesWhatCannotBeBuilt)
{
    EXPECT_THROW(DescribeModel("resnet", IMAGE, 10), std::invalid_argument);
    EXPECT_THROW(DescribeModel("netcnn", {28, 28}, 10), std::invalid_argument);
    EXPECT_THROW(DescribeModel("linear", {1, 0, 28}, 10), std::invalid_argument);
    EXPECT_THROW(DescribeModel("linear", IMAGE, 1), std::invalid_argument);
    EXPECT_THROW(DescribeModel("netcnn", {1, 28, 15}, 10), std::invalid_argument);
    EXPECT_NO_THROW(DescribeModel("netcnn", {1, 16, 16}, 10));
}

} // namespace
