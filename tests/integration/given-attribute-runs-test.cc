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
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::ReadFile;
namespace fs = std::filesystem;

namespace
{

/// Attributes by name, without ns3::collab:: in front
using Given = std::map<std::string, std::string>;

/// Small runs on generated samples
class GivenAttributeRunsTest : public tests::TemporaryFolder
{
  protected:
    void
    TearDown() override
    {
        TemporaryFolder::TearDown();
        Config::Reset();
    }

    /// @return parameters of a small run
    template <typename P>
    static P
    Small()
    {
        P p;
        MakeSmall(p);
        p.rounds = 3;
        if constexpr (std::is_same_v<P, PredictionConsensusParameters>)
        {
            p.pretrainingRounds = 1;
        }
        return p;
    }

    /// @param p gets the sizes of a small run
    static void
    MakeSmall(CommonParameters& p)
    {
        p.dataSet = "gaussian-classes";
        p.devices = 4;
        p.samples = 20;
        p.minimumSamples = 4;
        p.referenceSamples = 8;
        p.testSamples = 10;
        p.lowQuality = "none";
        p.model = "linear";
        p.quiet = true;
        p.threads = 1;
    }

    /**
     * @param run a scenario
     * @param p its parameters
     * @param given attributes
     * @return the run's folder
     */
    template <typename P>
    fs::path
    Run(void (*run)(P, std::ostream&), P p, const Given& given)
    {
        Config::Reset();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        for (const auto& [name, value] : given)
        {
            const bool isWhole = name.rfind("ns3::", 0) == 0;
            Config::SetDefault(isWhole ? name : "ns3::collab::" + name, StringValue(value));
        }
        p.runDir = m_folder / std::to_string(m_runs++);
        std::ostringstream output;
        run(p, output);
        return p.runDir;
    }

    /// The same; @return its run.json
    template <typename P>
    nlohmann::json
    ReadRunJson(void (*run)(P, std::ostream&), const P& p, const Given& given)
    {
        return nlohmann::json::parse(ReadFile(Run(run, p, given) / "run.json"));
    }

    /// The same; @return what it says of the network
    template <typename P>
    std::vector<std::string>
    FindHints(void (*run)(P, std::ostream&), const P& p, const Given& given)
    {
        return ReadRunJson(run, p, given).at("hints");
    }

    /// The same as Run(); @return the parameters that the run says were in force
    template <typename P>
    nlohmann::json
    Describe(void (*run)(P, std::ostream&), const P& p, const Given& given)
    {
        return ReadRunJson(run, p, given).at("parameters");
    }

    /**
     * @brief Run a scenario with and without a slow device 1: it alone computes for longer.
     *
     * @param run the scenario
     * @param p its parameters
     */
    template <typename P>
    void
    CheckSlowDevice(void (*run)(P, std::ostream&), P p)
    {
        const auto usual = GetComputeJoules(Run(run, p, {}));
        p.slowDevices = "1";
        p.slowdown = 10;
        const auto slow = GetComputeJoules(Run(run, p, {}));
        ASSERT_EQ(usual.size(), p.devices);
        for (const auto& [device, joules] : usual)
        {
            ASSERT_GT(joules, 0) << device;
            // Jobs of microseconds are rounded to nanoseconds
            EXPECT_NEAR(slow.at(device) / joules, device == 1 ? 10 : 1, 0.1) << device;
        }
    }

    /**
     * @param run folder of a run
     * @return what each device's processor has spent in all [J]
     */
    static std::map<uint32_t, double>
    GetComputeJoules(const fs::path& run)
    {
        const auto devices = tests::ReadColumn(run, "energy", "device");
        const auto joules = tests::ReadColumn(run, "energy", "compute_j");
        std::map<uint32_t, double> last;
        for (std::size_t row = 0; row < devices.size(); ++row)
        {
            last[static_cast<uint32_t>(devices[row])] = joules[row];
        }
        return last;
    }

