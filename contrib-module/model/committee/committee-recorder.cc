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
#include <iterator>
#include <limits>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param some rounds
 * @param others rounds
 * @return those that are in both
 */
std::vector<uint32_t>
Intersect(const std::set<uint32_t>& some, const std::set<uint32_t>& others)
{
    std::vector<uint32_t> both;
    std::set_intersection(
        some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(both));
    return both;
}

} // namespace

static const TableRegistration g_tables("committee", CommitteeRecorder::DescribeTables);

CommitteeRecorder::CommitteeRecorder(TableStore& store, const ApplicationContainer& applications)
    : m_votes(store.Add(DescribeTables()[0])),
      m_committee(store.Add(DescribeTables()[1])),
      m_scores(store.Add(DescribeTables()[2]))
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        m_applications[(*it)->GetNode()->GetId()] = DynamicCast<CommitteeApplication>(*it);
        (*it)->TraceConnectWithoutContext("Vote",
                                          MakeCallback(&CommitteeRecorder::HandleVote, this));
        (*it)->TraceConnectWithoutContext("Committee",
                                          MakeCallback(&CommitteeRecorder::HandleCommittee, this));
        (*it)->TraceConnectWithoutContext("Wait",
                                          MakeCallback(&CommitteeRecorder::HandleWait, this));
        (*it)->GetNode()->GetObject<Transport>()->TraceConnectWithoutContext(
            "Outcome", MakeCallback(&CommitteeRecorder::HandleOutcome, this));
    }
}

void
CommitteeRecorder::HandleVote(const VoteRecord& record)
{
    m_votes << record.round << record.device << GetName(record.vote) << record.attempt
            << record.primary << static_cast<uint64_t>(record.clients.size())
            << fmt::format("{}", fmt::join(record.clients, " "))
            << fmt::format("{:02x}", fmt::join(record.digest, "")) << record.time;
    m_votes.EndRow();
    if (record.attempt > 0)
    {
        m_retried.insert(record.round);
    }
}

void
CommitteeRecorder::HandleCommittee(const CommitteeRecord& record)
{
    const ConsensusCounters& counters = record.counters;
    m_committee << record.round << record.device << GetName(record.outcome)
                << static_cast<uint64_t>(record.gradients) << static_cast<uint64_t>(record.missing)
                << counters.forged << counters.stale << counters.replayed << counters.unauthorized
                << counters.unproven << counters.late;
    m_committee.EndRow();
    m_rounds.insert(record.round);
    if (record.outcome != ConsensusOutcome::AGREED)
    {
        m_abandoned.insert(record.round);
        m_retried.insert(record.round);
    }
    if (record.outcome == ConsensusOutcome::NO_QUORUM &&
        CountBusy(record.members, record.round) > 0)
    {
        m_unvoted.insert(record.round);
    }
    for (std::size_t place = 0; place < record.ranking.size(); ++place)
    {
        const RankedClient& ranked = record.ranking[place];
        const auto own = record.scores.find(ranked.client);
        m_scores << record.round << record.device << ranked.client
                 << (own == record.scores.end() ? std::numeric_limits<double>::quiet_NaN()
                                                : own->second)
                 << ranked.score << static_cast<uint64_t>(place);
        m_scores.EndRow();
    }
}

void
CommitteeRecorder::HandleWait(const WaitRecord& record)
{
    const uint64_t busy = CountBusy(record.missing, record.round);
    if (record.wait == CommitteeWait::GRADIENTS)
    {
        m_gradients += record.awaited;
        m_unsent += busy;
    }
    else if (busy > 0)
    {
        m_unscored.insert(record.round);
    }
}

