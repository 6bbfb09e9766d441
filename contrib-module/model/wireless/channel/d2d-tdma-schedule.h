/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TDMA_SCHEDULE_H
#define D2D_TDMA_SCHEDULE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Turns of devices on a medium, in the order of their indices.
 *
 * A device whose turn comes and that has something to send holds the medium for one burst. A turn
 * for which it has nothing passes after an empty slot. Signaling is ideal: it costs nothing.
 * Between the end of a turn and the next one there is a guard time, by default none: then a turn
 * may begin while the end of the last burst is in flight.
 */
class D2dTdmaSchedule
{
  public:
    /// @param slot how long an empty slot lasts
    /// @param devices number of devices
    /// @param grant called with the index of the device whose turn it is; returns whether it sends
    D2dTdmaSchedule(Time slot, std::size_t devices, std::function<bool(uint32_t device)> grant);
    ~D2dTdmaSchedule();
    D2dTdmaSchedule(const D2dTdmaSchedule&) = delete;
    D2dTdmaSchedule& operator=(const D2dTdmaSchedule&) = delete;

    /// @param guard time between the end of a turn and the next one
    void
    SetGuard(Time guard)
    {
        m_guard = guard;
    }
    /// @brief Devices have joined; who holds the medium keeps it, and who waits goes on waiting.
    /// @param devices number of devices now
    void SetDevices(std::size_t devices);
    /// @param device index of a device that has something to send
    void Request(uint32_t device);
    /// @brief The device that held the medium is done.
    void Release();

  private:
    /// @brief Find whose turn is next, and when.
    void Plan();
    /// @param device index of the device whose turn begins
    void Grant(uint32_t device);
    /// @brief Nobody holds the medium any more.
    /// @param next which turn is next
    /// @param guard how long it waits
    void EndTurn(uint32_t next, Time guard);

    std::function<bool(uint32_t)> m_grant; //!< tells a device that it is its turn
    Time m_slot;                           //!< duration of an empty slot
    Time m_guard;                          //!< see SetGuard()
    uint32_t m_devices;                    //!< number of devices
    std::set<uint32_t> m_waiting;          //!< who has something to send
    bool m_granting = false;               //!< whether a device is being told of its turn
    bool m_held = false;                   //!< whether a device holds the medium
    uint32_t m_holder = 0;                 //!< which one
    uint32_t m_turn = 0;                   //!< whose turn it was at m_since
    Time m_since;                          //!< since when nobody holds the medium
    EventId m_event;                       //!< the next grant
};

} // namespace ns3::collab

#endif /* D2D_TDMA_SCHEDULE_H */
