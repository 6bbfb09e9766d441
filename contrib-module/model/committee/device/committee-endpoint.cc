/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-endpoint.h"

#include "ns3/committee-deviant-member.h"

#include <utility>

namespace ns3::collab
{

namespace
{

/// Priorities of messages: votes leave the queue first
constexpr uint8_t VOTE_PRIORITY = 2;
constexpr uint8_t MODEL_PRIORITY = 1; //!< see VOTE_PRIORITY

} // namespace

CommitteeEndpoint::CommitteeEndpoint() = default;
CommitteeEndpoint::~CommitteeEndpoint() = default;

void
CommitteeEndpoint::DoDispose()
{
    CommitteeSettings::DoDispose(); // which ends what uses the node
    m_deviant.reset();
    m_node.reset();
}

const CommitteeChain&
CommitteeEndpoint::GetChain() const
{
    static const CommitteeChain EMPTY({}, nullptr);
    return m_node ? m_node->GetChain() : EMPTY;
}

void
CommitteeEndpoint::MakeNode()
{
    NodeOptions options = MakeOptions();
    options.federation.model = ComputeDigest(*GetLearner()->GetWeights());
    MemberMaker maker;
    if (!m_misbehaviorNames.empty())
    {
        maker = [this](const ConsensusOptions& voting,
                       const std::shared_ptr<ConsensusMemory>& memory) {
            const auto guess = [this](const AggregationOrder& order) { return Guess(order); };
            const uint64_t seed = MakeSeed(BEHAVIOR + GetDeviceId(), voting.round);
            return MakeDeviantMember(
                voting, m_keys, memory, {m_misbehavior, m_conspiracy, guess, seed});
        };
        m_deviant = std::make_unique<DeviantDevice>(GetDeviceId(),
                                                    m_misbehavior,
                                                    m_conspiracy->accomplices,
                                                    m_keys,
                                                    GetRounds(),
                                                    MakeSeed(DISTURBANCE, GetDeviceId()));
    }
    CommitteeHost& host = *this;
    m_node = std::make_unique<CommitteeNode>(
        std::move(options), m_keys, GetLearner()->GetWeights(), host, std::move(maker));
}

std::optional<Digest>
CommitteeEndpoint::Guess(const AggregationOrder& order) const
{
    const auto gradients = m_node->GetInbox().Gather(order);
    return gradients ? std::optional(ComputeDigest(
                           ApplyAll(*m_node->GetModel(), *gradients, m_globalRate, m_mostWeight)))
                     : std::nullopt;
}

void
CommitteeEndpoint::Listen()
{
    const auto zeros =
        std::make_shared<const std::vector<float>>(GetLearner()->GetWeights()->size());
    const uint32_t repeats = GetLearner()->GetMultiplicity();
    const std::vector<uint8_t> authenticator(m_keys->GetAuthenticatorBytes());
    const auto bytes = static_cast<uint32_t>(authenticator.size());
    const auto handle = [this](auto CommitteeMessage::*part) {
        return [this, part](const auto& received) {
            CommitteeMessage message;
            message.*part = received.body;
            m_node->HandleMessage(received.sender, message);
        };
    };
    SignedGradient gradient;
    gradient.values = zeros;
    gradient.authenticator = authenticator;
    gradient.repeats = repeats;
    On<SignedGradient>(handle(&CommitteeMessage::gradient), gradient);
    ConsensusMessage consensus;
    consensus.authenticator = authenticator;
    On<ConsensusMessage>(handle(&CommitteeMessage::consensus), consensus);
    ModelMessage model;
    model.values = zeros;
    model.repeats = repeats;
    model.authenticatorBytes = bytes;
    On<ModelMessage>(handle(&CommitteeMessage::model), model);
    ChainMessage chain;
    chain.authenticatorBytes = bytes;
    On<ChainMessage>(handle(&CommitteeMessage::chain), chain);
}

void
CommitteeEndpoint::Disturb()
{
    if (m_deviant)
    {
        for (const auto& message :
             m_deviant->MakeMessages(m_node->GetChain(), m_node->GetModel()->size()))
        {
            Broadcast(message);
        }
    }
}

template <typename F>
void
CommitteeEndpoint::Dispatch(const CommitteeMessage& message, F send) const
{
    const uint32_t repeats = GetLearner()->GetMultiplicity();
    if (message.gradient)
    {
        SignedGradient gradient = *message.gradient;
        gradient.repeats = repeats;
        send(Pack(std::move(gradient)), message.gradient->round, 0);
    }
    else if (message.model) // of the round that begins
    {
        ModelMessage model = *message.model;
        model.repeats = repeats;
        send(Pack(std::move(model)), message.model->certified.block.round + 1, MODEL_PRIORITY);
    }
    else if (message.consensus)
    {
        send(Pack(*message.consensus), message.consensus->round, VOTE_PRIORITY);
    }
    else
    {
        send(Pack(*message.chain), GetRound(), VOTE_PRIORITY);
    }
}

void
CommitteeEndpoint::Send(uint32_t receiver, const CommitteeMessage& message)
{
    Dispatch(message, [&](auto packed, uint32_t round, uint8_t priority) {
        DeliverOptions options;
        options.round = round;
        options.priority = priority;
        Post(receiver, std::move(packed), std::move(options));
    });
}

void
CommitteeEndpoint::Broadcast(const CommitteeMessage& message)
{
    if (m_deviant)
    {
        const auto letters = m_deviant->Hide(message, m_node->GetChain());
        for (const auto& [receiver, letter] : letters)
        {
            Send(receiver, letter);
        }
        if (!letters.empty())
        {
            return;
        }
    }
    Dispatch(message, [&](auto packed, uint32_t round, uint8_t priority) {
        SendOptions options(GetLossPolicy());
        options.priority = priority;
        LearningApplication::Broadcast(std::move(packed), options, round);
    });
}

void
CommitteeEndpoint::SetTimer(CommitteeTimer timer, uint64_t delayNs)
{
    EventId& event = m_timers[static_cast<std::size_t>(timer)];
    event.Cancel();
    event = Simulator::Schedule(NanoSeconds(delayNs),
                                [this, timer]() { m_node->HandleTimeout(timer); });
}

} // namespace ns3::collab
