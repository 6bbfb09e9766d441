/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-defense.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-mixing-aggregation.h"
#include "ns3/collab-specification.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <optional>

namespace ns3::collab
{

namespace
{

/// "none"
class NoDefense : public GossipDefense
{
  public:
    /// @param specification without parameters
    explicit NoDefense(const Specification& specification)
    {
        specification.CheckKeys();
    }

    std::vector<float>
    Mix(const std::vector<float>& own, const std::vector<GossipTerm>& neighbors) const override
    {
        return MixTerms(own, own, neighbors, 1);
    }

    uint64_t
    CountFlops(uint64_t neighbors, uint64_t dimension) const override
    {
        return (3 * neighbors + 2) * dimension;
    }

    bool
    NeedsModels() const override
    {
        return false;
    }
};

/// @param first a model
/// @param neighbors others of its size
/// @return all of them, the first one first
VectorStack
StackModels(const std::vector<float>& first, const std::vector<GossipTerm>& neighbors)
{
    std::vector<const float*> rows = {first.data()};
    for (const auto& neighbor : neighbors)
    {
        rows.push_back(neighbor.values->data());
    }
    return VectorStack(std::move(rows), first.size());
}

/// "clipping"
class ClippingDefense : public GossipDefense
{
  public:
    /// @param specification with tau or f
    explicit ClippingDefense(Specification& specification)
        : m_byzantine(specification.GetCount("f", 0))
    {
        if (specification.Has("tau"))
        {
            m_radius = specification.GetNumber("tau", 0, 1e-30, 1e30);
        }
        specification.CheckKeys();
        CheckArgument(specification.Has("f") != m_radius.has_value(),
                      "defense clipping needs either tau=RADIUS or f=COUNT");
    }

    std::vector<float>
    Mix(const std::vector<float>& own, const std::vector<GossipTerm>& neighbors) const override
    {
        std::vector<double> distances = GetDistances(StackModels(own, neighbors), own.data());
        distances.erase(distances.begin()); // from itself
        const double radius = m_radius ? *m_radius : FindClippingRadius(distances, m_byzantine);
        std::vector<GossipTerm> clipped = neighbors;
        for (std::size_t j = 0; j < clipped.size(); ++j)
        {
            clipped[j].weight *= distances[j] > radius ? radius / distances[j] : 1;
        }
        return MixTerms(own, own, clipped, 1);
    }

    uint64_t
    CountFlops(uint64_t neighbors, uint64_t dimension) const override
    {
        return (6 * neighbors + 2) * dimension; // distances and the sum
    }

    bool
    NeedsModels() const override
    {
        return true;
    }

  private:
    std::size_t m_byzantine;        //!< f
    std::optional<double> m_radius; //!< tau, if it was given
};

/// "nearest"
class NearestDefense : public GossipDefense
{
  public:
    /// @param specification with f
    explicit NearestDefense(Specification& specification)
        : m_byzantine(specification.GetCount("f", 0))
    {
        specification.CheckKeys();
        CheckArgument(specification.Has("f"),
                      "defense nearest needs f=COUNT, the number of models to leave out");
    }

    std::vector<float>
    Mix(const std::vector<float>& own, const std::vector<GossipTerm>& neighbors) const override
    {
        return AverageNearest(
            StackModels(own, neighbors), 0, std::min(m_byzantine, neighbors.size()));
    }

    uint64_t
    CountFlops(uint64_t neighbors, uint64_t dimension) const override
    {
        return (4 * neighbors + 1) * dimension; // distances and the sum
    }

    bool
    NeedsModels() const override
    {
        return true;
    }

  private:
    std::size_t m_byzantine; //!< f
};

} // namespace

std::unique_ptr<const GossipDefense>
MakeGossipDefense(const std::string& specification)
{
    Specification parsed("defense", specification);
    if (parsed.GetName() == "none")
    {
        return std::make_unique<NoDefense>(parsed);
    }
    if (parsed.GetName() == "clipping")
    {
        return std::make_unique<ClippingDefense>(parsed);
    }
    if (parsed.GetName() == "nearest")
    {
        return std::make_unique<NearestDefense>(parsed);
    }
    parsed.RefuseName({"clipping", "nearest", "none"});
}

} // namespace ns3::collab
