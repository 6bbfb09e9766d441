/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-net-device.h"

#include "d2d-mac-header.h"
#include "d2d-mac-trailer.h"
#include "d2d-transmission.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
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

namespace
{

/// Tells a packet in the queue which burst it is
class BurstTag : public Tag
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("ns3::collab::D2dBurstTag")
                                .SetParent<Tag>()
                                .SetGroupName("Collab")
                                .AddConstructor<BurstTag>();
        return tid;
    }

    TypeId
    GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t
    GetSerializedSize() const override
    {
        return sizeof(id);
    }

    void
    Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU32(id);
    }

    void
    Deserialize(TagBuffer buffer) override
    {
        id = buffer.ReadU32();
    }

    void
    Print(std::ostream& os) const override
    {
        os << "burst=" << id;
    }

    uint32_t id = 0; //!< number of the burst
};

} // namespace

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
            .AddAttribute("TxQueue",
                          "Packets that wait for the medium.",
                          StringValue("ns3::DropTailQueue<Packet>"),
                          MakePointerAccessor(&D2dNetDevice::m_queue),
                          MakePointerChecker<Queue<Packet>>())
            .AddAttribute("TxPower",
                          "Transmit power [dBm].",
                          DoubleValue(20.0),
                          MakeDoubleAccessor(&D2dNetDevice::m_txPowerDbm),
                          MakeDoubleChecker<double>())
            .AddAttribute("Bandwidth",
                          "Bandwidth B of the device's subchannel [Hz].",
                          DoubleValue(1e6),
                          MakeDoubleAccessor(&D2dNetDevice::m_bandwidthHz),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute("SpectralEfficiency",
                          "Rate r of transmission [bit/s/Hz]; the data rate is r B.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&D2dNetDevice::m_spectralEfficiency),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("RxSensitivity",
                          "Least received power at which a burst is noticed [dBm].",
                          DoubleValue(-120.0),
                          MakeDoubleAccessor(&D2dNetDevice::m_rxSensitivityDbm),
                          MakeDoubleChecker<double>())
            .AddAttribute("FragmentSize",
                          "Largest part of a packet that one fragment carries [byte].",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&D2dNetDevice::m_fragmentSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AcknowledgmentSize",
                          "Size of an acknowledgment on the air [byte].",
                          UintegerValue(14),
                          MakeUintegerAccessor(&D2dNetDevice::m_acknowledgmentSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AcknowledgmentTurnaround",
                          "Time that a sender adds to an acknowledgment's airtime while it waits; "
                          "half of it is for the way there and back.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&D2dNetDevice::m_turnaround),
                          MakeTimeChecker(Time()))
            .AddAttribute("MaxAttempts",
                          "Transmissions that a fragment may have with ARQ.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&D2dNetDevice::m_maxAttempts),
                          MakeUintegerChecker<uint32_t>(1))
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
      m_random(CreateObject<UniformRandomVariable>())
{
    NS_LOG_FUNCTION(this);
}

D2dNetDevice::~D2dNetDevice() = default;

void
D2dNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_backoffEvent.Cancel();
    m_transmission = nullptr;
    m_pending.clear();
    m_burstCallbacks.clear();
    m_channel = nullptr;
    m_node = nullptr;
    m_queue = nullptr;
    m_random = nullptr;
    NetDevice::DoDispose();
}

uint32_t
D2dNetDevice::SendBurst(Ptr<Packet> packet,
                        Mac48Address destination,
                        uint16_t protocol,
                        D2dReliability reliability,
                        std::shared_ptr<const void> attachment,
                        BurstSentCallback sent)
{
    NS_LOG_FUNCTION(this << packet << destination << protocol);
    NS_ABORT_MSG_UNLESS(m_channel, "D2dNetDevice: the device is not attached to a D2dChannel");
    auto burst = std::make_shared<D2dBurst>();
    burst->id = m_nextBurst++;
    burst->source = m_address;
    burst->destination = destination;
    burst->protocol = protocol;
    burst->reliability = reliability;
    burst->packet = packet->Copy();
    burst->attachment = std::move(attachment);
    burst->queued = Simulator::Now();
    m_macTxTrace(packet);
    if (!IsOn())
    {
        DropBurst(burst, D2dLossReason::TRANSMITTER_OFF);
        return 0;
    }
    Ptr<Packet> queued = packet->Copy();
    BurstTag tag;
    tag.id = burst->id;
    queued->AddPacketTag(tag);
    if (!m_queue->Enqueue(queued))
    {
        DropBurst(burst, D2dLossReason::QUEUE_FULL);
        return 0;
    }
    m_pending[burst->id] = PendingBurst{burst, std::move(sent)};
    TryAccess();
    return burst->id;
}

void
D2dNetDevice::SetBurstReceiveCallback(uint16_t protocol, BurstReceiveCallback callback)
{
    m_burstCallbacks[protocol] = std::move(callback);
}

void
D2dNetDevice::TryAccess()
{
    const bool reserved = m_duplex == D2dDuplex::HALF && m_reservations > 0;
    if (!IsOn() || m_transmission || reserved || m_queue->IsEmpty() || !m_backoffEvent.IsExpired())
    {
        return;
    }
    const uint32_t slots = m_random->GetInteger(0, m_contentionWindow - 1);
    m_backoffEvent = Simulator::Schedule(
        m_slotTime * static_cast<int64_t>(slots), &D2dNetDevice::EndBackoff, this);
}

void
D2dNetDevice::EndBackoff()
{
    NS_LOG_FUNCTION(this);
    if (m_duplex == D2dDuplex::HALF && m_reservations > 0)
    {
        return; // EndBurst() tries again
    }
    Ptr<Packet> packet = m_queue->Dequeue();
    BurstTag tag;
    packet->PeekPacketTag(tag);
    const auto burst = m_pending.at(tag.id).burst;
    std::vector<D2dLink> audience = GetAudience(*burst);
    if (audience.empty() && !burst->destination.IsGroup())
    {
        const BurstSentCallback sent = std::move(m_pending.at(burst->id).sent);
        m_pending.erase(burst->id);
        DropBurst(burst, D2dLossReason::UNKNOWN_ADDRESS);
        if (sent)
        {
            sent(burst, {});
        }
        TryAccess();
        return;
    }
    m_transmission = D2dTransmission::Create(this, burst, std::move(audience));
    m_transmission->Start();
}

std::vector<D2dLink>
D2dNetDevice::GetAudience(const D2dBurst& burst) const
{
    if (burst.destination.IsGroup())
    {
        return m_channel->GetLinks(this);
    }
    Ptr<D2dNetDevice> receiver = m_channel->FindDevice(burst.destination);
    if (!receiver || receiver == this)
    {
        return {};
    }
    return {m_channel->GetLink(this, receiver)};
}

void
D2dNetDevice::DropBurst(std::shared_ptr<const D2dBurst> burst, D2dLossReason reason)
{
    NS_LOG_FUNCTION(this << burst->id << ToString(reason));
    m_macTxDropTrace(burst->packet);
    D2dBurstReport report;
    report.burst = burst;
    report.senderNode = m_node->GetId();
    const D2dFragmentation fragmentation = GetFragmentation(burst->packet->GetSize());
    report.fragments = fragmentation.fragments;
    report.fragmentBytes = fragmentation.fragmentBytes;
    report.start = Simulator::Now();
    report.end = Simulator::Now();
    report.outcomes = MakeOutcomes(*burst, reason, fragmentation.fragments);
    m_burstEndTrace(report);
}

std::vector<D2dReceiverOutcome>
D2dNetDevice::MakeOutcomes(const D2dBurst& burst, D2dLossReason reason, uint32_t fragments) const
{
    D2dReceiverOutcome outcome;
    outcome.lostFragments = fragments;
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
    for (const auto& link : m_channel->GetLinks(this))
    {
        outcome.receiver = Mac48Address::ConvertFrom(link.receiver->GetAddress());
        outcome.receiverNode = link.receiver->GetNode()->GetId();
        outcomes.push_back(outcome);
    }
    return outcomes;
}

void
D2dNetDevice::ReleaseMedium()
{
    m_transmission = nullptr;
    TryAccess();
}

void
D2dNetDevice::ConcludeBurst(const D2dBurstReport& report)
{
    m_burstEndTrace(report);
    const auto pending = m_pending.find(report.burst->id);
    if (pending == m_pending.end())
    {
        return; // the device went off, or is disposed of
    }
    const BurstSentCallback sent = std::move(pending->second.sent);
    m_pending.erase(pending);
    if (sent)
    {
        std::vector<Mac48Address> acknowledged;
        for (const auto& outcome : report.outcomes)
        {
            if (outcome.acknowledged)
            {
                acknowledged.push_back(outcome.receiver);
            }
        }
        sent(report.burst, acknowledged);
    }
}

D2dLossReason
D2dNetDevice::BeginBurst()
{
    if (!IsOn())
    {
        return D2dLossReason::RECEIVER_OFF;
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
        TryAccess();
    }
}

void
D2dNetDevice::UpdateActivity(const std::function<void(D2dRadioActivity&)>& change)
{
    change(m_activity);
    m_activity.receiving = m_listening > 0;
    m_activityTrace(m_activity);
}

void
D2dNetDevice::BeginListening()
{
    if (IsOn())
    {
        ++m_listening;
        UpdateActivity([](D2dRadioActivity&) {});
    }
}

void
D2dNetDevice::EndListening(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        --m_listening;
        UpdateActivity([](D2dRadioActivity&) {});
    }
}

