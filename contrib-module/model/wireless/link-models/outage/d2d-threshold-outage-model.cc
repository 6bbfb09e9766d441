/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-threshold-outage-model.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dThresholdOutageModel);

TypeId
D2dThresholdOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dThresholdOutageModel")
            .SetParent<D2dOutageModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dThresholdOutageModel>()
            .AddAttribute("Margin",
                          "Signal-to-noise ratio that is needed beyond that of capacity [dB].",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&D2dThresholdOutageModel::m_marginDb),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

double
D2dThresholdOutageModel::GetCapacity(const D2dSignal& signal) const
{
    const double sinr = signal.rssW / (signal.noiseW + signal.interferenceW);
    return std::log2(1 + sinr / std::pow(10.0, m_marginDb / 10));
}

double
D2dThresholdOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    return GetCapacity(signal) < signal.spectralEfficiency ? 1.0 : 0.0;
}

std::optional<D2dQuality>
D2dThresholdOutageModel::DoGetQuality(const D2dSignal& signal) const
{
    const double sinr = signal.rssW / (signal.noiseW + signal.interferenceW);
    const double needed =
        GetSnrThreshold(signal.spectralEfficiency) * std::pow(10.0, m_marginDb / 10);
    // One that suffices by its capacity shall do so whatever is rounded here
    const double least = DoGetOutageProbability(signal) == 0 ? 1.0 : 0.0;
    return D2dQuality{std::max(sinr / needed, least), std::numeric_limits<double>::infinity()};
}

double
D2dThresholdOutageModel::DoGetSpectralEfficiency(const D2dSignal& signal,
                                                 double,
                                                 double,
                                                 double) const
{
    return GetCapacity(signal);
}

} // namespace ns3::collab
