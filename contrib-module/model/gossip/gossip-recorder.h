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

#include <vector>

namespace ns3
{
namespace collab
{

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
    /**
     * @param store where to write; must live as long as this recorder
     * @param applications the devices' GossipApplications
     */
    GossipRecorder(TableStore& store, const ApplicationContainer& applications);

    GossipRecorder(const GossipRecorder&) = delete;
    GossipRecorder& operator=(const GossipRecorder&) = delete;

    /// @return the tables exchanges and pairs
    static std::vector<TableDescription> DescribeTables();

  private:
    /// @param exchange of a device
    void HandleExchange(const GossipExchange& exchange);
    /// @param record pairs of a coordinator
    void HandlePairs(const GossipPairsRecord& record);

    Table& m_exchanges; //!< the table exchanges
    Table& m_pairs;     //!< the table pairs
};

} // namespace collab
} // namespace ns3

#endif /* GOSSIP_RECORDER_H */
