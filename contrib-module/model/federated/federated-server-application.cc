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
#include "ns3/double.h"
#include "ns3/federated-participation.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

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
            .AddConstructor<App>()
            .AddAttribute("Participation",
                          "Fraction of the devices that is drawn to take part in a round, unless "
                          "one of each set is.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&App::m_participation),
                          MakeDoubleChecker<double>(1e-9, 1.0))
            .AddAttribute("RoundDeadline",
                          "Longest time from sending the model to the end of the wait for updates.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&App::m_deadline),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "Downlink",
                "How the model is sent: once for all devices, or to each that takes part.",
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
    m_deadlineEvent.Cancel();
    m_server.reset();
    m_initial.reset();
    m_updates.clear();
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
FederatedServerApplication::SetSets(std::vector<std::vector<uint32_t>> sets)
{
    m_sets = std::move(sets);
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
            {"uploaded", "", "devices whose updates were there in time"},
            {"aggregated", "", "updates in the next model; 0 if there were too few for the rule"},
            {"late", "", "updates of earlier rounds that arrived in this one"}};
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
FederatedServerApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    const std::vector<uint32_t> sampled = DrawParticipants();
    m_sampled.push_back(sampled);
    m_updates.clear();
    m_late = 0;
    m_aggregated = 0;
    m_awaited = std::set<uint32_t>(sampled.begin(), sampled.end());
    m_collecting = true;
    m_deadlineEvent =
        Simulator::Schedule(m_deadline, &FederatedServerApplication::EndCollect, this);
    EnterPhase("download");
    SendModel(GetRound(), m_sets.empty() ? sampled : m_clients, sampled);
}

void
FederatedServerApplication::CheckClients() const
{
    const bool hasSets = GetOptions().algorithm == FederatedAlgorithm::SEMI_DECENTRALIZED;
    NS_ABORT_MSG_IF(hasSets == m_sets.empty(),
                    "FederatedServerApplication on node "
                        << GetDeviceId()
                        << ": the Algorithm SemiDecentralized needs sets, and no other has any");
    std::set<uint32_t> members;
    std::size_t count = 0;
    for (const auto& set : m_sets)
    {
        members.insert(set.begin(), set.end());
        count += set.size();
    }
    NS_ABORT_MSG_UNLESS(
        members.size() == count &&
            std::includes(m_clients.begin(), m_clients.end(), members.begin(), members.end()),
        "FederatedServerApplication on node " << GetDeviceId()
                                              << ": sets must be disjoint, and of clients");
    NS_ABORT_MSG_IF(
        std::includes(m_stragglers.begin(), m_stragglers.end(), m_clients.begin(), m_clients.end()),
        "FederatedServerApplication on node " << GetDeviceId() << ": all clients are stragglers");
}

std::vector<uint32_t>
FederatedServerApplication::DrawParticipants() const
{
    const auto isPrompt = [this](uint32_t device) {
        return !std::binary_search(m_stragglers.begin(), m_stragglers.end(), device);
    };
    const auto selectPrompt = [&isPrompt](const std::vector<uint32_t>& devices) {
        std::vector<uint32_t> prompt;
        std::copy_if(devices.begin(), devices.end(), std::back_inserter(prompt), isPrompt);
        return prompt;
    };
    const uint64_t seed = SplitMix64(m_seed + GetRound());
    if (!m_sets.empty())
    {
        std::vector<std::vector<uint32_t>> sets;
        std::transform(m_sets.begin(), m_sets.end(), std::back_inserter(sets), selectPrompt);
        return SampleOneOfEach(sets, seed);
    }
    const std::vector<uint32_t> prompt = selectPrompt(m_clients);
    std::vector<uint32_t> sampled;
    for (const uint32_t position :
         SampleParticipants(static_cast<uint32_t>(prompt.size()), m_participation, seed))
    {
        sampled.push_back(prompt[position]);
    }
    return sampled;
}

