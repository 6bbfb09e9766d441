/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-presence.h"

#include "scenario-checks.h"

#include "ns3/collab-number.h"
#include "ns3/collab-processor.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-trace-file.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <regex>

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr const char* ALWAYS = "always";
/// Of random stays, apart from those of the network and of movement
constexpr int64_t PRESENCE_STREAM = 1LL << 41;

/// Switch all radios and the processor of a device on or off
void
Switch(const Ptr<Node>& node, bool on)
{
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto radio = DynamicCast<D2dNetDevice>(node->GetDevice(i)))
        {
            on ? radio->GetMac()->SwitchOn() : radio->GetMac()->SwitchOff();
        }
    }
    const auto processor = node->GetObject<Processor>();
    on ? processor->SwitchOn() : processor->SwitchOff();
}

/// Let a device stay as it is, and be switched then
void
ScheduleStay(const std::shared_ptr<const Presence>& presence,
             const Ptr<Node>& node,
             uint32_t number)
{
    const uint32_t device = node->GetId();
    if (const auto stay = presence->GetStay(device, number))
    {
        Simulator::Schedule(*stay, [presence, node, device, number]() {
            Switch(node, presence->IsOnAtStart(device) == (number % 2 == 1));
            ScheduleStay(presence, node, number + 1);
        });
    }
}

} // namespace

std::set<uint32_t>
ReadDevices(const std::string& text, uint32_t devices)
{
    static const std::regex range("([0-9]{1,8})(?:-([0-9]{1,8}))?");
    std::set<uint32_t> named;
    for (const std::string& item : SplitList(text))
    {
        std::smatch match;
        if (!std::regex_match(item, match, range))
        {
            return {};
        }
        const auto first = *ParseWholeNumber(match.str(1));
        const auto last = match[2].matched ? *ParseWholeNumber(match.str(2)) : first;
        if (last >= devices || first > last)
        {
            return {};
        }
        for (uint32_t device = first; device <= last; ++device)
        {
            named.insert(device);
        }
    }
    return named;
}

Presence::Presence(const std::string& given, uint32_t devices)
    : m_given(given),
      m_onAtStart(devices, true),
      m_changes(devices)
{
    m_random.SetStream(PRESENCE_STREAM);
    const auto file = FindFile(given);
    const auto absences = FindAfter(given, "off:");
    const auto means = FindAfter(given, "exponential:");
    if (file)
    {
        ReadFile(*file);
        return;
    }
    Require(given == ALWAYS || (absences && ReadAbsences(*absences)) ||
                (means && ReadMeans(*means)),
            "presence",
            given,
            fmt::format("always, file:PATH, exponential:ON,OFF with mean durations in seconds, or "
                        "such as \"off:3:20-60;7,9:100-\" with devices from 0 to {} and times in "
                        "seconds that do not overlap",
                        devices - 1));
}

bool
Presence::IsOnAtStart(uint32_t device) const
{
    if (m_means)
    {
        const auto [on, off] = *m_means;
        return m_random.GetUniform(device, 1, 0) < on / (on + off);
    }
    return m_onAtStart[device];
}

std::optional<Time>
Presence::GetStay(uint32_t device, uint32_t number) const
{
    if (m_means)
    {
        const bool on = IsOnAtStart(device) == (number % 2 == 0);
        const double mean = on ? m_means->first : m_means->second;
        return Seconds(-mean * std::log(m_random.GetUniform(device, 0, number)));
    }
    const auto& changes = m_changes[device];
    if (number >= changes.size())
    {
        return std::nullopt;
    }
    return changes[number] - (number == 0 ? Time() : changes[number - 1]);
}

Time
Presence::GetLastReturn() const
{
    if (m_means)
    {
        constexpr double NEVER_OVER = 1e9; // [s]
        return Seconds(NEVER_OVER);
    }
    Time last;
    for (std::size_t device = 0; device < m_changes.size(); ++device)
    {
        bool on = m_onAtStart[device];
        for (const Time& change : m_changes[device])
        {
            on = !on;
            last = on ? std::max(last, change) : last;
        }
    }
    return last;
}

