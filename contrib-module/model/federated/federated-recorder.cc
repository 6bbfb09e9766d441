/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-recorder.h"

#include "federated-synchronous-server-application.h"

#include "ns3/collab-processor.h"
#include "ns3/collab-run-summary.h"
#include "ns3/collab-table-registry.h"
#include "ns3/energy-source-container.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <numeric>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A device in a round that the server has ended.
struct ParticipationRow
{
    uint32_t round;    //!< the round
    uint32_t device;   //!< the device
    bool sampled;      //!< whether it was to take part
    bool received;     //!< whether it has received the model
    uint32_t uploaded; //!< updates that were in time
    bool late;         //!< whether an update was not
    double staleness;  //!< of the updates, mean; NaN without

    /// @return the table participation
    static TableColumns<ParticipationRow>
    GetTable()
    {
        using Row = ParticipationRow;
        return {"participation",
                "a device in a round that the server has ended",
                {{"round", "", "number of the round, from 0", &Row::round},
                 {"device", "", "the device", &Row::device},
                 {"sampled", "", "1 if it was drawn to take part, or 0", &Row::sampled},
                 {"received", "", "1 if it received the round's model, or 0", &Row::received},
                 {"uploaded",
                  "",
                  "1 if its update was there in time, or 0; in FedBuff how many of its updates are "
                  "in the server's step that ended the round",
                  &Row::uploaded},
                 {"late",
                  "",
                  "1 if its update came after the wait, up to the end of the next round, or 0; in "
                  "FedBuff up to RoundDeadline later, and it counts all the same",
                  &Row::late},
                 {"staleness",
                  "",
                  "steps of the server since the models that these updates started from, mean; NaN "
                  "if there are none",
                  &Row::staleness}}};
    }
};

/// @ingroup collab
/// @brief A round that the server has ended, and its own account then.
struct ServerRow
{
    const RoundRecord& record; //!< the round
    EnergyByKind joules;       //!< spent up to then [J]
    uint64_t bytesSent;        //!< up to then

    /// @return columns of what the server measures
    static Columns<ServerRow> GetMetricColumns();

    /// @return the table server
    static TableColumns<ServerRow>
    GetTable()
    {
        using Row = ServerRow;
        const auto round = [](const Row& row) { return row.record.round; };
        const auto start = [](const Row& row) { return row.record.start; };
        const auto end = [](const Row& row) { return row.record.end; };
        const auto total = [](const Row& row) { return GetTotal(row.joules); };
        return {
            "server",
            "a round that the server has ended, and its own account then",
            Columns<Row>{{"round", "", "number of the round, from 0", round},
                         {"start_s", "s", "when the server began it", start},
                         {"end_s", "s", "when the server ended it", end}} +
                GetMetricColumns() +
                MakeEnergyColumns("spent by the server up to then while: ", &Row::joules) +
                Columns<Row>{
                    {"energy_j", "J", "energy that the server has spent up to then", total},
                    {"bytes_sent", "B", "what the server has sent up to then", &Row::bytesSent}}};
    }
};

Columns<ServerRow>
ServerRow::GetMetricColumns()
{
    Columns<ServerRow> columns;
    std::size_t i = 0;
    for (const auto& [name, unit, meaning] :
         CreateObject<FederatedSynchronousServerApplication>()->GetRoundMetrics())
    {
        const auto value = [i](const ServerRow& row) { return row.record.metrics[i].second; };
        const auto whole = [value](const ServerRow& row) {
            return static_cast<uint32_t>(value(row));
        };
        columns.Add(name == FederatedServerApplication::STALENESS
                        ? Column<ServerRow>(name, unit, meaning, value)
                        : Column<ServerRow>(name, unit, meaning, whole));
        ++i;
    }
    return columns;
}

static const TableRegistration g_tables("federated",
                                        {DescribeTable<ParticipationRow>,
                                         DescribeTable<ServerRow>});

