/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-run-recorder.h"

#include "ns3/energy-source-container.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("CollabRunRecorder");

RunRecorder::RunRecorder(const RunFolder& folder, const ApplicationContainer& applications)
    : m_roundsPath(folder.GetFile("rounds.csv")),
      m_latency(folder.GetFile("latency.csv"), {"round", "device", "phase", "start_s", "end_s"}),
      m_energy(folder.GetFile("energy.csv"),
               {"round",
                "device",
                "time_s",
                "tx_j",
                "rx_j",
                "idle_j",
                "sleep_j",
                "compute_j",
                "d2s_tx_j",
                "d2s_rx_j",
                "source_j",
                "remaining_j"}),
      m_messages(folder.GetFile("messages.csv"),
                 {"queued_s",
                  "start_s",
                  "end_s",
                  "sender",
                  "receiver",
                  "kind",
                  "round",
                  "sequence",
                  "bytes",
                  "fragments",
                  "attempts",
                  "airtime_s",
                  "delivered",
                  "reason"})
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        Ptr<Application> application = *it;
        Ptr<Node> node = application->GetNode();
        Device& device = m_devices[node->GetId()];
        device.transport = node->GetObject<Transport>();
        Ptr<EnergySourceContainer> sources = node->GetObject<EnergySourceContainer>();
        if (sources && sources->GetN() > 0)
        {
            device.energy = DepletionWatch::Of(sources->Get(0));
        }
        application->TraceConnectWithoutContext("Round",
                                                MakeCallback(&RunRecorder::HandleRound, this));
        application->TraceConnectWithoutContext("Phase",
                                                MakeCallback(&RunRecorder::HandlePhase, this));
        application->TraceConnectWithoutContext("End", MakeCallback(&RunRecorder::HandleEnd, this));
        device.transport->TraceConnectWithoutContext(
            "Outcome", MakeCallback(&RunRecorder::HandleOutcome, this));
    }
}

void
RunRecorder::HandleRound(const RoundRecord& record)
{
    if (!m_rounds)
    {
        std::vector<std::string> columns = {"round", "device", "start_s", "end_s"};
        for (const auto& metric : record.metrics)
        {
            columns.push_back(metric.first);
        }
        columns.insert(columns.end(), {"energy_j", "bytes_sent"});
        m_rounds = std::make_unique<CsvFile>(m_roundsPath, columns);
    }
    const Device& device = m_devices.at(record.device);
    *m_rounds << record.round << record.device << record.start << record.end;
    for (const auto& metric : record.metrics)
    {
        *m_rounds << metric.second;
    }
    const double joules = device.energy ? GetTotal(device.energy->GetEnergyByKindJ()) : 0.0;
    *m_rounds << joules << device.transport->GetBytesSent();
    m_rounds->EndRow();
    WriteEnergy(record.device, record.round);
    m_round[record.device] = record.round + 1;
    Flush();
}

void
RunRecorder::WriteEnergy(uint32_t id, uint32_t round)
{
    const Device& device = m_devices.at(id);
    if (!device.energy)
    {
        return;
    }
    m_energy << round << id << Simulator::Now();
    for (const double joules : device.energy->GetEnergyByKindJ())
    {
        m_energy << joules;
    }
    m_energy << device.energy->GetSourceLossJ() << device.energy->GetRemainingJ();
    m_energy.EndRow();
}

void
RunRecorder::HandlePhase(const PhaseRecord& record)
{
    m_latency << record.round << record.device << record.phase << record.start << record.end;
    m_latency.EndRow();
}

void
RunRecorder::HandleOutcome(const MessageOutcome& outcome)
{
    m_messages << outcome.queued << outcome.start << outcome.end << outcome.sender
               << outcome.receiver << outcome.kindName << outcome.round << outcome.sequence
               << outcome.bytes << outcome.fragments << outcome.attempts << outcome.airtime
               << static_cast<uint32_t>(outcome.delivered) << outcome.reason;
    m_messages.EndRow();
}

void
RunRecorder::HandleEnd(uint32_t device, bool finished)
{
    if (!finished)
    {
        WriteEnergy(device, m_round[device]);
        Flush();
    }
}

void
RunRecorder::Flush()
{
    NS_LOG_FUNCTION(this);
    if (m_rounds)
    {
        m_rounds->Flush();
    }
    m_latency.Flush();
    m_energy.Flush();
    m_messages.Flush();
}

} // namespace collab
} // namespace ns3
