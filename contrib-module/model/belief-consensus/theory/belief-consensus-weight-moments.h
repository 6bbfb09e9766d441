/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_WEIGHT_MOMENTS_H
#define BELIEF_CONSENSUS_WEIGHT_MOMENTS_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The mean of the weights W_t with which users have pooled, and how fast they agree by it.
 *
 * For W that changes from instant to instant: users leave, return and move. A user without a row in
 * an instant took no part: it keeps its belief, and has no sample.
 */
class WeightMoments
{
  public:
    /// A row of W_t: users and their weights, which sum to 1
    using Row = std::vector<std::pair<uint32_t, double>>;

    /// @param users N
    explicit WeightMoments(std::size_t users);

    /// @param instant t, in any order
    /// @param user i, once an instant
    /// @param row W_ij that are not 0
    void Add(uint32_t instant, uint32_t user, const Row& row);

    /// @return instants up to the last one with a row
    std::size_t CountInstants() const;
    /// @return E[W_t], row-stochastic
    /// @throws std::invalid_argument if there is no row, as the others do
    Matrix<double> GetMean() const;
    /// @return by user: share of instants in which it took part
    std::vector<double> GetPresence() const;
    /**
     * @brief By how much disagreement shrinks in an instant, in the mean square.
     *
     * The greatest eigenvalue rho of E[W_t' (I - J) W_t] on what sums to 0, J = 1 1' / N: with W_t
     * that are independent of one another, E |(I - J) x_t|^2 <= rho^t |(I - J) x_0|^2. Of doubly
     * stochastic W_t the second greatest eigenvalue of E[W_t' W_t] (Boyd, Ghosh, Prabhakar and
     * Shah, "Randomized Gossip Algorithms", IEEE Transactions on Information Theory 52, 2006).
     *
     * @return rho; 0 for one user
     */
    double ComputeContraction() const;

  private:
    /// What is known of an instant
    struct Instant
    {
        std::vector<bool> isThere; //!< by user: whether it took part
        std::vector<double> sums;  //!< of the columns of the rows that are known
    };

    std::size_t m_users;             //!< N
    std::vector<Instant> m_instants; //!< by number
    Matrix<double> m_sum;            //!< of the rows that are known
    Matrix<double> m_products;       //!< sum of their outer products
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_WEIGHT_MOMENTS_H */
