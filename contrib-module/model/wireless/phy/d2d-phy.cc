/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-phy.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dPhy");
NS_OBJECT_ENSURE_REGISTERED(D2dPhy);

namespace
{

/// @brief Abort at rates that contradict each other.
/// @param least attribute MinSpectralEfficiency [bit/s/Hz]
/// @param greatest attribute MaxSpectralEfficiency [bit/s/Hz]
void
CheckRates(double least, double greatest)
{
    NS_ABORT_MSG_IF(least > greatest,
                    "D2dPhy: MinSpectralEfficiency of "
                        << least << " bit/s/Hz is over MaxSpectralEfficiency of " << greatest
                        << " bit/s/Hz");
}

} // namespace

TypeId
D2dPhy::GetTypeId()
{
    static TypeId tid = AddTraceSources(AddRateAttributes(
        TypeId("ns3::collab::D2dPhy")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddConstructor<D2dPhy>()
            .AddAttribute("TxPower",
                          "Transmit power [dBm]. One that is set while a burst is under way "
                          "holds from the next one on.",
                          DoubleValue(20.0),
                          MakeDoubleAccessor(&D2dPhy::SetTxPowerDbm, &D2dPhy::GetTxPowerDbm),
                          MakeDoubleChecker<double>())
            .AddAttribute(
                "RxSensitivity",
                "Least received power at which a burst is noticed [dBm].",
                DoubleValue(-120.0),
                MakeDoubleAccessor(&D2dPhy::SetRxSensitivityDbm, &D2dPhy::GetRxSensitivityDbm),
                MakeDoubleChecker<double>())
            .AddAttribute("Duplex",
                          "Whether the device can receive while it transmits.",
                          compat::EnumAttribute(D2dDuplex::HALF),
                          compat::EnumAccessor(&D2dPhy::SetDuplex, &D2dPhy::GetDuplex),
                          compat::EnumChecker(D2dDuplex::HALF, "Half", D2dDuplex::FULL, "Full"))));
    return tid;
}

