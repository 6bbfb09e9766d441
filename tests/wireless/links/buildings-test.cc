/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/building.h"
#include "ns3/buildings-helper.h"
#include "ns3/hybrid-buildings-propagation-loss-model.h"
#include "ns3/mobility-helper.h"
#include "ns3/position-allocator.h"

namespace ns3::collab::tests
{
namespace
{

/// A room of concrete between two devices outdoors, and a third device in it
class BuildingsTest : public SimulatorTest
{
  protected:
    BuildingsTest()
        : m_nodes(3)
    {
        auto building = CreateObject<Building>();
        building->SetBoundaries(Box(40, 60, -10, 10, 0, 9));
        building->SetExtWallsType(Building::ConcreteWithWindows);
        auto places = CreateObject<ListPositionAllocator>();
        places->Add(Vector(0, 0, 1.5));
        places->Add(Vector(100, 0, 1.5));
        places->Add(Vector(50, 0, 1.5));
        MobilityHelper mobility;
        mobility.SetPositionAllocator(places);
        mobility.Install(m_nodes);
        BuildingsHelper::Install(m_nodes);
        m_model = CreateObject<HybridBuildingsPropagationLossModel>();
        m_model->SetAttribute("ShadowSigmaOutdoor", DoubleValue(0));
        m_model->SetAttribute("ShadowSigmaIndoor", DoubleValue(0));
        m_model->SetAttribute("ShadowSigmaExtWalls", DoubleValue(0));
        D2dHelper d2d;
        m_devices = d2d.InstallDevices(m_nodes);
        m_channel = DynamicCast<D2dChannel>(m_devices.Get(0)->GetChannel());
        m_channel->SetPropagationLossModel(m_model);
    }

    /// @return received power that the channel uses [dBm]
    double
    GetRssDbm(uint32_t from, uint32_t to) const
    {
        const double rssW = m_channel->GetRssW(DynamicCast<D2dNetDevice>(m_devices.Get(from)),
                                               DynamicCast<D2dNetDevice>(m_devices.Get(to)));
        return 10 * std::log10(rssW) + 30;
    }

    /// @return received power that the model gives [dBm]
    double
    GetModelDbm(uint32_t from, uint32_t to) const
    {
        return m_model->CalcRxPower(20,
                                    m_nodes.Get(from)->GetObject<MobilityModel>(),
                                    m_nodes.Get(to)->GetObject<MobilityModel>());
    }

    NodeContainer m_nodes;             //!< outdoors, outdoors, in the room
    NetDeviceContainer m_devices;      //!< radios
    Ptr<D2dChannel> m_channel;         //!< their channel
    Ptr<PropagationLossModel> m_model; //!< of the links
};

TEST_F(BuildingsTest, LinksHaveThePowerOfTheModel)
{
    for (uint32_t from = 0; from < 3; ++from)
    {
        for (uint32_t to = 0; to < 3; ++to)
        {
            if (from != to)
            {
                EXPECT_NEAR(GetRssDbm(from, to), GetModelDbm(from, to), 1e-9) << from << ' ' << to;
            }
        }
    }
}

TEST_F(BuildingsTest, DeviceThatLeavesTheRoomIsHeardBetter)
{
    const double inside = GetRssDbm(0, 2);
    m_nodes.Get(2)->GetObject<MobilityModel>()->SetPosition(Vector(35, 36, 1.5)); // 50 m away too
    const double outside = GetRssDbm(0, 2);
    EXPECT_GT(outside, inside + 5);
    EXPECT_NEAR(outside, GetModelDbm(0, 2), 1e-9);
}

} // namespace
} // namespace ns3::collab::tests
