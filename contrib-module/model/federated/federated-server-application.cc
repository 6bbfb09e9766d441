/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/collab-seed.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("FederatedServerApplication");
NS_OBJECT_ENSURE_REGISTERED(FederatedServerApplication);

TypeId
FederatedServerApplication::GetTypeId()
{
    using App = FederatedServerApplication;
    static TypeId tid =
        TypeId("ns3::collab::FederatedServerApplication")
            .SetParent<FederatedApplication>()
            .SetGroupName("Collab")
            .AddAttribute("RoundDeadline",
                          "Longest time from sending the model to the end of the wait for updates "
                          "that start from it.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&App::m_deadline),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "Downlink",
                "How the model is sent: once for all devices, or to each that takes part. Without "
                "rounds that is about the final model: the others go to one device each.",
                compat::EnumAttribute(FederatedDownlink::BROADCAST),
                compat::EnumAccessor(&App::m_downlink),
                compat::EnumChecker(FederatedDownlink::BROADCAST,
                                    "Broadcast",
                                    FederatedDownlink::UNICAST,
                                    "Unicast"))
            .AddAttribute("AggregationRule",
                          "How updates are aggregated; see MakeAggregationRule().",
                          StringValue("mean"),
                          MakeStringAccessor(&App::SetRule, &App::GetRule),
                          MakeStringChecker())
            .AddAttribute("MaxSamples",
                          "Greatest number of samples that a device is believed to have.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&App::m_maxSamples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxSteps",
                          "FedNova: greatest number of steps that a device is believed to have "
                          "taken in a round.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&App::m_maxSteps),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("Participation",
                            "Which devices were to take part in a round, and which did.",
                            MakeTraceSourceAccessor(&App::m_participationTrace),
                            "ns3::collab::FederatedServerApplication::ParticipationTracedCallback")
            .AddTraceSource("Late",
                            "An update has arrived that is not waited for any more.",
                            MakeTraceSourceAccessor(&App::m_lateTrace),
                            "ns3::collab::FederatedServerApplication::LateTracedCallback");
    return tid;
}

FederatedServerApplication::FederatedServerApplication() = default;

void
FederatedServerApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_deliveryEvent.Cancel();
    m_server.reset();
    m_initial.reset();
    m_encoded.reset();
    FederatedApplication::DoDispose();
}

void
FederatedServerApplication::SetModel(FlatVector model, std::size_t trained, uint32_t multiplicity)
{
    NS_ABORT_MSG_IF(IsRunning(),
                    "FederatedServerApplication::SetModel: the application runs already");
    m_initial = std::move(model);
    m_trained = trained;
    m_multiplicity = multiplicity;
}

void
FederatedServerApplication::SetClients(std::vector<uint32_t> clients)
{
    m_clients = std::move(clients);
}

void
FederatedServerApplication::SetStragglers(std::vector<uint32_t> stragglers)
{
    m_stragglers = std::move(stragglers);
}

void
FederatedServerApplication::SetSamplingSeed(uint64_t seed)
{
    m_seed = seed;
}

FlatVector
FederatedServerApplication::GetModel() const
{
    return m_server ? m_server->GetModel() : m_initial;
}

uint32_t
FederatedServerApplication::GetMultiplicity() const
{
    return m_multiplicity;
}

Time
FederatedServerApplication::GetAftermath() const
{
    return Time(0);
}

const std::vector<uint32_t>&
FederatedServerApplication::GetClients() const
{
    return m_clients;
}

std::vector<uint32_t>
FederatedServerApplication::SelectPrompt(const std::vector<uint32_t>& devices) const
{
    std::vector<uint32_t> prompt;
    std::copy_if(
        devices.begin(), devices.end(), std::back_inserter(prompt), [this](uint32_t device) {
            return !std::binary_search(m_stragglers.begin(), m_stragglers.end(), device);
        });
    return prompt;
}

uint64_t
FederatedServerApplication::GetSamplingSeed() const
{
    return m_seed;
}

Time
FederatedServerApplication::GetDeadline() const
{
    return m_deadline;
}

bool
FederatedServerApplication::IsDelivering() const
{
    return m_delivering;
}

void
FederatedServerApplication::SetRule(std::string specification)
{
    m_aggregation = ReadAttribute("AggregationRule", specification, MakeAggregationRule);
    m_rule = std::move(specification);
}