void
Presence::Change(uint32_t device, Time time, bool on)
{
    auto& changes = m_changes[device];
    if (time.IsZero())
    {
        m_onAtStart[device] = on;
    }
    else if (on != (m_onAtStart[device] == (changes.size() % 2 == 0)))
    {
        changes.push_back(time);
    }
}

bool
Presence::ReadAbsences(const std::string& list)
{
    static const std::string seconds = SECONDS_PATTERN;
    static const std::regex form("([0-9,-]+):" + seconds + "-" + seconds + "?");
    std::vector<std::map<Time, std::optional<Time>>> absences(m_changes.size()); // by device
    for (const std::string& item : SplitList(list, ';'))
    {
        std::smatch match;
        if (!std::regex_match(item, match, form))
        {
            return false;
        }
        const auto devices = ReadDevices(match.str(1), static_cast<uint32_t>(m_changes.size()));
        const Time from = Seconds(*ParseNumber(match.str(2)));
        std::optional<Time> to;
        if (match[3].matched)
        {
            to = Seconds(*ParseNumber(match.str(3)));
        }
        bool isRight = !devices.empty() && (!to || *to > from);
        for (const uint32_t device : devices)
        {
            isRight = absences[device].emplace(from, to).second && isRight;
        }
        if (!isRight)
        {
            return false;
        }
    }
    for (uint32_t device = 0; device < absences.size(); ++device)
    {
        std::optional<Time> end = NanoSeconds(-1);
        for (const auto& [from, to] : absences[device])
        {
            if (!end || from <= *end)
            {
                return false; // off already
            }
            Change(device, from, false);
            if (to)
            {
                Change(device, *to, true);
            }
            end = to;
        }
    }
    return !list.empty();
}

bool
Presence::ReadMeans(const std::string& means)
{
    const std::size_t comma = std::min(means.find(','), means.size() - 1);
    const double on = ParseNumber(means.substr(0, comma)).value_or(0);
    const double off = ParseNumber(means.substr(comma + 1)).value_or(0);
    constexpr double LEAST = 1e-3; // [s]
    constexpr double MOST = 1e8;   // [s]
    m_means.emplace(on, off);
    return on >= LEAST && on <= MOST && off >= LEAST && off <= MOST;
}

void
Presence::ReadFile(const std::string& path)
{
    std::vector<std::optional<Time>> before(m_changes.size());
    const auto take = [&](const D2dTraceRow& row) {
        const auto device = ParseWholeNumber(row.cells[1]);
        if (!device || *device >= m_changes.size())
        {
            FailD2dTraceFile(path,
                             row.line,
                             fmt::format("there is no device '{}'; devices are numbered from 0 to "
                                         "{} (--devices)",
                                         row.cells[1],
                                         m_changes.size() - 1));
        }
        if (row.cells[2] != "0" && row.cells[2] != "1")
        {
            FailD2dTraceFile(
                path, row.line, fmt::format("found '{}', expected 1 or 0", row.cells[2]));
        }
        const bool on = row.cells[2] == "1";
        auto& last = before[*device];
        if (last == row.time)
        {
            FailD2dTraceFile(
                path,
                row.line,
                fmt::format("a second row of device {} at {} s", *device, row.cells[0]));
        }
        if (!last)
        {
            m_onAtStart[*device] = !on; // or else this were no change
        }
        Change(*device, row.time, on);
        last = row.time;
    };
    CheckArgument<DataFileError>(
        "presence", m_given, [&]() { ReadD2dTraceFile(path, {"time,device,on"}, take); });
}

void
SchedulePresence(const Presence& presence, const NodeContainer& nodes)
{
    const auto shared = std::make_shared<const Presence>(presence);
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        if (!shared->IsOnAtStart((*node)->GetId()))
        {
            Simulator::Schedule(Time(), [node = *node]() { Switch(node, false); });
        }
        ScheduleStay(shared, *node, 0);
    }
}
