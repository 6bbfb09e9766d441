/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-outage-model.h"

#include "ns3/double.h"

#include <cmath>

namespace ns3
{
namespace collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dOutageModel);
NS_OBJECT_ENSURE_REGISTERED(D2dRayleighOutageModel);
NS_OBJECT_ENSURE_REGISTERED(D2dFixedOutageModel);

TypeId
D2dOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dOutageModel").SetParent<Object>().SetGroupName("Collab");
    return tid;
}

double
D2dOutageModel::GetOutageProbability(const D2dSignal& signal) const
{
    return signal.rssW > 0 ? DoGetOutageProbability(signal) : 1.0;
}

TypeId
D2dRayleighOutageModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dRayleighOutageModel")
                            .SetParent<D2dOutageModel>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dRayleighOutageModel>();
    return tid;
}

double
D2dRayleighOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    const double snrThreshold = std::exp2(signal.spectralEfficiency) - 1;
    return -std::expm1(-snrThreshold * (signal.noiseW + signal.interferenceW) / signal.rssW);
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

double
D2dFixedOutageModel::DoGetOutageProbability(const D2dSignal&) const
{
    return m_probability;
}

} // namespace collab
} // namespace ns3