std::string
FederatedServerApplication::GetRule() const
{
    return m_rule;
}

std::vector<Metric>
FederatedServerApplication::GetMetrics() const
{
    return {{"sampled", "", "devices drawn to take part"},
            {"uploaded", "", "updates that were there in time"},
            {"aggregated", "", "updates in the next model; 0 if there were too few for the rule"},
            {"late", "", "updates that arrived when they were not waited for any more"},
            {STALENESS,
             "",
             "steps of the server since the models that the uploaded updates started from, mean; "
             "NaN if there are none"}};
}

void
FederatedServerApplication::DoStart()
{
    NS_ABORT_MSG_UNLESS(m_initial && !m_clients.empty(),
                        "FederatedServerApplication on node "
                            << GetDeviceId() << ": needs an initial model and clients");
    CheckClients();
    m_server = std::make_shared<FederatedServer>(
        GetOptions(), m_initial, m_trained, m_clients.size(), m_aggregation);
    RegisterKinds(
        m_initial->size(),
        m_multiplicity,
        [this](const Message&) { GetTransport()->Reject("a model that is not the server's"); },
        [this](const Message& message) { HandleUpdate(message); });
}

void
FederatedServerApplication::CheckClients() const
{
    NS_ABORT_MSG_IF(SelectPrompt(m_clients).empty(),
                    "FederatedServerApplication on node " << GetDeviceId()
                                                          << ": all clients are stragglers");
}

std::shared_ptr<const FederatedModelPayload>
FederatedServerApplication::MakeModel(std::vector<uint32_t> participants)
{
    if (m_encoded != m_server->GetModel())
    {
        const auto compressor = GetCompressor();
        const uint64_t seed =
            SplitMix64(SeedFor(RandomPurpose::COMPRESSION, GetDeviceId()) + m_encodings++);
        m_encoded = m_server->GetModel();
        m_encodedModel = Encode(m_encoded, *compressor, seed, m_multiplicity);
        m_encodedControl = Encode(m_server->GetControl(), *compressor, seed, m_multiplicity);
    }
    std::optional<std::vector<bool>> parities;
    if (GetOptions().HasMemory())
    {
        parities.emplace();
        for (const uint32_t device : participants)
        {
            parities->push_back(m_odd.count(device) > 0);
        }
    }
    return std::make_shared<const FederatedModelPayload>(
        std::move(participants), m_encodedModel, m_encodedControl, std::move(parities));
}

void
FederatedServerApplication::SendModel(uint32_t round,
                                      const std::vector<uint32_t>& receivers,
                                      const std::vector<uint32_t>& participants)
{
    m_sending = round;
    m_underway.clear();
    const auto options = [this, round](std::vector<uint32_t> meant) {
        return SendOptions(GetLossPolicy(),
                           [this, round, meant = std::move(meant)](const DeliveryReport& report) {
                               EndSending(round, meant, report);
                           });
    };
    if (m_downlink == FederatedDownlink::BROADCAST)
    {
        m_underway.insert(
            GetTransport()->Broadcast({MODEL, round, MakeModel(participants)}, options(receivers)));
        return;
    }
    const auto plain = MakeModel({});
    for (const uint32_t device : receivers)
    {
        const bool isAsked = std::binary_search(participants.begin(), participants.end(), device);
        m_underway.insert(GetTransport()->Send(
            device, {MODEL, round, isAsked ? MakeModel({device}) : plain}, options({device})));
    }
}

bool
FederatedServerApplication::IsSending() const
{
    return !m_underway.empty();
}

void
FederatedServerApplication::CancelModels()
{
    for (const uint32_t sequence : std::exchange(m_underway, {}))
    {
        GetTransport()->Cancel(sequence);
    }
}

bool
FederatedServerApplication::IsLost(uint32_t device, const DeliveryReport& report) const
{
    const auto& acknowledged = report.acknowledged;
    return GetLossPolicy() == LossPolicy::RELIABLE &&
           std::find(acknowledged.begin(), acknowledged.end(), device) == acknowledged.end();
}

void
FederatedServerApplication::EndSending(uint32_t round,
                                       const std::vector<uint32_t>& receivers,
                                       const DeliveryReport& report)
{
    NS_LOG_FUNCTION(this << round << report.sequence);
    if (!IsRunning() || m_sending != round || m_underway.erase(report.sequence) == 0)
    {
        return;
    }
    if (!m_delivering)
    {
        HandleDelivery(receivers, report);
    }
    else if (m_underway.empty())
    {
        Conclude();
    }
}

