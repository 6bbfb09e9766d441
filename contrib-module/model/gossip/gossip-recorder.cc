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

namespace ns3::collab
{

/// @ingroup collab
/// @brief A pair of devices that a coordinator has told.
struct GossipPairRow
{
    uint32_t round;       //!< of the coordinator
    uint32_t coordinator; //!< who has matched
    GossipPair pair;      //!< the devices
    double rate;          //!< as the coordinator knows [bit/s]
    Time time;            //!< when it told the pair

    /// @return the table pairs
    static TableColumns<GossipPairRow>
    GetTable()
    {
        using Row = GossipPairRow;
        return {"pairs",
                "a pair of devices that a coordinator of gossipfl has told",
                {{"round", "", "number of the round, from 0", &Row::round},
                 {"coordinator", "", "device that has matched", &Row::coordinator},
                 {"first", "", "a device of the pair", Within(&Row::pair, &GossipPair::first)},
                 {"second", "", "the other one", Within(&Row::pair, &GossipPair::second)},
                 {"rate_bps",
                  "bit/s",
                  "rate between them, of the worse direction, as the coordinator knows it",
                  &Row::rate},
                 {"time_s", "s", "when it told the pair", &Row::time}}};
    }
};

static const TableRegistration g_tables("gossip",
                                        {DescribeTable<GossipExchange>,
                                         DescribeTable<GossipPairRow>});

GossipRecorder::GossipRecorder(TableStore& store, const ApplicationContainer& applications)
    : m_exchanges(store.Add<GossipExchange>()),
      m_pairs(store.Add<GossipPairRow>())
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

void
GossipRecorder::HandleExchange(const GossipExchange& exchange)
{
    m_exchanges.Write(exchange);
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
    const auto& peer = m_devices.at(exchange.peer);
    if (peer->GetRound() >= exchange.round)
    {
        // The device itself trains if that is why its turn passed
        return std::max(peer->GetTrainingDuration(exchange.round),
                        m_devices.at(exchange.device)->GetTrainingDuration(exchange.round));
    }
    Time longest;
    for (const auto& [number, device] : m_devices)
    {
        longest = std::max(longest, device->GetTrainingDuration(exchange.round));
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
        m_pairs.Write(
            {record.round, record.coordinator, record.pairs[i], record.rates[i], record.time});
    }
}

} // namespace ns3::collab
