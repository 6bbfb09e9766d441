/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONFIGURATION_RST_TABLE_H
#define CONFIGURATION_RST_TABLE_H

#include <ostream>
#include <regex>
#include <string>
#include <vector>

namespace tests
{

/// What shows a text of the code as it is: what would be markup in reStructuredText is escaped
inline std::string
Escape(const std::string& text)
{
    static const std::regex markup(R"([\\*`|]|_(?![A-Za-z0-9]))");
    return std::regex_replace(text, markup, R"(\$&)");
}

/// A value as code; an empty one in words, since there is no empty literal
inline std::string
Literal(const std::string& value)
{
    return value.empty() ? "(empty)" : "``" + value + "``";
}

/// A section of reStructuredText that is a table, and its first row
inline void
PrintHead(std::ostream& os,
          const std::string& title,
          const std::string& introduction,
          const std::string& widths,
          const std::vector<std::string>& columns)
{
    os << "\n" << title << "\n" << std::string(title.size(), '~') << "\n";
    if (!introduction.empty())
    {
        os << "\n" << introduction << "\n";
    }
    os << "\n.. list-table::\n   :header-rows: 1\n   :widths: " << widths << "\n\n";
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        os << (i == 0 ? "   * - " : "     - ") << columns[i] << "\n";
    }
}

/// One row of a table; empty cells without a trailing space
inline void
PrintRow(std::ostream& os, const std::vector<std::string>& cells)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        os << (i == 0 ? "   * -" : "     -") << (cells[i].empty() ? "" : " ") << cells[i] << "\n";
    }
}

} // namespace tests

#endif /* CONFIGURATION_RST_TABLE_H */
