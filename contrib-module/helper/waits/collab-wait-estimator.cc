/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-wait-estimator.h"

#include "ns3/collab-transport.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"

#include <functional>
#include <numeric>
#include <vector>

namespace ns3::collab
{

namespace
{

/// @param node a node
/// @return its first D2D radio; null if it has none
Ptr<D2dNetDevice>
FindRadio(const Ptr<Node>& node)
{
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto radio = DynamicCast<D2dNetDevice>(node->GetDevice(i)))
        {
            return radio;
        }
    }
    return nullptr;
}

/// @param sender a radio, or null
/// @param receivers how many of its channel's other radios a message is for, at most; those that
/// hear it worst
/// @return how often it sends a fragment of a broadcast with ARQ on average: once, and again to
/// each in range that has not heard it or whose acknowledgment it has not
double
CountAttempts(const Ptr<D2dNetDevice>& sender, uint32_t receivers)
{
    if (!sender)
    {
        return 1;
    }
    const auto channel = sender->GetD2dChannel();
    const uint32_t most = sender->GetMac()->GetArqRules().maxAttempts;
    std::vector<double> repetitions;
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const auto receiver = DynamicCast<D2dNetDevice>(channel->GetDevice(i));
        const double there =
            receiver == sender ? 0 : 1 - channel->GetOutageProbability(sender, receiver);
        if (there > 0)
        {
            const double success = there * (1 - channel->GetOutageProbability(receiver, sender));
            repetitions.push_back(std::min((1 - success) / success, most - 1.0));
        }
    }
    std::sort(repetitions.begin(), repetitions.end(), std::greater<>());
    repetitions.resize(std::min<std::size_t>(receivers, repetitions.size()));
    return std::accumulate(repetitions.begin(), repetitions.end(), 1.0);
}

/// @param channel a channel
/// @return radios of its fullest subchannel, which send one after the other; 1 if none has to
uint32_t
CountSharingOf(const Ptr<D2dChannel>& channel)
{
    if (channel->GetAccess() == D2dAccess::OFDMA && !channel->Interferes())
    {
        return 1;
    }
    uint32_t most = 1;
    std::map<uint32_t, uint32_t> sharing; // radios by subchannel
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const auto radio = DynamicCast<D2dNetDevice>(channel->GetDevice(i));
        most = std::max(most, ++sharing[channel->GetSubchannel(radio)]);
    }
    return most;
}

} // namespace

WaitEstimator::WaitEstimator(const NodeContainer& nodes, LossPolicy policy)
    : m_nodes(nodes),
      m_isReliable(policy == LossPolicy::RELIABLE || policy == LossPolicy::PARTIAL_RELIABLE)
{
}

Time
WaitEstimator::Broadcast(uint64_t bytes) const
{
    Time once;
    for (auto node = m_nodes.Begin(); node != m_nodes.End(); ++node)
    {
        const auto transport = (*node)->GetObject<Transport>();
        once = std::max(once, transport->GetBroadcastTime(bytes, m_nodes.GetN()));
    }
    if (!m_isReliable)
    {
        return once;
    }
    double most = 0;
    double sum = 0;
    for (const auto& [node, attempts] : GetAttempts())
    {
        most = std::max(most, attempts);
        sum += attempts;
    }
    // To all at the same time, or one after the other
    const bool isParallel = m_nodes.Get(0)->GetObject<Transport>()->HearsWhileSending();
    const double attempts = isParallel ? most : sum / static_cast<double>(GetAttempts().size());
    return Seconds(once.GetSeconds() * std::max<double>(CountSendings(), attempts));
}

Time
WaitEstimator::BroadcastFrom(uint64_t bytes, const Ptr<Node>& sender, uint32_t receivers) const
{
    const double attempts = m_isReliable ? CountAttempts(FindRadio(sender), receivers) : 1.0;
    const Time once = sender->GetObject<Transport>()->GetAirtime(bytes);
    return Seconds(once.GetSeconds() * std::max<double>(CountSendings(), attempts));
}

Time
WaitEstimator::Unicast(uint64_t bytes,
                       const Ptr<Node>& sender,
                       double messages,
                       std::optional<uint32_t> receiver) const
{
    const Time once = sender->GetObject<Transport>()->GetAirtime(bytes, receiver);
    return Seconds(once.GetSeconds() * messages * static_cast<double>(CountSendings()));
}

uint32_t
WaitEstimator::CountSharing() const
{
    std::map<uint32_t, Ptr<D2dChannel>> channels; // by their numbers
    for (auto node = m_nodes.Begin(); node != m_nodes.End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            if (const auto radio = DynamicCast<D2dNetDevice>((*node)->GetDevice(i)))
            {
                channels[radio->GetD2dChannel()->GetId()] = radio->GetD2dChannel();
            }
        }
    }
    uint32_t most = 1;
    for (const auto& [number, channel] : channels)
    {
        most = std::max(most, CountSharingOf(channel));
    }
    return most;
}

int64_t
WaitEstimator::CountSendings() const
{
    return m_isReliable ? 2 : 1;
}

double
WaitEstimator::CountBroadcastSendings(const Ptr<Node>& sender) const
{
    if (!m_isReliable)
    {
        return 1;
    }
    const auto& all = GetAttempts();
    const auto own = all.find(sender->GetId());
    const auto worst = std::max_element(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return std::max<double>(CountSendings(), (own == all.end() ? worst : own)->second);
}

Time
WaitEstimator::AddMargin(Time time)
{
    return time + time / 4;
}

const std::map<uint32_t, double>&
WaitEstimator::GetAttempts() const
{
    const uint64_t senders = m_attempts.empty() ? std::min(m_nodes.GetN(), MOST_SENDERS) : 0;
    for (uint64_t i = 0; i < senders; ++i)
    {
        const auto node = m_nodes.Get(static_cast<uint32_t>(i * m_nodes.GetN() / senders));
        m_attempts[node->GetId()] = CountAttempts(FindRadio(node), UINT32_MAX);
    }
    return m_attempts;
}

} // namespace ns3::collab
