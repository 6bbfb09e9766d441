/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Every scenario with links of a trace, and with devices that leave and return

#include "belief-consensus/belief-consensus-scenario.h"
#include "committee/committee-scenario.h"
#include "distillation/distillation-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "inputs/scenario-presence.h"
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"

#include "ns3/simulator.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::PlayedRun;

namespace
{

constexpr double LIMIT = 1e5; //!< of simulated time, which no run needs [s]

/// Of devices with samples
const std::string SAMPLES = "dataSet=gaussian-classes samples=16 testSamples=20 ";
/// Of devices that learn
const std::string SMALL = SAMPLES + "minimumSamples=4 referenceSamples=8 model=mlp:8 ";

/// Of committees that do not wait longer than devices are there
const std::string COMMITTEE = SMALL + "activePercent=100 rounds=4 gradientTimeout=1 "
                                      "scoreTimeout=0.5 attemptTimeout=0.5 modelTimeout=1 ";

/// Runs of eight devices
class World : public tests::ScenarioTest
{
  protected:
    void
    SetUp() override
    {
        ScenarioTest::SetUp();
        std::filesystem::create_directory(m_folder);
    }

    /// @return file:PATH of a file that has this text from now on
    std::string
    Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
        return "file:" + (m_folder / name).string();
    }

    /// @param seconds after which the first half of the devices is out of range of the second half
    /// @return file:PATH of links of eight devices and the server
    std::string
    WriteLinks(double seconds) const
    {
        std::ostringstream text;
        text << "time,from,to,gain\n";
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            text << "0,server," << i << ",-90\n";
            for (uint32_t j = i + 1; j < DEVICES; ++j)
            {
                text << "0," << i << "," << j << "," << -90.0 - i - j << "\n";
            }
        }
        for (uint32_t i = 0; i < DEVICES / 2; ++i)
        {
            for (uint32_t j = DEVICES / 2; j < DEVICES; ++j)
            {
                text << seconds << "," << i << "," << j << ",\n";
            }
        }
        return Write("links.csv", text.str());
    }

  public:
    /// @return a run, which must end
    template <typename P>
    PlayedRun
    PlayOf(void (*run)(P&, std::ostream&), const std::string& arguments)
    {
        const auto p = Parse<P>("devices=8 " + arguments);
        p->beforeRun = []() {
            Simulator::Schedule(Seconds(LIMIT),
                                []() { throw std::runtime_error("the run never ends"); });
        };
        return PlayWith(run, *p);
    }

    static constexpr uint32_t DEVICES = 8;
};

/// A protocol in a scenario
struct Player
{
    std::string name;                                                    //!< of tests
    std::function<PlayedRun(World&, const std::string& arguments)> play; //!< a run
    double stay = 1;                                                     //!< a part of a run [s]
    bool crosses = true; //!< whether devices of both halves speak to each other
};

void
PrintTo(const Player& player, std::ostream* os)
{
    *os << player.name;
}

/// @return a player of a scenario
template <typename P>
Player
Make(const std::string& name,
     void (*run)(P&, std::ostream&),
     const std::string& arguments,
     double stay,
     bool crosses = true)
{
    const auto play = [run, arguments](World& world, const std::string& more) {
        return world.PlayOf(run, arguments + " " + more);
    };
    return {name, play, stay, crosses};
}

