/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-protocol-application.h"

#include "ns3/collab-compat.h"
#include "ns3/integer.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(ProtocolApplication);

DeliveryWait::DeliveryWait(DeliveryRepeater& repeater, Delivery delivery)
    : m_repeater(repeater),
      m_delivery(std::move(delivery)),
      m_isHere(std::make_shared<bool>(true))
{
}

DeliveryWait::~DeliveryWait()
{
    *m_isHere = false;
}

bool
DeliveryWait::Begin()
{
    m_delivery.wanted = [isHere = m_isHere, wanted = m_delivery.wanted]() {
        return *isHere && (!wanted || wanted());
    };
    m_delivery.finished = [this, isHere = m_isHere](bool isThere) {
        if (!*isHere)
        {
            return;
        }
        m_isThere = isThere;
        m_isOver = true;
        if (!m_begins)
        {
            End();
        }
    };
    m_begins = true;
    m_repeater.Send(std::move(m_delivery));
    m_begins = false;
    return !m_isOver;
}

TypeId
ProtocolApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::ProtocolApplication").SetParent<Application>().SetGroupName("Collab");
    return tid;
}

TypeId
ProtocolApplication::AddLossPolicy(TypeId type, LossPolicy usual)
{
    return type.AddAttribute(
        "LossPolicy",
        "What the radio does about lost messages; Reliable: ARQ.",
        compat::EnumAttribute(usual),
        compat::EnumAccessor(&ProtocolApplication::m_lossPolicy),
        compat::EnumChecker(
            LossPolicy::BEST_EFFORT, "BestEffort", LossPolicy::RELIABLE, "Reliable"));
}

TypeId
ProtocolApplication::AddPartialLossPolicy(TypeId type, LossPolicy usual)
{
    return type.AddAttribute(
        "LossPolicy",
        "What the radio does about lost messages. Reliable: ARQ. Partial: what arrives of models "
        "or predictions is used, and all else goes with ARQ; PartialReliable: so does all, and "
        "what "
        "has arrived after all attempts is used.",
        compat::EnumAttribute(usual),
        compat::EnumAccessor(&ProtocolApplication::m_lossPolicy),
        compat::EnumChecker(LossPolicy::BEST_EFFORT,
                            "BestEffort",
                            LossPolicy::RELIABLE,
                            "Reliable",
                            LossPolicy::PARTIAL,
                            "Partial",
                            LossPolicy::PARTIAL_RELIABLE,
                            "PartialReliable"));
}

TypeId
ProtocolApplication::AddRetries(TypeId type, uint32_t usual)
{
    return type
        .AddAttribute("Retries",
                      "How often a reliable message to one device is sent again when the radio "
                      "has given it up.",
                      UintegerValue(usual),
                      MakeUintegerAccessor(&ProtocolApplication::m_retries),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("RetryDelay",
                      "Mean of the random time before the first retry; doubled for each further "
                      "one. It parts half-duplex devices that send to each other.",
                      TimeValue(MilliSeconds(20)),
                      MakeTimeAccessor(&ProtocolApplication::m_retryDelay),
                      MakeTimeChecker(Time()));
}

ProtocolApplication::ProtocolApplication() = default;

ProtocolApplication::~ProtocolApplication() = default;

void
ProtocolApplication::DoDispose()
{
    StopSpawned();
    m_repeater.reset();
    m_transport = nullptr;
    Application::DoDispose();
}

uint32_t
ProtocolApplication::GetDeviceId() const
{
    return GetNode()->GetId();
}

Ptr<Transport>
ProtocolApplication::GetTransport() const
{
    return m_transport;
}

void
ProtocolApplication::SetTransport(Ptr<Transport> transport)
{
    m_transport = transport;
}

LossPolicy
ProtocolApplication::GetLossPolicy() const
{
    return m_lossPolicy;
}

void
ProtocolApplication::NoteRound(uint32_t)
{
}

bool
ProtocolApplication::IsAlive(const Delivery&) const
{
    return IsAnswering();
}

double
ProtocolApplication::DrawDelay(double longest)
{
    if (!m_delays)
    {
        constexpr int64_t FIRST_STREAM = int64_t{1} << 62; // far from those that programs assign
        m_delays = CreateObjectWithAttributes<UniformRandomVariable>(
            "Stream", IntegerValue(FIRST_STREAM + GetDeviceId()));
    }
    return m_delays->GetValue(0, longest);
}

Until
ProtocolApplication::WaitUntil(std::function<bool()> isSo, Time longest)
{
    return Until(m_changes, std::move(isSo), longest);
}

void
ProtocolApplication::CheckWaits()
{
    m_changes.Check();
}

void
ProtocolApplication::Spawn(Process process)
{
    m_spawned.Start(std::move(process));
}

void
ProtocolApplication::StopSpawned()
{
    m_spawned.Stop();
}

void
ProtocolApplication::DropDeliveries()
{
    m_repeater.reset();
}

std::vector<uint8_t>
ProtocolApplication::GetBytes(const Payload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    return bytes;
}

void
ProtocolApplication::Refuse(const PayloadError& error)
{
    m_transport->Reject(error.what());
}

DeliveryRepeater&
ProtocolApplication::GetRepeater()
{
    if (!m_repeater)
    {
        DeliveryRepeater::Options options;
        options.policy = m_lossPolicy;
        options.retries = m_retries;
        options.delay = m_retryDelay;
        options.draw = [this](double longest) { return DrawDelay(longest); };
        options.isAlive = [this](const Delivery& delivery) { return IsAlive(delivery); };
        m_repeater = std::make_unique<DeliveryRepeater>(m_transport, std::move(options));
    }
    return *m_repeater;
}

SendOptions
ProtocolApplication::Complete(std::optional<SendOptions> options, const Payload& payload) const
{
    SendOptions completed = options ? std::move(*options) : SendOptions(m_lossPolicy);
    completed.policy = AdaptPolicy(completed.policy, payload);
    return completed;
}

Delivery
ProtocolApplication::MakeDelivery(uint32_t receiver,
                                  uint16_t kind,
                                  std::shared_ptr<const Payload> payload,
                                  DeliverOptions options) const
{
    Delivery delivery;
    delivery.receiver = receiver;
    delivery.content = {kind, options.round.value_or(GetRound()), std::move(payload)};
    delivery.priority = options.priority;
    delivery.deadline = options.deadline;
    delivery.wanted = std::move(options.wanted);
    return delivery;
}

} // namespace ns3::collab
