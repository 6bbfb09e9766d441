/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-analog-slot.h"

#include "ns3/d2d-burst.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::collab
{

namespace
{

/// By how much a power may be over the greatest one, of numbers that were rounded to floats
constexpr double FLOAT_ROUNDING = 1e-6;

/// @return power that a radio has at most [W]
double
GetGreatestPowerW(const D2dPhy& radio)
{
    return std::pow(10.0, (radio.GetTxPowerDbm() - 30) / 10);
}

} // namespace

D2dAnalogSlot::D2dAnalogSlot(D2dAnalogPaths& paths,
                             Ptr<D2dPhy> receiver,
                             D2dAnalogPlan plan,
                             const D2dAnalogLayout& layout,
                             D2dAnalogCallback over)
    : m_paths(paths),
      m_plan(std::move(plan)),
      m_layout(layout),
      m_over(std::move(over)),
      m_takers(m_plan.takers.size())
{
    m_receiver.radio = std::move(receiver);
}

bool
D2dAnalogSlot::IsThere(const Member& member)
{
    return member.radio && member.radio->IsOn() &&
           member.radio->GetState().GetEpoch() == member.epoch;
}

D2dAnalogSlot::Member
D2dAnalogSlot::Join(const Ptr<D2dPhy>& radio)
{
    Member member;
    if (radio->GetState().BeginBurst() == D2dLossReason::NONE)
    {
        member.radio = radio;
        member.epoch = radio->GetState().GetEpoch();
    }
    return member;
}

void
D2dAnalogSlot::Listen(Member& member, bool listens)
{
    if (!IsThere(member) || member.listens == listens)
    {
        return;
    }
    member.listens = listens;
    if (listens)
    {
        member.radio->GetState().BeginListening(Simulator::Now());
    }
    else
    {
        member.radio->GetState().EndListening(member.epoch, Simulator::Now());
    }
}

void
D2dAnalogSlot::Transmit(const Member& member, double powerW)
{
    if (IsThere(member))
    {
        member.radio->GetState().SetAnalogPower(powerW);
    }
}

void
D2dAnalogSlot::After(std::size_t symbols, std::function<void()> next)
{
    const Ptr<D2dAnalogSlot> self(this);
    Simulator::Schedule(GetAnalogAirtime(symbols, m_receiver.radio->GetBandwidthHz()),
                        [self, next = std::move(next)]() { next(); });
}

void
D2dAnalogSlot::Begin(const std::vector<std::shared_ptr<const D2dAnalogSignal>>& signals)
{
    m_receiver = Join(m_receiver.radio);
    if (!m_receiver.radio)
    {
        m_over(std::nullopt);
        return;
    }
    for (std::size_t i = 0; i < m_takers.size(); ++i)
    {
        const auto found = std::find_if(signals.begin(), signals.end(), [&](const auto& signal) {
            return signal->sender->GetNode()->GetId() == m_plan.takers[i].node;
        });
        if (found != signals.end())
        {
            m_takers[i] = Join((*found)->sender);
            m_takers[i].signal = *found;
        }
    }
    m_mean.values.assign(m_plan.values, 0.0F);
    m_mean.blocks = m_layout.CountBlocks();
    m_mean.heard.assign(m_takers.size(), 0);
    m_mean.weights.assign(m_mean.blocks, 0);
    m_mean.blockValues = 2 * std::size_t{m_layout.blockSymbols};
    BeginBlock();
}

void
D2dAnalogSlot::BeginBlock()
{
    m_number = m_paths.TakeBlock();
    for (Member& taker : m_takers)
    {
        Listen(taker, true);
    }
    Transmit(m_receiver, GetGreatestPowerW(*m_receiver.radio));
    After(m_layout.pilotSymbols, [this]() { EndPilot(); });
}

void
D2dAnalogSlot::EndPilot()
{
    const bool isLed = IsThere(m_receiver);
    Transmit(m_receiver, 0);
    Listen(m_receiver, true);
    const std::size_t first = std::size_t{m_block} * m_layout.blockSymbols;
    for (Member& taker : m_takers)
    {
        Listen(taker, false);
        taker.path = {};
        const auto signal = taker.signal.lock();
        if (!isLed || !signal || !IsThere(taker))
        {
            continue;
        }
        taker.path = m_paths.Draw(*taker.radio, *m_receiver.radio, m_number);
        const double arrivingW =
            m_plan.amplitude * m_plan.amplitude *
            GetAnalogPower(*signal->values, first, m_layout.CountSymbols(m_block));
        if (taker.path.powerW <= 0 || arrivingW > taker.path.powerW * (1 + FLOAT_ROUNDING))
        {
            taker.path = {}; // it is silent
            continue;
        }
        taker.powerW = GetGreatestPowerW(*taker.radio) * arrivingW / taker.path.powerW;
    }
    SendPilots(0);
}

void
D2dAnalogSlot::SendPilots(std::size_t taker)
{
    if (taker > 0)
    {
        Transmit(m_takers[taker - 1], 0);
    }
    if (taker < m_takers.size())
    {
        const Member& next = m_takers[taker];
        if (next.path.powerW > 0)
        {
            Transmit(next, GetGreatestPowerW(*next.radio));
        }
        After(m_layout.pilotSymbols, [this, taker]() { SendPilots(taker + 1); });
        return;
    }
    for (Member& sender : m_takers)
    {
        const bool sends = IsThere(sender) && sender.path.powerW > 0;
        sender.hasSent = sender.hasSent || sends;
        Transmit(sender, sends ? sender.powerW : 0.0);
    }
    After(m_layout.CountSymbols(m_block), [this]() { EndBlock(); });
}

void
D2dAnalogSlot::EndBlock()
{
    if (IsThere(m_receiver))
    {
        Receive();
    }
    for (const Member& taker : m_takers)
    {
        Transmit(taker, 0);
    }
    Listen(m_receiver, false);
    if (++m_block < m_mean.blocks)
    {
        BeginBlock();
        return;
    }
    End();
}

void
D2dAnalogSlot::Receive()
{
    const std::size_t first = std::size_t{m_block} * m_layout.blockSymbols;
    std::vector<std::complex<double>> received(m_layout.CountSymbols(m_block));
    const double noiseW = m_receiver.radio->GetNoiseW();
    D2dAnalogNoise noise = m_paths.GetNoise(*m_receiver.radio, m_number);
    double& weights = m_mean.weights[m_block];
    for (std::size_t i = 0; i < m_takers.size(); ++i)
    {
        const auto signal = m_takers[i].signal.lock();
        const bool sends = signal && IsThere(m_takers[i]) && m_takers[i].path.powerW > 0;
        if (sends)
        {
            AddAnalogSymbols(*signal->values, first, m_takers[i].path.factor, received);
        }
        const double pilotW = sends ? m_takers[i].path.powerW : 0.0;
        if (HearsAnalogPilot(pilotW, noiseW, m_layout.pilotSymbols, noise))
        {
            weights += m_plan.takers[i].weight;
            ++m_mean.heard[i];
        }
    }
    for (std::size_t i = 0; weights > 0 && i < received.size(); ++i)
    {
        const std::complex<double> mean =
            (received[i] + noise.Draw(noiseW) / m_plan.amplitude) / weights;
        const std::size_t second = 2 * (first + i) + 1;
        m_mean.values[second - 1] = static_cast<float>(mean.real());
        if (second < m_mean.values.size())
        {
            m_mean.values[second] = static_cast<float>(mean.imag());
        }
    }
}

void
D2dAnalogSlot::End()
{
    const bool isReceived = IsThere(m_receiver);
    m_receiver.radio->GetState().EndBurst(m_receiver.epoch);
    for (const Member& taker : m_takers)
    {
        if (taker.radio)
        {
            taker.radio->GetState().EndBurst(taker.epoch);
        }
        const auto signal = taker.signal.lock();
        if (signal && signal->over)
        {
            signal->over(taker.hasSent);
        }
    }
    m_over(isReceived ? std::optional(std::move(m_mean)) : std::nullopt);
}

} // namespace ns3::collab
