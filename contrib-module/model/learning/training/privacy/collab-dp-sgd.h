/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DP_SGD_H
#define COLLAB_DP_SGD_H

#include "ns3/collab-random.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief Differentially private gradients: algorithm 1 of Abadi et al. (CCS 2016).
 *
 * A step takes each of a job's n samples with probability q = L / n, L being the batch size; scales
 * each sample's gradient down to the norm C; adds Gaussian noise of standard deviation sigma C to
 * each element of their sum; and divides by L. Two sets of samples are neighbors if one has a
 * sample more.
 */
struct DpSgdOptions
{
    double clip = 1;     //!< C, greatest l2 norm of a sample's gradient; positive
    double noise = 1;    //!< sigma, noise multiplier; positive
    double delta = 1e-5; //!< at which epsilon is told; above 0, below 1
};

/// @param options options to check
/// @throws std::invalid_argument if a value is not allowed
void CheckDpSgd(const DpSgdOptions& options);

/// @param text such as "clip=1,noise=1.1"; keys are the names of the members, clip and noise must
/// be there
/// @return the options
/// @throws std::invalid_argument that names what is not allowed, and what is
DpSgdOptions ReadDpSgd(const std::string& text);

/// @brief Draw the samples of a step, each one independently.
/// @param samples number of samples
/// @param rate probability of each; 0 to 1
/// @param generator generator to draw with: one number a sample
/// @return positions of the drawn ones, ascending; perhaps none
std::vector<uint32_t> DrawLot(std::size_t samples, double rate, RandomGenerator& generator);

/// @param samples number of samples
/// @param lotSize expected size of a lot, at most as many
/// @param steps number of lots
/// @return number of samples that all lots together hold more of only once in a billion
uint64_t FindMostDrawn(uint64_t samples, uint64_t lotSize, uint64_t steps);

/// @param samples number of samples
/// @param lotSize expected size of a lot, at most as many
/// @param steps number of lots
/// @param generator generator that is going to draw them; a copy, which draws the same
/// @return number of samples in all lots together
uint64_t CountDrawn(std::size_t samples,
                    std::size_t lotSize,
                    uint64_t steps,
                    RandomGenerator generator);

/// @brief Add a sample's gradient, scaled down to a norm; one that is not finite counts as 0.
/// @param clip C
/// @param gradient gradient of the sample
/// @param[in,out] sum sum of as many elements
void AddClipped(double clip, const std::vector<float>& gradient, std::vector<float>& sum);

/// @brief Make the sum of a lot's clipped gradients the step's gradient.
/// @param options clip and noise
/// @param lotSize L, expected size of a lot
/// @param generator generator of the noise
/// @param[in,out] sum sum of gradients; then that with noise, over L
void AddNoise(const DpSgdOptions& options,
              double lotSize,
              RandomGenerator& generator,
              std::vector<float>& sum);

/**
 * @brief Renyi divergence of one step: the sampled Gaussian mechanism.
 *
 * Of whole order a, by section 3.3 of Mironov, Talwar and Zhang (arXiv:1908.10530):
 * log(sum_k binomial(a, k) (1 - q)^(a - k) q^k exp((k^2 - k) / (2 s^2))) / (a - 1).
 *
 * @param order a; at least 2
 * @param rate q, probability of each sample; 0 to 1
 * @param noise s, noise multiplier; positive
 * @return the divergence [nat]
 */
double SampledGaussianDivergence(uint32_t order, double rate, double noise);

/**
 * @ingroup collab-learning
 * @brief Adds up the privacy that steps of DpSgdOptions spend, by Renyi differential privacy.
 *
 * Over whole orders 2 to 256, the least epsilon of divergence + log((a - 1) / a) - (log(delta) +
 * log(a)) / (a - 1): proposition 12 of Canonne, Kamath and Steinke (NeurIPS 2020).
 */
class RenyiAccountant
{
  public:
    /// @param rate q, probability of each sample
    /// @param noise s, noise multiplier
    /// @param steps number of steps
    void AddSteps(double rate, double noise, uint64_t steps);

    /// @param delta above 0, below 1
    /// @return epsilon of all steps so far; 0 for none
    /// @throws std::invalid_argument if delta is not allowed
    double GetEpsilon(double delta) const;

    /// @return all steps so far, as text
    std::string GetState() const;
    /// @param state state as GetState() gives it
    /// @throws std::invalid_argument if it is something else
    void SetState(const std::string& state);

  private:
    /// Steps of one kind
    struct Steps
    {
        double rate;    //!< q
        double noise;   //!< s
        uint64_t count; //!< number of them
    };

    std::vector<Steps> m_steps; //!< so far, no kind twice
};

} // namespace ns3::collab

#endif /* COLLAB_DP_SGD_H */
