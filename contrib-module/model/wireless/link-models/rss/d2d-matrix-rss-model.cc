/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-matrix-rss-model.h"

#include "ns3/uinteger.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dMatrixRssModel);

TypeId
D2dMatrixRssModel::GetTypeId()
{
    static TypeId tid =
        AddMatrixAttributes(TypeId("ns3::collab::D2dMatrixRssModel")
                                .SetParent<D2dRssModel>()
                                .SetGroupName("Collab")
                                .AddConstructor<D2dMatrixRssModel>(),
                            "mean received powers [W]")
            .AddAttribute(
                "Changes",
                "How often a script has set the matrix or its nodes: links that a channel "
                "keeps hold until then.",
                TypeId::ATTR_GET,
                UintegerValue(0),
                MakeUintegerAccessor(&D2dMatrixRssModel::CountChanges),
                MakeUintegerChecker<uint32_t>());
    return tid;
}

D2dMatrixRssModel::D2dMatrixRssModel()
    : D2dMatrixModel("ns3::collab::D2dMatrixRssModel",
                     {"a positive power [W]", [](double value) { return value > 0; }})
{
}

double
D2dMatrixRssModel::DoGetRssW(uint32_t transmitter, uint32_t receiver) const
{
    return Get(receiver, transmitter);
}

int64_t
D2dMatrixRssModel::DoAssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::collab
