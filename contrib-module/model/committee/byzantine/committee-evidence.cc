/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-evidence.h"

#include <iterator>

namespace ns3::collab
{

bool
Evidence::IsProof(const KeyRing& keys) const
{
    return statement.IsUnique() && digests[0] != digests[1] &&
           keys.Verify(statement.member, statement.GetBytes(digests[0]), authenticators[0]) &&
           keys.Verify(statement.member, statement.GetBytes(digests[1]), authenticators[1]);
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

std::size_t
CommitteeWitness::GetSize() const
{
    return m_first.size();
}

} // namespace ns3::collab
