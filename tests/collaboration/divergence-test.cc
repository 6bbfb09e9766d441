/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/diverging-learner.h"
#include "support/round-metrics.h"
#include "support/table-learner.h"

#include "ns3/collab-processor.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/committee-application.h"
#include "ns3/committee-helper.h"
#include "ns3/committee-payloads.h"
#include "ns3/federated-helper.h"
#include "ns3/federated-payloads.h"
#include "ns3/gossip-helper.h"
#include "ns3/gossip-payloads.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-payloads.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <regex>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using tests::DivergingLearner;

namespace
{

constexpr uint32_t DEVICES = 12;
constexpr uint32_t DIVERGED = 3; //!< the device that diverges
constexpr uint32_t ROUNDS = 6;
const std::string CONSENSUS = "PredictionConsensus";
const std::string FEDERATED = "Federated";
const std::string COMMITTEE = "Committee";

using Attributes = std::map<std::string, std::string>;

/// What a protocol is run with
struct Case
{
    std::string name;               //!< of the test
    std::string protocol;           //!< one of the above, or an application of gossip
    Attributes attributes;          //!< of its applications
    std::string mode = "Reference"; //!< attribute PayloadMode
};

/**
 * @param values numbers
 * @return whether all are finite
 */
bool
IsFinite(const std::vector<float>& values)
{
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

/**
 * @param payload of a message
 * @return whether it has a number that is not finite
 */
bool
IsImproper(const std::shared_ptr<const Payload>& payload)
{
    if (const auto labels = std::dynamic_pointer_cast<const SoftLabelPayload>(payload))
    {
        return !IsFinite(labels->GetProbabilities().values);
    }
    if (const auto update = std::dynamic_pointer_cast<const FederatedUpdatePayload>(payload))
    {
        return !IsFinite(*update->GetChange());
    }
    if (const auto gradient = std::dynamic_pointer_cast<const GradientPayload>(payload))
    {
        return !IsFinite(*gradient->GetGradient()->values);
    }
    if (const auto model = std::dynamic_pointer_cast<const ModelPayload>(payload))
    {
        return !IsFinite(*model->GetMessage()->values);
    }
    const auto weights = std::dynamic_pointer_cast<const GossipWeightsPayload>(payload);
    return weights && !IsFinite(*weights->GetWeights());
}

/// @return twelve samples of two classes that a line parts
DataView
MakeSamples()
{
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {2};
    data->classes = 2;
    DataView view;
    for (uint32_t i = 0; i < 12; ++i)
    {
        data->numbers.insert(data->numbers.end(), {0.1F * i, 1.0F - 0.05F * i});
        data->labels.push_back(i < 6 ? 0 : 1);
        view.indices.push_back(i);
        view.labels.push_back(data->labels.back());
    }
    view.data = data;
    return view;
}

/// One device of a small network diverges
class DivergenceTest : public tests::DeviceNetwork, public ::testing::WithParamInterface<Case>
{
  protected:
    /**
     * @param learners of all devices
     * @param samples to measure on
     */
    void
    Install(const std::vector<std::shared_ptr<Learner>>& learners,
            std::shared_ptr<const DataView> samples)
    {
        Options options;
        options.devices = DEVICES + (GetParam().protocol == FEDERATED ? 1 : 0); // with a server
        options.payloadMode = GetParam().mode;
        MakeDevices(options);
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            GetRadio(i)->GetPhy()->SetAttribute("Duplex", StringValue("Full"));
            m_clients.Add(i < DEVICES ? NodeContainer(m_nodes.Get(i)) : NodeContainer());
        }
        m_pool = CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(2));
        m_learners = learners;
        m_samples = samples;
        const std::string& protocol = GetParam().protocol;
        if (protocol == CONSENSUS)
        {
            InstallConsensus();
        }
        else if (protocol == FEDERATED)
        {
            InstallFederated();
        }
        else if (protocol == COMMITTEE)
        {
            InstallCommittee();
        }
        else
        {
            InstallGossip("ns3::collab::" + protocol + "Application");
        }
        Connect();
    }

    /**
     * @param helper of a protocol, which gets the attributes
     * @param attributes those that all cases of the protocol have
     */
    template <typename Helper>
    void
    SetAttributes(Helper& helper, Attributes attributes)
    {
        attributes["Rounds"] = std::to_string(ROUNDS);
        for (const auto& given : {attributes, GetParam().attributes})
        {
            for (const auto& [name, value] : given)
            {
                helper.SetAttribute(name, StringValue(value));
            }
        }
    }

