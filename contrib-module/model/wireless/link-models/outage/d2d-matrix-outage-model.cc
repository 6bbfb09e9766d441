/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-matrix-outage-model.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dMatrixOutageModel);

TypeId
D2dMatrixOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dMatrixOutageModel")
            .SetParent<D2dOutageModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dMatrixOutageModel>()
            .AddAttribute("FileName",
                          "File with the outage probabilities: a line for each receiver, "
                          "a column for each transmitter.",
                          StringValue(""),
                          MakeStringAccessor(&D2dMatrixOutageModel::SetFileName,
                                             &D2dMatrixOutageModel::GetFileName),
                          MakeStringChecker())
            .AddAttribute("Symmetric",
                          "Promise, which is checked, that both ways of a link are the same.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&D2dMatrixOutageModel::SetSymmetric,
                                              &D2dMatrixOutageModel::IsSymmetric),
                          MakeBooleanChecker());
    return tid;
}

D2dMatrixOutageModel::D2dMatrixOutageModel()
    : m_matrix("ns3::collab::D2dMatrixOutageModel",
               {"a probability in [0, 1]", [](double value) { return value >= 0 && value <= 1; }})
{
}

void
D2dMatrixOutageModel::SetMatrix(const std::vector<std::vector<double>>& probabilities)
{
    m_matrix.SetValues(probabilities);
}

void
D2dMatrixOutageModel::SetNodes(const NodeContainer& nodes)
{
    m_matrix.SetNodes(nodes);
}

double
D2dMatrixOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    return m_matrix.Get(signal.receiver, signal.transmitter);
}

void
D2dMatrixOutageModel::SetFileName(const std::string& fileName)
{
    m_matrix.SetFileName(fileName);
}

std::string
D2dMatrixOutageModel::GetFileName() const
{
    return m_matrix.GetFileName();
}

void
D2dMatrixOutageModel::SetSymmetric(bool symmetric)
{
    m_matrix.SetSymmetric(symmetric);
}

bool
D2dMatrixOutageModel::IsSymmetric() const
{
    return m_matrix.IsSymmetric();
}

} // namespace ns3::collab
