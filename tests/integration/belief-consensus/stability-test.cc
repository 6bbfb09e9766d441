/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::ReadFile;

namespace
{

/// Steps of SGD that are too long
class BeliefStabilityTest : public tests::BeliefRun
{
  protected:
    /// Users of a stream of 35 samples each
    BeliefParameters
    Stream(const std::string& name) const
    {
        auto p = Small("mean-field", name);
        p.dataUse = "stream";
        p.samples = 44;
        p.minimumSamples = 10;
        p.instants = 3;
        p.interval = 0;
        return p;
    }
};

} // namespace

TEST_F(BeliefStabilityTest, TheRemainderOfAStreamDoesNoHarm)
{
    auto p = Stream("remainder"); // 32 samples, and 3 more
    const auto run = Run(p);
    EXPECT_LT(Final(run, "nll", 4), 2.5); // that of chance is 2.3
    EXPECT_THAT(ReadFile(run / "run.json"), Not(HasSubstr("does not stay near")));
}

TEST_F(BeliefStabilityTest, UpdatesThatAreUndoneAreWarnedOf)
{
    auto p = Stream("undone");
    p.quiet = false;
    p.learningRate = 1e6;
    std::ostringstream output;
    RunBeliefConsensus(p, output);
    EXPECT_THAT(output.str(),
                ContainsRegex("warning: in [0-9]+ % of users' instants .* was undone \\(column "
                              "diverged\\); --learningRate may be too great"));
    p.learningRate = 0.05;
    p.runDir = m_folder / "well";
    std::ostringstream well;
    RunBeliefConsensus(p, well);
    EXPECT_THAT(well.str(), Not(HasSubstr("undone")));
}

TEST_F(BeliefStabilityTest, StepsThatAreTooLongForThePriorAreHintedAt)
{
    auto p = Stream("hint");
    p.quiet = false;
    p.batchSize = 9;
    std::ostringstream output;
    RunBeliefConsensus(p, output);
    const std::string hint = "hint: SGD does not stay near the belief before: --learningRate=0.05 "
                             "over --initialDeviation=0.05 squared and over the 9 samples of an "
                             "instant is 2.22, and should be less than 2";
    EXPECT_THAT(output.str(), HasSubstr(hint));
    EXPECT_THAT(ReadFile(p.runDir + "/run.json"), HasSubstr(hint.substr(6)));
    p.batchSize = 11;
    p.runDir = m_folder / "no-hint";
    EXPECT_THAT(ReadFile(Run(p) / "run.json"), Not(HasSubstr("does not stay near")));
}
