/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_OUTPUT_FILE_H
#define COLLAB_OUTPUT_FILE_H

#include <cstdint>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief A file that a run writes piece by piece, which says why it cannot, such as on a full disk.
 *
 * Pieces are kept and written many at once. After a failure the file ends with the last piece that
 * was written whole with all before it, and nothing more is written.
 */
class OutputFile
{
  public:
    /// @param path where to write; a file that is there is replaced
    /// @throws std::runtime_error if the file cannot be made
    explicit OutputFile(std::string path);
    /// Writes what is left, if possible: who must know whether it was, flushes before.
    ~OutputFile();

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// @param piece piece of text or bytes
    /// @throws std::runtime_error if earlier ones cannot be written
    void Write(const std::string& piece);

    /// @brief Make sure that all pieces up to now survive the end of the program.
    /// @throws std::runtime_error that names the file and the reason, if they cannot be written
    void Flush();

  private:
    /// @throws std::runtime_error always, with the reason in errno
    [[noreturn]] void Fail();

    std::string m_path;     //!< where to write
    std::string m_pieces;   //!< not yet written
    int m_file = -1;        //!< descriptor; -1 after a failure
    uint64_t m_written = 0; //!< bytes in the file
};

} // namespace ns3::collab

#endif /* COLLAB_OUTPUT_FILE_H */
