/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATA_FILE_H
#define COLLAB_DATA_FILE_H

#include "ns3/collab-error.h"

#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief A file to read data from: plain, or compressed by gzip or bzip2, told by its content.
 *
 * Knows how far it is, so that every error names the file and the place in its decompressed
 * content.
 */
class DataFile
{
  public:
    /// @param path path of the file
    /// @throws DataFileError if it cannot be opened
    explicit DataFile(const std::string& path);

    /// @return path of the file
    const std::string& GetPath() const;

    /// @return number of bytes read so far
    uint64_t GetOffset() const;

    /// @return number of lines read so far
    uint64_t GetLine() const;

    /// @brief Read as much as there is of what is asked for.
    /// @param bytes where to put what is read
    /// @param size number of bytes asked for
    /// @return number of bytes read
    /// @throws DataFileError if the compressed stream is damaged
    std::size_t ReadUpTo(uint8_t* bytes, std::size_t size);

    /// @brief Read bytes without taking much more memory than the file really fills.
    /// @param bytes bytes to which what is read is appended
    /// @param size number of bytes asked for
    /// @return number of bytes read
    /// @throws DataFileError if the compressed stream is damaged
    uint64_t Append(std::vector<uint8_t>& bytes, uint64_t size);

    /// @brief Read up to the end of a line.
    /// @param line what is read, without the end of line, be it "\n" or "\r\n"
    /// @return false if there was nothing more to read
    /// @throws DataFileError if the compressed stream is damaged or the line longer than 16 MiB
    bool ReadLine(std::string& line);

    /// @param offset where in the decompressed content
    /// @param problem what was found and what was expected
    /// @throws DataFileError always
    [[noreturn]] void FailAtByte(uint64_t offset, const std::string& problem) const;

    /// @param problem what was found in the line that was read last, and what was expected
    /// @throws DataFileError always
    [[noreturn]] void FailAtLine(const std::string& problem) const;

  private:
    std::string m_path;                                                     //!< of the file
    std::ifstream m_file;                                                   //!< the file as it is
    boost::iostreams::filtering_streambuf<boost::iostreams::input> m_input; //!< decompressed
    uint64_t m_offset = 0;                                                  //!< bytes read so far
    uint64_t m_line = 0;                                                    //!< lines read so far
};

/// A data file that is not there.
class MissingDataFileError : public DataFileError
{
  public:
    using DataFileError::DataFileError;
};

/// @param folder where to look
/// @param name name of a file without the suffix of compression
/// @return path of the first that exists of name, name.gz and name.bz2
/// @throws MissingDataFileError if there is none
std::string FindDataFile(const std::string& folder, const std::string& name);

/// @brief Tell labels that number classes from names that happen to be numbers, such as those of
/// products: a model has an output for each number up to the greatest.
/// @param distinct how many different labels there are
/// @param greatest maximum of them
/// @return if that would be more than 1000 outputs, of which not one in a hundred has a sample:
/// what was found and what was expected; else empty
std::string FindLabelGap(std::size_t distinct, int64_t greatest);

/// @param text text from the file, of any length and with any bytes
/// @return what to show of it in a message: printable, and not long
std::string Shortened(std::string_view text);

} // namespace ns3::collab

#endif /* COLLAB_DATA_FILE_H */
