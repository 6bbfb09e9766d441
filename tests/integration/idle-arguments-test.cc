/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Arguments that have no effect in a mode: a run hints at each of them, and at none that is of use,
// and has the tables that it has without them. A mode that makes an argument idle belongs here.

#include "belief-consensus/belief-consensus-scenario.h"
#include "committee/committee-scenario.h"
#include "distillation/distillation-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/test-data.h"

using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace
{

class IdleArgumentsTest : public tests::ScenarioTest
{
  protected:
    /// @brief Run a scenario with arguments that are of use in a mode, and with idle ones beside.
    /// @param run the scenario
    /// @param usual arguments of a small run in the mode
    /// @param idle arguments that are idle in it
    /// @param used arguments that are not
    template <typename P>
    void
    Expect(void (*run)(P&, std::ostream&),
           const std::string& usual,
           const std::string& idle,
           const std::string& used = "")
    {
        SCOPED_TRACE(usual);
        const auto without = Play(run, usual + " " + used);
        const auto with = Play(run, usual + " " + used + " " + idle);
        std::istringstream words(used);
        for (std::string word; words >> word;)
        {
            EXPECT_THAT(without.Hints(), Not(HintAt(word))) << word << " is of use";
        }
        words = std::istringstream(idle);
        for (std::string word; words >> word;)
        {
            EXPECT_THAT(with.Hints(), HintAt(word)) << word << " is idle";
        }
        auto different = tests::FindDifferentFiles(without, with);
        different.erase("run.json");
        EXPECT_THAT(different, ::testing::IsEmpty());
    }

    const std::string SAMPLES =
        "dataSet=gaussian-classes devices=4 samples=20 testSamples=10 model=linear ";
    const std::string LEARNERS = SAMPLES + "referenceSamples=8 rounds=3 ";
    const std::string SKEW = "labels=3 shares=60,40 sizeExponent=2 ";

  private:
    /// @return finds a hint at an argument, which is given as NAME=VALUE
    static ::testing::Matcher<std::vector<std::string>>
    HintAt(const std::string& argument)
    {
        const std::string name = argument.substr(0, argument.find('='));
        return Contains(AllOf(StartsWith("--" + name + "="), HasSubstr("has no effect")));
    }
};

} // namespace

TEST_F(IdleArgumentsTest, OfBeliefConsensus)
{
    const auto expect =
        [this](const std::string& mode, const std::string& idle, const std::string& used = "") {
            Expect(RunBeliefConsensus, "devices=4 instants=6 " + mode, idle, used);
        };
    expect("family=gaussian",
           SKEW + "dataSet=gaussian-classes samples=40 referenceSamples=10 referenceSource=clients "
                  "testSamples=7 partition=dirichlet alpha=7 featureRotations=90 featureNoise=0.1 "
                  "minimumSamples=5 lowQuality=1 labelNoise=permute replaySamples=7 maxOutage=0.1 "
                  "lie=overconfident lieStrength=3 slowdown=9 positions=square "
                  "mobility=random-walk speed=3 area=50 positionInterval=1",
           "instantSamples=3 topology=ring pooling=moment precision=float32 interval=0.3 "
           "deadline=3 missing=renormalize loss=reliable evidencePower=network");
    expect("family=discrete dataUse=replay", "instantSamples=3", "replaySamples=7");
    expect("family=gaussian method=gossip",
           "interval=0.3 deadline=3 missing=renormalize",
           "topology=ring pooling=moment precision=float32 outage=0.3");
    expect("family=gaussian method=alone",
           "topology=ring weights=metropolis pooling=moment precision=float32 deadline=3 "
           "missing=renormalize loss=reliable evidencePower=network outage=0.3",
           "interval=0.3");
    const std::string networks = SAMPLES + "family=mean-field method=d-psgd ";
    expect(networks,
           "pooling=moment initialDeviation=0.3 predictionDraws=3 labelNoise=permute",
           "missing=renormalize outage=0.3 precision=float64");
    expect(networks + "lowQuality=1", "", "pooling=clipped clipRadius=0.1 labelNoise=permute");
    expect("family=gaussian links=radio malicious=1 slowDevices=2",
           "",
           "maxOutage=0.1 lie=overconfident lieStrength=3 slowdown=9");
}

TEST_F(IdleArgumentsTest, OfCommittee)
{
    Expect(RunCommittee,
           LEARNERS + "devices=8 samples=14 activePercent=100",
           SKEW + "targetGroups=3 labelNoise=permute slowdown=9",
           "alpha=7 batchSize=3");
}

TEST_F(IdleArgumentsTest, OfFederatedLearning)
{
    const auto expect =
        [this](const std::string& mode, const std::string& idle, const std::string& used = "") {
            Expect(RunFederated, LEARNERS + mode, idle, used);
        };
    expect("algorithm=fedsgd",
           "batchSize=3 localSteps=3 localEpochs=2 learningRate=0.3",
           "sgdLearningRate=0.3");
    expect("",
           SKEW + "targetGroups=3 slowdown=9",
           "alpha=7 labelNoise=permute batchSize=3 localSteps=3 learningRate=0.3");
    expect("partition=iid", "minimumSamples=5 alpha=7", "localEpochs=2");
    expect("partition=iid lowQuality=none", "labelNoise=permute");
    expect("partition=labels slowDevices=1", "alpha=7", "labels=3 slowdown=9");
    expect("partition=quantity", "alpha=7", "sizeExponent=2 minimumSamples=5");
    expect("dataSet=randhie dataDir=" + GetTestData("sets/randhie"), "", "targetGroups=4");
}

