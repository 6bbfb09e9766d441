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
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
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
