/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-game.h"

#include "ns3/collab-check-argument.h"
#include "ns3/graph-discovery-checks.h"

#include <algorithm>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// @param game the devices
/// @param transmitter j
/// @param receiver i
/// @return Q_{j -> i}, (9) and (10)
PartitionCounts
Request(const LabelGame& game, uint32_t transmitter, uint32_t receiver)
{
    const Matrix<uint8_t>& trust = game.trust[transmitter];
    const std::vector<uint8_t> trusted(trust.Row(receiver), trust.Row(receiver) + trust.columns);
    const auto offer = OfferLabels(game.held[transmitter], game.thresholds[transmitter], trusted);
    return RequestLabels(game.held[receiver], game.thresholds[receiver], offer);
}

} // namespace

void
LabelGame::Validate() const
{
    const std::size_t devices = held.size();
    CheckArgument(devices != 0 && !held[0].empty(), "a game of 0 devices or partitions");
    CheckSize("thresholds", devices, thresholds.size());
    CheckSize("trust", devices, trust.size());
    CheckSize("clusters", devices, cluster.size());
    CheckSize("outage", devices, outage.rows);
    CheckSize("outage of a device", devices, outage.columns);
    for (std::size_t i = 0; i < devices; ++i)
    {
        CheckSize("counts", held[0].size(), held[i].size());
        CheckSize("thresholds of a device", held[0].size(), thresholds[i].size());
        CheckSize("trust in devices", devices, trust[i].rows);
        CheckSize("trust with partitions", held[0].size(), trust[i].columns);
        CheckArgument(
            cluster[i] < devices, "cluster {}, allowed are 0 to {}", cluster[i], devices - 1);
        for (std::size_t j = 0; j < devices; ++j)
        {
            CheckProbability("outage", i == j ? 0 : outage(i, j));
        }
    }
    CheckArgument(score.thresholdSlack > 0 && score.thresholdSlack <= 1,
                  "slack {}, allowed are values above 0, up to 1",
                  score.thresholdSlack);
    CheckRewardWeights(reward);
}

LabelPlay::LabelPlay(const LabelGame& game)
    : m_game(game)
{
    game.Validate();
    const auto devices = static_cast<uint32_t>(game.held.size());
    const PartitionCounts nothing(game.held[0].size(), 0);
    m_requests.resize(devices);
    m_members.resize(devices);
    for (uint32_t j = 0; j < devices; ++j)
    {
        for (uint32_t i = 0; i < devices; ++i)
        {
            m_requests[j].push_back(i == j ? nothing : Request(game, j, i));
        }
        m_members[game.cluster[j]].push_back(j);
        m_after.emplace_back(game.held[j].begin(), game.held[j].end());
    }
    m_peers.assign(devices, NO_PEER);
    m_receivers.resize(devices);
    m_allotted.assign(devices, nothing);
    m_given.assign(devices, nothing);
    m_scores.resize(devices);
    m_localRewards.resize(devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        Score(i);
    }
}

void
LabelPlay::Move(uint32_t receiver, uint32_t peer)
{
    const uint32_t old = m_peers[receiver];
    if (old != NO_PEER)
    {
        std::vector<uint32_t>& receivers = m_receivers[old];
        receivers.erase(std::lower_bound(receivers.begin(), receivers.end(), receiver));
    }
    m_peers[receiver] = peer;
    if (peer == NO_PEER)
    {
        std::fill(m_allotted[receiver].begin(), m_allotted[receiver].end(), 0);
        return;
    }
    std::vector<uint32_t>& receivers = m_receivers[peer];
    receivers.insert(std::lower_bound(receivers.begin(), receivers.end(), receiver), receiver);
}

void
LabelPlay::SetPeers(const std::vector<uint32_t>& peers)
{
    const auto devices = static_cast<uint32_t>(m_peers.size());
    CheckArgument(
        peers.size() == devices, "peers of {} devices, but there are {}", peers.size(), devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        CheckArgument(peers[i] != i && (peers[i] < devices || peers[i] == NO_PEER),
                      "device {} of {} has the transmitter {}",
                      i,
                      devices,
                      peers[i]);
    }
    for (uint32_t i = 0; i < devices; ++i)
    {
        Move(i, peers[i]);
    }
    for (uint32_t j = 0; j < devices; ++j)
    {
        Allot(j);
    }
    for (uint32_t i = 0; i < devices; ++i)
    {
        Score(i);
    }
}

