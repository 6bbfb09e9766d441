/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lr-wpan-devices.h"

#include "ns3/collab-module.h"
#include "ns3/energy-source-container.h"
#include "ns3/lr-wpan-csmaca.h"
#include "ns3/lr-wpan-helper.h"
#include "ns3/lr-wpan-net-device.h"
#include "ns3/simple-device-energy-model.h"
#include "ns3/single-model-spectrum-channel.h"
#include "ns3/sixlowpan-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::lrwpan // of LrWpanNetDevice, from ns-3.42 on
{
}

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::lrwpan;

namespace
{

/// Power of a CC2420 at 3 V and 0 dBm (data sheet SWRS041, section 6): transmitting, receiving or
/// listening, idle [W]
constexpr double TRANSMIT_POWER = 3 * 17.4e-3;
constexpr double RECEIVE_POWER = 3 * 18.8e-3;
constexpr double IDLE_POWER = 3 * 0.426e-3;

/// @brief Give the radios short addresses in one PAN: AssociateToPan() before ns-3.40.
/// @param helper what has made them
/// @param radios the radios
template <typename Helper>
auto
Associate(Helper& helper, const NetDeviceContainer& radios, int)
    -> decltype(helper.AssociateToPan(radios, 1))
{
    helper.AssociateToPan(radios, 1);
}

/// @brief The same from ns-3.40 on.
template <typename Helper>
void
Associate(Helper& helper, const NetDeviceContainer& radios, long)
{
    helper.CreateAssociatedPan(radios, 1);
}

/// @brief The state of a transceiver has changed.
/// @param model its energy model
/// @param state the state from now on
template <typename State>
void
SetPower(Ptr<SimpleDeviceEnergyModel> model, State, State state)
{
    const auto batteries = model->GetNode()->GetObject<EnergySourceContainer>();
    if (batteries->GetN() == 0)
    {
        return; // a radio still changes its state when all is disposed of
    }
    const double power = state == IEEE_802_15_4_PHY_BUSY_TX   ? TRANSMIT_POWER
                         : state == IEEE_802_15_4_PHY_TRX_OFF ? IDLE_POWER
                                                              : RECEIVE_POWER;
    model->SetCurrentA(power / batteries->Get(0)->GetSupplyVoltage());
}

/// @brief Let a radio draw from its node's battery; lr-wpan has no energy model.
/// @param radio the radio
template <typename State>
void
DrawFromBattery(Ptr<LrWpanNetDevice> radio, void (*)(Time, State, State))
{
    const auto source = radio->GetNode()->GetObject<EnergySourceContainer>()->Get(0);
    auto model = CreateObject<SimpleDeviceEnergyModel>();
    model->SetNode(radio->GetNode());
    model->SetEnergySource(source);
    source->AppendDeviceEnergyModel(model);
    SetPower(model, IEEE_802_15_4_PHY_TRX_OFF, IEEE_802_15_4_PHY_TRX_OFF);
    radio->GetPhy()->TraceConnectWithoutContext("TrxStateValue",
                                                MakeBoundCallback(&SetPower<State>, model));
}

} // namespace

NetDeviceContainer
InstallLrWpan(const NodeContainer& nodes)
{
    // Small datagrams, which IPv6 need not fragment (the MTU is 1280 byte), and few of them at a
    // time, and patience: all share 250 kbit/s
    SetDefaultUnlessGiven("ns3::collab::TcpTransport::SegmentSize", UintegerValue(500));
    SetDefaultUnlessGiven("ns3::collab::PredictionConsensusApplication::RoundDeadline",
                          StringValue("200s"));
    const std::string udp = "ns3::collab::UdpTransport::";
    SetDefaultUnlessGiven(udp + "DatagramSize", UintegerValue(500));
    SetDefaultUnlessGiven(udp + "Window", UintegerValue(2));
    SetDefaultUnlessGiven(udp + "RetransmissionTimeout", StringValue("3s"));
    SetDefaultUnlessGiven(udp + "MaxRetransmissionTimeout", StringValue("10s"));
    SetDefaultUnlessGiven("ns3::collab::SocketTransport::PacketLifetime", StringValue("20s"));
    LrWpanHelper helper;
    const NetDeviceContainer radios = helper.Install(nodes);
    Associate(helper, radios, 0);
    helper.AssignStreams(radios, 0);
    for (uint32_t i = 0; i < radios.GetN(); ++i)
    {
        const auto radio = DynamicCast<LrWpanNetDevice>(radios.Get(i));
        radio->GetMac()->SetMacMaxFrameRetries(7); // all three: the most that 802.15.4 allows
        radio->GetCsmaCa()->SetMacMinBE(5);
        radio->GetCsmaCa()->SetMacMaxCSMABackoffs(5);
        DrawFromBattery(radio, LrWpanPhy::StateTracedCallback{});
    }
    // The helper disposes of the channel that it has in the end
    helper.SetChannel(CreateObject<SingleModelSpectrumChannel>());
    return SixLowPanHelper().Install(radios);
}
