/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-rss-model.h"

#include "ns3/d2d-node-id.h"

#include <cmath>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dRssModel);

TypeId
D2dRssModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dRssModel").SetParent<PropagationLossModel>().SetGroupName("Collab");
    return tid;
}

double
D2dRssModel::GetRssW(uint32_t transmitter, uint32_t receiver) const
{
    return DoGetRssW(transmitter, receiver);
}

double
D2dRssModel::DoCalcRxPower(double, Ptr<MobilityModel> a, Ptr<MobilityModel> b) const
{
    return 10 * std::log10(DoGetRssW(GetD2dNodeId(a, *this), GetD2dNodeId(b, *this))) + 30;
}

} // namespace ns3::collab
