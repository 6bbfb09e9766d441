/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The attributes that say how agents judge each other, given as a user gives them: the trust that
 * follows is worked out by hand.
 */

#include "support/device-network.h"
#include "support/table-learner.h"

#include "ns3/collab-generated-data-sets.h"
#include "ns3/config.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using tests::TableLearner;

namespace
{

/// Two agents with one fixed answer each
class TrustAttributesTest : public tests::DeviceNetwork
{
  protected:
    void
    TearDown() override
    {
        DeviceNetwork::TearDown();
        Config::Reset();
    }

    /// @param reference X*
    /// @param answers of both agents on X*
    /// @param attributes given by the user
    /// @return what agent 0 trusts agent 1, a part of 1
    double
    FindTrust(std::shared_ptr<const DataView> reference,
              const std::vector<Matrix<float>>& answers,
              const std::map<std::string, std::string>& attributes)
    {
        Config::Reset();
        for (const auto& [name, value] : attributes)
        {
            Config::SetDefault("ns3::collab::PredictionConsensusApplication::" + name,
                               StringValue(value));
        }
        Options options;
        options.devices = 2;
        MakeDevices(options);
        std::vector<PredictionConsensusAgent> agents;
        for (const auto& answer : answers)
        {
            agents.push_back({std::make_shared<TableLearner>(std::vector<Matrix<float>>{answer}),
                              reference,
                              {}});
        }
        PredictionConsensusHelper helper(MakePool());
        SetAttributes(helper, {{"Rounds", "1"}, {"PretrainingRounds", "0"}});
        Watch(helper.Install(m_nodes, agents));
        std::vector<TrustRecord> trust;
        Collect("Trust", trust);
        Run();
        return trust.at(0).device == 0 ? trust[0].row.at(1).weight : trust.at(1).row.at(1).weight;
    }

    /// Agent 0 is certain of sample 0, with an entropy of 0, and knows nothing of sample 1, with
    /// one of ln 4. Agent 1 answers the first alike, and is certain of the second: cosines of 1 and
    /// 1/2.
    /// @param attributes given by the user
    /// @return what agent 0 trusts agent 1
    double
    FindTrustInClasses(const std::map<std::string, std::string>& attributes)
    {
        Matrix<float> own(2, 4, 0.0F);
        Matrix<float> other(2, 4, 0.0F);
        own(0, 0) = 1;
        other(0, 0) = 1;
        other(1, 2) = 1;
        for (std::size_t k = 0; k < 4; ++k)
        {
            own(1, k) = 0.25F;
        }
        return FindTrust(tests::MakeReference(2, 4), {own, other}, attributes);
    }

    /// @param first beta of sample 0
    /// @param second beta of sample 1
    /// @return the same by eq. (6)
    static double
    Expect(double first, double second)
    {
        const double self = first + second;
        const double peer = first + second / 2;
        return peer / (self + peer);
    }

    /// Agent 0 answers 1 everywhere; agent 1 does so for 10 of 50 samples, and else -1.
    /// @param attributes given by the user
    /// @return what agent 0 trusts agent 1
    double
    FindTrustInValues(const std::map<std::string, std::string>& attributes)
    {
        const auto grid = MakePolynomialGrid({4, -5, 0.3, 0.5}, -4, 4, 50);
        std::vector<uint32_t> all(50);
        std::iota(all.begin(), all.end(), 0);
        Matrix<float> own(50, 1, 1.0F);
        Matrix<float> other(50, 1, -1.0F);
        for (std::size_t i = 0; i < 10; ++i)
        {
            other(i, 0) = 1;
        }
        return FindTrust(
            std::make_shared<const DataView>(MakeView(grid, all)), {own, other}, attributes);
    }
};

const double LN_4 = std::log(4.0);

} // namespace

TEST_F(TrustAttributesTest, ConfidenceWeighsSamplesByEntropyPlusOne)
{
    EXPECT_NEAR(FindTrustInClasses({}), Expect(1, 1 / (LN_4 + 1)), 1e-6);
}

TEST_F(TrustAttributesTest, WithoutConfidenceWeightingAllSamplesCountAlike)
{
    EXPECT_NEAR(FindTrustInClasses({{"ConfidenceWeighting", "false"}}), Expect(1, 1), 1e-6);
    EXPECT_NEAR(Expect(1, 1), 3.0 / 7, 1e-15);
}

TEST_F(TrustAttributesTest, EntropyOffsetIsAddedToTheEntropy)
{
    EXPECT_NEAR(
        FindTrustInClasses({{"EntropyOffset", "0.25"}}), Expect(4, 1 / (LN_4 + 0.25)), 1e-6);
}

TEST_F(TrustAttributesTest, EntropyFloorBoundsTheSum)
{
    // Of the first sample entropy and offset are 0, and its weight would be infinite
    EXPECT_NEAR(FindTrustInClasses({{"EntropyOffset", "0"}, {"EntropyFloor", "0.5"}}),
                Expect(2, 1 / LN_4),
                1e-6);
    EXPECT_NEAR(FindTrustInClasses({{"EntropyOffset", "0"}, {"EntropyFloor", "2"}}),
                Expect(0.5, 0.5),
                1e-6);
}

TEST_F(TrustAttributesTest, RegressionTrustIsByDistanceOrByCosine)
{
    // A fifth of the outputs are equal, and the others are at a distance of the scale
    const double distance = 0.2 + 0.8 / 2;
    EXPECT_NEAR(FindTrustInValues({{"RegressionTrust", "Distance"}, {"SimilarityScale", "2"}}),
                distance / (1 + distance),
                1e-6);
    // A fifth of the outputs have the same sign, and no scale matters
    EXPECT_NEAR(FindTrustInValues({{"RegressionTrust", "Cosine"}, {"SimilarityScale", "2"}}),
                0.2 / 1.2,
                1e-6);
}