std::vector<Player>
GetPlayers()
{
    std::vector<Player> players = {
        Make("PredictionConsensus",
             RunPredictionConsensus,
             SMALL + "lowQuality=none rounds=6 pretrainingRounds=1",
             2),
        Make("SemiDecentralized",
             RunFederated,
             SMALL + "algorithm=semi-decentralized setSize=4 rounds=4",
             2,
             false),
        Make("Committee", RunCommittee, COMMITTEE + "quorum=paper", 5),
        Make("ByzantineCommittee", RunCommittee, COMMITTEE + "quorum=byzantine", 5),
        Make("GraphDiscovery",
             RunGraphDiscovery,
             SAMPLES + "omit= iterations=12 edges=3 downstream=none paradigm=supervised",
             0.5),
        Make("GraphDiscoveryLatent",
             RunGraphDiscovery,
             SAMPLES + "omit= iterations=12 edges=3 downstream=none components=2 clusters=3 "
                       "paradigm=unsupervised",
             0.5),
        Make("GraphDiscoveryFedAvg",
             RunGraphDiscovery,
             SAMPLES + "omit= iterations=12 downstream=fedavg rounds=3 retain=true",
             1),
        Make("Beliefs", RunBeliefConsensus, "family=gaussian links=radio instants=30", 0.5),
        Make("BeliefsOneAfterTheOther",
             RunBeliefConsensus,
             "family=discrete interval=0 deadline=0.5 instants=20",
             0.5),
        Make("BeliefGossip",
             RunBeliefConsensus,
             "family=gaussian method=gossip updateRate=10 instants=30",
             0.5)};
    for (const std::string algorithm : {"fedavg",
                                        "fedprox",
                                        "scaffold",
                                        "feddyn",
                                        "fedsgd",
                                        "fedavgm",
                                        "fednova",
                                        "fedbuff",
                                        "feddf",
                                        "fedkseed"})
    {
        players.push_back(Make(
            algorithm, RunFederated, SMALL + "algorithm=" + algorithm + " rounds=4", 2, false));
    }
    for (const std::string algorithm : {"fedmd", "ds-fl cacheDuration=2", "selective-fd"})
    {
        players.push_back(Make(algorithm.substr(0, algorithm.find_first_of("- ")),
                               RunDistillation,
                               SMALL +
                                   "pretrainingRounds=1 rounds=5 "
                                   "algorithm=" +
                                   algorithm,
                               2,
                               false));
    }
    for (const std::string algorithm : {"braintorrent", "gossipfl", "segmented"})
    {
        const std::string rounds = algorithm == "braintorrent" ? " rounds=16" : " rounds=5";
        players.push_back(Make(
            algorithm, RunGossip, SMALL + "algorithm=" + algorithm + rounds + " fraction=0.5", 5));
    }
    return players;
}

class WorldTest : public World, public testing::WithParamInterface<Player>
{
};

TEST_P(WorldTest, LinksOfATraceAreInForce)
{
    const Player& player = GetParam();
    const auto run = player.play(*this, "links=" + WriteLinks(1e-9));
    EXPECT_THAT(run.Hints(), Contains(HasSubstr("links keep their values from 1e-09 s on")));
    EXPECT_THAT(run.Hints(), Each(Not(HasSubstr("the longest link"))));
    uint32_t crossing = 0;
    for (const auto& row : run.Rows("messages"))
    {
        const double sender = std::stod(row.at("sender"));
        const double receiver = std::stod(row.at("receiver"));
        const bool isServed = sender >= DEVICES || receiver >= DEVICES;
        const bool isCrossing = !isServed && (sender < DEVICES / 2) != (receiver < DEVICES / 2);
        crossing += isCrossing && row.at("delivered") == "1" ? 1 : 0;
    }
    EXPECT_EQ(crossing, 0U);
    const auto later = player.play(*this, "links=" + WriteLinks(1e6));
    EXPECT_EQ(FindDifferentFiles(run, later).count("messages.csv"), player.crosses ? 1U : 0U);
}

TEST_P(WorldTest, DevicesLeaveAndReturn)
{
    const Player& player = GetParam();
    const double stay = player.stay;
    const auto at = [stay](double part) { return std::to_string(part * stay); };
    const std::string presence =
        Write("presence.csv",
              "time,device,on\n0,0,1\n0,5,0\n" + at(0.3) + ",1,0\n" + at(0.5) + ",2,0\n" + at(1) +
                  ",1,1\n" + at(1.2) + ",2,1\n" + at(1.5) + ",5,1\n" + at(1.6) + ",1,0\n" + at(2) +
                  ",1,1\n" + at(3) + ",7,0\n");
    const auto run = player.play(*this, "presence=" + presence);
    const Presence times(presence, DEVICES);
    for (const auto& row : run.Rows("messages"))
    {
        const auto sender = static_cast<uint32_t>(std::stod(row.at("sender")));
        if (sender == 1)
        {
            const double start = std::stod(row.at("start_s")) / stay;
            EXPECT_FALSE((start > 0.3 && start < 1) || (start > 1.6 && start < 2)) << start * stay;
        }
    }
    EXPECT_THAT(run.Values("rounds", "device"), AllOf(Contains("1"), Contains("2")));
}

