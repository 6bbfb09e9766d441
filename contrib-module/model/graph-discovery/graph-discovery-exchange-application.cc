/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-exchange-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("DatapointExchangeApplication");
NS_OBJECT_ENSURE_REGISTERED(DatapointExchangeApplication);

namespace
{

constexpr uint16_t DATA = 701;    //!< kind of messages: datapoints
constexpr uint16_t RECEIPT = 702; //!< kind of messages: receipts

} // namespace

TypeId
DatapointExchangeApplication::GetTypeId()
{
    using App = DatapointExchangeApplication;
    static TypeId tid =
        TypeId("ns3::collab::DatapointExchangeApplication")
            .SetParent<CollaborationApplication>()
            .SetGroupName("Collab")
            .AddAttribute(
                "DataLossPolicy",
                "What the radio does about lost datapoints; Divisible: each is sent once.",
                compat::EnumAttribute(LossPolicy::DIVISIBLE),
                compat::EnumAccessor(&App::m_dataLossPolicy),
                compat::EnumChecker(LossPolicy::DIVISIBLE,
                                    "Divisible",
                                    LossPolicy::DIVISIBLE_RELIABLE,
                                    "DivisibleReliable"))
            .AddAttribute("RetainUntilAcked",
                          "Whether a sender takes datapoints back that did not arrive.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_retains),
                          MakeBooleanChecker())
            .AddAttribute("ExchangeDeadline",
                          "How long datapoints may take; what comes later is lost.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&App::m_exchangeDeadline),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ReceiptDeadline",
                          "How long receipts may take after that, with RetainUntilAcked.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&App::m_receiptDeadline),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Send",
                            "Datapoints are sent, and no longer the device's.",
                            MakeTraceSourceAccessor(&App::m_sendTrace),
                            "ns3::collab::DatapointExchangeApplication::TransferTracedCallback")
            .AddTraceSource("TakeOver",
                            "Datapoints that have come are the device's.",
                            MakeTraceSourceAccessor(&App::m_takeTrace),
                            "ns3::collab::DatapointExchangeApplication::TransferTracedCallback")
            .AddTraceSource("PutBack",
                            "Datapoints that did not arrive are the sender's again.",
                            MakeTraceSourceAccessor(&App::m_putBackTrace),
                            "ns3::collab::DatapointExchangeApplication::TransferTracedCallback");
    return tid;
}

DatapointExchangeApplication::DatapointExchangeApplication() = default;

void
DatapointExchangeApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_done = nullptr;
    m_end.Cancel();
    m_gifts.clear();
    m_incoming.reset();
    CollaborationApplication::DoDispose();
}

void
DatapointExchangeApplication::SetSamples(DataView samples)
{
    NS_ABORT_MSG_UNLESS(samples.data && samples.Size() > 0,
                        "DatapointExchangeApplication::SetSamples: no samples");
    m_holdings = std::make_unique<DatapointHoldings>(std::move(samples));
}

DataView
DatapointExchangeApplication::GetSamples() const
{
    return GetHoldings().GetView();
}

bool
DatapointExchangeApplication::IsExchanging() const
{
    return !m_end.IsExpired();
}

DatapointHoldings&
DatapointExchangeApplication::GetHoldings()
{
    NS_ABORT_MSG_UNLESS(m_holdings, "DatapointExchangeApplication: SetSamples() is missing");
    return *m_holdings;
}

const DatapointHoldings&
DatapointExchangeApplication::GetHoldings() const
{
    NS_ABORT_MSG_UNLESS(m_holdings, "DatapointExchangeApplication: SetSamples() is missing");
    return *m_holdings;
}

Time
DatapointExchangeApplication::GetExchangeDuration() const
{
    return m_exchangeDeadline + (m_retains ? m_receiptDeadline : Time());
}

uint64_t
DatapointExchangeApplication::GetSent() const
{
    return m_sent;
}

uint64_t
DatapointExchangeApplication::GetTaken() const
{
    return m_taken;
}

uint64_t
DatapointExchangeApplication::GetPutBack() const
{
    return m_putBack;
}

void
DatapointExchangeApplication::DoStart()
{
    const auto like = GetHoldings().GetDataSet();
    GetTransport()->RegisterKind(
        DATA,
        "datapoints",
        [like](const uint8_t* bytes, std::size_t size) {
            return DatapointsPayload::Parse(bytes, size, *like);
        },
        [this](const Message& message) { HandleData(message); });
    GetTransport()->RegisterKind(RECEIPT,
                                 "receipt",
                                 &ReceiptPayload::Parse,
                                 [this](const Message& message) { HandleReceipt(message); });
}

void
DatapointExchangeApplication::DoHalt()
{
    m_end.Cancel();
    m_done = nullptr;
    m_gifts.clear();
    m_receipts.clear();
    m_incoming.reset();
    m_transmitter.reset();
}

