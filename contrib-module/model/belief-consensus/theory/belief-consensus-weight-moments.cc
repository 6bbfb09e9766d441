/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-weight-moments.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Dense>
#include <algorithm>

namespace ns3::collab
{

WeightMoments::WeightMoments(std::size_t users)
    : m_users(users),
      m_sum(users, users),
      m_products(users, users)
{
    CheckArgument(users > 0, "weights of no users");
}

void
WeightMoments::Add(uint32_t instant, uint32_t user, const Row& row)
{
    if (instant >= m_instants.size())
    {
        m_instants.resize(instant + 1, {std::vector<bool>(m_users), std::vector<double>(m_users)});
    }
    Instant& now = m_instants[instant];
    CheckArgument(user < m_users && !now.isThere[user],
                  "a row of user {} in instant {}: one of each of {} users is expected",
                  user,
                  instant,
                  m_users);
    now.isThere[user] = true;
    for (const auto& [peer, weight] : row)
    {
        CheckArgument(peer < m_users, "a weight of user {} of {}", peer, m_users);
        m_sum(user, peer) += weight;
        now.sums[peer] += weight;
        for (const auto& [other, otherWeight] : row)
        {
            m_products(peer, other) += weight * otherWeight;
        }
    }
}

std::size_t
WeightMoments::CountInstants() const
{
    return m_instants.size();
}

Matrix<double>
WeightMoments::GetMean() const
{
    const std::vector<double> presence = GetPresence();
    Matrix<double> mean = m_sum;
    for (double& weight : mean.values)
    {
        weight /= static_cast<double>(m_instants.size());
    }
    for (std::size_t user = 0; user < m_users; ++user)
    {
        mean(user, user) += 1 - presence[user];
    }
    return mean;
}

std::vector<double>
WeightMoments::GetPresence() const
{
    CheckArgument(!m_instants.empty(), "weights of no instant");
    std::vector<double> presence(m_users);
    for (const auto& instant : m_instants)
    {
        std::transform(presence.begin(),
                       presence.end(),
                       instant.isThere.begin(),
                       presence.begin(),
                       [](double count, bool isThere) { return count + (isThere ? 1 : 0); });
    }
    for (double& share : presence)
    {
        share /= static_cast<double>(m_instants.size());
    }
    return presence;
}

double
WeightMoments::ComputeContraction() const
{
    CheckArgument(!m_instants.empty(), "weights of no instant");
    const auto users = static_cast<Eigen::Index>(m_users);
    const auto instants = static_cast<double>(m_instants.size());
    // W' W is the sum of its rows' outer products, and W' J W that of its columns' sums over N
    Eigen::MatrixXd spread =
        Eigen::Map<const Eigen::MatrixXd>(m_products.values.data(), users, users);
    for (const auto& instant : m_instants)
    {
        Eigen::VectorXd sums = Eigen::Map<const Eigen::VectorXd>(instant.sums.data(), users);
        for (Eigen::Index user = 0; user < users; ++user)
        {
            const double kept = instant.isThere[user] ? 0 : 1; // its own belief
            sums(user) += kept;
            spread(user, user) += kept;
        }
        spread -= sums * sums.transpose() / static_cast<double>(m_users);
    }
    const Eigen::MatrixXd rest =
        Eigen::MatrixXd::Identity(users, users).array() - 1 / static_cast<double>(m_users);
    const Eigen::MatrixXd mean = rest * spread * rest / instants;
    return std::max(0.0,
                    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mean, Eigen::EigenvaluesOnly)
                        .eigenvalues()
                        .maxCoeff());
}

} // namespace ns3::collab
