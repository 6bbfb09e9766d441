/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CSV_FILE_H
#define COLLAB_CSV_FILE_H

#include "collab-output-file.h"
#include "collab-table.h"

#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief A table as a file of comma-separated values (RFC 4180, with line feeds), names first.
 *
 * Numbers are written with as many digits as it takes to read the same number back, so that equal
 * runs give equal bytes.
 */
class CsvFile : public Table
{
  public:
    /// @param path where to write
    /// @param description columns of the table
    /// @throws std::runtime_error if the file cannot be written
    CsvFile(const std::string& path, const TableDescription& description);

    /// @brief Make sure that all rows up to now survive the end of the program.
    /// @throws std::runtime_error if they cannot be written
    void Flush();

    void Write(std::size_t column, double value) override;
    void Write(std::size_t column, int64_t value) override;
    void Write(std::size_t column, const std::string& value) override;
    void EndRow() override;

  private:
    /// @param column number of the column whose cell comes next
    void Separate(std::size_t column);

    OutputFile m_file; //!< the file
    std::string m_row; //!< the present row
};

} // namespace ns3::collab

#endif /* COLLAB_CSV_FILE_H */