namespace
{

/// @param device number of a device
/// @return whether it computes
bool
IsTraining(uint32_t device)
{
    const auto processor = NodeList::GetNode(device)->GetObject<Processor>();
    return processor->IsOn() && processor->IsBusy();
}

} // namespace

FederatedRecorder::FederatedRecorder(TableStore& store,
                                     Ptr<FederatedServerApplication> server,
                                     const ApplicationContainer& clients)
    : m_participation(store.Add<ParticipationRow>()),
      m_server(store.Add<ServerRow>())
{
    m_application = server;
    Ptr<Node> node = server->GetNode();
    m_transport = node->GetObject<Transport>();
    Ptr<EnergySourceContainer> sources = node->GetObject<EnergySourceContainer>();
    if (sources && sources->GetN() > 0)
    {
        m_energy = DepletionWatch::Of(sources->Get(0));
    }
    server->TraceConnectWithoutContext("Participation",
                                       MakeCallback(&FederatedRecorder::HandleParticipation, this));
    m_transport->TraceConnectWithoutContext("Reject",
                                            MakeCallback(&FederatedRecorder::HandleReject, this));
    server->TraceConnectWithoutContext("Late", MakeCallback(&FederatedRecorder::HandleLate, this));
    server->TraceConnectWithoutContext("Round",
                                       MakeCallback(&FederatedRecorder::HandleServerRound, this));
    m_answers = DynamicCast<FederatedSynchronousServerApplication>(server) != nullptr;
    for (auto it = clients.Begin(); it != clients.End(); ++it)
    {
        m_devices.push_back((*it)->GetNode()->GetId());
        (*it)->TraceConnectWithoutContext("Model",
                                          MakeCallback(&FederatedRecorder::HandleModel, this));
        if (DynamicCast<SemiDecentralizedClientApplication>(*it))
        {
            m_member = *it;
            m_member->TraceConnectWithoutContext(
                "Exchange", MakeCallback(&FederatedRecorder::HandleExchange, this));
        }
    }
}

FederatedRecorder::~FederatedRecorder()
{
    WriteRounds(std::numeric_limits<uint32_t>::max(), Time::Max());
}

void
FederatedRecorder::HandleParticipation(const ParticipationRecord& record)
{
    Round& round = m_open[record.round];
    round.record = record;
    round.ended = true;
    round.end = Simulator::Now();
    m_uploaded += record.uploaded.size();
    m_sampled.insert(record.sampled.begin(), record.sampled.end());
    m_used.insert(record.uploaded.begin(), record.uploaded.end());
    if (m_answers)
    {
        CountTraining(round);
    }
    WriteRounds(record.round, Simulator::Now() - m_application->GetAftermath());
}

void
FederatedRecorder::CountTraining(const Round& round)
{
    for (const uint32_t device : round.record.sampled)
    {
        if (round.received.count(device) > 0)
        {
            ++m_asked;
            m_training += IsTraining(device) ? 1 : 0;
        }
    }
}

void
FederatedRecorder::HandleExchange(const FederatedSetExchange& exchange)
{
    m_wanted += exchange.peers;
    m_untrained += static_cast<uint64_t>(
        std::count_if(exchange.missing.begin(), exchange.missing.end(), IsTraining));
}

std::string
FederatedRecorder::FindShortWaits() const
{
    return FindShortRounds() + FindShortExchanges() + FindUnused() + FindNeverUsed();
}