void
FederatedServerApplication::HandleDelivery(const std::vector<uint32_t>&, const DeliveryReport&)
{
    // Whoever waits for answers listens.
}

void
FederatedServerApplication::BeginDelivery()
{
    // Nothing is under way.
}

std::shared_ptr<const FederatedUpdatePayload>
FederatedServerApplication::CheckUpdate(const Message& message) const
{
    const auto update = std::dynamic_pointer_cast<const FederatedUpdatePayload>(message.payload);
    if (!update)
    {
        throw PayloadError("no update");
    }
    const FederatedOptions options = GetOptions();
    update->Check(m_initial->size(),
                  options.HasControls(),
                  m_maxSamples,
                  options.SendsSteps() ? m_maxSteps : 0,
                  options.IsAsynchronous());
    CheckAsked(message, *update);
    return update;
}

void
FederatedServerApplication::HandleUpdate(const Message& message)
{
    NS_LOG_FUNCTION(this << message.sender << message.round);
    if (!IsRunning())
    {
        return;
    }
    std::shared_ptr<const FederatedUpdatePayload> update;
    try
    {
        update = CheckUpdate(message);
    }
    catch (const PayloadError& error)
    {
        GetTransport()->Reject(error.what());
        return;
    }
    TakeUpdate(message, std::move(update));
}

void
FederatedServerApplication::CountLate(uint32_t round, uint32_t device)
{
    ++m_late;
    m_lateTrace(round, device);
}

FederatedUpdate
FederatedServerApplication::ToUpdate(const FederatedUpdatePayload& payload)
{
    FederatedUpdate update;
    update.samples = payload.GetSamples();
    update.change = payload.GetChange();
    update.controlChange = payload.GetControlChange();
    update.steps = payload.GetSteps();
    return update;
}

void
FederatedServerApplication::Aggregate(Harvest harvest)
{
    NS_LOG_FUNCTION(this << harvest.updates.size());
    EnterPhase("aggregate");
    m_harvest = std::move(harvest);
    const auto updates = std::exchange(m_harvest.updates, {});
    m_aggregated = 0;
    try
    {
        m_aggregation->CheckCount(updates.size());
        m_aggregated = updates.size();
    }
    catch (const std::invalid_argument& error)
    {
        NS_LOG_INFO("round " << GetRound() << " does not change the model: " << error.what());
    }
    if (m_aggregated == 0)
    {
        EndAggregate();
        return;
    }
    RunJob(
        m_server->CountFlops(updates.size()) * m_multiplicity,
        [server = m_server, updates]() { server->Step(updates); },
        [this]() { EndAggregate(); });
}

void
FederatedServerApplication::EndAggregate()
{
    NS_LOG_FUNCTION(this << m_aggregated);
    if (m_aggregated > 0)
    {
        for (const uint32_t device : m_harvest.record.uploaded)
        {
            if (m_odd.erase(device) == 0)
            {
                m_odd.insert(device);
            }
        }
    }
    m_participationTrace(m_harvest.record);
    if (GetRound() + 1 < GetRounds())
    {
        Conclude();
        return;
    }
    BeginDelivery();
    EnterPhase("deliver");
    m_delivering = true;
    m_deliveryEvent = Simulator::Schedule(m_deadline, &FederatedServerApplication::Conclude, this);
    SendModel(GetRounds(), m_clients, {});
}

void
FederatedServerApplication::Conclude()
{
    m_deliveryEvent.Cancel();
    const ParticipationRecord& record = m_harvest.record;
    const auto total =
        std::accumulate(record.staleness.begin(), record.staleness.end(), uint64_t{0});
    const double staleness =
        record.staleness.empty()
            ? std::numeric_limits<double>::quiet_NaN()
            : static_cast<double>(total) / static_cast<double>(record.staleness.size());
    CountMessages(record.uploaded.size(), m_harvest.expected);
    EndRound({{"sampled", record.sampled.size()},
              {"uploaded", record.uploaded.size()},
              {"aggregated", m_aggregated},
              {"late", std::exchange(m_late, 0)},
              {STALENESS, staleness}});
}

void
FederatedServerApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_delivering = false;
    m_deliveryEvent.Cancel();
}

} // namespace collab
} // namespace ns3
