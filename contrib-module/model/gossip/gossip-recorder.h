/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_RECORDER_H
#define GOSSIP_RECORDER_H

#include "gossip-application.h"
#include "gossip-fl-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

struct GossipPairRow;

/**
 * @ingroup collab
 * @brief Writes what devices that learn by gossip have exchanged.
 *
 * - exchanges: one row a model or part that a device wanted;
 * - pairs: one row a pair that a coordinator of GossipFL has told.
 */
class GossipRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param applications the devices' GossipApplications
    GossipRecorder(TableStore& store, const ApplicationContainer& applications);

    GossipRecorder(const GossipRecorder&) = delete;
    GossipRecorder& operator=(const GossipRecorder&) = delete;

    /// @param names what the user calls attributes that are timeouts
    /// @return a line that says that devices gave up models or parts while peers still trained, and
    /// which timeouts were over then, one that says so of others, and one of pairs that
    /// coordinators did not know of since announcements took too long; empty of what was no more
    /// than one of a hundred
    std::string FindShortWaits(const std::map<std::string, std::string>& names) const;

  private:
    /// Models and parts that came too late
    struct Missed
    {
        uint64_t count = 0;             //!< how many
        std::set<std::string> timeouts; //!< attributes that were too short
    };

    /// @param exchange of a device
    void HandleExchange(const GossipExchange& exchange);
    /// @brief Count exchanges, and those whose time was too short, for a training that runs or
    /// else.
    /// @param exchange of a device, which has just ended
    void CountWait(const GossipExchange& exchange);
    /// @param exchange whose time is over
    /// @return how long the longest training takes for which it may have waited; 0 if there is none
    Time FindTraining(const GossipExchange& exchange) const;
    /// @param missed models and parts
    /// @param meanwhile what the peers did meanwhile
    /// @param names what the user calls attributes that are timeouts
    /// @return a line that says so; empty if they were no more than one of a hundred
    std::string Describe(const Missed& missed,
                         const std::string& meanwhile,
                         const std::map<std::string, std::string>& names) const;
    /// @param names what the user calls attributes that are times
    /// @return a line that says that coordinators told too few pairs; empty if few were lacking
    std::string FindFewPairs(const std::map<std::string, std::string>& names) const;
    /// @param record pairs of a coordinator
    void HandlePairs(const GossipPairsRecord& record);

    TableOf<GossipExchange> m_exchanges;                  //!< the table exchanges
    TableOf<GossipPairRow> m_pairs;                       //!< the table pairs
    std::map<uint32_t, Ptr<GossipApplication>> m_devices; //!< by number
    uint64_t m_wanted = 0;                                //!< models and parts
    Missed m_training;                                    //!< while a peer trained
    Missed m_others;                                      //!< while none did
    uint64_t m_told = 0;                                  //!< pairs
    uint64_t m_possible = 0;                              //!< pairs, if all links are known
};

} // namespace ns3::collab

#endif /* GOSSIP_RECORDER_H */