    /// The same as Run(); @return what is wrong with it
    template <typename P>
    std::string
    FindError(void (*run)(P, std::ostream&), const P& p, const Given& given)
    {
        try
        {
            Run(run, p, given);
        }
        catch (const UserError& error)
        {
            return error.what();
        }
        return "";
    }

    int m_runs = 0; //!< so far
};

} // namespace

TEST_F(GivenAttributeRunsTest, LambdaAsAnAttributeIsLambdaAsAnArgument)
{
    auto p = Small<PredictionConsensusParameters>();
    p.pretrainingRounds = 1;
    const auto low =
        Run(RunPredictionConsensus, p, {{"PredictionConsensusApplication::Lambda", "0.1"}});
    const auto high =
        Run(RunPredictionConsensus, p, {{"PredictionConsensusApplication::Lambda", "0.9"}});
    p.lambda = 0.9;
    const auto argument = Run(RunPredictionConsensus, p, {});
    EXPECT_NE(ReadFile(low / "rounds.csv"), ReadFile(high / "rounds.csv"));
    std::size_t files = 0;
    for (const auto& file : fs::directory_iterator(argument))
    {
        const auto name = file.path().filename();
        ++files;
        if (name != "run.json")
        {
            EXPECT_EQ(ReadFile(argument / name), ReadFile(high / name)) << name;
        }
    }
    EXPECT_GT(files, 8U);
    auto given = nlohmann::json::parse(ReadFile(high / "run.json"));
    const auto expected = nlohmann::json::parse(ReadFile(argument / "run.json"));
    EXPECT_EQ(given.at("attributes").size(), 1U);
    given["attributes"] = nlohmann::json::object();
    EXPECT_EQ(given, expected);
}

TEST_F(GivenAttributeRunsTest, TheScenarioFollowsAGivenAlgorithm)
{
    auto p = Small<FederatedParameters>();
    // SCAFFOLD steps by SGD, with a rate of its own
    const auto given = Describe(RunFederated,
                                p,
                                {{"FederatedApplication::Algorithm", "Scaffold"},
                                 {"FederatedClientApplication::LearningRate", "0.125"}});
    EXPECT_EQ(given.at("algorithm"), "scaffold");
    EXPECT_EQ(given.at("sgdLearningRate"), 0.125);
    EXPECT_EQ(given.at("learningRate"), 5e-3);
    p.algorithm = "scaffold";
    EXPECT_THAT(FindError(RunFederated, p, {{"FederatedClientApplication::LearningRate", "0"}}),
                HasSubstr("must be greater than 0"));
}

TEST_F(GivenAttributeRunsTest, AGivenRateIsThatOfTheLearner)
{
    auto p = Small<FederatedParameters>();
    const auto attribute =
        Run(RunFederated, p, {{"FederatedClientApplication::LearningRate", "0.125"}});
    p.learningRate = 0.125;
    EXPECT_EQ(ReadFile(attribute / "rounds.csv"),
              ReadFile(Run(RunFederated, p, {}) / "rounds.csv"));
}

TEST_F(GivenAttributeRunsTest, AGivenPowerDecidesTheServersOutage)
{
    auto p = Small<FederatedParameters>();
    const Given power = {{"D2dPhy::TxPower", "21"}};
    EXPECT_TRUE(Describe(RunFederated, p, power).at("serverOutage").is_null());
    p.serverOutage = 0.2;
    EXPECT_THAT(
        FindError(RunFederated, p, power),
        AllOf(HasSubstr("--serverOutage=0.2"), HasSubstr("--ns3::collab::D2dPhy::TxPower=21")));
    p.serverOutage = 0.1;
    p.slowDevices = "1";
    EXPECT_THAT(FindError(RunFederated, p, {{"Processor::FlopsPerCycle", "2"}}),
                AllOf(HasSubstr("--slowDevices=1"), HasSubstr("Processor::FlopsPerCycle=2")));
}