void
FederatedServerApplication::SendModel(uint32_t round,
                                      const std::vector<uint32_t>& receivers,
                                      const std::vector<uint32_t>& participants)
{
    m_sending = round;
    m_underway.clear();
    const auto compressor = GetCompressor();
    const EncodedVector model = Encode(m_server->GetModel(), *compressor, 0, m_multiplicity);
    const EncodedVector control = Encode(m_server->GetControl(), *compressor, 0, m_multiplicity);
    const auto options = [this, round](std::vector<uint32_t> meant) {
        return SendOptions(GetLossPolicy(),
                           [this, round, meant = std::move(meant)](const DeliveryReport& report) {
                               HandleDelivery(round, meant, report);
                           });
    };
    if (m_downlink == FederatedDownlink::BROADCAST)
    {
        const auto payload =
            std::make_shared<const FederatedModelPayload>(participants, model, control);
        m_underway.insert(GetTransport()->Broadcast(MODEL, round, payload, options(receivers)));
        return;
    }
    for (const uint32_t device : receivers)
    {
        std::vector<uint32_t> one;
        if (std::binary_search(participants.begin(), participants.end(), device))
        {
            one.push_back(device);
        }
        const auto payload =
            std::make_shared<const FederatedModelPayload>(std::move(one), model, control);
        m_underway.insert(GetTransport()->Send(device, MODEL, round, payload, options({device})));
    }
}

void
FederatedServerApplication::HandleDelivery(uint32_t round,
                                           const std::vector<uint32_t>& receivers,
                                           const DeliveryReport& report)
{
    NS_LOG_FUNCTION(this << round << report.sequence);
    if (!IsRunning() || round != m_sending || m_underway.erase(report.sequence) == 0)
    {
        return;
    }
    if (m_delivering)
    {
        if (m_underway.empty())
        {
            Conclude();
        }
        return;
    }
    if (!m_collecting)
    {
        return;
    }
    for (const uint32_t device : receivers)
    {
        const auto& acknowledged = report.acknowledged;
        if (GetLossPolicy() == LossPolicy::RELIABLE &&
            std::find(acknowledged.begin(), acknowledged.end(), device) == acknowledged.end())
        {
            m_awaited.erase(device);
        }
    }
    if (m_underway.empty())
    {
        EnterPhase("collect");
    }
    CheckCollect();
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
                  options.SendsSteps() ? m_maxSteps : 0);
    if (message.round >= m_sampled.size() || !std::binary_search(m_sampled[message.round].begin(),
                                                                 m_sampled[message.round].end(),
                                                                 message.sender))
    {
        throw PayloadError("an update that was not asked for");
    }
    if (m_heard.count({message.round, message.sender}) > 0)
    {
        throw PayloadError("a second update for one round");
    }
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
    m_heard.insert({message.round, message.sender});
    if (!m_collecting || message.round != GetRound())
    {
        ++m_late;
        m_lateTrace(message.round, message.sender);
        return;
    }
    m_updates[message.sender] = update;
    m_awaited.erase(message.sender);
    CheckCollect();
}

void
FederatedServerApplication::CheckCollect()
{
    if (m_collecting && m_awaited.empty() && m_underway.empty())
    {
        EndCollect();
    }
}

void
FederatedServerApplication::EndCollect()
{
    NS_LOG_FUNCTION(this << m_updates.size());
    m_deadlineEvent.Cancel();
    m_collecting = false;
    const auto underway = std::move(m_underway);
    m_underway.clear();
    for (const uint32_t sequence : underway)
    {
        GetTransport()->Cancel(sequence);
    }
    EnterPhase("aggregate");
    std::vector<FederatedUpdate> updates;
    for (const auto& [device, payload] : m_updates)
    {
        FederatedUpdate update;
        update.samples = payload->GetSamples();
        update.change = payload->GetChange();
        update.controlChange = payload->GetControlChange();
        update.steps = payload->GetSteps();
        updates.push_back(std::move(update));
    }
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
    ParticipationRecord record;
    record.round = GetRound();
    record.sampled = m_sampled.back();
    for (const auto& update : m_updates)
    {
        record.uploaded.push_back(update.first);
    }
    m_participationTrace(record);
    if (GetRound() + 1 < GetRounds())
    {
        Conclude();
        return;
    }
    EnterPhase("deliver");
    m_delivering = true;
    m_deadlineEvent = Simulator::Schedule(m_deadline, &FederatedServerApplication::Conclude, this);
    SendModel(GetRounds(), m_clients, {});
}

void
FederatedServerApplication::Conclude()
{
    m_deadlineEvent.Cancel();
    CountMessages(m_updates.size(), m_sampled.back().size());
    EndRound({{"sampled", m_sampled.back().size()},
              {"uploaded", m_updates.size()},
              {"aggregated", m_aggregated},
              {"late", m_late}});
}

void
FederatedServerApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_collecting = false;
    m_delivering = false;
    m_deadlineEvent.Cancel();
}

} // namespace collab
} // namespace ns3