TypeId
D2dPhy::AddRateAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Bandwidth",
                      "Bandwidth B of the device's subchannel [Hz].",
                      DoubleValue(1e6),
                      MakeDoubleAccessor(&D2dPhy::m_bandwidthHz),
                      MakeDoubleChecker<double>(1.0))
        .AddAttribute("Subchannel",
                      "Number of the device's subchannel, from 0 on, where the channel has "
                      "Subchannels; 4294967295 for the device's index modulo their number.",
                      UintegerValue(ANY_SUBCHANNEL),
                      MakeUintegerAccessor(&D2dPhy::m_subchannel),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("SpectralEfficiency",
                      "Rate r of transmission [bit/s/Hz]; the data rate is r B.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&D2dPhy::m_spectralEfficiency),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("FragmentSize",
                      "Largest part of a packet that one fragment carries [byte].",
                      UintegerValue(1500),
                      MakeUintegerAccessor(&D2dPhy::m_fragmentSize),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("AcknowledgmentSize",
                      "Size on the air of an acknowledgment that the device sends [byte].",
                      UintegerValue(14),
                      MakeUintegerAccessor(&D2dPhy::m_acknowledgmentSize),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("RateControl",
                      "Whether bursts are sent at SpectralEfficiency (Fixed) or at the highest "
                      "rate that has TargetOutage on the worst link that can have it "
                      "(Adaptive).",
                      compat::EnumAttribute(D2dRateControl::FIXED),
                      compat::EnumAccessor(&D2dPhy::m_rateControl),
                      compat::EnumChecker(
                          D2dRateControl::FIXED, "Fixed", D2dRateControl::ADAPTIVE, "Adaptive"))
        .AddAttribute("TargetOutage",
                      "Outage probability that adaptive rate control accepts.",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&D2dPhy::m_targetOutage),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("MinSpectralEfficiency",
                      "Lowest rate of adaptive rate control [bit/s/Hz].",
                      DoubleValue(0.1),
                      MakeDoubleAccessor(&D2dPhy::m_leastEfficiency),
                      MakeDoubleChecker<double>(1e-6))
        .AddAttribute("MaxSpectralEfficiency",
                      "Highest rate of adaptive rate control [bit/s/Hz].",
                      DoubleValue(8.0),
                      MakeDoubleAccessor(&D2dPhy::m_greatestEfficiency),
                      MakeDoubleChecker<double>(1e-6));
}

TypeId
D2dPhy::AddTraceSources(TypeId tid)
{
    return tid
        .AddTraceSource("PhyTxBegin",
                        "A fragment (fidelity Packet) or a pass over a packet (Burst) begins.",
                        MakeTraceSourceAccessor(&D2dPhy::m_phyTxBeginTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyTxEnd",
                        "A fragment or a pass was transmitted.",
                        MakeTraceSourceAccessor(&D2dPhy::m_phyTxEndTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyTxDrop",
                        "The radio went off while it transmitted a packet.",
                        MakeTraceSourceAccessor(&D2dPhy::m_phyTxDropTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxBegin",
                        "The radio begins to receive a fragment or a pass.",
                        MakeTraceSourceAccessor(&D2dPhy::m_phyRxBeginTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxEnd",
                        "A fragment (Packet) or a packet (Burst) was received.",
                        MakeTraceSourceAccessor(&D2dPhy::m_phyRxEndTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource(
            "PhyRxDrop",
            "A fragment (Packet) or a packet (both) was lost on the way to this device.",
            MakeTraceSourceAccessor(&D2dPhy::m_phyRxDropTrace),
            "ns3::Packet::TracedCallback")
        .AddTraceSource("Sniffer",
                        "A frame with its D2dMacHeader and check sequence begins to be sent, "
                        "or was received whole: a fragment (Packet) or a burst (Burst).",
                        MakeTraceSourceAccessor(&D2dPhy::m_snifferTrace),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("Activity",
                        "What the radio does changes.",
                        MakeTraceSourceAccessor(&D2dPhy::m_activityTrace),
                        "ns3::collab::D2dPhy::ActivityTracedCallback");
}

D2dPhy::D2dPhy()
    : m_state(m_activityTrace),
      m_random(CreateObject<UniformRandomVariable>())
{
    NS_LOG_FUNCTION(this);
}

D2dPhy::~D2dPhy() = default;

void
D2dPhy::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_state.Dispose();
    m_air = nullptr;
    m_node = nullptr;
    m_random = nullptr;
    Object::DoDispose();
}

void
D2dPhy::SetUser(D2dPhyUser* user)
{
    m_user = user;
    m_state.SetUser(user);
}

void
D2dPhy::SetMemoryAbove(std::size_t layer, const void* first, const void* last)
{
    m_above.at(layer) = {first, last};
}

void
D2dPhy::SetTxPowerDbm(double powerDbm)
{
    m_nextTxPowerDbm = powerDbm;
    if (!m_state.IsSending())
    {
        UseNextTxPower();
    }
}

void
D2dPhy::UseNextTxPower()
{
    m_state.ChangePower([this]() { m_txPowerDbm = m_nextTxPowerDbm; });
    if (m_air)
    {
        m_air->HandleRadioChange(*this);
    }
}

void
D2dPhy::SetRxSensitivityDbm(double powerDbm)
{
    m_rxSensitivityDbm = powerDbm;
    m_rxSensitivityW = std::pow(10.0, (powerDbm - 30) / 10);
    if (m_air)
    {
        m_air->HandleRadioChange(*this);
    }
}

double
D2dPhy::GetNoiseW() const
{
    return m_air->GetNoiseW(m_bandwidthHz);
}

void
D2dPhy::SetDuplex(D2dDuplex duplex)
{
    m_state.SetDuplex(duplex);
}

D2dDuplex
D2dPhy::GetDuplex() const
{
    return m_state.GetDuplex();
}

D2dFragmentation
D2dPhy::GetFragmentation(uint32_t bytes) const
{
    D2dFragmentation result = D2dFragmentation::Cut(bytes, {}, m_fragmentSize);
    result.airtime = GetFragmentAirtime(result.fragmentBytes, m_spectralEfficiency);
    return result;
}

D2dFragmentation
D2dPhy::GetFragmentation(const D2dBurst& burst, double spectralEfficiency) const
{
    D2dFragmentation result =
        D2dFragmentation::Cut(burst.packet->GetSize(), burst.division, m_fragmentSize);
    result.airtime = GetFragmentAirtime(result.fragmentBytes, spectralEfficiency);
    return result;
}

Time
D2dPhy::GetFragmentAirtime(uint32_t bytes, double spectralEfficiency) const
{
    const auto nanoseconds = std::llround(8e9 * bytes / (spectralEfficiency * m_bandwidthHz));
    return NanoSeconds(std::max(1LL, nanoseconds));
}

uint32_t
D2dPhy::GetFragmentBytes() const
{
    return D2dFragmentation::Cut(m_fragmentSize, {}, m_fragmentSize).fragmentBytes;
}

Time
D2dPhy::GetAirtime(uint32_t bytes, const std::vector<D2dLink>& audience) const
{
    const D2dFragmentation fragmentation = GetFragmentation(bytes);
    const Time airtime =
        GetFragmentAirtime(fragmentation.fragmentBytes, ChooseSpectralEfficiency(audience));
    return airtime * static_cast<int64_t>(fragmentation.fragments);
}

Time
D2dPhy::GetAcknowledgmentAirtime() const
{
    return NanoSeconds(
        std::llround(8e9 * m_acknowledgmentSize / (m_spectralEfficiency * m_bandwidthHz)));
}

double
D2dPhy::ChooseSpectralEfficiency(const std::vector<D2dLink>& audience) const
{
    if (m_rateControl == D2dRateControl::FIXED)
    {
        return m_spectralEfficiency;
    }
    CheckRates(m_leastEfficiency, m_greatestEfficiency);
    double chosen = m_greatestEfficiency;
    bool any = false;
    D2dLink measured;
    for (const auto& link : audience)
    {
        if (m_knownRss)
        {
            measured = link;
            measured.returnRssW = m_knownRss(link.receiverNode).value_or(0);
            measured.returnInRange = measured.returnRssW > 0;
        }
        // Who cannot be served even at the lowest rate shall not hold up the others
        if (const auto rate = m_air->FindSpectralEfficiency(*this,
                                                            m_knownRss ? measured : link,
                                                            m_targetOutage,
                                                            m_leastEfficiency,
                                                            m_greatestEfficiency))
        {
            chosen = std::min(chosen, *rate);
            any = true;
        }
    }
    return any ? chosen : m_leastEfficiency;
}

double
D2dPhy::ChooseSpectralEfficiency(const D2dSignal& signal) const
{
    if (m_rateControl == D2dRateControl::FIXED)
    {
        return m_spectralEfficiency;
    }
    CheckRates(m_leastEfficiency, m_greatestEfficiency);
    return m_air
        ->FindSpectralEfficiency(signal, m_targetOutage, m_leastEfficiency, m_greatestEfficiency)
        .value_or(m_leastEfficiency);
}

int64_t
D2dPhy::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    m_draws.reset();
    return 1;
}

void
D2dPhy::SeedDraws()
{
    const uint64_t high = m_random->GetInteger(0, UINT32_MAX);
    m_draws.emplace(high << 32 | m_random->GetInteger(0, UINT32_MAX));
}

void
D2dPhy::SetSending(bool sending)
{
    m_state.SetSending(sending);
    if (!sending && m_nextTxPowerDbm != m_txPowerDbm)
    {
        UseNextTxPower();
    }
}

void
D2dPhy::NotifyHeard(const Heard& heard)
{
    if (m_heard && heard.sender.m_node != m_node)
    {
        m_heard(heard);
    }
}

void
D2dPhy::TransmitAcknowledgments(Time duration)
{
    if (m_state.TransmitAcknowledgments(duration))
    {
        m_air->HandleAcknowledgments(*this, duration);
    }
}

} // namespace ns3::collab