void
LabelPlay::SetPeer(uint32_t receiver, uint32_t peer)
{
    const uint32_t old = m_peers[receiver];
    Move(receiver, peer);
    for (const uint32_t transmitter : {old, peer})
    {
        if (transmitter != NO_PEER)
        {
            Allot(transmitter);
        }
    }
    Score(receiver); // whose old transmitter does not know it any more
    for (const uint32_t transmitter : {old, peer})
    {
        if (transmitter != NO_PEER)
        {
            Score(transmitter);
            for (const uint32_t other : m_receivers[transmitter])
            {
                Score(other);
            }
        }
    }
}

void
LabelPlay::Allot(uint32_t transmitter)
{
    PartitionCounts& given = m_given[transmitter];
    std::fill(given.begin(), given.end(), 0);
    const std::vector<uint32_t>& receivers = m_receivers[transmitter];
    if (receivers.empty())
    {
        return;
    }
    std::vector<PartitionCounts> requests;
    requests.reserve(receivers.size());
    for (const uint32_t receiver : receivers)
    {
        requests.push_back(m_requests[transmitter][receiver]);
    }
    std::vector<PartitionCounts> allotted =
        AllotLabels(m_game.held[transmitter], m_game.thresholds[transmitter], requests);
    for (std::size_t k = 0; k < receivers.size(); ++k)
    {
        for (std::size_t l = 0; l < given.size(); ++l)
        {
            given[l] += allotted[k][l];
        }
        m_allotted[receivers[k]] = std::move(allotted[k]);
    }
}

void
LabelPlay::Score(uint32_t device)
{
    const uint32_t peer = m_peers[device];
    const double outage = peer == NO_PEER ? 0 : m_game.outage(device, peer);
    const PartitionCounts& held = m_game.held[device];
    std::vector<double>& after = m_after[device];
    for (std::size_t l = 0; l < held.size(); ++l)
    {
        after[l] = held[l] - m_given[device][l] + (1 - outage) * m_allotted[device][l];
    }
    m_scores[device] = ScoreLabels(held, after, m_game.thresholds[device], m_game.score);
    m_localRewards[device] = GetLocalReward(m_scores[device], outage, m_game.reward);
}

const std::vector<uint32_t>&
LabelPlay::GetPeers() const
{
    return m_peers;
}

const std::vector<PartitionCounts>&
LabelPlay::GetAllotted() const
{
    return m_allotted;
}

const std::vector<std::vector<double>>&
LabelPlay::GetAfter() const
{
    return m_after;
}

const std::vector<double>&
LabelPlay::GetScores() const
{
    return m_scores;
}

const std::vector<double>&
LabelPlay::GetLocalRewards() const
{
    return m_localRewards;
}

double
LabelPlay::GetMeanLocalReward() const
{
    const double sum = std::accumulate(m_localRewards.begin(), m_localRewards.end(), 0.0);
    return sum / static_cast<double>(m_localRewards.size());
}

std::vector<double>
LabelPlay::GetRewards() const
{
    const auto devices = static_cast<uint32_t>(m_peers.size());
    std::vector<double> rewards(m_localRewards);
    std::vector<double> known;
    for (const std::vector<uint32_t>& members : m_members)
    {
        known.clear();
        uint64_t points = 0; // d'_k
        for (const uint32_t i : members)
        {
            known.push_back(m_localRewards[i]);
            if (m_peers[i] != NO_PEER && m_game.cluster[m_peers[i]] != m_game.cluster[i])
            {
                points += std::accumulate(m_allotted[i].begin(), m_allotted[i].end(), uint64_t{0});
            }
        }
        const auto size = static_cast<uint32_t>(members.size());
        for (const uint32_t i : members)
        {
            rewards[i] += m_game.reward.global *
                          GetClusterReward(known, points, devices, size, m_game.reward);
        }
    }
    return rewards;
}

LabelOutcome
PlayLabelGame(const LabelGame& game, const std::vector<uint32_t>& peers)
{
    LabelPlay play(game);
    play.SetPeers(peers);
    LabelOutcome outcome;
    outcome.allotted = play.GetAllotted();
    outcome.after = play.GetAfter();
    outcome.score = play.GetScores();
    outcome.localReward = play.GetLocalRewards();
    outcome.reward = play.GetRewards();
    outcome.meanLocalReward = play.GetMeanLocalReward();
    for (std::size_t i = 0; i < peers.size(); ++i)
    {
        outcome.reached.push_back(
            CountReachedLabels(outcome.after[i], game.thresholds[i], game.score.thresholdSlack));
    }
    return outcome;
}

} // namespace ns3::collab
