/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-shadowing-model.h"

#include "d2d-shadowing-field.h"

#include "ns3/d2d-node-id.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::collab
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
            .AddAttribute(
                "DecorrelationDistance",
                "Distance of a link's ends from where they were at which the "
                "autocorrelation has fallen to 1/e [m]; 0 for a shadowing that never changes.",
                DoubleValue(0.0),
                MakeDoubleAccessor(&D2dShadowingModel::m_decorrelationDistance),
                MakeDoubleChecker<double>(0.0))
            .AddAttribute("Changes",
                          "How often its stream was set: links that a channel keeps hold until "
                          "then.",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&D2dShadowingModel::CountChanges),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

D2dShadowingModel::D2dShadowingModel() = default;

D2dShadowingModel::~D2dShadowingModel() = default;

double
D2dShadowingModel::DoCalcRxPower(double txPowerDbm,
                                 Ptr<MobilityModel> a,
                                 Ptr<MobilityModel> b) const
{
    uint32_t from = GetD2dNodeId(a, *this);
    uint32_t to = GetD2dNodeId(b, *this);
    if (to < from)
    {
        std::swap(from, to);
        std::swap(a, b);
    }
    double value = 0;
    if (m_decorrelationDistance > 0)
    {
        if (!m_field)
        {
            m_field = std::make_unique<const D2dShadowingField>(m_random);
        }
        const double scale = 1 / m_decorrelationDistance;
        const Vector first = a->GetPosition();
        const Vector second = b->GetPosition();
        value = m_field->GetValue(from,
                                  to,
                                  Vector(scale * first.x, scale * first.y, scale * first.z),
                                  Vector(scale * second.x, scale * second.y, scale * second.z));
    }
    else
    {
        value = m_random.GetNormal(from, to, 0);
    }
    return txPowerDbm - m_standardDeviationDb * value;
}

int64_t
D2dShadowingModel::DoAssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random.SetStream(stream);
    m_field.reset();
    ++m_changes;
    return 1;
}

} // namespace ns3::collab
