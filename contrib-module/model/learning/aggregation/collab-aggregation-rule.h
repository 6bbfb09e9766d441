/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_AGGREGATION_RULE_H
#define COLLAB_AGGREGATION_RULE_H

#include "ns3/collab-vector-stack.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief A way to make one vector of the vectors of several devices, chosen by name.
 *
 * Immutable: any number of threads may use one. The rules themselves are functions, which can be
 * called without this class: collab-coordinate-aggregation.h, collab-krum.h,
 * collab-geometric-median.h and collab-mixing-aggregation.h.
 */
class AggregationRule
{
  public:
    virtual ~AggregationRule() = default;

    /// @param count n, number of vectors
    /// @throws std::invalid_argument if the rule cannot keep its promise with so few
    virtual void CheckCount(std::size_t count) const = 0;

    /// @param vectors n vectors of d elements
    /// @param weights n weights, such as numbers of samples; only "mean" and "geometric-median" use
    /// them, and they need not add up to 1
    /// @param[out] result d elements; of no use if the function throws
    /// @throws std::invalid_argument if n is too small, if an element is not finite or if a weight
    /// that is used is not allowed
    virtual void Aggregate(const VectorStack& vectors,
                           const std::vector<double>& weights,
                           float* result) const = 0;

    /// @return whether AggregateFrom() is different from Aggregate()
    virtual bool StartsFromLast() const;
    /// @brief Aggregate(), by a rule that starts from what it has made of the vectors before these.
    /// @param vectors n vectors of d elements
    /// @param weights n weights
    /// @param last d elements that were the result last; null, which stands for 0, if there is none
    /// @param[out] result d elements; of no use if the function throws
    /// @throws std::invalid_argument as Aggregate()
    virtual void AggregateFrom(const VectorStack& vectors,
                               const std::vector<double>& weights,
                               const float* last,
                               float* result) const;
};

/**
 * @brief Make a rule from its name and parameters.
 *
 * f is the number of Byzantine vectors that the rule has to bear.
 * - "mean": weighted mean; f = 0 always
 * - "median:f=F": coordinate-wise median; n >= 2 f + 1, default f = 0
 * - "trimmed-mean:b=B" or "trimmed-mean:beta=X": b, or floor(beta n), dropped on each side;
 *   b >= 0, 0 <= beta < 0.5, n > 2 b; bears f <= b
 * - "krum:f=F": n >= 2 f + 3
 * - "multi-krum:f=F,m=M": n >= 2 f + 3, m from 1 to n - f, default n - f - 2
 * - "geometric-median:f=F,nu=X,tolerance=X,iterations=N": n >= 2 f + 1, default f = 0; the others
 *   as in GeometricMedianOptions
 * - "centered-clipping:tau=T,iterations=L": ClipAround() from what it has made last, default L = 1
 *
 * What is done to the vectors before the rule gets them stands before it, with a plus sign, as in
 * "arc:f=2+nnm:f=2+median:f=2":
 * - "nnm:f=F": MixNearest(); n >= 2 f + 1
 * - "arc:f=F": ClipAdaptively(); n >= 2 f + 1
 *
 * @param specification "name" or "name:key=value,key=value", or several with plus signs
 * @return the rule
 * @throws std::invalid_argument that lists the known names or keys, or what is allowed
 */
std::unique_ptr<const AggregationRule> MakeAggregationRule(const std::string& specification);

/// @return the names of the rules that MakeAggregationRule() knows, sorted
std::vector<std::string> GetAggregationRuleNames();

} // namespace ns3::collab

#endif /* COLLAB_AGGREGATION_RULE_H */
