/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-certificate.h"

#include "ns3/collab-wire-format.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace ns3::collab
{

bool
Contains(const std::vector<uint32_t>& set, uint32_t element)
{
    return std::binary_search(set.begin(), set.end(), element);
}

std::size_t
CountConsents(const std::vector<Consent>& given,
              Statement statement,
              const Digest& entry,
              const std::vector<uint32_t>& members,
              const KeyRing& keys)
{
    std::set<uint32_t> consenting;
    for (const auto& consent : given)
    {
        statement.member = consent.member;
        if (Contains(members, consent.member) && consenting.count(consent.member) == 0 &&
            keys.Verify(consent.member, statement.GetBytes(entry), consent.authenticator))
        {
            consenting.insert(consent.member);
        }
    }
    return consenting.size();
}

std::vector<uint8_t>
Statement::GetBytes(const Digest& digest) const
{
    std::vector<uint8_t> bytes;
    bytes.reserve(2 + 3 * sizeof(uint32_t) + sizeof(uint64_t) + digest.size());
    PutLittle(kind, bytes);
    PutLittle(static_cast<uint8_t>(vote), bytes);
    PutLittle(round, bytes);
    PutLittle(member, bytes);
    PutLittle(view, bytes);
    PutLittle(uint64_t{0}, bytes);
    bytes.insert(bytes.end(), digest.begin(), digest.end());
    return bytes;
}

bool
Statement::IsUnique() const
{
    const bool isFirst = vote == CommitteeVote::AGGREGATION;
    return kind == SCORES_STATEMENT ? isFirst && view == 0
           : kind == REQUEST_STATEMENT
               ? isFirst
               : kind == CONSENT_STATEMENT && PlaceOf(vote) < COMMITTEE_VOTES;
}

bool
Statement::operator<(const Statement& other) const
{
    return std::tie(kind, vote, round, member, view) <
           std::tie(other.kind, other.vote, other.round, other.member, other.view);
}

std::vector<uint8_t>
MakeStatement(
    CommitteeVote vote, uint32_t member, uint32_t round, uint32_t view, const Digest& block)
{
    return Statement{CONSENT_STATEMENT, vote, round, member, view}.GetBytes(block);
}

bool
Evidence::IsProof(const KeyRing& keys) const
{
    return statement.IsUnique() && digests[0] != digests[1] &&
           keys.Verify(statement.member, statement.GetBytes(digests[0]), authenticators[0]) &&
           keys.Verify(statement.member, statement.GetBytes(digests[1]), authenticators[1]);
}

bool
CommitteeLies::Add(const Evidence& evidence,
                   bool isInOffice,
                   const std::vector<uint32_t>& expelled,
                   const KeyRing& keys)
{
    const uint32_t liar = evidence.statement.member;
    return isInOffice && m_evidence.count(liar) == 0 && !Contains(expelled, liar) &&
           evidence.IsProof(keys) && m_evidence.emplace(liar, evidence).second;
}

void
CommitteeLies::Forget(const std::vector<uint32_t>& expelled)
{
    for (const uint32_t liar : expelled)
    {
        m_evidence.erase(liar);
    }
}

std::optional<Evidence>
CommitteeWitness::Note(const Statement& statement, const Signed& said)
{
    if (!statement.IsUnique())
    {
        return std::nullopt;
    }
    const auto [known, isNew] = m_first.emplace(statement, said);
    if (isNew || known->second.digest == said.digest)
    {
        return std::nullopt;
    }
    return Evidence{statement,
                    {known->second.digest, said.digest},
                    {known->second.authenticator, said.authenticator}};
}

std::optional<CommitteeWitness::Signed>
CommitteeWitness::Find(const Statement& statement) const
{
    const auto found = m_first.find(statement);
    return found == m_first.end() ? std::nullopt : std::optional(found->second);
}

void
CommitteeWitness::Forget(uint32_t view)
{
    for (auto it = m_first.begin(); it != m_first.end();)
    {
        const bool isOver = it->first.kind != SCORES_STATEMENT && it->first.view < view;
        it = isOver ? m_first.erase(it) : std::next(it);
    }
}

} // namespace ns3::collab
