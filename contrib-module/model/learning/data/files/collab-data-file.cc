/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-data-file.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <locale>
#include <sstream>

namespace ns3::collab
{

namespace
{

constexpr std::size_t READ_BYTES = 1UL << 20;   //!< read at a time
constexpr uint64_t RESERVE_LIMIT = 1UL << 26;   //!< most memory taken on a header's word
constexpr std::size_t LONGEST_LINE = 1UL << 24; //!< in bytes
constexpr std::size_t SHOWN_CHARACTERS = 40;    //!< of a text in a message

} // namespace

DataFile::DataFile(const std::string& path)
    : m_path(path),
      m_file(path, std::ios::binary)
{
    Require<DataFileError>(m_file, "{}: cannot be opened", path);
    char magic[3] = {};
    m_file.read(magic, sizeof(magic));
    m_file.clear();
    m_file.seekg(0);
    if (magic[0] == '\x1f' && magic[1] == '\x8b')
    {
        m_input.push(boost::iostreams::gzip_decompressor());
    }
    else if (std::string_view(magic, sizeof(magic)) == "BZh")
    {
        m_input.push(boost::iostreams::bzip2_decompressor());
    }
    m_input.push(*m_file.rdbuf());
}

const std::string&
DataFile::GetPath() const
{
    return m_path;
}

uint64_t
DataFile::GetOffset() const
{
    return m_offset;
}

uint64_t
DataFile::GetLine() const
{
    return m_line;
}

std::size_t
DataFile::ReadUpTo(uint8_t* bytes, std::size_t size)
{
    std::size_t total = 0;
    while (total < size)
    {
        std::streamsize count = 0;
        try
        {
            count = m_input.sgetn(reinterpret_cast<char*>(bytes) + total,
                                  static_cast<std::streamsize>(size - total));
        }
        catch (const std::ios_base::failure& error)
        {
            FailAtByte(m_offset,
                       fmt::format("found damaged data ({}), expected more bytes", error.what()));
        }
        if (count <= 0)
        {
            break;
        }
        total += static_cast<std::size_t>(count);
        m_offset += static_cast<uint64_t>(count);
    }
    return total;
}

uint64_t
DataFile::Append(std::vector<uint8_t>& bytes, uint64_t size)
{
    bytes.reserve(bytes.size() + std::min(size, RESERVE_LIMIT));
    uint64_t total = 0;
    while (total < size)
    {
        const std::size_t before = bytes.size();
        const std::size_t wanted = std::min<uint64_t>(READ_BYTES, size - total);
        bytes.resize(before + wanted);
        const std::size_t found = ReadUpTo(bytes.data() + before, wanted);
        bytes.resize(before + found);
        total += found;
        if (found < wanted)
        {
            break;
        }
    }
    return total;
}

bool
DataFile::ReadLine(std::string& line)
{
    line.clear();
    ++m_line;
    try
    {
        int next = m_input.sbumpc();
        if (next == std::char_traits<char>::eof())
        {
            --m_line;
            return false;
        }
        for (; next != std::char_traits<char>::eof(); next = m_input.sbumpc())
        {
            ++m_offset;
            if (next == '\n')
            {
                break;
            }
            if (line.size() == LONGEST_LINE)
            {
                FailAtLine(fmt::format("found a line longer than {} bytes", LONGEST_LINE));
            }
            line += static_cast<char>(next);
        }
    }
    catch (const std::ios_base::failure& error)
    {
        FailAtLine(fmt::format("found damaged data ({}), expected more text", error.what()));
    }
    if (!line.empty() && line.back() == '\r')
    {
        line.pop_back();
    }
    return true;
}

void
DataFile::FailAtByte(uint64_t offset, const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: byte {}: {}", m_path, offset, problem));
}

void
DataFile::FailAtLine(const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: line {}: {}", m_path, m_line, problem));
}

std::string
FindDataFile(const std::string& folder, const std::string& name)
{
    const std::string plain = (std::filesystem::path(folder) / name).string();
    for (const char* suffix : {"", ".gz", ".bz2"})
    {
        std::error_code unreadable;
        if (std::filesystem::exists(plain + suffix, unreadable))
        {
            return plain + suffix;
        }
    }
    throw MissingDataFileError(fmt::format("none of {0}, {0}.gz and {0}.bz2 exists", plain));
}

std::string
FindLabelGap(std::size_t distinct, int64_t greatest)
{
    constexpr int64_t USUAL_OUTPUTS = 1000; // more than these need a reason
    constexpr int64_t MOST_A_LABEL = 100;   // such as classes that a part of a data set lacks
    const int64_t outputs = greatest + 1;
    if (outputs <= USUAL_OUTPUTS || outputs <= MOST_A_LABEL * static_cast<int64_t>(distinct))
    {
        return "";
    }
    return fmt::format("found {} different labels, the greatest of which is {}: a model would have "
                       "{} outputs; expected labels without such gaps, as 0 to {}",
                       distinct,
                       greatest,
                       outputs,
                       distinct - 1);
}

std::string
Shortened(std::string_view text)
{
    std::string shown(text.substr(0, SHOWN_CHARACTERS));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text.size() > SHOWN_CHARACTERS ? shown + "..." : shown;
}

} // namespace ns3::collab
