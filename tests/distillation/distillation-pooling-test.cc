/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation/distillation-reference.h"

#include "ns3/collab-packed-message.h"
#include "ns3/distillation-density-ratio.h"
#include "ns3/distillation-label-cache.h"
#include "ns3/distillation-messages.h"
#include "ns3/distillation-pooling.h"

#include <cmath>
#include <gmock/gmock.h>
#include <string>
#include <vector>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::IsEmpty;
using ::testing::Pointwise;

namespace
{

LabeledRows
Rows(std::vector<uint32_t> samples, std::vector<float> values)
{
    LabeledRows said;
    said.rows.rows = samples.size();
    said.rows.columns = samples.empty() ? 2 : values.size() / samples.size();
    said.rows.values = std::move(values);
    said.samples = std::move(samples);
    return said;
}

PoolingOptions
Options(DistillationAlgorithm algorithm)
{
    PoolingOptions options;
    options.algorithm = algorithm;
    return options;
}

TEST(Pooling, IsTheMeanOfThoseThatSaySomething)
{
    const std::vector<LabeledRows> said = {Rows({0, 2}, {1, -3, 0, 4}), Rows({2}, {2, 8})};
    for (const auto algorithm : {DistillationAlgorithm::FEDMD, DistillationAlgorithm::SELECTIVE_FD})
    {
        PoolingOptions options = Options(algorithm);
        options.serverThreshold = 2;
        const LabeledRows labels = PoolLabels(options, said, 2);
        EXPECT_THAT(labels.samples, ElementsAre(0, 2));
        EXPECT_THAT(labels.rows.values, ElementsAre(1, -3, 1, 6));
    }
    EXPECT_THAT(PoolLabels(Options(DistillationAlgorithm::FEDMD), {}, 2).samples, IsEmpty());
}

TEST(Pooling, OfDsFlIsASoftmaxOfTheMeanWithALowTemperatureOrTheMean)
{
    const std::vector<LabeledRows> said = {Rows({1}, {0.9F, 0.1F}), Rows({1}, {0.3F, 0.7F})};
    PoolingOptions options = Options(DistillationAlgorithm::DS_FL);
    // Of (0.6, 0.4): exp(6) / (exp(6) + exp(4)) = 1 / (1 + exp(-2))
    EXPECT_NEAR(PoolLabels(options, said, 2).rows(0, 0), 0.880797, 1e-6);
    options.temperature = 0.2;
    EXPECT_NEAR(PoolLabels(options, said, 2).rows(0, 0), 0.731059, 1e-6);
    options.aggregation = LabelAggregation::SIMPLE;
    EXPECT_NEAR(PoolLabels(options, said, 2).rows(0, 0), 0.6, 1e-6);
}

TEST(Pooling, OfSelectiveFdLeavesAmbiguousLabelsOut)
{
    // 2 (1 - 0.6) = 0.8, and 2 (1 - 0.75) = 0.5
    const std::vector<LabeledRows> said = {Rows({3, 4}, {0.6F, 0.4F, 0.25F, 0.75F})};
    PoolingOptions options = Options(DistillationAlgorithm::SELECTIVE_FD);
    options.serverThreshold = 0.81;
    EXPECT_THAT(PoolLabels(options, said, 2).samples, ElementsAre(3, 4));
    options.serverThreshold = 0.51;
    EXPECT_THAT(PoolLabels(options, said, 2).samples, ElementsAre(4));
    options.serverThreshold = 0.4;
    EXPECT_THAT(PoolLabels(options, said, 2).samples, IsEmpty());
}

TEST(Pooling, CountsASumANumberAndWhatALabelTakes)
{
    PoolingOptions options = Options(DistillationAlgorithm::FEDMD);
    EXPECT_EQ(CountPoolingFlops(options, 12, 4, 10), 12 * 10 + 4 * 10);
    options.algorithm = DistillationAlgorithm::DS_FL;
    EXPECT_EQ(CountPoolingFlops(options, 12, 4, 10), 12 * 10 + 4 * (10 + 58));
}

TEST(LabelCache, KeepsLabelsForSomeRounds)
{
    LabelCache cache(3, 2, 2);
    EXPECT_THAT(cache.FindDue(5), ElementsAre(0, 1, 2));
    cache.Store(5, Rows({0, 2}, {1, 0, 0, 1}));
    cache.Store(6, Rows({1}, {0.5F, 0.5F}));
    EXPECT_THAT(cache.FindDue(7), IsEmpty());
    EXPECT_THAT(cache.FindDue(8), ElementsAre(0, 2));
    EXPECT_THAT(cache.GetValid(8).samples, ElementsAre(1));
    EXPECT_THAT(cache.GetValid(7, {1, 2}).rows.values, ElementsAre(0.5F, 0.5F, 0, 1));
    LabelCache none(1, 2, 0);
    none.Store(5, Rows({0}, {1, 0}));
    EXPECT_THAT(none.GetValid(5).samples, ElementsAre(0));
    EXPECT_THAT(none.FindDue(6), ElementsAre(0));
}

DevicePredictions
Expected(bool areScores)
{
    DevicePredictions expected;
    expected.samples = 10;
    expected.classes = 2;
    expected.areScores = areScores;
    return expected;
}

TEST(DistillationMessage, HasABitASampleAndTheRowsOfThoseThatThereAre)
{
    DevicePredictions message = Expected(false);
    message.Set(Rows({1, 8}, {0.5F, 0.5F, 1, 0}));
    const auto packed = Pack(message);
    EXPECT_EQ(packed->WireSize(), 2 + 4 * 4);
    const std::vector<uint8_t> bytes = {0x02,
                                        0x01,
                                        0,
                                        0,
                                        0,
                                        0x3f,
                                        0,
                                        0,
                                        0,
                                        0x3f, //
                                        0,
                                        0,
                                        0x80,
                                        0x3f,
                                        0,
                                        0,
                                        0,
                                        0};
    std::vector<uint8_t> written;
    packed->Serialize(written);
    EXPECT_EQ(written, bytes);
    const auto read = Unpack<DevicePredictions>(bytes.data(), bytes.size(), Expected(false));
    EXPECT_THAT(read->Get().Get().samples, ElementsAre(1, 8));
    EXPECT_THAT(read->Get().Get().rows.values, ElementsAre(0.5F, 0.5F, 1, 0));
}

TEST(DistillationMessage, IsRefusedIfItsRowsAreNoneOfProbabilitiesOrOfNoSample)
{
    const auto refuse = [](bool areScores, std::vector<float> row, uint8_t last) {
        DevicePredictions message = Expected(areScores);
        message.Set(Rows({1}, std::move(row)));
        message.mask[1] = last;
        try
        {
            CheckMessage(message, Expected(areScores));
        }
        catch (const PayloadError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refuse(false, {0.5F, 0.5F}, 0), "");
    EXPECT_EQ(refuse(true, {7, -5}, 0), "");
    EXPECT_NE(refuse(false, {7, -6}, 0), "");
    EXPECT_NE(refuse(false, {0.5F, 0.4F}, 0), "");
    EXPECT_NE(refuse(false, {std::nanf(""), 1}, 0), "");
    EXPECT_NE(refuse(true, {std::nanf(""), 1}, 0), "");
    EXPECT_NE(refuse(false, {0.5F, 0.5F}, 0x04), "");
}

Matrix<double>
Samples(int first, std::size_t count, double shift)
{
    Matrix<double> samples(count, 4);
    for (std::size_t i = 0; i < count; ++i)
    {
        for (std::size_t f = 0; f < 4; ++f)
        {
            samples(i, f) = 0.3 * std::sin(7.0 * (first + static_cast<double>(i)) + 3.0 * f) +
                            2 * std::cos(2.0 * (first == 100 ? i % 3 : first / 10) + f) + shift;
        }
    }
    return samples;
}

TEST(DensityRatio, IsThatOfNumpy)
{
    const DensityRatio ratio(Samples(0, 5, 0), Samples(100, 6, 0), 0.01, 1.5);
    EXPECT_THAT(ratio.Estimate(Samples(100, 6, 0.5)),
                Pointwise(::testing::DoubleNear(1e-9), EXPECTED_RATIOS));
    EXPECT_THAT(ratio.EstimateOwn(), Pointwise(::testing::DoubleNear(1e-9), EXPECTED_OWN_RATIOS));
}

TEST(DensityRatio, OfSamplesThatAreAllAlikeIsTheSameEverywhere)
{
    const Matrix<double> alike(4, 2, 0.5);
    const Matrix<double> auxiliary = DrawUniform(alike, 10, 1);
    EXPECT_EQ(auxiliary, Matrix<double>(10, 2, 0.5));
    const DensityRatio ratio(alike, auxiliary);
    EXPECT_NEAR(ratio.Estimate(alike)[0], ratio.EstimateOwn()[3], 1e-9);
}

TEST(DensityRatio, SelectsWhatIsAsLikelyAsAQuantileOfOwnSamples)
{
    const std::vector<double> own = {4, 1, 3, 2, 5};
    const std::vector<double> ratios = {0.5, 1, 2.5, 3, 9};
    EXPECT_THAT(SelectLikely(own, ratios, 0), ElementsAre(false, true, true, true, true));
    EXPECT_THAT(SelectLikely(own, ratios, 0.5), ElementsAre(false, false, false, true, true));
    EXPECT_THAT(SelectLikely(own, ratios, 1), ElementsAre(false, false, false, false, true));
}

} // namespace
