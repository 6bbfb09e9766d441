/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_TEMPORARY_FOLDER_H
#define SUPPORT_TEMPORARY_FOLDER_H

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace tests
{

/// A folder of the present test's own, which is not there at first and is removed at last
class OwnFolder
{
  public:
    OwnFolder()
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test->test_suite_name()) + "-" + test->name();
        std::replace(name.begin(), name.end(), '/', '-'); // of parameters
        path = std::filesystem::temp_directory_path() /
               ("collab-" + name + "-" + std::to_string(getpid())); // of other checkouts' tests
        std::filesystem::remove_all(path);
    }

    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    ~OwnFolder()
    {
        std::filesystem::remove_all(path);
    }

    std::filesystem::path path; //!< of the folder
};

/// A file of the present test's own, in such a folder
class OwnFile
{
  public:
    /// @return path of the file, which has this text from now on
    const std::string&
    Write(const std::string& text) const
    {
        std::filesystem::create_directories(m_folder.path);
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

  private:
    const OwnFolder m_folder; //!< of the file

  public:
    const std::string path = m_folder.path / "file"; //!< of the file
};

/// Gives each test such a folder
class TemporaryFolder : public ::testing::Test
{
  protected:
    void
    TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

  private:
    const OwnFolder m_own; //!< the folder

  protected:
    std::filesystem::path m_folder = m_own.path; //!< its path
};

} // namespace tests

#endif /* SUPPORT_TEMPORARY_FOLDER_H */
