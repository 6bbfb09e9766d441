/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_OVERHEARERS_H
#define D2D_OVERHEARERS_H

#include "ns3/d2d-link.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

class D2dPhy;
struct D2dAudience;

/**
 * @ingroup collab-wireless
 * @brief The devices that listen to a burst for nothing, since it is for others.
 *
 * They listen as its receivers do, for as long as it lasts at its sender.
 * What they hear does not reach them: it costs energy alone.
 */
class D2dOverhearers
{
  public:
    /// @param reach links to the devices that may hear the burst
    /// @param audience those that it is meant for
    D2dOverhearers(const std::vector<D2dLink>& reach, const D2dAudience& audience);

    /// @brief The burst begins. Who is told of it may cut the burst off.
    void Begin();
    /// @brief The burst is over.
    void End();

  private:
    /// A device that listens
    struct Overhearer
    {
        Ptr<D2dPhy> radio;  //!< its radio
        bool begun = false; //!< whether it could begin to
        uint64_t epoch = 0; //!< see D2dPhy::BeginOverhearing()
    };

    std::vector<Overhearer> m_devices; //!< who listens
};

} // namespace ns3::collab

#endif /* D2D_OVERHEARERS_H */