TEST_F(GivenAttributeRunsTest, PowersThatTheServersOutageAsksForAreTold)
{
    auto p = Small<FederatedParameters>();
    EXPECT_THAT(FindHints(RunFederated, p, {}), IsEmpty());
    const auto powers = [&] {
        std::vector<double> all;
        const auto run = ReadRunJson(RunFederated, p, {});
        for (const auto& radio : run.at("radios"))
        {
            all.push_back(radio.at("tx_power_dbm"));
        }
        return all;
    };
    const auto usual = powers();
    ASSERT_EQ(usual.size(), 2U); // of the server, and of the devices
    // 10 lg (ln(1 - 0.1) / ln(1 - 1e-9)) dB more
    p.serverOutage = 1e-9;
    const auto greater = powers();
    EXPECT_EQ(greater[0], usual[0]);
    EXPECT_NEAR(greater[1] - usual[1], 80.2268, 1e-3);
    EXPECT_THAT(
        FindHints(RunFederated, p, {}),
        ElementsAre(HasSubstr(fmt::format("send to the server with {:.1f} dBm", greater[1]))));
}

TEST_F(GivenAttributeRunsTest, WhatIsGivenInVainIsTold)
{
    auto federated = Small<FederatedParameters>();
    federated.mu = 3;
    federated.optimizer = "sgd";
    federated.learningRate = 0.3;
    federated.localSteps = 1;
    federated.localEpochs = 9;
    EXPECT_THAT(FindHints(RunFederated, federated, {}),
                ElementsAre(HasSubstr("--learningRate=0.3 has no effect in this run"),
                            HasSubstr("--localEpochs=9 has no effect"),
                            HasSubstr("--mu=3 has no effect in this run; it is for "
                                      "--algorithm=fedprox")));
    auto consensus = Small<PredictionConsensusParameters>();
    consensus.pretrainingRounds = 0;
    consensus.trust = "naive";
    EXPECT_THAT(FindHints(RunPredictionConsensus,
                          consensus,
                          {{"PredictionConsensusApplication::TrustInterval", "2"}}),
                ElementsAre(HasSubstr("--trustInterval=2 has no effect")));
    auto committee = Small<CommitteeParameters>();
    committee.devices = 10;
    committee.samples = 14;
    committee.activePercent = 80;
    committee.misbehavior = "equivocate";
    committee.claimedSamples = 1000;
    EXPECT_THAT(
        FindHints(RunCommittee, committee, {}),
        ElementsAre(HasSubstr("--misbehavior=equivocate has no effect in this run; it is for "
                              "malicious devices"),
                    HasSubstr("--claimedSamples=1000 has no effect")));
    committee.maliciousPercent = 30;
    EXPECT_THAT(FindHints(RunCommittee, committee, {}), IsEmpty());
    // Of an application that gossip does not have, and of a base of those that it has
    EXPECT_THAT(FindHints(RunGossip,
                          Small<GossipParameters>(),
                          {{"FederatedClientApplication::UpdatePrivacy", "clip=1,sigma=1"},
                           {"GossipApplication::LearningRate", "0.01"}}),
                ElementsAre(HasSubstr("UpdatePrivacy=clip=1,sigma=1 has no effect in this run; it "
                                      "has no ns3::collab::FederatedClientApplication")));
}

