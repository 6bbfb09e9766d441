/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CSV_FILE_H
#define COLLAB_CSV_FILE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A table written row by row.
 *
 * Numbers are written with as many digits as it takes to read the same number back, so that equal
 * runs give equal bytes.
 */
class CsvFile
{
  public:
    /**
     * @param path where to write
     * @param columns names of the columns
     * @throws std::runtime_error if the file cannot be written
     */
    CsvFile(const std::string& path, const std::vector<std::string>& columns);

    /**
     * @param value next cell of the row
     * @return this file
     */
    CsvFile& operator<<(double value);
    /// @copydoc operator<<(double)
    CsvFile& operator<<(int64_t value);
    /// @copydoc operator<<(double)
    CsvFile& operator<<(uint64_t value);
    /// @copydoc operator<<(double)
    CsvFile& operator<<(int32_t value);
    /// @copydoc operator<<(double)
    CsvFile& operator<<(uint32_t value);
    /// @copydoc operator<<(double)
    CsvFile& operator<<(const std::string& value);
    /**
     * @param value next cell of the row, written in seconds
     * @return this file
     */
    CsvFile& operator<<(const Time& value);

    /// @brief End the row.
    void EndRow();
    /**
     * @brief Make sure that all rows up to now survive the end of the program.
     * @throws std::runtime_error if they cannot be written
     */
    void Flush();

  private:
    /**
     * @param text next cell of the row
     * @return this file
     */
    CsvFile& Append(const std::string& text);

    std::string m_path;   //!< where to write
    std::ofstream m_file; //!< the file
    std::string m_row;    //!< the present row
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_CSV_FILE_H */
