/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-run-recorder.h"

#include "collab-changed-attributes.h"
#include "collab-run-radios.h"

#include "ns3/abort.h"
#include "ns3/channel-list.h"
#include "ns3/d2d-channel.h"
#include "ns3/energy-source-container.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("CollabRunRecorder");

namespace
{

/**
 * @param metrics metrics of the algorithm
 * @return the table rounds
 */
TableDescription
DescribeRounds(const std::vector<Metric>& metrics)
{
    TableDescription rounds = {"rounds",
                               "a round that a device has ended",
                               {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
                                {"device", ColumnType::INTEGER, "", "the device"},
                                {"start_s", ColumnType::REAL, "s", "when the device began it"},
                                {"end_s", ColumnType::REAL, "s", "when the device ended it"}}};
    for (const auto& metric : metrics)
    {
        rounds.columns.push_back({metric.name, ColumnType::REAL, metric.unit, metric.meaning});
    }
    rounds.columns.push_back(
        {"energy_j", ColumnType::REAL, "J", "energy that the device has spent up to then"});
    rounds.columns.push_back(
        {"bytes_sent", ColumnType::INTEGER, "B", "what the device has sent up to then"});
    return rounds;
}

/// @return the table latency
TableDescription
DescribeLatency()
{
    return {"latency",
            "a phase of a device's round that has ended",
            {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
             {"device", ColumnType::INTEGER, "", "the device"},
             {"phase", ColumnType::TEXT, "", "what it did"},
             {"start_s", ColumnType::REAL, "s", "when the phase began"},
             {"end_s", ColumnType::REAL, "s", "when it ended"}}};
}

/// @return the table energy
TableDescription
DescribeEnergy()
{
    TableDescription energy = {
        "energy",
        "the account of a device at the end of its round, when it went off, and when the run ended",
        {{"round",
          ColumnType::INTEGER,
          "",
          "number of the round, from 0; of the last row, how many the device has ended"},
         {"device", ColumnType::INTEGER, "", "the device"},
         {"time_s", ColumnType::REAL, "s", "when the account was taken"}}};
    for (std::size_t i = 0; i < ENERGY_KIND_COUNT; ++i)
    {
        const auto kind = static_cast<EnergyKind>(i);
        energy.columns.push_back({ToString(kind) + "_j",
                                  ColumnType::REAL,
                                  "J",
                                  "spent up to then while: " + GetMeaning(kind)});
    }
    energy.columns.push_back(
        {"bytes_sent", ColumnType::INTEGER, "B", "what the device has sent up to then"});
    energy.columns.push_back(
        {"source_j", ColumnType::REAL, "J", "what the energy source has given up to then"});
    energy.columns.push_back(
        {"remaining_j", ColumnType::REAL, "J", "what the energy source has left"});
    return energy;
}

/// @return the table messages
TableDescription
DescribeMessages()
{
    return {
        "messages",
        "a message and one device that it was meant for",
        {{"queued_s", ColumnType::REAL, "s", "when the protocol sent it"},
         {"start_s", ColumnType::REAL, "s", "when its first fragment went on air"},
         {"end_s", ColumnType::REAL, "s", "when it was received whole or given up"},
         {"sender", ColumnType::INTEGER, "", "device that sent it"},
         {"receiver", ColumnType::INTEGER, "", "device that it was meant for"},
         {"kind", ColumnType::TEXT, "", "what the protocol calls it"},
         {"round", ColumnType::INTEGER, "", "round of its sender"},
         {"sequence", ColumnType::INTEGER, "", "number at its sender"},
         {"bytes", ColumnType::INTEGER, "B", "size, header and payload"},
         {"fragments", ColumnType::INTEGER, "", "parts in which it was sent"},
         {"lost_fragments", ColumnType::INTEGER, "", "parts that never reached this receiver"},
         {"attempts", ColumnType::INTEGER, "", "transmissions of parts, for all receivers"},
         {"airtime_s", ColumnType::REAL, "s", "time on air of its sender, for all receivers"},
         {"delivered", ColumnType::INTEGER, "", "1 if the receiver got it or any unit of it, or 0"},
         {"reason", ColumnType::TEXT, "", "why not, or not all of it; empty if it got all"}}};
}

/**
 * @param applications applications of the devices
 * @return how long they wait in a round for messages; nothing if their algorithm does not say
 */
std::optional<Time>
FindRoundDeadline(const ApplicationContainer& applications)
{
    TimeValue deadline;
    if (applications.GetN() > 0 &&
        applications.Get(0)->GetAttributeFailSafe("RoundDeadline", deadline))
    {
        return deadline.Get();
    }
    return std::nullopt;
}

/**
 * @param applications applications of the devices, when the run is over
 * @return a line that says whose models are not finite, and since when; empty if all are
 */
std::string
FindDiverged(const ApplicationContainer& applications)
{
    std::map<uint32_t, std::set<uint32_t>> devices; // by round
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        const auto application = DynamicCast<CollaborationApplication>(*it);
        if (const auto since = application->GetDivergedSince())
        {
            devices[*since].insert(application->GetDeviceId());
        }
    }
    std::vector<std::string> groups;
    for (const auto& [since, ids] : devices)
    {
        groups.push_back(fmt::format("{} {} since round {}",
                                     ids.size() == 1 ? "device" : "devices",
                                     WriteRanges(ids),
                                     since));
    }
    return groups.empty()
               ? ""
               : fmt::format("warning: training has diverged, models are not finite: {}; "
                             "a smaller learning rate may help\n",
                             fmt::join(groups, ", "));
}

} // namespace