TEST_F(IdleArgumentsTest, OfDistillation)
{
    const auto expect = [this](const std::string& mode, const std::string& idle) {
        Expect(RunDistillation, LEARNERS + "pretrainingRounds=1 " + mode, idle, "cacheDuration=1");
    };
    const std::string dsFl = "labelAggregation=sa temperature=0.3 ";
    const std::string selective = "clientThreshold=0.3 serverThreshold=0.3 ";
    expect("algorithm=fedmd", dsFl + selective);
    expect("algorithm=ds-fl labelAggregation=sa", "temperature=0.3 " + selective);
    expect("algorithm=selective-fd", dsFl);
}

TEST_F(IdleArgumentsTest, OfGossip)
{
    const std::string waits = "controlTimeout=44 announceTime=4";
    Expect(RunGossip, LEARNERS + "algorithm=segmented replicas=2", waits, "loss=best-effort");
    Expect(RunGossip, LEARNERS + "algorithm=gossipfl", "", waits + " localEpochs=2");
    Expect(RunGossip, LEARNERS + "algorithm=gossipfl localSteps=2", "localEpochs=2");
}

TEST_F(IdleArgumentsTest, OfGraphDiscovery)
{
    const auto expect = [this](const std::string& mode,
                               const std::string& idle,
                               const std::string& used = "") {
        Expect(
            RunGraphDiscovery, SAMPLES + "rounds=2 iterations=12 downstream=" + mode, idle, used);
    };
    const std::string learning =
        "iterations=30 recordInterval=3 psi=printed untried=zero buffer=3 reduction=0.3 levels=2 ";
    expect("none",
           "rounds=7 model=mlp:7 batchSize=3 learningRate=0.3 localSteps=7 stragglers=1 "
           "serverOutage=0.3 roundDeadline=55 optimizerOptions=maxNorm=1 rateSchedule=step:every=2 "
           "labelSmoothing=0.1 classWeights=balanced augmentation=noise=0.1 components=3 "
           "clusters=3 alpha=7",
           "iterations=30 psi=printed buffer=3 budget=1 globalWeight=3 alphaD=0.9 shares=60,40");
    expect("none", "dpSgd=clip=1,noise=1");
    expect("scaffold", "learningRate=0.3", "localSteps=7 batchSize=5 rounds=3");
    expect("fedsgd",
           "learningRate=0.3 localSteps=7 batchSize=5",
           "sgdLearningRate=0.3 stragglers=1 serverOutage=0.3");
    expect("decentralized peers=2",
           "serverOutage=0.3",
           "learningRate=0.3 localSteps=7 roundDeadline=55");
    expect("none method=closest",
           learning + "budget=1 budgetWeight=9 globalWeight=3 alphaD=0.9",
           "trust=full");
    expect("none method=optimum", learning, "budget=1 budgetWeight=9 globalWeight=3 alphaD=0.9");
    expect("none method=closest GraphDiscoveryApplication::EnforceBudget=true",
           "",
           "budget=1 alphaD=0.9 distance=discrete leastLabels=1");
    expect("none trust=full", "trustDensity=0.1", "edges=2");
    expect("none method=iid-ceiling", "partition=labels");
    expect("none paradigm=unsupervised components=2",
           "distance=discrete leastLabels=1 thresholdSlack=0.5",
           "clusters=3");
}

TEST_F(IdleArgumentsTest, OfPredictionConsensus)
{
    const auto expect =
        [this](const std::string& mode, const std::string& idle, const std::string& used = "") {
            Expect(RunPredictionConsensus, LEARNERS + "pretrainingRounds=1 " + mode, idle, used);
        };
    const std::string exchange =
        "consensus=majority-vote missing=exclude loss=best-effort deadline=33 ";
    const std::string teaching =
        "lambda=0.1 lowQualityLambda=0.2 referenceBatchSize=3 referenceOrder=restarted ";
    expect(
        "trust=local lowQuality=1", exchange + teaching + "pretrainingRounds=2", "localEpochs=2");
    expect("trust=oracle lowQuality=1", exchange, teaching);
    expect("lowQuality=none", "lowQualityLambda=0.2 labelNoise=permute", exchange + "lambda=0.1");
    expect("models=linear,mlp:5", "model=mlp:7");
    expect("area=90", "speed=3 positionInterval=1 maxOutage=0.3", "positions=square");
    expect("positions=0,0;1,1;2,2;9,9", "area=90 maxOutage=0.1");
    expect("mobility=random-walk", "", "speed=30 positionInterval=1 maxOutage=0.1");
    expect("mobility=random-walk area=90", "maxOutage=0.1", "positions=grid");
    expect("mobility=ns3::ConstantPositionMobilityModel", "speed=3", "maxOutage=0.1");
}
