/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-plans.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-model-options.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// What is between two linear layers
struct UnitKind
{
    std::string activation = "relu"; //!< one of ACTIVATIONS
    bool isNormalized = false;       //!< whether layer normalization is before it
};

constexpr const char* LAYER_NORM = "layernorm"; //!< option of a model

/// How the units that can be named are added
const std::map<std::string, std::size_t (NetworkPlan::*)(const std::string&)> ACTIVATIONS = {
    {"gelu", &NetworkPlan::Gelu},
    {"relu", &NetworkPlan::Relu},
    {"sigmoid", &NetworkPlan::Sigmoid},
    {"silu", &NetworkPlan::Silu},
    {"tanh", &NetworkPlan::Tanh}};

/// @param model named in an error text
/// @param options names of an activation and of a normalization, with colons between
/// @return what is between two layers
/// @throws std::invalid_argument if something else is named
UnitKind
ReadUnitKind(const std::string& model, const std::string& options)
{
    UnitKind kind;
    std::istringstream list(options);
    for (std::string option; std::getline(list, option, ':');)
    {
        if (option == LAYER_NORM)
        {
            kind.isNormalized = true;
        }
        else if (ACTIVATIONS.count(option) > 0)
        {
            kind.activation = option;
        }
        else
        {
            throw std::invalid_argument(fmt::format("model {}: no option \"{}\"; there are: {}, {}",
                                                    model,
                                                    option,
                                                    fmt::join(GetNames(ACTIVATIONS), ", "),
                                                    LAYER_NORM));
        }
    }
    return kind;
}

/// @param plan plan to add layers to
/// @param units numbers of units, layer by layer
/// @param outputs outputs of the last layer, which has no activation
/// @param kind kind of the units
/// @return the plan
NetworkPlan
AddUnits(NetworkPlan plan,
         const std::vector<int64_t>& units,
         int64_t outputs,
         const UnitKind& kind = {})
{
    plan.Flatten();
    for (std::size_t i = 0; i < units.size(); ++i)
    {
        plan.Linear(fmt::format("fc{}", i + 1), units[i]);
        if (kind.isNormalized)
        {
            plan.LayerNorm(fmt::format("norm{}", i + 1));
        }
        (plan.*ACTIVATIONS.at(kind.activation))(fmt::format("{}{}", kind.activation, i + 1));
    }
    plan.Linear("fc", outputs);
    return plan;
}

/// @param model model of which samples must be numbers
/// @param input input to check
/// @throws std::invalid_argument if samples are tokens
void
RefuseTokens(const char* model, const ModelInput& input)
{
    CheckArgument(input.vocabulary == 0, "{} reads numbers, not tokens", model);
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
    const std::size_t colon = std::min(options.find(':'), options.size());
    const std::string kinds = options.substr(std::min(colon + 1, options.size()));
    return AddUnits(NetworkPlan(input),
                    ReadSizes("mlp", options.substr(0, colon), {200}),
                    input.outputs,
                    ReadUnitKind("mlp", kinds));
}

NetworkPlan
PlanFullyConnectedEncoder(const std::string& options, const ModelInput& input)
{
    RefuseTokens("fc3", input);
    return AddUnits(NetworkPlan(input), {256, 128}, ReadSize("fc3", options, 8));
}

} // namespace ns3::collab
