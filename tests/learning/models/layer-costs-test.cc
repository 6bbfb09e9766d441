/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-model-description.h"
#include "ns3/collab-network-plan.h"
#include "ns3/collab-stub-learner.h"

#include <gmock/gmock.h>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::ElementsAre;

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

} // namespace
