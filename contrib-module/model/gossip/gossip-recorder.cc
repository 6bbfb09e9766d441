/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-recorder.h"

#include "ns3/collab-run-summary.h"
#include "ns3/collab-table-registry.h"
#include "ns3/node.h"

#include <algorithm>
#include <fmt/format.h>

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
        m_devices[(*it)->GetNode()->GetId()] = DynamicCast<GossipApplication>(*it);
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
              {"peer",
               ColumnType::INTEGER,
               "",
               "from whom; gossipfl, without the pairs in time: the coordinator"},
              {"part",
               ColumnType::INTEGER,
               "",
               "braintorrent: version of the model, 0 if it was not told; segmented: number of the "
               "segment; gossipfl: 0"},
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
    CountWait(exchange);
}

void
GossipRecorder::CountWait(const GossipExchange& exchange)
{
    constexpr int64_t ROUNDS = 10; // of training, which a wait is long for
    ++m_wanted;
    if (exchange.timeout.empty())
    {
        return;
    }
    TimeValue timeout;
    m_devices.at(exchange.device)->GetAttribute(exchange.timeout, timeout);
    Missed& missed = FindTraining(exchange) * ROUNDS > timeout.Get() ? m_training : m_others;
    ++missed.count;
    missed.timeouts.insert(exchange.timeout);
}

Time
GossipRecorder::FindTraining(const GossipExchange& exchange) const
{
    // A peer that is behind may itself have waited, for anybody
    const bool isBehind = m_devices.at(exchange.peer)->GetRound() < exchange.round;
    Time longest;
    for (const auto& [number, device] : m_devices)
    {
        // The device itself trains if that is why its turn passed
        if (isBehind || number == exchange.peer || number == exchange.device)
        {
            longest = std::max(longest, device->GetTrainingDuration(exchange.round));
        }
    }
    return longest;
}

std::string
GossipRecorder::FindShortWaits(const std::map<std::string, std::string>& names) const
{
    return Describe(m_training, "while some still trained", names) +
           Describe(m_others, "that had trained, or were gone", names) + FindFewPairs(names);
}

std::string
GossipRecorder::FindFewPairs(const std::map<std::string, std::string>& names) const
{
    if (!AreMany(static_cast<double>(m_possible - m_told), static_cast<double>(m_possible)))
    {
        return "";
    }
    TimeValue time;
    m_devices.begin()->second->GetAttribute("AnnounceTime", time);
    return fmt::format("warning: coordinators told {} pairs of {}, and who was left over trained "
                       "alone: they knew of too few links when they matched ({} {:g} s)\n",
                       m_told,
                       m_possible,
                       names.at("AnnounceTime"),
                       time.Get().GetSeconds());
}

std::string
GossipRecorder::Describe(const Missed& missed,
                         const std::string& meanwhile,
                         const std::map<std::string, std::string>& names) const
{
    if (!AreMany(static_cast<double>(missed.count), static_cast<double>(m_wanted)))
    {
        return "";
    }
    std::string timeouts;
    for (const auto& attribute : missed.timeouts)
    {
        TimeValue timeout;
        m_devices.begin()->second->GetAttribute(attribute, timeout);
        timeouts += fmt::format("{}{} {:g} s",
                                timeouts.empty() ? "" : ", ",
                                names.at(attribute),
                                timeout.Get().GetSeconds());
    }
    return fmt::format("warning: devices stopped waiting for peers {}, {} times of {}: these "
                       "exchanges are missing ({})\n",
                       meanwhile,
                       missed.count,
                       m_wanted,
                       timeouts);
}

void
GossipRecorder::HandlePairs(const GossipPairsRecord& record)
{
    m_told += record.pairs.size();
    m_possible += m_devices.size() / 2;
    for (std::size_t i = 0; i < record.pairs.size(); ++i)
    {
        m_pairs << record.round << record.coordinator << record.pairs[i].first
                << record.pairs[i].second << record.rates[i] << record.time;
        m_pairs.EndRow();
    }
}

} // namespace collab
} // namespace ns3