void
DatapointExchangeApplication::BeginExchange(
    const std::vector<std::pair<uint32_t, PartitionCounts>>& gifts,
    std::optional<uint32_t> transmitter,
    uint64_t most,
    Time begin,
    std::function<void()> done)
{
    NS_LOG_FUNCTION(this << gifts.size());
    m_gifts.clear();
    m_receipts.clear();
    m_incoming.reset();
    m_transmitter = transmitter;
    m_most = most;
    m_done = std::move(done);
    m_sent = m_taken = m_putBack = 0;
    // All devices give up at one time, so that what one has put back no other one takes over
    m_dataEnd = begin + m_exchangeDeadline;
    m_end = Simulator::Schedule(std::max(Time(), begin + GetExchangeDuration() - Simulator::Now()),
                                &DatapointExchangeApplication::EndExchange,
                                this);
    for (const auto& [receiver, counts] : gifts)
    {
        if (!IsRunning()) // sending has emptied the battery
        {
            return;
        }
        if (std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == 0)
        {
            continue;
        }
        Gift& gift = m_gifts[receiver];
        gift.samples = m_holdings->Take(counts);
        m_sent += gift.samples.Size();
        m_sendTrace({GetRound(), GetDeviceId(), receiver, Simulator::Now(), gift.samples, {}});
        SendOptions options(m_dataLossPolicy);
        options.deadline = m_dataEnd;
        GetTransport()->Send(
            receiver,
            {DATA, GetRound(), std::make_shared<const DatapointsPayload>(gift.samples)},
            options);
    }
}

DataView
DatapointExchangeApplication::CheckData(const Message& message) const
{
    if (m_incoming || m_transmitter != message.sender || message.unitsSent > m_most)
    {
        throw PayloadError("datapoints that were not granted");
    }
    const DataView& samples = ReadPayload<DatapointsPayload>(message).GetSamples();
    if (message.unitsSent == 0 || samples.Size() != message.units.size())
    {
        throw PayloadError(fmt::format(
            "{} datapoints in {} parts of a message", samples.Size(), message.units.size()));
    }
    CheckDatapoints(samples, GetHoldings().GetView());
    return samples;
}

void
DatapointExchangeApplication::HandleData(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning() || !IsExchanging() || message.round != GetRound() ||
        Simulator::Now() > m_dataEnd)
    {
        return; // too late: lost
    }
    try
    {
        m_incoming = DatapointTransfer{GetRound(),
                                       message.sender,
                                       GetDeviceId(),
                                       Simulator::Now(),
                                       CheckData(message),
                                       message.units};
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    m_isIncomingSafe = !m_retains;
    if (!m_retains)
    {
        return;
    }
    SendOptions options(LossPolicy::RELIABLE);
    options.priority = 1; // before datapoints
    options.deadline = m_dataEnd + m_receiptDeadline;
    options.delivered = [this, round = GetRound()](const DeliveryReport& report) {
        if (IsRunning() && round == GetRound() && m_incoming && IsExchanging() &&
            !report.acknowledged.empty())
        {
            m_isIncomingSafe = true;
        }
    };
    GetTransport()->Send(message.sender,
                         {RECEIPT,
                          GetRound(),
                          std::make_shared<const ReceiptPayload>(message.units, message.unitsSent)},
                         options);
}

void
DatapointExchangeApplication::TakeOver()
{
    m_taken = m_incoming->samples.Size();
    m_incoming->time = Simulator::Now();
    m_holdings->Add(m_incoming->samples);
    m_takeTrace(*m_incoming);
}

std::vector<uint32_t>
DatapointExchangeApplication::CheckReceipt(const Message& message) const
{
    const auto gift = m_gifts.find(message.sender);
    if (gift == m_gifts.end() || gift->second.settled)
    {
        throw PayloadError("a receipt for nothing");
    }
    const auto& receipt = ReadPayload<ReceiptPayload>(message);
    const auto& units = receipt.GetUnits();
    const auto sent = static_cast<uint32_t>(gift->second.samples.Size());
    if (receipt.WireSize() != ReceiptPayload({}, sent).WireSize())
    {
        throw PayloadError("a receipt for another number of datapoints than were sent");
    }
    const bool isAscending =
        std::adjacent_find(units.begin(), units.end(), std::greater_equal<>()) == units.end();
    if (!isAscending || (!units.empty() && units.back() >= sent))
    {
        throw PayloadError("a receipt for more datapoints than were sent");
    }
    return units;
}

void
DatapointExchangeApplication::HandleReceipt(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning() || !IsExchanging() || message.round != GetRound())
    {
        return;
    }
    try
    {
        m_receipts[message.sender] = CheckReceipt(message);
        m_gifts[message.sender].settled = true;
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
    }
}

void
DatapointExchangeApplication::PutBack()
{
    for (const auto& [receiver, gift] : m_gifts)
    {
        const std::vector<uint32_t> came =
            gift.settled ? m_receipts[receiver] : std::vector<uint32_t>();
        std::vector<uint32_t> missing;
        for (uint32_t unit = 0; unit < gift.samples.Size(); ++unit)
        {
            if (!std::binary_search(came.begin(), came.end(), unit))
            {
                missing.push_back(unit);
            }
        }
        if (missing.empty())
        {
            continue;
        }
        m_putBack += missing.size();
        const auto back = DatapointsPayload(gift.samples).Select(missing);
        m_holdings->Add(static_cast<const DatapointsPayload&>(*back).GetSamples());
        m_putBackTrace(
            {GetRound(), GetDeviceId(), receiver, Simulator::Now(), gift.samples, missing});
    }
}

void
DatapointExchangeApplication::EndExchange()
{
    NS_LOG_FUNCTION(this);
    if (m_retains)
    {
        PutBack();
    }
    if (m_incoming && m_isIncomingSafe)
    {
        TakeOver();
    }
    m_incoming.reset();
    m_transmitter.reset();
    const auto done = std::move(m_done);
    m_done = nullptr;
    done();
}

} // namespace collab
} // namespace ns3
