/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_TEMPORARY_FOLDER_H
#define SUPPORT_TEMPORARY_FOLDER_H

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace tests
{

/// Gives each test a folder of its own, which is not there at first and is removed at last
class TemporaryFolder : public ::testing::Test
{
  protected:
    void
    SetUp() override
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   (std::string("collab-") + test->test_suite_name() + "-" + test->name() + "-" +
                    std::to_string(getpid())); // the same tests may run in another checkout
        std::filesystem::remove_all(m_folder);
    }

    void
    TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::filesystem::path m_folder; //!< the folder
};

} // namespace tests

#endif /* SUPPORT_TEMPORARY_FOLDER_H */
