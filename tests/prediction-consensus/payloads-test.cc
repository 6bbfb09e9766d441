/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/table-learner.h"

#include "ns3/prediction-consensus-payloads.h"

#include <gmock/gmock.h>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;
using tests::MakeSoftLabels;

TEST(SoftLabelPayloadTest, WireSizeIsWhatIsSerialized)
{
    for (const std::size_t samples : {1, 7, 400})
    {
        const SoftLabelPayload payload(MakeSoftLabels(samples, 10, 3, 0.91F));
        std::vector<uint8_t> bytes;
        payload.Serialize(bytes);
        EXPECT_EQ(payload.WireSize(), samples * 10 * 4);
        EXPECT_EQ(bytes.size(), payload.WireSize());
        const auto parsed = SoftLabelPayload::Parse(bytes.data(), bytes.size(), samples, 10);
        EXPECT_EQ(parsed->GetProbabilities(), payload.GetProbabilities()) << "not a bit may differ";
    }
}

TEST(SoftLabelPayloadTest, IsLittleEndianSinglePrecision)
{
    Matrix<float> p(1, 2);
    p.values = {1.0F, 0.0F};
    std::vector<uint8_t> bytes;
    SoftLabelPayload(p).Serialize(bytes);
    EXPECT_THAT(bytes, ElementsAre(0, 0, 0x80, 0x3F, 0, 0, 0, 0));
}

TEST(SoftLabelPayloadTest, ChecksThatLabelsAreProbabilities)
{
    const Matrix<float> good = MakeSoftLabels(3, 4, 1, 0.7F);
    EXPECT_NO_THROW(SoftLabelPayload(good).Check(3, 4));
    EXPECT_THROW(SoftLabelPayload(good).Check(4, 3), PayloadError);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(),
                            -0.1F,
                            1.5F,
                            0.5F})
    {
        Matrix<float> labels = good;
        labels(2, 1) = bad;
        EXPECT_THROW(SoftLabelPayload(labels).Check(3, 4), PayloadError) << bad;
    }
}

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
BytesOf(const SoftLabelPayload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    return bytes;
}

} // namespace

TEST(SoftLabelPayloadTest, FormatsLoseTheSameByPointerAndByBytes)
{
    for (const auto kind : {PredictionKind::PROBABILITIES, PredictionKind::CLASSES})
    {
        for (const auto precision : {LabelPrecision::FLOAT32, LabelPrecision::FLOAT16})
        {
            for (const uint32_t topK : {0, 1, 2, 4, 9})
            {
                const PredictionFormat format{kind, precision, topK};
                const SoftLabelPayload payload(MakeUneven(), format);
                const auto bytes = BytesOf(payload);
                EXPECT_EQ(payload.WireSize(), bytes.size());
                const auto parsed =
                    SoftLabelPayload::Parse(bytes.data(), bytes.size(), 3, 4, format);
                EXPECT_EQ(parsed->GetProbabilities(), payload.GetProbabilities());
                EXPECT_EQ(BytesOf(*parsed), bytes);
                EXPECT_NO_THROW(parsed->Check(3, 4, format));
            }
        }
    }
}

TEST(SoftLabelPayloadTest, TopClassesShareAllProbability)
{
    const PredictionFormat format{PredictionKind::PROBABILITIES, LabelPrecision::FLOAT32, 2};
    const SoftLabelPayload payload(MakeUneven(), format);
    EXPECT_EQ(payload.WireSize(), 3U * 2 * 5);
    EXPECT_THAT(payload.GetProbabilities().values,
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

TEST(SoftLabelPayloadTest, ClassesTakeOneByteOrTwo)
{
    const PredictionFormat format{PredictionKind::CLASSES, LabelPrecision::FLOAT32, 0};
    EXPECT_THAT(BytesOf(SoftLabelPayload(MakeUneven(), format)), ElementsAre(0, 3, 0));
    Matrix<float> many(1, 300);
    many(0, 257) = 1;
    EXPECT_THAT(BytesOf(SoftLabelPayload(many, format)), ElementsAre(1, 1));
}

TEST(SoftLabelPayloadTest, RefusesWrongClasses)
{
    const PredictionFormat one{PredictionKind::CLASSES, LabelPrecision::FLOAT32, 0};
    const std::vector<uint8_t> unknown = {0, 4, 0};
    EXPECT_THROW(SoftLabelPayload::Parse(unknown.data(), 3, 3, 4, one), PayloadError);
    const PredictionFormat two{PredictionKind::PROBABILITIES, LabelPrecision::FLOAT16, 2};
    const std::vector<uint8_t> twice = {1, 0, 0x38, 1, 0, 0x38}; // two halves of the same class
    EXPECT_THROW(SoftLabelPayload::Parse(twice.data(), 6, 1, 4, two), PayloadError);
    const std::vector<uint8_t> once = {1, 0, 0x38, 2, 0, 0x38};
    EXPECT_NO_THROW(SoftLabelPayload::Parse(once.data(), 6, 1, 4, two)->Check(1, 4, two));
}

TEST(SoftLabelPayloadTest, ValuesNeedOnlyBeFinite)
{
    Matrix<float> values(2, 1);
    values.values = {-7.5F, 1000};
    const PredictionFormat format{PredictionKind::VALUES, LabelPrecision::FLOAT32, 0};
    EXPECT_NO_THROW(SoftLabelPayload(values, format).Check(2, 1, format));
    EXPECT_THROW(SoftLabelPayload(values, format).Check(2, 1), PayloadError) << "another format";
    values.values[0] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(SoftLabelPayload(values, format).Check(2, 1, format), PayloadError);
}
