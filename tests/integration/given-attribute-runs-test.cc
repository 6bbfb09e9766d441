/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a run does and says of itself when attributes are given in the place of its parameters, and
 * what parameters of all scenarios do to the devices.
 */

#include "belief-consensus/belief-consensus-scenario.h"
#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"

#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::PlayedRun;

namespace
{

/// Small runs on generated samples
class GivenAttributeRunsTest : public tests::ScenarioTest
{
  protected:
    PlayedRun
    Consensus(const std::string& arguments)
    {
        return Play(RunPredictionConsensus, CONSENSUS + arguments);
    }

    PlayedRun
    Federated(const std::string& arguments)
    {
        return Play(RunFederated, LEARNERS + arguments);
    }

    /// @return the error of a run of federated learning
    std::string
    RefuseFederated(const std::string& arguments)
    {
        return FindError(RunFederated, LEARNERS + arguments);
    }

    /// Run a scenario with and without a slow device 1: it alone computes for longer
    template <typename P>
    void
    CheckSlowDevice(void (*run)(P&, std::ostream&), const std::string& arguments)
    {
        SCOPED_TRACE(arguments);
        const auto usualRun = Play(run, arguments);
        const auto usual = GetComputeJoules(usualRun);
        const auto slow = GetComputeJoules(Play(run, arguments + "slowDevices=1 slowdown=10"));
        ASSERT_EQ(usual.size(), usualRun.Json().at("devices").size());
        for (const auto& [device, joules] : usual)
        {
            ASSERT_GT(joules, 0) << device;
            // Jobs of microseconds are rounded to nanoseconds
            EXPECT_NEAR(slow.at(device) / joules, device == "1" ? 10 : 1, 0.1) << device;
        }
    }

    /// @return energy that each device's processor has spent [J]
    static std::map<std::string, double>
    GetComputeJoules(const PlayedRun& run)
    {
        std::map<std::string, double> last;
        for (const auto& row : run.Rows("energy"))
        {
            last[row.at("device")] = std::stod(row.at("compute_j"));
        }
        return last;
    }

    const std::string SAMPLES = "dataSet=gaussian-classes devices=4 samples=20 testSamples=10 "
                                "model=linear threads=1 rounds=3 ";
    const std::string LEARNERS = SAMPLES + "minimumSamples=4 referenceSamples=8 lowQuality=none ";
    const std::string CONSENSUS = LEARNERS + "pretrainingRounds=1 ";
    const std::string COMMITTEE = LEARNERS + "devices=10 samples=14 ";
};

} // namespace

TEST_F(GivenAttributeRunsTest, LambdaAsAnAttributeIsLambdaAsAnArgument)
{
    const auto low = Consensus("PredictionConsensusApplication::Lambda=0.1");
    const auto high = Consensus("PredictionConsensusApplication::Lambda=0.9");
    const auto argument = Consensus("lambda=0.9");
    EXPECT_NE(low.Text("rounds.csv"), high.Text("rounds.csv"));
    EXPECT_GT(argument.Files().size(), 8U);
    EXPECT_THAT(tests::FindDifferentFiles(high, argument), ElementsAre("run.json"));
    auto given = high.Json();
    EXPECT_EQ(given.at("attributes").size(), 1U);
    given["attributes"] = nlohmann::json::object();
    EXPECT_EQ(given, argument.Json());
}

TEST_F(GivenAttributeRunsTest, TheScenarioFollowsAGivenAlgorithm)
{
    // SCAFFOLD steps by SGD, with a rate of its own
    const auto given = Federated("FederatedApplication::Algorithm=Scaffold "
                                 "FederatedClientApplication::LearningRate=0.125");
    EXPECT_EQ(given.Parameter("algorithm"), "scaffold");
    EXPECT_EQ(given.Parameter("sgdLearningRate"), 0.125);
    EXPECT_EQ(given.Parameter("learningRate"), 5e-3);
    EXPECT_THAT(RefuseFederated("algorithm=scaffold FederatedClientApplication::LearningRate=0"),
                HasSubstr("must be greater than 0"));
    const auto rate = Federated("FederatedClientApplication::LearningRate=0.125");
    EXPECT_EQ(rate.Text("rounds.csv"), Federated("learningRate=0.125").Text("rounds.csv"));
}

TEST_F(GivenAttributeRunsTest, AGivenPowerDecidesTheServersOutage)
{
    EXPECT_TRUE(Federated("D2dPhy::TxPower=21").Parameter("serverOutage").is_null());
    EXPECT_THAT(
        RefuseFederated("D2dPhy::TxPower=21 serverOutage=0.2"),
        AllOf(HasSubstr("--serverOutage=0.2"), HasSubstr("--ns3::collab::D2dPhy::TxPower=21")));
    EXPECT_THAT(RefuseFederated("Processor::FlopsPerCycle=2 slowDevices=1"),
                AllOf(HasSubstr("--slowDevices=1"), HasSubstr("Processor::FlopsPerCycle=2")));
}

