/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-net-device.h"

#include "d2d-mac-header.h"
#include "d2d-mac-trailer.h"
#include "d2d-priority-queue.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/d2d-admission.h"
#include "ns3/d2d-tdma-schedule.h"
#include "ns3/d2d-transmission.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dNetDevice");
NS_OBJECT_ENSURE_REGISTERED(D2dNetDevice);

TypeId
D2dNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Collab")
            .AddConstructor<D2dNetDevice>()
            .AddAttribute("Mtu",
                          "Largest packet that the network layer may send [byte].",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&D2dNetDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute(
                "TxQueue",
                "Packets that wait for the medium; a D2dPriorityQueue of its own for each "
                "device that is given none. A default would be one queue for all devices: "
                "use D2dHelper::SetQueue().",
                PointerValue(),
                MakePointerAccessor(&D2dNetDevice::SetQueue, &D2dNetDevice::GetQueue),
                MakePointerChecker<Queue<Packet>>())
            .AddAttribute(
                "TxPower",
                "Transmit power [dBm].",
                DoubleValue(20.0),
                MakeDoubleAccessor(&D2dNetDevice::SetTxPowerDbm, &D2dNetDevice::GetTxPowerDbm),
                MakeDoubleChecker<double>())
            .AddAttribute("Bandwidth",
                          "Bandwidth B of the device's subchannel [Hz].",
                          DoubleValue(1e6),
                          MakeDoubleAccessor(&D2dNetDevice::m_bandwidthHz),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute("Subchannel",
                          "Number of the device's subchannel, from 0 on, where the channel has "
                          "Subchannels and SubchannelAllocation is Fixed; 4294967295 for the "
                          "device's index modulo Subchannels.",
                          UintegerValue(ANY_SUBCHANNEL),
                          MakeUintegerAccessor(&D2dNetDevice::m_subchannel),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SpectralEfficiency",
                          "Rate r of transmission [bit/s/Hz]; the data rate is r B.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&D2dNetDevice::m_spectralEfficiency),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("RxSensitivity",
                          "Least received power at which a burst is noticed [dBm].",
                          DoubleValue(-120.0),
                          MakeDoubleAccessor(&D2dNetDevice::SetRxSensitivityDbm,
                                             &D2dNetDevice::GetRxSensitivityDbm),
                          MakeDoubleChecker<double>())
            .AddAttribute("FragmentSize",
                          "Largest part of a packet that one fragment carries [byte].",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&D2dNetDevice::m_fragmentSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AcknowledgmentSize",
                          "Size on the air of an acknowledgment that the device sends [byte].",
                          UintegerValue(14),
                          MakeUintegerAccessor(&D2dNetDevice::m_acknowledgmentSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AcknowledgmentTurnaround",
                          "Time that a sender adds to an acknowledgment's airtime while it waits; "
                          "half of it is for the way there and back. 0 for the time of that way to "
                          "the farthest receiver, whatever it is.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&D2dNetDevice::m_turnaround),
                          MakeTimeChecker(Time()))
            .AddAttribute("MaxAttempts",
                          "Transmissions that a fragment may have with ARQ.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&D2dNetDevice::m_maxAttempts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Arq",
                          "How fragments that were not acknowledged are sent again. Divisible "
                          "packets always use selective repeat.",
                          compat::EnumAttribute(D2dArq::STOP_AND_WAIT),
                          compat::EnumAccessor(&D2dNetDevice::m_arq),
                          compat::EnumChecker(D2dArq::STOP_AND_WAIT,
                                              "StopAndWait",
                                              D2dArq::SELECTIVE_REPEAT,
                                              "SelectiveRepeat"))
            .AddAttribute("RetryBackoff",
                          "Waiting before the first repetition of a fragment, or of a round of "
                          "selective repeat; doubled at each further one up to 1024 times. On a "
                          "shared channel it is the mean of a uniform distribution from 0.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&D2dNetDevice::m_retryBackoff),
                          MakeTimeChecker(Time()))
            .AddAttribute("RateControl",
                          "Whether bursts are sent at SpectralEfficiency (Fixed) or at the highest "
                          "rate that has TargetOutage on the worst link that can have it "
                          "(Adaptive).",
                          compat::EnumAttribute(D2dRateControl::FIXED),
                          compat::EnumAccessor(&D2dNetDevice::m_rateControl),
                          compat::EnumChecker(
                              D2dRateControl::FIXED, "Fixed", D2dRateControl::ADAPTIVE, "Adaptive"))
            .AddAttribute("TargetOutage",
                          "Outage probability that adaptive rate control accepts.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&D2dNetDevice::m_targetOutage),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("MinSpectralEfficiency",
                          "Lowest rate of adaptive rate control [bit/s/Hz].",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&D2dNetDevice::m_leastEfficiency),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("MaxSpectralEfficiency",
                          "Highest rate of adaptive rate control [bit/s/Hz].",
                          DoubleValue(8.0),
                          MakeDoubleAccessor(&D2dNetDevice::m_greatestEfficiency),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("CarrierSense",
                          "On a shared channel, whether the device defers to what it hears.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&D2dNetDevice::m_carrierSense),
                          MakeBooleanChecker())
            .AddAttribute("CcaThreshold",
                          "On a shared channel, received power from which on the device defers "
                          "[dBm].",
                          DoubleValue(-100.0),
                          MakeDoubleAccessor(&D2dNetDevice::m_ccaThresholdDbm),
                          MakeDoubleChecker<double>())
            .AddAttribute("NeighborDiscovery",
                          "How the device knows its neighbors: from the link budget (Ideal), or "
                          "from what it has received (Measured), for which it sends beacons.",
                          compat::EnumAttribute(D2dDiscovery::IDEAL),
                          compat::EnumAccessor(&D2dNetDevice::m_discovery),
                          compat::EnumChecker(
                              D2dDiscovery::IDEAL, "Ideal", D2dDiscovery::MEASURED, "Measured"))
            .AddAttribute("NeighborTimeout",
                          "With measured neighbors, how long a device counts that was not heard "
                          "again.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&D2dNetDevice::m_neighborTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute("BeaconInterval",
                          "With measured neighbors, time from one beacon to the next; 0 for none.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&D2dNetDevice::m_beaconInterval),
                          MakeTimeChecker(Time()))
            .AddAttribute("BeaconSize",
                          "Size of a beacon, without the header of the radio [byte].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&D2dNetDevice::m_beaconSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SlotTime",
                          "Unit of the back-off.",
                          TimeValue(MicroSeconds(9)),
                          MakeTimeAccessor(&D2dNetDevice::m_slotTime),
                          MakeTimeChecker(Time()))
            .AddAttribute("ContentionWindow",
                          "Number of back-off slots to draw from; 1 for no back-off.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&D2dNetDevice::m_contentionWindow),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Duplex",
                          "Whether the device can receive while it transmits.",
                          compat::EnumAttribute(D2dDuplex::HALF),
                          compat::EnumAccessor(&D2dNetDevice::m_duplex),
                          compat::EnumChecker(D2dDuplex::HALF, "Half", D2dDuplex::FULL, "Full"))
            .AddAttribute("MaxReceptions",
                          "With a subchannel for each sender (Ofdma), bursts that the device can "
                          "receive at once; what exceeds that waits at its senders. 0 for any "
                          "number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&D2dNetDevice::SetMaxReceptions,
                                               &D2dNetDevice::GetMaxReceptions),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "UnicastReliability",
                "Reliability of unicast packets of the network layer.",
                compat::EnumAttribute(D2dReliability::BEST_EFFORT),
                compat::EnumAccessor(&D2dNetDevice::m_unicastReliability),
                compat::EnumChecker(
                    D2dReliability::BEST_EFFORT, "BestEffort", D2dReliability::ARQ, "Arq"))
            .AddTraceSource("MacTx",
                            "A packet was given to the device.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet was dropped before transmission.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A whole packet was received.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A fragment (fidelity Packet) or a pass over a packet (Burst) begins.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "A fragment or a pass was transmitted.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_phyTxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "The radio went off while it transmitted a packet.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_phyTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxBegin",
                            "The radio begins to receive a fragment or a pass.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_phyRxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A fragment (Packet) or a packet (Burst) was received.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource(
                "PhyRxDrop",
                "A fragment (Packet) or a packet (both) was lost on the way to this device.",
                MakeTraceSourceAccessor(&D2dNetDevice::m_phyRxDropTrace),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame with its D2dMacHeader and check sequence begins to be sent, "
                            "or was received whole: a fragment (Packet) or a burst (Burst).",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("BurstEnd",
                            "All about a burst of this device, once it is over.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_burstEndTrace),
                            "ns3::collab::D2dNetDevice::BurstEndTracedCallback")
            .AddTraceSource("Activity",
                            "What the radio does changes.",
                            MakeTraceSourceAccessor(&D2dNetDevice::m_activityTrace),
                            "ns3::collab::D2dNetDevice::ActivityTracedCallback");
    return tid;
}

D2dNetDevice::D2dNetDevice()
    : m_ifIndex(0),
      m_address(Mac48Address::Allocate()),
      m_random(CreateObject<UniformRandomVariable>()),
      m_queue([this](uint32_t id, D2dLossReason reason) { StopBurst(id, reason); })
{
    NS_LOG_FUNCTION(this);
}

D2dNetDevice::~D2dNetDevice() = default;

Mac48Address
D2dNetDevice::GetGroupAddress()
{
    static const Mac48Address ADDRESS("03:00:00:00:00:00");
    return ADDRESS;
}

void
D2dNetDevice::NotifyConstructionCompleted()
{
    NetDevice::NotifyConstructionCompleted();
    if (!GetQueue())
    {
        SetQueue(CreateObject<D2dPriorityQueue>());
    }
}

void
D2dNetDevice::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    if (m_discovery == D2dDiscovery::MEASURED && m_beaconInterval.IsStrictlyPositive())
    {
        const double phase = m_random->GetValue();
        m_beaconEvent =
            Simulator::Schedule(m_beaconInterval * phase, &D2dNetDevice::SendBeacon, this);
    }
    NetDevice::DoInitialize();
}

void
D2dNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_backoffEvent.Cancel();
    m_beaconEvent.Cancel();
    m_closed = false;
    m_transmission = nullptr;
    m_followed.clear();
    m_queue.Clear();
    m_queue.SetQueue(nullptr);
    m_burstCallbacks.clear();
    m_channel = nullptr;
    m_node = nullptr;
    m_random = nullptr;
    NetDevice::DoDispose();
}

uint32_t
D2dNetDevice::SendBurst(D2dBurst draft, D2dBurstCallback over)
{
    NS_LOG_FUNCTION(this << draft.packet << draft.destination << draft.protocol);
    NS_ABORT_MSG_UNLESS(m_channel, "D2dNetDevice: the device is not attached to a D2dChannel");
    NS_ABORT_MSG_IF(draft.group && !draft.destination.IsGroup(),
                    "D2dNetDevice::SendBurst: a group, but the destination " << draft.destination
                                                                             << " is a device");
    auto burst = std::make_shared<D2dBurst>(std::move(draft));
    const D2dDivision& division = burst->division;
    NS_ABORT_MSG_IF(division.units > 0 &&
                        burst->packet->GetSize() !=
                            division.headerBytes + uint64_t{division.units} * division.unitBytes,
                    "D2dNetDevice::SendBurst: a packet of "
                        << burst->packet->GetSize() << " bytes is not a header of "
                        << division.headerBytes << " bytes and " << division.units << " units of "
                        << division.unitBytes);
    burst->id = m_nextBurst++;
    burst->source = m_address;
    burst->sourceNode = m_node->GetId();
    burst->packet = burst->packet->Copy();
    burst->queued = Simulator::Now();
    m_macTxTrace(burst->packet);
    if (m_runOver)
    {
        DropBurst(burst, D2dLossReason::RUN_ENDED, over);
        return 0;
    }
    if (!IsOn())
    {
        DropBurst(burst, D2dLossReason::TRANSMITTER_OFF, over);
        return 0;
    }
    if (!m_queue.Add(burst, over))
    {
        DropBurst(burst, D2dLossReason::QUEUE_FULL, over);
        return 0;
    }
    TryAccess();
    return m_queue.FindWaiting(burst->id) ? burst->id : 0;
}

bool
D2dNetDevice::CancelBurst(uint32_t id)
{
    NS_LOG_FUNCTION(this << id);
    return StopBurst(id, D2dLossReason::CANCELLED);
}

bool
D2dNetDevice::StopBurst(uint32_t id, D2dLossReason reason)
{
    NS_LOG_FUNCTION(this << id << ToString(reason));
    if (m_transmission && m_transmission->GetBurst().id == id)
    {
        Ptr<D2dTransmission> transmission = m_transmission;
        transmission->Abort(reason);
        return true;
    }
    if (const auto burst = m_queue.FindWaiting(id))
    {
        const auto pending = m_queue.Remove(id);
        ReleaseClaim(); // perhaps it was for this burst; else it is made again
        if (m_queue.IsEmpty())
        {
            Open();
        }
        DropBurst(burst, reason, pending->over);
        return true;
    }
    return false;
}

uint64_t
D2dNetDevice::GetBytesSent(uint32_t id) const
{
    const Ptr<D2dTransmission> transmission = m_queue.FindTransmission(id);
    return transmission ? transmission->GetBytesSent() : 0;
}

void
D2dNetDevice::EndRun()
{
    NS_LOG_FUNCTION(this);
    m_runOver = true;
    while (const auto id = m_queue.FindOldest())
    {
        if (const Ptr<D2dTransmission> transmission = m_queue.FindTransmission(*id))
        {
            transmission->EndRun(); // on air, or on its way to the receivers
        }
        else
        {
            const auto pending = m_queue.Remove(*id);
            DropBurst(pending->burst, D2dLossReason::RUN_ENDED, pending->over);
        }
    }
}

void
D2dNetDevice::SetBurstReceiveCallback(uint16_t protocol, BurstReceiveCallback callback)
{
    m_burstCallbacks[protocol] = std::move(callback);
}

bool
D2dNetDevice::IsMediumBusy() const
{
    return m_sensed > 0 || (m_duplex == D2dDuplex::HALF && m_reservations > 0);
}

void
D2dNetDevice::TryAccess()
{
    if (!IsOn() || IsAsleep() || m_transmission || m_choosing || m_queue.IsEmpty())
    {
        return;
    }
    if (D2dTdmaSchedule* schedule = m_channel->GetTdmaSchedule())
    {
        schedule->Request(m_channelIndex);
        return;
    }
    if (IsMediumBusy() || !m_backoffEvent.IsExpired())
    {
        return; // EndBurst(), EndSensing() or EndBackoff() goes on
    }
    if (!HasReceivable())
    {
        AwaitPlace();
        return;
    }
    const uint32_t slots =
        m_contentionWindow > 1 ? m_random->GetInteger(0, m_contentionWindow - 1) : 0;
    m_backoffEvent = Simulator::Schedule(
        m_slotTime * static_cast<int64_t>(slots), &D2dNetDevice::EndBackoff, this);
}

void
D2dNetDevice::EndBackoff()
{
    NS_LOG_FUNCTION(this);
    const bool waits = !m_transmission && !IsMediumBusy() && !Transmit() && !m_queue.IsEmpty();
    if (waits && IsOn() && !IsAsleep())
    {
        AwaitPlace(); // others came first
    }
}

void
D2dNetDevice::RetryAccess()
{
    TryAccess();
}

bool
D2dNetDevice::HasPlace() const
{
    return m_maxReceptions == 0 || m_reservations < m_maxReceptions;
}

bool
D2dNetDevice::Takes(const D2dNetDevice& sender) const
{
    // Devices that waited for each other would do so for ever
    return HasPlace() && (!m_closed || sender.m_closed);
}

void
D2dNetDevice::Close()
{
    if (!m_closed)
    {
        m_closed = true;
        m_channel->GetAdmission().CountClosed(true);
    }
}

void
D2dNetDevice::Open()
{
    if (m_closed)
    {
        m_closed = false;
        m_channel->GetAdmission().CountClosed(false);
        m_channel->NotifyPlace();
    }
}

void
D2dNetDevice::OfferPlace()
{
    if (m_maxReceptions > 0 && m_channel)
    {
        m_channel->NotifyPlace();
    }
}

void
D2dNetDevice::AwaitPlace()
{
    Open(); // it is not held up by what it follows
    D2dAdmission& admission = m_channel->GetAdmission();
    admission.Await(m_channelIndex);
    if (!m_channel->LimitsReceptions())
    {
        return;
    }
    const auto group =
        m_queue.FindNext([](const D2dBurst& burst) { return burst.destination.IsGroup(); });
    if (group)
    {
        admission.Claim(m_channelIndex, m_channel->DrawAudience(*this, *group));
    }
}

void
D2dNetDevice::ReleaseClaim()
{
    if (m_channel && m_channel->GetAdmission().Release(m_channelIndex))
    {
        m_channel->NotifyPlace();
    }
}

bool
D2dNetDevice::IsReceivable(const D2dBurst& burst) const
{
    if (!burst.destination.IsGroup())
    {
        Ptr<D2dNetDevice> receiver = m_channel->FindDevice(burst.destination);
        return !receiver ||
               (receiver->Takes(*this) &&
                !m_channel->GetAdmission().IsClaimed(receiver->GetChannelIndex(), m_channelIndex));
    }
    const auto audience = m_channel->DrawAudience(*this, burst);
    return std::all_of(audience->links.begin(), audience->links.end(), [this](const D2dLink& link) {
        return !link.inRange || link.receiver->Takes(*this);
    });
}

D2dBurstQueue::BurstFilter
D2dNetDevice::MakeReceivableFilter() const
{
    // A device that went on with what is behind a broadcast would never be done with it
    return [this, blocked = false](const D2dBurst& burst) mutable {
        const bool receivable = !blocked && IsReceivable(burst);
        blocked = blocked || (!receivable && burst.destination.IsGroup());
        return receivable;
    };
}

bool
D2dNetDevice::HasReceivable()
{
    return !m_channel->ChecksPlace() || m_queue.FindNext(MakeReceivableFilter());
}

std::shared_ptr<const D2dBurst>
D2dNetDevice::TakeNext()
{
    return m_channel->ChecksPlace() ? m_queue.Next(MakeReceivableFilter()) : m_queue.Next();
}

bool
D2dNetDevice::TakeTurn()
{
    NS_LOG_FUNCTION(this);
    return IsOn() && !IsAsleep() && !m_transmission && Transmit();
}

bool
D2dNetDevice::Transmit()
{
    // Who is told of something in here may send, and so ask for access again
    m_choosing = true;
    bool sends = false;
    while (const auto burst = TakeNext())
    {
        sends = Start(burst);
        if (sends || m_sleepWanted)
        {
            break;
        }
    }
    m_choosing = false;
    if (!sends)
    {
        Open(); // it cannot send, and so keeps nobody waiting
    }
    if (!m_transmission)
    {
        TrySleep();
    }
    if (sends)
    {
        TryAccess(); // if it was cut off at once
    }
    return sends;
}

bool
D2dNetDevice::Start(const std::shared_ptr<const D2dBurst>& burst)
{
    const auto audience = m_channel->DrawAudience(*this, *burst);
    if (audience->links.empty() && (burst->group || !burst->destination.IsGroup()))
    {
        const auto pending = m_queue.Remove(burst->id);
        DropBurst(burst, D2dLossReason::UNKNOWN_ADDRESS, pending->over);
        return false;
    }
    const Ptr<D2dTransmission> transmission =
        D2dTransmission::Create(this, burst, audience, ChooseSpectralEfficiency(audience->links));
    m_transmission = transmission;
    m_queue.SetTransmission(burst->id, transmission);
    transmission->Start();
    ReleaseClaim();
    return true;
}

double
D2dNetDevice::ChooseSpectralEfficiency(const std::vector<D2dLink>& audience) const
{
    if (m_rateControl == D2dRateControl::FIXED)
    {
        return m_spectralEfficiency;
    }
    NS_ABORT_MSG_IF(m_leastEfficiency > m_greatestEfficiency,
                    "D2dNetDevice: MinSpectralEfficiency of "
                        << m_leastEfficiency << " bit/s/Hz is over MaxSpectralEfficiency of "
                        << m_greatestEfficiency << " bit/s/Hz");
    double chosen = m_greatestEfficiency;
    bool any = false;
    for (const auto& link : audience)
    {
        const double rate = m_channel->GetSpectralEfficiency(
            *this, link, m_targetOutage, m_leastEfficiency, m_greatestEfficiency);
        // Who cannot be served even at the lowest rate shall not hold up the others
        if (rate > m_leastEfficiency)
        {
            chosen = std::min(chosen, rate);
            any = true;
        }
    }
    return any ? chosen : m_leastEfficiency;
}

bool
D2dNetDevice::BeginSensing(double powerW)
{
    const double thresholdW = std::pow(10.0, (m_ccaThresholdDbm - 30) / 10);
    const bool defers = m_carrierSense && powerW >= thresholdW;
    m_sensed += defers ? 1 : 0;
    return defers;
}

void
D2dNetDevice::EndSensing()
{
    --m_sensed;
    TryAccess();
}

void
D2dNetDevice::SendBeacon()
{
    NS_LOG_FUNCTION(this);
    m_beaconEvent = Simulator::Schedule(m_beaconInterval, &D2dNetDevice::SendBeacon, this);
    if (IsOn() && !IsAsleep())
    {
        D2dBurst beacon(
            Create<Packet>(m_beaconSize), Mac48Address::GetBroadcast(), BEACON_PROTOCOL);
        beacon.priority = UINT8_MAX;
        SendBurst(std::move(beacon));
    }
}

void
D2dNetDevice::NotifyHeard(const D2dNetDevice& sender, double rssW)
{
    if (m_discovery == D2dDiscovery::MEASURED && sender.GetNode() != m_node)
    {
        m_neighbors.Hear(sender.GetNode()->GetId(), rssW);
    }
}

std::vector<uint32_t>
D2dNetDevice::GetNeighbors() const
{
    if (m_discovery == D2dDiscovery::MEASURED)
    {
        return m_neighbors.GetNodes(m_neighborTimeout);
    }
    std::vector<uint32_t> nodes;
    for (const auto& link : m_channel->GetLinks(this))
    {
        if (link.returnInRange)
        {
            nodes.push_back(link.receiverNode);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end()); // one may have two radios
    return nodes;
}

std::optional<double>
D2dNetDevice::GetMeasuredRssW(uint32_t node) const
{
    if (m_discovery == D2dDiscovery::MEASURED)
    {
        return m_neighbors.GetRssW(node, m_neighborTimeout);
    }
    Ptr<D2dNetDevice> other = m_channel->FindDeviceOfNode(node);
    if (!other || node == m_node->GetId())
    {
        return std::nullopt;
    }
    const double rssW = m_channel->GetRssW(other, this);
    return rssW >= GetRxSensitivityW() ? std::optional<double>(rssW) : std::nullopt;
}

double
D2dNetDevice::GetMeasuredOutage(uint32_t node) const
{
    const std::optional<double> rssW = GetMeasuredRssW(node);
    return rssW ? m_channel->GetOutageProbability({node,
                                                   m_node->GetId(),
                                                   *rssW,
                                                   GetNoiseW(),
                                                   0.0,
                                                   m_spectralEfficiency,
                                                   0.0,
                                                   GetFragmentBytes()})
                : 1.0;
}

void
D2dNetDevice::DropBurst(const std::shared_ptr<const D2dBurst>& burst,
                        D2dLossReason reason,
                        const D2dBurstCallback& over)
{
    NS_LOG_FUNCTION(this << burst->id << ToString(reason));
    m_macTxDropTrace(burst->packet);
    D2dBurstReport report;
    report.burst = burst;
    report.senderNode = m_node->GetId();
    const D2dFragmentation fragmentation = GetFragmentation(*burst, m_spectralEfficiency);
    report.fragments = fragmentation.fragments;
    report.fragmentBytes = fragmentation.fragmentBytes;
    report.start = Simulator::Now();
    report.end = Simulator::Now();
    report.stopped = reason;
    report.outcomes = MakeOutcomes(*burst, reason, fragmentation.fragments);
    m_burstEndTrace(report);
    if (over)
    {
        over(report);
    }
}

std::vector<D2dReceiverOutcome>
D2dNetDevice::MakeOutcomes(const D2dBurst& burst, D2dLossReason reason, uint32_t fragments) const
{
    D2dReceiverOutcome outcome;
    outcome.lostFragments = fragments;
    outcome.lostUnits = burst.division.units;
    outcome.reason = reason;
    outcome.ended = Simulator::Now();
    if (!burst.destination.IsGroup())
    {
        Ptr<D2dNetDevice> receiver = m_channel->FindDevice(burst.destination);
        outcome.receiver = burst.destination;
        outcome.receiverNode =
            receiver ? receiver->GetNode()->GetId() : D2dReceiverOutcome::NO_NODE;
        return {outcome};
    }
    std::vector<D2dReceiverOutcome> outcomes;
    for (const auto& link : m_channel->GetAudience(*this, burst)->links)
    {
        outcome.receiver = link.receiver->GetMac48Address();
        outcome.receiverNode = link.receiverNode;
        outcomes.push_back(outcome);
    }
    return outcomes;
}

void
D2dNetDevice::ReleaseMedium()
{
    m_transmission = nullptr;
    if (D2dTdmaSchedule* schedule = m_channel->GetTdmaSchedule())
    {
        schedule->Release(m_channelIndex);
    }
    Open(); // it has sent
    TrySleep();
    TryAccess();
}

D2dBurstCallback
D2dNetDevice::ForgetBurst(uint32_t burst)
{
    const auto pending = m_queue.Remove(burst);
    return pending ? pending->over : nullptr; // without one the device is disposed of
}

bool
D2dNetDevice::TracesBurstEnds() const
{
    return !m_burstEndTrace.IsEmpty();
}

void
D2dNetDevice::ConcludeBurst(const D2dBurstReport& report, const D2dBurstCallback& over)
{
    m_burstEndTrace(report);
    if (over)
    {
        over(report);
    }
}

D2dLossReason
D2dNetDevice::BeginBurst()
{
    if (!IsOn())
    {
        return D2dLossReason::RECEIVER_OFF;
    }
    if (IsAsleep())
    {
        return D2dLossReason::ASLEEP;
    }
    if (m_duplex == D2dDuplex::HALF && m_transmission)
    {
        return D2dLossReason::HALF_DUPLEX;
    }
    ++m_reservations;
    return D2dLossReason::NONE;
}

void
D2dNetDevice::EndBurst(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        --m_reservations;
        // It waits for others that overlap, one after the other: there shall be no more of them
        const bool isHeldUp =
            m_reservations > 0 && m_duplex == D2dDuplex::HALF && !m_queue.IsEmpty();
        if (isHeldUp && m_channel->GetAccess() == D2dAccess::OFDMA)
        {
            Close();
        }
        TryAccess();
        OfferPlace();
    }
}

void
D2dNetDevice::NotifyActivity(const D2dCorrection& correction)
{
    m_activity.receiving = m_listening > 0;
    // Who is told may make the radio act again, of which all are told before others hear of this
    const D2dCorrection outer = std::exchange(m_activity.correction, correction);
    m_activityTrace(m_activity);
    m_activity.correction = outer;
}

void
D2dNetDevice::AddFollowed(Ptr<D2dTransmission> transmission)
{
    m_followed.push_back(std::move(transmission));
}

void
D2dNetDevice::RemoveFollowed(const D2dTransmission& transmission)
{
    const auto found = std::find_if(
        m_followed.begin(), m_followed.end(), [&transmission](const Ptr<D2dTransmission>& other) {
            return PeekPointer(other) == &transmission;
        });
    if (found != m_followed.end())
    {
        std::swap(*found, m_followed.back());
        m_followed.pop_back();
    }
}

void
D2dNetDevice::BeginEpoch()
{
    ++m_epoch;
    m_reservations = 0;
    m_listening = 0;
    m_activity.transmitting = 0;
    m_activity.cycle = {};
    m_cycles = 0;
    for (const auto& transmission : std::exchange(m_followed, {}))
    {
        transmission->HandleGone(*this);
    }
}

void
D2dNetDevice::BeginCycle(const D2dDutyCycle& cycle)
{
    if (IsOn())
    {
        ++m_cycles;
        m_activity.cycle.transmitting += cycle.transmitting;
        m_activity.cycle.listening += cycle.listening;
        NotifyActivity();
    }
}

void
D2dNetDevice::EndCycle(const D2dDutyCycle& cycle, const D2dCorrection& correction, uint64_t epoch)
{
    if (epoch == m_epoch && m_cycles > 0)
    {
        m_activity.cycle.transmitting -= cycle.transmitting;
        m_activity.cycle.listening -= cycle.listening;
        if (--m_cycles == 0)
        {
            m_activity.cycle = {}; // not a rounding error of it
        }
    }
    NotifyActivity(correction);
}

void
D2dNetDevice::BeginListening()
{
    if (IsOn())
    {
        ++m_listening;
        NotifyActivity();
    }
}

void
D2dNetDevice::EndListening(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        --m_listening;
        NotifyActivity();
    }
}

