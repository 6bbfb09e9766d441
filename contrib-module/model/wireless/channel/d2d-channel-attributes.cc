/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Attributes of D2dChannel

#include "d2d-channel.h"
#include "d2d-signals.h"

#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::collab
{

TypeId
D2dChannel::GetTypeId()
{
    static TypeId tid = AddSignalAttributes(
        AddAccessAttributes(AddModelAttributes(TypeId("ns3::collab::D2dChannel")
                                                   .SetParent<Channel>()
                                                   .SetGroupName("Collab")
                                                   .AddConstructor<D2dChannel>())));
    return tid;
}

TypeId
D2dChannel::AddModelAttributes(TypeId tid)
{
    return tid
        .AddAttribute("PropagationLossModel",
                      "Head of the chain of models that gives the mean received power.",
                      PointerValue(),
                      MakePointerAccessor(&D2dChannel::SetPropagationLossModel,
                                          &D2dChannel::GetPropagationLossModel),
                      MakePointerChecker<PropagationLossModel>())
        .AddAttribute("PropagationDelayModel",
                      "Delay between two devices; none without a model.",
                      StringValue("ns3::ConstantSpeedPropagationDelayModel"),
                      MakePointerAccessor(&D2dChannel::SetPropagationDelayModel,
                                          &D2dChannel::GetPropagationDelayModel),
                      MakePointerChecker<PropagationDelayModel>())
        .AddAttribute("DelayResolution",
                      "Propagation delays are rounded up to a multiple of it, so that all that "
                      "hear a burst at about the same time share an event; 0 for none.",
                      TimeValue(MicroSeconds(1)),
                      MakeTimeAccessor(Own(&D2dChannelSettings::delayResolution)),
                      MakeTimeChecker(Time()))
        .AddAttribute("OutageModel",
                      "Probability that a link loses a fragment.",
                      StringValue("ns3::collab::D2dRayleighOutageModel"),
                      MakePointerAccessor(&D2dChannel::SetOutageModel, &D2dChannel::GetOutageModel),
                      MakePointerChecker<D2dOutageModel>())
        .AddAttribute(
            "NoiseFigure",
            "Noise figure of the receivers [dB].",
            DoubleValue(7.0),
            MakeDoubleAccessor(&D2dChannel::SetNoiseFigureDb, &D2dChannel::GetNoiseFigureDb),
            MakeDoubleChecker<double>(0.0))
        .AddAttribute("NoisePower",
                      "Noise power sigma^2 in the band of a burst [W]; 0 for thermal noise at "
                      "290 K in its sender's bandwidth, times the noise figure.",
                      DoubleValue(0.0),
                      MakeDoubleAccessor(Own(&D2dChannelSettings::noisePowerW)),
                      MakeDoubleChecker<double>(0.0));
}

TypeId
D2dChannel::AddAccessAttributes(TypeId tid)
{
    return tid
        .AddAttribute(
            "Access",
            "How devices share the medium: a subchannel for each, or one of Subchannels "
            "(Ofdma), one channel on which they interfere (Shared), or one channel in turns "
            "(Tdma).",
            compat::EnumAttribute(D2dAccess::OFDMA),
            compat::EnumAccessor(Own(&D2dChannelSettings::access)),
            compat::EnumChecker(
                D2dAccess::OFDMA, "Ofdma", D2dAccess::SHARED, "Shared", D2dAccess::TDMA, "Tdma"))
        .AddAttribute("Subchannels",
                      "With OFDMA, number of subchannels, each of the bandwidth of a device, "
                      "which devices share as their attribute Subchannel says: those on one "
                      "of them interfere as on a shared channel. 0 for as many as there are "
                      "devices: a band that grows with their number.",
                      UintegerValue(0),
                      MakeUintegerAccessor(Own(&D2dChannelSettings::subchannels)),
                      MakeUintegerChecker<uint32_t>(0, 1 << 20))
        .AddAttribute("AdjacentLeakage",
                      "With Subchannels, how much weaker a signal is on the two subchannels "
                      "beside its own than on that [dB]; 1000 or more for none there.",
                      DoubleValue(D2dSignals::NO_LEAKAGE_DB),
                      MakeDoubleAccessor(Own(&D2dChannelSettings::leakageDb)),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("KeepLinks",
                      "Whether links between devices that stand still are kept from one send "
                      "to the next: if every model of the chain is known not to depend on time "
                      "or chance (Auto), in any case (Always), or never (Never).",
                      compat::EnumAttribute(D2dLinkKeeping::AUTO),
                      compat::EnumAccessor(Own(&D2dChannelSettings::keeping)),
                      compat::EnumChecker(D2dLinkKeeping::AUTO,
                                          "Auto",
                                          D2dLinkKeeping::ALWAYS,
                                          "Always",
                                          D2dLinkKeeping::NEVER,
                                          "Never"))
        .AddAttribute("KeptLinks",
                      "Greatest number of links that are kept, at 76 bytes each; beyond it "
                      "those of the devices that have not sent for longest are found anew when "
                      "they send again. Results do not depend on it.",
                      UintegerValue(10000000),
                      MakeUintegerAccessor(Own(&D2dChannelSettings::keptLinks)),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
D2dChannel::AddSignalAttributes(TypeId tid)
{
    return tid
        .AddAttribute("InterferenceCutoff",
                      "On a shared channel, received power from which on a signal disturbs a "
                      "device that is not sensitive enough to hear it [dBm]. What a device "
                      "hears disturbs it in any case.",
                      DoubleValue(-120.0),
                      MakeDoubleAccessor(Own(&D2dChannelSettings::interferenceCutoffDbm)),
                      MakeDoubleChecker<double>())
        .AddAttribute(
            "Locking",
            "On a shared channel, what a device does whom overlapping fragments are meant for: "
            "it decodes all of them (None), the one that began first (First), or that one "
            "until another begins that is stronger by CaptureMargin (Capture).",
            compat::EnumAttribute(D2dLocking::CAPTURE),
            compat::EnumAccessor(Own(&D2dChannelSettings::locking)),
            compat::EnumChecker(D2dLocking::NONE,
                                "None",
                                D2dLocking::FIRST,
                                "First",
                                D2dLocking::CAPTURE,
                                "Capture"))
        .AddAttribute(
            "CaptureMargin",
            "How much stronger a fragment is, by mean power, that captures a device "
            "from the one that it decodes [dB].",
            DoubleValue(10.0),
            MakeDoubleAccessor(&D2dChannel::SetCaptureMarginDb, &D2dChannel::GetCaptureMarginDb),
            MakeDoubleChecker<double>(0.0))
        .AddAttribute("TdmaSlot",
                      "With TDMA, how long the turn of a device lasts that sends nothing.",
                      TimeValue(MicroSeconds(9)),
                      MakeTimeAccessor(Own(&D2dChannelSettings::tdmaSlot)),
                      MakeTimeChecker(Time()))
        .AddAttribute("TdmaGuardTime",
                      "With TDMA, time between the end of a turn in which something was sent "
                      "and the next one.",
                      TimeValue(Time()),
                      MakeTimeAccessor(Own(&D2dChannelSettings::tdmaGuardTime)),
                      MakeTimeChecker(Time()))
        .AddAttribute("LinkUpdatePeriod",
                      "How often a burst on air reads anew how well it is received, and its "
                      "acknowledgments; 0 for once, when it begins.",
                      TimeValue(Time()),
                      MakeTimeAccessor(Own(&D2dChannelSettings::linkUpdatePeriod)),
                      MakeTimeChecker(Time()))
        .AddAttribute(
            "Fidelity",
            "Whether every fragment is simulated by itself (Packet) or a message as a "
            "whole (Burst).",
            compat::EnumAttribute(D2dFidelity::BURST),
            compat::EnumAccessor(Own(&D2dChannelSettings::fidelity)),
            compat::EnumChecker(D2dFidelity::BURST, "Burst", D2dFidelity::PACKET, "Packet"));
}

} // namespace ns3::collab
