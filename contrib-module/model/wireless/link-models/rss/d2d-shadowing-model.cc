/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-shadowing-model.h"

#include "ns3/d2d-node-id.h"
#include "ns3/double.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dShadowingModel");
NS_OBJECT_ENSURE_REGISTERED(D2dShadowingModel);

TypeId
D2dShadowingModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dShadowingModel")
            .SetParent<PropagationLossModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dShadowingModel>()
            .AddAttribute("StandardDeviation",
                          "Standard deviation of the shadowing [dB]; 0 for none.",
                          DoubleValue(8.0),
                          MakeDoubleAccessor(&D2dShadowingModel::m_standardDeviationDb),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("DecorrelationDistance",
                          "Movement of a link's ends after which the autocorrelation has fallen to "
                          "1/e [m]; 0 for a shadowing that never changes.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&D2dShadowingModel::m_decorrelationDistance),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

double
D2dShadowingModel::DoCalcRxPower(double txPowerDbm,
                                 Ptr<MobilityModel> a,
                                 Ptr<MobilityModel> b) const
{
    Link link(GetD2dNodeId(a, *this), GetD2dNodeId(b, *this));
    if (link.second < link.first)
    {
        std::swap(link.first, link.second);
        std::swap(a, b);
    }
    const double value = m_decorrelationDistance > 0
                             ? Update(link, a->GetPosition(), b->GetPosition())
                             : m_random.GetNormal(link.first, link.second, 0);
    return txPowerDbm - m_standardDeviationDb * value;
}

double
D2dShadowingModel::Update(const Link& link, const Vector& first, const Vector& second) const
{
    const auto draw = [&](State& state) {
        return m_random.GetNormal(link.first, link.second, state.counter++);
    };
    const auto [found, isNew] = m_states.try_emplace(link);
    State& state = found->second;
    if (isNew)
    {
        state.value = draw(state);
    }
    else if (const double moved =
                 CalculateDistance(first, state.first) + CalculateDistance(second, state.second);
             moved > 0)
    {
        const double decay = moved / m_decorrelationDistance;
        state.value =
            std::exp(-decay) * state.value + std::sqrt(-std::expm1(-2 * decay)) * draw(state);
    }
    state.first = first;
    state.second = second;
    return state.value;
}

int64_t
D2dShadowingModel::DoAssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random.SetStream(stream);
    m_states.clear();
    return 1;
}

void
D2dShadowingModel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_states.clear();
    PropagationLossModel::DoDispose();
}

} // namespace collab
} // namespace ns3
