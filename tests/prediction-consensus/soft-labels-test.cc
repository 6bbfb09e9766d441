/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/prediction-consensus-soft-labels.h"

#include "support/table-learner.h"
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

TEST(SoftLabelPayloadTest, RefusesAnotherLength)
{
    const std::vector<uint8_t> bytes(4 * 10 * 4);
    EXPECT_THROW(SoftLabelPayload::Parse(bytes.data(), bytes.size() - 1, 4, 10), PayloadError);
    EXPECT_THROW(SoftLabelPayload::Parse(bytes.data(), bytes.size(), 5, 10), PayloadError);
    EXPECT_THROW(SoftLabelPayload::Parse(bytes.data(), 0, 4, 10), PayloadError);
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
