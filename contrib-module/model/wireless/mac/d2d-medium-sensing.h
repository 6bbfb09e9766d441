/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MEDIUM_SENSING_H
#define D2D_MEDIUM_SENSING_H

#include <cstdint>

namespace ns3::collab
{

class D2dPhy;

/// @ingroup collab-wireless
/// @brief What a device hears of others while it waits for the medium, and that its radio listens
/// for it.
class D2dMediumSensing
{
  public:
    /// @brief A burst begins that the device defers to.
    void Defer();
    /// @brief Such a burst is over.
    void Resume();
    /// @return whether there is one
    bool IsDeferring() const;
    /// @param phy the device's radio
    /// @param senses whether it listens from now on; the same as before changes nothing
    void Listen(D2dPhy& phy, bool senses);

  private:
    uint32_t m_deferring = 0; //!< bursts that it defers to
    bool m_listens = false;   //!< whether the radio listens
    uint64_t m_epoch = 0;     //!< the radio's epoch since when it does
};

} // namespace ns3::collab

#endif /* D2D_MEDIUM_SENSING_H */
