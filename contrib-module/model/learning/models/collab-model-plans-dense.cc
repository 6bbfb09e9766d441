/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-plans.h"
#include "collab-model-registry.h"

#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param plan to add layers to
 * @param units numbers of ReLU units, layer by layer
 * @param outputs of the last layer, which has no ReLU
 * @return the plan
 */
NetworkPlan
AddUnits(NetworkPlan plan, const std::vector<int64_t>& units, int64_t outputs)
{
    plan.Flatten();
    for (std::size_t i = 0; i < units.size(); ++i)
    {
        plan.Linear(fmt::format("fc{}", i + 1), units[i]);
        plan.Relu(fmt::format("relu{}", i + 1));
    }
    plan.Linear("fc", outputs);
    return plan;
}

/**
 * @param model of which samples must be numbers
 * @param input to check
 * @throws std::invalid_argument if samples are tokens
 */
void
RefuseTokens(const char* model, const ModelInput& input)
{
    if (input.vocabulary > 0)
    {
        throw std::invalid_argument(fmt::format("{} reads numbers, not tokens", model));
    }
}

} // namespace

NetworkPlan
PlanLinear(const std::string& options, const ModelInput& input)
{
    ReadChoice("linear", options, {""});
    RefuseTokens("linear", input);
    return AddUnits(NetworkPlan(input), {}, input.outputs);
}

NetworkPlan
PlanPolynomial(const std::string& options, const ModelInput& input)
{
    RefuseTokens("polynomial", input);
    NetworkPlan plan(input);
    plan.Flatten();
    plan.Polynomial("monomials", ReadSize("polynomial", options, 3));
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanMlp(const std::string& options, const ModelInput& input)
{
    RefuseTokens("mlp", input);
    return AddUnits(NetworkPlan(input), ReadSizes("mlp", options, {200}), input.outputs);
}

NetworkPlan
PlanFullyConnectedEncoder(const std::string& options, const ModelInput& input)
{
    RefuseTokens("fc3", input);
    return AddUnits(NetworkPlan(input), {256, 128}, ReadSize("fc3", options, 8));
}

} // namespace collab
} // namespace ns3
