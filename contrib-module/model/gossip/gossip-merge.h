/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_MERGE_H
#define GOSSIP_MERGE_H

#include "ns3/collab-fields.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * The mathematics of learning without a server by gossip:
 * - BrainTorrent: Roy, Siddiqui, Poelsterl, Navab, Wachinger, "BrainTorrent: A Peer-to-Peer
 *   Environment for Decentralized Federated Learning" (arXiv:1905.06731, 2019).
 * - GossipFL: Tang, Shi, Li, Chu, "GossipFL: A Decentralized Federated Learning Framework with
 *   Sparsified and Adaptive Communication" (IEEE TPDS 2022).
 * - Segmented gossip: Hu, Jiang, Wang, "Decentralized Federated Learning: A Segmented Gossip
 *   Approach" (arXiv:1908.07782, 2019).
 */

/// @ingroup collab
/// @brief A part of a model that somebody else holds.
struct GossipPart
{
    std::size_t first = 0;         //!< index of its first weight
    const float* values = nullptr; //!< its weights
    std::size_t count = 0;         //!< number of its weights
    double samples = 0;            //!< data size of its holder; positive
    Arrival arrived = {};          //!< those of its weights whose values there are
};

/**
 * @brief Merge parts of others into a model, each weight by itself, weighted by data size.
 *
 * w_i <- (a w_i + sum_j a_j w_ij) / (a + sum_j a_j), the sums over the parts that have weight i:
 * the merging of BrainTorrent with whole models, and the segmented aggregation of Hu et al. A
 * weight of a part that has not come is left out, as if that part did not have it.
 *
 * @param own w, d weights
 * @param samples a, own data size; positive
 * @param parts of others, within d
 * @return the merged weights
 * @throws std::invalid_argument if a part reaches beyond the model, or a data size is not positive
 */
std::vector<float> MergeParts(const std::vector<float>& own,
                              double samples,
                              const std::vector<GossipPart>& parts);

/// @param dimension d
/// @param weights number of weights in all parts together
/// @return floating-point operations of MergeParts()
uint64_t CountMergeFlops(uint64_t dimension, uint64_t weights);

/// @param dimension d, number of weights
/// @param fraction of them to be exchanged; above 0, at most 1
/// @return round(fraction d), at least 1
/// @throws std::invalid_argument if the fraction is not allowed
uint32_t CountMasked(std::size_t dimension, double fraction);

/**
 * @brief GossipFL: the mean of two models where the mask is, the own one elsewhere.
 *
 * w <- w o (1 - m) + (w + v) / 2 o m.
 *
 * @param own w
 * @param mask m, indices ascending
 * @param values v at these indices
 * @return the merged weights
 * @throws std::invalid_argument if there are not as many values as indices
 */
std::vector<float> MergeMasked(const std::vector<float>& own,
                               const std::vector<uint32_t>& mask,
                               const std::vector<float>& values);

/// @param own w
/// @param mask indices, ascending
/// @return the weights at these indices
std::vector<float> SelectMasked(const std::vector<float>& own, const std::vector<uint32_t>& mask);

/// @param mask indices of weights that were sent, ascending
/// @param arrived those of them that have come
/// @return their indices
std::vector<uint32_t> SelectArrived(std::vector<uint32_t> mask, const Arrival& arrived);

/// @ingroup collab
/// @brief A range of weights of a model.
struct GossipSegment
{
    std::size_t first = 0; //!< index of its first weight
    std::size_t count = 0; //!< number of its weights
};

/// @param dimension d
/// @param segments S, at most d
/// @param index of a segment, below S
/// @return the segment; sizes differ by one weight at most
GossipSegment GetSegment(std::size_t dimension, uint32_t segments, uint32_t index);

/// @brief Draw from whom each segment is pulled: R different peers a segment.
/// @param peers to draw from
/// @param segments S
/// @param replicas R; as many as there are peers at most
/// @param seed of the draw
/// @return for each segment the peers, ascending
std::vector<std::vector<uint32_t>> DrawSources(const std::vector<uint32_t>& peers,
                                               uint32_t segments,
                                               uint32_t replicas,
                                               uint64_t seed);

/// @ingroup collab
/// @brief BrainTorrent: which versions of the models of others are part of the own one.
class VersionVector
{
  public:
    /// @param versions that peers have now, by peer; 0 for a model that was never trained
    /// @return peers whose model is newer than what was merged of it, ascending
    std::vector<uint32_t> GetNewer(const std::map<uint32_t, uint32_t>& versions) const;
    /// @brief A model has been merged.
    /// @param peer whose
    /// @param version of it
    void Note(uint32_t peer, uint32_t version);

  private:
    std::map<uint32_t, uint32_t> m_merged; //!< latest merged version, by peer
};

/// @brief Draw one device by a pseudo-random function that all devices share.
/// @param devices to draw from; not empty
/// @param seed shared
/// @param round of the draw
/// @return the device
uint32_t DrawDevice(const std::vector<uint32_t>& devices, uint64_t seed, uint32_t round);

} // namespace ns3::collab

#endif /* GOSSIP_MERGE_H */
