/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-bounds.h"

#include <algorithm>

namespace ns3::collab
{

bool
CommitteeBounds::Allows(const ConsensusMessage& message) const
{
    const bool areTables =
        message.tables.size() <= members &&
        std::all_of(message.tables.begin(), message.tables.end(), [this](const auto& table) {
            return table.scores.size() <= clients;
        });
    const bool areOthers = message.scores.size() <= clients && message.evidence.size() <= members;
    if (!areTables || !areOthers || !message.ballot)
    {
        return areTables && areOthers;
    }
    const Block& block = message.ballot->block;
    return block.clients.size() <= clients && block.committee.size() <= members &&
           block.expelled.size() <= devices && message.ballot->consents.size() <= members &&
           message.ballot->shares.size() <= members;
}

uint64_t
CommitteeBounds::GetMostTableBytes(uint64_t authenticatorBytes) const
{
    ConsensusMessage table;
    table.rule = QuorumRule::BYZANTINE;
    table.authenticator.resize(authenticatorBytes);
    for (uint32_t client = 0; client < clients; ++client)
    {
        table.scores[client] = 0;
        table.gradients[client] = {};
    }
    return CountBytes(table);
}

uint64_t
CommitteeBounds::GetMostBytes(uint64_t authenticatorBytes) const
{
    ConsensusMessage request;
    request.kind = ConsensusKind::REQUEST;
    request.rule = QuorumRule::BYZANTINE;
    request.authenticator.resize(authenticatorBytes);
    request.ballot.emplace();
    request.ballot->block.clients.resize(clients);
    request.ballot->block.committee.resize(members);
    request.ballot->block.expelled.resize(devices);
    request.ballot->consents.resize(members, {0, request.authenticator});
    request.evidence.resize(members, {{}, {}, {request.authenticator, request.authenticator}});
    const uint64_t size = sizeof(uint32_t); // of a table, before it
    return CountBytes(request) + members * (size + GetMostTableBytes(authenticatorBytes));
}

} // namespace ns3::collab
