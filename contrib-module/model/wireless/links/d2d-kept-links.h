/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_KEPT_LINKS_H
#define D2D_KEPT_LINKS_H

#include "ns3/d2d-audience.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-link.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Links that were found before, by their sender.
 *
 * No more are kept than a budget allows: beyond it those are forgotten that were asked for least
 * recently.
 */
class D2dKeptLinks
{
  public:
    /// Links of a device that were found before
    struct Kept
    {
        uint64_t version =
            0; //!< of the topology when links were found; 0 if they are not to be kept
        uint64_t changes = 0;  //!< changes of it when they were put right
        uint64_t used = 0;     //!< how often links had been asked for before they were
        std::size_t probe = 0; //!< which of the links is to be computed anew at the next use
        std::shared_ptr<const D2dAudience> audience; //!< the links
    };

    /// Links of a device
    struct OfDevice
    {
        Kept inRange;   //!< links to devices in range
        D2dGroup group; //!< the group that it addressed last
        Kept toGroup;   //!< links to the devices of this group
    };

    /// @param budget greatest number of links that are kept; read whenever it matters
    explicit D2dKeptLinks(const uint64_t& budget);

    /// @brief One more device has joined.
    void AddDevice();
    /// @param device index of a device
    /// @return links of it
    OfDevice& Of(uint32_t device);
    /// @param kept what is asked for
    void Use(Kept& kept);
    /// @brief Keep links.
    /// @param kept entry to keep them in
    /// @param links what was found now
    /// @param faint see D2dAudience
    void Keep(Kept& kept, std::vector<D2dLink> links, std::vector<D2dLink> faint);

  private:
    /// @brief Forget links until fewer are kept than the budget allows.
    /// @param recent those that are in use, and are not to be forgotten
    void ForgetLeastUsed(const Kept& recent);

    const uint64_t& m_budget;        //!< greatest number of links that are kept
    std::vector<OfDevice> m_devices; //!< by index
    uint64_t m_uses = 0;             //!< how often links were asked for
    uint64_t m_links = 0;            //!< number of links that are kept
};

} // namespace ns3::collab

#endif /* D2D_KEPT_LINKS_H */