void
D2dNetDevice::TransmitAcknowledgments(Time duration)
{
    if (!IsOn())
    {
        return;
    }
    UpdateActivity([](D2dRadioActivity& activity) { ++activity.transmitting; });
    Simulator::Schedule(duration, &D2dNetDevice::EndAcknowledgments, this, m_epoch);
}

void
D2dNetDevice::EndAcknowledgments(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        UpdateActivity([](D2dRadioActivity& activity) { --activity.transmitting; });
    }
}

void
D2dNetDevice::SetTransmitting(bool transmitting)
{
    if (IsOn())
    {
        UpdateActivity([transmitting](D2dRadioActivity& activity) {
            activity.transmitting += transmitting ? 1 : -1;
        });
    }
}

void
D2dNetDevice::ReceiveBurst(std::shared_ptr<const D2dBurst> burst, Ptr<Packet> packet)
{
    NS_LOG_FUNCTION(this << burst->source << burst->id);
    if (m_channel->GetFidelity() == D2dFidelity::BURST)
    {
        m_phyRxEndTrace(packet);
        SniffBurst(*burst);
    }
    m_macRxTrace(packet);
    const auto direct = m_burstCallbacks.find(burst->protocol);
    if (direct != m_burstCallbacks.end())
    {
        auto received = std::make_shared<D2dBurst>(*burst);
        received->packet = packet;
        direct->second(received);
        return;
    }
    const bool group = burst->destination.IsGroup();
    if (!m_promiscRxCallback.IsNull())
    {
        PacketType type = NetDevice::PACKET_HOST;
        if (group)
        {
            type = burst->destination.IsBroadcast() ? NetDevice::PACKET_BROADCAST
                                                    : NetDevice::PACKET_MULTICAST;
        }
        m_promiscRxCallback(this, packet, burst->protocol, burst->source, burst->destination, type);
    }
    if (!m_rxCallback.IsNull())
    {
        m_rxCallback(this, packet, burst->protocol, burst->source);
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
    m_activity.on = false; // before anything that could make the radio act again
    m_backoffEvent.Cancel();
    if (m_transmission)
    {
        Ptr<D2dTransmission> transmission = m_transmission;
        transmission->Abort();
    }
    ++m_epoch;
    m_reservations = 0;
    m_listening = 0;
    while (Ptr<Packet> packet = m_queue->Dequeue())
    {
        BurstTag tag;
        packet->PeekPacketTag(tag);
        DropBurst(m_pending.at(tag.id).burst, D2dLossReason::TRANSMITTER_OFF);
    }
    m_pending.clear();
    UpdateActivity([](D2dRadioActivity& activity) { activity.transmitting = 0; });
    m_linkChangeCallbacks();
}

void
D2dNetDevice::SwitchOn()
{
    NS_LOG_FUNCTION(this);
    if (!IsOn())
    {
        UpdateActivity([](D2dRadioActivity& activity) { activity.on = true; });
        m_linkChangeCallbacks();
    }
}

bool
D2dNetDevice::IsOn() const
{
    return m_activity.on;
}

const D2dRadioActivity&
D2dNetDevice::GetActivity() const
{
    return m_activity;
}

D2dFragmentation
D2dNetDevice::GetFragmentation(uint32_t bytes) const
{
    D2dFragmentation result;
    result.fragments = std::max(1U, bytes / m_fragmentSize + (bytes % m_fragmentSize != 0));
    result.packetBytes = bytes / result.fragments + (bytes % result.fragments != 0);
    result.fragmentBytes =
        result.packetBytes + D2dMacHeader::SIZE + D2dMacHeader::CHECK_SEQUENCE_SIZE;
    const auto nanoseconds = std::llround(8e9 * result.fragmentBytes / GetDataRate());
    result.airtime = NanoSeconds(std::max(1LL, nanoseconds));
    return result;
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

uint32_t
D2dNetDevice::GetMaxAttempts() const
{
    return m_maxAttempts;
}

Ptr<UniformRandomVariable>
D2dNetDevice::GetRandom() const
{
    return m_random;
}

uint64_t
D2dNetDevice::GetEpoch() const
{
    return m_epoch;
}

int64_t
D2dNetDevice::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    return 1;
}

void
D2dNetDevice::SetChannel(Ptr<D2dChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    m_channel->Add(this);
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

double
D2dNetDevice::GetSpectralEfficiency() const
{
    return m_spectralEfficiency;
}

double
D2dNetDevice::GetRxSensitivityW() const
{
    return std::pow(10.0, (m_rxSensitivityDbm - 30) / 10);
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
    if (m_channel->GetFidelity() == D2dFidelity::PACKET)
    {
        m_snifferTrace(fragment);
    }
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
    m_snifferTrace(fragment);
}

void
D2dNetDevice::NotifyRxDrop(Ptr<const Packet> fragment)
{
    m_phyRxDropTrace(fragment);
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
    const D2dReliability reliability =
        destination.IsGroup() ? D2dReliability::BEST_EFFORT : m_unicastReliability;
    return SendBurst(packet, destination, protocolNumber, reliability, nullptr, nullptr) != 0;
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
