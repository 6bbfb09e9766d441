/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_DEFENSE_H
#define GOSSIP_DEFENSE_H

#include "ns3/gossip-averaging.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How a device mixes models of its neighbors, of which some may be forged, into its own.
class GossipDefense
{
  public:
    virtual ~GossipDefense() = default;

    /// @param own x_i, d weights
    /// @param neighbors w_ij and x_j of those that have come
    /// @return the mixed model
    /// @throws std::invalid_argument if a weight of a model is not finite
    virtual std::vector<float> Mix(const std::vector<float>& own,
                                   const std::vector<GossipTerm>& neighbors) const = 0;

    /// @param neighbors number of models that have come
    /// @param dimension d
    /// @return floating-point operations of Mix()
    virtual uint64_t CountFlops(uint64_t neighbors, uint64_t dimension) const = 0;

    /// @return whether it compares models with the own one, and so takes no changes of them
    virtual bool NeedsModels() const = 0;
};

/**
 * @brief Make a defense from its name and parameters.
 *
 * - "none": x_i + sum_j w_ij (x_j - x_i)
 * - "clipping:tau=T" or "clipping:f=F": x_i + sum_j w_ij clip(x_j - x_i), clip(z) = z min(1, tau /
 *   |z|), with tau = T, or FindClippingRadius() for f (He et al., arXiv:2202.01545: ClippedGossip)
 * - "nearest:f=F": the mean of the own model and those nearest to it, of all that have come but f;
 *   weights w_ij are not used (Farhadkhani et al., ICML 2023: MoNNA)
 *
 * @param specification "name" or "name:key=value"
 * @return the defense
 * @throws std::invalid_argument that lists the known names or keys, or what is allowed
 */
std::unique_ptr<const GossipDefense> MakeGossipDefense(const std::string& specification);

} // namespace ns3::collab

#endif /* GOSSIP_DEFENSE_H */
