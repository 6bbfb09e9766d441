/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-recorder.h"

#include "ns3/collab-processor.h"
#include "ns3/collab-run-summary.h"
#include "ns3/collab-table-registry.h"
#include "ns3/collab-transport.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A training client as a member scored it.
struct ScoreRow
{
    uint32_t round;     //!< of the mechanism
    uint32_t device;    //!< the member
    uint32_t client;    //!< who trained
    double memberScore; //!< by the member alone; NaN without
    double score;       //!< of all members
    std::size_t place;  //!< by that

    /// @return the table scores
    static TableColumns<ScoreRow>
    GetTable()
    {
        using Row = ScoreRow;
        return {"scores",
                "a training client as a member scored it",
                {{"round", "", "number of the round, from 0", &Row::round},
                 {"device", "", "member of the committee", &Row::device},
                 {"client", "", "device that trained", &Row::client},
                 {"member_score",
                  "1",
                  "inverse of the squared distance of both gradients; nan if it was not heard",
                  &Row::memberScore},
                 {"score", "1", "final score, of all members that the member heard", &Row::score},
                 {"place", "", "by final score, the highest first, from 0", &Row::place}}};
    }
};

TableColumns<VoteRecord>
VoteRecord::GetTable()
{
    using Row = VoteRecord;
    const auto clients = [](const Row& row) {
        return fmt::format("{}", fmt::join(row.proposal.clients, " "));
    };
    const auto digest = [](const Row& row) {
        return fmt::format("{:02x}", fmt::join(row.proposal.digest, ""));
    };
    return {
        "votes",
        "a decision of the committee that a member has learned of",
        {{"round", "", "number of the round, from 0", &Row::round},
         {"device", "", "member of the committee", &Row::device},
         {"vote", "", "aggregation or election", [](const Row& row) { return GetName(row.vote); }},
         {"attempt", "", "number of the primary that found it, from 0", &Row::attempt},
         {"primary", "", "device that was this primary", &Row::primary},
         {"size",
          "",
          "clients in the set",
          [](const Row& row) { return row.proposal.clients.size(); }},
         {"clients", "", "the set, ascending, divided by spaces", clients},
         {"digest", "", "SHA-256 of the new model; of the set in the vote election", digest},
         {"time_s", "s", "when the member learned of it", &Row::time}}};
}

TableColumns<CommitteeReport>
CommitteeReport::GetTable()
{
    using Row = CommitteeReport;
    using Counters = ConsensusCounters;
    const auto outcome = [](const Row& row) { return GetName(row.outcome); };
    const auto counter = [](uint64_t Counters::*member) { return Within(&Row::counters, member); };
    return {
        "committee",
        "a member's votes of a round, when they have ended",
        {{"round", "", "number of the round, from 0", &Row::round},
         {"device", "", "member of the committee", &Row::device},
         {"outcome",
          "",
          "agreed; or why it was abandoned: few-clients, no-result, sets-differ, no-quorum",
          outcome},
         {"gradients", "", "gradients that it heard in time", &Row::gradients},
         {"missing", "", "gradients that it did not", &Row::missing},
         {"forged", "", "messages without a right authenticator", counter(&Counters::forged)},
         {"stale", "", "messages of another round or request", counter(&Counters::stale)},
         {"replayed", "", "messages heard before", counter(&Counters::replayed)},
         {"unauthorized",
          "",
          "messages only the primary may send",
          counter(&Counters::unauthorized)},
         {"unproven", "", "commits without a valid certificate", counter(&Counters::unproven)},
         {"late", "", "scores after the member had closed its table", counter(&Counters::late)}}};
}

static const TableRegistration g_tables("committee",
                                        {DescribeTable<VoteRecord>,
                                         DescribeTable<CommitteeReport>,
                                         DescribeTable<ScoreRow>});

CommitteeRecorder::CommitteeRecorder(TableStore& store, const ApplicationContainer& applications)
    : m_votes(store.Add<VoteRecord>()),
      m_committee(store.Add<CommitteeReport>()),
      m_scores(store.Add<ScoreRow>())
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        m_applications[(*it)->GetNode()->GetId()] = DynamicCast<CommitteeApplication>(*it);
        const auto connect = [this](const auto& object, const char* trace, auto handler) {
            object->TraceConnectWithoutContext(trace, MakeCallback(handler, this));
        };
        connect(*it, "Vote", &CommitteeRecorder::HandleVote);
        connect(*it, "Committee", &CommitteeRecorder::HandleCommittee);
        connect(*it, "Wait", &CommitteeRecorder::HandleWait);
        const auto transport = (*it)->GetNode()->GetObject<Transport>();
        connect(transport, "Outcome", &CommitteeRecorder::HandleOutcome);
    }
}

void
CommitteeRecorder::HandleCommittee(const CommitteeReport& record)
{
    m_committee.Write(record);
    Seen& seen = m_rounds[record.round];
    seen.hasEnded = true;
    seen.isAbandoned |= record.outcome != ConsensusOutcome::AGREED;
    seen.isRetried |= record.outcome != ConsensusOutcome::AGREED;
    seen.isUnvoted |= record.outcome == ConsensusOutcome::NO_QUORUM &&
                      CountBusy(record.members, record.round) > 0;
    for (std::size_t place = 0; place < record.ranking.size(); ++place)
    {
        const RankedClient& ranked = record.ranking[place];
        const auto own = record.scores.find(ranked.client);
        m_scores.Write(
            {record.round,
             record.device,
             ranked.client,
             own == record.scores.end() ? std::numeric_limits<double>::quiet_NaN() : own->second,
             ranked.score,
             place});
    }
}

