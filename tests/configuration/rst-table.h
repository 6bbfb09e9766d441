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
#include <sstream>
#include <string>
#include <vector>

namespace tests
{

/// The beginning of a table of reStructuredText, with its title
inline void
PrintHead(std::ostream& os,
          const std::string& title,
          const std::string& widths,
          const std::vector<std::string>& columns)
{
    os << "\n"
       << title << "\n\n.. list-table::\n   :header-rows: 1\n   :widths: " << widths << "\n\n";
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

/**
 * The main function of a program that prints part of the documentation.
 *
 * @param text what the code says
 * @param argc number of arguments
 * @param argv without an argument the text is printed; with a file's name it is compared with it
 * @return 0, or 1 if the file says something else
 */
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