void
CommitteeRecorder::HandleOutcome(const MessageOutcome& outcome)
{
    const bool isVote = outcome.kind == CommitteeApplication::CONSENSUS;
    const bool isModel = outcome.kind == CommitteeApplication::MODEL;
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
        m_slow.insert(outcome.round); // a request and a commit have to come in that time
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

double
CommitteeRecorder::GetSeconds(const std::string& attribute) const
{
    return GetTime(attribute).GetSeconds();
}

std::string
CommitteeRecorder::FindShortWaits() const
{
    return FindShortGradientTimeout() + FindShortScoreTimeout() + FindShortAttemptTimeout() +
           FindLateVotes() + FindShortModelTimeout() + FindGivenUp();
}

std::string
CommitteeRecorder::FindShortGradientTimeout() const
{
    if (!AreMany(static_cast<double>(m_unsent), static_cast<double>(m_gradients)))
    {
        return "";
    }
    return fmt::format("warning: members stopped waiting for gradients while clients still "
                       "trained or sent, {} times of {}: what these learned is not in the model "
                       "(GradientTimeout {:g} s)\n",
                       m_unsent,
                       m_gradients,
                       GetSeconds("GradientTimeout"));
}

std::string
CommitteeRecorder::FindShortScoreTimeout() const
{
    const std::vector<uint32_t> rounds = Intersect(m_abandoned, m_unscored);
    if (!AreMany(static_cast<double>(rounds.size()), static_cast<double>(m_rounds.size())))
    {
        return "";
    }
    return fmt::format(
        "warning: members stopped waiting for scores while others still trained "
        "or awaited gradients, and abandoned {} rounds of {} (ScoreTimeout {:g} s)\n",
        rounds.size(),
        m_rounds.size(),
        GetSeconds("ScoreTimeout"));
}

std::string
CommitteeRecorder::FindShortAttemptTimeout() const
{
    std::vector<uint32_t> rounds; // but for those that lacked scores before
    std::set_difference(m_unvoted.begin(),
                        m_unvoted.end(),
                        m_unscored.begin(),
                        m_unscored.end(),
                        std::back_inserter(rounds));
    if (!AreMany(static_cast<double>(rounds.size()), static_cast<double>(m_rounds.size())))
    {
        return "";
    }
    return fmt::format("warning: members abandoned {} rounds of {} while some still aggregated "
                       "(AttemptTimeout {:g} s)\n",
                       rounds.size(),
                       m_rounds.size(),
                       GetSeconds("AttemptTimeout"));
}

std::string
CommitteeRecorder::FindLateVotes() const
{
    const std::vector<uint32_t> rounds = Intersect(m_retried, m_slow);
    if (!AreMany(static_cast<double>(rounds.size()), static_cast<double>(m_rounds.size())))
    {
        return "";
    }
    return fmt::format("warning: members lost patience with primaries in {} rounds of {}, while "
                       "votes were on their way for long (AttemptTimeout {:g} s)\n",
                       rounds.size(),
                       m_rounds.size(),
                       GetSeconds("AttemptTimeout"));
}

std::string
CommitteeRecorder::FindShortModelTimeout() const
{
    if (!AreMany(static_cast<double>(m_modelsTwice), static_cast<double>(m_modelsHeard)))
    {
        return "";
    }
    return fmt::format("warning: devices asked for models that were on their way, and heard {} of "
                       "{} models again (ModelTimeout {:g} s)\n",
                       m_modelsTwice,
                       m_modelsHeard,
                       GetSeconds("ModelTimeout"));
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
    if (rule.Get() == "Paper")
    {
        return fmt::format("warning: {} of {} devices ended without the newest model, which none "
                           "of those that they asked has sent in time (ModelTimeout {:g} s)\n",
                           devices,
                           m_applications.size(),
                           GetSeconds("ModelTimeout"));
    }
    return fmt::format("warning: {} of {} devices gave up before all rounds were done, since none "
                       "had ended for {:g} s (Patience)\n",
                       devices,
                       m_applications.size(),
                       m_applications.begin()->second->GetPatience().GetSeconds());
}

std::vector<TableDescription>
CommitteeRecorder::DescribeTables()
{
    const ColumnDescription round = {
        "round", ColumnType::INTEGER, "", "number of the round, from 0"};
    const ColumnDescription device = {"device", ColumnType::INTEGER, "", "member of the committee"};
    return {{"votes",
             "a decision of the committee that a member has learned of",
             {round,
              device,
              {"vote", ColumnType::TEXT, "", "aggregation or election"},
              {"attempt", ColumnType::INTEGER, "", "number of the primary that found it, from 0"},
              {"primary", ColumnType::INTEGER, "", "device that was this primary"},
              {"size", ColumnType::INTEGER, "", "clients in the set"},
              {"clients", ColumnType::TEXT, "", "the set, ascending, divided by spaces"},
              {"digest",
               ColumnType::TEXT,
               "",
               "SHA-256 of the new model; of the set in the vote election"},
              {"time_s", ColumnType::REAL, "s", "when the member learned of it"}}},
            {"committee",
             "a member's votes of a round, when they have ended",
             {round,
              device,
              {"outcome",
               ColumnType::TEXT,
               "",
               "agreed; or why it was abandoned: few-clients, no-result, sets-differ, no-quorum"},
              {"gradients", ColumnType::INTEGER, "", "gradients that it heard in time"},
              {"missing", ColumnType::INTEGER, "", "gradients that it did not"},
              {"forged", ColumnType::INTEGER, "", "messages without a right authenticator"},
              {"stale", ColumnType::INTEGER, "", "messages of another round or request"},
              {"replayed", ColumnType::INTEGER, "", "messages heard before"},
              {"unauthorized", ColumnType::INTEGER, "", "messages only the primary may send"},
              {"unproven", ColumnType::INTEGER, "", "commits without a valid certificate"},
              {"late", ColumnType::INTEGER, "", "scores after the member had closed its table"}}},
            {"scores",
             "a training client as a member scored it",
             {round,
              device,
              {"client", ColumnType::INTEGER, "", "device that trained"},
              {"member_score",
               ColumnType::REAL,
               "1",
               "inverse of the squared distance of both gradients; nan if it was not heard"},
              {"score", ColumnType::REAL, "1", "final score, of all members that the member heard"},
              {"place", ColumnType::INTEGER, "", "by final score, the highest first, from 0"}}}};
}

} // namespace collab
} // namespace ns3
