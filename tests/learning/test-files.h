/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <stdlib.h>
#include <string>
#include <vector>

/// A folder of its own for each test, removed after it, and what data files are made of.
class TestFiles : public testing::Test
{
  protected:
    TestFiles()
    {
        std::string name = testing::TempDir() + "collab-test-XXXXXX";
        m_folder = mkdtemp(name.data());
    }

    ~TestFiles() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /// @return path of the folder
    std::string
    Folder() const
    {
        return m_folder.string();
    }

    /// @return path of a file with these bytes
    std::string
    Write(const std::string& name, const std::string& bytes) const
    {
        const std::filesystem::path path = m_folder / name;
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }

    /// @return an IDX file of unsigned bytes with these dimensions
    static std::string
    Idx(const std::vector<uint32_t>& dimensions, const std::string& elements)
    {
        std::string bytes{'\0', '\0', '\x08', static_cast<char>(dimensions.size())};
        for (uint32_t dimension : dimensions)
        {
            for (int shift : {24, 16, 8, 0})
            {
                bytes += static_cast<char>(dimension >> shift & 0xffU);
            }
        }
        return bytes + elements;
    }

    /// @return the bytes compressed by gzip
    static std::string
    Gzip(const std::string& bytes)
    {
        std::istringstream plain(bytes);
        boost::iostreams::filtering_istream compressed;
        compressed.push(boost::iostreams::gzip_compressor());
        compressed.push(plain);
        return {std::istreambuf_iterator<char>(compressed), {}};
    }

  private:
    std::filesystem::path m_folder; //!< of this test
};

#endif /* TEST_FILES_H */