void
CommitteeRecorder::HandleWait(const WaitReport& record)
{
    const uint64_t busy = CountBusy(record.missing, record.round);
    if (record.wait == CommitteeWait::GRADIENTS)
    {
        m_gradients += record.awaited;
        m_unsent += busy;
    }
    else if (busy > 0)
    {
        m_rounds[record.round].isUnscored = true;
    }
}

void
CommitteeRecorder::HandleOutcome(const MessageOutcome& outcome)
{
    const bool isVote = outcome.kind == ConsensusMessage::KIND;
    const bool isModel = outcome.kind == ModelMessage::KIND;
    if (!isVote && !isModel)
    {
        return; // before attributes are looked up, since most messages are gradients
    }
    StringValue misbehavior;
    m_applications.at(outcome.sender)->GetAttribute("Misbehavior", misbehavior);
    const bool isLost = !outcome.delivered && outcome.reason != "run-ended";
    if (isLost || !misbehavior.Get().empty())
    {
        return;
    }
    if (isVote && outcome.end - outcome.queued > GetTime("AttemptTimeout") / 2)
    {
        m_rounds[outcome.round].isSlow = true; // a request and a commit have to come in that time
    }
    if (isModel && outcome.delivered)
    {
        ++m_modelsHeard;
        const auto [last, isFirst] = m_models.emplace(outcome.receiver, outcome.round);
        m_modelsTwice += !isFirst && last->second == outcome.round ? 1 : 0;
        last->second = outcome.round;
    }
}

uint64_t
CommitteeRecorder::CountBusy(const std::vector<uint32_t>& devices, uint32_t round) const
{
    const auto isBusy = [this, round](uint32_t device) {
        const auto& application = m_applications.at(device);
        return application->GetRound() <= round && application->IsBusy();
    };
    return static_cast<uint64_t>(std::count_if(devices.begin(), devices.end(), isBusy));
}

Time
CommitteeRecorder::GetTime(const std::string& attribute) const
{
    TimeValue time;
    m_applications.begin()->second->GetAttribute(attribute, time);
    return time.Get();
}

std::string
CommitteeRecorder::Warn(uint64_t count,
                        uint64_t all,
                        const std::string& attribute,
                        const std::string& text) const
{
    if (!AreMany(static_cast<double>(count), static_cast<double>(all)))
    {
        return "";
    }
    return fmt::format("warning: {} ({} {:g} s)\n",
                       fmt::format(fmt::runtime(text), count, all),
                       attribute,
                       GetTime(attribute).GetSeconds());
}

std::string
CommitteeRecorder::FindShortWaits() const
{
    const auto count = [this](auto has) {
        return static_cast<uint64_t>(
            std::count_if(m_rounds.begin(), m_rounds.end(), [has](const auto& round) {
                return has(round.second);
            }));
    };
    const uint64_t rounds = count([](const Seen& seen) { return seen.hasEnded; });
    return Warn(m_unsent,
                m_gradients,
                "GradientTimeout",
                "members stopped waiting for gradients while clients still trained or sent, {} "
                "times of {}: what these learned is not in the model") +
           Warn(count([](const Seen& seen) { return seen.isAbandoned && seen.isUnscored; }),
                rounds,
                "ScoreTimeout",
                "members stopped waiting for scores while others still trained or awaited "
                "gradients, and abandoned {} rounds of {}") +
           Warn(count([](const Seen& seen) { return seen.isUnvoted && !seen.isUnscored; }),
                rounds,
                "AttemptTimeout",
                "members abandoned {} rounds of {} while some still aggregated") +
           Warn(count([](const Seen& seen) { return seen.isRetried && seen.isSlow; }),
                rounds,
                "AttemptTimeout",
                "members lost patience with primaries in {} rounds of {}, while votes were on "
                "their way for long") +
           Warn(
               m_modelsTwice,
               m_modelsHeard,
               "ModelTimeout",
               "devices asked for models that were on their way, and heard {} of {} models again") +
           FindGivenUp();
}

std::string
CommitteeRecorder::FindGivenUp() const
{
    const auto devices =
        std::count_if(m_applications.begin(), m_applications.end(), [](const auto& application) {
            return application.second->HasGivenUp();
        });
    if (devices == 0)
    {
        return "";
    }
    StringValue rule;
    m_applications.begin()->second->GetAttribute("QuorumRule", rule);
    const std::string reason =
        rule.Get() == "Paper"
            ? fmt::format("ended without the newest model, which none of those that they asked has "
                          "sent in time (ModelTimeout {:g} s)",
                          GetTime("ModelTimeout").GetSeconds())
            : fmt::format(
                  "gave up before all rounds were done, since none had ended for {:g} s (Patience)",
                  m_applications.begin()->second->GetPatience().GetSeconds());
    return fmt::format("warning: {} of {} devices {}\n", devices, m_applications.size(), reason);
}

} // namespace ns3::collab
