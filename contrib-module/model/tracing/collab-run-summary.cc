/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-run-summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

namespace
{

/// What helps against reasons why messages are not heard
const std::vector<std::pair<std::string, std::string>> ADVICE = {
    {"half-duplex",
     "a radio that transmits hears nothing; ns3::collab::D2dMac::ReceiverSensing=true lets senders "
     "of unicasts wait, but none of broadcasts; ns3::collab::D2dPhy::Duplex=Full is a radio that "
     "does both"},
    {"attempts",
     "ARQ gave up; ns3::collab::D2dMac::MaxAttempts is how late it does, more power or shorter "
     "links are what helps"},
    {"outage", "nothing was repeated; the loss policy Reliable does, by ARQ"},
    {"collision", "devices send at once; ns3::collab::D2dChannel::Access=Ofdma gives each a band"},
    {"queue-full",
     "devices send more than the radio takes; MaxSize of the queue (D2dHelper::SetQueue()) is how "
     "much it keeps"},
    {"out-of-range",
     "the signal is below the receiver's sensitivity; ns3::collab::D2dPhy::TxPower, "
     "ns3::collab::D2dPhy::RxSensitivity or devices that stand closer change that"},
    {"receiver-off",
     "the receiver had failed, or its battery was empty; "
     "ns3::BasicEnergySource::BasicEnergySourceInitialEnergyJ is the charge"},
    {"transmitter-off",
     "the sender had failed, or its battery was empty; "
     "ns3::BasicEnergySource::BasicEnergySourceInitialEnergyJ is the charge"},
    {"unknown-address", "no device has the address that the message was sent to"},
    {"connection", "TCP gave the connection up; ns3::TcpSocket::DataRetries is how late it does"},
    {"lost", "UDP repeats nothing; the loss policy Reliable does, or a transport over TCP"},
    {"cancelled",
     "the sender took it back, since it was of no use any more: all was learned, or it was too "
     "late, where longer deadlines and timeouts, smaller messages or more "
     "ns3::collab::D2dPhy::Bandwidth help"},
    {"deadline",
     "it was not through by its deadline; a longer one, smaller messages or more "
     "ns3::collab::D2dPhy::Bandwidth are what helps"},
    {"run-ended",
     "the run was over while it waited or was on air; devices send more than there is time for, or "
     "end without waiting for what they no longer need"}};

/// Reasons that a deadline that is too short explains already
const std::set<std::string> OF_SHORT_DEADLINES = {"deadline", "run-ended"};

/// @param what what the numbers are of
/// @param counts numbers by reason
/// @return a line with those of all reasons, the greatest first; empty if there are none
std::string
DescribeReasons(const std::string& what, const std::map<std::string, uint64_t>& counts)
{
    std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second > b.second;
    });
    std::string line;
    for (const auto& [reason, count] : sorted)
    {
        line += fmt::format("{}{} {}", line.empty() ? "" : ", ", reason, count);
    }
    return line.empty() ? line : fmt::format("  {}: {}\n", what, line);
}

} // namespace

bool
AreMany(double cases, double all)
{
    return cases > 0.01 * all;
}

RunSummary::RunSummary(std::size_t devices, std::optional<Time> roundDeadline)
    : m_devices(devices),
      m_deadline(roundDeadline)
{
}

void
RunSummary::SetDeadline(Time wait, const std::string& name)
{
    m_deadline = wait;
    m_deadlineName = name;
}

void
RunSummary::SetAwaited(std::function<bool(uint32_t, uint32_t)> awaits)
{
    m_awaits = std::move(awaits);
}

void
RunSummary::Add(const MessageOutcome& outcome)
{
    Kind& kind = m_kinds[outcome.kindName];
    const std::pair<uint32_t, uint32_t> message(outcome.sender, outcome.sequence);
    if (message != m_last) // sequence numbers begin at 1
    {
        m_last = message;
        ++kind.messages;
        kind.airtime += outcome.airtime;
        AddAirtime(outcome);
    }
    ++kind.expected;
    if (!m_awaits || m_awaits(outcome.sender, outcome.receiver))
    {
        ++m_sentToAwaiting;
        m_heardByAwaiting += outcome.delivered ? 1 : 0;
    }
    if (outcome.delivered)
    {
        ++kind.heard;
    }
    else
    {
        ++(outcome.attempts == 0 ? kind.unsent : kind.unheard)[outcome.reason];
    }
    if (m_deadline)
    {
        CheckDeadline(outcome);
    }
}

void
RunSummary::AddRound(double expected, double heard, double refused)
{
    if (expected > 0)
    {
        ++m_rounds;
        m_awaited += expected;
        m_heardThen += heard + refused;
    }
}

void
RunSummary::AddAirtime(const MessageOutcome& outcome)
{
    if (outcome.attempts > 0)
    {
        const double once =
            static_cast<double>(std::max<uint64_t>(outcome.fragments, outcome.attempts)) /
            static_cast<double>(outcome.attempts);
        m_airtimeS += outcome.airtime.GetSeconds() * once;
        ++m_airtimeOf;
    }
}

