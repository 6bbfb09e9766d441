/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-losses.h"

#include "ns3/d2d-phy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::collab
{

D2dLosses::D2dLosses(const D2dChannelSettings& settings, int64_t fadingStream)
    : m_settings(settings),
      m_fading(fadingStream)
{
}

double
D2dLosses::GetNoiseW(double bandwidthHz) const
{
    constexpr double BOLTZMANN_J_PER_K = 1.380649e-23;
    constexpr double REFERENCE_TEMPERATURE_K = 290;
    if (m_settings.noisePowerW > 0)
    {
        return m_settings.noisePowerW;
    }
    return BOLTZMANN_J_PER_K * REFERENCE_TEMPERATURE_K * bandwidthHz * m_settings.noiseFigure;
}

double
D2dLosses::GetOutageProbability(const D2dSignal& signal) const
{
    return m_outageModel->GetOutageProbability(signal);
}

double
D2dLosses::GetOutageProbability(const D2dPhy& transmitter,
                                const D2dLink& link,
                                const D2dDisturbance& disturbance,
                                double spectralEfficiency,
                                uint32_t fragmentBytes) const
{
    if (!link.inRange)
    {
        return 1.0;
    }
    const double noiseW = GetNoiseW(transmitter.GetBandwidthHz());
    const bool disturbed = disturbance.powerW > 0 || disturbance.faded > 0;
    if (!disturbed && link.KeepsLoss(noiseW, spectralEfficiency))
    {
        return link.keptLoss;
    }
    D2dSignal signal = MakeSignal(transmitter, link, spectralEfficiency);
    signal.interferenceW = disturbance.powerW;
    signal.fadedInterference = disturbance.faded;
    signal.fragmentBytes = fragmentBytes > 0 ? fragmentBytes : transmitter.GetFragmentBytes();
    const double loss = m_outageModel->GetOutageProbability(signal);
    if (!disturbed && m_outageModel->IsFunctionOfSignal())
    {
        link.keptLoss = loss;
        link.keptNoiseW = noiseW;
        link.keptRate = spectralEfficiency;
    }
    return loss;
}

double
D2dLosses::GetInterferenceScale(const D2dPhy& transmitter,
                                const D2dLink& link,
                                double spectralEfficiency) const
{
    return link.rssW > 0 ? m_outageModel->GetInterferenceScale(
                               MakeSignal(transmitter, link, spectralEfficiency))
                         : 0.0;
}

D2dSignal
D2dLosses::MakeSignal(const D2dPhy& transmitter,
                      const D2dLink& link,
                      double spectralEfficiency) const
{
    D2dSignal signal;
    signal.transmitter = transmitter.GetNode()->GetId();
    signal.receiver = link.receiverNode;
    signal.rssW = link.rssW;
    signal.noiseW = GetNoiseW(transmitter.GetBandwidthHz());
    signal.spectralEfficiency = spectralEfficiency;
    return signal;
}

double
D2dLosses::Fade(const D2dPhy& transmitter, const D2dPhy& receiver, double probability)
{
    const Time coherence = m_outageModel->GetCoherenceTime();
    if (!coherence.IsStrictlyPositive())
    {
        return probability;
    }
    const double gain =
        m_fading.GetGain(transmitter.GetChannelIndex(), receiver.GetChannelIndex(), coherence);
    return gain < probability ? 1.0 : 0.0;
}

D2dQuality
D2dLosses::GetQuality(const D2dPhy& transmitter,
                      const D2dLink& link,
                      const D2dDisturbance& disturbance,
                      double spectralEfficiency,
                      uint32_t fragmentBytes)
{
    if (!link.inRange)
    {
        return {};
    }
    D2dSignal signal = MakeSignal(transmitter, link, spectralEfficiency);
    signal.interferenceW = disturbance.powerW;
    signal.fadedInterference = disturbance.faded;
    signal.fragmentBytes = fragmentBytes;
    const D2dQuality quality = m_outageModel->GetQuality(signal);
    const Time coherence = m_outageModel->GetCoherenceTime();
    if (!coherence.IsStrictlyPositive())
    {
        return quality;
    }
    const double gain =
        m_fading.GetGain(transmitter.GetChannelIndex(), link.receiverIndex, coherence);
    return {quality.GetQuantile(gain), std::numeric_limits<double>::infinity()};
}

double
D2dLosses::ReadRssW(const D2dPhy& transmitter,
                    const D2dLink& link,
                    double spectralEfficiency,
                    uint32_t fragments,
                    RandomVariableStream& random)
{
    if (!m_outageModel->IsFunctionOfSignal())
    {
        return link.rssW;
    }
    const D2dSignal signal = MakeSignal(transmitter, link, spectralEfficiency);
    const D2dQuality quality = m_outageModel->GetQuality(signal);
    const double neededW = link.rssW / quality.mean; // for a fragment to arrive
    const Time coherence = m_outageModel->GetCoherenceTime();
    if (coherence.IsStrictlyPositive())
    {
        return neededW * quality.GetQuantile(m_fading.GetGain(
                             transmitter.GetChannelIndex(), link.receiverIndex, coherence));
    }
    const double lost = m_outageModel->GetOutageProbability(signal);
    double sumW = 0;
    for (uint32_t i = 0; i < fragments; ++i)
    {
        sumW += neededW * quality.GetQuantile(lost + (1 - lost) * random.GetValue());
    }
    return sumW / fragments;
}

double
D2dLosses::GetFading(const D2dPhy& transmitter, const D2dLink& link, double uniform)
{
    const D2dQuality quality = m_outageModel->GetQuality(MakeSignal(transmitter, link, 1));
    const Time coherence = m_outageModel->GetCoherenceTime();
    if (coherence.IsStrictlyPositive())
    {
        uniform = m_fading.GetGain(transmitter.GetChannelIndex(), link.receiverIndex, coherence);
    }
    return quality.mean > 0 ? quality.GetQuantile(uniform) / quality.mean : 0.0;
}

Time
D2dLosses::GetTimeToFading() const
{
    return D2dBlockFading::GetTimeToNext(m_outageModel->GetCoherenceTime());
}

double
D2dLosses::GetAcknowledgmentLoss(const D2dPhy& sender,
                                 const D2dLink& link,
                                 Time turnaround,
                                 const std::vector<double>& interferersW) const
{
    const bool comesTooLate = turnaround.IsStrictlyPositive() && link.delay * 4 >= turnaround;
    if (!link.returnInRange || comesTooLate)
    {
        return 1.0;
    }
    D2dSignal signal;
    signal.transmitter = link.receiverNode;
    signal.receiver = sender.GetNode()->GetId();
    signal.rssW = link.returnRssW;
    signal.noiseW = GetNoiseW(link.receiver->GetBandwidthHz());
    signal.spectralEfficiency = link.receiver->GetSpectralEfficiency();
    signal.fragmentBytes = std::max(link.receiver->GetAcknowledgmentSize(), uint32_t{1});
    if (!interferersW.empty())
    {
        signal = m_outageModel->AddInterferers(signal, interferersW);
    }
    return m_outageModel->GetOutageProbability(signal);
}

std::optional<double>
D2dLosses::FindSpectralEfficiency(const D2dPhy& sender,
                                  const D2dLink& link,
                                  double targetOutage,
                                  double least,
                                  double greatest) const
{
    if (!link.returnInRange)
    {
        return std::nullopt;
    }
    const double aheadDb = sender.GetTxPowerDbm() - link.receiver->GetTxPowerDbm();
    D2dSignal signal;
    signal.transmitter = sender.GetNode()->GetId();
    signal.receiver = link.receiverNode;
    signal.rssW = link.returnRssW * std::pow(10.0, aheadDb / 10);
    signal.noiseW = GetNoiseW(sender.GetBandwidthHz());
    signal.fragmentBytes = sender.GetFragmentBytes();
    return FindSpectralEfficiency(signal, targetOutage, least, greatest);
}

std::optional<double>
D2dLosses::FindSpectralEfficiency(D2dSignal signal,
                                  double targetOutage,
                                  double least,
                                  double greatest) const
{
    signal.spectralEfficiency =
        m_outageModel->GetSpectralEfficiency(signal, targetOutage, least, greatest);
    const bool isServed = signal.spectralEfficiency > least ||
                          m_outageModel->GetOutageProbability(signal) <= targetOutage;
    return isServed ? std::optional(signal.spectralEfficiency) : std::nullopt;
}

} // namespace ns3::collab
