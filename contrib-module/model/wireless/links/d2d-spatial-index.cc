/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-spatial-index.h"

#include "ns3/abort.h"
#include "ns3/constant-position-mobility-model.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

D2dSpatialIndex::D2dSpatialIndex(double cellSize)
    : m_cellSize(cellSize)
{
    NS_ABORT_MSG_UNLESS(std::isfinite(cellSize) && cellSize > 0,
                        "D2dSpatialIndex: cells of " << cellSize << " m; it must be positive");
}

D2dSpatialIndex::~D2dSpatialIndex()
{
    for (const Device& device : m_devices)
    {
        if (device.still)
        {
            device.mobility->TraceDisconnectWithoutContext(
                "CourseChange", MakeCallback(&D2dSpatialIndex::Move, this));
        }
    }
}

uint32_t
D2dSpatialIndex::Add(Ptr<MobilityModel> mobility)
{
    const auto index = static_cast<uint32_t>(m_devices.size());
    std::vector<uint32_t>& there = m_indicesOf[PeekPointer(mobility)];
    there.push_back(index);
    Device device;
    device.mobility = mobility;
    device.still = mobility->GetInstanceTypeId() == ConstantPositionMobilityModel::GetTypeId();
    device.cell = GetCell(mobility->GetPosition());
    if (device.still)
    {
        m_occupied[device.cell].push_back({index, mobility->GetPosition()});
        if (there.size() == 1)
        {
            mobility->TraceConnectWithoutContext("CourseChange",
                                                 MakeCallback(&D2dSpatialIndex::Move, this));
        }
    }
    else
    {
        m_moving.push_back(index);
    }
    m_devices.push_back(device);
    return index;
}

std::vector<uint32_t>
D2dSpatialIndex::FindWithin(const Vector& position, double range) const
{
    std::vector<uint32_t> found;
    if (!(range >= 0))
    {
        return found;
    }
    // A box that is a little larger, so that rounding hides no cell
    const double reach = range * (1 + 1e-9) + 1e-9 * m_cellSize;
    const Vector corner(reach, reach, reach);
    SearchGrid({position, range, GetCell(position - corner), GetCell(position + corner)}, found);
    for (const uint32_t index : m_moving)
    {
        if (CalculateDistance(m_devices[index].mobility->GetPosition(), position) <= range)
        {
            found.push_back(index);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

void
D2dSpatialIndex::SearchGrid(const Query& query, std::vector<uint32_t>& found) const
{
    const Cell& least = query.least;
    const Cell& greatest = query.greatest;
    double cells = 1;
    for (std::size_t i = 0; i < least.size(); ++i)
    {
        cells *= static_cast<double>(greatest[i] - least[i]) + 1;
    }
    if (cells > static_cast<double>(m_occupied.size()))
    {
        for (const auto& [cell, entries] : m_occupied)
        {
            SearchCell(query, entries, found);
        }
        return;
    }
    for (int64_t x = least[0]; x <= greatest[0]; ++x)
    {
        for (int64_t y = least[1]; y <= greatest[1]; ++y)
        {
            for (int64_t z = least[2]; z <= greatest[2]; ++z)
            {
                const auto cell = m_occupied.find({x, y, z});
                if (cell != m_occupied.end())
                {
                    SearchCell(query, cell->second, found);
                }
            }
        }
    }
}

void
D2dSpatialIndex::SearchCell(const Query& query,
                            const std::vector<Entry>& entries,
                            std::vector<uint32_t>& found)
{
    for (const Entry& entry : entries)
    {
        if (CalculateDistance(entry.position, query.position) <= query.range)
        {
            found.push_back(entry.index);
        }
    }
}

void
D2dSpatialIndex::Move(Ptr<const MobilityModel> mobility)
{
    for (const uint32_t index : m_indicesOf.at(PeekPointer(mobility)))
    {
        MoveDevice(index);
    }
}

void
D2dSpatialIndex::MoveDevice(uint32_t index)
{
    Device& device = m_devices[index];
    std::vector<Entry>& entries = m_occupied.at(device.cell);
    const auto entry = std::find_if(entries.begin(), entries.end(), [index](const Entry& other) {
        return other.index == index;
    });
    *entry = entries.back();
    entries.pop_back();
    if (entries.empty())
    {
        m_occupied.erase(device.cell);
    }
    device.cell = GetCell(device.mobility->GetPosition());
    m_occupied[device.cell].push_back({index, device.mobility->GetPosition()});
}

D2dSpatialIndex::Cell
D2dSpatialIndex::GetCell(const Vector& position) const
{
    const auto round = [this](double coordinate) {
        NS_ABORT_MSG_IF(std::isnan(coordinate), "D2dSpatialIndex: a coordinate is not a number");
        constexpr double LIMIT = 1e15; // far cells become one, so that they fit an integer
        return static_cast<int64_t>(
            std::floor(std::min(std::max(coordinate / m_cellSize, -LIMIT), LIMIT)));
    };
    return {round(position.x), round(position.y), round(position.z)};
}

} // namespace ns3::collab
