/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Links that are kept give the same results as links that are computed anew, and spare the work.
 */

#include "wireless/wireless-test-support.h"

#include "ns3/constant-position-mobility-model.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <iomanip>
#include <sstream>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// Path loss over distance that counts how often it is asked, and that can be kept
class CountedPathLoss : public LogDistancePropagationLossModel
{
  public:
    /// @return the object TypeId
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("CountedPathLoss")
                                .SetParent<LogDistancePropagationLossModel>()
                                .AddConstructor<CountedPathLoss>()
                                .AddAttribute("Changes",
                                              "Never.",
                                              TypeId::ATTR_GET,
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&CountedPathLoss::m_changes),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    mutable uint64_t asked = 0; //!< powers that were computed

  private:
    double
    DoCalcRxPower(double txPowerDbm, Ptr<MobilityModel> a, Ptr<MobilityModel> b) const override
    {
        ++asked;
        return txPowerDbm - 46.7 - 30 * std::log10(std::max(a->GetDistanceFrom(b), 1.0));
    }

    uint32_t m_changes = 0; //!< none
};

NS_OBJECT_ENSURE_REGISTERED(CountedPathLoss);

/// What is varied between runs of one scenario
struct Variant
{
    std::string access;            //!< attribute Access
    std::string fidelity;          //!< attribute Fidelity
    std::string lossModel;         //!< TypeId name of the path loss
    std::string keeping = "Auto";  //!< attribute KeepLinks
    std::string links = "1000000"; //!< attribute KeptLinks
};

/// @param out where to print a variant to
void
PrintTo(const Variant& variant, std::ostream* out)
{
    *out << variant.access << ' ' << variant.fidelity << ' ' << variant.lossModel;
}

