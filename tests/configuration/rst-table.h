/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONFIGURATION_RST_TABLE_H
#define CONFIGURATION_RST_TABLE_H

#include <fstream>
#include <iostream>
#include <ostream>
#include <regex>
#include <sstream>
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

/// The main function of a program that prints part of the documentation.
/// @param text what the code says
/// @param argc number of arguments
/// @param argv without an argument the text is printed; with a file's name it is compared with it
/// @return 0, or 1 if the file says something else
inline int
PrintOrCompare(const std::string& text, int argc, char* argv[])
{
    if (argc == 1)
    {
        std::cout << text;
        return 0;
    }
    std::ifstream file(argv[1]);
    std::ostringstream contents;
    contents << file.rdbuf();
    if (contents.str() == text)
    {
        return 0;
    }
    std::cerr << argv[1] << " is not what the code says; renew it:\n  " << argv[0] << " > "
              << argv[1] << "\n";
    return 1;
}

} // namespace tests

#endif /* CONFIGURATION_RST_TABLE_H */
