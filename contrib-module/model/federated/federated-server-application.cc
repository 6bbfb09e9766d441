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
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3::collab
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
            .AddAttribute("DistillationSteps",
                          "FedDF: steps of the server on X* in a round.",
                          UintegerValue(50),
                          MakeUintegerAccessor(&App::m_distillationSteps),
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

void
FederatedServerApplication::SetEnsemble(std::shared_ptr<Learner> learner,
                                        std::shared_ptr<const DataView> inputs)
{
    m_ensembleLearner = std::move(learner);
    m_ensembleInputs = std::move(inputs);
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

uint32_t
FederatedServerApplication::GetMaxSamples() const
{
    return m_maxSamples;
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

Columns<FederatedServerApplication::Metrics>
FederatedServerApplication::Metrics::GetColumns()
{
    return {
        {"sampled", "", "devices drawn to take part", &Metrics::sampled},
        {"uploaded", "", "updates that were there in time", &Metrics::uploaded},
        {"aggregated",
         "",
         "updates in the next model; 0 if there were too few for the rule",
         &Metrics::aggregated},
        {"late", "", "updates that arrived when they were not waited for any more", &Metrics::late},
        {STALENESS,
         "",
         "steps of the server since the models that the uploaded updates started from, mean; "
         "NaN if there are none",
         &Metrics::staleness}};
}

std::vector<Metric>
FederatedServerApplication::GetMetrics() const
{
    return DescribeMetrics<Metrics>();
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
    if (GetOptions().algorithm == FederatedAlgorithm::FEDDF)
    {
        const bool isWhole =
            GetLossPolicy() == LossPolicy::RELIABLE || GetLossPolicy() == LossPolicy::BEST_EFFORT;
        NS_ABORT_MSG_UNLESS(m_ensembleLearner && m_ensembleInputs && isWhole,
                            "FederatedServerApplication on node "
                                << GetDeviceId()
                                << ": the Algorithm FedDf needs a learner, samples to distill on "
                                   "(SetEnsemble()), and whole models, no parts");
        m_ensemble = std::make_shared<FederatedEnsemble>(
            m_ensembleLearner, m_ensembleInputs, m_distillationSteps);
    }
    On<FederatedModel>(
        [](const Received<FederatedModel>&) {
            throw PayloadError("a model that is not the server's");
        },
        ExpectModel(m_initial->size(), m_multiplicity));
    FederatedUpload expected = ExpectUpload(m_initial->size(), m_multiplicity);
    expected.maxSamples = m_maxSamples;
    expected.maxSteps = m_maxSteps;
    On<FederatedUpload>([this](const Received<FederatedUpload>& update) { TakeUpdate(update); },
                        expected);
}

bool
FederatedServerApplication::CanResume() const
{
    return false; // it has forgotten who was to take part
}

void
FederatedServerApplication::CheckClients() const
{
    NS_ABORT_MSG_IF(SelectPrompt(m_clients).empty(),
                    "FederatedServerApplication on node " << GetDeviceId()
                                                          << ": all clients are stragglers");
    CheckUplink(m_initial->size() * m_multiplicity, m_trained);
    NS_ABORT_MSG_IF(IsAnalog() && m_rule != "mean",
                    "FederatedServerApplication on node "
                        << GetDeviceId() << ": the Uplink Analog needs the AggregationRule mean");
}

Packed<FederatedModel>
FederatedServerApplication::MakeModel(const std::vector<uint32_t>& participants)
{
    if (m_encoded != m_server->GetModel())
    {
        const auto compressor = GetCompressor();
        const uint64_t seed =
            SplitMix64(SeedFor(RandomPurpose::COMPRESSION, GetDeviceId()) + m_encodings++);
        m_encoded = m_server->GetModel();
        m_encodedPair.weights = EncodeVector(m_encoded, *compressor, seed, m_multiplicity);
        m_encodedPair.control =
            EncodeVector(m_server->GetControl(), *compressor, seed, m_multiplicity);
    }
    FederatedModel model;
    model.vectors = m_encodedPair;
    model.hasMemory = GetOptions().GetTraits().hasMemory;
    for (const uint32_t device : participants)
    {
        model.AddParticipant(device, m_odd.count(device) > 0);
    }
    return Pack(std::move(model));
}

void
FederatedServerApplication::SendModel(uint32_t round,
                                      const std::vector<uint32_t>& receivers,
                                      const std::vector<uint32_t>& participants,
                                      std::function<void(uint32_t)> lost)
{
    m_underway.clear();
    const auto options = [this, &lost](std::vector<uint32_t> meant) {
        const auto finished = [this, lost, meant = std::move(meant)](const DeliveryReport& report) {
            if (!IsRunning() || m_underway.erase(report.sequence) == 0)
            {
                return; // nobody waits for it any more
            }
            for (const uint32_t device : meant)
            {
                if (lost && IsLost(device, report))
                {
                    lost(device);
                }
            }
            CheckWaits();
        };
        return SendOptions(GetLossPolicy(), finished);
    };
    if (m_downlink == FederatedDownlink::BROADCAST)
    {
        m_underway.insert(Broadcast(MakeModel(participants), options(receivers), round));
        return;
    }
    const auto plain = MakeModel({});
    for (const uint32_t device : receivers)
    {
        const bool isAsked = std::binary_search(participants.begin(), participants.end(), device);
        m_underway.insert(
            Send(device, isAsked ? MakeModel({device}) : plain, options({device}), round));
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
    return GetLossPolicy() != LossPolicy::BEST_EFFORT &&
           std::find(acknowledged.begin(), acknowledged.end(), device) == acknowledged.end();
}

void
FederatedServerApplication::CountLate(uint32_t round, uint32_t device)
{
    ++m_metrics.late;
    m_lateTrace(round, device);
}

Process
FederatedServerApplication::Aggregate(Harvest harvest)
{
    const ParticipationRecord& record = harvest.record;
    EnterPhase("aggregate");
    m_metrics.aggregated = 0;
    try
    {
        m_aggregation->CheckCount(harvest.updates.size());
        m_metrics.aggregated = record.uploaded.size();
    }
    catch (const std::invalid_argument& error)
    {
        NS_LOG_INFO("round " << GetRound() << " does not change the model: " << error.what());
    }
    if (m_metrics.aggregated > 0)
    {
        const std::size_t updates = harvest.updates.size();
        const uint64_t distilling = m_ensemble ? m_ensemble->CountFlops(updates) : 0;
        co_await Compute("",
                         m_server->CountFlops(updates) * m_multiplicity + distilling,
                         MakeStep(std::exchange(harvest.updates, {})));
        for (const uint32_t device : record.uploaded)
        {
            if (m_odd.erase(device) == 0)
            {
                m_odd.insert(device);
            }
        }
    }
    m_participationTrace(record);
    CountMessages(record.uploaded.size(), harvest.expected);
    m_metrics.sampled = record.sampled.size();
    m_metrics.uploaded = record.uploaded.size();
    const auto total =
        std::accumulate(record.staleness.begin(), record.staleness.end(), uint64_t{0});
    m_metrics.staleness =
        record.staleness.empty()
            ? std::numeric_limits<double>::quiet_NaN()
            : static_cast<double>(total) / static_cast<double>(record.staleness.size());
}

std::function<FlatVector()>
FederatedServerApplication::MakeStep(std::vector<FederatedUpdate> updates) const
{
    return [server = m_server, ensemble = m_ensemble, updates = std::move(updates)]() {
        const FlatVector before = server->GetModel();
        server->Step(updates);
        std::vector<FlatVector> models;
        for (std::size_t k = 0; ensemble && k < updates.size(); ++k)
        {
            auto model = std::make_shared<std::vector<float>>(*before);
            std::transform(model->begin(),
                           model->end(),
                           updates[k].change->begin(),
                           model->begin(),
                           std::plus<float>());
            models.push_back(std::move(model));
        }
        if (ensemble)
        {
            server->SetModel(ensemble->Distill(server->GetModel(), models));
        }
        return server->GetModel();
    };
}

Process
FederatedServerApplication::Conclude()
{
    if (GetRound() + 1 == GetRounds())
    {
        EnterPhase("deliver");
        SendModel(GetRounds(), m_clients, {});
        const auto isOver = [this]() { return !IsSending(); };
        co_await WaitUntil(isOver, m_deadline);
    }
    Report(std::exchange(m_metrics, {}));
}

} // namespace ns3::collab