/// Radios of which some move, and whose places and powers change while they send
class ChangingScenario
{
  public:
    /// @param variant how it is simulated
    explicit ChangingScenario(const Variant& variant)
    {
        m_random->SetStream(1);
        m_nodes.Create(COUNT);
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            Ptr<MobilityModel> mobility;
            if (i % 8 == 0)
            {
                Ptr<ConstantVelocityMobilityModel> mover =
                    CreateObject<ConstantVelocityMobilityModel>();
                mobility = mover;
                mobility->SetPosition(DrawPlace());
                mover->SetVelocity(Vector(Draw(-30, 30), Draw(-30, 30), 0));
            }
            else
            {
                mobility = CreateObject<ConstantPositionMobilityModel>();
                mobility->SetPosition(DrawPlace());
            }
            m_nodes.Get(i)->AggregateObject(mobility);
        }
        D2dHelper helper;
        helper.AddPropagationLossModel(variant.lossModel);
        helper.SetChannelAttribute("Access", StringValue(variant.access));
        helper.SetChannelAttribute("Fidelity", StringValue(variant.fidelity));
        helper.SetChannelAttribute("KeepLinks", StringValue(variant.keeping));
        helper.SetChannelAttribute("KeptLinks", StringValue(variant.links));
        helper.SetDeviceAttribute("RxSensitivity", DoubleValue(-105));
        m_devices = helper.Install(m_nodes);
        D2dHelper::AssignStreams(m_devices, 100);
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            DynamicCast<D2dNetDevice>(m_devices.Get(i))
                ->GetMac()
                ->TraceConnectWithoutContext("BurstEnd",
                                             MakeCallback(&ChangingScenario::Record, this));
        }
    }

    /// @return what became of every burst, as text
    std::string
    Run()
    {
        for (int i = 0; i < 1500; ++i)
        {
            Simulator::Schedule(MilliSeconds(20 * i), &ChangingScenario::Act, this);
        }
        Simulator::Run();
        return m_text.str();
    }

    /// @return receptions that went well
    uint32_t
    CountDelivered() const
    {
        return m_delivered;
    }

  private:
    /**
     * @param least a number
     * @param greatest another one
     * @return a number between them
     */
    double
    Draw(double least, double greatest)
    {
        return m_random->GetValue(least, greatest);
    }

    /// @return a place in a square of 2 km
    Vector
    DrawPlace()
    {
        const double x = Draw(0, 2000);
        return Vector(x, Draw(0, 2000), 0);
    }

    /// @brief Send something, and sometimes change something.
    void
    Act()
    {
        const uint32_t index = m_random->GetInteger(0, COUNT - 1);
        const uint32_t other = m_random->GetInteger(0, COUNT - 1);
        const auto device = DynamicCast<D2dNetDevice>(m_devices.Get(index));
        switch (m_random->GetInteger(0, 5))
        {
        case 0:
            m_nodes.Get(other)->GetObject<MobilityModel>()->SetPosition(DrawPlace());
            break;
        case 1:
            DynamicCast<D2dNetDevice>(m_devices.Get(other))
                ->GetPhy()
                ->SetAttribute("TxPower", DoubleValue(Draw(5, 25)));
            break;
        case 2:
            DynamicCast<D2dNetDevice>(m_devices.Get(other))
                ->GetPhy()
                ->SetAttribute("RxSensitivity", DoubleValue(Draw(-108, -90)));
            break;
        default:
            break;
        }
        const bool toGroup = other % 3 == 0;
        D2dBurst burst(Create<Packet>(500),
                       toGroup ? D2dMac::GetGroupAddress() : Mac48Address::GetBroadcast(),
                       TestNetwork::PROTOCOL);
        if (toGroup)
        {
            burst.group = GetGroup(index);
        }
        device->GetMac()->SendBurst(burst);
    }

    /**
     * @param sender index of a device
     * @return its group, the same each time
     */
    const D2dGroup&
    GetGroup(uint32_t sender)
    {
        D2dGroup& group = m_groups[sender];
        if (!group)
        {
            std::vector<uint32_t> nodes;
            for (uint32_t i = sender % 5; i < COUNT; i += 5)
            {
                if (i != sender)
                {
                    nodes.push_back(m_nodes.Get(i)->GetId());
                }
            }
            group = std::make_shared<const std::vector<uint32_t>>(nodes);
        }
        return group;
    }

    /// @param report of a burst that is over
    void
    Record(const D2dBurstReport& report)
    {
        m_text << report.senderNode - m_nodes.Get(0)->GetId() << ' ' << report.end.GetTimeStep();
        for (const auto& outcome : report.outcomes)
        {
            m_text << ' ' << outcome.receiverNode - m_nodes.Get(0)->GetId()
                   << ToString(outcome.reason) << outcome.ended.GetTimeStep();
            m_delivered += outcome.delivered ? 1 : 0;
        }
        m_text << '\n';
    }

    static constexpr uint32_t COUNT = 60; //!< number of devices

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of changes
    NodeContainer m_nodes;                                                       //!< nodes
    NetDeviceContainer m_devices;                                                //!< radios
    std::map<uint32_t, D2dGroup> m_groups;                                       //!< by sender
    std::ostringstream m_text;                                                   //!< of Run()
    uint32_t m_delivered = 0; //!< see CountDelivered()
};

class KeptLinksTest : public SimulatorTest, public testing::WithParamInterface<Variant>
{
};

INSTANTIATE_TEST_SUITE_P(
    Radios,
    KeptLinksTest,
    testing::Values(Variant{"Ofdma", "Burst", "ns3::LogDistancePropagationLossModel"},
                    Variant{"Ofdma", "Packet", "CountedPathLoss"},
                    Variant{"Shared", "Packet", "ns3::LogDistancePropagationLossModel"},
                    Variant{"Ofdma", "Burst", "ns3::collab::D2dShadowingModel"}));

TEST_P(KeptLinksTest, GiveWhatLinksComputedAnewGive)
{
    const auto run = [](Variant variant, const std::string& keeping, const std::string& links) {
        variant.keeping = keeping;
        variant.links = links;
        RngSeedManager::SetSeed(1);
        ChangingScenario scenario(variant);
        const std::string text = scenario.Run();
        EXPECT_GT(scenario.CountDelivered(), 1500U);
        Simulator::Destroy();
        return text;
    };
    const std::string expected = run(GetParam(), "Never", "1000000");
    EXPECT_EQ(run(GetParam(), "Auto", "1000000"), expected);
    EXPECT_EQ(run(GetParam(), "Auto", "300"), expected) << "few links are kept";
    EXPECT_EQ(run(GetParam(), "Auto", "0"), expected) << "none but the last are kept";
}