std::vector<std::string>
FindRunHints()
{
    std::vector<std::string> all = FindIdleAttributes();
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
    {
        if (const auto channel = DynamicCast<D2dChannel>(ChannelList::GetChannel(i)))
        {
            for (const std::string& hint : channel->FindHints())
            {
                if (std::find(all.begin(), all.end(), hint) == all.end())
                {
                    all.push_back(hint);
                }
            }
        }
    }
    return all;
}

RunRecorder::RunRecorder(TableStore& store, const ApplicationContainer& applications)
    : m_store(store),
      m_applications(applications),
      m_summary(applications.GetN(), FindRoundDeadline(applications))
{
    if (applications.GetN() > 0)
    {
        m_metrics = DynamicCast<CollaborationApplication>(applications.Get(0))->GetRoundMetrics();
    }
    Table** const tables[] = {&m_rounds, &m_latency, &m_energy, &m_messages};
    const auto descriptions = DescribeTables(m_metrics);
    for (std::size_t i = 0; i < descriptions.size(); ++i)
    {
        *tables[i] = &store.Add(descriptions[i]);
    }
    m_left = applications.GetN();
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
        application->TraceConnectWithoutContext("Resume",
                                                MakeCallback(&RunRecorder::HandleResume, this));
        AddSender(device.transport);
    }
}

void
RunRecorder::AddSender(Ptr<Transport> transport)
{
    m_senders.push_back(transport);
    transport->TraceConnectWithoutContext("Outcome",
                                          MakeCallback(&RunRecorder::HandleOutcome, this));
}

std::vector<TableDescription>
RunRecorder::DescribeTables(const std::vector<Metric>& metrics)
{
    return {DescribeRounds(metrics), DescribeLatency(), DescribeEnergy(), DescribeMessages()};
}

void
RunRecorder::HandleRound(const RoundRecord& record)
{
    const Device& device = m_devices.at(record.device);
    *m_rounds << record.round << record.device << record.start << record.end;
    double expected = 0;
    double heard = 0;
    double refused = 0;
    for (std::size_t i = 0; i < record.metrics.size(); ++i)
    {
        const auto& [name, value] = record.metrics[i];
        NS_ABORT_MSG_IF(i == m_metrics.size() || name != m_metrics[i].name,
                        "device " << record.device << " measured " << name
                                  << ", which is not next in what GetRoundMetrics() lists");
        *m_rounds << value;
        expected = name == "messages_expected" ? value : expected;
        heard = name == "messages_heard" ? value : heard;
        refused = name == "messages_refused" ? value : refused;
    }
    m_summary.AddRound(expected, heard, refused);
    const double joules = device.energy ? GetTotal(device.energy->GetEnergyByKindJ()) : 0.0;
    *m_rounds << joules << device.transport->GetBytesSent();
    m_rounds->EndRow();
    WriteEnergy(record.device, record.round);
    m_round[record.device] = record.round + 1;
    ++m_unsafe;
    if (m_unsafe >= m_left)
    {
        Flush();
    }
}

void
RunRecorder::WriteEnergy(uint32_t id, uint32_t round)
{
    const Device& device = m_devices.at(id);
    if (!device.energy)
    {
        return;
    }
    // Before the row begins: asking brings the source up to date, which may end the device, whose
    // last row is then written
    const double lossJ = device.energy->GetSourceLossJ();
    const double remainingJ = device.energy->GetRemainingJ();
    *m_energy << round << id << Simulator::Now();
    for (const double joules : device.energy->GetEnergyByKindJ())
    {
        *m_energy << joules;
    }
    *m_energy << device.transport->GetBytesSent() << lossJ << remainingJ;
    m_energy->EndRow();
}

void
RunRecorder::AddPhases(const ApplicationContainer& applications)
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->TraceConnectWithoutContext("Phase", MakeCallback(&RunRecorder::HandlePhase, this));
    }
}

void
RunRecorder::SetDeadline(Time wait, const std::string& name)
{
    m_summary.SetDeadline(wait, name);
}

void
RunRecorder::SetAwaited(std::function<bool(uint32_t, uint32_t)> awaits)
{
    m_summary.SetAwaited(std::move(awaits));
}

void
RunRecorder::HandlePhase(const PhaseRecord& record)
{
    *m_latency << record.round << record.device << record.phase << record.start << record.end;
    m_latency->EndRow();
}

void
RunRecorder::HandleOutcome(const MessageOutcome& outcome)
{
    *m_messages << outcome.queued << outcome.start << outcome.end << outcome.sender
                << outcome.receiver << outcome.kindName << outcome.round << outcome.sequence
                << outcome.bytes << outcome.fragments << outcome.lostFragments << outcome.attempts
                << outcome.airtime << static_cast<uint32_t>(outcome.delivered) << outcome.reason;
    m_messages->EndRow();
    m_summary.Add(outcome);
}

void
RunRecorder::HandleEnd(uint32_t device, bool finished)
{
    --m_left;
    if (!finished)
    {
        WriteEnergy(device, m_round[device]);
        Flush();
    }
}

void
RunRecorder::HandleResume(uint32_t)
{
    ++m_left;
}

void
RunRecorder::Finish(std::ostream* output)
{
    NS_LOG_FUNCTION(this);
    for (const auto& sender : m_senders)
    {
        sender->EndRun();
    }
    for (const auto& [id, device] :
         m_devices) // who has ended may still have sent, and has listened
    {
        WriteEnergy(id, m_round[id]);
    }
    Flush();
    if (output)
    {
        m_summary.Print(*output);
        *output << FindDiverged(m_applications);
        for (const std::string& hint : FindRunHints())
        {
            *output << "hint: " << hint << "\n";
        }
        *output << std::flush;
    }
}

void
RunRecorder::Flush()
{
    NS_LOG_FUNCTION(this);
    m_store.Flush();
    m_unsafe = 0;
}

} // namespace collab
} // namespace ns3
