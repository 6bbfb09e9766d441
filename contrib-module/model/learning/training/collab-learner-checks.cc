/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-learner-checks.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param view view whose features to look at
/// @throws std::invalid_argument if a number is not finite or a token not in the vocabulary
void
CheckFeatures(const DataView& view)
{
    const DataSet& data = *view.data;
    const std::size_t size = data.SampleSize();
    for (const uint32_t index : view.indices)
    {
        for (std::size_t i = index * size; i < (index + 1) * size; ++i)
        {
            if (data.kind == FeatureKind::NUMBERS && !std::isfinite(data.numbers[i]))
            {
                throw std::invalid_argument(
                    fmt::format("trainData: sample {} has the number {}", index, data.numbers[i]));
            }
            if (data.kind == FeatureKind::TOKENS &&
                (data.tokens[i] < 0 || static_cast<uint32_t>(data.tokens[i]) >= data.vocabulary))
            {
                throw std::invalid_argument(
                    fmt::format("trainData: sample {} has the token {}, not below {}",
                                index,
                                data.tokens[i],
                                data.vocabulary));
            }
        }
    }
}

/// @param view view of a data set for regression
/// @throws std::invalid_argument if a target is not finite
void
CheckTargets(const DataView& view)
{
    const DataSet& data = *view.data;
    for (const uint32_t index : view.indices)
    {
        for (std::size_t i = index * data.outputs; i < (index + 1) * data.outputs; ++i)
        {
            CheckArgument(std::isfinite(data.targets[i]),
                          "trainData: sample {} has the target {}",
                          index,
                          data.targets[i]);
        }
    }
}

} // namespace

void
CheckView(const DataView& view, const std::string& what, const DataSet& own)
{
    CheckArgument(view.data, "{}: there is no data set", what);
    CheckArgument(view.data->sampleShape == own.sampleShape,
                  "{}: samples of shape ({}), the model reads ({})",
                  what,
                  fmt::join(view.data->sampleShape, ", "),
                  fmt::join(own.sampleShape, ", "));
    const bool isTokens = view.data->kind == FeatureKind::TOKENS;
    CheckArgument(isTokens == (own.kind == FeatureKind::TOKENS) &&
                      (!isTokens || view.data->vocabulary <= own.vocabulary),
                  "{}: {} with a vocabulary of {}, the model reads {} with one of {}",
                  what,
                  ToString(view.data->kind),
                  view.data->vocabulary,
                  ToString(own.kind),
                  own.vocabulary);
    CheckArgument(view.data->CountFeatures() == view.data->Size() * view.data->SampleSize(),
                  "{}: {} features for {} samples of {}",
                  what,
                  view.data->CountFeatures(),
                  view.data->Size(),
                  view.data->SampleSize());
    for (uint32_t index : view.indices)
    {
        CheckArgument(index < view.data->Size(),
                      "{}: index {} is not below {} samples",
                      what,
                      index,
                      view.data->Size());
    }
}

void
CheckTrainData(const DataView& view, bool needsLabels)
{
    const bool isRegression = view.data->outputs > 0;
    const bool checksLabels = needsLabels && !isRegression;
    CheckArgument(view.Size() != 0 && (!checksLabels || view.labels.size() == view.Size()),
                  "trainData: {} samples with {} labels, expected equally many and at least 1",
                  view.Size(),
                  view.labels.size());
    for (int64_t label : view.labels)
    {
        CheckArgument(!checksLabels ||
                          (label >= 0 && label < static_cast<int64_t>(view.data->classes)),
                      "trainData: label {} is not below {} classes",
                      label,
                      view.data->classes);
    }
    CheckFeatures(view);
    if (isRegression && needsLabels)
    {
        CheckTargets(view);
    }
}

void
CheckSampleOrders(const std::vector<std::vector<uint32_t>>& orders, std::size_t samples)
{
    for (std::size_t pass = 0; pass < orders.size(); ++pass)
    {
        std::vector<bool> isTaken(samples, false);
        for (const uint32_t position : orders[pass])
        {
            if (position >= samples || isTaken[position])
            {
                throw std::invalid_argument(
                    fmt::format("sampleOrders: pass {} has the position {} {}",
                                pass,
                                position,
                                position >= samples ? fmt::format("of {} samples", samples)
                                                    : std::string("twice")));
            }
            isTaken[position] = true;
        }
        CheckArgument(orders[pass].size() == samples,
                      "sampleOrders: pass {} takes {} of {} samples",
                      pass,
                      orders[pass].size(),
                      samples);
    }
}

