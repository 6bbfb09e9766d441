/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_GENERATED_DATA_SETS_H
#define COLLAB_GENERATED_DATA_SETS_H

#include "ns3/collab-data-set.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Classes that are Gaussian clouds; by default those of Fan et al. (NeurIPS 2023), 5.1.
struct GaussianClassesOptions
{
    std::vector<std::vector<double>> means = {{-2, -2}, {-2, 2}, {2, -2}, {2, 2}}; //!< by class
    double deviation = 1;          //!< standard deviation in every direction; positive
    uint32_t samplesPerClass = 50; //!< at least 1
};

/// @param options options of the classes; all means of one dimension
/// @param seed seed of the samples
/// @return numbers, class by class
/// @throws std::invalid_argument if an option is not allowed
std::shared_ptr<const DataSet> GenerateGaussianClasses(const GaussianClassesOptions& options,
                                                       uint64_t seed);

/// @ingroup collab-learning
/// @brief Noisy values of a polynomial, for each user around a point of its own.
struct PolynomialOptions
{
    /// of powers 0, 1, ...; by default those of Fan et al. (NeurIPS 2023), A.1
    std::vector<double> coefficients = {4, -5, 0.3, 0.5};
    std::vector<double> centers = {-2, 0, 2}; //!< mean of x, by user
    double spread = 1;                        //!< standard deviation of x; not negative
    double noise = 1;                         //!< standard deviation of y given x; not negative
    uint32_t samplesPerUser = 50;             //!< at least 1
};

/// @param options options of the polynomial and the users
/// @param seed seed of the samples
/// @return one number x and one target y a sample, user by user
/// @throws std::invalid_argument if an option is not allowed
std::shared_ptr<const DataSet> GeneratePolynomial(const PolynomialOptions& options, uint64_t seed);

/// @param coefficients coefficients of powers 0, 1, ...
/// @param from least x
/// @param to greatest x
/// @param samples number of points at equal distances; at least 2
/// @return the polynomial without noise on a grid: a shared set X*, or one to test with
/// @throws std::invalid_argument if an argument is not allowed
std::shared_ptr<const DataSet> MakePolynomialGrid(const std::vector<double>& coefficients,
                                                  double from,
                                                  double to,
                                                  uint32_t samples);

/// @ingroup collab-learning
/// @brief Linear regression in which a user sees only some of the inputs vary.
struct LinearRegressionOptions
{
    /// constant, then one weight an input; by default those of Lalitha et al. (NeurIPS 2018
    /// workshop on Bayesian deep learning), example 1
    std::vector<double> weights = {-0.3, 0.5, 0.8};
    /// by user, by input: greatest absolute value of the uniform distribution; 0 holds it at 0
    std::vector<std::vector<double>> ranges = {{1, 0}, {0, 1.5}};
    double noise = 0.8;            //!< standard deviation of the target; not negative
    uint32_t samplesPerUser = 100; //!< at least 1
};

/// @param options options of the regression
/// @param seed seed of the samples
/// @return numbers and one target a sample, user by user
/// @throws std::invalid_argument if an option is not allowed
std::shared_ptr<const DataSet> GenerateLinearRegression(const LinearRegressionOptions& options,
                                                        uint64_t seed);

/**
 * @ingroup collab-learning
 * @brief Images of invented characters, written by writers who each have a hand of their own.
 *
 * A class is a line through random points, the same for all writers and for all values of
 * sampleSeed. A writer changes it by an affine map: rotation, scale, slant and shift, uniform up to
 * the bounds below, and by the width of the pen. Each sample adds a small map of the same kind and
 * noise of the pixels. It stands in for FEMNIST where that is not at hand: users differ in
 * features, and in the number of samples.
 */
struct SyntheticWritersOptions
{
    uint32_t classes = 10;         //!< 2 to 1000
    uint32_t writers = 100;        //!< at least 1
    uint32_t leastSamples = 20;    //!< of a writer; at least 1
    uint32_t greatestSamples = 60; //!< of a writer; at least leastSamples
    uint32_t side = 28;            //!< of an image, in pixels; 8 to 256
    double rotation = 20;          //!< most of a writer [degrees]
    double scale = 0.2;            //!< most relative change of size of a writer; below 1
    double slant = 0.4;            //!< most shear of a writer
    double shift = 0.1;            //!< most shift of a writer, as a part of the side
    double variation = 0.3;        //!< of one sample, as a part of what writers differ by
    double noise = 8;              //!< standard deviation of a pixel's value, of 255
    uint64_t characterSeed = 1;    //!< of the characters
};

/// @param options options of characters and writers
/// @param seed seed of the writers and their samples
/// @return BYTES, writer by writer, classes uniform
/// @throws std::invalid_argument if an option is not allowed
std::shared_ptr<const DataSet> GenerateSyntheticWriters(const SyntheticWritersOptions& options,
                                                        uint64_t seed);

} // namespace ns3::collab

#endif /* COLLAB_GENERATED_DATA_SETS_H */
