/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-network-plan.h"
#include "ns3/collab-stub-learner.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <stdexcept>

namespace model_description_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

const std::vector<int64_t> IMAGE = {1, 28, 28};

TEST(ModelDescriptionTest, NamesAreSorted)
{
    const std::vector<std::string> names = GetModelNames(); // other tests may register more
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_THAT(names,
                testing::IsSupersetOf({"alexnet",
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
                                       "sentiment-lstm"}));
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

TEST(ModelDescriptionTest, CountsParametersOfPapers)
{
    const auto count = [](const char* model, std::vector<int64_t> shape, uint32_t outputs) {
        return DescribeModel(model, shape, outputs).CountParameters();
    };
    EXPECT_EQ(count("linear", IMAGE, 10), 7850U);
    EXPECT_EQ(count("linear", {3, 2, 5}, 4), 124U);
    EXPECT_EQ(count("mlp", IMAGE, 10), 159010U);
    EXPECT_EQ(count("netcnn", IMAGE, 10), 582026U);
    // LeNet-5 with full connections: 156 + 2416 + 48120 + 10164 + 850
    EXPECT_EQ(count("lenet", {1, 32, 32}, 10), 61706U);
    EXPECT_EQ(count("lenet", {1, 28, 28}, 10), 61706U);
    // Convolutions 1792 + 110784 + 663936 + 884992 + 590080, layers of 1024 and 4096 inputs
    EXPECT_EQ(count("alexnet", {3, 32, 32}, 10), 2251584U + 4198400 + 16781312 + 40970);
    EXPECT_EQ(count("alexnet", {1, 28, 28}, 62), 2250432U + 1052672 + 16781312 + 254014);
    // The same kernels along time only: 256 + 37056 + 221568 + 295168 + 196864, and 4096 inputs
    EXPECT_EQ(count("alexnet", {1, 2, 128}, 11), 750912U + 16781312 + 16781312 + 45067);
    // He et al., table 6: 0.27 M. Convolutions 432 + 13824 + 50688 + 202752, norms 1376, fc 650
    EXPECT_EQ(count("resnet20", {3, 32, 32}, 10), 269722U);
    EXPECT_EQ(count("resnet20:gn", {3, 32, 32}, 10), 269722U);
    // Tan, Le, table 2: 5.3 M
    EXPECT_EQ(count("efficientnet-b0", {3, 224, 224}, 1000), 5288548U);
    // Convolutions 320 + 9248 + 18496 + 36928, embedding 64 x 8 + 8
    EXPECT_EQ(count("conv4", {1, 28, 28}, 10), 65512U);
    EXPECT_EQ(count("conv4:16", {1, 28, 28}, 10), 65512U + 64 * 8 + 8);
    EXPECT_EQ(count("fc3", {1, 28, 28}, 10), 785U * 256 + 257 * 128 + 129 * 8);
    EXPECT_EQ(count("mlp:5-10", {2}, 4), 15U + 60 + 44);
    EXPECT_EQ(count("polynomial:4", {1}, 2), 10U); // x, x^2, x^3, x^4 and a constant
    EXPECT_EQ(count("polynomial:2", {3}, 2), 20U); // 3 + 6 monomials and a constant
}

TEST(ModelDescriptionTest, CountsOperationsOfPapers)
{
    // He et al. say 41 M, Tan and Le 0.39 B: products of a forward pass
    const ModelDescription resnet = DescribeModel("resnet20", {3, 32, 32}, 10);
    EXPECT_EQ(resnet.CountMultiplyAdds(), 442368U + 6 * 2359296 + 12 * 2359296 - 2 * 1179648 + 640);
    const ModelDescription efficient = DescribeModel("efficientnet-b0", {3, 224, 224}, 1000);
    EXPECT_NEAR(static_cast<double>(efficient.CountMultiplyAdds()), 0.39e9, 0.01e9);
}

TEST(ModelDescriptionTest, CountsCharacterLstmByHand)
{
    ModelInput input;
    input.sampleShape = {80};
    input.outputs = 80;
    input.vocabulary = 80;
    const ModelDescription lstm = DescribeModel("char-lstm", input);
    EXPECT_EQ(lstm.CountParameters(), 640U + 400 * (8 + 100 + 2) + 400 * (100 + 100 + 2) + 8080);
    EXPECT_EQ(lstm.CountMultiplyAdds(), 80U * 400 * (108 + 200) + 8000);
    // Gates of 100 units a step: 300 sigmoids of 4, 2 x 100 tanh, 4 x 100 products and sums, and
    // 400 sums of the two products
    EXPECT_EQ(lstm.CountForwardFlops(), 2 * lstm.CountMultiplyAdds() + 2 * 80 * 2200);
}

TEST(ModelDescriptionTest, CountsAlexNetOfSignalsByHand)
{
    // Two rows that are never mixed: 64 steps after the first stride, 32, 16 and 8 after the pools
    const ModelDescription alexnet = DescribeModel("alexnet", {1, 2, 128}, 11);
    const uint64_t d = 4096;
    struct Layer
    {
        const char* name;    // of the layer
        uint64_t forward;    // operations forward
        uint64_t inputs;     // of the backward pass towards the input
        uint64_t parameters; // towards the parameters
    };
    const uint64_t p1 = 3 * 1 * 64 * 128;
    const uint64_t p2 = 3 * 64 * 192 * 64;
    const uint64_t p3 = 3 * 192 * 384 * 32;
    const uint64_t p4 = 3 * 384 * 256 * 32;
    const uint64_t p5 = 3 * 256 * 256 * 32;
    const std::vector<Layer> expected = {{"conv1", 2 * p1, 0, 2 * p1 + 64 * 128},
                                         {"relu1", 64 * 128, 64 * 128, 0},
                                         {"pool1", 64 * 64, 64 * 64, 0}, // one comparison of two
                                         {"conv2", 2 * p2, 2 * p2 - 64 * 64, 2 * p2 + 192 * 64},
                                         {"relu2", 192 * 64, 192 * 64, 0},
                                         {"pool2", 192 * 32, 192 * 32, 0},
                                         {"conv3", 2 * p3, 2 * p3 - 192 * 32, 2 * p3 + 384 * 32},
                                         {"relu3", 384 * 32, 384 * 32, 0},
                                         {"conv4", 2 * p4, 2 * p4 - 384 * 32, 2 * p4 + 256 * 32},
                                         {"relu4", 256 * 32, 256 * 32, 0},
                                         {"conv5", 2 * p5, 2 * p5 - 256 * 32, 2 * p5 + 256 * 32},
                                         {"relu5", 256 * 32, 256 * 32, 0},
                                         {"pool3", 256 * 16, 256 * 16, 0},
                                         {"dropout1", 0, d, 0},
                                         {"fc1", 2 * d * d, 2 * d * d - d, 2 * d * d + d},
                                         {"relu6", d, d, 0},
                                         {"dropout2", 0, d, 0},
                                         {"fc2", 2 * d * d, 2 * d * d - d, 2 * d * d + d},
                                         {"relu7", d, d, 0},
                                         {"fc", 2 * d * 11, 2 * d * 11 - d, 2 * d * 11 + 11}};
    ASSERT_EQ(alexnet.GetLayers().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const LayerCost& layer = alexnet.GetLayers()[i];
        EXPECT_EQ(layer.name, expected[i].name);
        EXPECT_EQ(layer.forwardFlops, expected[i].forward) << layer.name;
        EXPECT_EQ(layer.inputGradientFlops, expected[i].inputs) << layer.name;
        EXPECT_EQ(layer.parameterGradientFlops, expected[i].parameters) << layer.name;
    }
}

TEST(ModelDescriptionTest, CountsNormalizationsByHand)
{
    // After 3x3 convolutions without biases: 16 x 8 x 8 numbers
    ModelInput input;
    input.sampleShape = {3, 8, 8};
    input.outputs = 10;
    const LayerCost batch = DescribeModel("resnet20", input).GetLayers()[1];
    const LayerCost group = DescribeModel("resnet20:gn", input).GetLayers()[1];
    EXPECT_EQ(batch.parameters, 32U);
    EXPECT_EQ(batch.state, 32U);
    EXPECT_EQ(group.state, 0U);
    EXPECT_EQ(batch.forwardFlops, 4U * 1024);
    EXPECT_EQ(group.forwardFlops, 7U * 1024);
    EXPECT_EQ(batch.forwardFlops + batch.trainingFlops, group.forwardFlops);
}

TEST(ModelDescriptionTest, CountsGraphsByThePass)
{
    ModelInput input;
    input.sampleShape = {1};
    input.outputs = 3;
    input.vocabulary = 4;
    auto graph = std::make_shared<GraphInput>();
    graph->features = Matrix<float>(4, 5);
    graph->edges = {{0, 1}, {1, 2}};
    input.graph = graph;
    const ModelDescription gcn = DescribeModel("gcn:6", input);
    EXPECT_EQ(gcn.CountParameters(), 5U * 6 + 6 * 3);
    // 4 nodes: 6 x (2 x 5 - 1), then 8 terms for 4 sums of 6, ReLU, 3 x (2 x 6 - 1), sums of 3
    const uint64_t pass = 4 * 6 * 9 + (2 * 8 - 4) * 6 + 4 * 6 + 4 * 3 * 11 + (2 * 8 - 4) * 3;
    EXPECT_EQ(gcn.CountForwardFlops(1), pass);
    EXPECT_EQ(gcn.CountForwardFlops(9), pass);
    EXPECT_EQ(gcn.CountForwardFlops(9, 2), 2 * pass);
    graph->edges.emplace_back(3, 4);
    EXPECT_THROW(DescribeModel("gcn", input), std::invalid_argument);
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
    const auto describe = [](const std::pair<const char*, std::vector<int64_t>>& model) {
        DescribeModel(model.first, model.second, 10);
    };
    ExpectEachRefused<std::invalid_argument, std::pair<const char*, std::vector<int64_t>>>(
        {{"netcnn", {28, 28}},     {"linear", {1, 0, 28}},
         {"netcnn", {1, 28, 15}},  {"lenet", {1, 30, 30}},
         {"alexnet", {3, 16, 16}}, {"alexnet", {1, 2, 27}},
         {"alexnet", {1, 3, 128}}, {"efficientnet-b0", IMAGE},
         {"mlp:", IMAGE},          {"mlp:0", IMAGE},
         {"mlp:5-", IMAGE},        {"mlp:-5", IMAGE},
         {"mlp:5,6", IMAGE},       {"mlp:99999999999999999999", IMAGE},
         {"linear:3", IMAGE},      {"resnet20:in", IMAGE},
         {"conv4:8-8", IMAGE},     {"polynomial:21", IMAGE},
         {"char-lstm", IMAGE},     {"gcn", IMAGE},
         {"sentiment-lstm", IMAGE}},
        describe);
    EXPECT_THROW(DescribeModel("linear", IMAGE, 1), std::invalid_argument);
    EXPECT_NO_THROW(DescribeModel("netcnn", {1, 16, 16}, 10));
    EXPECT_NO_THROW(DescribeModel("mlp::gelu", IMAGE, 10)); // 200 units
    for (const auto& [name, text] : std::map<std::string, std::string>{
             {"resnet", "no model \"resnet\"; there are: alexnet, "},
             {"mlp:5:swish",
              "no option \"swish\"; there are: gelu, relu, sigmoid, silu, tanh, layernorm"},
             {"mlp:gelu", "are not numbers"},
             {"lenet:gelu", "there are: relu, tanh"}})
    {
        ExpectRefused(text, [n = name] { DescribeModel(n, IMAGE, 10); });
    }
}

TEST(ModelDescriptionTest, CountsSmoothLayersByHand)
{
    ModelInput input;
    input.sampleShape = {6};
    input.outputs = 3;
    const auto layers = DescribeModel("mlp:5:layernorm:gelu", input).GetLayers();
    ASSERT_EQ(layers.size(), 4U);
    EXPECT_EQ(layers[1].name, "norm1");
    EXPECT_EQ(layers[1].parameters, 10U);
    EXPECT_EQ(layers[1].forwardFlops, 7 * 5U);
    EXPECT_EQ(layers[1].inputGradientFlops + layers[1].parameterGradientFlops, 7 * 5U);
    EXPECT_EQ(layers[2].forwardFlops, 5 * 5U);
    EXPECT_EQ(layers[2].inputGradientFlops, 8 * 5U);
    const auto tanh = DescribeModel("mlp:5:tanh", input).GetLayers();
    EXPECT_EQ(tanh[1].forwardFlops, 5U);
    EXPECT_EQ(tanh[1].inputGradientFlops, 3 * 5U);
    input.sampleShape = {1, 28, 28};
    const auto smooth = DescribeModel("lenet:tanh", input);
    EXPECT_EQ(smooth.CountMultiplyAdds(), DescribeModel("lenet", input).CountMultiplyAdds());
    EXPECT_EQ(smooth.GetLayers()[2].forwardFlops, 4U * 6 * 14 * 14);
    EXPECT_EQ(smooth.GetLayers()[2].inputGradientFlops, 6U * 14 * 14);
}

/// @return the cost of a layer
LayerCost
FindCost(const ModelDescription& model, const std::string& name)
{
    for (const auto& layer : model.GetLayers())
    {
        if (layer.name == name)
        {
            return layer;
        }
    }
    throw std::out_of_range(name);
}

/// @return a plan that reads four numbers
NetworkPlan
MakePlanOfFour()
{
    ModelInput input;
    input.sampleShape = {4};
    input.outputs = 4;
    return NetworkPlan(input);
}

TEST(LayerCosts, AreNamedAfterTheirLayersInOrder)
{
    const ModelDescription model = DescribeModel("conv4", {1, 16, 16}, 5);
    std::vector<std::string> names;
    for (const auto& layer : model.GetLayers())
    {
        names.push_back(layer.name);
    }
    EXPECT_THAT(names,
                ElementsAre("conv1",
                            "relu1",
                            "pool1",
                            "conv2",
                            "relu2",
                            "pool2",
                            "conv3",
                            "relu3",
                            "pool3",
                            "conv4",
                            "relu4",
                            "pool4",
                            "fc"));
    EXPECT_EQ(DescribeStub("7").GetLayers().front().name, "stub");
}

TEST(LayerCosts, EachMonomialBeyondTheNumbersIsAProduct)
{
    // Of 3 numbers up to degree 2: 3 and, of two of them, 6
    EXPECT_EQ(DescribeModel("polynomial:2", {3}, 2).GetLayers().front().forwardFlops, 6U);
}

TEST(LayerCosts, OfSiluAreAsManyBackAsForth)
{
    NetworkPlan plan = MakePlanOfFour();
    plan.Linear("fc", 4);
    plan.Silu("silu");
    const LayerCost silu = FindCost(plan.Describe(), "silu");
    EXPECT_EQ(silu.forwardFlops, 5U * 4);
    EXPECT_EQ(silu.inputGradientFlops, 5U * 4);
}

TEST(LayerCosts, GradientsGoThroughASumToEitherPart)
{
    NetworkPlan plan = MakePlanOfFour();
    const std::size_t trained = plan.Linear("fc", 4);
    plan.ReadFrom(0); // the samples, to which no gradient goes
    plan.Add("sum", trained);
    plan.Relu("relu");
    EXPECT_EQ(FindCost(plan.Describe(), "relu").inputGradientFlops, 4U);
}

} // namespace model_description_test
