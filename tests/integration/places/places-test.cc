/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where devices are and how they move, in every scenario that has a network.

#include "belief-consensus/belief-consensus-scenario.h"
#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"

#include "ns3/d2d-link-budget.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>

using namespace ns3::collab;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

namespace
{

class PlacesTest : public tests::ScenarioTest
{
  protected:
    void
    SetUp() override
    {
        ScenarioTest::SetUp();
        std::filesystem::create_directory(m_folder);
    }

    /// @return path of a new file
    std::string
    Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
        return m_folder / name;
    }

    /// @return a file in which devices on a line walk to places three times as far apart, at once
    std::string
    WriteWays(uint32_t devices) const
    {
        std::string text = "time,device,x,y\n";
        for (uint32_t i = 0; i < devices; ++i)
        {
            text += fmt::format("0,{0},{1},0\n0.004,{0},{2},4\n", i, 40 * i, 120 * i);
        }
        return Write("ways.csv", text);
    }

    /// @brief Expect that devices of a scenario follow a file, for any number of threads.
    /// @param run the scenario
    /// @param arguments of a small run
    /// @param devices their number
    template <typename P>
    void
    ExpectMoves(void (*run)(P&, std::ostream&), const std::string& arguments, uint32_t devices)
    {
        std::string start; // where they would stay
        for (uint32_t i = 0; i < devices; ++i)
        {
            start += fmt::format("{}{},0", i > 0 ? ";" : "", 40 * i);
        }
        const auto moving = ExpectSameFiles(
            run,
            arguments + " positionInterval=0.001 mobility=file:" + WriteWays(devices),
            "threads=2",
            {"positions.csv"});
        const auto standing = Play(run, arguments + " positions=" + start);
        EXPECT_NE(moving.Text("messages.csv"), standing.Text("messages.csv"));
        EXPECT_EQ(standing.Text("positions.csv"), "");
        const uint32_t last = devices - 1;
        std::map<double, std::pair<double, double>> way;
        for (const auto& row : moving.Rows("positions"))
        {
            if (row.at("device") == std::to_string(last))
            {
                way[std::stod(row.at("time_s"))] = {std::stod(row.at("x_m")),
                                                    std::stod(row.at("y_m"))};
            }
        }
        ASSERT_EQ(way.count(0.001), 1U);
        EXPECT_NEAR(way[0.001].first, (40 + 20) * last, 1e-6);
        EXPECT_NEAR(way[0.001].second, 1, 1e-6);
        EXPECT_LE(way.rbegin()->first, 0.004) << "no rows of who stands";
        EXPECT_EQ(moving.Json()["devices"][last]["x_m"], 40 * last) << "at the start";
    }

    const std::string SAMPLES =
        "dataSet=gaussian-classes devices=4 samples=20 testSamples=10 model=linear ";
    const std::string LEARNERS = SAMPLES + "referenceSamples=8 rounds=6 ";
};

} // namespace

TEST_F(PlacesTest, DevicesOfAllScenariosFollowAFile)
{
    ExpectMoves(RunPredictionConsensus, LEARNERS + "pretrainingRounds=1", 4);
    ExpectMoves(RunConsensusToy, "rounds=3 experiment=regression", 3);
    ExpectMoves(RunCommittee, LEARNERS + "devices=8 samples=14 activePercent=100", 8);
    ExpectMoves(RunGossip, LEARNERS + "algorithm=segmented replicas=2", 4);
    ExpectMoves(RunFederated, LEARNERS + "serverPosition=0,0", 4);
    ExpectMoves(RunFederated, LEARNERS + "algorithm=semi-decentralized setSize=2", 4);
    ExpectMoves(RunBeliefConsensus, "devices=4 instants=8 links=radio", 4);
    ExpectMoves(RunGraphDiscovery,
                SAMPLES +
                    "samples=30 clusters=2 iterations=12 shares=100 rounds=2 edges=1 omit=votes",
                4);
}

TEST_F(PlacesTest, ModelsMoveWithinTheArea)
{
    for (const std::string model : {"random-walk", "random-waypoint", "gauss-markov"})
    {
        SCOPED_TRACE(model);
        const std::string mobility = " positionInterval=0.001 speed=500 mobility=" + model;
        const auto run =
            ExpectSameFiles(RunPredictionConsensus,
                            LEARNERS + "pretrainingRounds=1 area=50 positions=square" + mobility,
                            "threads=2",
                            {"positions.csv"});
        for (const std::string axis : {"x_m", "y_m"})
        {
            const auto places = run.Read("positions", axis);
            EXPECT_GE(*std::min_element(places.begin(), places.end()), 0);
            EXPECT_LE(*std::max_element(places.begin(), places.end()), 50);
        }
        EXPECT_THAT(run.Read("positions", "z_m"), Each(1.5));
        EXPECT_THAT(run.Hints(), Contains(HasSubstr("links are 70.71 m long at most")));
        EXPECT_GT(run.Rows("positions").size(), 20U);
        // Without movement they are where those who move begin
        const auto still = Play(
            RunPredictionConsensus,
            LEARNERS + "pretrainingRounds=1 area=50 positions=square speed=0 mobility=" + model);
        EXPECT_EQ(still.Json()["devices"][3]["x_m"], run.Json()["devices"][3]["x_m"]);
        EXPECT_EQ(still.Text("positions.csv"), "");
    }
}

