/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-recorder.h"

#include "ns3/collab-table-registry.h"

namespace ns3
{
namespace collab
{

static const TableRegistration g_tables("gossip", GossipRecorder::DescribeTables);

GossipRecorder::GossipRecorder(TableStore& store, const ApplicationContainer& applications)
    : m_exchanges(store.Add(DescribeTables()[0])),
      m_pairs(store.Add(DescribeTables()[1]))
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->TraceConnectWithoutContext("Exchange",
                                          MakeCallback(&GossipRecorder::HandleExchange, this));
        if (DynamicCast<GossipFlApplication>(*it))
        {
            (*it)->TraceConnectWithoutContext("Pairs",
                                              MakeCallback(&GossipRecorder::HandlePairs, this));
        }
    }
}

std::vector<TableDescription>
GossipRecorder::DescribeTables()
{
    return {{"exchanges",
             "a model or a part of one that a device wanted of another",
             {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
              {"device", ColumnType::INTEGER, "", "who wanted it"},
              {"peer", ColumnType::INTEGER, "", "from whom"},
              {"part",
               ColumnType::INTEGER,
               "",
               "braintorrent: version of the model; segmented: number of the segment; gossipfl: 0"},
              {"received", ColumnType::INTEGER, "", "1 if it came in time, or 0"},
              {"time_s", ColumnType::REAL, "s", "when that was known"}}},
            {"pairs",
             "a pair of devices that a coordinator of gossipfl has told",
             {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
              {"coordinator", ColumnType::INTEGER, "", "device that has matched"},
              {"first", ColumnType::INTEGER, "", "a device of the pair"},
              {"second", ColumnType::INTEGER, "", "the other one"},
              {"rate_bps",
               ColumnType::REAL,
               "bit/s",
               "rate between them, of the worse direction, as the coordinator knows it"},
              {"time_s", ColumnType::REAL, "s", "when it told the pair"}}}};
}

void
GossipRecorder::HandleExchange(const GossipExchange& exchange)
{
    m_exchanges << exchange.round << exchange.device << exchange.peer << exchange.part
                << static_cast<uint32_t>(exchange.received) << exchange.time;
    m_exchanges.EndRow();
}

void
GossipRecorder::HandlePairs(const GossipPairsRecord& record)
{
    for (std::size_t i = 0; i < record.pairs.size(); ++i)
    {
        m_pairs << record.round << record.coordinator << record.pairs[i].first
                << record.pairs[i].second << record.rates[i] << record.time;
        m_pairs.EndRow();
    }
}

} // namespace collab
} // namespace ns3
