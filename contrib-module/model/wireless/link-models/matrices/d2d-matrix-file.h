/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MATRIX_FILE_H
#define D2D_MATRIX_FILE_H

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief A matrix, and where its rows were found.
struct D2dMatrixFile
{
    std::vector<std::vector<double>> values; //!< rows of equally many finite numbers
    std::vector<std::size_t> lines;          //!< line of each row in the file, from 1
};

/**
 * @ingroup collab-wireless
 * @brief Read rows of numbers from a text file.
 *
 * One row a line, its numbers separated by commas, decimal points whatever the locale. Empty lines
 * and lines that begin with # are skipped, blanks around a number too.
 *
 * @param path path of the file
 * @return the rows, of one length
 * @throws DataFileError if the file cannot be read, holds something that is not a finite number, or
 * has rows of different lengths; what() names file, line and column (the place of the number in its
 * row, from 1)
 */
D2dMatrixFile ReadD2dRowsFile(const std::string& path);

/// @ingroup collab-wireless
/// @brief Read a square matrix from a text file.
/// @param path path of a file as ReadD2dRowsFile() reads it
/// @return the matrix
/// @throws DataFileError as ReadD2dRowsFile() does, and if there are not as many numbers in each
/// row as there are rows
D2dMatrixFile ReadD2dMatrixFile(const std::string& path);

} // namespace ns3::collab

#endif /* D2D_MATRIX_FILE_H */
