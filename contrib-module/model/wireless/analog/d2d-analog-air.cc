/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-analog-air.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-channel.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dAnalogAir);

namespace
{

/// Stream of the first channel's slots; users give numbers that are far below
constexpr int64_t ANALOG_STREAM = int64_t{7} << 59;

/// @param channel a channel
/// @throws UserError if its devices cannot send at once
void
CheckAnalogChannel(const D2dChannel& channel)
{
    const D2dMedium& medium = *channel.GetMedium();
    const bool isAlone = !medium.GetSettings().Interferes() && !medium.Signals().GetOutside() &&
                         channel.GetAccess() == D2dAccess::OFDMA;
    if (!isAlone)
    {
        throw UserError("analog aggregation has a band of its own: it needs "
                        "ns3::collab::D2dChannel::Access=Ofdma without Subchannels, and no "
                        "SpectrumBridge");
    }
    D2dSignal signal;
    signal.rssW = signal.noiseW = signal.spectralEfficiency = 1;
    medium.Losses().GetOutageModel()->GetQuality(signal); // throws if it knows no fading
}

} // namespace

TypeId
D2dAnalogAir::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dAnalogAir")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddConstructor<D2dAnalogAir>()
            .AddAttribute(
                "Threshold",
                "Least fading, of mean 1, at which a device sends its numbers of a block; "
                "under it, it is silent. The greater it is, the more power arrives. "
                "Without fading 1 lets all send with TxPower.",
                DoubleValue(0.1),
                MakeDoubleAccessor(Own(&D2dAnalogSettings::threshold)),
                MakeDoubleChecker<double>(1e-6))
            .AddAttribute("PilotSymbols",
                          "Symbols of a pilot, of which each block has one of the receiver and one "
                          "for each device that is to send.",
                          UintegerValue(32),
                          MakeUintegerAccessor(Own(&D2dAnalogSettings::pilotSymbols)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BlockSymbols",
                          "Most symbols of numbers, two each, between pilots; links fade as they "
                          "do for so long.",
                          UintegerValue(10000),
                          MakeUintegerAccessor(Own(&D2dAnalogSettings::blockSymbols)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AmplitudeError",
                          "Standard deviation of the relative error of the amplitude with which a "
                          "device is received, in a block.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(Own(&D2dAnalogSettings::amplitudeError)),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("PhaseError",
                          "Standard deviation of the phase with which a device is received, in a "
                          "block [rad].",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(Own(&D2dAnalogSettings::phaseError)),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

Ptr<D2dAnalogAir>
D2dAnalogAir::Of(Ptr<D2dChannel> channel)
{
    CheckAnalogChannel(*channel);
    if (const auto air = channel->GetObject<D2dAnalogAir>())
    {
        return air;
    }
    const auto air = CreateObject<D2dAnalogAir>();
    air->m_paths = std::make_unique<D2dAnalogPaths>(channel->GetMedium(),
                                                    static_cast<const D2dAnalogSettings&>(*air),
                                                    ANALOG_STREAM + channel->GetId());
    channel->AggregateObject(air);
    return air;
}

void
D2dAnalogAir::DoDispose()
{
    m_waiting.clear();
    m_requests.clear();
    m_paths.reset();
    Object::DoDispose();
}

float
D2dAnalogAir::GetLimit(const D2dPhy& sender,
                       const D2dPhy& receiver,
                       const std::vector<float>& values) const
{
    const D2dAnalogLayout layout = GetLayout(values.size(), 1);
    const double meanW = m_paths->GetMeanPowerW(sender, receiver);
    double power = 0; // the most of a block
    for (uint32_t block = 0; block < layout.CountBlocks(); ++block)
    {
        const std::size_t first = std::size_t{block} * layout.blockSymbols;
        power = std::max(power, GetAnalogPower(values, first, layout.CountSymbols(block)));
    }
    if (meanW <= 0)
    {
        return 0;
    }
    const double limit = std::sqrt(threshold * meanW / power);
    return static_cast<float>(std::min<double>(limit, std::numeric_limits<float>::max()));
}

D2dAnalogLayout
D2dAnalogAir::GetLayout(std::size_t values, std::size_t takers) const
{
    return {values, takers, pilotSymbols, blockSymbols};
}

std::shared_ptr<const D2dAnalogSignal>
D2dAnalogAir::Send(D2dAnalogSignal signal)
{
    auto held = std::make_shared<const D2dAnalogSignal>(std::move(signal));
    m_waiting.push_back(held);
    return held;
}

void
D2dAnalogAir::CheckLayout(const D2dPhy& receiver, const D2dAnalogLayout& layout) const
{
    const std::size_t longest = std::min<std::size_t>(layout.CountSymbols(), blockSymbols) +
                                (1 + layout.takers) * std::size_t{pilotSymbols};
    const Time coherence = m_paths->GetCoherenceTime();
    if (coherence.IsStrictlyPositive() &&
        GetAnalogAirtime(longest, receiver.GetBandwidthHz()) > coherence)
    {
        std::ostringstream text;
        text << "a block of " << longest << " symbols with its pilots takes longer than "
             << "ns3::collab::D2dOutageModel::CoherenceTime; lower "
             << "ns3::collab::D2dAnalogAir::BlockSymbols or PilotSymbols, now " << blockSymbols
             << " and " << pilotSymbols;
        throw UserError(text.str());
    }
}

void
D2dAnalogAir::Receive(Ptr<D2dPhy> receiver, D2dAnalogPlan plan, D2dAnalogCallback over)
{
    CheckLayout(*receiver, GetLayout(plan.values, plan.takers.size()));
    m_requests.push_back({std::move(receiver), std::move(plan), std::move(over)});
    BeginNext();
}

std::vector<std::shared_ptr<const D2dAnalogSignal>>
D2dAnalogAir::Gather(const Request& request)
{
    std::vector<std::shared_ptr<const D2dAnalogSignal>> signals;
    std::vector<std::weak_ptr<const D2dAnalogSignal>> others;
    for (const auto& waiting : m_waiting)
    {
        const auto signal = waiting.lock();
        if (signal && signal->slot == request.plan.slot &&
            signal->receiver == request.receiver->GetNode()->GetId())
        {
            NS_ABORT_MSG_UNLESS(
                signal->values->size() == request.plan.values &&
                    signal->sender->GetBandwidthHz() == request.receiver->GetBandwidthHz(),
                "D2dAnalogAir: all need one number of values, and one Bandwidth");
            signals.push_back(signal);
        }
        else if (signal)
        {
            others.push_back(waiting);
        }
    }
    m_waiting = std::move(others);
    return signals;
}

void
D2dAnalogAir::BeginNext()
{
    if (m_isBusy || m_requests.empty())
    {
        return;
    }
    m_isBusy = true;
    Request request = std::move(m_requests.front());
    m_requests.pop_front();
    const auto signals = Gather(request);
    const Ptr<D2dAnalogAir> self(this);
    const auto over = [self, told = std::move(request.over)](std::optional<D2dAnalogMean> mean) {
        self->m_isBusy = false;
        told(std::move(mean));
        self->BeginNext();
    };
    const auto layout = GetLayout(request.plan.values, request.plan.takers.size());
    Create<D2dAnalogSlot>(*m_paths, request.receiver, std::move(request.plan), layout, over)
        ->Begin(signals);
}

} // namespace ns3::collab
