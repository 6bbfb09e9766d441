/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DIFFERENTIAL_PRIVACY_H
#define COLLAB_DIFFERENTIAL_PRIVACY_H

#include <cstddef>
#include <cstdint>

namespace ns3::collab
{

/**
 * @brief delta of the Gaussian mechanism: the analytic, exact one.
 *
 * Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy", ICML 2018, theorem
 * 8: delta = phi(D / 2s - e s / D) - exp(e) phi(-D / 2s - e s / D).
 *
 * @param sensitivity D, greatest l2 distance between two values to tell apart; positive
 * @param sigma s, standard deviation of the noise in each element; positive
 * @param epsilon e; not negative
 * @return delta
 * @throws std::invalid_argument if an argument is not allowed
 */
double GaussianDelta(double sensitivity, double sigma, double epsilon);

/// @brief epsilon of one release by the Gaussian mechanism: the inverse of GaussianDelta().
/// @param sensitivity sensitivity as in GaussianDelta()
/// @param sigma sigma as in GaussianDelta()
/// @param delta between 0 and 1
/// @return the least epsilon that is not below the exact one, within 1e-12 of its size
/// @throws std::invalid_argument if an argument is not allowed
double GaussianEpsilon(double sensitivity, double sigma, double delta);

/**
 * @brief epsilon of several releases by the Gaussian mechanism: the exact one.
 *
 * Dong, Roth and Su, "Gaussian Differential Privacy", J. R. Stat. Soc. B 84(1), 2022, corollary
 * 3.3: T releases, later ones perhaps chosen by what earlier ones told, are as private as one of
 * sensitivity sqrt(T) D. No gain by subsampling is claimed.
 *
 * @param sensitivity sensitivity as in GaussianDelta()
 * @param sigma sigma as in GaussianDelta()
 * @param delta between 0 and 1
 * @param releases T
 * @return epsilon; 0 for no release
 * @throws std::invalid_argument if an argument is not allowed
 */
double ComposedGaussianEpsilon(double sensitivity, double sigma, double delta, uint64_t releases);

/// @brief Scale a vector down to an l2 norm.
/// @param[in,out] values d elements; not changed if their norm is not above the limit
/// @param dimension d
/// @param limit C; positive
/// @return the norm before
/// @throws std::invalid_argument if an element is not finite or if the limit is not allowed
double ClipNorm(float* values, std::size_t dimension, double limit);

/**
 * @ingroup collab-learning
 * @brief Local differential privacy of a device's vectors: clipping, and Gaussian noise.
 *
 * Any two vectors of norm at most C are at most 2 C apart: that is the sensitivity, since whoever
 * receives the vector must not be able to tell which one the device had. Real numbers are assumed;
 * that floats leave traces in the noise (Mironov, CCS 2012) is not dealt with.
 */
class GaussianLocalPrivacy
{
  public:
    /// @param clipNorm C; positive
    /// @param sigma standard deviation of the noise in each element; positive
    /// @param delta between 0 and 1
    /// @throws std::invalid_argument if an argument is not allowed
    GaussianLocalPrivacy(double clipNorm, double sigma, double delta);

    /// @brief Clip a vector, add noise, and count the release.
    /// @param[in,out] values d elements
    /// @param dimension d
    /// @param seed seed of the noise; another one for each release
    /// @throws std::invalid_argument if an element is not finite; nothing is counted then
    void Release(float* values, std::size_t dimension, uint64_t seed);

    /// @return epsilon of all releases so far; 0 for none
    double GetEpsilonSpent() const;

  private:
    double m_clipNorm;       //!< C
    double m_sigma;          //!< standard deviation of the noise
    double m_delta;          //!< delta
    uint64_t m_releases = 0; //!< so far
};

} // namespace ns3::collab

#endif /* COLLAB_DIFFERENTIAL_PRIVACY_H */
