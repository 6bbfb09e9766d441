/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

using namespace ns3;
using namespace ns3::collab;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

namespace
{

/// Steps of SGD that are too long, of users of a stream of 35 samples each
class BeliefStabilityTest : public tests::BeliefRun
{
  protected:
    const std::string STREAM =
        NETWORKS + "dataUse=stream samples=44 minimumSamples=10 instants=3 interval=0 ";
};

} // namespace

TEST_F(BeliefStabilityTest, TheRemainderOfAStreamDoesNoHarm)
{
    const auto run = Run(STREAM);     // 32 samples, and 3 more
    EXPECT_LT(Last(run, "nll"), 2.5); // that of chance is 2.3
    EXPECT_THAT(run.Text("run.json"), Not(HasSubstr("does not stay near")));
    EXPECT_THAT(run.printed, Not(HasSubstr("undone")));
}

TEST_F(BeliefStabilityTest, UpdatesThatAreUndoneAreWarnedOf)
{
    EXPECT_THAT(Run(STREAM + "learningRate=1e6").printed,
                ContainsRegex("warning: in [0-9]+ % of users' instants .* was undone \\(column "
                              "diverged\\); --learningRate may be too great"));
}

TEST_F(BeliefStabilityTest, StepsThatAreTooLongForThePriorAreHintedAt)
{
    const auto run = Run(STREAM + "batchSize=9");
    const std::string hint = "SGD does not stay near the belief before: --learningRate=0.05 "
                             "over --initialDeviation=0.05 squared and over the 9 samples of an "
                             "instant is 2.22, and should be less than 2";
    EXPECT_THAT(run.printed, HasSubstr("hint: " + hint));
    EXPECT_THAT(run.Text("run.json"), HasSubstr(hint));
    EXPECT_THAT(Run(STREAM + "batchSize=11").Text("run.json"),
                Not(HasSubstr("does not stay near")));
}
