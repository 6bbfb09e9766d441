/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-exchange-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-compat.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("DatapointExchangeApplication");
NS_OBJECT_ENSURE_REGISTERED(DatapointExchangeApplication);

TypeId
DatapointExchangeApplication::GetTypeId()
{
    using App = DatapointExchangeApplication;
    static TypeId tid =
        TypeId("ns3::collab::DatapointExchangeApplication")
            .SetParent<CollaborationApplication>()
            .SetGroupName("Collab")
            .AddAttribute("DataLossPolicy",
                          "What the radio does about lost datapoints. Partial: each is sent once; "
                          "PartialReliable: with ARQ.",
                          compat::EnumAttribute(LossPolicy::PARTIAL),
                          compat::EnumAccessor(&App::m_dataLossPolicy),
                          compat::EnumChecker(LossPolicy::PARTIAL,
                                              "Partial",
                                              LossPolicy::PARTIAL_RELIABLE,
                                              "PartialReliable"))
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
    return IsRunning() && Simulator::Now() < m_exchangeEnd;
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
    Datapoints like;
    like.samples.data = GetHoldings().GetDataSet();
    On<Datapoints>([this](const auto& message) { HandleData(message); }, like);
    On<DatapointReceipt>([this](const auto& message) { HandleReceipt(message); });
}

Process
DatapointExchangeApplication::Exchange(Gifts gifts,
                                       std::optional<uint32_t> transmitter,
                                       uint64_t most,
                                       Time begin)
{
    m_gifts.clear();
    m_incoming.reset();
    m_transmitter = transmitter;
    m_most = most;
    m_sent = m_taken = m_putBack = 0;
    // All devices give up at one time, so that what one has put back no other one takes over
    m_dataEnd = begin + m_exchangeDeadline;
    m_exchangeEnd = begin + GetExchangeDuration();
    Alarm end(m_exchangeEnd - Simulator::Now());
    for (const auto& [receiver, counts] : gifts)
    {
        Give(receiver, counts);
    }
    co_await end;
    EndExchange();
}

void
DatapointExchangeApplication::DoResume()
{
    if (Simulator::Now() < m_exchangeEnd)
    {
        m_gifts.clear(); // their receivers may still take them over
        m_incoming.reset();
    }
    EndExchange(); // which it has missed
}

void
DatapointExchangeApplication::EndExchange()
{
    if (m_retains)
    {
        PutBack();
    }
    if (m_incoming && m_isIncomingSafe)
    {
        TakeOver();
    }
    m_gifts.clear();
    m_incoming.reset();
    m_transmitter.reset();
}

void
DatapointExchangeApplication::Give(uint32_t receiver, const PartitionCounts& counts)
{
    const bool isEmpty = std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == 0;
    if (isEmpty || !IsRunning()) // sending has emptied the battery
    {
        return;
    }
    Gift& gift = m_gifts[receiver];
    gift.samples = m_holdings->Take(counts);
    m_sent += gift.samples.Size();
    m_sendTrace({GetRound(), GetDeviceId(), receiver, Simulator::Now(), gift.samples, {}});
    SendOptions options(m_dataLossPolicy);
    options.deadline = m_dataEnd;
    Send(receiver, Datapoints{gift.samples}, options);
}

void
DatapointExchangeApplication::HandleData(const Received<Datapoints>& message)
{
    if (!IsExchanging() || message.round != GetRound() || Simulator::Now() > m_dataEnd)
    {
        return; // too late: lost
    }
    CheckData(message);
    m_incoming = DatapointTransfer{GetRound(),
                                   message.sender,
                                   GetDeviceId(),
                                   Simulator::Now(),
                                   message->samples,
                                   message.units};
    m_isIncomingSafe = !m_retains;
    if (!m_retains)
    {
        return;
    }
    SendOptions options(LossPolicy::RELIABLE);
    options.priority = 1; // before datapoints
    options.deadline = m_exchangeEnd;
    options.delivered = [this, round = GetRound()](const DeliveryReport& report) {
        if (IsExchanging() && round == GetRound() && m_incoming && !report.acknowledged.empty())
        {
            m_isIncomingSafe = true;
        }
    };
    Send(message.sender, DatapointReceipt{message.units, message.unitsSent}, options);
}

void
DatapointExchangeApplication::CheckData(const Received<Datapoints>& message) const
{
    Require<PayloadError>(!m_incoming && m_transmitter == message.sender &&
                              message.unitsSent <= m_most,
                          "datapoints that were not granted");
    Require<PayloadError>(message.unitsSent != 0 && message->samples.Size() == message.units.size(),
                          "{} datapoints in {} parts of a message",
                          message->samples.Size(),
                          message.units.size());
    CheckDatapoints(message->samples, GetHoldings().GetView());
}

void
DatapointExchangeApplication::HandleReceipt(const Received<DatapointReceipt>& message)
{
    if (!IsExchanging() || message.round != GetRound())
    {
        return;
    }
    const auto gift = m_gifts.find(message.sender);
    Require<PayloadError>(gift != m_gifts.end() && !gift->second.came, "a receipt for nothing");
    const auto& units = message->units;
    const auto sent = static_cast<uint32_t>(gift->second.samples.Size());
    Require<PayloadError>(message->WireSize() == DatapointReceipt{{}, sent}.WireSize(),
                          "a receipt for another number of datapoints than were sent");
    const bool isAscending =
        std::adjacent_find(units.begin(), units.end(), std::greater_equal<>()) == units.end();
    Require<PayloadError>(isAscending && (units.empty() || units.back() < sent),
                          "a receipt for more datapoints than were sent");
    gift->second.came = units;
}

void
DatapointExchangeApplication::TakeOver()
{
    m_taken = m_incoming->samples.Size();
    m_incoming->time = Simulator::Now();
    m_holdings->Add(m_incoming->samples);
    m_takeTrace(*m_incoming);
}

void
DatapointExchangeApplication::PutBack()
{
    for (const auto& [receiver, gift] : m_gifts)
    {
        std::vector<uint32_t> all(gift.samples.Size());
        std::iota(all.begin(), all.end(), 0);
        const auto came = gift.came.value_or(std::vector<uint32_t>());
        std::vector<uint32_t> missing;
        std::set_difference(
            all.begin(), all.end(), came.begin(), came.end(), std::back_inserter(missing));
        if (missing.empty())
        {
            continue;
        }
        m_putBack += missing.size();
        m_holdings->Add(Datapoints{gift.samples}.Select(missing).samples);
        m_putBackTrace(
            {GetRound(), GetDeviceId(), receiver, Simulator::Now(), gift.samples, missing});
    }
}

} // namespace ns3::collab
