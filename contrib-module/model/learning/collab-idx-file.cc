/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-idx-file.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <limits>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

constexpr uint8_t UNSIGNED_BYTE_TYPE = 0x08;   //!< IDX's code of the element type
constexpr std::size_t CHUNK_BYTES = 1UL << 20; //!< read at a time
constexpr uint64_t RESERVE_LIMIT = 1UL << 26;  //!< most memory taken on the header's word

/// Reads the decompressed stream of one file and knows how far it is.
class IdxReader
{
  public:
    /**
     * @param path of the file
     */
    explicit IdxReader(const std::string& path);

    /**
     * @return the contents
     * @throws DataFileError if they are not an IDX file of unsigned bytes
     */
    IdxFile Read();

  private:
    /**
     * @brief Read and check everything before the elements.
     * @return dimensions, outermost first
     */
    std::vector<uint32_t> ReadDimensions();

    /**
     * @param dimensions of the file
     * @return their product
     */
    uint64_t CountElements(const std::vector<uint32_t>& dimensions) const;

    /**
     * @param size number of elements to read
     * @return the elements
     */
    std::vector<uint8_t> ReadElements(uint64_t size);

    /**
     * @brief Read as much as there is of what is asked for, and advance the offset.
     * @param bytes where to put what is read
     * @param size number of bytes asked for
     * @return number of bytes read
     */
    std::size_t ReadUpTo(uint8_t* bytes, std::size_t size);

    /**
     * @param offset where in the decompressed stream
     * @param problem what was found and what was expected
     */
    [[noreturn]] void Fail(uint64_t offset, const std::string& problem) const;

    std::string m_path;                                                     //!< of the file
    std::ifstream m_file;                                                   //!< the file as it is
    boost::iostreams::filtering_streambuf<boost::iostreams::input> m_input; //!< decompressed
    uint64_t m_offset = 0;                                                  //!< bytes read so far
};

IdxReader::IdxReader(const std::string& path)
    : m_path(path),
      m_file(path, std::ios::binary)
{
    if (!m_file)
    {
        throw DataFileError(fmt::format("{}: cannot be opened", path));
    }
    const bool compressed = m_file.get() == 0x1f && m_file.get() == 0x8b;
    m_file.clear();
    m_file.seekg(0);
    if (compressed)
    {
        m_input.push(boost::iostreams::gzip_decompressor());
    }
    m_input.push(*m_file.rdbuf());
}

IdxFile
IdxReader::Read()
{
    IdxFile contents;
    contents.dimensions = ReadDimensions();
    contents.bytes = ReadElements(CountElements(contents.dimensions));
    uint8_t extra = 0;
    const uint64_t end = m_offset;
    if (ReadUpTo(&extra, 1) != 0)
    {
        Fail(end, "found more bytes, expected the end of the file");
    }
    return contents;
}

std::vector<uint32_t>
IdxReader::ReadDimensions()
{
    uint8_t magic[4] = {};
    const std::size_t found = ReadUpTo(magic, sizeof(magic));
    if (found < sizeof(magic))
    {
        Fail(found, fmt::format("found the end of the file, expected a magic number of 4 bytes"));
    }
    if (magic[0] != 0 || magic[1] != 0)
    {
        Fail(0,
             fmt::format("found the bytes {:#04x} {:#04x}, expected 0x00 0x00 (is it IDX?)",
                         magic[0],
                         magic[1]));
    }
    if (magic[2] != UNSIGNED_BYTE_TYPE)
    {
        Fail(2,
             fmt::format("found element type {:#04x}, expected {:#04x} (unsigned byte)",
                         magic[2],
                         UNSIGNED_BYTE_TYPE));
    }
    if (magic[3] == 0)
    {
        Fail(3, "found 0 dimensions, expected at least 1");
    }
    std::vector<uint32_t> dimensions;
    for (uint32_t i = 0; i < magic[3]; ++i)
    {
        uint8_t bytes[4] = {};
        if (ReadUpTo(bytes, sizeof(bytes)) < sizeof(bytes))
        {
            Fail(m_offset,
                 fmt::format("found the end of the file, expected dimension {} of {} (4 bytes)",
                             i + 1,
                             magic[3]));
        }
        dimensions.push_back(uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 |
                             uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]});
    }
    return dimensions;
}

uint64_t
IdxReader::CountElements(const std::vector<uint32_t>& dimensions) const
{
    uint64_t size = 1;
    for (uint32_t dimension : dimensions)
    {
        if (dimension != 0 && size > std::numeric_limits<uint64_t>::max() / dimension)
        {
            Fail(4,
                 fmt::format("found dimensions {}, expected a product below 2^64",
                             fmt::join(dimensions, " x ")));
        }
        size *= dimension;
    }
    return size;
}

std::vector<uint8_t>
IdxReader::ReadElements(uint64_t size)
{
    std::vector<uint8_t> elements;
    elements.reserve(std::min(size, RESERVE_LIMIT));
    while (elements.size() < size)
    {
        const std::size_t before = elements.size();
        const std::size_t wanted = std::min<uint64_t>(CHUNK_BYTES, size - before);
        elements.resize(before + wanted);
        const std::size_t found = ReadUpTo(elements.data() + before, wanted);
        if (found < wanted)
        {
            Fail(m_offset,
                 fmt::format("found the end of the file after {} elements, expected {}",
                             before + found,
                             size));
        }
    }
    return elements;
}

std::size_t
IdxReader::ReadUpTo(uint8_t* bytes, std::size_t size)
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
            Fail(m_offset,
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

void
IdxReader::Fail(uint64_t offset, const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: byte {}: {}", m_path, offset, problem));
}

} // namespace

IdxFile
ReadIdxFile(const std::string& path)
{
    return IdxReader(path).Read();
}

} // namespace collab
} // namespace ns3
