/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_BELIEF_H
#define BELIEF_CONSENSUS_BELIEF_H

#include "ns3/collab-metric.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * Beliefs of Lalitha et al., "Fully Decentralized Federated Learning" (NeurIPS 2018 workshop on
 * Bayesian Deep Learning), whose equations are cited by their numbers.
 */

/**
 * @ingroup collab
 * @brief A belief that nobody changes any more: the numbers of its family; see BeliefModel.
 *
 * Of another family's or size's belief nothing may be asked.
 */
using Belief = std::shared_ptr<const std::vector<double>>;

/// @ingroup collab
/// @brief A belief and its share in a pool.
struct WeightedBelief
{
    Belief belief;     //!< what somebody believes
    double weight = 0; //!< not negative; those of a pool sum to 1
};

/// @ingroup collab
/// @brief How beliefs are merged.
enum class BeliefPooling : uint8_t
{
    LOGARITHMIC,             //!< (3): the weighted geometric mean
    CLIPPED,                 //!< (3), and who is too far away from the own belief weighs less
    MOMENT,                  //!< the weighted mixture, or its Gaussian of equal moments
    WASSERSTEIN,             //!< the Wasserstein barycenter of Gaussians
    COVARIANCE_INTERSECTION, //!< of Gaussians: (3) with the weights of least determinant
};

/// @ingroup collab
/// @brief What a user tells others instead of its belief.
enum class BeliefLie : uint8_t
{
    NONE,               //!< the truth
    WRONG,              //!< a belief in something else
    OVERCONFIDENT,      //!< its own, as if it had seen several times as much data
    VETO,               //!< minus infinity for the truth
    NOT_A_NUMBER,       //!< NaN
    NEGATIVE_PRECISION, //!< what no distribution has
    SILENCE,            //!< nothing
};

/// @ingroup collab
/// @brief Numbers are no belief: not finite, too many, too few, or without a distribution.
class ImproperBelief : public std::invalid_argument
{
  public:
    using std::invalid_argument::invalid_argument;
};

/**
 * @ingroup collab
 * @brief A user of a family of beliefs: its data, its updates, and what is measured of it.
 *
 * A family is one subclass. A model belongs to one user and is called by one thread at a time, but
 * not always by the same one; its results depend on its seed and on the calls made so far. Methods
 * that are const may be called beside one another.
 *
 * Counts of floating-point operations are exact for the formulas as written, with one for each
 * addition, product, division, comparison, exponential, logarithm and square root.
 */
class BeliefModel
{
  public:
    virtual ~BeliefModel() = default;

    /// @return whether all that it computes takes the host less than handing it to a thread would
    virtual bool IsLight() const = 0;

    /// @return rho^(0)
    virtual Belief
    GetPrior() const
    {
        return m_prior;
    }

    /// @brief The local Bayesian update, (2), or (5) for networks.
    /// @param prior rho^(k-1)
    /// @param instant k, from 0; each is asked for once, ascending
    /// @return b^(k); improper only if the prior is, or numbers overflow
    virtual Belief Update(const Belief& prior, uint32_t instant) = 0;

    /// @brief Let likelihoods have the power 1 / v, beside that of the configuration, from now on.
    /// @param influence estimate of v_i; positive
    virtual void
    SetInfluence(double influence)
    {
        m_power = 1 / influence;
    }

    /// @param instant k, from 0
    /// @return floating-point operations of Update()
    virtual uint64_t CountUpdateFlops(uint32_t instant) const = 0;

