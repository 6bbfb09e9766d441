/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-output-file.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::size_t MOST_KEPT = 1 << 16; //!< bytes of pieces that are not yet written
constexpr mode_t ACCESS = 0666;            //!< as streams have it, less the process's mask

} // namespace

OutputFile::OutputFile(std::string path)
    : m_path(std::move(path)),
      m_file(open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ACCESS))
{
    if (m_file < 0)
    {
        Fail();
    }
}

OutputFile::~OutputFile()
{
    try
    {
        Flush();
    }
    catch (const std::runtime_error&)
    {
        return; // nobody is there to be told
    }
    if (m_file >= 0)
    {
        close(m_file);
    }
}

void
OutputFile::Write(const std::string& piece)
{
    m_pieces += piece;
    if (m_pieces.size() >= MOST_KEPT)
    {
        Flush();
    }
}

void
OutputFile::Flush()
{
    for (std::size_t done = 0; m_file >= 0 && done < m_pieces.size();)
    {
        const ssize_t count = write(m_file, m_pieces.data() + done, m_pieces.size() - done);
        if (count < 0 && errno != EINTR)
        {
            Fail();
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    m_written += m_pieces.size();
    m_pieces.clear();
}

void
OutputFile::Fail()
{
    const std::string reason = std::generic_category().message(errno);
    if (m_file >= 0)
    {
        // Of a device there is nothing to cut off
        [[maybe_unused]] const int cut = ftruncate(m_file, static_cast<off_t>(m_written));
        close(m_file);
        m_file = -1;
    }
    m_pieces.clear();
    throw std::runtime_error(fmt::format("cannot write {}: {}", m_path, reason));
}

} // namespace ns3::collab