TEST_F(GivenAttributeRunsTest, ANarrowBandCutsNoLinks)
{
    auto p = Small<PredictionConsensusParameters>();
    p.pretrainingRounds = 0;
    p.deadline = 1000;
    const auto countMessages = [&](const Given& given) {
        return tests::ReadColumn(Run(RunPredictionConsensus, p, given), "messages", "sender")
            .size();
    };
    const std::size_t all = countMessages({});
    EXPECT_EQ(countMessages({{"D2dPhy::Bandwidth", "2000"}}), all);
    EXPECT_LT(countMessages({{"D2dPhy::Bandwidth", "2000"}, {"D2dPhy::RxSensitivity", "-120"}}),
              all);

    EXPECT_THAT(FindHints(RunPredictionConsensus, p, {}), IsEmpty());
    EXPECT_THAT(FindHints(RunPredictionConsensus, p, {{"D2dPhy::Bandwidth", "2e4"}}),
                Contains(AllOf(HasSubstr("RxSensitivity is -131.0"),
                               HasSubstr("--maxOutage=0.4 are in range"))));
    EXPECT_THAT(FindHints(RunPredictionConsensus,
                          p,
                          {{"D2dPhy::Bandwidth", "2e4"}, {"D2dPhy::RxSensitivity", "-120"}}),
                Contains(AllOf(HasSubstr("out of range by"), HasSubstr("RxSensitivity=-120"))));
    EXPECT_THAT(FindHints(RunPredictionConsensus, p, {{"D2dPhy::Bandwidth", "2000"}}),
                Contains(HasSubstr("AcknowledgmentTurnaround=0")));
    auto federated = Small<FederatedParameters>();
    EXPECT_THAT(FindHints(RunFederated, federated, {{"D2dPhy::Bandwidth", "300"}}),
                Contains(HasSubstr("so that links of --serverOutage=0.1 are in range")));
}

TEST_F(GivenAttributeRunsTest, ItIsToldWhereLinksAreNotAsMaxOutageHasThem)
{
    auto p = Small<PredictionConsensusParameters>();
    p.pretrainingRounds = 0;
    EXPECT_THAT(FindHints(RunPredictionConsensus,
                          p,
                          {{"ns3::LogDistancePropagationLossModel::ReferenceDistance", "2"},
                           {"ns3::LogDistancePropagationLossModel::Exponent", "2.5"},
                           {"D2dPhy::SpectralEfficiency", "2"},
                           {"D2dPhy::TxPower", "10"}}),
                IsEmpty());
    // 1 - Q(4, -4 ln(1 - 0.4)), the regularized incomplete gamma function
    EXPECT_THAT(
        FindHints(RunPredictionConsensus,
                  p,
                  {{"D2dChannel::OutageModel", "ns3::collab::D2dNakagamiOutageModel[M=4]"}}),
        ElementsAre(HasSubstr("an outage probability of 0.151, and not --maxOutage=0.4")));
    EXPECT_THAT(FindHints(RunPredictionConsensus, p, {{"D2dPhy::RateControl", "Adaptive"}}),
                ElementsAre(HasSubstr("TargetOutage")));
    auto federated = Small<FederatedParameters>();
    const std::string loss = "D2dChannel::PropagationLossModel";
    EXPECT_THAT(
        FindHints(RunFederated, federated, {{loss, "ns3::FriisPropagationLossModel"}}),
        ElementsAre(AllOf(HasSubstr("and not --serverOutage=0.1"), HasSubstr("log-distance"))));
    EXPECT_THAT(FindHints(RunFederated,
                          federated,
                          {{loss, "ns3::FriisPropagationLossModel"}, {"D2dPhy::TxPower", "20"}}),
                IsEmpty())
        << "nothing was promised";
}

TEST_F(GivenAttributeRunsTest, AGivenDeadlineIsNotComputed)
{
    auto p = Small<PredictionConsensusParameters>();
    const Given wait = {{"PredictionConsensusApplication::RoundDeadline", "2s"}};
    EXPECT_EQ(Describe(RunPredictionConsensus, p, wait).at("deadline"), 2);
    p.deadline = 3;
    EXPECT_THAT(FindError(RunPredictionConsensus, p, wait), HasSubstr("--deadline=3"));
    p.deadline = 2;
    EXPECT_EQ(Describe(RunPredictionConsensus, p, wait).at("deadline"), 2);
}

TEST_F(GivenAttributeRunsTest, OneCompressionIsGivenForBothWays)
{
    const auto p = Small<FederatedParameters>();
    const auto given = Describe(RunFederated, p, {{"FederatedApplication::Compression", "int8"}});
    EXPECT_EQ(given.at("uplinkCompression"), "int8");
    EXPECT_EQ(given.at("downlinkCompression"), "int8");
}