void
RunSummary::CheckDeadline(const MessageOutcome& outcome)
{
    m_deviceRounds.emplace(outcome.round, outcome.receiver);
    const Time limit = outcome.queued + *m_deadline;
    const bool isLate = outcome.end > limit || outcome.reason == "deadline";
    if (!isLate)
    {
        m_inTime += outcome.delivered ? 1 : 0;
    }
    else if (outcome.attempts == 0 || outcome.start > limit)
    {
        ++m_lateStarts;
    }
    else
    {
        ++m_lateEnds;
    }
}

std::string
RunSummary::DescribeMessages() const
{
    if (m_kinds.empty())
    {
        return "";
    }
    std::string text = fmt::format("{:<20}{:>10}{:>12}{:>12}{:>10}{:>13}\n",
                                   "messages",
                                   "sent",
                                   "expected",
                                   "heard",
                                   "heard [%]",
                                   "airtime [s]");
    for (const auto& [name, kind] : m_kinds)
    {
        text += fmt::format("{:<20}{:>10}{:>12}{:>12}{:>10.2f}{:>13.3f}\n",
                            name,
                            kind.messages,
                            kind.expected,
                            kind.heard,
                            100.0 * static_cast<double>(kind.heard) /
                                static_cast<double>(kind.expected),
                            kind.airtime.GetSeconds());
        text += DescribeReasons("not heard", kind.unheard);
        text += DescribeReasons("not heard, since never on air", kind.unsent);
    }
    return text;
}

std::string
RunSummary::FindShortDeadline() const
{
    const uint64_t late = m_lateStarts + m_lateEnds;
    const uint64_t expected = CountExpected();
    if (!AreMany(static_cast<double>(late), static_cast<double>(expected)))
    {
        return "";
    }
    const auto rounds = static_cast<double>(m_deviceRounds.size());
    return fmt::format("warning: a device heard {:.1f} of {:.1f} messages in a round: {:.1f} were "
                       "not on air and {:.1f} not over before the deadline ({} {:g} s); a turn of "
                       "all {} devices takes {:.2g} s or more\n",
                       static_cast<double>(m_inTime) / rounds,
                       static_cast<double>(expected) / rounds,
                       static_cast<double>(m_lateStarts) / rounds,
                       static_cast<double>(m_lateEnds) / rounds,
                       m_deadlineName,
                       m_deadline->GetSeconds(),
                       m_devices,
                       GetTurnS());
}

std::string
RunSummary::FindEarlyRounds() const
{
    // No more than were heard at all, as some who are waited for send nothing; and no more than the
    // share of those awaited that were heard, as there are messages that nobody waits for
    const auto heard = static_cast<double>(m_heardByAwaiting);
    const double everHeard =
        m_sentToAwaiting == 0
            ? 0.0
            : std::min(heard, m_awaited * heard / static_cast<double>(m_sentToAwaiting));
    if (!m_deadline || !AreMany(everHeard - m_heardThen, m_awaited))
    {
        return "";
    }
    const auto rounds = static_cast<double>(m_rounds);
    return fmt::format(
        "warning: a device heard {:.1f} of {:.1f} messages of a round while it waited; others were "
        "heard later, since their senders took longer than it waits ({} {:g} s)\n",
        m_heardThen / rounds,
        m_awaited / rounds,
        m_deadlineName,
        m_deadline->GetSeconds());
}

std::string
RunSummary::FindAdvice() const
{
    const bool isDeadlineShort = !FindShortDeadline().empty();
    std::map<std::string, uint64_t> unheard;
    for (const auto& [name, kind] : m_kinds)
    {
        for (const auto* counts : {&kind.unheard, &kind.unsent})
        {
            for (const auto& [reason, count] : *counts)
            {
                unheard[reason] += count;
            }
        }
    }
    const auto expected = static_cast<double>(CountExpected());
    std::string text;
    for (const auto& [reason, advice] : ADVICE)
    {
        const auto count = static_cast<double>(unheard[reason]);
        const bool isExplained = isDeadlineShort && OF_SHORT_DEADLINES.count(reason) > 0;
        if (AreMany(count, expected) && !isExplained)
        {
            text += fmt::format(
                "hint: {:.0f} % not heard for {}: {}\n", 100 * count / expected, reason, advice);
        }
    }
    return text;
}

uint64_t
RunSummary::CountExpected() const
{
    return std::accumulate(
        m_kinds.begin(), m_kinds.end(), uint64_t{0}, [](uint64_t sum, const auto& kind) {
            return sum + kind.second.expected;
        });
}

double
RunSummary::GetTurnS() const
{
    return m_airtimeOf == 0
               ? 0.0
               : static_cast<double>(m_devices) * m_airtimeS / static_cast<double>(m_airtimeOf);
}

void
RunSummary::Print(std::ostream& output) const
{
    output << DescribeMessages() << FindShortDeadline() << FindEarlyRounds() << FindAdvice()
           << std::flush;
}

} // namespace ns3::collab
