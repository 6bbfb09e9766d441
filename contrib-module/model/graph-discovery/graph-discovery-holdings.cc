/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-holdings.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @tparam T of a feature, target or label
 * @param from all samples
 * @param index of a sample
 * @param size numbers of a sample
 * @param[in,out] to gets the sample appended
 */
template <typename T>
void
AppendSample(const std::vector<T>& from, uint32_t index, std::size_t size, std::vector<T>& to)
{
    if (!from.empty())
    {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(index * size);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
}

} // namespace

void
CheckAlike(const DataSet& a, const DataSet& b)
{
    if (a.kind != b.kind || a.sampleShape != b.sampleShape || a.classes != b.classes ||
        a.outputs != b.outputs || a.vocabulary != b.vocabulary || a.offset != b.offset ||
        a.scale != b.scale)
    {
        throw std::invalid_argument(
            fmt::format("samples of {} and of {} are not of one kind", a.name, b.name));
    }
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
    empty.offset = data.offset;
    empty.scale = data.scale;
    return empty;
}

DataView
MergeViews(const std::vector<DataView>& views)
{
    DataView merged;
    bool isShared = true;
    for (const auto& view : views)
    {
        if (view.transform)
        {
            throw std::invalid_argument("samples with a transform cannot be merged with others");
        }
        merged.data = merged.data ? merged.data : view.data;
        isShared = isShared && view.data == merged.data;
        merged.indices.insert(merged.indices.end(), view.indices.begin(), view.indices.end());
        merged.labels.insert(merged.labels.end(), view.labels.begin(), view.labels.end());
    }
    if (isShared)
    {
        return merged;
    }
    auto copy = std::make_shared<DataSet>(MakeEmptyLike(*merged.data));
    const std::size_t size = copy->SampleSize();
    for (const auto& view : views)
    {
        CheckAlike(*merged.data, *view.data);
        for (const uint32_t index : view.indices)
        {
            AppendSample(view.data->features, index, size, copy->features);
            AppendSample(view.data->numbers, index, size, copy->numbers);
            AppendSample(view.data->tokens, index, size, copy->tokens);
            AppendSample(view.data->labels, index, 1, copy->labels);
            AppendSample(view.data->targets, index, copy->outputs, copy->targets);
        }
    }
    for (std::size_t i = 0; i < merged.indices.size(); ++i)
    {
        merged.indices[i] = static_cast<uint32_t>(i);
    }
    merged.data = std::move(copy);
    return merged;
}

DatapointHoldings::DatapointHoldings(DataView own)
{
    if (own.transform)
    {
        throw std::invalid_argument("datapoints with a transform cannot be given away");
    }
    m_data = own.data;
    m_firstSize = own.Size();
    Add(std::move(own));
}

DataView
DatapointHoldings::MakeView(const std::vector<Place>& places)
{
    std::vector<DataView> views;
    for (const auto& place : places)
    {
        if (views.empty() || views.back().data != place.data)
        {
            views.emplace_back();
            views.back().data = place.data;
        }
        views.back().indices.push_back(place.index);
        if (place.label >= 0)
        {
            views.back().labels.push_back(place.label);
        }
    }
    return MergeViews(views);
}

DataView
DatapointHoldings::GetView() const
{
    DataView view = MakeView(m_places);
    if (!view.data)
    {
        view.data = m_data; // all is given away
    }
    return view;
}

std::size_t
DatapointHoldings::GetSize() const
{
    return m_places.size();
}

std::size_t
DatapointHoldings::GetFirstSize() const
{
    return m_firstSize;
}

void
DatapointHoldings::SetLabels(const std::vector<int64_t>& labels)
{
    if (!labels.empty() && labels.size() != m_places.size())
    {
        throw std::invalid_argument(
            fmt::format("{} labels, expected {}", labels.size(), m_places.size()));
    }
    for (std::size_t i = 0; i < m_places.size(); ++i)
    {
        m_places[i].label = labels.empty() ? -1 : labels[i];
    }
}

void
DatapointHoldings::SetPartitions(std::vector<uint32_t> partitions, uint32_t count)
{
    if (partitions.size() != m_places.size() ||
        std::any_of(
            partitions.begin(), partitions.end(), [count](uint32_t l) { return l >= count; }))
    {
        throw std::invalid_argument(fmt::format(
            "{} partitions, expected {} below {}", partitions.size(), m_places.size(), count));
    }
    m_partitions = std::move(partitions);
    m_count = count;
}

PartitionCounts
DatapointHoldings::Count() const
{
    PartitionCounts counts(m_count);
    for (const uint32_t partition : m_partitions)
    {
        ++counts[partition];
    }
    return counts;
}

DataView
DatapointHoldings::Take(const PartitionCounts& counts)
{
    const PartitionCounts held = Count();
    bool isThere = counts.size() == held.size() && m_partitions.size() == m_places.size();
    for (std::size_t l = 0; isThere && l < counts.size(); ++l)
    {
        isThere = counts[l] <= held[l];
    }
    if (!isThere)
    {
        throw std::invalid_argument("more datapoints to be taken than there are");
    }
    PartitionCounts left = counts;
    std::vector<std::vector<Place>> taken(counts.size());
    std::vector<Place> kept;
    std::vector<uint32_t> keptPartitions;
    for (std::size_t i = 0; i < m_places.size(); ++i)
    {
        const uint32_t l = m_partitions[i];
        if (left[l] > 0)
        {
            --left[l];
            taken[l].push_back(m_places[i]);
        }
        else
        {
            kept.push_back(m_places[i]);
            keptPartitions.push_back(l);
        }
    }
    m_places = std::move(kept);
    m_partitions = std::move(keptPartitions);
    std::vector<Place> all;
    for (const auto& places : taken)
    {
        all.insert(all.end(), places.begin(), places.end());
    }
    return MakeView(all);
}

void
DatapointHoldings::Add(DataView samples)
{
    if (samples.transform)
    {
        throw std::invalid_argument("datapoints with a transform cannot be held with others");
    }
    for (std::size_t i = 0; i < samples.indices.size(); ++i)
    {
        m_places.push_back({samples.data,
                            samples.indices[i],
                            samples.labels.empty() ? int64_t{-1} : samples.labels[i]});
    }
}

} // namespace collab
} // namespace ns3