TEST_F(GivenAttributeRunsTest, PowersThatTheServersOutageAsksForAreTold)
{
    const auto getPowers = [](const PlayedRun& run) {
        std::vector<double> all;
        const auto description = run.Json();
        for (const auto& radio : description.at("radios"))
        {
            all.push_back(radio.at("tx_power_dbm"));
        }
        return all;
    };
    const auto usual = Federated("");
    EXPECT_THAT(usual.Hints(), IsEmpty());
    const auto before = getPowers(usual);
    ASSERT_EQ(before.size(), 2U); // of the server, and of the devices
    // 10 lg (ln(1 - 0.1) / ln(1 - 1e-9)) dB more
    const auto greater = Federated("serverOutage=1e-9");
    const auto after = getPowers(greater);
    EXPECT_EQ(after[0], before[0]);
    EXPECT_NEAR(after[1] - before[1], 80.2268, 1e-3);
    EXPECT_THAT(
        greater.Hints(),
        ElementsAre(HasSubstr(fmt::format("send to the server with {:.1f} dBm", after[1]))));
}

TEST_F(GivenAttributeRunsTest, WhatIsGivenInVainIsTold)
{
    EXPECT_THAT(
        Federated("mu=3 optimizer=sgd learningRate=0.3 localSteps=1 localEpochs=9").Hints(),
        ElementsAre(HasSubstr("--learningRate=0.3 has no effect in this run"),
                    HasSubstr("--localEpochs=9 has no effect"),
                    HasSubstr("--mu=3 has no effect in this run; it is for --algorithm=fedprox")));
    EXPECT_THAT(Consensus("pretrainingRounds=0 trust=naive "
                          "PredictionConsensusApplication::TrustInterval=2")
                    .Hints(),
                ElementsAre(HasSubstr("--trustInterval=2 has no effect")));
    const std::string idle =
        COMMITTEE + "activePercent=80 misbehavior=equivocate claimedSamples=1000 ";
    EXPECT_THAT(Play(RunCommittee, idle).Hints(),
                ElementsAre(HasSubstr("--misbehavior=equivocate has no effect in this run; it is "
                                      "for malicious devices"),
                            HasSubstr("--claimedSamples=1000 has no effect")));
    EXPECT_THAT(Play(RunCommittee, idle + "maliciousPercent=30").Hints(), IsEmpty());
    // Of an application that gossip does not have, and of a base of those that it has
    EXPECT_THAT(Play(RunGossip,
                     LEARNERS + "FederatedClientApplication::UpdatePrivacy=clip=1,sigma=1 "
                                "GossipApplication::LearningRate=0.01")
                    .Hints(),
                ElementsAre(HasSubstr("UpdatePrivacy=clip=1,sigma=1 has no effect in this run; it "
                                      "has no ns3::collab::FederatedClientApplication")));
}

TEST_F(GivenAttributeRunsTest, ANarrowBandCutsNoLinks)
{
    const std::string patient = "pretrainingRounds=0 deadline=1000 ";
    const auto usual = Consensus(patient);
    const auto narrow = Consensus(patient + "D2dPhy::Bandwidth=2000");
    const auto deaf = Consensus(patient + "D2dPhy::Bandwidth=2000 D2dPhy::RxSensitivity=-120");
    EXPECT_EQ(narrow.Rows("messages").size(), usual.Rows("messages").size());
    EXPECT_LT(deaf.Rows("messages").size(), usual.Rows("messages").size());
    EXPECT_THAT(usual.Hints(), IsEmpty());
    EXPECT_THAT(narrow.Hints(), Contains(HasSubstr("AcknowledgmentTurnaround=0")));
    EXPECT_THAT(Consensus(patient + "D2dPhy::Bandwidth=2e4").Hints(),
                Contains(AllOf(HasSubstr("RxSensitivity is -131.0"),
                               HasSubstr("--maxOutage=0.4 are in range"))));
    EXPECT_THAT(Consensus(patient + "D2dPhy::Bandwidth=2e4 D2dPhy::RxSensitivity=-120").Hints(),
                Contains(AllOf(HasSubstr("out of range by"), HasSubstr("RxSensitivity=-120"))));
    EXPECT_THAT(Federated("D2dPhy::Bandwidth=300").Hints(),
                Contains(HasSubstr("so that links of --serverOutage=0.1 are in range")));
}

TEST_F(GivenAttributeRunsTest, ItIsToldWhereLinksAreNotAsMaxOutageHasThem)
{
    EXPECT_THAT(Consensus("ns3::LogDistancePropagationLossModel::ReferenceDistance=2 "
                          "ns3::LogDistancePropagationLossModel::Exponent=2.5 "
                          "D2dPhy::SpectralEfficiency=2 D2dPhy::TxPower=10")
                    .Hints(),
                IsEmpty());
    // 1 - Q(4, -4 ln(1 - 0.4)), the regularized incomplete gamma function
    EXPECT_THAT(
        Consensus("D2dChannel::OutageModel=ns3::collab::D2dNakagamiOutageModel[M=4]").Hints(),
        ElementsAre(HasSubstr("an outage probability of 0.151, and not --maxOutage=0.4")));
    EXPECT_THAT(Consensus("D2dPhy::RateControl=Adaptive").Hints(),
                ElementsAre(HasSubstr("TargetOutage")));
    const std::string friis = "D2dChannel::PropagationLossModel=ns3::FriisPropagationLossModel ";
    EXPECT_THAT(
        Federated(friis).Hints(),
        ElementsAre(AllOf(HasSubstr("and not --serverOutage=0.1"), HasSubstr("log-distance"))));
    EXPECT_THAT(Federated(friis + "D2dPhy::TxPower=20").Hints(), IsEmpty())
        << "nothing was promised";
}

