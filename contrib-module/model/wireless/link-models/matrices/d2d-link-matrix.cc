/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-link-matrix.h"

#include "d2d-matrix-file.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/node.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace ns3::collab
{

D2dLinkMatrix::D2dLinkMatrix(std::string owner, D2dLinkQuantity quantity)
    : m_owner(std::move(owner)),
      m_quantity(quantity)
{
}

void
D2dLinkMatrix::SetFileName(const std::string& fileName)
{
    m_fileName = fileName;
    m_values.clear();
    m_ready = false;
}

void
D2dLinkMatrix::SetValues(std::vector<std::vector<double>> values)
{
    m_fileName.clear();
    m_values = std::move(values);
    m_ready = false;
}

void
D2dLinkMatrix::SetSymmetric(bool symmetric)
{
    m_symmetric = symmetric;
    m_ready = false;
}

void
D2dLinkMatrix::SetNodes(const NodeContainer& nodes)
{
    m_indexOf.clear();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const bool isNew = m_indexOf.emplace(nodes.Get(i)->GetId(), i).second;
        NS_ABORT_MSG_UNLESS(isNew,
                            m_owner << "::SetNodes: node " << nodes.Get(i)->GetId()
                                    << " is given twice; every node has one row");
    }
    m_ready = false;
}

double
D2dLinkMatrix::Get(uint32_t receiver, uint32_t transmitter) const
{
    if (!m_ready)
    {
        Prepare();
    }
    return m_values[GetIndex(receiver)][GetIndex(transmitter)];
}

void
D2dLinkMatrix::Prepare() const
{
    if (!m_fileName.empty())
    {
        D2dMatrixFile file = ReadD2dMatrixFile(m_fileName);
        m_values = std::move(file.values);
        m_lines = std::move(file.lines);
    }
    else if (m_values.empty())
    {
        throw UserError(
            fmt::format("{}: there is no matrix; set FileName or call SetMatrix", m_owner));
    }
    CheckSize();
    CheckValues();
    if (m_symmetric)
    {
        CheckSymmetry();
    }
    m_ready = true;
}

void
D2dLinkMatrix::CheckSize() const
{
    for (std::size_t i = 0; i < m_values.size(); ++i)
    {
        if (m_values[i].size() != m_values.size())
        {
            Fail(fmt::format("row {} has {} numbers, expected {} as there are rows",
                             i,
                             m_values[i].size(),
                             m_values.size()));
        }
    }
    if (!m_indexOf.empty() && m_indexOf.size() != m_values.size())
    {
        Fail(fmt::format("found {0} x {0} numbers, expected {1} x {1} as SetNodes gave {1} nodes",
                         m_values.size(),
                         m_indexOf.size()));
    }
}

void
D2dLinkMatrix::CheckValues() const
{
    for (std::size_t i = 0; i < m_values.size(); ++i)
    {
        for (std::size_t j = 0; j < m_values.size(); ++j)
        {
            const double value = m_values[i][j];
            if (i != j && !(std::isfinite(value) && m_quantity.isAllowed(value)))
            {
                Fail(fmt::format(
                    "{}: found {}, expected {}", GetPlace(i, j), value, m_quantity.allowed));
            }
        }
    }
}

void
D2dLinkMatrix::CheckSymmetry() const
{
    for (std::size_t i = 0; i < m_values.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            if (m_values[i][j] != m_values[j][i])
            {
                Fail(fmt::format(
                    "found {} at {} but {} at {}, expected the same as Symmetric is set",
                    m_values[j][i],
                    GetPlace(j, i),
                    m_values[i][j],
                    GetPlace(i, j)));
            }
        }
    }
}

std::size_t
D2dLinkMatrix::GetIndex(uint32_t node) const
{
    if (m_indexOf.empty() && node < m_values.size())
    {
        return node;
    }
    const auto found = m_indexOf.find(node);
    if (found == m_indexOf.end())
    {
        throw UserError(
            fmt::format("{0}: node {1} has no row in the {2} x {2} matrix, whose rows are of {3}",
                        m_owner,
                        node,
                        m_values.size(),
                        m_indexOf.empty()
                            ? fmt::format("nodes 0 to {}; each node with a radio needs a row and a "
                                          "column, a server too, whose number follows those of "
                                          "the devices (see SetNodes)",
                                          m_values.size() - 1)
                            : "the nodes given to SetNodes"));
    }
    return found->second;
}

std::string
D2dLinkMatrix::GetPlace(std::size_t row, std::size_t column) const
{
    return m_fileName.empty() ? fmt::format("row {}, column {}", row, column)
                              : fmt::format("line {}, column {}", m_lines[row], column + 1);
}

void
D2dLinkMatrix::Fail(const std::string& problem) const
{
    if (m_fileName.empty())
    {
        throw UserError(fmt::format("{}: matrix: {}", m_owner, problem));
    }
    throw DataFileError(fmt::format("{}: {}", m_fileName, problem));
}

} // namespace ns3::collab
