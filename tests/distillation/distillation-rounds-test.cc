/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation/distillation-samples.h"
#include "support/device-network.h"

#include "ns3/distillation-helper.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using tests::Attributes;
using namespace tests::distillation;

namespace
{

/// The devices of make-distillation-reference.py, and the server, the last node
class DistillationNetwork : public tests::DeviceNetwork
{
  protected:
    void
    MakeApplications(const Attributes& attributes, const tests::DeviceOptions& options = {})
    {
        tests::DeviceOptions all = options;
        all.devices = DEVICES + 1;
        MakeDevices(all);
        const auto reference = MakeReference(m_shift);
        NodeContainer clients;
        std::vector<DistillationAgent> agents;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            clients.Add(m_nodes.Get(k));
            GetTransport(k)->SetServer(DEVICES);
            const auto own = MakeOwn(k);
            DistillationAgent agent;
            agent.learner = MakeClassifier(*own, k);
            agent.reference = reference;
            agent.own = own;
            agent.seed = k;
            agent.evaluations = {std::make_shared<SharedEvaluation>("own", own)};
            agents.push_back(agent);
            m_learners.push_back(agent.learner);
        }
        DistillationHelper helper(MakePool());
        SetAttributes(helper,
                      {{"Rounds", "2"},
                       {"PretrainingRounds", "0"},
                       {"LocalEpochs", "1"},
                       {"RoundDeadline", "1s"}});
        SetAttributes(helper, attributes);
        m_clients = helper.Install(m_nodes.Get(DEVICES), clients, agents);
        ApplicationContainer applications = m_clients;
        applications.Add(helper.GetServer());
        Watch(applications);
        WatchMessages();
    }

    /// @return numbers of all labels that device 0 has got
    std::vector<float>
    GetLabels() const
    {
        std::vector<float> labels;
        for (const auto& [device, time, message, bytes] : m_received)
        {
            const auto* pooled =
                dynamic_cast<const PayloadOf<PooledLabels>*>(message.payload.get());
            if (device == 0 && pooled)
            {
                const auto& values = *pooled->Get().values;
                labels.insert(labels.end(), values.begin(), values.end());
            }
        }
        return labels;
    }

    /// @return weights of all devices
    std::vector<float>
    GetWeights() const
    {
        std::vector<float> all;
        for (const auto& learner : m_learners)
        {
            const FlatVector weights = learner->GetWeights();
            all.insert(all.end(), weights->begin(), weights->end());
        }
        return all;
    }

    /// @param device a device
    /// @return bytes of all that it has sent
    uint64_t
    CountSent(uint32_t device) const
    {
        uint64_t sum = 0;
        for (const auto& sent : m_sent)
        {
            sum += sent.device == device ? sent.bytes : 0;
        }
        return sum;
    }

    std::vector<std::shared_ptr<Learner>> m_learners; //!< of the devices
    uint32_t m_shift = 0;                             //!< of the labels of X*
    ApplicationContainer m_clients;                   //!< of the devices
};

template <std::size_t N, std::size_t M>
void
ExpectRun(const std::vector<float>& labels,
          const double (&expectedLabels)[N],
          const std::vector<float>& weights,
          const double (&expectedWeights)[M])
{
    EXPECT_THAT(labels, Pointwise(FloatNear(5e-6F), expectedLabels));
    EXPECT_THAT(weights, Pointwise(FloatNear(5e-6F), expectedWeights));
}

TEST_F(DistillationNetwork, DoesTwoRoundsOfFedMdAsNumpyDoes)
{
    MakeApplications({{"Algorithm", "FedMd"}});
    Run();
    ExpectRun(GetLabels(), EXPECTED_FEDMD_LABELS, GetWeights(), EXPECTED_FEDMD_WEIGHTS);
    EXPECT_THAT(GetReasons(), IsEmpty());
}

TEST_F(DistillationNetwork, DoesTwoRoundsOfDsFlAsNumpyDoes)
{
    MakeApplications({{"Algorithm", "DsFl"}});
    Run();
    ExpectRun(GetLabels(), EXPECTED_ERA_LABELS, GetWeights(), EXPECTED_ERA_WEIGHTS);
    EXPECT_THAT(MetricOf(0, "sent"), ElementsAre(REFERENCE, REFERENCE));
}