void
D2dNetDevice::TransmitAcknowledgments(Time duration)
{
    if (!IsOn())
    {
        return;
    }
    ++m_activity.transmitting;
    const uint64_t epoch = m_epoch; // who is told of it may switch the device off
    NotifyActivity();
    Simulator::Schedule(duration, &D2dNetDevice::EndAcknowledgments, this, epoch);
}

void
D2dNetDevice::EndAcknowledgments(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        --m_activity.transmitting;
        NotifyActivity();
        TrySleep();
    }
}

void
D2dNetDevice::SetTransmitting(bool transmitting)
{
    if (IsOn())
    {
        m_activity.transmitting += transmitting ? 1 : -1;
        NotifyActivity();
    }
}

void
D2dNetDevice::ReceiveBurst(const D2dBurst& burst,
                           const Address& source,
                           const Ptr<const Packet>& packet,
                           const std::vector<uint32_t>& units)
{
    NS_LOG_FUNCTION(this << burst.source << burst.id);
    if (!m_macRxTrace.IsEmpty())
    {
        m_macRxTrace(packet);
    }
    const auto direct = m_burstCallbacks.find(burst.protocol);
    if (direct != m_burstCallbacks.end())
    {
        D2dBurst received = burst;
        received.packet = packet;
        direct->second(received, units);
        return;
    }
    if (units.size() < burst.division.units)
    {
        return; // the node's protocols take whole packets only
    }
    if (!m_promiscRxCallback.IsNull())
    {
        PacketType type = NetDevice::PACKET_HOST;
        if (burst.destination.IsGroup())
        {
            type = burst.destination.IsBroadcast() ? NetDevice::PACKET_BROADCAST
                                                   : NetDevice::PACKET_MULTICAST;
        }
        m_promiscRxCallback(this, packet, burst.protocol, source, burst.destination, type);
    }
    if (!m_rxCallback.IsNull())
    {
        m_rxCallback(this, packet, burst.protocol, source);
    }
}