/// Radios in a row, all in range of each other, that count how often the path loss is asked for
class RowTest : public SimulatorTest
{
  protected:
    /**
     * @param still how many stand
     * @param moving how many move, behind them
     */
    void
    Install(uint32_t still, uint32_t moving)
    {
        NodeContainer nodes;
        nodes.Create(still + moving);
        for (uint32_t i = 0; i < still + moving; ++i)
        {
            Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
            if (i >= still)
            {
                mobility = CreateObject<ConstantVelocityMobilityModel>();
            }
            mobility->SetPosition(Vector(i, 0, 0));
            nodes.Get(i)->AggregateObject(mobility);
        }
        D2dHelper helper;
        helper.AddPropagationLossModel("CountedPathLoss");
        m_devices = helper.Install(nodes);
        D2dHelper::AssignStreams(m_devices, 100);
        m_channel = DynamicCast<D2dChannel>(m_devices.Get(0)->GetChannel());
        PointerValue model;
        m_channel->GetAttribute("PropagationLossModel", model);
        m_model = model.Get<CountedPathLoss>();
    }

    /**
     * @param index of a device
     * @return the device
     */
    Ptr<D2dNetDevice>
    Device(uint32_t index) const
    {
        return DynamicCast<D2dNetDevice>(m_devices.Get(index));
    }

    /**
     * @param index of a device
     * @return how often the path loss is asked for its links
     */
    uint64_t
    CountAsked(uint32_t index) const
    {
        const uint64_t before = m_model->asked;
        EXPECT_EQ(m_channel->GetLinks(Device(index)).size(), m_devices.GetN() - 1);
        return m_model->asked - before;
    }

    NetDeviceContainer m_devices;       //!< the radios
    Ptr<D2dChannel> m_channel;          //!< their channel
    Ptr<CountedPathLoss> m_model;       //!< its path loss
    static constexpr uint64_t BOTH = 2; //!< powers of a link, there and back
};

TEST_F(RowTest, OnlyLinksOfDevicesThatMoveAreComputedAtEachSend)
{
    Install(50, 2);
    EXPECT_EQ(CountAsked(0), 51 * BOTH);
    EXPECT_EQ(CountAsked(0), 2 * BOTH);
    EXPECT_EQ(CountAsked(51), 51 * BOTH);
    EXPECT_EQ(CountAsked(51), 51 * BOTH) << "it moves itself";
    EXPECT_THAT(m_channel->ExplainUnkeptLinks(), testing::HasSubstr("and 1 more move"));
}

TEST_F(RowTest, WhatChangesOfOneDeviceCostsItsLinksAlone)
{
    Install(50, 0);
    for (uint32_t i = 0; i < 50; ++i)
    {
        CountAsked(i);
    }
    Device(7)->GetPhy()->SetAttribute("TxPower", DoubleValue(17.3));
    EXPECT_EQ(CountAsked(0), BOTH);
    EXPECT_EQ(CountAsked(0), 0U);
    Device(7)->GetPhy()->SetAttribute("TxPower", DoubleValue(17.4));
    Device(8)->GetPhy()->SetAttribute("RxSensitivity", DoubleValue(-110));
    Device(9)->GetNode()->GetObject<MobilityModel>()->SetPosition(Vector(0, 9, 0));
    Device(9)->GetNode()->GetObject<MobilityModel>()->SetPosition(Vector(0, 8, 0));
    EXPECT_EQ(CountAsked(0), 3 * BOTH);
    EXPECT_EQ(CountAsked(1), 3 * BOTH);
    EXPECT_EQ(CountAsked(7), 49 * BOTH) << "all of its own";
    EXPECT_EQ(CountAsked(7), 0U);
}

TEST_F(RowTest, LinksAskedForLeastRecentlyAreForgottenFirst)
{
    Install(20, 0);
    m_channel->SetAttribute("KeptLinks", UintegerValue(10 * 19));
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_EQ(CountAsked(i), 19 * BOTH);
    }
    EXPECT_EQ(CountAsked(0), 0U) << "ten fit";
    EXPECT_EQ(CountAsked(10), 19 * BOTH);
    EXPECT_EQ(CountAsked(0), 0U);
    EXPECT_EQ(CountAsked(9), 0U);
    EXPECT_EQ(CountAsked(1), 19 * BOTH) << "forgotten";
}

} // namespace
