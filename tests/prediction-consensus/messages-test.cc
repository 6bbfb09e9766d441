/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/table-learner.h"

#include "ns3/collab-packed-message.h"
#include "ns3/prediction-consensus-messages.h"

#include <gmock/gmock.h>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;
using tests::MakeSoftLabels;

namespace
{

/// Three samples, four classes
Matrix<float>
MakeUneven()
{
    Matrix<float> p(3, 4);
    p.values = {0.5F, 0.3F, 0.15F, 0.05F, 0, 0, 0.25F, 0.75F, 0.25F, 0.25F, 0.25F, 0.25F};
    return p;
}

std::vector<uint8_t>
BytesOf(const SoftLabels& labels)
{
    std::vector<uint8_t> bytes;
    Pack(labels)->Serialize(bytes);
    EXPECT_EQ(bytes.size(), Pack(labels)->WireSize());
    return bytes;
}

/// What devices expect who know how many samples and classes there are
SoftLabels
Expect(std::size_t samples, std::size_t classes, PredictionFormat format = {})
{
    SoftLabels expected;
    expected.predictions.rows = samples;
    expected.predictions.columns = classes;
    expected.format = format;
    return expected;
}

SoftLabels
Read(const std::vector<uint8_t>& bytes,
     std::size_t samples,
     std::size_t classes,
     PredictionFormat format = {})
{
    return Unpack(bytes.data(), bytes.size(), Expect(samples, classes, format))->Get();
}

} // namespace

TEST(SoftLabelsTest, WireSizeIsWhatIsSerialized)
{
    for (const std::size_t samples : {1, 7, 400})
    {
        const SoftLabels labels(MakeSoftLabels(samples, 10, 3, 0.91F));
        const auto bytes = BytesOf(labels);
        EXPECT_EQ(bytes.size(), samples * 10 * 4);
        EXPECT_EQ(Read(bytes, samples, 10).predictions, labels.predictions)
            << "not a bit may differ";
    }
}

TEST(SoftLabelsTest, IsLittleEndianSinglePrecision)
{
    Matrix<float> p(1, 2);
    p.values = {1.0F, 0.0F};
    EXPECT_THAT(BytesOf(SoftLabels(p)), ElementsAre(0, 0, 0x80, 0x3F, 0, 0, 0, 0));
}

TEST(SoftLabelsTest, ChecksThatLabelsAreProbabilities)
{
    const Matrix<float> good = MakeSoftLabels(3, 4, 1, 0.7F);
    EXPECT_NO_THROW(CheckMessage(SoftLabels(good), Expect(3, 4)));
    EXPECT_THROW(CheckMessage(SoftLabels(good), Expect(4, 3)), PayloadError);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(),
                            -0.1F,
                            1.5F,
                            0.5F})
    {
        Matrix<float> labels = good;
        labels(2, 1) = bad;
        EXPECT_THROW(CheckMessage(SoftLabels(labels), Expect(3, 4)), PayloadError) << bad;
    }
}

TEST(SoftLabelsTest, FormatsLoseTheSameByPointerAndByBytes)
{
    for (const auto kind : {PredictionKind::PROBABILITIES, PredictionKind::CLASSES})
    {
        for (const auto precision : {LabelPrecision::FLOAT32, LabelPrecision::FLOAT16})
        {
            for (const uint32_t topK : {0, 1, 2, 4, 9})
            {
                const PredictionFormat format{kind, precision, topK};
                const SoftLabels labels(MakeUneven(), format);
                const auto bytes = BytesOf(labels);
                const SoftLabels read = Read(bytes, 3, 4, format);
                EXPECT_EQ(read.predictions, labels.predictions);
                EXPECT_EQ(BytesOf(read), bytes);
                EXPECT_NO_THROW(CheckMessage(read, Expect(3, 4, format)));
            }
        }
    }
}