void
D2dNetDevice::SwitchOff()
{
    NS_LOG_FUNCTION(this);
    if (!IsOn())
    {
        return;
    }
    // All this before anybody is told, who could make the radio act again
    m_activity.on = false;
    m_activity.asleep = false;
    m_sleepWanted = false;
    m_backoffEvent.Cancel();
    const auto waiting = m_queue.TakeWaiting();
    BeginEpoch();
    Open();
    if (const Ptr<D2dTransmission> transmission = m_transmission)
    {
        transmission->Abort(D2dLossReason::TRANSMITTER_OFF);
    }
    for (const auto& pending : waiting)
    {
        DropBurst(pending.burst, D2dLossReason::TRANSMITTER_OFF, pending.over);
    }
    NotifyActivity();
    m_linkChangeCallbacks();
    ReleaseClaim();
    OfferPlace();
}

void
D2dNetDevice::SwitchOn()
{
    NS_LOG_FUNCTION(this);
    if (!IsOn())
    {
        m_activity.on = true;
        NotifyActivity();
        m_linkChangeCallbacks();
    }
}

bool
D2dNetDevice::IsOn() const
{
    return m_activity.on;
}

void
D2dNetDevice::Sleep()
{
    NS_LOG_FUNCTION(this);
    m_sleepWanted = IsOn() && !IsAsleep();
    TrySleep();
}

