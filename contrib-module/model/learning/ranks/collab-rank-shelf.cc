/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-rank-shelf.h"

#include <algorithm>
#include <iterator>
#include <nettle/sha2.h>
#include <utility>

namespace ns3::collab
{

RankDigest
ComputeRankDigest(std::string_view bytes)
{
    RankDigest digest;
    static_assert(digest.size() == SHA256_DIGEST_SIZE);
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
    sha256_digest(&context, digest.size(), digest.data());
    return digest;
}

RankShelf::RankShelf(std::size_t capacity)
    : m_capacity(capacity)
{
}

const std::shared_ptr<const void>*
RankShelf::Find(const RankDigest& digest)
{
    const auto found = m_byDigest.find(digest);
    if (found == m_byDigest.end())
    {
        return nullptr;
    }
    m_items.splice(m_items.begin(), m_items, found->second);
    return &found->second->object;
}

void
RankShelf::Add(const RankDigest& digest,
               std::size_t size,
               bool isKept,
               std::shared_ptr<const void> object)
{
    m_items.push_front({digest, isKept ? 0 : size, std::move(object)});
    m_byDigest[digest] = m_items.begin();
    m_size += m_items.front().size;
    for (auto it = std::prev(m_items.end()); m_size > m_capacity && it != m_items.begin();)
    {
        const auto oldest = it--;
        if (oldest->size > 0)
        {
            m_size -= oldest->size;
            m_byDigest.erase(oldest->digest);
            m_items.erase(oldest);
        }
    }
}

std::optional<RankDigest>
RankDigests::Find(const std::shared_ptr<const void>& object)
{
    const std::lock_guard<std::mutex> lock(m_access);
    const auto found = m_known.find(object);
    return found == m_known.end() ? std::nullopt : std::optional(found->second);
}

void
RankDigests::Add(const std::shared_ptr<const void>& object, const RankDigest& digest)
{
    const std::lock_guard<std::mutex> lock(m_access);
    m_known[object] = digest;
    if (m_known.size() < m_next)
    {
        return;
    }
    for (auto it = m_known.begin(); it != m_known.end();)
    {
        it = it->first.expired() ? m_known.erase(it) : std::next(it);
    }
    m_next = std::max(m_next, 2 * m_known.size());
}

} // namespace ns3::collab
