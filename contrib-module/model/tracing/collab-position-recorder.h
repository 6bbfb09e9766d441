/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_POSITION_RECORDER_H
#define COLLAB_POSITION_RECORDER_H

#include "ns3/collab-table-store.h"
#include "ns3/event-id.h"
#include "ns3/mobility-model.h"
#include "ns3/nstime.h"
#include "ns3/vector.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Where a device is.
struct PositionRow
{
    Time time;       //!< when
    uint32_t device; //!< number of its node
    Vector position; //!< where [m]

    /// @return the table positions
    static TableColumns<PositionRow> GetTable();
};

/**
 * @ingroup collab-tracing
 * @brief Writes where devices are while they move, in the table positions.
 *
 * A row for each node with a mobility model when the run begins, and again and again for those that
 * are elsewhere than in their last row.
 */
class PositionRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param interval time from one look at all positions to the next
    PositionRecorder(TableStore& store, Time interval);
    /// Looks no more
    ~PositionRecorder();

    PositionRecorder(const PositionRecorder&) = delete;
    PositionRecorder& operator=(const PositionRecorder&) = delete;

    /// @brief Write where nodes are when the simulator has stopped.
    void Finish();

  private:
    /// A node, and where its last row has it
    struct Device
    {
        uint32_t id;                 //!< number of the node
        Ptr<MobilityModel> mobility; //!< where it is
        Vector position;             //!< of the last row [m]
    };

    /// @param device a node that gets a row
    /// @param position where it is
    void Write(Device& device, const Vector& position);
    /// @brief Write rows of those that have moved.
    void WriteMoved();
    /// @brief Do so now, and after the interval again.
    void Look();

    TableOf<PositionRow> m_table;  //!< the table positions
    Time m_interval;               //!< from one look to the next
    std::vector<Device> m_devices; //!< by number
    EventId m_next;                //!< the next look
};

} // namespace ns3::collab

#endif /* COLLAB_POSITION_RECORDER_H */
