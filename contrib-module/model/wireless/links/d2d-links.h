/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LINKS_H
#define D2D_LINKS_H

#include "d2d-topology.h"

#include "ns3/d2d-audience.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-link.h"
#include "ns3/d2d-question-streams.h"
#include "ns3/mac48-address.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief The links of a D2dChannel: who is on it, who hears whom, and for whom bursts are.
 *
 * Where models draw powers at random, a burst has one power at each device, by which the device
 * receives it, defers to it and is disturbed by it: that of the Draw functions. Whatever else asks
 * for links or powers gets values from random streams that no burst uses (D2dQuestionStreams), so
 * that asking changes nothing.
 */
class D2dLinks
{
  public:
    /// @param settings what the channel's attributes say; outlives the use of this
    /// @param questionStream first stream that questions draw from
    D2dLinks(const D2dChannelSettings& settings, int64_t questionStream);

    /// @return who hears whom
    D2dTopology&
    GetTopology()
    {
        return m_topology;
    }

    /// @param radio radio of a device that joins; its index is the number of those before
    /// @param address its address, which no other one has
    void Add(Ptr<D2dPhy> radio, Mac48Address address);
    /// @param address address of a device
    /// @return its radio, or null if there is none with that address
    D2dPhy* Find(Mac48Address address) const;
    /// @param node node of a device
    /// @return the radio of its device, the first one if it has several, or null if there is none
    D2dPhy* FindOfNode(uint32_t node);
    /// @param index index of a device
    /// @return its address
    Mac48Address GetAddress(uint32_t index) const;

    /// @param transmitter radio of a device
    /// @param receiver radio of another one
    /// @return mean received signal strength now [W], linear
    double GetRssW(const D2dPhy& transmitter, const D2dPhy& receiver);
    /// @param transmitter radio of a device
    /// @param receiver radio of another one
    /// @return the link between them now
    D2dLink GetLink(const D2dPhy& transmitter, const D2dPhy& receiver);
    /// @param transmitter radio of a device
    /// @return links to all devices of other nodes in range of it now, in the order in which they
    /// were added
    const std::vector<D2dLink>& GetLinks(const D2dPhy& transmitter);
    /// @param transmitter radio of a device
    /// @param burst what it has to send
    /// @return the devices that it is meant for, if it began now, in the order in which a signal
    /// reaches them; in range or not if it is for one device or for a group
    std::shared_ptr<const D2dAudience> GetAudience(const D2dPhy& transmitter,
                                                   const D2dBurst& burst);

    /// @brief The same for a burst that does begin now, or to find out whether it can: what the run
    /// itself depends on.
    /// @param transmitter radio of a device
    /// @param burst what it sends
    /// @return the devices that it is meant for, with the powers that it has there
    std::shared_ptr<const D2dAudience> DrawAudience(const D2dPhy& transmitter,
                                                    const D2dBurst& burst);
    /// @param transmitter radio of a device that has a burst on air
    /// @param receiver a device that it is meant for
    /// @return the link between them now, with the power that the burst has there from now on
    D2dLink DrawLink(const D2dPhy& transmitter, const D2dPhy& receiver);
    /// @brief Who else hears a burst that begins now.
    /// @param transmitter radio of a device
    /// @param burst what it sends
    /// @param audience what DrawAudience() gave for it
    /// @return links to all devices that hear it or are disturbed by it, by ascending index, with
    /// the powers of the audience
    std::vector<D2dLink> DrawReach(const D2dPhy& transmitter,
                                   const D2dBurst& burst,
                                   const D2dAudience& audience);
    /// @brief The same for a burst that is on air.
    /// @param transmitter radio of a device
    /// @param audience links to devices that follow the burst, with the powers that it has there
    /// @return links to all devices that hear it or are disturbed by it now
    std::vector<D2dLink> DrawReach(const D2dPhy& transmitter, const D2dAudience& audience);

    /// @return how long links of a burst that is on air hold; 0 to its end
    Time GetTimeToUpdate() const;

  private:
    /// @return as long as it lives, models are asked without touching the random numbers of the run
    D2dQuestionStreams::Question Ask();
    /// @param transmitter a device
    /// @param node node of another device
    /// @return index of that device
    uint32_t FindMember(const D2dPhy& transmitter, uint32_t node);

    const D2dChannelSettings& m_settings;          //!< what the channel's attributes say
    D2dTopology m_topology;                        //!< who hears whom
    int64_t m_questionStream;                      //!< see the constructor
    std::optional<D2dQuestionStreams> m_questions; //!< made when it is first needed
    std::vector<Ptr<D2dPhy>> m_radios;             //!< in the order of adding
    std::vector<Mac48Address> m_addresses;         //!< the same
    std::map<Mac48Address, uint32_t> m_indexOf;    //!< index by address
    std::vector<std::size_t> m_indexOfNode;        //!< the same by node; made when it is needed
    std::size_t m_knownNodes = 0;                  //!< devices that it knows, from the first on
};

} // namespace ns3::collab

#endif /* D2D_LINKS_H */
