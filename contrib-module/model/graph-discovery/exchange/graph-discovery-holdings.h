/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_HOLDINGS_H
#define GRAPH_DISCOVERY_HOLDINGS_H

#include "ns3/collab-data-set.h"
#include "ns3/graph-discovery-label-exchange.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The datapoints of a device that gives some away and gets others.
 *
 * Each datapoint is in one place only: what is taken out is no longer there, until it is put back.
 */
class DatapointHoldings
{
  public:
    /// @param own the device's samples, without a transform
    /// @throws std::invalid_argument if there is a transform
    explicit DatapointHoldings(DataView own);

    /// @return all samples that are there, the device's own ones first, as one view; a copy of the
    /// features if they are of several data sets
    DataView GetView() const;
    /// @return the set of the device's samples in the beginning; those of others are of its kind
    const std::shared_ptr<const DataSet>& GetDataSet() const;
    /// @return number of samples
    std::size_t GetSize() const;
    /// @return number of the device's samples in the beginning
    std::size_t GetFirstSize() const;

    /// @param labels that the device believes in now, of each sample of GetView(); or none
    /// @throws std::invalid_argument if there are not as many
    void SetLabels(const std::vector<int64_t>& labels);
    /// @param partitions of each sample of GetView(), below count
    /// @param count L
    /// @throws std::invalid_argument if there are not as many, or one is out of range
    void SetPartitions(std::vector<uint32_t> partitions, uint32_t count);
    /// @return D_i: number of samples of each partition
    PartitionCounts Count() const;

    /// @brief Take samples out, of each partition those that come first.
    /// @param counts of each partition
    /// @return the samples, partition by partition
    /// @throws std::invalid_argument if there are not as many
    DataView Take(const PartitionCounts& counts);
    /// @param samples from elsewhere, or that were taken; SetPartitions() must follow before the
    /// next Count() or Take()
    void Add(DataView samples);

  private:
    /// A sample
    struct Place
    {
        std::shared_ptr<const DataSet> data; //!< where its features are
        uint32_t index = 0;                  //!< there
        int64_t label = -1;                  //!< that is believed; -1 without one
    };

    /// @param places of samples
    /// @return a view of them
    static DataView MakeView(const std::vector<Place>& places);

    std::shared_ptr<const DataSet> m_data; //!< of the first samples
    std::size_t m_firstSize = 0;           //!< number of samples in the beginning
    std::vector<Place> m_places;           //!< the samples
    std::vector<uint32_t> m_partitions;    //!< of each
    uint32_t m_count = 0;                  //!< L
};

/// @param a a data set
/// @param b another one
/// @throws std::invalid_argument if samples of both cannot be in one data set
void CheckAlike(const DataSet& a, const DataSet& b);

/// @brief Put samples that may be of several data sets into one view.
/// @param views in their order; all with labels or none; none with a transform
/// @return a view of their data set if they have the same, else of a copy of their samples
/// @throws std::invalid_argument if the data sets are not of one kind
DataView MergeViews(const std::vector<DataView>& views);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_HOLDINGS_H */
