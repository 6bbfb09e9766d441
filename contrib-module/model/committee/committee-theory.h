/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_THEORY_H
#define COMMITTEE_THEORY_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * What Che et al., "A Decentralized Federated Learning Framework via Committee Mechanism with
 * Convergence Guarantee" (IEEE TPDS 2022) prove of convergence, as checks. Clients are indices from
 * 0 to K - 1 here.
 */

/// @ingroup collab
/// @brief Constants of Theorem 1, by the names of the paper's assumptions.
struct ConvergenceConstants
{
    double smoothness = 0;      //!< L of Assumption 1
    double convexity = 0;       //!< mu of Assumption 2
    double localSteps = 1;      //!< tau
    double gradientSquare = 0;  //!< G^2 of Assumption 4
    double variance = 0;        //!< sum_k p_k sigma_k^2 of Assumption 3
    double objectiveSpread = 0; //!< kappa^2 of Assumption 5
    double heterogeneity = 0;   //!< Gamma of Definition 1
    double gapMin = 0;          //!< phi_min of Definition 2
    double gapMax = 0;          //!< phi_max of Definition 2
    double startSquare = 0;     //!< squared distance of the first model from the best one
};

/// @brief eta_t = 1 / (mu (t + gamma)) with gamma = 4 L / mu.
/// @param smoothness L
/// @param convexity mu
/// @param round t, from 1
/// @return the learning rate of Theorem 1
/// @throws std::invalid_argument if not 0 < mu <= L
double ComputeConvergentRate(double smoothness, double convexity, uint64_t round);

/// @brief The right side of Theorem 1: what E[F(w^T)] - F* does not exceed.
/// @param constants of the problem and the selection
/// @param rounds T
/// @return the bound; +infinity if phi_min is 0
/// @throws std::invalid_argument if not 0 < mu <= L, or if a constant is negative
double ComputeConvergenceBound(const ConvergenceConstants& constants, uint64_t rounds);

/// @brief Gamma = F* - sum_k p_k F_k* (Definition 1).
/// @param optimum F*
/// @param weights p_k, adding up to 1
/// @param localOptima F_k*
/// @return Gamma
/// @throws std::invalid_argument if the sizes differ or there is no client
double ComputeHeterogeneity(double optimum,
                            const std::vector<double>& weights,
                            const std::vector<double>& localOptima);

/**
 * @ingroup collab
 * @brief phi(S_a, w) of Definition 2 along a run, and its least value.
 *
 * phi_min is the minimum over the sets and models that have been added, w* among them; phi_max is
 * the maximum over the sets at w*. Both describe one run; the expectation over runs is the
 * caller's.
 */
class AggregationGap
{
  public:
    /// @param weights p_k of all clients, adding up to 1
    /// @param localOptima F_k*, the least loss of each client
    /// @param committee C, the size of the optimal committee: clients with the least F_k*
    /// @throws std::invalid_argument if the sizes differ, or not 0 < C <= K
    AggregationGap(std::vector<double> weights,
                   std::vector<double> localOptima,
                   std::size_t committee);

    /// @brief phi(S_a, w).
    /// @param aggregated indices of the clients of S_a
    /// @param losses F_k(w) of all clients
    /// @return the gap
    /// @throws std::invalid_argument if there is no client in S_a, an index is too large or F(w) is
    /// sum_k p_k F_k*, where it is not defined
    double Compute(const std::vector<std::size_t>& aggregated,
                   const std::vector<double>& losses) const;

    /// @brief Take one round into phi_min and phi_max.
    /// @param aggregated indices of the clients of S_a
    /// @param losses F_k(w) of all clients at the round's model
    /// @param lossesAtOptimum F_k(w*) of all clients
    /// @throws std::invalid_argument as Compute() does
    void Add(const std::vector<std::size_t>& aggregated,
             const std::vector<double>& losses,
             const std::vector<double>& lossesAtOptimum);

    /// @brief The difference that Assumption 5 bounds.
    /// @param aggregated indices of the clients of S_a
    /// @return |sum_{S_a} p F_k* - sum_{S_c*} p F_k*|, which kappa^2 bounds
    double ComputeObjectiveSpread(const std::vector<std::size_t>& aggregated) const;

    /// @return phi_min; +infinity before the first round
    double
    GetMin() const
    {
        return m_min;
    }

    /// @return phi_max; 0 before the first round
    double
    GetMax() const
    {
        return m_max;
    }

  private:
    /// @return mean of one number a client, weighted by p within a set of clients
    double MeanWithin(const std::vector<std::size_t>& clients,
                      const std::vector<double>& values) const;

    std::vector<double> m_weights;                          //!< p_k
    std::vector<double> m_localOptima;                      //!< F_k*
    double m_committeeOptimum = 0;                          //!< sum over S_c* of p F_k*
    double m_meanOptimum = 0;                               //!< sum_k p_k F_k*
    double m_min = std::numeric_limits<double>::infinity(); //!< see GetMin()
    double m_max = 0;                                       //!< see GetMax()
};

} // namespace ns3::collab

#endif /* COMMITTEE_THEORY_H */