TEST_P(WorldTest, ARandomPresenceIsTheSameWithAnyNumberOfThreads)
{
    const Player& player = GetParam();
    std::ostringstream stays;
    stays << "presence=exponential:" << player.stay << "," << player.stay / 2 << " ";
    const auto one = player.play(*this, stays.str() + "threads=1");
    EXPECT_THAT(FindDifferentFiles(one, player.play(*this, stays.str() + "threads=2")),
                ::testing::IsEmpty());
    EXPECT_GT(one.Rows("rounds").size(), DEVICES) << one.printed;
}

INSTANTIATE_TEST_SUITE_P(Players,
                         WorldTest,
                         ::testing::ValuesIn(GetPlayers()),
                         [](const auto& info) { return info.param.name; });

TEST_F(World, TurnsAreOverThoughNobodyStaysForOneOfThem)
{
    const std::string brain = SMALL + "algorithm=braintorrent turns=1 turnTimeout=10 ";
    const auto run = PlayOf(RunGossip, brain + "presence=exponential:1,2");
    EXPECT_GE(run.Rows("rounds").size(), (DEVICES - 1) * DEVICES) << run.printed;
    for (const auto& row : run.Rows("rounds"))
    {
        EXPECT_LT(std::stod(row.at("end_s")), 10 * DEVICES + 20)
            << "of device " << row.at("device");
    }
}

TEST_F(World, ADeviceThatGoesOffWhileItTrainsTellsTheTrustOfItsSecondTryOnly)
{
    const std::string arguments = SMALL + "lowQuality=none rounds=4 pretrainingRounds=1 ";
    double middle = 0; // of a training of device 1
    for (auto row : PlayOf(RunPredictionConsensus, arguments).Rows("latency"))
    {
        if (row["device"] == "1" && row["round"] == "2" && row["phase"] == "train")
        {
            middle = (std::stod(row["start_s"]) + std::stod(row["end_s"])) / 2;
        }
    }
    const auto run =
        PlayOf(RunPredictionConsensus,
               arguments + fmt::format("presence=off:1:{:.9f}-{:.9f}", middle, middle + 1e-3));
    std::vector<std::string> peers;
    for (auto row : run.Rows("trust"))
    {
        if (row["device"] == "1" && row["round"] == "2")
        {
            peers.push_back(row["peer"]);
        }
    }
    EXPECT_GE(peers.size(), 1U);
    EXPECT_EQ(std::set<std::string>(peers.begin(), peers.end()).size(), peers.size());
}

TEST_F(World, NobodyWaitsForDevicesWithoutEnergy)
{
    const auto run =
        PlayOf(RunCommittee, COMMITTEE + "battery=0.5 rounds=500 presence=exponential:1,2");
    EXPECT_THAT(run.printed, HasSubstr("the run ended with 8 of 8 devices before all rounds"));
}