std::string
FederatedRecorder::FindNeverUsed() const
{
    constexpr std::size_t MOST_NAMES = 10;
    std::vector<uint32_t> never;
    std::set_difference(m_sampled.begin(),
                        m_sampled.end(),
                        m_used.begin(),
                        m_used.end(),
                        std::back_inserter(never));
    const std::size_t count = never.size();
    if (m_uploaded == 0 ||
        !AreMany(static_cast<double>(count), static_cast<double>(m_sampled.size())))
    {
        return "";
    }
    never.resize(std::min(count, MOST_NAMES));
    TimeValue deadline;
    m_application->GetAttribute("RoundDeadline", deadline);
    return fmt::format("warning: of {} devices that the server has asked it has used no update of "
                       "{} in any round: {}{} (RoundDeadline {:g} s)\n",
                       m_sampled.size(),
                       count,
                       fmt::join(never, ", "),
                       count > MOST_NAMES ? ", ..." : "",
                       deadline.Get().GetSeconds());
}

std::string
FederatedRecorder::FindUnused() const
{
    if (m_uploaded > 0)
    {
        return "";
    }
    TimeValue deadline;
    m_application->GetAttribute("RoundDeadline", deadline);
    const std::string refused =
        m_refused > 0 ? fmt::format("it has refused {}, the last one for {}", m_refused, m_reason)
                      : fmt::format("none was there in time (RoundDeadline {:g} s)",
                                    deadline.Get().GetSeconds());
    return fmt::format("warning: the server has used no update of any device: {}\n", refused);
}

void
FederatedRecorder::HandleReject(uint32_t, const std::string& reason)
{
    ++m_refused;
    m_reason = reason;
}

std::string
FederatedRecorder::FindShortExchanges() const
{
    if (!AreMany(static_cast<double>(m_untrained), static_cast<double>(m_wanted)))
    {
        return "";
    }
    TimeValue deadline;
    m_member->GetAttribute("ConsensusDeadline", deadline);
    return fmt::format("warning: exchanges within sets ended while devices still trained, {} times "
                       "of {}: others did not average their models (ConsensusDeadline {:g} s)\n",
                       m_untrained,
                       m_wanted,
                       deadline.Get().GetSeconds());
}

std::string
FederatedRecorder::FindShortRounds() const
{
    if (!AreMany(static_cast<double>(m_training), static_cast<double>(m_asked)))
    {
        return "";
    }
    TimeValue deadline;
    m_application->GetAttribute("RoundDeadline", deadline);
    return fmt::format("warning: rounds ended while devices still trained, {} times of {}: what "
                       "these learned is not in the server's model (RoundDeadline {:g} s)\n",
                       m_training,
                       m_asked,
                       deadline.Get().GetSeconds());
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
FederatedRecorder::WriteRounds(uint32_t before, Time latest)
{
    while (!m_open.empty() && m_open.begin()->first < before)
    {
        const Round& round = m_open.begin()->second;
        if (round.ended && round.end > latest)
        {
            return; // devices may still receive its model
        }
        for (const uint32_t device : m_devices)
        {
            if (!round.ended)
            {
                break; // the final model, which nobody answers, or a round that was cut
            }
            WriteRow(round, device);
        }
        m_open.erase(m_open.begin());
    }
}

void
FederatedRecorder::WriteRow(const Round& round, uint32_t device)
{
    const ParticipationRecord& record = round.record;
    const auto [first, last] =
        std::equal_range(record.uploaded.begin(), record.uploaded.end(), device);
    const auto uploads = static_cast<uint32_t>(last - first);
    const auto* staleness = record.staleness.data() + (first - record.uploaded.begin());
    const double sum = std::accumulate(staleness, staleness + uploads, 0.0);
    m_participation.Write({record.round,
                           device,
                           std::binary_search(record.sampled.begin(), record.sampled.end(), device),
                           round.received.count(device) > 0,
                           uploads,
                           round.late.count(device) > 0,
                           uploads > 0 ? sum / uploads : std::numeric_limits<double>::quiet_NaN()});
}

void
FederatedRecorder::HandleServerRound(const RoundRecord& record)
{
    const EnergyByKind joules = m_energy ? m_energy->GetEnergyByKindJ() : EnergyByKind{};
    m_server.Write({record, joules, m_transport->GetBytesSent()});
}

} // namespace ns3::collab
