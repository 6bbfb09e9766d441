/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEARNING_TEST_SUPPORT_H
#define LEARNING_TEST_SUPPORT_H

#include "support/refusals.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// What several tests of learning share
namespace tests
{

/// @return numbers of a list in tests/data/reference/FILE.json, by its name
const std::vector<double>& GetReference(const std::string& file, const std::string& name);

/// @return texts of a list in tests/data/reference/FILE.json, by its name
std::vector<std::string> GetReferenceNames(const std::string& file, const std::string& name);

/// @return the whole numbers from begin to end - 1
std::vector<uint32_t> Range(uint32_t begin, uint32_t end);

/// @return the whole numbers from 0 to end - 1
std::vector<uint32_t> Range(uint32_t end);

/// @return a vector of equal numbers
ns3::collab::FlatVector Constant(std::size_t size, float value);

/// @return rows of a matrix in one vector
ns3::collab::Matrix<float> MakeMatrix(std::size_t columns, std::vector<float> values);

/// @return n vectors of d standard normal numbers by a seed, one a row
ns3::collab::Matrix<float> MakeRandomVectors(std::size_t n, std::size_t d, uint64_t seed);

/// @return n vectors of d numbers in [0, 1), one a row, as make-unlabeled-reference.py makes them
ns3::collab::Matrix<float> MakeUniformVectors(std::size_t n, std::size_t d, uint64_t seed);

/// @param n number of vectors
/// @param d number of elements of each
/// @param clusters number of centers; vector i is near that of number i mod clusters
/// @param spread of vectors around their center; its deviation is half of it
/// @param seed of the numbers; the next three ones are used too
/// @return the vectors, one a row, as make-unlabeled-reference.py makes them
ns3::collab::Matrix<float> MakeBlobs(
    std::size_t n, std::size_t d, std::size_t clusters, float spread, uint64_t seed);

/// @return a feature of sample i at place j
using FeatureFormula = std::function<double(uint64_t i, uint64_t j)>;

/// @return samples by a formula; sample i has the label i % classes
std::shared_ptr<ns3::collab::DataSet> MakeDataSet(ns3::collab::FeatureKind kind,
                                                  const std::vector<int64_t>& shape,
                                                  uint32_t samples,
                                                  uint32_t classes,
                                                  const FeatureFormula& feature);

/// @return a byte by the formula that scripts of tests/reference have
double FormulaByte(uint64_t i, uint64_t j);

/// @return all samples of a data set
ns3::collab::DataView ViewAll(const std::shared_ptr<const ns3::collab::DataSet>& data);

/// Expect numbers near other ones.
template <typename Actual, typename Expected>
void
ExpectNear(const Actual& actual, const Expected& expected, double tolerance)
{
    ASSERT_EQ(std::size(actual), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i)
    {
        ASSERT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
    }
}

/// Mean and standard deviation
struct Moments
{
    /// @param values of which to compute both
    template <typename Values>
    explicit Moments(const Values& values)
    {
        const auto size = static_cast<double>(std::size(values));
        double square = 0;
        for (const double value : values)
        {
            mean += value / size;
            square += value * value / size;
        }
        deviation = std::sqrt(std::max(0.0, square - mean * mean));
    }

    double mean = 0;      //!< of the values
    double deviation = 0; //!< of the values
};

/// Call a function with 0, 1, 2... on a thread each, set up for LibTorch, and wait for all.
void CallOnThreads(std::size_t count, const std::function<void(std::size_t)>& call);

} // namespace tests

#endif /* LEARNING_TEST_SUPPORT_H */
