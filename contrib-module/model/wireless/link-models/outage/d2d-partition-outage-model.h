/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PARTITION_OUTAGE_MODEL_H
#define D2D_PARTITION_OUTAGE_MODEL_H

#include "d2d-outage-model.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Another outage model, but that now and then some nodes and all others hear nothing of
/// each other: a network that falls apart in two, and heals.
class D2dPartitionOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @brief Cut some nodes off from all others.
    /// @param begin from when on
    /// @param end until when; after begin
    /// @param side the nodes, which still hear each other
    void AddPartition(Time begin, Time end, std::set<uint32_t> side);

    double GetInterferenceScale(const D2dSignal& signal) const override;

  private:
    /// A partition of the network
    struct Partition
    {
        Time begin;              //!< from when on
        Time end;                //!< until when
        std::set<uint32_t> side; //!< nodes of one side
    };

    double DoGetOutageProbability(const D2dSignal& signal) const override;
    std::optional<D2dQuality> DoGetQuality(const D2dSignal& signal) const override;
    /// @param signal a fragment at a receiver
    /// @return whether its link is cut at the present moment
    bool IsCut(const D2dSignal& signal) const;

    Ptr<D2dOutageModel> m_model;         //!< attribute OutageModel
    std::vector<Partition> m_partitions; //!< in the order of AddPartition()
};

} // namespace ns3::collab

#endif /* D2D_PARTITION_OUTAGE_MODEL_H */
