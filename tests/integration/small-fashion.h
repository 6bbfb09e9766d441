/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTEGRATION_SMALL_FASHION_H
#define INTEGRATION_SMALL_FASHION_H

#include "ns3/collab-data-set-catalog.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <unistd.h>

namespace tests
{

/// The first images of Fashion-MNIST in a folder, which is removed at the end of the program: to
/// unpack all 70 000 takes longer than most runs
class SmallFashion
{
  public:
    SmallFashion()
        : m_folder(std::filesystem::temp_directory_path() /
                   ("collab-small-fashion-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(m_folder);
        Write("train", true, 6000);
        Write("t10k", false, 1000);
    }

    ~SmallFashion()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }

    SmallFashion(const SmallFashion&) = delete;
    SmallFashion& operator=(const SmallFashion&) = delete;

    /// @return the argument that makes a scenario read it, with a space at the end
    static std::string
    Argument()
    {
        static const SmallFashion folder;
        return "dataDir=" + folder.m_folder.string() + " ";
    }

  private:
    /// Write the first images of a part of the data set, and their labels, as IDX files
    void
    Write(const std::string& name, bool isTraining, uint32_t size) const
    {
        ns3::collab::DataSetOptions options;
        options.train = isTraining;
        const auto all = ns3::collab::LoadDataSet("fashion-mnist", options);
        std::ofstream images(m_folder / (name + "-images-idx3-ubyte"), std::ios::binary);
        WriteNumbers(images, {0x803, size, 28, 28});
        images.write(reinterpret_cast<const char*>(all->features.data()), size * 28LL * 28);
        std::ofstream labels(m_folder / (name + "-labels-idx1-ubyte"), std::ios::binary);
        WriteNumbers(labels, {0x801, size});
        for (uint32_t i = 0; i < size; ++i)
        {
            labels.put(static_cast<char>(all->labels[i]));
        }
    }

    /// Write 32-bit numbers, the highest byte first
    static void
    WriteNumbers(std::ofstream& file, std::initializer_list<uint32_t> numbers)
    {
        for (const uint32_t number : numbers)
        {
            for (const int shift : {24, 16, 8, 0})
            {
                file.put(static_cast<char>(number >> shift));
            }
        }
    }

    std::filesystem::path m_folder; //!< of the files
};

} // namespace tests

#endif /* INTEGRATION_SMALL_FASHION_H */