TEST_F(GivenAttributeRunsTest, AGivenDeadlineIsNotComputed)
{
    const std::string wait = "PredictionConsensusApplication::RoundDeadline=2s ";
    EXPECT_EQ(Consensus(wait).Parameter("deadline"), 2);
    EXPECT_EQ(Consensus(wait + "deadline=2").Parameter("deadline"), 2);
    EXPECT_THAT(FindError(RunPredictionConsensus, CONSENSUS + wait + "deadline=3"),
                HasSubstr("--deadline=3"));
}

TEST_F(GivenAttributeRunsTest, OneCompressionIsGivenForBothWays)
{
    const auto given = Federated("FederatedApplication::Compression=int8");
    EXPECT_EQ(given.Parameter("uplinkCompression"), "int8");
    EXPECT_EQ(given.Parameter("downlinkCompression"), "int8");
}

TEST_F(GivenAttributeRunsTest, AGivenAttackIsThatOfAllDevices)
{
    const std::string attack = "FederatedClientApplication::GradientAttack=scaling ";
    const auto run = Federated(attack);
    EXPECT_EQ(run.Parameter("maliciousPercent"), 100);
    EXPECT_EQ(run.Parameter("attack"), "scaling");
    const auto description = run.Json();
    for (const auto& device : description.at("devices"))
    {
        EXPECT_EQ(device.at("malicious"), true);
    }
    EXPECT_THAT(RefuseFederated(attack + "maliciousPercent=25"),
                HasSubstr("--maliciousPercent=25"));
}

TEST_F(GivenAttributeRunsTest, CommitteePercentagesFollowFromGivenSizes)
{
    const std::string sizes = "CommitteeApplication::CommitteeSize=3 "
                              "CommitteeApplication::TrainingClients=5 ";
    const auto given = Play(RunCommittee, COMMITTEE + sizes);
    EXPECT_EQ(given.Parameter("activePercent"), 80);
    EXPECT_EQ(given.Parameter("committeePercent"), 37.5);
    EXPECT_THAT(FindError(RunCommittee, COMMITTEE + "CommitteeApplication::TrainingClients=9"),
                HasSubstr("at most the 10 of --devices"));
    const auto misbehaving =
        Play(RunCommittee, COMMITTEE + sizes + "CommitteeApplication::Misbehavior=equivocate");
    EXPECT_EQ(misbehaving.Parameter("maliciousPercent"), 100);
    EXPECT_EQ(misbehaving.Parameter("attack"), "none");
    EXPECT_EQ(misbehaving.Parameter("misbehavior"), "equivocate");
}

TEST_F(GivenAttributeRunsTest, RoundsOfAnExampleFollowFromAllRounds)
{
    const auto given = Play(RunConsensusToy,
                            "CollaborationApplication::Rounds=5 "
                            "PredictionConsensusApplication::PretrainingRounds=2");
    EXPECT_EQ(given.Parameter("rounds"), 3);
    EXPECT_EQ(given.Parameter("pretrainingRounds"), 2);
    EXPECT_THAT(FindError(RunConsensusToy, "CollaborationApplication::Rounds=1"),
                HasSubstr("must be more than the 1 of --pretrainingRounds"));
}

TEST_F(GivenAttributeRunsTest, TimeoutsOfGossipAreThoseOfItsAlgorithm)
{
    EXPECT_EQ(Play(RunGossip,
                   LEARNERS + "algorithm=segmented segments=2 "
                              "SegmentedGossipApplication::PullTimeout=7s "
                              "GossipFlApplication::ExchangeTimeout=8s")
                  .Parameter("transferTimeout"),
              7);
}

TEST_F(GivenAttributeRunsTest, ASlowDeviceComputesForLongerInEachScenario)
{
    CheckSlowDevice(RunPredictionConsensus, CONSENSUS);
    CheckSlowDevice(RunFederated, LEARNERS);
    CheckSlowDevice(RunGossip, LEARNERS);
    CheckSlowDevice(RunCommittee, LEARNERS + "activePercent=100 devices=8 samples=16 ");
    CheckSlowDevice(RunBeliefConsensus,
                    "dataSet=gaussian-classes devices=4 samples=20 testSamples=10 model=linear "
                    "minimumSamples=4 lowQuality=none instants=3 family=mean-field ");
    CheckSlowDevice(RunGraphDiscovery, SAMPLES + "iterations=12 ");
}
