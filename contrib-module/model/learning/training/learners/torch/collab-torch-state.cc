/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner-class.h"

#include "ns3/collab-check-argument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @tparam Value type with an operator for streams
/// @param value value to write
/// @return it as text, whatever the language of the user
template <typename Value>
std::string
ToText(const Value& value)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << value;
    return text.str();
}

/// @param state state of a learner
/// @param name name of a value
/// @return its text
/// @throws std::invalid_argument if there is no such value
const std::string&
Find(const LearnerState& state, const std::string& name)
{
    const auto found = state.values.find(name);
    CheckArgument(found != state.values.end(), "state of a learner: \"{}\" is missing", name);
    return found->second;
}

/// @tparam Value type with an operator for streams
/// @param state state of a learner
/// @param name name of a value
/// @return it
/// @throws std::invalid_argument if there is no such value, or it is something else
template <typename Value>
Value
Read(const LearnerState& state, const std::string& name)
{
    std::istringstream text(Find(state, name));
    text.imbue(std::locale::classic());
    Value value;
    if (!(text >> value) || !(text >> std::ws).eof())
    {
        throw std::invalid_argument(
            fmt::format("state of a learner: \"{}\" is \"{}\"", name, text.str().substr(0, 40)));
    }
    return value;
}

/// @param state state of a learner
/// @param name name of a vector
/// @return it; empty if there is none
std::vector<float>
ReadVector(const LearnerState& state, const std::string& name)
{
    const auto found = state.vectors.find(name);
    return found == state.vectors.end() ? std::vector<float>() : *found->second;
}

/// @param text numbers with spaces between
/// @return the numbers
std::vector<int64_t>
ReadCounters(const std::string& text)
{
    std::istringstream numbers(text);
    numbers.imbue(std::locale::classic());
    std::vector<int64_t> counters;
    for (int64_t counter = 0; numbers >> counter;)
    {
        counters.push_back(counter);
    }
    return counters;
}

/// @param options options of an optimizer
/// @return what two learners must have in common to have the same kind of moments
std::string
NameOptimizer(const OptimizerOptions& options)
{
    return options.kind == OptimizerKind::ADAM ? "adam"
           : options.momentum > 0              ? "sgd with momentum"
                                               : "sgd";
}

} // namespace

LearnerState
TorchLearner::GetState() const
{
    LearnerState state;
    const OptimizerState optimizer = m_optimizer.GetState();
    state.vectors["weights"] = m_weights.Get();
    for (const auto& [name, moments] : {std::pair{"first_moments", &optimizer.firstMoments},
                                        std::pair{"second_moments", &optimizer.secondMoments}})
    {
        if (!moments->empty())
        {
            state.vectors[name] = std::make_shared<const std::vector<float>>(*moments);
        }
    }
    state.values["model"] = m_config.model;
    state.values["optimizer"] = NameOptimizer(m_config.optimizer);
    state.values["optimizer_steps"] = ToText(optimizer.steps);
    state.values["steps"] = ToText(m_stepsTaken);
    state.values["passes"] = ToText(m_order.passes);
    state.values["generator"] = ToText(m_order.generator);
    state.values["draw_generator"] = ToText(m_passes.GetGenerator());
    state.values["references"] = m_order.references.GetState();
    state.values["counters"] = fmt::format("{}", fmt::join(m_model->GetCounters(), " "));
    state.values["privacy"] = m_accountant.GetState();
    return state;
}

void
TorchLearner::SetState(const LearnerState& state)
{
    for (const auto& [name, own] : {std::pair{"model", m_config.model},
                                    std::pair{"optimizer", NameOptimizer(m_config.optimizer)}})
    {
        CheckArgument(Find(state, name) == own,
                      "state of a learner: {} \"{}\", this one has \"{}\"",
                      name,
                      Find(state, name),
                      own);
    }
    const auto weights = state.vectors.find("weights");
    OptimizerState optimizer;
    optimizer.firstMoments = ReadVector(state, "first_moments");
    optimizer.secondMoments = ReadVector(state, "second_moments");
    optimizer.steps = Read<uint64_t>(state, "optimizer_steps");
    const std::size_t moments = optimizer.firstMoments.size();
    const bool isAdam = m_config.optimizer.kind == OptimizerKind::ADAM;
    CheckArgument(weights != state.vectors.end() && weights->second->size() == CountWeights() &&
                      (moments == 0 || moments == GetParameterCount()) &&
                      optimizer.secondMoments.size() == (isAdam ? moments : 0),
                  "state of a learner: {} weights and {} moments, this one has {} and {}",
                  weights == state.vectors.end() ? 0 : weights->second->size(),
                  moments,
                  CountWeights(),
                  GetParameterCount());
    const auto stepsTaken = Read<uint64_t>(state, "steps");
    const auto passes = Read<std::size_t>(state, "passes");
    const auto generator = Read<RandomGenerator>(state, "generator");
    const auto drawGenerator = Read<RandomGenerator>(state, "draw_generator");
    m_model->SetCounters(ReadCounters(Find(state, "counters")));
    m_accountant.SetState(Find(state, "privacy"));
    m_order.references.SetState(Find(state, "references"));
    m_stepsTaken = stepsTaken;
    m_order.passes = passes;
    m_order.generator = generator;
    m_passes.GetGenerator() = drawGenerator;
    m_optimizer.SetState(optimizer);
    m_weights.Set(weights->second);
    if (!IsVariational())
    {
        BindWeights();
    }
}

} // namespace ns3::collab