void
D2dNetDevice::TrySleep()
{
    if (!m_sleepWanted || m_choosing || m_transmission || m_activity.transmitting > 0)
    {
        return;
    }
    m_sleepWanted = false;
    m_backoffEvent.Cancel();
    m_activity.asleep = true;
    BeginEpoch();
    NotifyActivity();
    Open();
    ReleaseClaim();
    OfferPlace();
}

void
D2dNetDevice::Wake()
{
    NS_LOG_FUNCTION(this);
    m_sleepWanted = false;
    if (IsAsleep())
    {
        m_activity.asleep = false;
        NotifyActivity();
    }
    TryAccess();
}

bool
D2dNetDevice::IsAsleep() const
{
    return m_activity.asleep;
}

const D2dRadioActivity&
D2dNetDevice::GetActivity() const
{
    return m_activity;
}

D2dFragmentation
D2dNetDevice::GetFragmentation(uint32_t bytes) const
{
    D2dFragmentation result = D2dFragmentation::Cut(bytes, {}, m_fragmentSize);
    result.airtime = GetFragmentAirtime(result.fragmentBytes, m_spectralEfficiency);
    return result;
}

uint32_t
D2dNetDevice::GetFragmentBytes() const
{
    return D2dFragmentation::Cut(m_fragmentSize, {}, m_fragmentSize).fragmentBytes;
}

