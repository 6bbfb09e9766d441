/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-misbehavior.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace ns3::collab
{

namespace
{

/// Messages that a conspiracy keeps
constexpr std::size_t MAX_RECORDED = 1000;

/// Names of the behaviors
const std::map<std::string, bool Misbehavior::*> BEHAVIORS = {
    {"admit", &Misbehavior::admits},
    {"collude", &Misbehavior::colludes},
    {"consistent-false-scores", &Misbehavior::consistentFalseScores},
    {"double-votes", &Misbehavior::doubleVotes},
    {"equivocate", &Misbehavior::equivocates},
    {"false-claims", &Misbehavior::claimsRounds},
    {"false-scores", &Misbehavior::falseScores},
    {"false-views", &Misbehavior::falsifiesViews},
    {"flood", &Misbehavior::floods},
    {"forge", &Misbehavior::forges},
    {"forged-chains", &Misbehavior::forgesChains},
    {"hide-blocks", &Misbehavior::hidesBlocks},
    {"lie-about-quorum", &Misbehavior::liesAboutQuorum},
    {"replay", &Misbehavior::replays},
    {"silent-primary", &Misbehavior::silentPrimary},
    {"split-scores", &Misbehavior::splitScores},
    {"stale-replies", &Misbehavior::repliesStale},
    {"uninvited", &Misbehavior::isUninvited},
    {"usurp", &Misbehavior::usurps},
    {"withhold-commits", &Misbehavior::withholdsCommits},
    {"withhold-replies", &Misbehavior::withholdsReplies},
    {"wrong-set", &Misbehavior::wrongSet},
};

} // namespace

Misbehavior
ParseMisbehavior(const std::string& names)
{
    Misbehavior misbehavior;
    std::size_t begin = 0;
    while (begin < names.size())
    {
        const std::size_t end = std::min(names.find('+', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        const auto found = BEHAVIORS.find(name);
        CheckArgument(found != BEHAVIORS.end(),
                      "no misbehavior is called \"{}\"; known are {}",
                      name,
                      fmt::join(GetMisbehaviorNames(), ", "));
        misbehavior.*found->second = true;
        begin = end + 1;
    }
    return misbehavior;
}

std::vector<std::string>
GetMisbehaviorNames()
{
    std::vector<std::string> names;
    for (const auto& behavior : BEHAVIORS)
    {
        names.push_back(behavior.first);
    }
    return names;
}

ClientScores
InvertScores(ClientScores scores)
{
    for (auto& [client, score] : scores)
    {
        score = 1 / score;
    }
    return scores;
}

ClientScores
PromoteScores(const ConsensusOptions& options,
              const ClientScores& scores,
              const std::set<uint32_t>& accomplices)
{
    std::vector<double> others;
    for (const auto& [client, score] : scores)
    {
        if (accomplices.count(client) == 0)
        {
            others.push_back(score);
        }
    }
    if (others.empty())
    {
        return scores;
    }
    std::sort(others.begin(), others.end());
    const double middle = others[others.size() / 2];
    const double low = 1e-6 * others.front();
    const bool isMean = options.GetCombination() == ScoreCombination::MEAN;
    const std::size_t elected = std::min(options.members.size(), scores.size());
    std::size_t before = (scores.size() - elected) / 2;
    ClientScores told;
    for (const auto& [client, score] : scores)
    {
        const bool isOurs = accomplices.count(client) > 0;
        const bool isBefore = !isOurs && (isMean ? before > 0 : score > middle);
        before -= isMean && isBefore ? 1 : 0;
        told[client] = isOurs     ? (isMean ? low : middle)
                       : isBefore ? std::numeric_limits<double>::infinity()
                                  : (isMean ? low * low : 0);
    }
    return told;
}

ClientScores
AdmitScores(const ConsensusOptions& options,
            ClientScores scores,
            const std::set<uint32_t>& accomplices)
{
    const bool isHigh = options.selection == SelectionStrategy::SIMILAR;
    for (auto& [client, score] : scores)
    {
        const bool isOurs = accomplices.count(client) > 0;
        score = isOurs == isHigh ? std::numeric_limits<double>::infinity() : 0;
    }
    return scores;
}

Evidence
MakeEvidence(const KeyRing& keys, uint32_t liar, uint32_t round)
{
    Evidence evidence;
    evidence.statement = {SCORES_STATEMENT, CommitteeVote::AGGREGATION, round, liar, 0};
    evidence.digests[1] = {1};
    for (std::size_t i = 0; i < 2; ++i)
    {
        evidence.authenticators[i] =
            keys.Sign(liar, evidence.statement.GetBytes(evidence.digests[i]));
    }
    return evidence;
}

void
Conspiracy::Record(const ConsensusMessage& message)
{
    const std::size_t place = heard++ % MAX_RECORDED;
    recorded.resize(std::max(recorded.size(), place + 1));
    recorded[place] = std::make_shared<const ConsensusMessage>(message);
}

} // namespace ns3::collab
