/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-matrix-rss-model.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dMatrixRssModel);

TypeId
D2dMatrixRssModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dMatrixRssModel")
            .SetParent<D2dRssModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dMatrixRssModel>()
            .AddAttribute("FileName",
                          "File with the mean received powers [W]: a line for each receiver, "
                          "a column for each transmitter.",
                          StringValue(""),
                          MakeStringAccessor(&D2dMatrixRssModel::SetFileName,
                                             &D2dMatrixRssModel::GetFileName),
                          MakeStringChecker())
            .AddAttribute("Symmetric",
                          "Promise, which is checked, that both ways of a link are the same.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&D2dMatrixRssModel::SetSymmetric,
                                              &D2dMatrixRssModel::IsSymmetric),
                          MakeBooleanChecker())
            .AddAttribute("Changes",
                          "How often a script has set the matrix or its nodes: links that a channel "
                          "keeps hold until then.",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&D2dMatrixRssModel::CountChanges),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

D2dMatrixRssModel::D2dMatrixRssModel()
    : m_matrix("ns3::collab::D2dMatrixRssModel",
               {"a positive power [W]", [](double value) { return value > 0; }})
{
}

void
D2dMatrixRssModel::SetMatrix(const std::vector<std::vector<double>>& rssW)
{
    m_matrix.SetValues(rssW);
    ++m_changes;
}

void
D2dMatrixRssModel::SetNodes(const NodeContainer& nodes)
{
    m_matrix.SetNodes(nodes);
    ++m_changes;
}

double
D2dMatrixRssModel::DoGetRssW(uint32_t transmitter, uint32_t receiver) const
{
    return m_matrix.Get(receiver, transmitter);
}

int64_t
D2dMatrixRssModel::DoAssignStreams(int64_t)
{
    return 0;
}

void
D2dMatrixRssModel::SetFileName(const std::string& fileName)
{
    m_matrix.SetFileName(fileName);
}

std::string
D2dMatrixRssModel::GetFileName() const
{
    return m_matrix.GetFileName();
}

void
D2dMatrixRssModel::SetSymmetric(bool symmetric)
{
    m_matrix.SetSymmetric(symmetric);
}

bool
D2dMatrixRssModel::IsSymmetric() const
{
    return m_matrix.IsSymmetric();
}

uint32_t
D2dMatrixRssModel::CountChanges() const
{
    return m_changes;
}

} // namespace ns3::collab
