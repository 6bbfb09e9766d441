/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-data-set.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param data a data set
/// @param right whether something holds
/// @param format what to say if not; see fmt::format()
/// @param args numbers and names in that
/// @throws std::invalid_argument if not
template <typename... Args>
void
CheckData(const DataSet& data, bool right, fmt::format_string<Args...> format, Args&&... args)
{
    CheckArgument(
        right, "data set '{}': {}", data.name, fmt::format(format, std::forward<Args>(args)...));
}

/// @brief Check that as much of everything is there as there are samples.
/// @param data a data set
/// @throws std::invalid_argument if not
void
CheckFields(const DataSet& data)
{
    const bool positive = std::all_of(
        data.sampleShape.begin(), data.sampleShape.end(), [](int64_t size) { return size > 0; });
    CheckData(data,
              !data.sampleShape.empty() && positive,
              "sampleShape ({}), expected at least one dimension, all positive",
              fmt::join(data.sampleShape, ", "));
    CheckData(data,
              (data.classes > 0) != (data.outputs > 0),
              "{} classes and {} outputs, expected one of them to be 0",
              data.classes,
              data.outputs);
    CheckData(data,
              data.outputs == 0 || (data.targets.size() % data.outputs == 0 && data.labels.empty()),
              "{} targets and {} labels, expected a multiple of {} outputs and 0",
              data.targets.size(),
              data.labels.size(),
              data.outputs);
    CheckData(data,
              data.CountFeatures() == data.Size() * data.SampleSize(),
              "{} features of kind {}, expected {} samples x {}",
              data.CountFeatures(),
              ToString(data.kind),
              data.Size(),
              data.SampleSize());
    CheckData(data,
              (data.kind == FeatureKind::TOKENS) == (data.vocabulary > 0),
              "a vocabulary of {} with features of kind {}",
              data.vocabulary,
              ToString(data.kind));
    CheckData(data,
              !data.tokenVectors || data.tokenVectors->rows >= data.vocabulary,
              "{} vectors of tokens, expected none or those of a vocabulary of {}",
              data.tokenVectors ? data.tokenVectors->rows : 0,
              data.vocabulary);
    CheckData(data,
              data.users.empty() || data.users.size() == data.Size(),
              "{} users, expected none or one for each of {} samples",
              data.users.size(),
              data.Size());
}

/// @param data a data set
/// @param field what the values are
/// @param values values to look at
/// @param allowed function that says whether a value is allowed
/// @param expected what is allowed, in words
/// @throws std::invalid_argument if one is not allowed
template <typename Value, typename Predicate>
void
CheckEach(const DataSet& data,
          const char* field,
          const std::vector<Value>& values,
          Predicate allowed,
          const std::string& expected)
{
    const auto found = std::find_if_not(values.begin(), values.end(), allowed);
    if (found != values.end())
    {
        CheckData(data,
                  false,
                  "{}[{}] is {}, expected {}",
                  field,
                  std::distance(values.begin(), found),
                  *found,
                  expected);
    }
}

/// @param data a data set
/// @param field what the values are
/// @param values values to look at
/// @param limit what all must be below; they must not be negative either
/// @throws std::invalid_argument if one is out of range
template <typename Value>
void
CheckRange(const DataSet& data, const char* field, const std::vector<Value>& values, int64_t limit)
{
    const auto allowed = [limit](Value value) {
        return static_cast<int64_t>(value) >= 0 && static_cast<int64_t>(value) < limit;
    };
    CheckEach(data, field, values, allowed, fmt::format("0 to {}", limit - 1));
}

/// @param data a data set
/// @throws std::invalid_argument if a label, token, user or number is not allowed
void
CheckValues(const DataSet& data)
{
    CheckRange(data, "labels", data.labels, data.classes);
    CheckRange(data, "tokens", data.tokens, data.vocabulary);
    CheckRange(data, "users", data.users, static_cast<int64_t>(data.userNames.size()));
    const auto finite = [](float value) { return std::isfinite(value); };
    CheckEach(data, "numbers", data.numbers, finite, "a finite number");
    CheckEach(data, "targets", data.targets, finite, "a finite number");
}

