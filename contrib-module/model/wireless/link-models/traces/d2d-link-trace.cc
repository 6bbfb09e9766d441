/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-link-trace.h"

#include "d2d-trace-file.h"

#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace ns3::collab
{

namespace
{

constexpr std::string_view SERVER_NAME = "server"; //!< what files call it

/// @param from device that sends
/// @param to another device
/// @return the direction of the link as a key
uint64_t
GetKey(uint32_t from, uint32_t to)
{
    return uint64_t{from} << 32 | to;
}

} // namespace

D2dLinkTrace::D2dLinkTrace(const std::string& path)
    : m_path(path)
{
    ReadD2dTraceFile(path,
                     {"time,from,to,gain", "time,from,to,rss"},
                     [this](const D2dTraceRow& row) { TakeRow(row); });
}

void
D2dLinkTrace::CheckDevices(uint32_t devices) const
{
    for (const auto& [device, line] : m_lineOf)
    {
        if (device >= devices && device != SERVER)
        {
            FailD2dTraceFile(
                m_path,
                line,
                fmt::format("there is no device {}; devices are numbered from 0 to {} (--devices)",
                            device,
                            devices - 1));
        }
    }
    for (uint32_t device = 0; device < devices; ++device)
    {
        if (m_lineOf.count(device) == 0)
        {
            throw DataFileError(
                fmt::format("{}: there is no row of device {}; each of the {} devices (--devices) "
                            "needs one, with an empty value if it is never in range",
                            m_path,
                            device,
                            devices));
        }
    }
}

bool
D2dLinkTrace::HasServer() const
{
    return m_lineOf.count(SERVER) > 0;
}

double
D2dLinkTrace::GetDb(uint32_t from, uint32_t to, Time time, bool interpolates) const
{
    auto link = m_rows.find(GetKey(from, to));
    link = link == m_rows.end() ? m_rows.find(GetKey(to, from)) : link;
    if (link == m_rows.end())
    {
        return OUT_OF_RANGE;
    }
    const std::vector<Point>& points = link->second;
    const int64_t now = std::max(time, m_times.front()).GetTimeStep();
    const auto next = std::upper_bound(
        points.begin(), points.end(), now, [](int64_t at, const Point& p) { return at < p.step; });
    if (next == points.begin())
    {
        return OUT_OF_RANGE;
    }
    const Point& last = *std::prev(next);
    const bool isBetween = interpolates && next != points.end() && std::isfinite(next->db);
    if (!isBetween || !std::isfinite(last.db))
    {
        return last.db;
    }
    const auto part =
        static_cast<double>(now - last.step) / static_cast<double>(next->step - last.step);
    return last.db + part * (next->db - last.db);
}

void
D2dLinkTrace::TakeRow(const D2dTraceRow& row)
{
    m_hasGains = row.header == 0;
    const uint32_t from = ReadDevice(row.line, row.cells[1]);
    const uint32_t to = ReadDevice(row.line, row.cells[2]);
    if (from == to)
    {
        FailD2dTraceFile(
            m_path, row.line, fmt::format("a link from device {} to itself", row.cells[1]));
    }
    m_hasPairs = m_hasPairs || (from != SERVER && to != SERVER);
    std::vector<Point>& points = m_rows[GetKey(from, to)];
    if (!points.empty() && points.back().step == row.time.GetTimeStep())
    {
        FailD2dTraceFile(m_path,
                         row.line,
                         fmt::format("a second row of the link from {} to {} at {} s",
                                     row.cells[1],
                                     row.cells[2],
                                     row.cells[0]));
    }
    points.push_back({row.time.GetTimeStep(), ReadValue(row.line, row.cells[3])});
    if (m_times.empty() || m_times.back() < row.time)
    {
        m_times.push_back(row.time);
    }
}

uint32_t
D2dLinkTrace::ReadDevice(std::size_t line, std::string_view text)
{
    constexpr uint32_t NONE = SERVER - 1;
    const uint32_t device = text == SERVER_NAME ? SERVER : ParseWholeNumber(text).value_or(NONE);
    if (device == NONE)
    {
        FailD2dTraceFile(
            m_path, line, fmt::format("found device '{}', expected its number or server", text));
    }
    m_lineOf.emplace(device, line);
    return device;
}

double
D2dLinkTrace::ReadValue(std::size_t line, std::string_view text) const
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    const double value = text.empty() ? OUT_OF_RANGE : ParseNumber(text).value_or(NONE);
    if (!(value < -OUT_OF_RANGE))
    {
        FailD2dTraceFile(
            m_path,
            line,
            fmt::format("found '{}', expected a number, or nothing if out of range", text));
    }
    if (m_hasGains && value > 0)
    {
        FailD2dTraceFile(
            m_path, line, fmt::format("a path gain of {} dB, expected 0 dB or less", text));
    }
    return value;
}

} // namespace ns3::collab
