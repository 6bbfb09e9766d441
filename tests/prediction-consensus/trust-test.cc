/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/test-data.h"
#include "trust-reference.h"

#include "ns3/prediction-consensus-panel.h"
#include "ns3/prediction-consensus-trust.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <numeric>
#include <sstream>

using namespace ns3::collab;

namespace
{

constexpr std::size_t AGENTS = 4;
constexpr std::size_t TRUST_SAMPLES = 6;
constexpr std::size_t TRUST_CLASSES = 5;

/// The predictions of make-trust-reference.py
std::vector<Matrix<float>>
MakePredictions()
{
    std::vector<Matrix<float>> predictions;
    for (std::size_t j = 0; j < AGENTS; ++j)
    {
        Matrix<float> p(TRUST_SAMPLES, TRUST_CLASSES);
        for (std::size_t x = 0; x < TRUST_SAMPLES; ++x)
        {
            double row[TRUST_CLASSES];
            double sum = 0;
            for (std::size_t c = 0; c < TRUST_CLASSES; ++c)
            {
                row[c] = std::exp(2 * std::sin(1.0 + 3.0 * j + 5.0 * x + 7.0 * c));
                sum += row[c];
            }
            for (std::size_t c = 0; c < TRUST_CLASSES; ++c)
            {
                p(x, c) = static_cast<float>(row[c] / sum);
            }
        }
        predictions.push_back(std::move(p));
    }
    return predictions;
}

std::vector<double>
WeighAgents(const std::vector<Matrix<float>>& predictions,
            std::size_t i,
            const TrustOptions& options)
{
    const auto confidence = ComputeConfidence(predictions[i], options);
    std::vector<double> affinities;
    for (const auto& other : predictions)
    {
        affinities.push_back(ComputeAffinity(predictions[i], other, confidence));
    }
    return NormalizeTrust(affinities);
}

void
ExpectTrust(const TrustOptions& options, const double* expected)
{
    const auto predictions = MakePredictions();
    for (std::size_t i = 0; i < AGENTS; ++i)
    {
        const auto row = WeighAgents(predictions, i, options);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-14);
        for (std::size_t j = 0; j < AGENTS; ++j)
        {
            // The inputs are rounded to float32 in both programs: the last bit may differ
            EXPECT_NEAR(row[j], expected[i * AGENTS + j], 1e-7) << i << " " << j;
        }
    }
}

void
ExpectRow(const std::vector<Matrix<float>>& predictions,
          std::size_t i,
          const std::vector<double>& expected)
{
    EXPECT_THAT(WeighAgents(predictions, i, {}),
                ::testing::Pointwise(::testing::DoubleNear(1e-7), expected))
        << "agent " << i;
}

} // namespace

TEST(TrustTest, MatchesNumpyWithTheAuthorsOffset)
{
    ExpectTrust({}, EXPECTED_TRUST_OFFSET_1);
}

TEST(TrustTest, MatchesNumpyWithThePapersFormula)
{
    TrustOptions options;
    options.entropyOffset = 0;
    ExpectTrust(options, EXPECTED_TRUST_OFFSET_0);
}

TEST(TrustTest, MatchesNumpyWithoutConfidence)
{
    TrustOptions options;
    options.confidenceWeighting = false;
    ExpectTrust(options, EXPECTED_TRUST_NO_CONFIDENCE);
}

TEST(TrustTest, ConfidenceMatchesNumpy)
{
    const auto confidence = ComputeConfidence(MakePredictions()[2], {});
    for (std::size_t x = 0; x < TRUST_SAMPLES; ++x)
    {
        EXPECT_NEAR(confidence[x], EXPECTED_CONFIDENCE_OFFSET_1[2 * TRUST_SAMPLES + x], 1e-7);
    }
}