void
CheckPositions(const std::vector<uint32_t>& positions, std::size_t samples)
{
    const auto wrong = std::find_if(positions.begin(),
                                    positions.end(),
                                    [samples](uint32_t position) { return position >= samples; });
    if (wrong != positions.end())
    {
        throw std::invalid_argument(
            fmt::format("position {} is not below {} samples", *wrong, samples));
    }
}

void
CheckKlScale(double scale, bool isVariational)
{
    CheckArgument(scale >= 0 && std::isfinite(scale),
                  "klScale {} is not 0 or a positive finite number",
                  scale);
    CheckArgument(scale == 1 || isVariational,
                  "klScale {} is given, but the learner is not variational",
                  scale);
}

void
CheckDistillation(const Distillation& distillation, const DataSet& own, std::size_t outputs)
{
    CheckArgument(!distillation.isAlone || distillation.targets,
                  "distillation alone: there are no targets");
    if (!distillation.targets)
    {
        return;
    }
    const Matrix<float>& targets = *distillation.targets;
    CheckArgument(distillation.inputs && distillation.inputs->Size() != 0,
                  "distillation: there are targets but no inputs");
    CheckView(*distillation.inputs, "distillation inputs", own);
    CheckArgument(targets.rows == distillation.inputs->Size() && targets.columns == outputs,
                  "distillation: targets of shape {} x {}, expected {} inputs x {} outputs",
                  targets.rows,
                  targets.columns,
                  distillation.inputs->Size(),
                  outputs);
    const bool finite = std::all_of(targets.values.begin(), targets.values.end(), [](float value) {
        return std::isfinite(value);
    });
    CheckArgument(finite && distillation.lambda >= 0 && std::isfinite(distillation.lambda),
                  "distillation: lambda {} and all targets must be finite, and lambda not negative",
                  distillation.lambda);
}

void
CheckFlatVector(const FlatVector& vector, const std::string& what, std::size_t length)
{
    if (!vector)
    {
        return;
    }
    CheckArgument(vector->size() == length,
                  "{}: {} numbers given, the model has {}",
                  what,
                  vector->size(),
                  length);
    const auto found = std::find_if_not(
        vector->begin(), vector->end(), [](float value) { return std::isfinite(value); });
    if (found != vector->end())
    {
        throw std::invalid_argument(
            fmt::format("{}: number {} is {}, not finite", what, found - vector->begin(), *found));
    }
}

void
CheckTerms(const ObjectiveTerms& terms, std::size_t weights, bool isVariational)
{
    CheckFlatVector(terms.center, "center", weights);
    CheckFlatVector(terms.correction, "correction", weights);
    CheckFlatVector(terms.prior, "prior", weights);
    for (const auto& [name, factor] : {std::pair{"l2", terms.l2}, std::pair{"mu", terms.mu}})
    {
        CheckArgument(factor >= 0 && std::isfinite(factor),
                      "{} {} is not 0 or a positive finite number",
                      name,
                      factor);
    }
    CheckArgument(terms.mu <= 0 || terms.center, "mu {} without a center", terms.mu);
    CheckArgument(isVariational || !terms.prior,
                  "a prior is given, but the learner is not variational");
    CheckArgument(!isVariational || (!terms.center && !terms.correction && terms.l2 <= 0),
                  "a variational learner takes a prior, but no l2, center or correction");
    const auto isPositive = [](float value) { return value > 0; };
    CheckArgument(!terms.prior ||
                      std::all_of(terms.prior->begin() + static_cast<std::ptrdiff_t>(weights / 2),
                                  terms.prior->end(),
                                  isPositive),
                  "prior: a standard deviation is not positive");
}

bool
HasFiniteWeights(const Learner& learner)
{
    const FlatVector weights = learner.GetAllWeights();
    return !weights || AreFinite(*weights);
}

} // namespace ns3::collab
