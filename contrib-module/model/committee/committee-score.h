/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SCORE_H
#define COMMITTEE_SCORE_H

#include "ns3/collab-vector-stack.h"

#include <boost/container/flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * The mathematics of the committee mechanism CMFL: Che, Li, Chen, He, Zheng, "A Decentralized
 * Federated Learning Framework via Committee Mechanism with Convergence Guarantee" (IEEE TPDS
 * 2022).
 *
 * A score is the inverse of a squared distance: from 0 for gradients infinitely far apart to
 * +infinity for equal ones, and never NaN.
 */

/// @ingroup collab
/// @brief Scores that one committee member gives, by training client; without those that it did
/// not hear.
using ClientScores = boost::container::flat_map<uint32_t, double>;

/// @ingroup collab
/// @brief Scores of all committee members that were heard, by member.
using ScoreTables = std::map<uint32_t, ClientScores>;

/// @ingroup collab
/// @brief How the scores that members give a client become its final score.
enum class ScoreCombination
{
    BY_RULE, //!< MEAN with QuorumRule::PAPER, MEDIAN with QuorumRule::BYZANTINE
    MEAN,    //!< the inverse of the mean squared distance, as the paper does: one member decides
    MEDIAN,  //!< the lower median; one of honest scores if fewer than half of the members lie
};

/// @ingroup collab
/// @brief Which gradients the committee accepts.
enum class SelectionStrategy
{
    SIMILAR,   //!< Selection Strategy I: those with the highest scores; robust
    DIFFERENT, //!< Selection Strategy II: those with the lowest scores; faster without attackers
};

/// @ingroup collab
/// @brief What the part of accepted gradients, alpha, is a part of.
enum class AlphaBase
{
    TRAINING, //!< of the training clients, as the paper writes
    ACTIVE,   //!< of all active clients, the committee too, as the authors' code has it
};

/// @ingroup collab
/// @brief Which training clients become the next committee.
enum class ElectionStrategy
{
    MIDDLE, //!< those around the middle of the ranking, as the paper does
    TOP,    //!< those with the highest scores
    RANDOM, //!< drawn by a pseudo-random function that all members share
};

/// @ingroup collab
/// @brief A training client and its final score.
struct RankedClient
{
    uint32_t client = 0; //!< number of its device
    double score = 0;    //!< P_k
};

/// @brief P_k^c = 1 / |g_k - g_c|^2.
/// @param gradient g_k of the training client, d elements
/// @param own g_c of the committee member, d elements
/// @param dimension d
/// @return the score; +infinity if the gradients are equal
/// @throws std::invalid_argument if an element is not finite
double ComputeScore(const float* gradient, const float* own, std::size_t dimension);

/// @param dimension number of elements of a gradient
/// @return floating-point operations of ComputeScore()
constexpr uint64_t
CountScoreFlops(uint64_t dimension)
{
    return 3 * dimension + 1;
}

/// @brief P_k = C / sum_c 1 / P_k^c, the inverse of the mean squared distance.
/// @param scores P_k^c of the members that scored the client
/// @return the final score
/// @throws std::invalid_argument if there is none, or one is negative or NaN
double CombineScores(const std::vector<double>& scores);

/**
 * @brief Sort training clients by their final scores.
 *
 * With MEDIAN the score of a member that did not hear the client is 0, the worst one: who leaves a
 * client out has no more influence than who lies about it.
 *
 * @param tables what the members gave
 * @param minimumScores scores that a client needs to be ranked at all
 * @param combination MEAN or MEDIAN
 * @return the clients, the highest score first; of equals the lowest number first
 * @throws std::invalid_argument as CombineScores() does
 */
std::vector<RankedClient> RankClients(const ScoreTables& tables,
                                      std::size_t minimumScores,
                                      ScoreCombination combination = ScoreCombination::MEAN);

/// @brief m = max(1, round(alpha n / 100)), the number of gradients to accept.
/// @param clients n, training clients
/// @param alphaPercent alpha, above 0 and at most 100
/// @return m; 0 if there are no clients
/// @throws std::invalid_argument if alpha is out of range
std::size_t CountAccepted(std::size_t clients, double alphaPercent);

/// @brief The aggregation set S_a.
/// @param ranking as RankClients() makes it
/// @param strategy which end of the ranking
/// @param count m
/// @return m clients, or all if there are fewer, ascending by number
std::vector<uint32_t> SelectClients(const std::vector<RankedClient>& ranking,
                                    SelectionStrategy strategy,
                                    std::size_t count);

/// @brief The next committee.
/// @param ranking as RankClients() makes it
/// @param strategy which part of the ranking; the middle is places floor((n - C) / 2) and on
/// @param count C
/// @param seed of the draw, for ElectionStrategy::RANDOM; the same on all members
/// @return C clients, ascending by number
/// @throws std::invalid_argument if fewer than C clients are ranked
std::vector<uint32_t> ElectCommittee(const std::vector<RankedClient>& ranking,
                                     ElectionStrategy strategy,
                                     std::size_t count,
                                     uint64_t seed);

/// @brief Draw clients so that it is no use to change who else is there.
///
/// Each client has a pseudo-random ticket of its own, and the lowest ones win. So who keeps a
/// client out of the ranking changes the place of that client only.
/// @param clients to draw from
/// @param count how many to draw
/// @param seed of the tickets
/// @return so many clients, or all if there are fewer, ascending
std::vector<uint32_t> DrawByTicket(std::vector<uint32_t> clients, std::size_t count, uint64_t seed);

/// @brief Draw devices by a pseudo-random function that all devices share.
/// @param devices to choose from, ascending
/// @param excluded ones that are not drawn, ascending, such as the committee
/// @param count how many to draw
/// @param seed of the draw, e.g. mixed of the run's seed and the round
/// @return so many devices, or all if there are fewer, ascending
std::vector<uint32_t> DrawDevices(const std::vector<uint32_t>& devices,
                                  const std::vector<uint32_t>& excluded,
                                  std::size_t count,
                                  uint64_t seed);

/**
 * @brief Limit what a client's word on its data size is worth.
 *
 * Nobody can check it, and it is the weight of the client's gradient: whoever says to have very
 * much data, and is aggregated, replaces the gradients of all others.
 *
 * @param samples data size of each client of the aggregation set, as it says
 * @param most largest weight, in medians (the lower of two) of all; 0 for no limit
 * @return weights: data sizes, but none larger than that
 */
std::vector<double> LimitSampleWeights(std::vector<double> samples, double most);

/**
 * @brief w - eta sum_k p_k g_k with p_k by data size within the aggregation set.
 *
 * The gradients' order decides the last bits: all members must use the same.
 *
 * @param weights w, d elements
 * @param gradients of the aggregation set
 * @param samples weight of each of its clients, by data size; not negative, not all 0
 * @param learningRate eta
 * @return the new weights
 * @throws std::invalid_argument if sizes differ or a number is not allowed
 */
std::vector<float> ApplyGradients(const std::vector<float>& weights,
                                  const VectorStack& gradients,
                                  const std::vector<double>& samples,
                                  double learningRate);

/// @param dimension number of weights
/// @param clients size of the aggregation set
/// @return floating-point operations of ApplyGradients()
constexpr uint64_t
CountApplyFlops(uint64_t dimension, std::size_t clients)
{
    return 2 * dimension * clients + 2 * dimension;
}

} // namespace ns3::collab

#endif /* COMMITTEE_SCORE_H */