TEST_F(DistillationNetwork, DoesTwoRoundsOfDsFlWithPlainMeansAsNumpyDoes)
{
    MakeApplications({{"Algorithm", "DsFl"}, {"LabelAggregation", "Simple"}});
    Run();
    ExpectRun(GetLabels(), EXPECTED_SA_LABELS, GetWeights(), EXPECTED_SA_WEIGHTS);
}

TEST_F(DistillationNetwork, SendsNothingOfSamplesWhoseLabelsAreCached)
{
    MakeApplications({{"Algorithm", "DsFl"}, {"CacheDuration", "1"}});
    Run();
    ExpectRun(GetLabels(), EXPECTED_CACHED_LABELS, GetWeights(), EXPECTED_CACHED_WEIGHTS);
    EXPECT_THAT(MetricOf(0, "sent"), ElementsAre(REFERENCE, 0));
    EXPECT_THAT(MetricOf(0, "labeled"), ElementsAre(REFERENCE, REFERENCE));
    const uint64_t header = CountSent(0) - 2 - REFERENCE * CLASSES * 4; // a byte of bits each
    EXPECT_EQ(header % 2, 0);
    EXPECT_LT(header, 2 * 64);
}

TEST_F(DistillationNetwork, DoesTwoRoundsOfSelectiveFdAsNumpyDoes)
{
    MakeApplications(
        {{"Algorithm", "SelectiveFd"}, {"ClientThreshold", "0"}, {"ServerThreshold", "1"}});
    Run();
    ExpectRun(GetLabels(), EXPECTED_SELECTIVE_LABELS, GetWeights(), EXPECTED_SELECTIVE_WEIGHTS);
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        const double selected = std::accumulate(
            EXPECTED_SELECTION + k * REFERENCE, EXPECTED_SELECTION + (k + 1) * REFERENCE, 0.0);
        EXPECT_THAT(MetricOf(k, "sent"), ElementsAre(selected, selected));
    }
}

TEST_F(DistillationNetwork, AnswersADeviceThatHasMissedCachedLabels)
{
    MakeApplications({{"Algorithm", "DsFl"}, {"CacheDuration", "5"}, {"Rounds", "4"}});
    Deafen(1);
    Simulator::Schedule(Seconds(1.5), [this]() { Hear(1); });
    Run();
    EXPECT_THAT(MetricOf(0, "sent"), ElementsAre(REFERENCE, 0, 0, 0));
    EXPECT_EQ(MetricOf(1, "labeled").front(), 0);
    EXPECT_EQ(MetricOf(1, "labeled").back(), REFERENCE);
    EXPECT_THAT(MetricOf(DEVICES, "pooled"), ElementsAre(REFERENCE, 0, 0, 0));
}

TEST_F(DistillationNetwork, GoesOnWithoutADeviceOrTheServer)
{
    MakeApplications({{"Algorithm", "DsFl"}, {"Rounds", "3"}});
    SwitchOff(2);
    Run();
    EXPECT_THAT(MetricOf(0, "collaborative"), ElementsAre(1, 1, 1));
    EXPECT_THAT(MetricOf(DEVICES, "heard"), Each(2));
    Reset();
    m_learners.clear();
    MakeApplications({{"Algorithm", "DsFl"}});
    SwitchOff(DEVICES);
    Run();
    EXPECT_THAT(MetricOf(0, "collaborative"), ElementsAre(0, 0));
    EXPECT_THAT(MetricOf(0, "labeled"), ElementsAre(0, 0));
}

TEST_F(DistillationNetwork, ReadsNoLabelOfTheReferenceSet)
{
    const auto play = [this](uint32_t shift) {
        Reset();
        m_learners.clear();
        m_shift = shift;
        MakeApplications({{"Algorithm", "SelectiveFd"}, {"PretrainingRounds", "1"}});
        Run();
        EXPECT_THAT(MetricOf(0, "collaborative"), ElementsAre(0, 1));
        return GetWeights();
    };
    EXPECT_EQ(play(0), play(1)); // which labels X* has changes nothing but what is measured
}

} // namespace
