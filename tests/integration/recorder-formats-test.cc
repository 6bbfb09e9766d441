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
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"

using namespace ns3;

namespace
{

/// Small runs of the scenarios
class RecorderFormatsTest : public tests::ScenarioTest
{
  protected:
    /// @brief Expect that a run has the same rows in both formats.
    /// @param run a scenario
    /// @param arguments of it
    /// @param tables that it must have, beside the table of columns
    /// @return names of all files that it has beside SQLite's
    template <typename P>
    std::set<std::string>
    ExpectSameRows(void (*run)(P&, std::ostream&),
                   const std::string& arguments,
                   const std::set<std::string>& tables)
    {
        const auto csv = Play(run, arguments + " recorder=csv").folder;
        const auto sqlite = Play(run, arguments + " recorder=sqlite");
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(csv))
        {
            if (entry.path().extension() == ".csv")
            {
                const std::string name = entry.path().stem();
                const auto rows = tests::ReadCsvRows(entry.path());
                EXPECT_GT(rows.size(), 1U) << name;
                EXPECT_EQ(tests::ReadSqliteRows(sqlite.folder / "run.sqlite", name), rows) << name;
                found.insert(name);
            }
        }
        EXPECT_EQ(found.erase("columns"), 1U);
        EXPECT_EQ(found, tables);
        std::set<std::string> others;
        for (const auto& [name, contents] : sqlite.Files())
        {
            others.insert(name);
        }
        return others;
    }

    const std::string LEARNERS = "devices=6 samples=20 minimumSamples=8 referenceSamples=40 "
                                 "testSamples=40 dataSet=synthetic-writers rounds=4 model=linear "
                                 "lowQuality=none loss=best-effort ";
};

} // namespace

TEST_F(RecorderFormatsTest, HoldTheSameRows)
{
    EXPECT_EQ(ExpectSameRows(
                  RunPredictionConsensus,
                  LEARNERS + "pretrainingRounds=2 localEpochs=1",
                  {"rounds", "latency", "energy", "messages", "trust", "consensus", "influence"}),
              (std::set<std::string>{"run.json", "partition.txt", "run.sqlite", "theory.txt"}));
    ExpectSameRows(RunConsensusToy,
                   "experiment=two-degrees rounds=2",
                   {"rounds",
                    "latency",
                    "energy",
                    "messages",
                    "trust",
                    "consensus",
                    "influence",
                    "samples",
                    "curves"});
    const std::set<std::string> federated = {"rounds",
                                             "latency",
                                             "energy",
                                             "messages",
                                             "participation",
                                             "server",
                                             "adversaries",
                                             "clients"};
    ExpectSameRows(RunFederated, LEARNERS + "localEpochs=1 participation=0.5", federated);
    ExpectSameRows(RunFederated, LEARNERS + "algorithm=semi-decentralized setSize=3", federated);
    // Without loss, so that members agree
    ExpectSameRows(RunCommittee,
                   LEARNERS + "devices=12 activePercent=100 loss=reliable",
                   {"rounds",
                    "latency",
                    "energy",
                    "messages",
                    "votes",
                    "committee",
                    "scores",
                    "adversaries",
                    "clients"});
    ExpectSameRows(RunGossip,
                   LEARNERS + "algorithm=gossipfl localEpochs=1",
                   {"rounds", "latency", "energy", "messages", "exchanges", "pairs"});
    ExpectSameRows(
        RunBeliefConsensus,
        "devices=4 instants=5 outage=0.3 beliefInterval=1",
        {"rounds", "latency", "energy", "messages", "network", "weights", "beliefs", "theory"});
    ExpectSameRows(RunCommitteeBound, "rounds=20", {"rounds", "bound"});
    const std::string discovery = "devices=4 samples=32 testSamples=20 model=linear "
                                  "dataSet=gaussian-classes iterations=5 recordInterval=1 omit= "
                                  "rounds=2 downstream=";
    std::set<std::string> tables = {"rounds",
                                    "latency",
                                    "energy",
                                    "messages",
                                    "phase_energy",
                                    "discovery",
                                    "graph",
                                    "holdings"};
    ExpectSameRows(RunGraphDiscovery, discovery + "none", tables);
    tables.insert({"server", "participation"});
    ExpectSameRows(RunGraphDiscovery, discovery + "fedavg", tables);
}
