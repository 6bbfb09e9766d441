/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SUBCHANNELS_H
#define D2D_SUBCHANNELS_H

#include "d2d-interference.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief The signals on the subchannels of a medium that is shared by all devices.
 *
 * Signals on one subchannel disturb each other as D2dInterference says; a receiver has a lock on
 * each of them. Those on another one do not, but for what leaks into the subchannels beside their
 * own. A medium that is not divided is one with a single subchannel.
 */
class D2dSubchannels
{
  public:
    /// @brief Set what devices do whom overlapping fragments on one subchannel are meant for.
    /// @param locking burst to which a receiver of several is locked
    /// @param captureRatio how many times the power of the other one it takes to capture a device
    void SetLocking(D2dLocking locking, double captureRatio);
    /// @param count number of subchannels
    /// @param leakage part of a signal's power that is received on each of the two beside its own;
    /// 0 for none
    void SetDivision(uint32_t count, double leakage);
    /// @brief A fragment begins, or a row of them.
    /// @param subchannel what it is on, less than their number
    /// @param reach where it is heard
    /// @param receptions the devices that it is meant for, and that listen
    /// @param airtime how long it will last, if it is not cut off
    /// @param fragments number of fragments in a row, of equal airtimes; 0 if it is no row
    /// @param elapsed for how long it has been on air, see D2dInterference::Begin()
    /// @return number of the signal on this subchannel, not 0
    uint64_t Begin(uint32_t subchannel,
                   const std::vector<D2dReach>& reach,
                   const std::vector<D2dReception>& receptions,
                   Time airtime,
                   uint32_t fragments = 0,
                   Time elapsed = Time());
    /**
     * @brief Find what is on air on a subchannel.
     *
     * What leaks into it is there as well. So who watches its own subchannel is told of all who
     * disturb it, or whom it disturbs: these are heard by the same devices.
     *
     * @param subchannel its number
     * @return what is on air there
     */
    D2dInterference& Find(uint32_t subchannel);
    /// @param subchannel its number
    /// @param devices indices of devices
    /// @return whether nothing is on air there at any of them, and nobody watches one, there or on
    /// a subchannel that leaks into this one
    bool IsQuiet(uint32_t subchannel, const std::vector<uint32_t>& devices);
    /// @brief A signal ends.
    /// @param subchannel what it was on
    /// @param signal its number there
    /// @return see D2dInterference::End()
    std::vector<std::optional<D2dDisturbance>> End(uint32_t subchannel, uint64_t signal);

  private:
    /// A subchannel, and the number of a signal on it
    using Place = std::pair<uint32_t, uint64_t>;

    /// @param subchannel its number
    /// @return those that leak into it, and it into them
    std::vector<uint32_t> FindBeside(uint32_t subchannel) const;

    D2dLocking m_locking = D2dLocking::NONE;      //!< see SetLocking()
    double m_captureRatio = 1;                    //!< see SetLocking()
    uint32_t m_count = 1;                         //!< number of subchannels
    double m_leakage = 0;                         //!< see SetDivision()
    std::deque<D2dInterference> m_interference;   //!< signals, by subchannel
    std::map<Place, std::vector<Place>> m_leaked; //!< what leaks of signals, by signal
};

} // namespace ns3::collab

#endif /* D2D_SUBCHANNELS_H */