/// @param from all samples
/// @param index index of a sample
/// @param size elements of a sample
/// @param[in,out] to data set to append the sample to
template <typename Value>
void
AppendSample(const std::vector<Value>& from,
             std::size_t index,
             std::size_t size,
             std::vector<Value>& to)
{
    if (!from.empty())
    {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(index * size);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
}

/// @param from fields of all samples
/// @param size numbers of one sample
/// @param count samples that are to be appended
/// @param[in,out] to place to move them to; if it is empty, it takes no more memory than for these
template <typename Value>
void
ReserveSamples(const std::vector<Value>& from,
               std::size_t size,
               std::size_t count,
               std::vector<Value>& to)
{
    if (!from.empty() && to.empty()) // else it grows by factors, as one appends to it again
    {
        to.reserve(count * size);
    }
}

/// @param view view of some samples
/// @return a data set of them alone
std::shared_ptr<DataSet>
CopyOwnSamples(const DataView& view)
{
    auto own = std::make_shared<DataSet>(MakeEmptyLike(*view.data));
    AppendSamples(*view.data, view.indices, *own);
    return own;
}

/// @param view view that gets its own data set
/// @param own its samples in their order
void
UseOwnSamples(DataView& view, std::shared_ptr<const DataSet> own)
{
    view.data = std::move(own);
    std::iota(view.indices.begin(), view.indices.end(), 0U);
}

} // namespace

const char*
ToString(FeatureKind kind)
{
    switch (kind)
    {
    case FeatureKind::BYTES:
        return "BYTES";
    case FeatureKind::NUMBERS:
        return "NUMBERS";
    case FeatureKind::TOKENS:
        return "TOKENS";
    }
    throw std::invalid_argument(fmt::format("{} is no feature kind", static_cast<int>(kind)));
}

