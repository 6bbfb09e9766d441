/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_GRADIENT_ATTACK_H
#define COLLAB_GRADIENT_ATTACK_H

#include "ns3/collab-vector-stack.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What an attacker knows when it forges its update.
struct AttackKnowledge
{
    /// d elements that it would send if it were honest; may be null if the attack does not need it
    const float* own = nullptr;
    /// honest updates that it has seen; may be null if the attack does not need them
    const VectorStack* honest = nullptr;
    std::size_t dimension = 0; //!< d
    std::size_t count = 0;     //!< n, updates that the rule will get, forged ones too
    std::size_t byzantine = 0; //!< f, how many of these are forged
    uint64_t seed = 0;         //!< of what is random in the attack
};

/// @ingroup collab-learning
/// @brief A way to forge an update, chosen by name; a pure function of what the attacker knows.
class GradientAttack
{
  public:
    virtual ~GradientAttack() = default;

    /// @return whether Forge() reads the attacker's own update
    virtual bool NeedsOwn() const = 0;

    /// @return whether Forge() reads honest updates: of all honest devices for an attacker that
    /// knows all, or of the colluding ones as an estimate
    virtual bool NeedsHonest() const = 0;

    /// @param knowledge knowledge of the attacker
    /// @param[out] forged d elements
    /// @throws std::invalid_argument if knowledge that the attack needs is missing, does not fit
    /// together or is not finite
    virtual void Forge(const AttackKnowledge& knowledge, float* forged) const = 0;
};

/**
 * @brief Make an attack from its name and parameters.
 *
 * With the attacker's own update g:
 * - "scaling:low=A,high=B,shared=0": each element times its own draw from [A, B), default
 *   [0.5, 1); with shared=1 all elements times one draw
 * - "back-gradient:scale=S": -S g, default 1; the same as "sign-flip"
 * - "noise:sigma=S": g plus N(0, S^2) in each element, default 1
 *
 * With nothing:
 * - "same-value:value=V": all elements V, default 0
 * - "gaussian:mean=M,sigma=S": N(M, S^2) in each element, default N(0, 1) (Blanchard et al., NIPS
 *   2017, use sigma 200)
 *
 * With honest updates, whose coordinate-wise mean is mu and standard deviation (population) sigma:
 * - "alie:z=Z": mu - z sigma (Baruch et al., "A Little Is Enough", NeurIPS 2019); default z from n
 *   and f as in AlieFactor()
 * - "ipm:epsilon=E": -E mu, default 0.5 (inner-product manipulation: Xie et al., UAI 2020)
 * - "mimic": the first of the honest updates, sent by all (Karimireddy, He, Jaggi,
 * "Byzantine-Robust Learning on Heterogeneous Datasets via Bucketing", ICLR 2022, who choose the
 * one that stands out)
 *
 * @param specification "name" or "name:key=value,key=value"
 * @return the attack
 * @throws std::invalid_argument that lists the known names or keys, or what is allowed
 */
std::unique_ptr<const GradientAttack> MakeGradientAttack(const std::string& specification);

/// @return the names that MakeGradientAttack() knows, sorted
std::vector<std::string> GetGradientAttackNames();

/**
 * @brief The factor z of the attack "A Little Is Enough" (Baruch et al., algorithm 3).
 *
 * The greatest z with phi(z) < (n - f - s) / (n - f), where phi is the standard normal distribution
 * function and s = floor(n / 2 + 1) - f the honest updates that must be further out.
 *
 * @param count n
 * @param byzantine f
 * @return z
 * @throws std::invalid_argument if not 1 <= f < n / 2
 */
double AlieFactor(std::size_t count, std::size_t byzantine);

/// @brief Label flip: class l becomes classes - 1 - l.
/// @param labels labels to flip
/// @param classes number of classes
/// @return the flipped labels
/// @throws std::invalid_argument if a label is no class
std::vector<int64_t> FlipLabels(const std::vector<int64_t>& labels, uint32_t classes);

} // namespace ns3::collab

#endif /* COLLAB_GRADIENT_ATTACK_H */