TEST_F(World, WhatCannotBeReadIsRefused)
{
    const std::string header = "time,device,on\n";
    const auto presence = [&](const std::string& rows) {
        return "presence=" + Write("wrong.csv", rows);
    };
    const auto links = [&](const std::string& rows) {
        return "links=" + Write("wrong-links.csv", "time,from,to,gain\n" + rows);
    };
    const std::string usual = SMALL + "devices=3";
    const auto expect = [&](const std::string& arguments, const std::string& text) {
        ExpectRefusals(RunPredictionConsensus, usual, {{arguments, text}});
    };
    for (const std::string wrong : {"never",
                                    "exponential:1",
                                    "exponential:1,",
                                    "exponential:1,0",
                                    "exponential:1,nan",
                                    "off:",
                                    "off:3:1-2",
                                    "off:1:3-2",
                                    "off:1:1-5;1:4-6",
                                    "off:1:1-;1:4-6"})
    {
        expect("presence=" + wrong, "argument --presence=" + wrong + " is not allowed");
    }
    expect(presence(header), "wrong.csv: line 1: the file ends before its first row");
    expect(presence(header + "0,3,1\n"), "line 2: there is no device '3'; devices are numbered");
    expect(presence(header + "0,1,2\n"), "line 2: found '2', expected 1 or 0");
    expect(presence(header + "1,1,0\n1,1,1\n"), "line 3: a second row of device 1 at 1 s");
    expect(presence(header + "1,1,0\n0,1,1\n"), "line 3: time goes back from 1 to 0 s");
    expect("links=nothing", "--links=nothing is not allowed; allowed are radio, file:PATH");
    expect("links=file:/nowhere", "--links=file:/nowhere is not allowed: /nowhere: cannot be");
    expect(links("0,0,1,-60\n0,1,3,-60\n"), "line 3: there is no device 3; devices are numbered");
    expect(links("0,0,1,-60\n"), "there is no row of device 2");
    expect(links("0,0,server,-60\n0,1,server,-60\n0,2,server,-60\n"),
           "a file with links between devices");
    const std::string right = links("0,0,1,-60\n0,1,2,-60\n");
    expect(right + " D2dChannel::PropagationLossModel=ns3::FriisPropagationLossModel",
           "PropagationLossModel is not allowed here; --links=");
    ExpectRefusals(RunFederated, usual, {{right, "a file with links to the server, or radio"}});
    ExpectRefusals(RunGraphDiscovery,
                   SAMPLES + "devices=3",
                   {{right + " channel=dynamic", "radio with --channel"}});
    ExpectRefusals(RunBeliefConsensus,
                   "devices=3",
                   {{"method=central presence=exponential:1,1", "always with --method=central"},
                    {"links=nothing", "allowed are graph, radio, file:PATH"}});
}

TEST(PresenceTest, RandomStaysAreExponentialAndStationary)
{
    constexpr uint32_t DEVICES = 400;
    constexpr double END = 1000; // [s]
    constexpr double ON = 3;
    constexpr double OFF = 2;
    const Presence presence("exponential:3,2", DEVICES);
    double on = 0; // time of all devices
    double first = 0;
    std::vector<double> stays; // of devices that are on, from the second one on
    for (uint32_t device = 0; device < DEVICES; ++device)
    {
        first += presence.IsOnAtStart(device) ? 1 : 0;
        bool isOn = presence.IsOnAtStart(device);
        double now = 0;
        for (uint32_t number = 0; now < END; ++number, isOn = !isOn)
        {
            const double stay = presence.GetStay(device, number)->GetSeconds();
            on += isOn ? std::min(stay, END - now) : 0;
            if (isOn && number > 0)
            {
                stays.push_back(stay);
            }
            now += stay;
        }
    }
    constexpr double SHARE = ON / (ON + OFF);
    EXPECT_NEAR(first / DEVICES, SHARE, 4 * std::sqrt(SHARE * (1 - SHARE) / DEVICES));
    // The variance of the part of a time T is 2 SHARE (1 - SHARE) t / T with 1 / t = 1 / ON + 1 /
    // OFF
    const double correlation = ON * OFF / (ON + OFF);
    EXPECT_NEAR(on / DEVICES / END,
                SHARE,
                4 * std::sqrt(2 * SHARE * (1 - SHARE) * correlation / END / DEVICES));
    const auto count = static_cast<double>(stays.size());
    const double mean = std::accumulate(stays.begin(), stays.end(), 0.0) / count;
    EXPECT_NEAR(mean, ON, 4 * ON / std::sqrt(count));
    const double longer =
        std::count_if(stays.begin(), stays.end(), [](double stay) { return stay > ON; });
    const double tail = std::exp(-1);
    EXPECT_NEAR(longer / count, tail, 4 * std::sqrt(tail * (1 - tail) / count));
    EXPECT_EQ(Presence("always", 2).GetLastReturn(), Time());
    EXPECT_EQ(Presence("off:0:0-5;1:2-", 2).GetLastReturn(), Seconds(5));
    EXPECT_FALSE(Presence("off:0:0-5;1:2-", 2).IsOnAtStart(0));
}

} // namespace
