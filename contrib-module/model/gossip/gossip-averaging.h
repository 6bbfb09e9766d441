/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_AVERAGING_H
#define GOSSIP_AVERAGING_H

#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * The mathematics of gossip that averages models:
 * - CHOCO-SGD: Koloskova, Stich, Jaggi, "Decentralized Stochastic Optimization and Gossip
 *   Algorithms with Compressed Communication" (ICML 2019).
 * - Stochastic gradient push: Assran, Loizou, Ballas, Rabbat, "Stochastic Gradient Push for
 *   Distributed Deep Learning" (ICML 2019).
 * - Epidemic learning: de Vos, Farhadkhani, Guerraoui, Kermarrec, Pires, Sharma, "Epidemic
 *   Learning: Boosting Decentralized Learning with Randomized Communication" (NeurIPS 2023).
 * - DFedAvgM: Sun, Li, Wang, "Decentralized Federated Averaging" (arXiv:2104.11375, 2021).
 * - Decentralized SGD over the air: Xing, Simeone, Bi (IEEE JSAC 39(12), 2021).
 * - Teleportation: Takezawa, Stich, "Scalable Decentralized Learning with Teleportation" (ICLR
 *   2025).
 */

/// @brief Weight of a neighbor by Metropolis and Hastings, 1 / (1 + max(d_i, d_j)): with the rest
/// for the device itself they are symmetric and doubly stochastic.
/// @param own d_i, number of the device's neighbors
/// @param other d_j, number of the neighbor's
/// @return w_ij
double GetMetropolisWeight(uint32_t own, uint32_t other);

/// @ingroup collab
/// @brief A neighbor's vector and its weight.
struct GossipTerm
{
    double weight = 0; //!< w_ij
    FlatVector values; //!< v_j
};

/**
 * @brief Move a model by weighted differences of vectors: x + gamma sum_j w_ij (v_j - v_i).
 *
 * @param start x, d weights
 * @param own v_i, d numbers
 * @param neighbors w_ij and v_j of those that are known
 * @param step gamma
 * @return the moved model
 */
std::vector<float> MixTerms(const std::vector<float>& start,
                            const std::vector<float>& own,
                            const std::vector<GossipTerm>& neighbors,
                            double step);

/**
 * @brief Move a model by means that were received over the air: x + W (m - x), with another W for
 * each block of numbers.
 *
 * @param own x, d weights
 * @param means m, as many
 * @param weights W of each block, the sum of the weights of those that were received in it
 * @param blockValues numbers of each block but the last
 * @return the moved model
 */
std::vector<float> MixSuperposed(const std::vector<float>& own,
                                 const std::vector<float>& means,
                                 const std::vector<double>& weights,
                                 std::size_t blockValues);

/// @param start x
/// @param change as many numbers
/// @return x + change
FlatVector AddVectors(const std::vector<float>& start, const std::vector<float>& change);
/// @param end y
/// @param start x, as many numbers
/// @return y - x
FlatVector SubtractVectors(const std::vector<float>& end, const std::vector<float>& start);

/// @brief Draw whom a device sends its model to in a round: peers drawn uniformly, without
/// replacement (de Vos et al., algorithm 1, line 4).
/// @param devices all devices, ascending
/// @param device one of them
/// @param count s; as many as there are others at most
/// @param seed shared
/// @param round of the draw
/// @return the peers, ascending
std::vector<uint32_t> DrawReceivers(const std::vector<uint32_t>& devices,
                                    uint32_t device,
                                    uint32_t count,
                                    uint64_t seed,
                                    uint32_t round);

/// @brief Draw who takes part in a round, uniformly, without replacement, in random order.
/// @param devices all devices
/// @param count of those who do, at most as many
/// @param seed shared
/// @param round of the draw
/// @return the drawn ones
std::vector<uint32_t> DrawOrdered(const std::vector<uint32_t>& devices,
                                  uint32_t count,
                                  uint64_t seed,
                                  uint32_t round);

/// @brief Distance from a sender to its receiver in the directed exponential graph, in which each
/// device sends to one other in a round (Assran et al., appendix A).
/// @param devices n, at least 2
/// @param round k
/// @return 2^(k mod (1 + floor(log2(n - 1))))
std::size_t GetExponentialHop(std::size_t devices, uint32_t round);

/// @ingroup collab
/// @brief Push-sum's numerators and weight, whose ratio is the model: z = x / w.
struct GossipMass
{
    std::vector<double> x; //!< numerators
    double w = 1;          //!< weight; positive
};

/**
 * @brief Take a local step and keep half of the mass: x <- (x + w (z' - z)) / 2, w <- w / 2.
 *
 * Assran et al., algorithm 1, lines 4 and 5, with p = 1/2, have x + (z' - z). On their graphs w is
 * always 1 and both are the same. Where messages are lost w falls below 1, and without the factor
 * the model z would step 1 / w times as far.
 *
 * @param mass x and w
 * @param before z, the model before the local steps
 * @param after z', the model since
 * @return half of the mass; the other half is to be sent
 */
GossipMass StepAndHalve(const GossipMass& mass,
                        const std::vector<float>& before,
                        const std::vector<float>& after);

/// @param mass x and w
/// @return z = x / w
std::vector<float> GetRatio(const GossipMass& mass);

} // namespace ns3::collab

#endif /* GOSSIP_AVERAGING_H */