    void
    InstallConsensus()
    {
        std::vector<PredictionConsensusAgent> agents;
        for (const auto& learner : m_learners)
        {
            agents.push_back({learner, m_samples, {{"all", m_samples}}, {{"all", m_samples}}});
        }
        PredictionConsensusHelper helper(m_pool);
        SetAttributes(helper, {{"PretrainingRounds", "1"}, {"RoundDeadline", "2s"}});
        m_applications = helper.Install(m_clients, agents);
    }

    void
    InstallFederated()
    {
        std::vector<FederatedAgent> agents;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            GetTransport(i)->SetServer(m_nodes.Get(DEVICES)->GetId());
            FederatedAgent agent;
            agent.learner = m_learners[i];
            agent.samples = 10;
            agent.evaluations = {std::make_shared<SharedEvaluation>("all", m_samples)};
            agents.push_back(agent);
        }
        FederatedHelper helper(m_pool);
        SetAttributes(helper, {{"LocalEpochs", "1"}, {"RoundDeadline", "2s"}});
        m_applications = helper.Install(
            m_nodes.Get(DEVICES), m_learners.front()->GetWeights(), m_clients, agents);
        m_applications.Add(helper.GetServer());
    }

    void
    InstallCommittee()
    {
        std::vector<CommitteeAgent> agents;
        for (const auto& learner : m_learners)
        {
            agents.push_back({learner, 10, "", ""});
        }
        CommitteeHelper helper(m_pool, 5);
        SetAttributes(helper,
                      {{"CommitteeSize", "4"},
                       {"TrainingClients", "8"}, // all others: the diverged device trains always
                       {"GradientTimeout", "2s"}});
        helper.AddEvaluation(std::make_shared<SharedEvaluation>("all", m_samples));
        m_applications = helper.Install(m_clients, agents);
    }

    /// @param type of the applications
    void
    InstallGossip(const std::string& type)
    {
        std::vector<GossipAgent> agents;
        for (const auto& learner : m_learners)
        {
            agents.push_back({learner, 10, {{"all", m_samples}}});
        }
        GossipHelper helper(type, m_pool, 11);
        SetAttributes(helper, {{"LocalEpochs", "1"}});
        m_applications = helper.Install(m_clients, agents);
    }

    void
    Connect()
    {
        for (uint32_t i = 0; i < m_applications.GetN(); ++i)
        {
            m_applications.Get(i)->TraceConnectWithoutContext(
                "Round", Callback<void, const RoundRecord&>([this](const RoundRecord& record) {
                    m_rounds[record.device - m_nodes.Get(0)->GetId()].push_back(record);
                }));
            m_applications.Get(i)->TraceConnectWithoutContext(
                "End", Callback<void, uint32_t, bool>([this](uint32_t device, bool finished) {
                    m_finished += finished ? 1 : 0;
                    m_ended.insert(device);
                }));
        }
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            const Ptr<Transport> transport = GetTransport(i);
            transport->TraceConnectWithoutContext(
                "Tx", Callback<void, const Message&, uint64_t>([this](const Message& m, uint64_t) {
                    if (IsImproper(m.payload))
                    {
                        m_improper.insert({m.sender, m.sequence});
                    }
                }));
            transport->TraceConnectWithoutContext(
                "Outcome", Callback<void, const MessageOutcome&>([this](const MessageOutcome& o) {
                    if (o.delivered && m_ended.count(o.receiver) == 0 &&
                        m_improper.count({o.sender, o.sequence}) > 0)
                    {
                        m_delivered.emplace_back(o.receiver, o.end);
                    }
                }));
            transport->TraceConnectWithoutContext(
                "Reject",
                Callback<void, uint32_t, const std::string&>(
                    [this](uint32_t device, const std::string& reason) {
                        const std::regex notFinite("not finite|nan is no|holds -?(nan|inf)");
                        m_refused += std::regex_search(reason, notFinite) ? 1 : 0;
                        m_rejects.insert({device, Simulator::Now()});
                    }));
        }
        StopWhenAllEnd(m_applications);
    }

    /// Run to the end, which has to come for all
    void
    Run()
    {
        Simulator::Stop(Seconds(10000));
        Simulator::Run();
        EXPECT_EQ(m_finished, m_applications.GetN());
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            EXPECT_FALSE(m_nodes.Get(i)->GetObject<Processor>()->IsBusy()) << i;
        }
        for (const auto& [device, rounds] : m_rounds)
        {
            EXPECT_EQ(rounds.size(), ROUNDS) << device;
            for (const auto& record : rounds)
            {
                const auto [heard, expected] = tests::CountMessages(record);
                EXPECT_LE(heard, expected) << device;
                m_counted += static_cast<std::size_t>(tests::GetMetric(record, "messages_refused"));
            }
        }
    }

    /// All that is improper must have been refused, and nearly all for that
    void
    ExpectRefused() const
    {
        for (const auto& delivery : m_delivered)
        {
            EXPECT_TRUE(m_rejects.count(delivery)) << delivery.first << " at " << delivery.second;
        }
        EXPECT_LE(m_refused, m_delivered.size());
        EXPECT_GE(m_refused, 0.75 * static_cast<double>(m_delivered.size())) << "others are late";
    }

    /**
     * @param device number of a device
     * @return what its "accuracy_all" was, by round
     */
    std::vector<double>
    AccuracyOf(uint32_t device) const
    {
        std::vector<double> values;
        for (const auto& record : m_rounds.at(device))
        {
            for (const auto& [name, value] : record.metrics)
            {
                if (name == "accuracy_all")
                {
                    values.push_back(value);
                }
            }
        }
        return values;
    }

    void
    TearDown() override
    {
        m_applications = ApplicationContainer();
        m_clients = NodeContainer();
        if (m_pool)
        {
            m_pool->Dispose();
            m_pool = nullptr;
        }
        DeviceNetwork::TearDown();
    }

    NodeContainer m_clients;                               //!< all nodes but the server's
    Ptr<LearnerPool> m_pool;                               //!< of all applications
    std::vector<std::shared_ptr<Learner>> m_learners;      //!< of the devices
    std::shared_ptr<const DataView> m_samples;             //!< to measure on
    ApplicationContainer m_applications;                   //!< of the devices, and of the server
    std::map<uint32_t, std::vector<RoundRecord>> m_rounds; //!< by device
    std::set<std::pair<uint32_t, uint32_t>> m_improper;    //!< sent: senders and sequences
    std::set<uint32_t> m_ended;                         //!< devices whose applications have ended
    std::vector<std::pair<uint32_t, Time>> m_delivered; //!< of these: to whom that runs, and when
    std::set<std::pair<uint32_t, Time>> m_rejects;      //!< by whom and when
    std::size_t m_counted = 0;  //!< refused messages in the metrics of rounds
    std::size_t m_refused = 0;  //!< for not being finite
    std::size_t m_finished = 0; //!< applications
};

