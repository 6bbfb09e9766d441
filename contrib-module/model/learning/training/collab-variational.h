/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_VARIATIONAL_H
#define COLLAB_VARIATIONAL_H

#include "ns3/collab-random.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief A belief about weights: independent Gaussians (Blundell et al., ICML 2015).
 *
 * A weight is w = m + s e with e standard Gaussian and s = log(1 + exp(r)). What is trained are m
 * and r; what devices exchange are m and s, in one flat vector: all means, then all standard
 * deviations.
 */
struct VariationalOptions
{
    double initialDeviation = 0.05; //!< first standard deviation of every weight; positive
    double priorDeviation = 1;      //!< of the prior N(0, priorDeviation^2) if a task has none
    double klWeight = 1;            //!< of the divergence from the prior; not negative
    uint32_t predictionDraws = 10;  //!< weights drawn for a prediction, their outputs averaged
    /// whether steps are those of StepNaturally(), with the learning rate, instead of the
    /// optimizer's
    bool isNatural = false;
};

/// @param options options to check
/// @throws std::invalid_argument if a value is not allowed
void CheckVariational(const VariationalOptions& options);

/// @param deviations standard deviations, all positive
/// @param count number of them
/// @param rho where to put r with log(1 + exp(r)) equal to each
void DeviationsToRho(const float* deviations, std::size_t count, float* rho);

/// @param rho numbers r
/// @param count number of them
/// @param deviations where to put log(1 + exp(r)) of each
void RhoToDeviations(const float* rho, std::size_t count, float* deviations);

/// @ingroup collab-learning
/// @brief Weights drawn from a belief, and what they are made of.
struct BeliefDraw
{
    std::vector<float> noise;      //!< e, standard normal
    std::vector<float> deviations; //!< s = log(1 + exp(r))
    std::vector<float> weights;    //!< m + s e
};

/// @brief Draw weights from a belief.
/// @param belief all m, then all r
/// @param generator generator to draw with
/// @param draw where to put them
void DrawFromBelief(const std::vector<float>& belief, RandomGenerator& generator, BeliefDraw& draw);

/// @brief Gradient of L(w) + weight KL(belief || prior) by the numbers of the belief: by
/// reparameterization, the divergence's in closed form.
/// @param belief all m, then all r
/// @param draw weights w drawn from it
/// @param lossGradient gradient of L by these weights
/// @param prior all means, then all standard deviations
/// @param weight weight of the divergence
/// @param gradient where to put the gradient, by all m, then by all r
void DifferentiateBelief(const std::vector<float>& belief,
                         const BeliefDraw& draw,
                         const std::vector<float>& lossGradient,
                         const std::vector<float>& prior,
                         double weight,
                         std::vector<float>& gradient);

/**
 * @brief Take a natural-gradient step on L(w) + weight KL(belief || prior).
 *
 * The Bayesian learning rule of independent Gaussians (Khan, Rue, JMLR 2023), with the Hessian by
 * reparameterization and the correction that keeps precisions positive (Lin, Schmidt, Khan, ICML
 * 2020; IVON: Shen et al., ICML 2024). With t = 1 / s^2 and t0 that of the prior:
 * d = t0 + g e / (s weight) - t; t += rate d + (rate d)^2 / (2 t);
 * m -= rate (g / weight + t0 (m - m0)) / t.
 *
 * @param[in,out] belief all m, then all r
 * @param draw weights drawn from it
 * @param lossGradient g, gradient of L by these weights
 * @param prior all means, then all standard deviations
 * @param weight weight of the divergence; positive
 * @param rate learning rate; over 0, at most 1
 */
void StepNaturally(std::vector<float>& belief,
                   const BeliefDraw& draw,
                   const std::vector<float>& lossGradient,
                   const std::vector<float>& prior,
                   double weight,
                   double rate);

/// @ingroup collab-learning
/// @brief How a learner with a belief about its weights draws them and learns from the draws.
class WeightBelief
{
  public:
    /// @param options options of the belief
    /// @param weights number of weights
    WeightBelief(const VariationalOptions& options, std::size_t weights);

    /// @param belief all m, then all r
    /// @param generator generator to draw with
    /// @return weights drawn from it, valid until the next call
    const std::vector<float>& Draw(const std::vector<float>& belief, RandomGenerator& generator);
    /// @param belief all m, then all r
    /// @param lossGradient gradient of the loss by the weights drawn last
    /// @param prior prior of the job; null for that of the options
    /// @param weight weight of the divergence from the prior
    /// @return gradient by the numbers of the belief, with the divergence's; valid until the next
    /// call
    const std::vector<float>& Differentiate(const std::vector<float>& belief,
                                            const std::vector<float>& lossGradient,
                                            const std::shared_ptr<const std::vector<float>>& prior,
                                            double weight);
    /// @brief Take a step of StepNaturally() with the weights drawn last.
    /// @param[in,out] belief all m, then all r
    /// @param lossGradient gradient of the loss by these weights
    /// @param prior prior of the job; null for that of the options
    /// @param weight weight of the divergence from the prior; positive
    /// @param rate learning rate
    void StepNaturally(std::vector<float>& belief,
                       const std::vector<float>& lossGradient,
                       const std::shared_ptr<const std::vector<float>>& prior,
                       double weight,
                       double rate) const;

  private:
    std::vector<float> m_prior;    //!< if a job has none
    BeliefDraw m_draw;             //!< the last one
    std::vector<float> m_gradient; //!< by the numbers of the belief
};

/// Operations of DrawFromBelief() a weight: exp, sum, logarithm; product, sum.
constexpr uint64_t BELIEF_DRAW_FLOPS = 5;
/// Operations of the divergence and its gradient a weight: s 3, the prior's precision and the
/// distance from it 5, divergence 8, gradient 12.
constexpr uint64_t BELIEF_GRADIENT_FLOPS = 28;
/// Operations of StepNaturally() a weight: deviation and precisions 7, d 6, precision 5, mean 7,
/// root, inverse and r 6.
constexpr uint64_t BELIEF_NATURAL_FLOPS = 31;

} // namespace ns3::collab

#endif /* COLLAB_VARIATIONAL_H */
