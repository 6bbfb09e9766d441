/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-movement-file.h"

#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Times above are none of a simulation [s]
constexpr double MOST_SECONDS = 1e9;

/// @param text a line
/// @param separators characters between its words
/// @param keepsEmpty whether there is a word between two separators that follow each other
/// @return its words
std::vector<std::string_view>
SplitLine(std::string_view text, std::string_view separators, bool keepsEmpty)
{
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        if (keepsEmpty || end > begin)
        {
            words.push_back(text.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    return words;
}

/// Reads a file line by line into the ways of devices
class MovementReader
{
  public:
    MovementReader(std::string path, const D2dMovementUse& use)
        : m_path(std::move(path)),
          m_use(use),
          m_file(m_path)
    {
        m_movement.devices.resize(use.devices);
        if (!m_file)
        {
            throw DataFileError(fmt::format("{}: cannot be opened", m_path));
        }
    }

    /// @return how devices move
    D2dMovement
    ReadMovement()
    {
        if (!NextLine())
        {
            Fail("a header time,device,x,y or a line of ns-2's setdest");
        }
        if (m_text.front() == '$')
        {
            ReadSetdest();
        }
        else
        {
            ReadRows({"time", "device", "x", "y", "z"});
        }
        return Finish();
    }

    /// @return where devices are
    D2dMovement
    ReadPositions()
    {
        if (!NextLine())
        {
            Fail("a header device,x,y");
        }
        ReadRows({"device", "x", "y", "z"});
        return Finish();
    }

  private:
    /// @throws DataFileError at the present line
    [[noreturn]] void
    Fail(const std::string& expected, std::string_view found = {}) const
    {
        throw DataFileError(fmt::format("{}: line {}: found '{}', expected {}",
                                        m_path,
                                        m_line,
                                        found.data() ? found : std::string_view(m_text),
                                        expected));
    }

    /// @return whether there is another line that counts, which m_text is then
    bool
    NextLine()
    {
        constexpr const char* BLANKS = " \t\r";
        while (std::getline(m_file, m_text))
        {
            ++m_line;
            m_text.erase(0, m_text.find_first_not_of(BLANKS));
            m_text.erase(m_text.find_last_not_of(BLANKS) + 1);
            if (!m_text.empty() && m_text.front() != '#')
            {
                return true;
            }
        }
        m_text.clear();
        return false;
    }

    double
    ReadNumber(std::string_view text) const
    {
        const auto number = ParseNumber(text);
        if (!number || !std::isfinite(*number))
        {
            Fail("a finite number", text);
        }
        return *number;
    }

    Time
    ReadTime(std::string_view text) const
    {
        const double seconds = ReadNumber(text);
        if (seconds < 0 || seconds > MOST_SECONDS)
        {
            Fail(fmt::format("a time from 0 to {:g} s", MOST_SECONDS), text);
        }
        return Seconds(seconds);
    }

    /// @return the way of the device of this name
    D2dWay&
    FindWay(std::string_view name)
    {
        if (m_use.hasServer && name == "server")
        {
            return m_movement.server;
        }
        const auto device = ParseWholeNumber(name);
        if (!device || *device >= m_use.devices)
        {
            Fail(fmt::format("a device from 0 to {} (--devices){}",
                             m_use.devices - 1,
                             m_use.hasServer ? ", or server" : ""),
                 name);
        }
        return m_movement.devices[*device];
    }

    /// Read the rows below a header, which is the present line, with these columns but maybe z
    void
    ReadRows(std::vector<std::string> names)
    {
        std::string header = m_text;
        for (const char* unit : {"_s", "_m", "_m", "_m"}) // of a run's own table
        {
            const std::size_t at = header.find(unit);
            header.erase(std::min(at, header.size()), at == std::string::npos ? 0 : 2);
        }
        const std::string full = fmt::format("{}", fmt::join(names, ","));
        if (header != full)
        {
            names.pop_back();
            if (header != fmt::format("{}", fmt::join(names, ",")))
            {
                Fail(fmt::format("the header {}, with or without z", full));
            }
        }
        const bool hasTime = names.front() == "time";
        while (NextLine())
        {
            const auto cells = SplitLine(m_text, ",", true);
            if (cells.size() != names.size())
            {
                Fail(fmt::format("{} numbers, as in the header", names.size()));
            }
            std::size_t next = 0;
            const Time time = hasTime ? ReadTime(cells[next++]) : Time();
            D2dWay& way = FindWay(cells[next++]);
            Vector position(0, 0, D2D_DEVICE_HEIGHT);
            position.x = ReadNumber(cells[next++]);
            position.y = ReadNumber(cells[next++]);
            position.z = next < cells.size() ? ReadNumber(cells[next]) : position.z;
            AddPoint(way, {time, position}, cells[hasTime ? 1 : 0]);
        }
    }

    /// Go on to a point of a device's way
    void
    AddPoint(D2dWay& way, const D2dWaypoint& point, std::string_view device) const
    {
        if (way.empty() && point.time.IsStrictlyPositive())
        {
            Fail(fmt::format("a position of device {} at time 0 before this one", device));
        }
        if (!way.empty() && point.time <= way.back().time)
        {
            Fail(point.time.IsZero() ? fmt::format("one position of device {} at time 0", device)
                                     : fmt::format("a time of device {} after {:g} s",
                                                   device,
                                                   way.back().time.GetSeconds()));
        }
        way.push_back(point);
    }

    /// Read lines of ns-2's setdest, of which the present one is the first
    void
    ReadSetdest()
    {
        do
        {
            const auto words = SplitLine(m_text, " \t\"", false);
            if (words[0] == "$god_" || (words.size() > 3 && words[3] == "$god_"))
            {
                continue; // distances in hops, which setdest computes for statistics
            }
            if (words.size() == 4 && words[1] == "set")
            {
                ReadStart(words);
            }
            else if (words.size() == 8 && words[0] == "$ns_" && words[1] == "at" &&
                     words[4] == "setdest")
            {
                ReadDestination(words);
            }
            else
            {
                Fail("$node_(N) set X_ NUMBER, or $ns_ at TIME \"$node_(N) setdest X Y SPEED\"");
            }
        } while (NextLine());
    }

    /// @return the name in $node_(name)
    std::string_view
    ReadNode(std::string_view word) const
    {
        constexpr std::string_view BEGIN = "$node_(";
        if (word.substr(0, BEGIN.size()) != BEGIN || word.back() != ')')
        {
            Fail("$node_(N)", word);
        }
        return word.substr(BEGIN.size(), word.size() - BEGIN.size() - 1);
    }

    /// Where a device is at the start; nothing of a coordinate that is not known
    struct Start
    {
        std::optional<double> x; //!< [m]
        std::optional<double> y; //!< [m]
        std::optional<double> z; //!< [m]
    };

    /// Read $node_(N) set X_ NUMBER
    void
    ReadStart(const std::vector<std::string_view>& words)
    {
        D2dWay& way = FindWay(ReadNode(words[0]));
        Start& start = m_starts[&way];
        auto& coordinate = words[2] == "X_" ? start.x : words[2] == "Y_" ? start.y : start.z;
        if (words[2] != "X_" && words[2] != "Y_" && words[2] != "Z_")
        {
            Fail("X_, Y_ or Z_", words[2]);
        }
        if (coordinate || way.size() > 1)
        {
            Fail(fmt::format("{} of a node once, before it moves", words[2]));
        }
        coordinate = ReadNumber(words[3]);
        if (start.x && start.y)
        {
            way = {{Time(), Vector(*start.x, *start.y, start.z.value_or(D2D_DEVICE_HEIGHT))}};
        }
    }

    /// Read $ns_ at TIME "$node_(N) setdest X Y SPEED": it turns there from where it is
    void
    ReadDestination(const std::vector<std::string_view>& words)
    {
        const Time time = ReadTime(words[2]);
        const std::string_view name = ReadNode(words[3]);
        D2dWay& way = FindWay(name);
        const double speed = ReadNumber(words[7]);
        if (way.empty())
        {
            Fail(fmt::format("X_ and Y_ of device {} before", name));
        }
        Time& turned = m_turned[&way];
        if (time < turned)
        {
            Fail(fmt::format("a time of device {} from {:g} s on", name, turned.GetSeconds()),
                 words[2]);
        }
        turned = time;
        TurnAt(way, time);
        const Vector from = way.back().position;
        const Vector to(ReadNumber(words[5]), ReadNumber(words[6]), from.z);
        const double seconds = speed > 0 ? CalculateDistance(from, to) / speed : 0;
        if (speed < 0 || seconds > MOST_SECONDS)
        {
            Fail("a speed of 0, or one that arrives", words[7]);
        }
        if (time + Seconds(seconds) > time)
        {
            way.push_back({time + Seconds(seconds), to});
        }
    }

    /// End a way at some time, not before the last point but one
    static void
    TurnAt(D2dWay& way, Time time)
    {
        if (way.back().time <= time)
        {
            if (way.back().time < time)
            {
                way.push_back({time, way.back().position});
            }
            return;
        }
        const D2dWaypoint end = way.back();
        way.pop_back();
        const D2dWaypoint begin = way.back();
        const double part = (time - begin.time).GetSeconds() / (end.time - begin.time).GetSeconds();
        if (time > begin.time)
        {
            const Vector step = end.position - begin.position;
            way.push_back(
                {time, begin.position + Vector(step.x * part, step.y * part, step.z * part)});
        }
    }

    /// @return the ways, of all devices
    D2dMovement
    Finish()
    {
        if (m_file.bad())
        {
            throw DataFileError(fmt::format("{}: cannot be read", m_path));
        }
        for (std::size_t device = 0; device < m_movement.devices.size(); ++device)
        {
            if (m_movement.devices[device].empty())
            {
                throw DataFileError(fmt::format("{}: device {} has no position at time 0, expected "
                                                "one of each of {} devices (--devices)",
                                                m_path,
                                                device,
                                                m_use.devices));
            }
        }
        return std::move(m_movement);
    }

    std::string m_path;     //!< of the file
    D2dMovementUse m_use;   //!< which devices it has to have
    std::ifstream m_file;   //!< the file
    std::string m_text;     //!< the present line
    std::size_t m_line = 0; //!< its number, from 1
    D2dMovement m_movement; //!< what was read
    /// Starts of ways, as far as they are known
    std::map<const D2dWay*, Start> m_starts;
    std::map<const D2dWay*, Time> m_turned; //!< when they last got a destination
};

} // namespace

D2dMovement
ReadD2dMovementFile(const std::string& path, const D2dMovementUse& use)
{
    return MovementReader(path, use).ReadMovement();
}

D2dMovement
ReadD2dPositionFile(const std::string& path, const D2dMovementUse& use)
{
    return MovementReader(path, use).ReadPositions();
}

} // namespace ns3::collab