uint32_t
D2dNetDevice::GetAcknowledgmentSize() const
{
    return m_acknowledgmentSize;
}

D2dFragmentation
D2dNetDevice::GetFragmentation(const D2dBurst& burst, double spectralEfficiency) const
{
    D2dFragmentation result =
        D2dFragmentation::Cut(burst.packet->GetSize(), burst.division, m_fragmentSize);
    result.airtime = GetFragmentAirtime(result.fragmentBytes, spectralEfficiency);
    return result;
}

Time
D2dNetDevice::GetFragmentAirtime(uint32_t bytes, double spectralEfficiency) const
{
    const auto nanoseconds = std::llround(8e9 * bytes / (spectralEfficiency * m_bandwidthHz));
    return NanoSeconds(std::max(1LL, nanoseconds));
}

Time
D2dNetDevice::GetAirtime(uint32_t bytes) const
{
    const D2dFragmentation fragmentation = GetFragmentation(bytes);
    return fragmentation.airtime * static_cast<int64_t>(fragmentation.fragments);
}

Time
D2dNetDevice::GetAcknowledgmentAirtime() const
{
    return NanoSeconds(std::llround(8e9 * m_acknowledgmentSize / GetDataRate()));
}

Time
D2dNetDevice::GetAcknowledgmentTurnaround() const
{
    return m_turnaround;
}

