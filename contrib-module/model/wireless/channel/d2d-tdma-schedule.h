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
#include <map>
#include <set>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab-wireless
 * @brief Turns on a medium, in the order of their numbers: one for each device, or one that several
 * devices share who do not disturb each other.
 *
 * A device whose turn comes and that has something to send holds the medium for one burst; a turn
 * is over when all devices are done who hold the medium. A turn for which nobody has anything
 * passes after an empty slot. Signaling is ideal: it costs nothing. Between the end of a turn and
 * the next one there is a guard time, by default none: then a turn may begin while the end of the
 * last burst is in flight.
 */
class D2dTdmaSchedule
{
  public:
    /**
     * @param slot how long an empty slot lasts
     * @param devices number of devices, each of which has a turn of its own
     * @param grant called with the index of the device whose turn it is; returns whether it sends
     */
    D2dTdmaSchedule(Time slot, std::size_t devices, std::function<bool(uint32_t device)> grant);
    ~D2dTdmaSchedule();
    D2dTdmaSchedule(const D2dTdmaSchedule&) = delete;
    D2dTdmaSchedule& operator=(const D2dTdmaSchedule&) = delete;

    /// @param guard time between the end of a turn and the next one
    void SetGuard(Time guard);
    /**
     * @brief Devices have joined; who holds the medium keeps it, and who waits goes on waiting.
     * @param devices number of devices now, each of which has a turn of its own
     */
    void SetDevices(std::size_t devices);
    /**
     * @brief The same, with turns that devices share.
     * @param turnOf the turn of each device, from 0 on
     */
    void SetTurns(std::vector<uint32_t> turnOf);
    /// @param device index of a device that has something to send
    void Request(uint32_t device);
    /// @param device index of a device that held the medium, and is done
    void Release(uint32_t device);

  private:
    /**
     * @param turnOf the turn of each device; empty if each has its own
     * @param turns number of turns
     */
    void ChangeTurns(std::vector<uint32_t> turnOf, uint32_t turns);
    /**
     * @param device index of a device
     * @return its turn
     */
    uint32_t FindTurn(uint32_t device) const;
    /// @brief Find whose turn is next, and when.
    void Plan();
    /// @param turn the turn that begins
    void Grant(uint32_t turn);
    /**
     * @brief Nobody holds the medium any more.
     *
     * @param next which turn is next
     * @param guard how long it waits
     */
    void EndTurn(uint32_t next, Time guard);

    std::function<bool(uint32_t)> m_grant;            //!< tells a device that it is its turn
    Time m_slot;                                      //!< duration of an empty slot
    Time m_guard;                                     //!< see SetGuard()
    uint32_t m_turns;                                 //!< number of turns
    std::vector<uint32_t> m_turnOf;                   //!< by device; empty if each has its own
    std::map<uint32_t, std::set<uint32_t>> m_waiting; //!< who has something to send, by turn
    uint32_t m_holders = 0;                           //!< devices that hold the medium
    uint32_t m_present = 0;                           //!< whose turn it is while there are some
    uint32_t m_turn = 0;                              //!< whose turn it was at m_since
    Time m_since;                                     //!< since when nobody holds the medium
    EventId m_event;                                  //!< the next grant
};

} // namespace collab
} // namespace ns3

#endif /* D2D_TDMA_SCHEDULE_H */
