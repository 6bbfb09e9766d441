/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-recorder.h"

#include "ns3/collab-table-registry.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace collab
{

static const TableRegistration g_tables("federated", FederatedRecorder::DescribeTables);

FederatedRecorder::FederatedRecorder(TableStore& store,
                                     Ptr<FederatedServerApplication> server,
                                     const ApplicationContainer& clients)
{
    const auto descriptions = DescribeTables();
    m_participation = &store.Add(descriptions[0]);
    m_server = &store.Add(descriptions[1]);
    Ptr<Node> node = server->GetNode();
    m_transport = node->GetObject<Transport>();
    Ptr<EnergySourceContainer> sources = node->GetObject<EnergySourceContainer>();
    if (sources && sources->GetN() > 0)
    {
        m_energy = DepletionWatch::Of(sources->Get(0));
    }
    server->TraceConnectWithoutContext("Participation",
                                       MakeCallback(&FederatedRecorder::HandleParticipation, this));
    server->TraceConnectWithoutContext("Late", MakeCallback(&FederatedRecorder::HandleLate, this));
    server->TraceConnectWithoutContext("Round",
                                       MakeCallback(&FederatedRecorder::HandleServerRound, this));
    for (auto it = clients.Begin(); it != clients.End(); ++it)
    {
        m_devices.push_back((*it)->GetNode()->GetId());
        (*it)->TraceConnectWithoutContext("Model",
                                          MakeCallback(&FederatedRecorder::HandleModel, this));
    }
}

FederatedRecorder::~FederatedRecorder()
{
    WriteRounds(std::numeric_limits<uint32_t>::max());
}

std::vector<TableDescription>
FederatedRecorder::DescribeTables()
{
    TableDescription server = {"server",
                               "a round that the server has ended, and its own account then",
                               {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
                                {"start_s", ColumnType::REAL, "s", "when the server began it"},
                                {"end_s", ColumnType::REAL, "s", "when the server ended it"}}};
    for (const auto& metric : CreateObject<FederatedServerApplication>()->GetRoundMetrics())
    {
        server.columns.push_back({metric.name, ColumnType::INTEGER, metric.unit, metric.meaning});
    }
    for (std::size_t i = 0; i < ENERGY_KIND_COUNT; ++i)
    {
        const auto kind = static_cast<EnergyKind>(i);
        server.columns.push_back({ToString(kind) + "_j",
                                  ColumnType::REAL,
                                  "J",
                                  "spent by the server up to then while: " + GetMeaning(kind)});
    }
    server.columns.push_back(
        {"energy_j", ColumnType::REAL, "J", "energy that the server has spent up to then"});
    server.columns.push_back(
        {"bytes_sent", ColumnType::INTEGER, "B", "what the server has sent up to then"});
    return {{"participation",
             "a device in a round that the server has ended",
             {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
              {"device", ColumnType::INTEGER, "", "the device"},
              {"sampled", ColumnType::INTEGER, "", "1 if it was drawn to take part, or 0"},
              {"received", ColumnType::INTEGER, "", "1 if it received the round's model, or 0"},
              {"uploaded", ColumnType::INTEGER, "", "1 if its update was there in time, or 0"},
              {"late",
               ColumnType::INTEGER,
               "",
               "1 if its update came after the wait, up to the end of the next round, or 0"}}},
            server};
}

void
FederatedRecorder::HandleParticipation(const ParticipationRecord& record)
{
    Round& round = m_open[record.round];
    round.record = record;
    round.ended = true;
    WriteRounds(record.round);
}

void
FederatedRecorder::HandleLate(uint32_t round, uint32_t device)
{
    const auto open = m_open.find(round);
    if (open != m_open.end())
    {
        open->second.late.insert(device);
    }
}

void
FederatedRecorder::HandleModel(uint32_t device, uint32_t round)
{
    m_open[round].received.insert(device);
}

void
FederatedRecorder::WriteRounds(uint32_t before)
{
    while (!m_open.empty() && m_open.begin()->first < before)
    {
        const auto& [number, round] = *m_open.begin();
        const auto& sampled = round.record.sampled;
        const auto& uploaded = round.record.uploaded;
        for (const uint32_t device : m_devices)
        {
            if (!round.ended)
            {
                break; // the final model, which nobody answers, or a round that was cut
            }
            *m_participation << number << device
                             << static_cast<uint32_t>(
                                    std::binary_search(sampled.begin(), sampled.end(), device))
                             << static_cast<uint32_t>(round.received.count(device))
                             << static_cast<uint32_t>(
                                    std::binary_search(uploaded.begin(), uploaded.end(), device))
                             << static_cast<uint32_t>(round.late.count(device));
            m_participation->EndRow();
        }
        m_open.erase(m_open.begin());
    }
}

void
FederatedRecorder::HandleServerRound(const RoundRecord& record)
{
    *m_server << record.round << record.start << record.end;
    for (const auto& metric : record.metrics)
    {
        *m_server << static_cast<uint32_t>(metric.second);
    }
    const EnergyByKind joules = m_energy ? m_energy->GetEnergyByKindJ() : EnergyByKind{};
    for (const double kind : joules)
    {
        *m_server << kind;
    }
    *m_server << GetTotal(joules) << m_transport->GetBytesSent();
    m_server->EndRow();
}

} // namespace collab
} // namespace ns3