D2dArq
D2dNetDevice::GetArq() const
{
    return m_arq;
}

uint32_t
D2dNetDevice::GetMaxAttempts(const D2dBurst& burst) const
{
    return burst.maxAttempts > 0 ? burst.maxAttempts : m_maxAttempts;
}

Time
D2dNetDevice::GetRetryBackoff() const
{
    return m_retryBackoff;
}

int64_t
D2dNetDevice::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    m_draws.reset();
    return 1;
}

void
D2dNetDevice::SeedDraws()
{
    const uint64_t high = m_random->GetInteger(0, UINT32_MAX);
    m_draws.emplace(high << 32 | m_random->GetInteger(0, UINT32_MAX));
}

void
D2dNetDevice::SetChannel(Ptr<D2dChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    m_channel->Add(this);
}

Ptr<D2dChannel>
D2dNetDevice::GetD2dChannel() const
{
    return m_channel;
}

void
D2dNetDevice::SetChannelIndex(uint32_t index)
{
    m_channelIndex = index;
}

uint32_t
D2dNetDevice::GetChannelIndex() const
{
    return m_channelIndex;
}

void
D2dNetDevice::SetQueue(Ptr<Queue<Packet>> queue)
{
    m_queue.SetQueue(queue);
}

Ptr<Queue<Packet>>
D2dNetDevice::GetQueue() const
{
    return m_queue.GetQueue();
}

