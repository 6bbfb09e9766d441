/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-polynomial-learner.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::Each;

namespace
{

/// Three agents with a cubic regression of their own
class RegressionTest : public tests::DeviceNetwork
{
  protected:
    void
    Run(const tests::Attributes& attributes, const std::string& payloadMode = "Reference")
    {
        Options options;
        options.payloadMode = payloadMode;
        MakeDevices(options);
        const auto data = GeneratePolynomial(PolynomialOptions(), 1);
        const auto grid = MakePolynomialGrid({4, -5, 0.3, 0.5}, -4, 4, 50);
        std::vector<uint32_t> all(50);
        std::iota(all.begin(), all.end(), 0);
        const auto reference = std::make_shared<const DataView>(MakeView(grid, all));
        std::vector<PredictionConsensusAgent> agents;
        for (uint32_t i = 0; i < 3; ++i)
        {
            std::vector<uint32_t> own(50);
            std::iota(own.begin(), own.end(), 50 * i);
            agents.push_back({MakePolynomialLearner(MakeView(data, own), 4),
                              reference,
                              {{"reference", reference}},
                              {{"reference", reference}}});
        }
        PredictionConsensusHelper helper(MakePool());
        SetAttributes(helper, {{"Rounds", "6"}, {"PretrainingRounds", "1"}, {"Lambda", "1"}});
        SetAttributes(helper, attributes);
        Watch(helper.Install(m_nodes, agents));
        Collect("Trust", m_trust);
        Collect("Prediction", m_predictions);
        ProtocolBench::Run();
        m_bytes = m_outcomes.back().bytes;
    }

    /// Greatest difference between the predictions of agents 0 and 1 in a round
    double
    Difference(uint32_t round) const
    {
        std::vector<const Matrix<float>*> of;
        for (const auto& record : m_predictions)
        {
            if (record.round == round)
            {
                of.push_back(record.predictions.get());
            }
        }
        double greatest = 0;
        for (std::size_t i = 0; i < of.at(0)->values.size(); ++i)
        {
            greatest = std::max<double>(greatest, std::abs(of[0]->values[i] - of.at(1)->values[i]));
        }
        return greatest;
    }

    std::vector<TrustRecord> m_trust;
    std::vector<PredictionRecord> m_predictions;
    uint64_t m_bytes = 0;
};

} // namespace

TEST_F(RegressionTest, AgentsComeTogetherByValues)
{
    Run({{"TrustMode", "Naive"}});
    EXPECT_EQ(m_bytes, 23U + 50 * 4) << "one number a sample";
    ASSERT_EQ(m_predictions.size(), 3U * 6);
    EXPECT_LT(Difference(5), 0.3 * Difference(0));
    EXPECT_EQ(m_rounds[0].metrics[1].first, "squared_error_reference");
    EXPECT_LT(m_rounds.back().metrics[1].second, 0.5 * m_rounds.front().metrics[1].second);
}

TEST_F(RegressionTest, TrustIsPositiveAndSelfConfident)
{
    Run({{"TrustMode", "Dynamic"}});
    ASSERT_EQ(m_trust.size(), 3U * 5);
    for (const auto& record : m_trust)
    {
        double self = 0;
        double most = 0;
        double sum = 0;
        for (const auto& entry : record.row)
        {
            EXPECT_GT(entry.weight, 0);
            self = entry.peer == record.device ? entry.weight : self;
            most = std::max(most, entry.weight);
            sum += entry.weight;
        }
        EXPECT_EQ(self, most);
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST_F(RegressionTest, ScaleDecidesWhatIsAlike)
{
    Run({{"SimilarityScale", "1e6"}});
    for (const auto& record : m_trust)
    {
        EXPECT_THAT(record.row,
                    Each(::testing::Field(&TrustRecord::Entry::weight, DoubleNear(1.0 / 3, 1e-4))));
    }
    Run({{"PretrainingRounds", "0"}}); // it knows no error yet
    for (const auto& record : m_trust)
    {
        for (const auto& entry : record.row)
        {
            EXPECT_TRUE(record.round > 0 || std::abs(entry.weight - 1.0 / 3) < 1e-4);
        }
    }
    Run({{"SimilarityScale", "1e-6"}}); // the least scale is 0.001
    for (const auto& entry : m_trust[0].row)
    {
        EXPECT_EQ(entry.weight > 0.9, entry.peer == m_trust[0].device);
    }
}

TEST_F(RegressionTest, HalfPrecisionIsTheSameInBothPayloadModes)
{
    Run({{"LabelPrecision", "Float16"}});
    EXPECT_EQ(m_bytes, 23U + 50 * 2);
    const auto reference = m_predictions;
    Run({{"LabelPrecision", "Float16"}}, "Bytes");
    ASSERT_EQ(m_predictions.size(), reference.size());
    for (std::size_t i = 0; i < reference.size(); ++i)
    {
        EXPECT_EQ(*m_predictions[i].predictions, *reference[i].predictions);
    }
    Run({});
    EXPECT_NE(m_predictions.back().predictions->values, reference.back().predictions->values);
}
