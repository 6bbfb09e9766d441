/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"

#include <cmath>
#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Whole runs of the examples
class ConsensusToyTest : public tests::ScenarioTest
{
  protected:
    PlayedRun
    Run(const std::string& experiment, const std::string& trust, uint32_t run = 1)
    {
        return Play(RunConsensusToy,
                    fmt::format("experiment={} trust={} RngRun={}", experiment, trust, run));
    }

    /// The squared error at the end of the last round, mean over the agents 0 to 2
    double
    GetError(const std::string& trust, uint32_t run)
    {
        std::map<std::string, double> last;
        for (const auto& row : Run("two-degrees", trust, run).Rows("rounds"))
        {
            last[row.at("device")] = std::stod(row.at("squared_error_union"));
        }
        return (last.at("0") + last.at("1") + last.at("2")) / 3;
    }
};

} // namespace

TEST_F(ConsensusToyTest, PredictionsAgreeByRoundTwentyWhileParametersDiffer)
{
    const auto run = Run("regression", "naive");
    const auto distances = run.Read("consensus", "distance_mean");
    ASSERT_THAT(distances, SizeIs(21)) << "a round of local training and 20 of collaboration";
    EXPECT_GT(distances[0], 5) << "extrapolations of local fits are far apart";
    EXPECT_LT(distances[20], 0.25) << "a quarter of the noise's standard deviation";
    // Outside of X* the curves go apart again: the polynomials are not the same
    std::map<std::string, double> outside;
    for (const auto& row : run.Rows("curves"))
    {
        if (row.at("round") == "20" && row.at("x1") == "8")
        {
            outside[row.at("device")] = std::stod(row.at("y"));
        }
    }
    ASSERT_EQ(outside.size(), 3U);
    EXPECT_GT(std::abs(outside.at("0") - outside.at("2")), 5);
}

TEST_F(ConsensusToyTest, StrongAgentsFitTheirRegionBetterWithDynamicTrust)
{
    for (uint32_t run = 1; run <= 3; ++run)
    {
        const double naive = GetError("naive", run);
        EXPECT_LT(GetError("dynamic", run), 0.8 * naive) << run;
        EXPECT_LT(naive, GetError("local", run)) << run;
    }
}

TEST_F(ConsensusToyTest, TrustInTheBadAgentIsThatOfTheMode)
{
    for (uint32_t run = 1; run <= 3; ++run)
    {
        // What each agent receives, by mode and agent, in each collaborative round
        std::map<std::string, std::map<std::string, std::vector<double>>> trusted;
        for (const std::string trust : {"dynamic", "static", "naive"})
        {
            for (const auto& row : Run("boundaries", trust, run).Rows("influence"))
            {
                trusted[trust][row.at("device")].push_back(std::stod(row.at("column_sum")));
            }
        }
        const auto& bad = trusted["dynamic"]["3"];
        ASSERT_GT(bad.size(), 5U);
        EXPECT_LT(bad.front(), 0.95) << run;
        EXPECT_GT(bad.back(), bad.front()) << run << ": it repeats what the others say";
        EXPECT_THAT(trusted["static"]["3"], AllOf(SizeIs(bad.size()), Each(bad.front()))) << run;
        EXPECT_THAT(trusted["naive"]["3"],
                    AllOf(SizeIs(bad.size()), Each(::testing::DoubleNear(1, 1e-12))))
            << run;
        for (const std::string device : {"0", "1", "2"})
        {
            EXPECT_LT(bad.front(), trusted["dynamic"].at(device).front()) << run << " " << device;
        }
    }
}

TEST_F(ConsensusToyTest, RunsRepeat)
{
    const auto run = Run("boundaries", "dynamic");
    EXPECT_THAT(tests::FindDifferentFiles(run, Run("boundaries", "dynamic")), ::testing::IsEmpty());
    for (const std::string table : {"rounds", "consensus", "influence", "boundaries", "samples"})
    {
        EXPECT_GT(run.Rows(table).size(), 10U) << table;
    }
}

TEST_F(ConsensusToyTest, RefusesWhatMakesNoSense)
{
    const std::string application = "PredictionConsensusApplication::";
    ExpectRefusals(
        RunConsensusToy,
        "experiment=regression ",
        {{"experiment=quartic", "--experiment=quartic"},
         {"trust=blind", "--trust=blind"},
         {application + "ConsensusMode=MajorityVote", "ConsensusMode=MajorityVote is not allowed"},
         {application + "LabelTopK=2", "LabelTopK=2 is not allowed"}});
}
