/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-inbox.h"

#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

std::vector<float>
ApplyAll(const std::vector<float>& model,
         const GradientList& gradients,
         double rate,
         double mostWeight)
{
    std::vector<const float*> rows;
    std::vector<double> samples;
    for (const auto& gradient : gradients)
    {
        rows.push_back(gradient->values->data());
        samples.push_back(gradient->samples);
    }
    const auto weights = LimitSampleWeights(std::move(samples), mostWeight);
    return ApplyGradients(model, VectorStack(rows, model.size()), weights, rate);
}

CommitteeInbox::CommitteeInbox(const std::optional<CommitteeBounds>& bounds)
    : m_bounds(bounds)
{
}

std::vector<std::shared_ptr<const ConsensusMessage>>
CommitteeInbox::Begin(uint32_t round, std::vector<uint32_t> clients)
{
    CommitteeInbox before(m_bounds);
    std::swap(*this, before);
    const bool isNext = round == before.m_round + 1;
    if (round == before.m_round)
    {
        m_gradients = std::move(before.m_gradients);
        m_fetched = std::move(before.m_fetched);
    }
    m_round = round;
    m_clients = std::move(clients);
    std::vector<std::shared_ptr<const ConsensusMessage>> messages;
    if (isNext)
    {
        for (const auto& [sender, gradient] : before.m_next)
        {
            Add(gradient);
        }
        for (const auto& [sender, heard] : before.m_early)
        {
            messages.insert(messages.end(), heard.begin(), heard.end());
        }
    }
    return messages;
}

std::string
CommitteeInbox::Add(const std::shared_ptr<const SignedGradient>& gradient)
{
    if (gradient->round == m_round + 1)
    {
        m_next.emplace(gradient->sender, gradient);
        return "";
    }
    if (gradient->round != m_round)
    {
        return "a gradient of another round";
    }
    if (!std::binary_search(m_clients.begin(), m_clients.end(), gradient->sender))
    {
        return "a gradient of a client that does not train";
    }
    // The first one counts: all members shall score the same
    m_gradients.emplace(gradient->sender, gradient);
    return "";
}

void
CommitteeInbox::Want(const GradientDigests& digests)
{
    m_wanted.clear();
    for (const auto& [client, digest] : digests)
    {
        m_wanted.insert(digest);
    }
}

bool
CommitteeInbox::AddEarly(const std::shared_ptr<const ConsensusMessage>& message)
{
    auto& heard = m_early[message->sender];
    if (message->round != m_round + 1 || heard.size() >= MOST_EARLY)
    {
        return false;
    }
    const bool isRequest = message->kind == ConsensusKind::REQUEST;
    if (m_bounds && isRequest && m_requests >= MOST_EARLY_REQUESTS)
    {
        return false;
    }
    m_requests += isRequest ? 1 : 0;
    heard.push_back(message);
    return true;
}

uint64_t
CommitteeInbox::CountKept() const
{
    uint64_t bytes = 0;
    for (const auto& [sender, messages] : m_early)
    {
        for (const auto& message : messages)
        {
            bytes += CountBytes(*message);
        }
    }
    const auto add = [&bytes](const auto& gradients) {
        for (const auto& [key, gradient] : gradients)
        {
            bytes += CountBytes(*gradient);
        }
    };
    add(m_gradients);
    add(m_next);
    add(m_fetched);
    return bytes;
}

std::size_t
CommitteeInbox::CountEarlyProposals() const
{
    std::size_t count = 0;
    for (const auto& [sender, messages] : m_early)
    {
        count += std::count_if(messages.begin(), messages.end(), [](const auto& message) {
            return message->kind == ConsensusKind::REQUEST;
        });
    }
    return count;
}

std::shared_ptr<const SignedGradient>
CommitteeInbox::Find(const Digest& digest) const
{
    const auto fetched = m_fetched.find(digest);
    if (fetched != m_fetched.end())
    {
        return fetched->second;
    }
    const auto found =
        std::find_if(m_gradients.begin(), m_gradients.end(), [&digest](const auto& gradient) {
            return gradient.second->digest == digest;
        });
    return found == m_gradients.end() ? nullptr : found->second;
}

std::optional<GradientList>
CommitteeInbox::Gather(const AggregationOrder& order) const
{
    GradientList gradients;
    for (const uint32_t client : order.clients)
    {
        const auto first = m_gradients.find(client);
        gradients.push_back(!order.gradients.empty()     ? Find(order.gradients.at(client))
                            : first == m_gradients.end() ? nullptr
                                                         : first->second);
        if (!gradients.back())
        {
            return std::nullopt;
        }
    }
    return gradients;
}

GradientDigests
CommitteeInbox::FindMissing(const AggregationOrder& order) const
{
    GradientDigests missing;
    for (const auto& [client, digest] : order.gradients)
    {
        if (!Find(digest))
        {
            missing[client] = digest;
        }
    }
    return missing;
}

} // namespace ns3::collab