TEST_F(GivenAttributeRunsTest, AGivenAttackIsThatOfAllDevices)
{
    auto p = Small<FederatedParameters>();
    const Given attack = {{"FederatedClientApplication::GradientAttack", "scaling"}};
    const auto run = nlohmann::json::parse(ReadFile(Run(RunFederated, p, attack) / "run.json"));
    EXPECT_EQ(run.at("parameters").at("maliciousPercent"), 100);
    EXPECT_EQ(run.at("parameters").at("attack"), "scaling");
    for (const auto& device : run.at("devices"))
    {
        EXPECT_EQ(device.at("malicious"), true);
    }
    p.maliciousPercent = 25;
    EXPECT_THAT(FindError(RunFederated, p, attack), HasSubstr("--maliciousPercent=25"));
}

TEST_F(GivenAttributeRunsTest, CommitteePercentagesFollowFromGivenSizes)
{
    auto p = Small<CommitteeParameters>();
    p.devices = 10;
    p.samples = 14;
    const auto given = Describe(RunCommittee,
                                p,
                                {{"CommitteeApplication::CommitteeSize", "3"},
                                 {"CommitteeApplication::TrainingClients", "5"}});
    EXPECT_EQ(given.at("activePercent"), 80);
    EXPECT_EQ(given.at("committeePercent"), 37.5);
    EXPECT_THAT(FindError(RunCommittee, p, {{"CommitteeApplication::TrainingClients", "9"}}),
                HasSubstr("at most the 10 of --devices"));
    const auto misbehaving = Describe(RunCommittee,
                                      p,
                                      {{"CommitteeApplication::CommitteeSize", "3"},
                                       {"CommitteeApplication::TrainingClients", "5"},
                                       {"CommitteeApplication::Misbehavior", "equivocate"}});
    EXPECT_EQ(misbehaving.at("maliciousPercent"), 100);
    EXPECT_EQ(misbehaving.at("attack"), "none");
    EXPECT_EQ(misbehaving.at("misbehavior"), "equivocate");
}

TEST_F(GivenAttributeRunsTest, RoundsOfAnExampleFollowFromAllRounds)
{
    ConsensusToyParameters p;
    p.quiet = true;
    const auto given = Describe(RunConsensusToy,
                                p,
                                {{"CollaborationApplication::Rounds", "5"},
                                 {"PredictionConsensusApplication::PretrainingRounds", "2"}});
    EXPECT_EQ(given.at("rounds"), 3);
    EXPECT_EQ(given.at("pretrainingRounds"), 2);
    EXPECT_THAT(FindError(RunConsensusToy, p, {{"CollaborationApplication::Rounds", "1"}}),
                HasSubstr("must be more than the 1 of --pretrainingRounds"));
}

TEST_F(GivenAttributeRunsTest, TimeoutsOfGossipAreThoseOfItsAlgorithm)
{
    auto p = Small<GossipParameters>();
    p.algorithm = "segmented";
    p.segments = 2;
    const auto given = Describe(RunGossip,
                                p,
                                {{"SegmentedGossipApplication::PullTimeout", "7s"},
                                 {"GossipFlApplication::ExchangeTimeout", "8s"}});
    EXPECT_EQ(given.at("transferTimeout"), 7);
}

TEST_F(GivenAttributeRunsTest, ASlowDeviceComputesForLongerInEachScenario)
{
    CheckSlowDevice(RunPredictionConsensus, Small<PredictionConsensusParameters>());
    CheckSlowDevice(RunFederated, Small<FederatedParameters>());
    CheckSlowDevice(RunGossip, Small<GossipParameters>());
    auto committee = Small<CommitteeParameters>();
    committee.activePercent = 100;
    committee.devices = 8;
    committee.samples = 16;
    CheckSlowDevice(RunCommittee, committee);
    BeliefParameters beliefs;
    MakeSmall(beliefs);
    beliefs.instants = 3;
    beliefs.family = "mean-field";
    CheckSlowDevice(RunBeliefConsensus, beliefs);
    auto discovery = Small<GraphDiscoveryParameters>();
    discovery.iterations = 12;
    CheckSlowDevice(RunGraphDiscovery, discovery);
}
