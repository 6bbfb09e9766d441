/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-latent-play.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param moments of the clusters of devices
 * @return the same ones as Gaussians
 */
std::vector<std::vector<GaussianCluster>>
MakeGaussians(const std::vector<std::vector<ClusterMoments>>& moments)
{
    std::vector<std::vector<GaussianCluster>> gaussians;
    for (const std::vector<ClusterMoments>& clusters : moments)
    {
        gaussians.emplace_back();
        for (const ClusterMoments& cluster : clusters)
        {
            gaussians.back().push_back(MakeGaussian(cluster));
        }
    }
    return gaussians;
}

} // namespace

LatentPlay::LatentPlay(const LatentGame& game, std::optional<uint64_t> seed)
    : m_game(game),
      m_seed(seed)
{
    game.Validate();
    m_gaussians = MakeGaussians(game.clusters);
    const auto devices = static_cast<uint32_t>(game.clusters.size());
    m_requests.resize(devices, std::vector<std::vector<uint32_t>>(devices));
    for (uint32_t j = 0; j < devices; ++j)
    {
        const Matrix<float> own = GetCentroids(j, j);
        for (uint32_t i = 0; i < devices; ++i)
        {
            m_requests[j][i] = SplitRequest(game.requested[i], own, GetCentroids(i, j));
        }
    }
    m_peers.assign(devices, NO_PEER);
    m_receivers.resize(devices);
    m_allotted.assign(devices, std::vector<uint32_t>(game.clusters.front().size(), 0));
    m_after = game.clusters;
    m_scores.resize(devices);
    m_localRewards.resize(devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        Score(i);
    }
}

void
LatentPlay::SetPeers(const std::vector<uint32_t>& peers)
{
    const std::size_t devices = m_peers.size();
    bool allowed = peers.size() == devices;
    for (std::size_t i = 0; allowed && i < devices; ++i)
    {
        allowed = peers[i] == NO_PEER || (peers[i] < devices && peers[i] != i);
    }
    if (!allowed)
    {
        throw std::invalid_argument(
            fmt::format("allowed peers are other ones of {} devices, one for each", devices));
    }
    for (std::vector<uint32_t>& receivers : m_receivers)
    {
        receivers.clear();
    }
    m_peers.assign(devices, NO_PEER);
    for (uint32_t i = 0; i < devices; ++i)
    {
        Move(i, peers[i]);
        if (peers[i] == NO_PEER)
        {
            Score(i);
        }
    }
    for (uint32_t j = 0; j < devices; ++j)
    {
        Allot(j);
    }
}

void
LatentPlay::SetPeer(uint32_t receiver, uint32_t peer)
{
    const uint32_t old = m_peers[receiver];
    if (old == peer)
    {
        return;
    }
    Move(receiver, peer);
    if (old != NO_PEER)
    {
        Allot(old);
    }
    if (peer != NO_PEER)
    {
        Allot(peer);
        return;
    }
    Score(receiver);
}

const std::vector<uint32_t>&
LatentPlay::GetPeers() const
{
    return m_peers;
}

const std::vector<std::vector<uint32_t>>&
LatentPlay::GetAllotted() const
{
    return m_allotted;
}

const std::vector<std::vector<ClusterMoments>>&
LatentPlay::GetAfter() const
{
    return m_after;
}

const std::vector<double>&
LatentPlay::GetScores() const
{
    return m_scores;
}

const std::vector<double>&
LatentPlay::GetLocalRewards() const
{
    return m_localRewards;
}

double
LatentPlay::GetMeanLocalReward() const
{
    return std::accumulate(m_localRewards.begin(), m_localRewards.end(), 0.0) /
           static_cast<double>(m_localRewards.size());
}

double
LatentPlay::ComputeAgreement() const
{
    const auto devices = static_cast<uint32_t>(m_peers.size());
    const std::vector<std::vector<GaussianCluster>> after = MakeGaussians(m_after);
    SystemAgreement agreement(devices, m_game.agreement);
    for (uint32_t i = 0; i < devices; ++i)
    {
        agreement.SetBefore(i, m_gaussians[i]);
    }
    for (uint32_t i = 0; i < devices; ++i)
    {
        agreement.SetAfter(i, after[i]);
    }
    return agreement.Get();
}