std::size_t
DataSet::SampleSize() const
{
    return std::accumulate(
        sampleShape.begin(), sampleShape.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t
DataSet::SampleBytes() const
{
    return SampleSize() * (kind == FeatureKind::BYTES ? 1 : 4);
}

std::size_t
DataSet::CountFeatures() const
{
    switch (kind)
    {
    case FeatureKind::BYTES:
        return features.size();
    case FeatureKind::NUMBERS:
        return numbers.size();
    case FeatureKind::TOKENS:
        return tokens.size();
    }
    return 0;
}

void
DataSet::CheckNormalization() const
{
    const std::size_t count = offset.size();
    CheckData(*this,
              count == scale.size() &&
                  (count == 1 || count == static_cast<std::size_t>(sampleShape.front())),
              "{} offsets and {} scales, expected 1 of each or {}, one a channel",
              count,
              scale.size(),
              sampleShape.front());
    for (std::size_t i = 0; i < count; ++i)
    {
        CheckData(*this,
                  std::isfinite(offset[i]) && std::isfinite(scale[i]) && scale[i] > 0,
                  "offset {} and scale {}, expected finite ones and a positive scale",
                  offset[i],
                  scale[i]);
    }
}

void
DataSet::Validate() const
{
    CheckFields(*this);
    CheckNormalization();
    CheckValues(*this);
}

DataSet
MakeEmptyLike(const DataSet& data)
{
    DataSet empty;
    empty.name = data.name;
    empty.kind = data.kind;
    empty.sampleShape = data.sampleShape;
    empty.classes = data.classes;
    empty.outputs = data.outputs;
    empty.vocabulary = data.vocabulary;
    empty.tokenVectors = data.tokenVectors;
    empty.userNames = data.userNames;
    empty.isMixed = data.isMixed;
    empty.offset = data.offset;
    empty.scale = data.scale;
    return empty;
}

void
AppendSamples(const DataSet& from, const std::vector<uint32_t>& indices, DataSet& to)
{
    const std::size_t size = from.SampleSize();
    ReserveSamples(from.features, size, indices.size(), to.features);
    ReserveSamples(from.numbers, size, indices.size(), to.numbers);
    ReserveSamples(from.tokens, size, indices.size(), to.tokens);
    ReserveSamples(from.labels, 1, indices.size(), to.labels);
    ReserveSamples(from.targets, from.outputs, indices.size(), to.targets);
    ReserveSamples(from.users, 1, to.userNames.empty() ? 0 : indices.size(), to.users);
    for (const uint32_t index : indices)
    {
        CheckArgument(index < from.Size(),
                      "index {} is not below the data set's {} samples",
                      index,
                      from.Size());
        AppendSample(from.features, index, size, to.features);
        AppendSample(from.numbers, index, size, to.numbers);
        AppendSample(from.tokens, index, size, to.tokens);
        AppendSample(from.labels, index, 1, to.labels);
        AppendSample(from.targets, index, from.outputs, to.targets);
        if (!to.userNames.empty())
        {
            AppendSample(from.users, index, 1, to.users);
        }
    }
}

DataView
MakeView(std::shared_ptr<const DataSet> data, std::vector<uint32_t> indices)
{
    DataView view;
    view.labels.reserve(data->labels.empty() ? 0 : indices.size());
    for (uint32_t index : indices)
    {
        CheckArgument(index < data->Size(),
                      "index {} is not below the data set's {} samples",
                      index,
                      data->Size());
        if (!data->labels.empty())
        {
            view.labels.push_back(data->labels[index]);
        }
    }
    view.data = std::move(data);
    view.indices = std::move(indices);
    return view;
}

void
ShiftLabels(DataView& view, uint32_t shift)
{
    const uint32_t classes = view.data->classes;
    CheckArgument(shift != 0 && shift < classes,
                  "label shift {} is not between 1 and {}",
                  shift,
                  classes - 1);
    for (int64_t& label : view.labels)
    {
        label = (label + shift) % classes;
    }
}

void
PermuteLabels(DataView& view, uint64_t seed)
{
    RandomGenerator generator(seed);
    const std::vector<int64_t> labels = view.labels;
    const auto permutation = DrawPermutation(static_cast<uint32_t>(labels.size()), generator);
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        view.labels[i] = labels[permutation[i]];
    }
}

void
CorruptLabels(DataView& view, double fraction, uint64_t seed)
{
    const uint32_t classes = view.data->classes;
    CheckArgument(
        fraction >= 0 && fraction <= 1 && classes >= 2,
        "fraction {} of wrong labels of {} classes, allowed are 0 to 1 of at least 2 classes",
        fraction,
        classes);
    RandomGenerator generator(seed);
    const auto order = DrawPermutation(static_cast<uint32_t>(view.labels.size()), generator);
    const auto wrong = static_cast<std::size_t>(
        std::floor(fraction * static_cast<double>(view.labels.size()) + 0.5));
    boost::random::uniform_int_distribution<uint32_t> drawShift(1, classes - 1);
    for (std::size_t i = 0; i < wrong; ++i)
    {
        int64_t& label = view.labels[order[i]];
        label = (label + drawShift(generator)) % classes;
    }
}

void
ShiftTargets(DataView& view, const std::vector<float>& offsets)
{
    CheckArgument(view.data->outputs != 0 && offsets.size() == view.data->outputs,
                  "{} offsets for {} outputs, expected as many, and at least 1",
                  offsets.size(),
                  view.data->outputs);
    const auto own = CopyOwnSamples(view);
    for (std::size_t i = 0; i < own->targets.size(); ++i)
    {
        own->targets[i] += offsets[i % offsets.size()];
    }
    UseOwnSamples(view, own);
}

void
PermuteTargets(DataView& view, uint64_t seed)
{
    RandomGenerator generator(seed);
    const auto own = CopyOwnSamples(view);
    const std::vector<float> targets = own->targets;
    const auto permutation = DrawPermutation(static_cast<uint32_t>(view.Size()), generator);
    for (std::size_t i = 0; i < targets.size(); ++i)
    {
        const std::size_t from = permutation[i / own->outputs];
        own->targets[i] = targets[from * own->outputs + i % own->outputs];
    }
    UseOwnSamples(view, own);
}

SemiSupervisedViews
SplitLabeled(const DataView& view, double fraction, uint64_t seed)
{
    CheckArgument(
        fraction >= 0 && fraction <= 1 && view.labels.size() == view.Size(),
        "fraction {} of {} samples with {} labels, allowed are 0 to 1 of as many samples as labels",
        fraction,
        view.Size(),
        view.labels.size());
    std::map<int64_t, std::size_t> left;
    for (int64_t label : view.labels)
    {
        ++left[label];
    }
    for (auto& [label, count] : left)
    {
        const double kept = std::floor(fraction * static_cast<double>(count));
        count = fraction > 0 ? static_cast<std::size_t>(std::max(kept, 1.0)) : 0;
    }
    RandomGenerator generator(seed);
    std::vector<bool> labeled(view.Size(), false);
    for (uint32_t position : DrawPermutation(static_cast<uint32_t>(view.Size()), generator))
    {
        std::size_t& count = left[view.labels[position]];
        labeled[position] = count > 0;
        count -= count > 0 ? 1 : 0;
    }
    SemiSupervisedViews views;
    views.labeled.data = views.unlabeled.data = view.data;
    views.labeled.transform = views.unlabeled.transform = view.transform;
    views.isLabeled = labeled;
    for (std::size_t i = 0; i < view.Size(); ++i)
    {
        (labeled[i] ? views.labeled : views.unlabeled).indices.push_back(view.indices[i]);
        if (labeled[i])
        {
            views.labeled.labels.push_back(view.labels[i]);
        }
    }
    return views;
}

} // namespace ns3::collab
