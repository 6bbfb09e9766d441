/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Attributes and trace sources of D2dMac

#include "d2d-mac.h"

#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3::collab
{

/// @brief Describes the attributes and trace sources of a D2dMac.
class D2dMacAttributes
{
  public:
    /// @brief Describe what of the attributes is about access to the medium.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddAccessAttributes(TypeId tid);
    /// @brief Describe what of the attributes is about reliability.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddArqAttributes(TypeId tid);
    /// @brief Describe the trace sources.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddTraceSources(TypeId tid);

  private:
    /// @tparam T type of an attribute
    /// @tparam S what it is a member of
    /// @param member the attribute
    /// @return the same, as a member of the MAC
    template <class T, class S>
    static T D2dMac::*
    Own(T S::*member)
    {
        return member;
    }
};

TypeId
D2dMac::GetTypeId()
{
    static TypeId tid = D2dMacAttributes::AddTraceSources(
        D2dMacAttributes::AddArqAttributes(D2dMacAttributes::AddAccessAttributes(
            TypeId("ns3::collab::D2dMac")
                .SetParent<Object>()
                .SetGroupName("Collab")
                .AddConstructor<D2dMac>()
                .AddAttribute(
                    "TxQueue",
                    "Packets that wait for the medium; a D2dPriorityQueue of its own for each "
                    "device that is given none. A default would be one queue for all devices: "
                    "use D2dHelper::SetQueue().",
                    PointerValue(),
                    MakePointerAccessor(&D2dMac::SetQueue, &D2dMac::GetQueue),
                    MakePointerChecker<Queue<Packet>>()))));
    return tid;
}

TypeId
D2dMacAttributes::AddAccessAttributes(TypeId tid)
{
    return tid
        .AddAttribute("CarrierSense",
                      "On a shared channel, whether the device defers to what it hears.",
                      BooleanValue(true),
                      MakeBooleanAccessor(Own(&D2dContentionRules::carrierSense)),
                      MakeBooleanChecker())
        .AddAttribute("CcaThreshold",
                      "On a shared channel, received power from which on the device defers "
                      "[dBm].",
                      DoubleValue(-100.0),
                      MakeDoubleAccessor(Own(&D2dContentionRules::ccaThresholdDbm)),
                      MakeDoubleChecker<double>())
        .AddAttribute("SensingEnergy",
                      "Whether the radio spends RxPower while it senses the medium: in the "
                      "back-off, and while a burst waits for what the device defers to.",
                      BooleanValue(false),
                      MakeBooleanAccessor(Own(&D2dContentionRules::paysForSensing)),
                      MakeBooleanChecker())
        .AddAttribute(
            "Overhearing",
            "What the radio listens to, and spends RxPower on, of a burst in range that "
            "is for other devices alone: nothing (None), or all of it (Whole).",
            compat::EnumAttribute(D2dOverhearing::NONE),
            compat::EnumAccessor(&D2dMac::SetOverhearing, &D2dMac::GetOverhearing),
            compat::EnumChecker(D2dOverhearing::NONE, "None", D2dOverhearing::WHOLE, "Whole"))
        .AddAttribute("SlotTime",
                      "Unit of the back-off.",
                      TimeValue(MicroSeconds(9)),
                      MakeTimeAccessor(Own(&D2dContentionRules::slotTime)),
                      MakeTimeChecker(Time()))
        .AddAttribute("ContentionWindow",
                      "Number of back-off slots to draw from; 1 for no back-off.",
                      UintegerValue(16),
                      MakeUintegerAccessor(Own(&D2dContentionRules::contentionWindow)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("ReceiverSensing",
                      "With a subchannel for each sender (Ofdma), whether what is for a "
                      "half-duplex device waits while that one transmits; who does is known at "
                      "no cost, as by a busy tone. A broadcast with ARQ is sent to the others "
                      "now, and to that one later. Else all is sent, and missed.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&D2dMac::SetReceiverSensing, &D2dMac::GetReceiverSensing),
                      MakeBooleanChecker())
        .AddAttribute("MaxReceptions",
                      "With a subchannel for each sender (Ofdma), bursts that the device can "
                      "receive at once; what exceeds that waits at its senders. 0 for any "
                      "number.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&D2dMac::SetMaxReceptions, &D2dMac::GetMaxReceptions),
                      MakeUintegerChecker<uint32_t>());
}

TypeId
D2dMacAttributes::AddArqAttributes(TypeId tid)
{
    return tid
        .AddAttribute("AcknowledgmentTurnaround",
                      "Time that a sender adds to an acknowledgment's airtime while it waits; "
                      "half of it is for the way there and back. 0 for the time of that way to "
                      "the farthest receiver, whatever it is.",
                      TimeValue(MicroSeconds(20)),
                      MakeTimeAccessor(Own(&D2dArqRules::turnaround)),
                      MakeTimeChecker(Time()))
        .AddAttribute("MaxAttempts",
                      "Transmissions that a fragment may have with ARQ.",
                      UintegerValue(8),
                      MakeUintegerAccessor(Own(&D2dArqRules::maxAttempts)),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute(
            "Arq",
            "How fragments that were not acknowledged are sent again. Divisible "
            "packets always use selective repeat.",
            compat::EnumAttribute(D2dArq::STOP_AND_WAIT),
            compat::EnumAccessor(Own(&D2dArqRules::arq)),
            compat::EnumChecker(
                D2dArq::STOP_AND_WAIT, "StopAndWait", D2dArq::SELECTIVE_REPEAT, "SelectiveRepeat"))
        .AddAttribute("Combining",
                      "What the receiver of a unicast with ARQ does with transmissions of a "
                      "fragment that it could not decode: it forgets them (None), or adds up "
                      "their signal-to-noise ratios with those of the next (Chase).",
                      compat::EnumAttribute(D2dCombining::NONE),
                      compat::EnumAccessor(Own(&D2dArqRules::combining)),
                      compat::EnumChecker(D2dCombining::NONE, "None", D2dCombining::CHASE, "Chase"))
        .AddAttribute("RetryBackoff",
                      "Waiting before the first repetition of a fragment, or of a round of "
                      "selective repeat; doubled at each further one up to 1024 times. On a "
                      "shared channel it is the mean of a uniform distribution from 0.",
                      TimeValue(Time()),
                      MakeTimeAccessor(Own(&D2dArqRules::retryBackoff)),
                      MakeTimeChecker(Time()))
        .AddAttribute("UnicastReliability",
                      "Reliability of unicast packets of the network layer.",
                      compat::EnumAttribute(D2dReliability::BEST_EFFORT),
                      compat::EnumAccessor(&D2dMac::m_unicastReliability),
                      compat::EnumChecker(
                          D2dReliability::BEST_EFFORT, "BestEffort", D2dReliability::ARQ, "Arq"));
}

TypeId
D2dMacAttributes::AddTraceSources(TypeId tid)
{
    return tid
        .AddTraceSource("MacTx",
                        "A packet was given to the device.",
                        MakeTraceSourceAccessor(&D2dMac::m_macTxTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("MacTxDrop",
                        "A packet was dropped before transmission.",
                        MakeTraceSourceAccessor(&D2dMac::m_macTxDropTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("MacRx",
                        "A whole packet was received.",
                        MakeTraceSourceAccessor(&D2dMac::m_macRxTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("BurstEnd",
                        "All about a burst of this device, once it is over.",
                        MakeTraceSourceAccessor(&D2dMac::m_burstEndTrace),
                        "ns3::collab::D2dMac::BurstEndTracedCallback");
}

} // namespace ns3::collab