std::vector<double>
LatentPlay::GetRewards(double agreement) const
{
    std::map<uint32_t, uint64_t> points; // d', by cluster of devices
    for (std::size_t i = 0; i < m_peers.size(); ++i)
    {
        if (m_peers[i] != NO_PEER && m_game.cluster[m_peers[i]] != m_game.cluster[i])
        {
            points[m_game.cluster[i]] +=
                std::accumulate(m_allotted[i].begin(), m_allotted[i].end(), uint64_t{0});
        }
    }
    std::vector<double> rewards;
    for (std::size_t i = 0; i < m_peers.size(); ++i)
    {
        const double global = agreement + GetBudgetReward(points[m_game.cluster[i]], m_game.reward);
        rewards.push_back(m_localRewards[i] + m_game.reward.global * global);
    }
    return rewards;
}

Matrix<float>
LatentPlay::GetCentroids(uint32_t device, uint32_t observer) const
{
    const std::vector<GaussianCluster>& clusters = m_gaussians[device];
    Matrix<float> centroids;
    centroids.columns = clusters.front().mean.size();
    for (std::size_t l = 0; l < clusters.size(); ++l)
    {
        if (observer == device || m_game.showsAllCentroids ||
            m_game.trust[device](observer, l) != 0)
        {
            centroids.values.insert(
                centroids.values.end(), clusters[l].mean.begin(), clusters[l].mean.end());
            ++centroids.rows;
        }
    }
    return centroids;
}

void
LatentPlay::Allot(uint32_t transmitter)
{
    const Matrix<uint8_t>& trust = m_game.trust[transmitter];
    std::vector<uint32_t> sizes;
    for (const GaussianCluster& cluster : m_gaussians[transmitter])
    {
        sizes.push_back(cluster.count);
    }
    const std::vector<uint32_t>& receivers = m_receivers[transmitter];
    std::vector<std::vector<uint8_t>> trusted;
    for (const uint32_t receiver : receivers)
    {
        trusted.emplace_back(trust.Row(receiver), trust.Row(receiver) + trust.columns);
        if (m_game.requested[receiver] == 0)
        {
            trusted.back().assign(trust.columns, 0); // asks for nothing, so no share is kept for it
        }
    }
    const std::vector<std::vector<uint32_t>> shares =
        ShareClusters(sizes, m_game.thresholds[transmitter], trusted);
    for (std::size_t k = 0; k < receivers.size(); ++k)
    {
        const std::vector<uint32_t>& requests = m_requests[transmitter][receivers[k]];
        for (std::size_t l = 0; l < sizes.size(); ++l)
        {
            m_allotted[receivers[k]][l] = std::min(requests[l], shares[k][l]);
        }
        Score(receivers[k]);
    }
}

void
LatentPlay::Score(uint32_t device)
{
    m_after[device] = m_game.clusters[device];
    double outage = 0;
    if (m_peers[device] == NO_PEER)
    {
        std::fill(m_allotted[device].begin(), m_allotted[device].end(), 0);
    }
    else
    {
        const std::vector<GaussianCluster> sent = GetSent(device);
        m_after[device] =
            m_seed
                ? AddSampledPoints(m_after[device], sent, SplitMix64(*m_seed ^ SplitMix64(device)))
                : AddExpectedPoints(m_after[device], sent);
        outage = m_game.outage(device, m_peers[device]);
    }
    m_scores[device] = ScoreClusters(m_game.clusters[device], m_after[device]);
    m_localRewards[device] = GetLocalReward(m_scores[device], outage, m_game.reward);
}

void
LatentPlay::Move(uint32_t receiver, uint32_t peer)
{
    if (m_peers[receiver] != NO_PEER)
    {
        std::vector<uint32_t>& others = m_receivers[m_peers[receiver]];
        others.erase(std::lower_bound(others.begin(), others.end(), receiver));
    }
    m_peers[receiver] = peer;
    if (peer != NO_PEER)
    {
        std::vector<uint32_t>& others = m_receivers[peer];
        others.insert(std::lower_bound(others.begin(), others.end(), receiver), receiver);
    }
}

std::vector<GaussianCluster>
LatentPlay::GetSent(uint32_t receiver) const
{
    std::vector<GaussianCluster> sent;
    for (std::size_t l = 0; l < m_allotted[receiver].size(); ++l)
    {
        if (m_allotted[receiver][l] > 0)
        {
            sent.push_back(m_gaussians[m_peers[receiver]][l]);
            sent.back().count = m_allotted[receiver][l];
        }
    }
    return sent;
}

} // namespace collab
} // namespace ns3
