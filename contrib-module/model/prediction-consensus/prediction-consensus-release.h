/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_RELEASE_H
#define PREDICTION_CONSENSUS_RELEASE_H

#include "prediction-consensus-messages.h"

#include "ns3/collab-matrix.h"
#include "ns3/collab-random.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Local differential privacy of an agent's predictions, by the Gaussian mechanism.
 *
 * Whatever samples an agent has, its probabilities for n samples of X* are at most sqrt(2 n) apart
 * in l2 norm: two rows of probabilities are never farther apart than two classes. Noise of standard
 * deviation sigma is added to each probability; rows are then projected to probabilities, which
 * costs no privacy. So all of the agent's samples together are covered, and
 * ComposedGaussianEpsilon() says by how much over all exchanges.
 */
struct PredictionPrivacy
{
    double sigma = 1;    //!< standard deviation of the noise in each probability; positive
    double delta = 1e-5; //!< at which epsilon is told; above 0, below 1
};

/// @param text such as "sigma=0.5,delta=1e-5"; sigma must be there
/// @return what it says
/// @throws std::invalid_argument that names what is not allowed, and what is
PredictionPrivacy ReadPredictionPrivacy(const std::string& text);

/// @brief Move numbers to the nearest probabilities, in l2 norm.
///
/// The projection to the simplex: max(0, x - t) with t such that the sum is 1.
///
/// @param[in,out] row finite numbers
/// @param columns number of them; positive
void ProjectToProbabilities(float* row, std::size_t columns);

/// @param labels class probabilities, samples x classes
/// @param sigma standard deviation of the noise
/// @param generator generator of the noise
/// @return probabilities with noise
Matrix<float> Blur(Matrix<float> labels, double sigma, RandomGenerator& generator);

/**
 * @ingroup collab
 * @brief What an agent tells of its predictions: as they are, with noise, or false.
 */
class PredictionRelease
{
  public:
    /// Predictions on X*
    using Predictions = std::shared_ptr<const Matrix<float>>;

    /// What a learner says of X*
    struct Result
    {
        std::string
            fault;       //!< why these are no predictions, as the learner has diverged; else empty
        Predictions own; //!< exact; null if sent has them
        SoftLabels sent; //!< what is sent of them; if they are none, as they are
    };

    /// @param samples size of X*
    /// @param columns number of classes or outputs
    /// @param format how predictions travel
    /// @param attack how the agent lies; if it does, it keeps to no privacy
    /// @param privacy noise that is added; none if empty
    /// @param noiseSeed seed of the noise, another one for each agent
    PredictionRelease(std::size_t samples,
                      std::size_t columns,
                      PredictionFormat format,
                      PredictionAttack attack,
                      std::optional<PredictionPrivacy> privacy,
                      uint64_t noiseSeed);

    /// @brief Make what is sent in an exchange, and count the release.
    /// @param labels what the learner says of X*
    /// @param when agent and round, for errors
    /// @return what is sent, and what the agent has of it
    /// @throws std::runtime_error if the shape is wrong
    Result Make(Matrix<float> labels, const std::string& when);

    /// @return epsilon of all releases so far, at the delta of the privacy; 0 for none, infinite if
    /// one had no noise
    double GetEpsilon() const;

  private:
    /// @param labels what the learner says of X*
    /// @param when agent and round
    /// @return why these are no predictions; empty if they are
    std::string FindFault(const Matrix<float>& labels, const std::string& when) const;
    /// @return whether others read exactly what is sent
    bool IsExact() const;

    std::size_t m_samples;                      //!< size of X*
    std::size_t m_columns;                      //!< classes or outputs
    PredictionFormat m_format;                  //!< how predictions travel
    PredictionAttack m_attack;                  //!< how the agent lies
    std::optional<PredictionPrivacy> m_privacy; //!< noise
    uint64_t m_noiseSeed;                       //!< of the next release
    uint64_t m_releases = 0;                    //!< with noise
    bool m_isExposed = false;                   //!< whether something went without noise
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_RELEASE_H */
