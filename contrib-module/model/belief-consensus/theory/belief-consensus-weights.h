/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_WEIGHTS_H
#define BELIEF_CONSENSUS_WEIGHTS_H

#include "belief-consensus-topology.h"

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * The social interaction matrix W of Lalitha et al., section 2: W_ij is the confidence of user i in
 * what it hears from user j, positive if and only if j is in N(i), and W_ii is what the others
 * leave of 1 (printed with j = i in the sum).
 */

/// @ingroup collab
/// @brief How users weigh those whom they hear.
enum class WeightRule : uint8_t
{
    UNIFORM,     //!< 1 / (|N(i)| + 1), as much as oneself
    METROPOLIS,  //!< 1 / (1 + greater one of both users' numbers of neighbors); undirected only
    RELIABILITY, //!< g_ij / (1 + sum of all g_il), g the probability that a message arrives
    CONFIDENCE,  //!< star only: a on the center, and the center 1 / N on everybody
    GIVEN,       //!< a matrix of the user's own
};

/// @ingroup collab
/// @brief A row of W: non-negative weights that sum to 1.
struct WeightRow
{
    double self = 1;               //!< W_ii
    std::vector<double> neighbors; //!< W_ij in the order of N(i)
};

/// @param neighborCount |N(i)|
/// @return row of WeightRule::UNIFORM
WeightRow MakeUniformRow(std::size_t neighborCount);

/// @param neighborDegrees by neighbor: how many neighbors it has itself, at least one
/// @return row of WeightRule::METROPOLIS of a user with so many neighbors
/// @throws std::invalid_argument if a neighbor has none: the graph is directed
WeightRow MakeMetropolisRow(const std::vector<uint32_t>& neighborDegrees);

/// @param lossProbabilities by neighbor: P_D, the probability that its message is lost; from 0 to 1
/// @return row of WeightRule::RELIABILITY. Weights of those never heard are 0
/// @throws std::invalid_argument if one is not a probability
WeightRow MakeReliabilityRow(const std::vector<double>& lossProbabilities);

/// @param users N
/// @param user index of the user in a star; 0 is the center
/// @param confidence a, the weight of the center at all others; from 0 to 1
/// @return row of WeightRule::CONFIDENCE
/// @throws std::invalid_argument if the confidence is not in that range or there is no such user
WeightRow MakeConfidenceRow(uint32_t users, uint32_t user, double confidence);

/// @ingroup collab
/// @brief What rules of weights know beside the graph.
struct WeightSettings
{
    WeightRule rule = WeightRule::UNIFORM; //!< every user's
    Matrix<double> lossProbabilities; //!< P_D of what row's user hears of column's; RELIABILITY
    double confidence = 0.5;          //!< a; CONFIDENCE
    Matrix<double> given;             //!< W itself; GIVEN
};

/// @param neighborhoods by user
/// @param settings rule and what it needs
/// @return W, with rows as the functions above make them
/// @throws std::invalid_argument if the rule does not have this graph (METROPOLIS: directed,
/// CONFIDENCE: no star), or what it needs is missing, of another size or improper; if GIVEN has a
/// positive weight of somebody who is not heard
Matrix<double> MakeWeights(const Neighborhoods& neighborhoods, const WeightSettings& settings);

/// @brief Check that a matrix is row-stochastic.
/// @param w of any shape
/// @throws std::invalid_argument that says what is wrong and where: empty, not square, an element
/// not from 0 to 1, or a row whose sum is more than 1e-9 away from 1
void CheckWeights(const Matrix<double>& w);

/// @param w row-stochastic matrix
/// @return by user i the others j with W_ij > 0
Neighborhoods ComputeNeighborhoods(const Matrix<double>& w);

/// @ingroup collab
/// @brief Whether information spreads everywhere and settles: Assumption 2.
struct GraphReport
{
    uint32_t components = 0; //!< strongly connected ones
    uint32_t closed = 0;     //!< of these, those that hear nobody outside
    /// Greatest common divisor of the lengths of all cycles, W_ii > 0 being one of length 1; of
    /// several components the least common multiple of theirs. 1 for a user without any.
    uint64_t period = 0;
    std::vector<uint32_t> sources; //!< users of closed components, ascending: whose data counts
    std::string problem; //!< a sentence for whoever made the graph; empty if there is none

    /// @return whether everybody's belief reaches everybody: W is irreducible
    bool
    IsStronglyConnected() const
    {
        return components == 1;
    }

    /// @return whether the powers of W converge as far as periods are concerned
    bool
    IsAperiodic() const
    {
        return period == 1;
    }
};

/// @param w row-stochastic matrix
/// @return whether Assumption 2 holds of the graph of its positive elements
GraphReport CheckGraph(const Matrix<double>& w);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_WEIGHTS_H */