    /// @brief Change the weights where a rule chooses them itself.
    /// @param[in,out] beliefs at least one, all proper
    /// @param pooling the rule
    /// @return one that merges with these weights: of Gaussians LOGARITHMIC for
    /// COVARIANCE_INTERSECTION, else the same
    virtual BeliefPooling
    ChooseWeights(std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const
    {
        static_cast<void>(beliefs);
        return pooling;
    }

    /// @brief Merge beliefs: the consensus step, (3), or another rule.
    /// @param beliefs at least one, all proper; the first one is the user's own
    /// @param pooling the rule; CLIPPED as LOGARITHMIC: weights are clipped before
    /// @return the pool; improper only if numbers overflow
    /// @throws std::invalid_argument if the family does not have the rule
    virtual Belief Pool(const std::vector<WeightedBelief>& beliefs,
                        BeliefPooling pooling) const = 0;

    /// @param beliefs number of beliefs
    /// @param pooling the rule
    /// @return floating-point operations of Pool(), of as many iterations as it makes at the most
    virtual uint64_t CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const = 0;

    /// @brief How far two beliefs are from each other, for CLIPPED.
    /// @param first a proper belief
    /// @param second another one
    /// @return discrete: the greatest less the least element of the difference of logarithms [nat];
    /// others: the square root of the Jeffreys divergence [sqrt(nat)]
    virtual double GetDistance(const Belief& first, const Belief& second) const = 0;
    /// @return floating-point operations of GetDistance()
    virtual uint64_t CountDistanceFlops() const = 0;

    /// @return count of the numbers in which a belief travels
    virtual std::size_t
    GetWireCount() const
    {
        return m_prior->size();
    }
    /// @return whether a belief is the numbers in which it travels, each of use without the others,
    /// and a pool the weighted sum of each
    virtual bool
    HasUnits() const
    {
        return false;
    }
    /// @return whether they travel in double precision unless one asks for single
    virtual bool
    IsDouble() const
    {
        return true;
    }
    /// @param belief a proper belief
    /// @return the numbers in which it travels, GetWireCount()
    virtual std::vector<double> ToWire(const Belief& belief) const = 0;
    /// @brief Decide whether what came can be believed.
    /// @param numbers as they came
    /// @return the belief
    /// @throws ImproperBelief that says what is wrong
    virtual Belief FromWire(const std::vector<double>& numbers) const = 0;
    /**
     * @brief As FromWire(), of numbers that nobody changes any more.
     *
     * All receivers of a broadcast have the same ones: a family whose beliefs are the numbers that
     * travel keeps them instead of a copy for each receiver.
     *
     * @param numbers as they came
     * @return the belief
     * @throws ImproperBelief that says what is wrong
     */
    virtual Belief
    FromSharedWire(const Belief& numbers) const
    {
        return FromWire(*numbers);
    }
    /// @param belief of this family and size
    /// @return whether it is a distribution: finite, with positive precision
    virtual bool IsProper(const Belief& belief) const = 0;

    /// @brief What a malicious user tells.
    /// @param lie neither NONE nor SILENCE
    /// @param strength WRONG: nats by which a wrong hypothesis is ahead (discrete); OVERCONFIDENT:
    /// how many times as much was seen; else not read
    /// @param belief what it believes; proper
    /// @return numbers for the wire, maybe improper ones
    /// @throws std::invalid_argument if the family has no such lie
    virtual std::vector<double> Forge(BeliefLie lie,
                                      double strength,
                                      const Belief& belief) const = 0;

    /// @return what Evaluate() measures
    virtual std::vector<Metric> GetMetrics() const = 0;
    /// @brief Measure a belief. Takes no simulated time: it is the researcher's, not the user's.
    /// @param belief a proper belief
    /// @return one value for each of GetMetrics(), in their order
    virtual std::vector<double> Evaluate(const Belief& belief) = 0;
    /// @param belief a proper belief
    /// @return its parameters by name, for pictures: probabilities, or mean and covariance; none if
    /// there are too many
    virtual std::vector<std::pair<std::string, double>> Describe(const Belief& belief) const = 0;

  protected:
    Belief m_prior;     //!< rho^(0), made by the constructor of the family
    double m_power = 1; //!< of likelihoods, beside that of the configuration
};

/// @brief The weighted sum of the numbers of beliefs.
/// @param beliefs at least one, all of one size
/// @return sum_j w_j b_j
inline std::vector<double>
SumBeliefs(const std::vector<WeightedBelief>& beliefs)
{
    std::vector<double> sum(beliefs.front().belief->size(), 0.0);
    for (const auto& [belief, weight] : beliefs)
    {
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            sum[i] += weight * (*belief)[i];
        }
    }
    return sum;
}

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_BELIEF_H */
