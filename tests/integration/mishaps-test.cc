/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a user is told whose training diverges, whose disk becomes full, or whose matrix of links
// has no row for the server

#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

#include "ns3/collab-error.h"
#include "ns3/collab-scenario-arguments.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <string>
#include <sys/resource.h>

using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;
using tests::ReadFile;

namespace
{

class MishapsTest : public tests::ScenarioTest
{
  protected:
    const std::string SMALL = "dataSet=gaussian-classes devices=8 samples=10 minimumSamples=4 "
                              "referenceSamples=8 testSamples=8 model=mlp:8 rounds=3 ";
};

TEST_F(MishapsTest, ARunSaysWhichModelsAreNotFiniteAndSinceWhen)
{
    const auto expect = [this](auto* run, const std::string& arguments) {
        const auto isTold =
            HasSubstr("warning: training has diverged, models are not finite: devices 0-7 since "
                      "round 0; a smaller learning rate may help\n");
        EXPECT_THAT(Play(run, SMALL + arguments + "learningRate=1e30").printed,
                    AllOf(isTold, HasSubstr("wrote")));
        EXPECT_THAT(Play(run, SMALL + arguments + "learningRate=1e-3").printed,
                    Not(HasSubstr("diverged")));
    };
    expect(RunPredictionConsensus, "pretrainingRounds=1 lowQuality=none ");
    expect(RunFederated, "algorithm=fedavg lowQuality=none ");
    expect(RunFederated, "algorithm=semi-decentralized setSize=4 lowQuality=none ");
    expect(RunGossip, "algorithm=gossipfl lowQuality=none ");
}

TEST_F(MishapsTest, OnlyTheDevicesThatTrainCanDiverge)
{
    const std::string committee = SMALL + "activePercent=100 localSteps=5 ";
    EXPECT_THAT(Play(RunCommittee, committee + "localRate=999999").printed,
                HasSubstr("not finite: devices 0-7 since round "));
    EXPECT_THAT(Play(RunCommittee, committee + "localRate=0.1").printed,
                Not(HasSubstr("diverged")));
}

TEST_F(MishapsTest, AFullDiskEndsARunAndLeavesWhatWasWritten)
{
    const auto parsed =
        Parse<PredictionConsensusParameters>(SMALL + "pretrainingRounds=1 rounds=100");
    auto& p = *parsed;
    std::filesystem::create_directory(m_folder);
    p.runDir = m_folder / "full";
    rlimit usual = {};
    getrlimit(RLIMIT_FSIZE, &usual);
    const rlimit less = {30000, usual.rlim_max};
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    std::ostringstream output;
    ::testing::internal::CaptureStderr();
    setrlimit(RLIMIT_FSIZE, &less);
    const int status =
        RunScenario("prediction-consensus", [&]() { RunPredictionConsensus(p, output); });
    setrlimit(RLIMIT_FSIZE, &usual);
    std::signal(SIGXFSZ, handler);
    const std::string error = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, 1);
    EXPECT_THAT(error,
                AllOf(StartsWith("prediction-consensus: "),
                      HasSubstr("cannot write " + p.runDir + ".partial/"),
                      EndsWith(".csv: File too large\n")));
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1);
    EXPECT_THAT(output.str(), Not(HasSubstr("wrote")));
    EXPECT_FALSE(std::filesystem::exists(p.runDir));
    const auto rounds = tests::ReadCsvRows(p.runDir + ".partial/rounds.csv");
    EXPECT_GT(rounds.size(), 8U);
    EXPECT_EQ(rounds.back().size(), rounds.front().size());
    EXPECT_THAT(ReadFile(p.runDir + ".partial/messages.csv"), EndsWith("\n"));

    // and the process can go on
    EXPECT_THAT(Play(RunPredictionConsensus, SMALL + "pretrainingRounds=1 rounds=2").printed,
                HasSubstr("wrote"));
}

TEST_F(MishapsTest, AMatrixOfLinksNeedsARowForTheServer)
{
    const auto play = [this](std::size_t rows) {
        const std::string path = m_folder / (std::to_string(rows) + ".csv");
        std::ofstream file(path);
        for (std::size_t row = 0; row < rows; ++row)
        {
            for (std::size_t column = 0; column < rows; ++column)
            {
                file << (column == 0 ? "" : ",") << 0.1;
            }
            file << "\n";
        }
        file.close();
        return Play(RunFederated,
                    SMALL + "D2dChannel::OutageModel=ns3::collab::D2dMatrixOutageModel[FileName=" +
                        path + "]");
    };
    std::filesystem::create_directory(m_folder);
    EXPECT_THAT([&]() { play(8); },
                ::testing::ThrowsMessage<UserError>(
                    AllOf(HasSubstr("node 8 has no row in the 8 x 8 matrix"),
                          HasSubstr("a server too, whose number follows those of the devices"))));
    EXPECT_THAT(play(9).printed, HasSubstr("wrote"));
}

} // namespace

TEST_F(MishapsTest, MessagesThatNobodyHearsAreNotWithoutATrace)
{
    // A deadline that is too short for all devices to take turns
    constexpr uint32_t DEVICES = 12;
    constexpr uint32_t EXCHANGES = 2; // rounds in which everybody broadcasts once
    const auto run =
        Play(RunPredictionConsensus,
             tests::SmallFashion::Argument() +
                 "devices=12 samples=40 minimumSamples=4 testSamples=50 model=linear "
                 "lowQuality=none pretrainingRounds=1 rounds=3 localEpochs=1 deadline=0.2");
    // One row for each device that a message was meant for
    std::map<std::string, std::set<std::string>> meant;
    std::size_t unsent = 0;
    for (const auto& row : run.Rows("messages"))
    {
        const std::string& receiver = row.at("receiver");
        EXPECT_NE(row.at("sender"), receiver);
        EXPECT_TRUE(meant[row.at("sender") + " " + row.at("sequence")].insert(receiver).second);
        if (row.at("attempts") == "0")
        {
            ++unsent;
            EXPECT_EQ(row.at("delivered"), "0");
            EXPECT_EQ(row.at("airtime_s"), "0");
        }
    }
    EXPECT_THAT(meant, SizeIs(DEVICES * EXCHANGES));
    EXPECT_THAT(meant, Each(Pair(::testing::_, SizeIs(DEVICES - 1))));
    EXPECT_GT(unsent, 0U);
    // They count as expected, and not as heard or sent
    const double expected = DEVICES * EXCHANGES * (DEVICES - 1);
    const double heard = run.Sum("rounds", "messages_heard");
    EXPECT_EQ(run.Sum("rounds", "messages_expected"), expected);
    EXPECT_LE(heard, run.Sum("messages", "delivered"));
    EXPECT_LT(heard, expected / 2);
    EXPECT_THAT(run.printed, HasSubstr("not heard, since never on air: run-ended "));
    EXPECT_THAT(run.printed, HasSubstr("warning: a device heard "));
    EXPECT_THAT(run.printed, HasSubstr("(--deadline 0.2 s)"));
}
