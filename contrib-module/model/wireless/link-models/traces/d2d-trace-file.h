/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRACE_FILE_H
#define D2D_TRACE_FILE_H

#include "ns3/nstime.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief A row of a CSV file of what happens when.
struct D2dTraceRow
{
    std::size_t line = 0;                //!< where it is, from 1
    std::size_t header = 0;              //!< which of the headers the file has
    Time time;                           //!< its first cell
    std::vector<std::string_view> cells; //!< all cells without blanks around them
};

/**
 * @ingroup collab-wireless
 * @brief Read a CSV file whose first column is a time in seconds, which never goes back.
 *
 * Empty lines and lines that begin with # are skipped.
 *
 * @param path path of the file
 * @param headers what its first line may be, such as time,device,on
 * @param take gets each row
 * @throws DataFileError that names file and line if the file has another form, or no row
 */
void ReadD2dTraceFile(const std::string& path,
                      const std::vector<std::string>& headers,
                      const std::function<void(const D2dTraceRow&)>& take);

/// @brief Refuse what a file says.
/// @param path path of the file
/// @param line number of the line, from 1
/// @param problem what is wrong there
/// @throws DataFileError that says it
[[noreturn]] void FailD2dTraceFile(const std::string& path,
                                   std::size_t line,
                                   const std::string& problem);

} // namespace ns3::collab

#endif /* D2D_TRACE_FILE_H */
