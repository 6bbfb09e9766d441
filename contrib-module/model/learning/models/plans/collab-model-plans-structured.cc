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

NetworkPlan
PlanCharacterLstm(const std::string& options, const ModelInput& input)
{
    const std::vector<int64_t> sizes = ReadSizes("char-lstm", options, {8, 100});
    CheckArgument(sizes.size() == 2,
                  "options \"{}\" are not two numbers, of the embedding and of the units",
                  options);
    NetworkPlan plan(input);
    plan.Embedding("embedding", sizes[0]);
    plan.Lstm("lstm1", sizes[1]);
    plan.Lstm("lstm2", sizes[1]);
    plan.LastStep();
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanSentimentLstm(const std::string& options, const ModelInput& input)
{
    const int64_t units = ReadSize("sentiment-lstm", options, 256);
    NetworkPlan plan(input);
    if (input.vocabulary > 0)
    {
        plan.FixedEmbedding("embedding");
    }
    plan.Lstm("lstm1", units);
    plan.Lstm("lstm2", units);
    plan.LastStep();
    plan.Linear("fc", input.outputs);
    return plan;
}

NetworkPlan
PlanGraphConvolution(const std::string& options, const ModelInput& input)
{
    const std::vector<int64_t> widths = ReadSizes("gcn", options, {16});
    CheckArgument(input.vocabulary != 0, "gcn reads tokens, each the number of a node");
    NetworkPlan plan(input);
    plan.NodeFeatures();
    for (std::size_t i = 0; i < widths.size(); ++i)
    {
        plan.Linear(fmt::format("conv{}", i + 1), widths[i], false);
        plan.Propagate(fmt::format("propagate{}", i + 1));
        plan.Relu(fmt::format("relu{}", i + 1));
    }
    plan.Linear("fc", input.outputs, false);
    plan.Propagate("propagate");
    plan.SelectNodes();
    return plan;
}

} // namespace ns3::collab
