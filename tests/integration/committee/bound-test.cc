/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-bound-scenario.h"
#include "committee/ridge-committee.h"
#include "integration/scenario-test.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

using namespace ns3::collab;

namespace
{

RidgeCommitteeRun
RunRidge(SelectionStrategy selection, uint64_t rounds, uint64_t seed)
{
    RidgeCommitteeOptions options;
    options.selection = selection;
    options.rounds = rounds;
    options.seed = seed;
    return RunRidgeCommittee(options);
}

} // namespace

TEST(CommitteeBound, MeasuredErrorStaysBelowTheBound)
{
    constexpr int RUNS = 10;
    for (const auto selection : {SelectionStrategy::SIMILAR, SelectionStrategy::DIFFERENT})
    {
        std::vector<double> errors;
        for (const uint64_t rounds : {10, 100, 1000})
        {
            double error = 0;
            double bound = std::numeric_limits<double>::infinity();
            for (int seed = 1; seed <= RUNS; ++seed)
            {
                const RidgeCommitteeRun run = RunRidge(selection, rounds, seed);
                EXPECT_EQ(run.errors.size(), rounds);
                error += run.errors.back() / RUNS;
                bound = std::min(bound, ComputeConvergenceBound(run.constants, rounds));
            }
            EXPECT_LE(error, bound) << rounds;
            errors.push_back(error);
        }
        // A biased selection does not reach F*: the theorem's last term stays
        EXPECT_LT(errors.back(), errors.front() / 2);
        EXPECT_LT(errors.back(), 0.05);
    }
}

TEST(CommitteeBound, HoldsWithLocalStepsAndDriftToo)
{
    RidgeCommitteeOptions options;
    options.localSteps = 10;
    options.spread = 3;
    options.rounds = 100;
    double error = 0;
    double bound = std::numeric_limits<double>::infinity();
    for (options.seed = 1; options.seed <= 10; ++options.seed)
    {
        const RidgeCommitteeRun run = RunRidgeCommittee(options);
        EXPECT_EQ(run.errors.size(), options.rounds);
        EXPECT_EQ(run.gaps.size(), options.rounds * options.localSteps);
        EXPECT_EQ(run.constants.localSteps, 10);
        error += run.errors.back() / 10;
        bound = std::min(bound, ComputeConvergenceBound(run.constants, 1000));
    }
    EXPECT_LE(error, bound);
}

TEST(CommitteeBound, OneClientWithLocalStepsIsSgd)
{
    // Who trains alone with a member, and is accepted, moves the model as its own one.
    RidgeCommitteeOptions options;
    options.clients = 2;
    options.training = 1;
    options.committee = 1;
    options.acceptPercent = 100;
    options.spread = 0; // both have the same optimum but for noise
    options.rounds = 50;
    options.localSteps = 20;
    const RidgeCommitteeRun local = RunRidgeCommittee(options);
    options.rounds = 1000;
    options.localSteps = 1;
    const RidgeCommitteeRun single = RunRidgeCommittee(options);
    EXPECT_LT(local.errors.front(), single.errors.front() / 2); // 20 iterations, and one
    // The same number of iterations at the same rates
    EXPECT_LT(local.errors.back(), 0.05);
    EXPECT_NEAR(local.errors.back(), single.errors.back(), 0.05);
    EXPECT_EQ(local.constants.smoothness, single.constants.smoothness);
}

TEST(CommitteeBound, TheOtherSelectionHasTheGreaterLeastGap)
{
    double similar = 0;
    double different = 0;
    for (int seed = 1; seed <= 10; ++seed)
    {
        similar += RunRidge(SelectionStrategy::SIMILAR, 200, seed).constants.gapMin / 10;
        different += RunRidge(SelectionStrategy::DIFFERENT, 200, seed).constants.gapMin / 10;
    }
    EXPECT_GT(different, similar);
    RecordProperty("phi_min_similar", std::to_string(similar));
    RecordProperty("phi_min_different", std::to_string(different));
}

TEST(CommitteeBound, NothingIsBoundWhereTheGapIsNegative)
{
    RidgeCommitteeOptions options; // of fewer clients than the committee, whose optima are lower
    options.committee = 12;
    options.acceptPercent = 10;
    options.rounds = 1000;
    options.seed = 2;
    const RidgeCommitteeRun run = RunRidgeCommittee(options);
    EXPECT_LT(run.constants.gapMin, 0);
    EXPECT_EQ(ComputeConvergenceBound(run.constants, 1000),
              std::numeric_limits<double>::infinity());
}

TEST(CommitteeBound, FewerClientsThanTheirTasksNeedAreRefused)
{
    CommitteeBoundParameters p;
    p.clients = 20; // 15 train and 5 score
    EXPECT_NO_THROW(p.Validate());
    for (const uint32_t clients : {19, 3})
    {
        p.clients = clients;
        EXPECT_THROW(p.Validate(), UserError) << clients;
    }
    p.training = std::numeric_limits<uint32_t>::max();
    EXPECT_THROW(p.Validate(), UserError);
}

using CommitteeBoundTable = tests::ScenarioTest;

TEST_F(CommitteeBoundTable, HasRoundsOfTwoDigitsAndTheLeastRatioOfAll)
{
    // With these the ratio falls from about the tenth round on, up and down: also between rows
    const auto run = Play(RunCommitteeBound, "rounds=2150 localSteps=10 spread=3");
    const auto rounds = run.Read("bound", "round");
    ASSERT_EQ(rounds.size(), 99 + 90 + 12 + 1); // 1 to 99, 100 to 990, 1000 to 2100, 2150
    EXPECT_EQ(rounds[98], 98);
    EXPECT_EQ(rounds[99], 99);
    EXPECT_EQ(rounds[100], 109);
    EXPECT_EQ(rounds.back(), 2149);
    EXPECT_EQ(run.Read("rounds", "round"), rounds);
    const auto bounds = run.Read("bound", "bound");
    const auto errors = run.Read("bound", "error");
    double least = std::numeric_limits<double>::infinity();
    const auto ratios = run.Read("bound", "least_ratio");
    int between = 0;
    for (std::size_t i = 0; i < rounds.size(); ++i)
    {
        least = std::min(least, bounds[i] / errors[i]);
        EXPECT_LE(ratios[i], least * (1 + 1e-12)) << i;
        between += ratios[i] < least * (1 - 1e-6) ? 1 : 0;
        if (rounds[i] < 100) // of which none is left out
        {
            EXPECT_DOUBLE_EQ(ratios[i], least) << i;
        }
    }
    EXPECT_GT(between, 0);
}
