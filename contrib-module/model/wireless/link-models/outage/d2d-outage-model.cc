/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-outage-model.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-error.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dOutageModel);
NS_OBJECT_ENSURE_REGISTERED(D2dRayleighOutageModel);
NS_OBJECT_ENSURE_REGISTERED(D2dFixedOutageModel);

TypeId
D2dOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dOutageModel")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddAttribute(
                "CoherenceTime",
                "For how long a link fades as it does: fragments that end within one such "
                "interval, which all links have in common, are all lost or all received, "
                "by the outage probability. 0 for independent fragments.",
                TimeValue(Time()),
                MakeTimeAccessor(&D2dOutageModel::m_coherenceTime),
                MakeTimeChecker(Time()));
    return tid;
}

double
D2dOutageModel::GetOutageProbability(const D2dSignal& signal) const
{
    return signal.rssW > 0 ? DoGetOutageProbability(signal) : 1.0;
}

D2dQuality
D2dOutageModel::GetQuality(const D2dSignal& signal) const
{
    if (signal.rssW <= 0)
    {
        return {};
    }
    const std::optional<D2dQuality> quality = DoGetQuality(signal);
    if (!quality)
    {
        throw UserError(GetInstanceTypeId().GetName() +
                        " gives the probability of one transmission alone; D2dMac::Combining "
                        "other than None, and analog aggregation, need the "
                        "D2dRayleighOutageModel, D2dNakagamiOutageModel or "
                        "D2dThresholdOutageModel");
    }
    return *quality;
}

double
D2dOutageModel::GetCombinedOutage(const D2dSignal& signal, uint32_t attempts) const
{
    return GetQuality(signal).GetCombinedOutage(attempts);
}

D2dSignal
D2dOutageModel::AddInterferers(D2dSignal signal, const std::vector<double>& interferersW) const
{
    const double scale = signal.rssW > 0 ? GetInterferenceScale(signal) : 0.0;
    D2dDisturbance all;
    for (const double interfererW : interferersW)
    {
        all.Add(interfererW, scale);
    }
    signal.interferenceW = all.powerW;
    signal.fadedInterference = all.faded;
    return signal;
}

double
D2dOutageModel::GetSpectralEfficiency(D2dSignal signal,
                                      double targetOutage,
                                      double least,
                                      double greatest) const
{
    NS_ABORT_MSG_UNLESS(targetOutage >= 0 && targetOutage <= 1,
                        "D2dOutageModel::GetSpectralEfficiency: target outage "
                            << targetOutage << " is not a probability in [0, 1]");
    NS_ABORT_MSG_UNLESS(0 < least && least <= greatest,
                        "D2dOutageModel::GetSpectralEfficiency: rates from "
                            << least << " to " << greatest << " are not positive and in order");
    NS_ABORT_MSG_UNLESS(signal.fadedInterference == 0,
                        "D2dOutageModel::GetSpectralEfficiency: interference that fades is that "
                        "of one rate; let it add to the noise (interferenceW)");
    const auto meetsTarget = [&](double rate) {
        signal.spectralEfficiency = rate;
        return GetOutageProbability(signal) <= targetOutage;
    };
    if (meetsTarget(greatest))
    {
        return greatest;
    }
    if (!meetsTarget(least))
    {
        return least;
    }
    double rate = DoGetSpectralEfficiency(signal, targetOutage, least, greatest);
    rate = std::min(std::max(rate, least), greatest);
    for (double step = std::numeric_limits<double>::epsilon(); !meetsTarget(rate); step *= 2)
    {
        rate = std::max(rate * (1 - step), least);
    }
    return rate;
}

double
D2dOutageModel::GetSnrThreshold(double spectralEfficiency)
{
    return std::exp2(spectralEfficiency) - 1;
}

double
D2dOutageModel::DoGetSpectralEfficiency(const D2dSignal& signal,
                                        double targetOutage,
                                        double least,
                                        double greatest) const
{
    D2dSignal probe = signal;
    while (greatest - least > RATE_TOLERANCE * least)
    {
        probe.spectralEfficiency = least + (greatest - least) / 2;
        (DoGetOutageProbability(probe) <= targetOutage ? least : greatest) =
            probe.spectralEfficiency;
    }
    return least;
}

TypeId
D2dRayleighOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dRayleighOutageModel")
            .SetParent<D2dOutageModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dRayleighOutageModel>()
            .AddAttribute("InterferenceFading",
                          "Whether signals of other senders fade as the link does, "
                          "each by itself (Rayleigh), or add to the noise by their "
                          "mean powers (Constant).",
                          compat::EnumAttribute(D2dInterferenceFading::RAYLEIGH),
                          compat::EnumAccessor(&D2dRayleighOutageModel::m_interferenceFading),
                          compat::EnumChecker(D2dInterferenceFading::RAYLEIGH,
                                              "Rayleigh",
                                              D2dInterferenceFading::CONSTANT,
                                              "Constant"));
    return tid;
}

double
D2dRayleighOutageModel::GetInterferenceScale(const D2dSignal& signal) const
{
    return m_interferenceFading == D2dInterferenceFading::RAYLEIGH
               ? GetSnrThreshold(signal.spectralEfficiency) / signal.rssW
               : 0.0;
}

double
D2dRayleighOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    const double byNoise = -std::expm1(-GetSnrThreshold(signal.spectralEfficiency) *
                                       (signal.noiseW + signal.interferenceW) / signal.rssW);
    return (byNoise + signal.fadedInterference) / (1 + signal.fadedInterference);
}

double
D2dRayleighOutageModel::DoGetSpectralEfficiency(const D2dSignal& signal,
                                                double targetOutage,
                                                double,
                                                double) const
{
    return std::log2(1 - signal.rssW * std::log1p(-targetOutage) /
                             (signal.noiseW + signal.interferenceW));
}

std::optional<D2dQuality>
D2dRayleighOutageModel::DoGetQuality(const D2dSignal& signal) const
{
    const double needed = GetSnrThreshold(signal.spectralEfficiency) *
                              (signal.noiseW + signal.interferenceW) / signal.rssW +
                          std::log1p(signal.fadedInterference);
    return D2dQuality{1 / needed, 1};
}

TypeId
D2dFixedOutageModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dFixedOutageModel")
                            .SetParent<D2dOutageModel>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dFixedOutageModel>()
                            .AddAttribute("Probability",
                                          "Probability that a fragment is lost on a link.",
                                          DoubleValue(0.0),
                                          MakeDoubleAccessor(&D2dFixedOutageModel::m_probability),
                                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

} // namespace ns3::collab