uint32_t
D2dNetDevice::GetMaxReceptions() const
{
    return m_maxReceptions;
}

void
D2dNetDevice::SetMaxReceptions(uint32_t bursts)
{
    m_maxReceptions = bursts;
    if (m_channel)
    {
        m_channel->LimitReceptions(bursts > 0);
        m_channel->NotifyPlace();
    }
}

void
D2dNetDevice::SetTxPowerDbm(double powerDbm)
{
    m_txPowerDbm = powerDbm;
    if (m_channel)
    {
        m_channel->NotifyRadioChange(*this);
    }
}

double
D2dNetDevice::GetTxPowerDbm() const
{
    return m_txPowerDbm;
}

double
D2dNetDevice::GetBandwidth() const
{
    return m_bandwidthHz;
}

uint32_t
D2dNetDevice::GetSubchannel() const
{
    return m_subchannel;
}

double
D2dNetDevice::GetSpectralEfficiency() const
{
    return m_spectralEfficiency;
}

void
D2dNetDevice::SetRxSensitivityDbm(double powerDbm)
{
    m_rxSensitivityDbm = powerDbm;
    m_rxSensitivityW = std::pow(10.0, (powerDbm - 30) / 10);
    if (m_channel)
    {
        m_channel->NotifyRadioChange(*this);
    }
}

