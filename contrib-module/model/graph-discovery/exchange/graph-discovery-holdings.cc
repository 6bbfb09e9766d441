/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-holdings.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::collab
{

void
CheckAlike(const DataSet& a, const DataSet& b)
{
    CheckArgument(a.kind == b.kind && a.sampleShape == b.sampleShape && a.classes == b.classes &&
                      a.outputs == b.outputs && a.vocabulary == b.vocabulary &&
                      a.offset == b.offset && a.scale == b.scale,
                  "samples of {} and of {} are not of one kind",
                  a.name,
                  b.name);
}

DataView
MergeViews(const std::vector<DataView>& views)
{
    DataView merged;
    bool isShared = true;
    for (const auto& view : views)
    {
        CheckArgument(!view.transform, "samples with a transform cannot be merged with others");
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
    copy->userNames.clear(); // of one set, they are nobody in another
    for (const auto& view : views)
    {
        CheckAlike(*merged.data, *view.data);
        AppendSamples(*view.data, view.indices, *copy);
    }
    std::iota(merged.indices.begin(), merged.indices.end(), 0);
    merged.data = std::move(copy);
    return merged;
}

DatapointHoldings::DatapointHoldings(DataView own)
{
    CheckArgument(!own.transform, "datapoints with a transform cannot be given away");
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

const std::shared_ptr<const DataSet>&
DatapointHoldings::GetDataSet() const
{
    return m_data;
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
    CheckArgument(labels.empty() || labels.size() == m_places.size(),
                  "{} labels, expected {}",
                  labels.size(),
                  m_places.size());
    for (std::size_t i = 0; i < m_places.size(); ++i)
    {
        m_places[i].label = labels.empty() ? -1 : labels[i];
    }
}

void
DatapointHoldings::SetPartitions(std::vector<uint32_t> partitions, uint32_t count)
{
    CheckArgument(partitions.size() == m_places.size() &&
                      std::none_of(partitions.begin(),
                                   partitions.end(),
                                   [count](uint32_t l) { return l >= count; }),
                  "{} partitions, expected {} below {}",
                  partitions.size(),
                  m_places.size(),
                  count);
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
    CheckArgument(isThere, "more datapoints to be taken than there are");
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
    CheckArgument(!samples.transform, "datapoints with a transform cannot be held with others");
    for (std::size_t i = 0; i < samples.indices.size(); ++i)
    {
        m_places.push_back({samples.data,
                            samples.indices[i],
                            samples.labels.empty() ? int64_t{-1} : samples.labels[i]});
    }
}

} // namespace ns3::collab
