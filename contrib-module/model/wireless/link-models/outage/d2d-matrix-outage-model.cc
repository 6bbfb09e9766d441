/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-matrix-outage-model.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dMatrixOutageModel);

TypeId
D2dMatrixOutageModel::GetTypeId()
{
    static TypeId tid = AddMatrixAttributes(TypeId("ns3::collab::D2dMatrixOutageModel")
                                                .SetParent<D2dOutageModel>()
                                                .SetGroupName("Collab")
                                                .AddConstructor<D2dMatrixOutageModel>(),
                                            "outage probabilities");
    return tid;
}

D2dMatrixOutageModel::D2dMatrixOutageModel()
    : D2dMatrixModel(
          "ns3::collab::D2dMatrixOutageModel",
          {"a probability in [0, 1]", [](double value) { return value >= 0 && value <= 1; }})
{
}

double
D2dMatrixOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    return Get(signal.receiver, signal.transmitter);
}

} // namespace ns3::collab