/// One device diverges in the committee mechanism
class CommitteeDivergenceTest : public DivergenceTest
{
};

/// @return the committee mechanism, with its ways to vote and to tell
std::vector<Case>
MakeCommitteeCases()
{
    return {
        {"Committee", COMMITTEE, {}},
        {"CommitteeAccumulated", COMMITTEE, {{"GradientMode", "Accumulated"}}, "Bytes"},
        {"CommitteeByzantine", COMMITTEE, {{"QuorumRule", "Byzantine"}}},
    };
}

/// @return the protocols, in their ways to write what devices tell each other
std::vector<Case>
MakeCases()
{
    std::vector<Case> cases = {
        {"SoftLabels", CONSENSUS, {}},
        {"SoftLabelsInBytes", CONSENSUS, {}, "Bytes"},
        {"GreatestLabels", CONSENSUS, {{"LabelTopK", "1"}, {"LabelPrecision", "Float16"}}, "Bytes"},
        {"MajorityVote", CONSENSUS, {{"ConsensusMode", "MajorityVote"}}},
        {"MajorityVoteInBytes", CONSENSUS, {{"ConsensusMode", "MajorityVote"}}, "Bytes"},
        {"FedAvg", FEDERATED, {}},
        {"FedAvgInt8", FEDERATED, {{"Compression", "int8"}}, "Bytes"},
        {"FedProxMedian", FEDERATED, {{"Algorithm", "FedProx"}, {"AggregationRule", "median"}}},
        {"Scaffold", FEDERATED, {{"Algorithm", "Scaffold"}, {"LearningRate", "0.1"}}},
        {"FedDyn", FEDERATED, {{"Algorithm", "FedDyn"}}},
        {"BrainTorrent", "BrainTorrent", {}},
        {"GossipFl", "GossipFl", {{"Fraction", "0.5"}}, "Bytes"},
        {"SegmentedGossip", "SegmentedGossip", {{"Segments", "2"}}},
    };
    const auto committee = MakeCommitteeCases();
    cases.insert(cases.end(), committee.begin(), committee.end());
    return cases;
}

} // namespace