TEST(TrustTest, ConfidenceByHand)
{
    Matrix<float> p(2, 2);
    p(0, 0) = 1;    // certain: entropy 0
    p(1, 0) = 0.5F; // a coin: entropy ln 2
    p(1, 1) = 0.5F;
    TrustOptions options;
    EXPECT_DOUBLE_EQ(ComputeConfidence(p, options)[0], 1);
    EXPECT_DOUBLE_EQ(ComputeConfidence(p, options)[1], 1 / (1 + std::log(2.0)));
    options.entropyOffset = 0;
    EXPECT_DOUBLE_EQ(ComputeConfidence(p, options)[0], 1000) << "the floor keeps it finite";
    EXPECT_DOUBLE_EQ(ComputeConfidence(p, options)[1], 1 / std::log(2.0));
}

TEST(TrustTest, AffinityByHand)
{
    Matrix<float> own(2, 2);
    own.values = {1, 0, 0.6F, 0.8F};
    Matrix<float> other(2, 2);
    other.values = {0, 1, 0.8F, 0.6F};
    // cosines 0 and 0.96, weights 3 and 5
    EXPECT_NEAR(ComputeAffinity(own, other, {3, 5}), 5 * 0.96 / 2, 1e-7);
    EXPECT_NEAR(ComputeAffinity(own, own, {3, 5}), 4, 1e-7);
}

TEST(TrustTest, AnAgentIsJudgedByWhatHasCome)
{
    const auto make = [](std::vector<float> rows) {
        Matrix<float> predictions(2, 2);
        predictions.values = std::move(rows);
        return std::make_shared<const Matrix<float>>(std::move(predictions));
    };
    const auto own = make({1, 0, 0.5F, 0.5F});
    TrustPlan plan;
    plan.own = own;
    plan.options.confidenceWeighting = false;
    plan.known = {1, 1};
    plan.judged = {0, 1};
    TrustPanel panel;
    panel.Add(0, 0, own);
    panel.Add(1, 0, make({0, 1, 0.5F, 0.5F}), {{0}, 2}); // own row where the second has not come
    const auto partial = ComputeTrust(panel, plan);
    EXPECT_DOUBLE_EQ(partial.affinities[1], 0) << "by the first row alone";
    panel.arrived[1] = {};
    EXPECT_GT(ComputeTrust(panel, plan).affinities[1], 0.2);
}

TEST(TrustTest, PseudoLabelsMatchNumpyAndAreDistributions)
{
    const auto predictions = MakePredictions();
    std::vector<const Matrix<float>*> pointers;
    for (const auto& p : predictions)
    {
        pointers.push_back(&p);
    }
    for (std::size_t i = 0; i < AGENTS; ++i)
    {
        const auto psi = MixPredictions(WeighAgents(predictions, i, {}), pointers);
        for (std::size_t x = 0; x < TRUST_SAMPLES; ++x)
        {
            double sum = 0;
            for (std::size_t c = 0; c < TRUST_CLASSES; ++c)
            {
                EXPECT_NEAR(psi(x, c),
                            EXPECTED_PSEUDO_LABELS[(i * TRUST_SAMPLES + x) * TRUST_CLASSES + c],
                            2e-7);
                sum += psi(x, c);
            }
            EXPECT_NEAR(sum, 1, 1e-6);
        }
    }
}

