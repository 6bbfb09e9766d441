/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/table-learner.h"

#include "ns3/config.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-transport.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <map>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace
{

const std::string RADIO = "/NodeList/*/DeviceList/*/$ns3::collab::D2dNetDevice/";
const std::string RADIO_ENERGY = RADIO + "$ns3::collab::D2dRadioEnergyModel/";
const std::string TRANSPORT = "/NodeList/*/$ns3::collab::Transport/";
const std::string APPLICATIONS =
    "/NodeList/*/ApplicationList/*/$ns3::collab::CollaborationApplication/";

/// Devices with batteries and prediction consensus on links that lose something
class ConfigPathTest : public tests::DeviceNetwork
{
  protected:
    void
    SetUp() override
    {
        Options options;
        options.outage = 0.3;
        options.fidelity = "Packet";
        MakeDevices(options);
        std::vector<PredictionConsensusAgent> agents;
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            PredictionConsensusAgent agent;
            agent.reference = tests::MakeReference(8, 4);
            agent.learner = std::make_shared<tests::TableLearner>(
                std::vector<Matrix<float>>{tests::MakeSoftLabels(8, 4, i % 2, 0.7F)});
            agents.push_back(agent);
        }
        m_pool = CreateObject<LearnerPool>();
        PredictionConsensusHelper helper(m_pool);
        helper.SetAttribute("Rounds", UintegerValue(3));
        helper.SetAttribute("PretrainingRounds", UintegerValue(1));
        helper.Install(m_nodes, agents);
    }

    void
    TearDown() override
    {
        m_pool->Dispose();
        m_pool = nullptr;
        DeviceNetwork::TearDown();
    }

    /// Count what a trace source says on every path that matches.
    /// @tparam Arguments of the trace source
    template <typename... Arguments>
    void
    Count(const std::string& path)
    {
        m_counts[path] = 0;
        Config::Connect(path,
                        Callback<void, std::string, Arguments...>(
                            [this, path](std::string context, Arguments...) {
                                ++m_counts[path];
                                m_context[path] = context;
                            }));
    }

    std::map<std::string, uint32_t> m_counts;     //!< calls by path
    std::map<std::string, std::string> m_context; //!< the last call's path
    Ptr<LearnerPool> m_pool;
};

} // namespace

TEST_F(ConfigPathTest, EveryTraceSourceFiresOnThePathThatIsDocumented)
{
    for (const std::string name : {"Mac/MacTx",
                                   "Mac/MacTxDrop",
                                   "Mac/MacRx",
                                   "Phy/PhyTxBegin",
                                   "Phy/PhyTxEnd",
                                   "Phy/PhyTxDrop",
                                   "Phy/PhyRxBegin",
                                   "Phy/PhyRxEnd",
                                   "Phy/PhyRxDrop",
                                   "Phy/Sniffer",
                                   "Mac/TxQueue/Enqueue"})
    {
        Count<Ptr<const Packet>>(RADIO + name);
    }
    Count<const D2dBurstReport&>(RADIO + "Mac/BurstEnd");
    Count<const D2dRadioActivity&>(RADIO + "Phy/Activity");
    Count<double, double>(RADIO_ENERGY + "TotalEnergyConsumption");
    Count<double, double>(RADIO_ENERGY + "EnergySource/RemainingEnergy");
    Count<double, double>(RADIO_ENERGY + "DepletionWatch/Models/*/"
                                         "$ns3::collab::ProcessorEnergyModel/"
                                         "TotalEnergyConsumption");
    Count<const Message&, uint64_t>(TRANSPORT + "Tx");
    Count<const Message&, uint64_t>(TRANSPORT + "Rx");
    Count<uint32_t, const std::string&>(TRANSPORT + "Reject");
    Count<const MessageOutcome&>(TRANSPORT + "Outcome");
    Count<bool, bool>("/NodeList/*/$ns3::collab::Processor/State");
    Count<const RoundRecord&>(APPLICATIONS + "Round");
    Count<const PhaseRecord&>(APPLICATIONS + "Phase");
    Count<uint32_t, bool>(APPLICATIONS + "End");
    Count<const TrustRecord&>("/NodeList/*/ApplicationList/*/"
                              "$ns3::collab::PredictionConsensusApplication/Trust");
    // What does not happen by itself: a packet beyond the MTU, a message that is too short, and a
    // radio that goes off while it sends
    Simulator::Schedule(Seconds(30), [this]() {
        GetRadio(0)->Send(Create<Packet>(5000), GetRadio(1)->GetAddress(), 0x0800);
        for (int i = 0; i < 20; ++i)
        {
            GetRadio(0)->GetMac()->SendBurst({Create<Packet>(4),
                                              Mac48Address::GetBroadcast(),
                                              D2dTransport::PROTOCOL,
                                              D2dReliability::BEST_EFFORT});
        }
    });
    Simulator::Schedule(Seconds(40), [this]() {
        GetRadio(0)->GetMac()->SendBurst({Create<Packet>(1000000),
                                          Mac48Address::GetBroadcast(),
                                          0x88b6,
                                          D2dReliability::BEST_EFFORT});
    });
    Simulator::Schedule(Seconds(41), [this]() { GetRadio(0)->GetMac()->SwitchOff(); });
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    EXPECT_EQ(m_counts.size(), 25U);
    for (const auto& [path, count] : m_counts)
    {
        EXPECT_GT(count, 0U) << path;
    }
    EXPECT_THAT(m_context[TRANSPORT + "Tx"], StartsWith("/NodeList/"));
    EXPECT_THAT(m_context[TRANSPORT + "Tx"], HasSubstr("/$ns3::collab::Transport/Tx"));
}

TEST_F(ConfigPathTest, AttributesAreSetByPath)
{
    Config::Set("/NodeList/1/DeviceList/0/$ns3::collab::D2dNetDevice/Phy/TxPower", DoubleValue(7));
    EXPECT_EQ(GetRadio(0)->GetPhy()->GetTxPowerDbm(), 20);
    EXPECT_EQ(GetRadio(1)->GetPhy()->GetTxPowerDbm(), 7);

    Config::Set("/ChannelList/*/$ns3::collab::D2dChannel/OutageModel/"
                "$ns3::collab::D2dFixedOutageModel/Probability",
                DoubleValue(0.125));
    Ptr<D2dChannel> channel = DynamicCast<D2dChannel>(GetRadio(0)->GetChannel());
    EXPECT_EQ(channel->GetOutageProbability(GetRadio(0), GetRadio(1)), 0.125);

    Config::Set("/NodeList/*/$ns3::collab::Processor/IdlePower", DoubleValue(0.75));
    EXPECT_EQ(m_nodes.Get(2)->GetObject<Processor>()->GetIdlePowerW(), 0.75);

    Config::Set(APPLICATIONS + "Rounds", UintegerValue(9));
    EXPECT_EQ(DynamicCast<CollaborationApplication>(m_nodes.Get(0)->GetApplication(0))->GetRounds(),
              9U);

    EXPECT_EQ(Config::LookupMatches(TRANSPORT).GetN(), 3U);
    EXPECT_EQ(Config::LookupMatches(RADIO_ENERGY + "EnergySource").GetN(), 3U);
}