TEST_P(DivergenceTest, TheOthersGoOnWithoutTheDeviceThatDiverges)
{
    // Devices of BrainTorrent train in their turns alone
    const bool trainsSeldom = GetParam().protocol == "BrainTorrent";
    for (const std::size_t first :
         trainsSeldom ? std::set<std::size_t>{0} : std::set<std::size_t>{0, 2})
    {
        SCOPED_TRACE(first);
        std::vector<std::shared_ptr<Learner>> learners;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            learners.push_back(std::make_shared<DivergingLearner>(
                std::vector<float>{1, 2, 3, 4 + 0.01F * static_cast<float>(i)},
                i == DIVERGED ? first : DivergingLearner::NEVER));
        }
        Install(learners, tests::MakeReference(8, 2));
        Run();
        ExpectRefused();
        EXPECT_GT(m_refused, 0);
        EXPECT_GT(m_counted, 0);
        for (const auto& improper : m_improper)
        {
            EXPECT_EQ(improper.first, m_nodes.Get(DIVERGED)->GetId());
        }
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            if (i != DIVERGED)
            {
                EXPECT_TRUE(IsFinite(*learners[i]->GetWeights())) << i;
                EXPECT_GT(learners[i]->GetWeights()->front(), 0) << i << " has learned";
            }
        }
        TearDown();
        m_rounds.clear();
        m_improper.clear();
        m_ended.clear();
        m_delivered.clear();
        m_rejects.clear();
        m_refused = m_finished = m_counted = 0;
    }
}

TEST_P(CommitteeDivergenceTest, AMemberOfTheCommitteeMayDiverge)
{
    std::size_t members = 0;
    for (uint32_t diverged = 0; diverged < DEVICES; ++diverged)
    {
        std::vector<std::shared_ptr<Learner>> learners;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            learners.push_back(std::make_shared<DivergingLearner>(
                std::vector<float>{1, 2}, i == diverged ? 0 : DivergingLearner::NEVER));
        }
        Install(learners, tests::MakeReference(8, 2));
        Run();
        const auto application = DynamicCast<CommitteeApplication>(m_applications.Get(0));
        EXPECT_TRUE(IsFinite(*application->GetModel()));
        EXPECT_GT(application->GetModel()->front(), 0) << "it has learned";
        members += tests::GetMetric(m_rounds.at(diverged).front(), "role") == 2 ? 1 : 0;
        TearDown();
        m_rounds.clear();
        m_ended.clear();
        m_finished = 0;
    }
    EXPECT_EQ(members, 4) << "each member of the first committee was it once";
}

TEST_P(CommitteeDivergenceTest, AModelThatOverflowsIsNotAgreedOn)
{
    std::vector<std::shared_ptr<Learner>> learners;
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        learners.push_back(
            std::make_shared<DivergingLearner>(std::vector<float>{1, 4}, DivergingLearner::NEVER));
    }
    Install(learners, tests::MakeReference(8, 2));
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        m_applications.Get(i)->SetAttribute("GlobalLearningRate", DoubleValue(1e38));
    }
    Run();
    const auto application = DynamicCast<CommitteeApplication>(m_applications.Get(0));
    EXPECT_THAT(*application->GetModel(), ::testing::Each(0)) << "all rounds are abandoned";
}

TEST_P(DivergenceTest, ItsOwnMeasuresAreNone)
{
    std::vector<std::shared_ptr<Learner>> learners;
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        learners.push_back(std::make_shared<DivergingLearner>(
            std::vector<float>{1, 2}, i == DIVERGED ? 0 : DivergingLearner::NEVER));
    }
    Install(learners, tests::MakeReference(8, 2));
    Run();
    const std::string& protocol = GetParam().protocol;
    const bool measuresGlobal = protocol == FEDERATED || protocol == COMMITTEE;
    for (const double accuracy : AccuracyOf(DIVERGED))
    {
        EXPECT_TRUE(std::isnan(accuracy) || measuresGlobal);
    }
    for (const double accuracy : AccuracyOf(DIVERGED + 1))
    {
        EXPECT_TRUE(!std::isnan(accuracy) || protocol == COMMITTEE) << "those that idle have none";
    }
}

TEST_P(DivergenceTest, ALearningRateFarTooGreatEndsNoRun)
{
    std::vector<std::shared_ptr<Learner>> learners;
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        TorchLearnerConfig config;
        config.model = "mlp:4";
        config.trainData = MakeSamples();
        config.batchSize = 4;
        config.optimizer.kind = OptimizerKind::SGD;
        config.learningRate = i == DIVERGED ? 1e9 : 0.01;
        config.nativeSmallNetworks = i % 2 == 0;
        learners.push_back(MakeTorchLearner(config));
    }
    Install(learners, std::make_shared<const DataView>(MakeSamples()));
    if (GetParam().protocol == COMMITTEE)
    {
        m_applications.Get(DIVERGED)->SetAttribute("LocalLearningRate", DoubleValue(1e9));
    }
    Run();
    ExpectRefused();
}

INSTANTIATE_TEST_SUITE_P(Protocols,
                         DivergenceTest,
                         ::testing::ValuesIn(MakeCases()),
                         [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Committee,
                         CommitteeDivergenceTest,
                         ::testing::ValuesIn(MakeCommitteeCases()),
                         [](const auto& info) { return info.param.name; });
