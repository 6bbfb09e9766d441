/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LINK_TRACE_H
#define D2D_LINK_TRACE_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ns3::collab
{

struct D2dTraceRow;

/**
 * @ingroup collab-wireless
 * @brief Path gains or received powers of links over time, from a CSV file.
 *
 * The header is time,from,to,gain or time,from,to,rss: seconds, device numbers (or "server"), and
 * dB or dBm. A row holds for its link until the link's next row. A link is out of range before its
 * first row, after a row with an empty value, and if it has no row. Rows of one direction stand for
 * both unless the other direction has rows of its own. Before the first time of the file its first
 * rows hold.
 */
class D2dLinkTrace
{
  public:
    /// Number of the device that files call server
    static constexpr uint32_t SERVER = std::numeric_limits<uint32_t>::max();
    /// Value of a link that is out of range [dB or dBm]
    static constexpr double OUT_OF_RANGE = -std::numeric_limits<double>::infinity();

    /// @param path path of the file
    /// @throws DataFileError that names file and line if it cannot be read, times go back, a link
    /// has two rows of one time, or something is no number that a path gain or a power can be
    explicit D2dLinkTrace(const std::string& path);

    /// @param devices number of devices of the network
    /// @throws DataFileError that names file and line if a row is about another device, or a device
    /// has no row
    void CheckDevices(uint32_t devices) const;
    /// @return whether values are path gains [dB], and not received powers [dBm]
    bool
    HasGains() const
    {
        return m_hasGains;
    }
    /// @return whether a row is about the server
    bool HasServer() const;
    /// @return whether a row is about two devices, neither of them the server
    bool
    HasPairs() const
    {
        return m_hasPairs;
    }
    /// @return the times of all rows, ascending, each once
    const std::vector<Time>&
    GetTimes() const
    {
        return m_times;
    }
    /// @param from device that sends
    /// @param to another device
    /// @param time when
    /// @param interpolates whether values change linearly between rows, in decibels
    /// @return path gain [dB] or received power [dBm], or OUT_OF_RANGE
    double GetDb(uint32_t from, uint32_t to, Time time, bool interpolates) const;

  private:
    /// A row of a link; ns-3 keeps a list of all Time objects before the simulation
    struct Point
    {
        int64_t step = 0; //!< from when on it holds, in units of Time
        double db = 0;    //!< its value
    };

    /// @param row row of a link
    void TakeRow(const D2dTraceRow& row);
    /// @param line number of a line
    /// @param text device number, or server
    /// @return the number
    uint32_t ReadDevice(std::size_t line, std::string_view text);
    /// @param line number of a line
    /// @param text a value, or nothing
    /// @return the value
    double ReadValue(std::size_t line, std::string_view text) const;

    std::string m_path;                                      //!< of the file
    bool m_hasGains = false;                                 //!< see HasGains()
    bool m_hasPairs = false;                                 //!< see HasPairs()
    std::vector<Time> m_times;                               //!< see GetTimes()
    std::map<uint32_t, std::size_t> m_lineOf;                //!< first line of each device
    std::unordered_map<uint64_t, std::vector<Point>> m_rows; //!< of each direction of a link
};

} // namespace ns3::collab

#endif /* D2D_LINK_TRACE_H */