TEST_F(PlacesTest, PlacesAreAsAsked)
{
    const auto places = [this](const std::string& arguments) {
        std::vector<std::pair<double, double>> all;
        const auto run = Play(RunPredictionConsensus, LEARNERS + arguments).Json();
        for (const auto& device : run["devices"])
        {
            all.emplace_back(device["x_m"], device["y_m"]);
        }
        return all;
    };
    using Places = std::vector<std::pair<double, double>>;
    EXPECT_EQ(places("area=20 positions=grid"), (Places{{5, 5}, {15, 5}, {5, 15}, {15, 15}}));
    EXPECT_EQ(places("positions=1,2;3,4;5,6;7,8,9"), (Places{{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
    const auto file = Write("places.csv", "device,x,y\n2,5,6\n1,3,4\n0,1,2\n3,7,8\n");
    EXPECT_EQ(places("positions=file:" + file), (Places{{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
    for (const auto& [x, y] : places("area=20 positions=disc"))
    {
        EXPECT_LE(std::hypot(x - 10, y - 10), 10);
    }
    // Without an area it is one across whose diagonal a link has maxOutage
    const auto run = Play(RunPredictionConsensus, LEARNERS + "positions=square maxOutage=0.2");
    const double diagonal = run.Parameter("area").get<double>() * std::sqrt(2);
    EXPECT_NEAR(GetOutageForDistance(diagonal), 0.2, 1e-9);
    EXPECT_NEAR(GetDistanceForOutage(0.2), diagonal, 1e-9);
}

TEST_F(PlacesTest, TheServerIsWhereItIsPut)
{
    const std::string list = " positions=0,0;10,0;20,0;30,0 ";
    const std::string file = Write("with-server.csv",
                                   "time,device,x,y\n0,0,0,0\n0,1,10,0\n0,2,20,0\n0,3,30,0\n"
                                   "0,server,15,40\n5,server,15,400\n");
    const auto given = Play(RunFederated, LEARNERS + list + "serverPosition=15,40");
    EXPECT_THAT(given.Hints(), Not(Contains(HasSubstr("devices move"))));
    const auto moving = Play(RunFederated, LEARNERS + "mobility=file:" + file);
    EXPECT_THAT(moving.Hints(), Contains(HasSubstr("that there can be, of 400.3 m")));
    EXPECT_EQ(moving.Values("positions", "device"),
              (std::set<std::string>{"0", "1", "2", "3", "4"}));
    const auto higher = Play(RunFederated, LEARNERS + list + "serverPosition=15,40,90");
    EXPECT_GT(higher.Sum("energy", "d2s_tx_j"), given.Sum("energy", "d2s_tx_j"));
}

TEST_F(PlacesTest, WaitsHoldForTheLongestLinks)
{
    // Devices are near each other, but may go to both ends of the area
    const auto deadline = [this](const std::string& arguments) {
        return Play(RunPredictionConsensus,
                    LEARNERS +
                        "pretrainingRounds=1 D2dPhy::Bandwidth=1000 D2dPhy::RxSensitivity=-150 "
                        "positions=1,1;1.001,1;1,1.001;" +
                        arguments)
            .Parameter("deadline")
            .get<double>();
    };
    const double near = deadline("2,2");
    const double far = deadline("2999,2999");
    const std::string walk = " area=3000 mobility=random-walk speed=0.01 rounds=2";
    EXPECT_GT(far, near);
    EXPECT_GT(deadline("2,2" + walk), far);
    EXPECT_EQ(deadline("2,2" + walk), deadline("2999,2999" + walk));
}

TEST_F(PlacesTest, MistakesAreRefused)
{
    const std::string gap = Write("gap.csv", "time,device,x,y\n0,0,1,1\n");
    ExpectRefusals(
        RunPredictionConsensus,
        LEARNERS,
        {{"positions=circle",
          "--positions=circle is not allowed; it must be disc, grid, square, f"},
         {"positions=1,2;3,4", "of 4 devices (--devices), not 2"},
         {"positions=file:/nowhere",
          "--positions=file:/nowhere is not allowed: /nowhere: cannot b"},
         {"mobility=file:" + gap, "gap.csv: device 1 has no position at time 0"},
         {"mobility=file:" + gap + " positions=grid",
          "--positions=grid is not allowed; it must be "},
         {"mobility=walk", "it must be static, random-walk, random-waypoint, gauss-markov, file:"},
         {"mobility=ns3::Nothing", "a mobility model of ns-3: "},
         {"mobility=ns3::RandomWalk2dMobilityModel positions=-1,0;0,0;0,0;0,0",
          "a model whose Bounds are around all positions, such as -1,0"},
         {"mobility=random-walk area=5 positions=1,2;3,4;5,6;1,1", "between 0 and 5 (--area)"},
         {"speed=-1", "--speed=-1 is not allowed"},
         {"mobility=random-walk area=5 speed=51",
          "--speed=51 is not allowed; it must be 50 or less"},
         {"area=-1", "--area=-1 is not allowed"}});
    ExpectRefusals(
        RunFederated,
        LEARNERS,
        {{"serverPosition=up", "--serverPosition=up is not allowed; it must be x,y or x"}});
}
