/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-nakagami-outage-model.h"

#include "ns3/double.h"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dNakagamiOutageModel);

TypeId
D2dNakagamiOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dNakagamiOutageModel")
            .SetParent<D2dOutageModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dNakagamiOutageModel>()
            .AddAttribute("M",
                          "Shape m of the fading, 0.5 to 10000; 1 is Rayleigh fading.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&D2dNakagamiOutageModel::m_m),
                          MakeDoubleChecker<double>(0.5, 1e4));
    return tid;
}

double
D2dNakagamiOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    const double power = m_m * GetSnrThreshold(signal.spectralEfficiency) *
                         (signal.noiseW + signal.interferenceW) / signal.rssW;
    return std::isfinite(power) ? boost::math::gamma_p(m_m, power) : 1.0;
}

std::optional<D2dQuality>
D2dNakagamiOutageModel::DoGetQuality(const D2dSignal& signal) const
{
    const double needed = GetSnrThreshold(signal.spectralEfficiency) *
                          (signal.noiseW + signal.interferenceW) / signal.rssW;
    return D2dQuality{1 / needed, m_m};
}

} // namespace ns3::collab