TEST(TrustTest, TrustBecomesUniformAsAgentsComeTogether)
{
    // Claim 3 with one sample: probabilities in the directions (1, 0), (4, 3) and (3, 4)
    Matrix<float> sure(1, 2);
    sure.values = {1, 0};
    Matrix<float> first(1, 2);
    first.values = {4.0F / 7, 3.0F / 7};
    Matrix<float> second(1, 2);
    second.values = {3.0F / 7, 4.0F / 7};
    // Cosines 1, 0.8 and 0.6; then 1, 1 and 0.96: the own weight falls from 5/12 to 25/74 to 1/3
    ExpectRow({sure, first, second}, 0, {5.0 / 12, 4.0 / 12, 3.0 / 12});
    ExpectRow({sure, first, second}, 1, {20.0 / 69, 25.0 / 69, 24.0 / 69});
    ExpectRow({sure, first, second}, 2, {15.0 / 64, 24.0 / 64, 25.0 / 64});
    ExpectRow({first, first, second}, 0, {25.0 / 74, 25.0 / 74, 24.0 / 74});
    ExpectRow({first, first, second}, 2, {24.0 / 73, 24.0 / 73, 25.0 / 73});
    ExpectRow({second, second, second}, 0, {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST(TrustTest, EveryAgentTrustsItselfMost)
{
    const auto predictions = MakePredictions();
    for (std::size_t i = 0; i < AGENTS; ++i)
    {
        const auto row = WeighAgents(predictions, i, {});
        EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), static_cast<long>(i));
    }
}

TEST(TrustTest, ReplaysThePublishedImplementation)
{
    constexpr std::size_t PUBLISHED_AGENTS = 10;
    const std::string folder = GetTestData("published-trust/");
    std::ifstream labels(folder + "soft-labels-round-7.f32", std::ios::binary);
    std::vector<Matrix<float>> predictions(PUBLISHED_AGENTS, Matrix<float>(400, 10));
    for (auto& p : predictions)
    {
        labels.read(reinterpret_cast<char*>(p.values.data()),
                    static_cast<std::streamsize>(p.values.size() * sizeof(float)));
    }
    ASSERT_TRUE(labels) << "needs " << folder;
    std::ifstream csv(folder + "trust-round-8.csv");
    for (std::size_t i = 0; i < PUBLISHED_AGENTS; ++i)
    {
        const auto row = WeighAgents(predictions, i, {});
        std::string line;
        ASSERT_TRUE(std::getline(csv, line));
        std::istringstream cells(line);
        for (std::size_t j = 0; j < PUBLISHED_AGENTS; ++j)
        {
            std::string cell;
            ASSERT_TRUE(std::getline(cells, cell, ','));
            EXPECT_NEAR(row[j], std::stod(cell), 1e-6) << i << " " << j;
        }
    }
}

TEST(TrustTest, FlopsByHand)
{
    // one sample, two classes, one judged, two mixed: 8 + 16 + 8 + 4
    EXPECT_EQ(CountJudgingFlops(1, 2, 1) + CountMixingFlops(1, 2, 2), 36U);
    EXPECT_EQ(CountJudgingFlops(10, 2, 1) + CountMixingFlops(10, 2, 2), 360U);
}

TEST(TrustTest, MajorityIsWeighted)
{
    Matrix<float> a(2, 3);
    a.values = {0.4F, 0.35F, 0.25F, 0.1F, 0.9F, 0};
    Matrix<float> b(2, 3);
    b.values = {0, 0.6F, 0.4F, 0.2F, 0.3F, 0.5F};
    Matrix<float> c(2, 3);
    c.values = {0.1F, 0.8F, 0.1F, 0.5F, 0.3F, 0.2F};
    const std::vector<const Matrix<float>*> all = {&a, &b, &c};
    EXPECT_THAT(VoteByMajority({1.0 / 3, 1.0 / 3, 1.0 / 3}, all).values,
                ::testing::ElementsAre(0, 1, 0, 1, 0, 0))
        << "the lowest class of three with one vote each";
    EXPECT_THAT(VoteByMajority({0.6, 0.2, 0.2}, all).values,
                ::testing::ElementsAre(1, 0, 0, 0, 1, 0));
    EXPECT_EQ(CountVotingFlops(2, 3, 3), 2U * (3 * 3 + 2));
}

TEST(TrustTest, MedianIsWeighted)
{
    Matrix<float> a(2, 2);
    a.values = {0.9F, 0.1F, 1, 0};
    Matrix<float> b(2, 2);
    b.values = {0.6F, 0.4F, 0, 1};
    Matrix<float> c(2, 2);
    c.values = {0, 1, 0, 1};
    const std::vector<const Matrix<float>*> all = {&a, &b, &c};
    using ::testing::FloatNear;
    // medians .6 and .4; 0 and 1
    EXPECT_THAT(TakeMedian({0.25, 0.4, 0.35}, all).values,
                ::testing::ElementsAre(FloatNear(0.6F, 1e-6F), FloatNear(0.4F, 1e-6F), 0, 1));
    // the lowest .9 of more than half of the weight, and .1
    EXPECT_THAT(TakeMedian({0.6, 0.2, 0.2}, all).values,
                ::testing::ElementsAre(FloatNear(0.9F, 1e-6F), FloatNear(0.1F, 1e-6F), 1, 0));
    // exactly half for 0 of either class: the mean
    b.values = {0, 1, 1, 0};
    a.values = {1, 0, 0, 1};
    EXPECT_THAT(TakeMedian({0.5, 0.5}, {&a, &b}).values,
                ::testing::ElementsAre(0.5F, 0.5F, 0.5F, 0.5F));
    // mixing 1 x (2 x 2 x 3 + 4); 2 numbers of 3 sorted (6), weighed (6), summed and divided (2)
    EXPECT_EQ(CountMedianFlops(1, 2, 3), 16U + 2 * (6 + 6 + 2));
}

TEST(TrustTest, IdealTrustIsTheChainOfExample2)
{
    Matrix<double> phi(4, 4);
    phi.values = {1.0 / 3,
                  0.25,
                  0.25,
                  1.0 / 6,
                  0.25,
                  1.0 / 3,
                  0.25,
                  1.0 / 6,
                  0.25,
                  0.25,
                  1.0 / 3,
                  1.0 / 6,
                  1.0 / 6,
                  1.0 / 6,
                  1.0 / 6,
                  0.5};
    const std::vector<double> importance = {0.3, 0.3, 0.3, 0.1};
    using ::testing::DoubleNear;
    const auto near = [](double value) { return DoubleNear(value, 1e-15); };
    EXPECT_THAT(ComputeIdealTrust(phi, importance, 0),
                ::testing::ElementsAre(near(4.0 / 9), near(0.25), near(0.25), near(1.0 / 18)));
    EXPECT_THAT(ComputeIdealTrust(phi, importance, 3),
                ::testing::ElementsAre(near(1.0 / 6), near(1.0 / 6), near(1.0 / 6), near(0.5)));
}

TEST(TrustTest, IdealTrustHasTheImportanceThatIsGiven)
{
    // Rows of cosines that do not add up to the same
    const auto predictions = MakePredictions();
    TrustPlan plan;
    plan.importance = {3, 1, 2, 0.5};
    std::vector<double> stationary(AGENTS); // pi W
    for (std::size_t i = 0; i < AGENTS; ++i)
    {
        TrustPanel panel;
        for (std::size_t j = 0; j < AGENTS; ++j)
        {
            panel.Add(j, 0, std::make_shared<const Matrix<float>>(predictions[j]));
        }
        panel.self = i;
        const auto row = ComputeTrust(panel, plan).weights;
        for (std::size_t j = 0; j < AGENTS; ++j)
        {
            EXPECT_GT(row[j], 0);
            stationary[j] += plan.importance[i] * row[j];
        }
    }
    for (std::size_t j = 0; j < AGENTS; ++j)
    {
        EXPECT_NEAR(stationary[j], plan.importance[j], 1e-12);
    }
}

TEST(TrustTest, ValuesAreMixedAsTheyAre)
{
    Matrix<float> a(2, 1);
    a.values = {-4, 10};
    Matrix<float> b(2, 1);
    b.values = {4, 2};
    EXPECT_THAT(MixValues({0.75, 0.25}, {&a, &b}).values, ::testing::ElementsAre(-2, 8));
}

TEST(TrustTest, ValuesAreJudgedByDistanceOrSign)
{
    Matrix<float> a(4, 1);
    a.values = {1, -2, 0, 3};
    Matrix<float> b(4, 1);
    b.values = {1, 2, 0, 1};
    // differences 0, 4, 0, 2 on a scale of 2: 1, 1/5, 1, 1/2
    EXPECT_NEAR(ComputeValueAffinity(a, b, 2), (1 + 0.2 + 1 + 0.5) / 4, 1e-12);
    EXPECT_EQ(ComputeValueAffinity(a, a, 0.1), 1);
    EXPECT_NEAR(ComputeValueCosine(a, b), 0.75, 1e-12) << "the signs of the second sample differ";
    EXPECT_EQ(ComputeValueCosine(a, a), 1) << "even where there is no direction";
    EXPECT_EQ(CountValueTrustFlops(4, 1, 2, 3), 4U * (7 * 2 + 2 * 3));
}