TEST(SoftLabelsTest, TopClassesShareAllProbability)
{
    const PredictionFormat format{PredictionKind::PROBABILITIES, LabelPrecision::FLOAT32, 2};
    const SoftLabels labels(MakeUneven(), format);
    EXPECT_EQ(labels.WireSize(), 3U * 2 * 5);
    EXPECT_THAT(labels.predictions.values,
                ElementsAre(::testing::FloatEq(0.625F),
                            ::testing::FloatEq(0.375F),
                            0,
                            0,
                            0,
                            0,
                            0.25F,
                            0.75F,
                            0.5F,
                            0.5F,
                            0,
                            0))
        << "of equals the lowest classes";
}

TEST(SoftLabelsTest, ClassesTakeOneByteOrTwo)
{
    const PredictionFormat format{PredictionKind::CLASSES, LabelPrecision::FLOAT32, 0};
    EXPECT_THAT(BytesOf(SoftLabels(MakeUneven(), format)), ElementsAre(0, 3, 0));
    Matrix<float> many(1, 300);
    many(0, 257) = 1;
    EXPECT_THAT(BytesOf(SoftLabels(many, format)), ElementsAre(1, 1));
}

TEST(SoftLabelsTest, RefusesWrongClasses)
{
    const PredictionFormat one{PredictionKind::CLASSES, LabelPrecision::FLOAT32, 0};
    const std::vector<uint8_t> unknown = {0, 4, 0};
    EXPECT_THROW(Read(unknown, 3, 4, one), PayloadError);
    const PredictionFormat two{PredictionKind::PROBABILITIES, LabelPrecision::FLOAT16, 2};
    const std::vector<uint8_t> twice = {1, 0, 0x38, 1, 0, 0x38}; // two halves of the same class
    EXPECT_THROW(Read(twice, 1, 4, two), PayloadError);
    const std::vector<uint8_t> once = {1, 0, 0x38, 2, 0, 0x38};
    EXPECT_NO_THROW(CheckMessage(Read(once, 1, 4, two), Expect(1, 4, two)));
}

TEST(SoftLabelsTest, SamplesCanArriveAlone)
{
    Matrix<float> values(3, 2);
    values.values = {1, 2, 3, 4, 5, 6};
    const PredictionFormat format{PredictionKind::VALUES, LabelPrecision::FLOAT32, 0};
    SoftLabels labels(values, format);
    EXPECT_EQ(labels.CountUnits(), 3);
    EXPECT_EQ(labels.GetUnitSize(), 8);
    auto bytes = BytesOf(labels);
    bytes.erase(bytes.begin() + 8, bytes.begin() + 16); // the second one
    EXPECT_THROW(Read(bytes, 3, 2, format), PayloadError) << "as a whole";
    SoftLabels expected = Expect(3, 2, format);
    expected.arrived = {{0, 2}, 3};
    SoftLabels read = Unpack<SoftLabels>(bytes.data(), bytes.size(), expected)->Get();
    labels.Keep({0, 2});
    for (SoftLabels* part : {&labels, &read})
    {
        part->arrived = {};
        EXPECT_THROW(CheckMessage(*part, Expect(3, 2, format)), PayloadError) << "as a whole";
        part->arrived = {{0, 2}, 4};
        EXPECT_THROW(CheckMessage(*part, Expect(3, 2, format)), PayloadError);
        part->arrived = {{0, 2}, 3};
        CheckMessage(*part, Expect(3, 2, format));
        EXPECT_THAT(part->Complete(Matrix<float>(3, 2, 9)).values, ElementsAre(1, 2, 9, 9, 5, 6));
    }
}

TEST(SoftLabelsTest, ValuesNeedOnlyBeFinite)
{
    Matrix<float> values(2, 1);
    values.values = {-7.5F, 1000};
    const PredictionFormat format{PredictionKind::VALUES, LabelPrecision::FLOAT32, 0};
    EXPECT_NO_THROW(CheckMessage(SoftLabels(values, format), Expect(2, 1, format)));
    EXPECT_THROW(CheckMessage(SoftLabels(values, format), Expect(2, 1)), PayloadError)
        << "another format";
    values.values[0] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(CheckMessage(SoftLabels(values, format), Expect(2, 1, format)), PayloadError);
}
