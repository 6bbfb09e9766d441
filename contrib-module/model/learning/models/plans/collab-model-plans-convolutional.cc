/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-plans.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-model-options.h"

#include <fmt/format.h>

namespace ns3::collab
{

namespace
{

/// @param model named in an error text
/// @param input what it is to read
/// @param side least height and width
/// @throws std::invalid_argument if samples are no images of at least that size
void
RequireImages(const char* model, const ModelInput& input, int64_t side)
{
    const std::vector<int64_t>& shape = input.sampleShape;
    CheckArgument(shape.size() == 3 && input.vocabulary == 0,
                  "{} reads images of channels, height, width",
                  model);
    CheckArgument(shape[1] >= side && shape[2] >= side,
                  "{} needs samples of at least {} x {}, not {} x {}",
                  model,
                  side,
                  side,
                  shape[1],
                  shape[2]);
}

/// @brief Add a convolution and its rectifier.
/// @param plan plan to add to
/// @param index index of the layer, for the names
/// @param geometry geometry of the convolution
void
ConvolveAndRectify(NetworkPlan& plan, int index, const NetworkPlan::Convolution& geometry)
{
    plan.Convolve(fmt::format("conv{}", index), geometry);
    plan.Relu(fmt::format("relu{}", index));
}

/// One line of table 1 of Tan and Le (ICML 2019).
struct MobileStage
{
    int64_t expansion; //!< of the channels inside a block
    int64_t kernel;    //!< of the depthwise convolution
    int64_t stride;    //!< of the first block
    int64_t channels;  //!< made
    int blocks;        //!< number of blocks
};

constexpr MobileStage MOBILE_STAGES[] = {{1, 3, 1, 16, 1},
                                         {6, 3, 2, 24, 2},
                                         {6, 5, 2, 40, 2},
                                         {6, 3, 2, 80, 3},
                                         {6, 5, 1, 112, 3},
                                         {6, 5, 2, 192, 4},
                                         {6, 3, 1, 320, 1}}; //!< of EfficientNet-B0

/// @brief Add a convolution without biases, padded to keep its size, and its batch normalization.
/// @param plan plan to add to
/// @param name name of both
/// @param geometry geometry without padding
/// @return the normalization
std::size_t
ConvolveAndNormalize(NetworkPlan& plan, const std::string& name, NetworkPlan::Convolution geometry)
{
    geometry.padding = geometry.kernel / 2;
    geometry.hasBias = false;
    plan.Convolve(name + ".conv", geometry);
    return plan.BatchNorm(name + ".bn");
}

/// @brief Add an inverted residual block with squeeze and excitation.
/// @param plan plan to add to
/// @param place prefix of the names, ends in a dot
/// @param stage stage of the block
/// @param isFirst whether it is the first one of the stage
void
AddMobileBlock(NetworkPlan& plan, const std::string& place, const MobileStage& stage, bool isFirst)
{
    const std::size_t input = plan.GetLayers().size() - 1;
    const int64_t inputs = plan.GetShape()[0];
    const int64_t inner = inputs * stage.expansion;
    const int64_t stride = isFirst ? stage.stride : 1;
    if (stage.expansion > 1)
    {
        ConvolveAndNormalize(plan, place + "expand", {inner, 1, 1});
        plan.Silu(place + "expand.silu");
    }
    ConvolveAndNormalize(plan, place + "depthwise", {inner, stage.kernel, stride, 0, inner});
    const std::size_t image = plan.Silu(place + "depthwise.silu");
    plan.GlobalMean(place + "mean");
    plan.Linear(place + "squeeze", inputs / 4);
    plan.Silu(place + "squeeze.silu");
    plan.Linear(place + "excite", inner);
    plan.Sigmoid(place + "excite.sigmoid");
    plan.Scale(place + "scale", image);
    ConvolveAndNormalize(plan, place + "project", {stage.channels, 1, 1});
    if (stride == 1 && inputs == stage.channels)
    {
        plan.Add(place + "add", input);
    }
}

} // namespace

NetworkPlan
PlanNetCnn(const std::string& options, const ModelInput& input)
{
    ReadChoice("netcnn", options, {""});
    RequireImages("netcnn", input, 16); // leaves one element after both convolutions and pools
    NetworkPlan plan(input);
    ConvolveAndRectify(plan, 1, {32, 5});
    plan.MaxPool("pool1");
    ConvolveAndRectify(plan, 2, {64, 5});
    plan.MaxPool("pool2");
    plan.Flatten();
    plan.Linear("fc1", 512);
    plan.Relu("relu3");
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanLeNet(const std::string& options, const ModelInput& input)
{
    const bool isSmooth = ReadChoice("lenet", options, {"relu", "tanh"}) == "tanh";
    RequireImages("lenet", input, 28);
    const int64_t height = input.sampleShape[1];
    CheckArgument(height == input.sampleShape[2] && (height == 28 || height == 32),
                  "lenet needs samples of 28 x 28 or 32 x 32");
    NetworkPlan plan(input);
    const auto bend = [&](int index) {
        isSmooth ? plan.Tanh(fmt::format("tanh{}", index))
                 : plan.Relu(fmt::format("relu{}", index));
    };
    const auto pool = [&](const std::string& name) {
        isSmooth ? plan.MeanPool(name) : plan.MaxPool(name);
    };
    plan.Convolve("conv1", {6, 5, 1, (32 - height) / 2});
    bend(1);
    pool("pool1");
    plan.Convolve("conv2", {16, 5});
    bend(2);
    pool("pool2");
    plan.Flatten();
    plan.Linear("fc1", 120);
    bend(3);
    plan.Linear("fc2", 84);
    bend(4);
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanAlexNet(const std::string& options, const ModelInput& input)
{
    constexpr int64_t SIDE = 28; // least height and width; leaves one element after all halvings
    constexpr int64_t UNITS = 4096;
    constexpr double RATE = 0.5;
    ReadChoice("alexnet", options, {""});
    const std::vector<int64_t>& shape = input.sampleShape;
    const bool isSignal = shape.size() == 3 && shape[1] == 2 && shape[2] >= SIDE;
    RequireImages("alexnet", input, isSignal ? 2 : SIDE);
    NetworkPlan plan(input);
    const auto convolve = [&plan, isSignal](int index, int64_t channels, int64_t stride) {
        ConvolveAndRectify(plan, index, {channels, 3, stride, 1, 1, true, isSignal});
    };
    convolve(1, 64, 2);
    plan.MaxPool("pool1", isSignal);
    convolve(2, 192, 1);
    plan.MaxPool("pool2", isSignal);
    convolve(3, 384, 1);
    convolve(4, 256, 1);
    convolve(5, 256, 1);
    plan.MaxPool("pool3", isSignal);
    plan.Flatten();
    plan.Dropout("dropout1", RATE);
    plan.Linear("fc1", UNITS);
    plan.Relu("relu6");
    plan.Dropout("dropout2", RATE);
    plan.Linear("fc2", UNITS);
    plan.Relu("relu7");
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanConvolutionalEncoder(const std::string& options, const ModelInput& input)
{
    RequireImages("conv4", input, 16); // leaves one element after four pools
    NetworkPlan plan(input);
    int index = 0;
    for (int64_t channels : {32, 32, 64, 64})
    {
        ConvolveAndRectify(plan, ++index, {channels, 3, 1, 1});
        plan.MaxPool(fmt::format("pool{}", index));
    }
    plan.Flatten();
    plan.Linear("fc", ReadSize("conv4", options, 8));
    return plan;
}

NetworkPlan
PlanResNet20(const std::string& options, const ModelInput& input)
{
    constexpr int64_t GROUPS = 8;
    constexpr int BLOCKS = 3; // in each of three stages
    const bool isBatchNorm = ReadChoice("resnet20", options, {"bn", "gn"}) == "bn";
    RequireImages("resnet20", input, 4); // leaves one element after both halvings
    NetworkPlan plan(input);
    const auto convolve = [&](const std::string& place,
                              int index,
                              int64_t channels,
                              int64_t stride) {
        plan.Convolve(fmt::format("{}conv{}", place, index), {channels, 3, stride, 1, 1, false});
        const std::string name = fmt::format("{}bn{}", place, index);
        return isBatchNorm ? plan.BatchNorm(name) : plan.GroupNorm(name, GROUPS);
    };
    convolve("", 1, 16, 1);
    std::size_t last = plan.Relu("relu1");
    for (int stage = 1; stage <= 3; ++stage)
    {
        for (int block = 0; block < BLOCKS; ++block)
        {
            const std::string place = fmt::format("layer{}.{}.", stage, block);
            const int64_t channels = 8 << stage;
            const int64_t stride = stage > 1 && block == 0 ? 2 : 1;
            const std::size_t shortcut =
                stride > 1 ? plan.Shortcut(place + "shortcut", channels, stride) : last;
            plan.ReadFrom(last);
            convolve(place, 1, channels, stride);
            plan.Relu(place + "relu1");
            convolve(place, 2, channels, 1);
            plan.Add(place + "add", shortcut);
            last = plan.Relu(place + "relu2");
        }
    }
    plan.GlobalMean("mean");
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanEfficientNetB0(const std::string& options, const ModelInput& input)
{
    ReadChoice("efficientnet-b0", options, {""});
    RequireImages("efficientnet-b0", input, 32); // one element after five halvings
    NetworkPlan plan(input);
    ConvolveAndNormalize(plan, "stem", {32, 3, 2});
    plan.Silu("stem.silu");
    int number = 0;
    for (const MobileStage& stage : MOBILE_STAGES)
    {
        for (int block = 0; block < stage.blocks; ++block)
        {
            AddMobileBlock(plan, fmt::format("block{}.", ++number), stage, block == 0);
        }
    }
    ConvolveAndNormalize(plan, "head", {1280, 1, 1});
    plan.Silu("head.silu");
    plan.GlobalMean("mean");
    plan.Dropout("dropout", 0.2);
    plan.Linear("fc", input.outputs);
    return plan;
}

} // namespace ns3::collab
