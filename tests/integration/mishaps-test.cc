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
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <string>
#include <sys/resource.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using tests::ReadFile;

namespace
{

class MishapsTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        std::filesystem::create_directory(m_folder);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::Reset();
    }

    void
    TearDown() override
    {
        Config::Reset();
        TemporaryFolder::TearDown();
    }

    /// @return small parameters of a scenario
    template <typename P>
    P
    Small(const std::string& name) const
    {
        P p;
        p.dataSet = "gaussian-classes";
        p.devices = 8;
        p.samples = 10;
        p.minimumSamples = 4;
        p.referenceSamples = 8;
        p.testSamples = 8;
        p.model = "mlp:8";
        p.lowQuality = "none";
        p.rounds = 3;
        p.runDir = m_folder / name;
        return p;
    }

    /// @return what a run prints
    template <typename P>
    static std::string
    Play(const P& p, void (*run)(P, std::ostream&))
    {
        std::ostringstream output;
        run(p, output);
        return output.str();
    }
};

TEST_F(MishapsTest, ARunSaysWhichModelsAreNotFiniteAndSinceWhen)
{
    const auto expect = [this](auto p, auto* run) {
        const auto isTold =
            HasSubstr("warning: training has diverged, models are not finite: devices 0-7 since "
                      "round 0; a smaller learning rate may help\n");
        EXPECT_THAT(Play(p, run), AllOf(isTold, HasSubstr("wrote")));
        p.learningRate = 1e-3;
        p.runDir = m_folder / "usual";
        EXPECT_THAT(Play(p, run), Not(HasSubstr("diverged")));
        std::filesystem::remove_all(m_folder / "usual");
    };
    auto consensus = Small<PredictionConsensusParameters>("consensus");
    consensus.pretrainingRounds = 1;
    consensus.learningRate = 1e30;
    expect(consensus, RunPredictionConsensus);
    for (const std::string algorithm : {"fedavg", "semi-decentralized"})
    {
        auto federated = Small<FederatedParameters>(algorithm);
        federated.algorithm = algorithm;
        federated.setSize = 4;
        federated.learningRate = 1e30;
        expect(federated, RunFederated);
    }
    auto gossip = Small<GossipParameters>("gossip");
    gossip.algorithm = "gossipfl";
    gossip.learningRate = 1e30;
    expect(gossip, RunGossip);
}

TEST_F(MishapsTest, OnlyTheDevicesThatTrainCanDiverge)
{
    auto p = Small<CommitteeParameters>("committee");
    p.activePercent = 100;
    p.localSteps = 5;
    p.localRate = 999999;
    EXPECT_THAT(Play(p, RunCommittee), HasSubstr("not finite: devices 0-7 since round "));
    p.localRate = 0.1;
    p.runDir += "-usual";
    EXPECT_THAT(Play(p, RunCommittee), Not(HasSubstr("diverged")));
}

TEST_F(MishapsTest, AFullDiskEndsARunAndLeavesWhatWasWritten)
{
    auto p = Small<PredictionConsensusParameters>("full");
    p.pretrainingRounds = 1;
    p.rounds = 100;
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

    p.rounds = 2; // and the process can go on
    p.runDir = m_folder / "next";
    EXPECT_THAT(Play(p, RunPredictionConsensus), HasSubstr("wrote"));
}

TEST_F(MishapsTest, AMatrixOfLinksNeedsARowForTheServer)
{
    const auto set = [this](std::size_t rows) {
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
        Config::SetDefault("ns3::collab::D2dChannel::OutageModel",
                           StringValue("ns3::collab::D2dMatrixOutageModel[FileName=" + path + "]"));
    };
    auto p = Small<FederatedParameters>("matrix");
    set(p.devices);
    EXPECT_THAT([&]() { Play(p, RunFederated); },
                ::testing::ThrowsMessage<UserError>(
                    AllOf(HasSubstr("node 8 has no row in the 8 x 8 matrix"),
                          HasSubstr("a server too, whose number follows those of the devices"))));
    std::filesystem::remove_all(p.runDir + ".partial");
    set(p.devices + 1);
    EXPECT_THAT(Play(p, RunFederated), HasSubstr("wrote"));
}

} // namespace
