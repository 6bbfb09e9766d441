/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-consensus-scenario.h"
#include "committee/committee-bound-scenario.h"
#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"
#include "support/table-rows.h"
#include "support/temporary-folder.h"

#include "ns3/rng-seed-manager.h"

#include <set>
#include <sstream>
#include <string>

using namespace ns3;
namespace fs = std::filesystem;

namespace
{

/// Small runs of the scenarios
class RecorderFormatsTest : public ::tests::TemporaryFolder
{
  protected:
    /**
     * @param run a scenario
     * @param p its parameters
     * @param format of the tables
     * @return the run's folder
     */
    template <typename Parameters>
    fs::path
    Run(void (*run)(Parameters, std::ostream&), Parameters p, const std::string& format) const
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        p.recorder = format;
        p.runDir = m_folder / format;
        p.quiet = true;
        std::ostringstream output;
        run(p, output);
        return p.runDir;
    }

    /**
     * @param run a scenario, of which all rows in one format must be those in the other
     * @param p its parameters
     * @return number of its tables
     */
    template <typename Parameters>
    std::size_t
    CountEqualTables(void (*run)(Parameters, std::ostream&), const Parameters& p) const
    {
        const fs::path csv = Run(run, p, "csv");
        const fs::path sqlite = Run(run, p, "sqlite");
        std::size_t tables = 0;
        for (const auto& entry : fs::directory_iterator(csv))
        {
            if (entry.path().extension() == ".csv")
            {
                ++tables;
                const std::string name = entry.path().stem();
                const auto rows = ::tests::ReadCsvRows(entry.path());
                EXPECT_GT(rows.size(), 1U) << name;
                EXPECT_EQ(::tests::ReadSqliteRows(sqlite / "run.sqlite", name), rows) << name;
            }
        }
        return tables;
    }
};

/// @return parameters of a small run
template <typename Parameters>
Parameters
Small()
{
    Parameters p;
    p.devices = 6;
    p.samples = 64;
    p.minimumSamples = 8;
    p.referenceSamples = 50;
    p.testSamples = 100;
    p.rounds = 4;
    p.model = "linear";
    p.lowQuality = "none";
    p.loss = "best-effort";
    return p;
}

} // namespace

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfPredictionConsensus)
{
    auto p = Small<PredictionConsensusParameters>();
    p.pretrainingRounds = 2;
    p.localEpochs = 1;
    const auto run = [](PredictionConsensusParameters given, std::ostream& output) {
        RunPredictionConsensus(given, output);
    };
    // rounds, latency, energy, messages, trust, consensus, influence, columns
    EXPECT_EQ(CountEqualTables<PredictionConsensusParameters>(run, p), 8U);
    std::set<std::string> others;
    for (const auto& entry : fs::directory_iterator(m_folder / "sqlite"))
    {
        others.insert(entry.path().filename());
    }
    EXPECT_EQ(others,
              (std::set<std::string>{"run.json", "partition.txt", "run.sqlite", "theory.txt"}));
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfTheExamples)
{
    ConsensusToyParameters p;
    p.experiment = "two-degrees";
    p.rounds = 2;
    // those of prediction consensus, samples, curves
    EXPECT_EQ(CountEqualTables<ConsensusToyParameters>(RunConsensusToy, p), 10U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfFederatedLearning)
{
    auto p = Small<FederatedParameters>();
    p.localEpochs = 1;
    p.participation = 0.5;
    const auto run = [](FederatedParameters given, std::ostream& output) {
        RunFederated(given, output);
    };
    // rounds, latency, energy, messages, participation, server, adversaries, clients, columns
    EXPECT_EQ(CountEqualTables<FederatedParameters>(run, p), 9U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfSemiDecentralizedLearning)
{
    auto p = Small<FederatedParameters>();
    p.algorithm = "semi-decentralized";
    p.setSize = 3;
    const auto run = [](FederatedParameters given, std::ostream& output) {
        RunFederated(given, output);
    };
    EXPECT_EQ(CountEqualTables<FederatedParameters>(run, p), 9U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfTheCommittee)
{
    auto p = Small<CommitteeParameters>();
    p.devices = 12;
    p.activePercent = 100;
    p.loss = "reliable"; // so that members agree
    const auto run = [](CommitteeParameters given, std::ostream& output) {
        RunCommittee(given, output);
    };
    // rounds, latency, energy, messages, votes, committee, scores, adversaries, clients, columns
    EXPECT_EQ(CountEqualTables<CommitteeParameters>(run, p), 10U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfGossip)
{
    auto p = Small<GossipParameters>();
    p.algorithm = "gossipfl";
    p.localEpochs = 1;
    const auto run = [](GossipParameters given, std::ostream& output) { RunGossip(given, output); };
    // rounds, latency, energy, messages, exchanges, pairs, columns
    EXPECT_EQ(CountEqualTables<GossipParameters>(run, p), 7U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfBeliefs)
{
    BeliefParameters p;
    p.devices = 4;
    p.instants = 5;
    p.outage = 0.3;
    p.beliefInterval = 1;
    // rounds, latency, energy, messages, network, weights, beliefs, theory, columns
    EXPECT_EQ(CountEqualTables<BeliefParameters>(RunBeliefConsensus, p), 9U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfTheBound)
{
    CommitteeBoundParameters p;
    p.rounds = 20;
    const auto run = [](CommitteeBoundParameters given, std::ostream& output) {
        RunCommitteeBound(given, output);
    };
    // rounds, bound, columns
    EXPECT_EQ(CountEqualTables<CommitteeBoundParameters>(run, p), 3U);
}

TEST_F(RecorderFormatsTest, HoldTheSameRowsOfGraphDiscovery)
{
    for (const std::string downstream : {"none", "fedavg"})
    {
        GraphDiscoveryParameters p;
        p.devices = 4;
        p.samples = 32;
        p.testSamples = 20;
        p.model = "linear";
        p.dataSet = "gaussian-classes";
        p.iterations = 5;
        p.recordInterval = 1;
        p.omit = "";
        p.rounds = 2;
        p.downstream = downstream;
        const auto run = [](GraphDiscoveryParameters given, std::ostream& output) {
            RunGraphDiscovery(given, output);
        };
        EXPECT_EQ(CountEqualTables<GraphDiscoveryParameters>(run, p),
                  downstream == "none" ? 9U : 11U);
        std::filesystem::remove_all(m_folder / "csv");
        std::filesystem::remove_all(m_folder / "sqlite");
    }
}
