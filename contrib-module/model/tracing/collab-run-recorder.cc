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
#include <limits>
#include <optional>
#include <set>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabRunRecorder");

/// @ingroup collab
/// @brief A round that a device has ended, and its account then.
struct RoundRow
{
    const RoundRecord& record;          //!< the round
    const std::vector<double>& metrics; //!< of the round, as the columns are; NaN for others'
    double energyJ;                     //!< energy spent up to then [J]
    uint64_t bytesSent;                 //!< bytes sent up to then

    /// @param metrics of the algorithm
    /// @return the table rounds
    static TableColumns<RoundRow>
    GetTable(const std::vector<Metric>& metrics)
    {
        using Row = RoundRow;
        const auto of = [](auto member) {
            return [member](const Row& row) { return row.record.*member; };
        };
        Columns<Row> measured;
        for (std::size_t i = 0; i < metrics.size(); ++i)
        {
            const auto read = [i](const Row& row) { return row.metrics[i]; };
            measured.Add({metrics[i].name, metrics[i].unit, metrics[i].meaning, read});
        }
        return {
            "rounds",
            "a round that a device has ended",
            Columns<Row>{{"round", "", "number of the round, from 0", of(&RoundRecord::round)},
                         {"device", "", "the device", of(&RoundRecord::device)},
                         {"start_s", "s", "when the device began it", of(&RoundRecord::start)},
                         {"end_s", "s", "when the device ended it", of(&RoundRecord::end)}} +
                measured +
                Columns<Row>{
                    {"energy_j", "J", "energy that the device has spent up to then", &Row::energyJ},
                    {"bytes_sent", "B", "what the device has sent up to then", &Row::bytesSent}}};
    }
};

/// @ingroup collab
/// @brief The account of a device.
struct AccountRow
{
    uint32_t round;      //!< rounds that the device has ended
    uint32_t device;     //!< the device
    Time time;           //!< when the account was taken
    EnergyByKind joules; //!< spent up to then [J]
    uint64_t bytesSent;  //!< up to then
    double sourceJ;      //!< given by the source up to then [J]
    double remainingJ;   //!< left in the source [J]

    /// @return the table energy
    static TableColumns<AccountRow>
    GetTable()
    {
        using Row = AccountRow;
        return {
            "energy",
            "the account of a device at the end of its round, when it went off, and when the run "
            "ended",
            Columns<Row>{
                {"round",
                 "",
                 "number of the round, from 0; of the last row, how many the device has ended",
                 &Row::round},
                {"device", "", "the device", &Row::device},
                {"time_s", "s", "when the account was taken", &Row::time}} +
                MakeEnergyColumns("spent up to then while: ", &Row::joules) +
                Columns<Row>{
                    {"bytes_sent", "B", "what the device has sent up to then", &Row::bytesSent},
                    {"source_j", "J", "what the energy source has given up to then", &Row::sourceJ},
                    {"remaining_j", "J", "what the energy source has left", &Row::remainingJ}}};
    }
};

namespace
{

/// @return what an application measures in each round
std::vector<Metric>
GetMetricsOf(const Ptr<Application>& application)
{
    return DynamicCast<CollaborationApplication>(application)->GetRoundMetrics();
}

/// @param applications of the devices, which may run several algorithms
/// @return what any of them measures
std::vector<Metric>
FindMetrics(const ApplicationContainer& applications)
{
    std::vector<Metric> all;
    std::set<TypeId> known; // all of a type measure the same
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        if (!known.insert((*it)->GetInstanceTypeId()).second)
        {
            continue;
        }
        for (const Metric& metric : GetMetricsOf(*it))
        {
            const auto isThis = [&](const Metric& other) { return other.name == metric.name; };
            if (std::none_of(all.begin(), all.end(), isThis))
            {
                all.push_back(metric);
            }
        }
    }
    return all;
}

/// @param metrics of an algorithm
/// @param all of all algorithms
/// @return place of each among all
std::vector<std::size_t>
FindColumns(const std::vector<Metric>& metrics, const std::vector<Metric>& all)
{
    std::vector<std::size_t> columns;
    for (const Metric& metric : metrics)
    {
        const auto isThis = [&](const Metric& other) { return other.name == metric.name; };
        columns.push_back(std::find_if(all.begin(), all.end(), isThis) - all.begin());
    }
    return columns;
}

/// @param applications applications of the devices
/// @return how long they wait in a round for messages; nothing if their algorithm does not say
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

/// @param applications applications of the devices, when the run is over
/// @return a line that says whose models are not finite, and since when; empty if all are
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
    return groups.empty() ? ""
                          : fmt::format("warning: training has diverged, models are not finite: "
                                        "{}; a smaller learning rate may help\n",
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
      m_summary(applications.GetN(), FindRoundDeadline(applications)),
      m_metrics(FindMetrics(applications)),
      m_rounds(store.Add(RoundRow::GetTable(m_metrics))),
      m_latency(store.Add<PhaseRecord>()),
      m_energy(store.Add<AccountRow>()),
      m_messages(store.Add<MessageOutcome>())
{
    m_left = applications.GetN();
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        Ptr<Application> application = *it;
        Ptr<Node> node = application->GetNode();
        Device& device = m_devices[node->GetId()];
        std::vector<std::size_t>& columns = m_columns[application->GetInstanceTypeId()];
        if (columns.empty())
        {
            columns = FindColumns(GetMetricsOf(application), m_metrics);
        }
        device.columns = &columns;
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
DescribeRunTables(const std::vector<Metric>& metrics)
{
    return {RoundRow::GetTable(metrics).Describe(),
            DescribeTable<PhaseRecord>(),
            DescribeTable<AccountRow>(),
            DescribeTable<MessageOutcome>(),
            DescribeTable<PositionRow>()};
}

void
RunRecorder::HandleRound(const RoundRecord& record)
{
    const Device& device = m_devices.at(record.device);
    double expected = 0;
    double heard = 0;
    double refused = 0;
    const std::vector<std::size_t>& columns = *device.columns;
    std::vector<double> values(m_metrics.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < record.metrics.size(); ++i)
    {
        const auto& [name, value] = record.metrics[i];
        NS_ABORT_MSG_IF(i == columns.size() || name != m_metrics[columns[i]].name,
                        "device " << record.device << " measured " << name
                                  << ", which is not next in what GetRoundMetrics() lists");
        values[columns[i]] = value;
        expected = name == "messages_expected" ? value : expected;
        heard = name == "messages_heard" ? value : heard;
        refused = name == "messages_refused" ? value : refused;
    }
    NS_ABORT_MSG_IF(record.metrics.size() < columns.size(),
                    "device " << record.device << " measured " << record.metrics.size()
                              << " metrics; GetRoundMetrics() lists " << columns.size());
    m_summary.AddRound(expected, heard, refused);
    const double joules = device.energy ? GetTotal(device.energy->GetEnergyByKindJ()) : 0.0;
    m_rounds.Write({record, values, joules, device.transport->GetBytesSent()});
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
    m_energy.Write({round,
                    id,
                    Simulator::Now(),
                    device.energy->GetEnergyByKindJ(),
                    device.transport->GetBytesSent(),
                    lossJ,
                    remainingJ});
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
RunRecorder::RecordPositions(Time interval)
{
    m_positions.emplace(m_store, interval);
}

void
RunRecorder::HandlePhase(const PhaseRecord& record)
{
    m_latency.Write(record);
}

void
RunRecorder::HandleOutcome(const MessageOutcome& outcome)
{
    m_messages.Write(outcome);
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
    if (m_positions)
    {
        m_positions->Finish();
    }
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

} // namespace ns3::collab
