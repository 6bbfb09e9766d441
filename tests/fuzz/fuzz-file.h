/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include "ns3/collab-error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// Gives a loader a folder of this process with one file in it.
class FuzzFile
{
  public:
    /// @param name that loaders look for
    explicit FuzzFile(const std::string& name)
    {
        std::string folder =
            (std::filesystem::temp_directory_path() / "collab-fuzz-XXXXXX").string();
        m_folder = mkdtemp(folder.data());
        m_path = (m_folder / name).string();
    }

    ~FuzzFile()
    {
        std::filesystem::remove_all(m_folder);
    }

    FuzzFile(const FuzzFile&) = delete;
    FuzzFile& operator=(const FuzzFile&) = delete;

    /// @return the folder
    std::string
    GetFolder() const
    {
        return m_folder.string();
    }

    /// @brief Load some bytes: the only thing that may be thrown is DataFileError.
    /// @param bytes content of the file
    /// @param size number of them
    /// @param load takes the file's path and gives a data set or null
    template <typename Load>
    void
    Try(const uint8_t* bytes, std::size_t size, Load load) const
    {
        std::ofstream(m_path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
        try
        {
            load(m_path);
        }
        catch (const ns3::collab::DataFileError&)
        {
            // What a bad file must end in
        }
    }

  private:
    std::filesystem::path m_folder; //!< of this process
    std::string m_path;             //!< of the file
};

#endif /* FUZZ_FILE_H */