double
D2dNetDevice::GetRxSensitivityDbm() const
{
    return m_rxSensitivityDbm;
}

double
D2dNetDevice::GetRxSensitivityW() const
{
    return m_rxSensitivityW;
}

double
D2dNetDevice::GetNoiseW() const
{
    return m_channel->GetNoiseW(m_bandwidthHz);
}

double
D2dNetDevice::GetDataRate() const
{
    return m_spectralEfficiency * m_bandwidthHz;
}

void
D2dNetDevice::NotifyTxBegin(Ptr<const Packet> fragment)
{
    m_phyTxBeginTrace(fragment);
}

void
D2dNetDevice::NotifyTxEnd(Ptr<const Packet> fragment)
{
    m_phyTxEndTrace(fragment);
}

void
D2dNetDevice::NotifyTxDrop(Ptr<const Packet> packet)
{
    m_phyTxDropTrace(packet);
}

void
D2dNetDevice::NotifyRxBegin(Ptr<const Packet> fragment)
{
    m_phyRxBeginTrace(fragment);
}

void
D2dNetDevice::NotifyRxEnd(Ptr<const Packet> fragment)
{
    m_phyRxEndTrace(fragment);
}

void
D2dNetDevice::NotifyRxDrop(Ptr<const Packet> fragment)
{
    m_phyRxDropTrace(fragment);
}

void
D2dNetDevice::Sniff(Ptr<const Packet> frame)
{
    m_snifferTrace(frame);
}

void
D2dNetDevice::SniffBurst(const D2dBurst& burst)
{
    if (m_snifferTrace.IsEmpty())
    {
        return;
    }
    Ptr<Packet> frame = burst.packet->Copy();
    frame->AddTrailer(D2dMacTrailer());
    D2dMacHeader header;
    header.source = burst.source;
    header.destination = burst.destination;
    header.protocol = burst.protocol;
    header.burst = burst.id;
    header.packetBytes = burst.packet->GetSize();
    frame->AddHeader(header);
    m_snifferTrace(frame);
}

void
D2dNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
D2dNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
D2dNetDevice::GetChannel() const
{
    return m_channel;
}

void
D2dNetDevice::SetAddress(Address address)
{
    NS_ABORT_MSG_IF(m_channel, "D2dNetDevice::SetAddress: set the address before the channel");
    m_address = Mac48Address::ConvertFrom(address);
}

Address
D2dNetDevice::GetAddress() const
{
    return m_address;
}

bool
D2dNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
D2dNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
D2dNetDevice::IsLinkUp() const
{
    return m_channel && IsOn();
}

void
D2dNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChangeCallbacks.ConnectWithoutContext(callback);
}

bool
D2dNetDevice::IsBroadcast() const
{
    return true;
}

Address
D2dNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
D2dNetDevice::IsMulticast() const
{
    return true;
}

Address
D2dNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
D2dNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
D2dNetDevice::IsBridge() const
{
    return false;
}

bool
D2dNetDevice::IsPointToPoint() const
{
    return false;
}

bool
D2dNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << dest << protocolNumber);
    if (packet->GetSize() > m_mtu)
    {
        m_macTxDropTrace(packet);
        return false;
    }
    const Mac48Address destination = Mac48Address::ConvertFrom(dest);
    SocketPriorityTag priority;
    packet->PeekPacketTag(priority); // 0 without one
    D2dBurst burst;
    burst.packet = packet;
    burst.destination = destination;
    burst.protocol = protocolNumber;
    burst.reliability = destination.IsGroup() ? D2dReliability::BEST_EFFORT : m_unicastReliability;
    burst.priority = priority.GetPriority();
    return SendBurst(std::move(burst)) != 0;
}

bool
D2dNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
D2dNetDevice::GetNode() const
{
    return m_node;
}

void
D2dNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
D2dNetDevice::NeedsArp() const
{
    return true;
}

void
D2dNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_rxCallback = cb;
}

void
D2dNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscRxCallback = cb;
}

bool
D2dNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace collab
} // namespace ns3
