/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-output-file.h"
#include "ns3/collab-safetensors-file.h"
#include "ns3/collab-table-formats.h"

#include <csignal>
#include <functional>
#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::tests::ReadFile;

namespace
{

constexpr rlim_t LARGEST_FILE = 100000; //!< bytes, as if the disk were full then
const std::string TOO_LARGE = "File too large";
const std::string FULL = "No space left on device";

/// Files can be written up to a size, as on a disk that becomes full
class FullDiskTest : public ::tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        std::filesystem::create_directory(m_folder);
        getrlimit(RLIMIT_FSIZE, &m_usual);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit less = {LARGEST_FILE, m_usual.rlim_max};
        setrlimit(RLIMIT_FSIZE, &less);
    }

    void
    TearDown() override
    {
        setrlimit(RLIMIT_FSIZE, &m_usual);
        std::signal(SIGXFSZ, m_handler);
        TemporaryFolder::TearDown();
    }

    /// @return the error of some work, in one line; empty if there is none
    static std::string
    FindError(const std::function<void()>& work)
    {
        const std::string error = tests::ErrorOf<std::runtime_error>(work);
        EXPECT_THAT(error, Not(HasSubstr("\n")));
        return error;
    }

    rlimit m_usual = {};              //!< before the test
    void (*m_handler)(int) = SIG_DFL; //!< before the test
};

TEST_F(FullDiskTest, AFileEndsWithTheLastWholePieces)
{
    const std::string path = m_folder / "lines";
    {
        OutputFile file(path);
        file.Write("first\n");
        file.Flush();
        const std::string error = FindError([&]() {
            file.Write(std::string(LARGEST_FILE, 'x'));
            file.Flush();
        });
        EXPECT_EQ(error, "cannot write " + path + ": " + TOO_LARGE);
        file.Write("more\n"); // of what comes later nothing is written
    }
    EXPECT_EQ(ReadFile(path), "first\n");
}

TEST_F(FullDiskTest, WhatFitsIsWritten)
{
    const std::string path = m_folder / "lines";
    std::string all;
    {
        OutputFile file(path);
        for (int line = 0; line < 9000; ++line)
        {
            all += std::to_string(line) + '\n';
            file.Write(std::to_string(line) + '\n');
        }
    }
    EXPECT_EQ(ReadFile(path), all);
}

TEST_F(FullDiskTest, ADeviceThatIsFullIsNamed)
{
    OutputFile file("/dev/full");
    file.Write("x");
    EXPECT_EQ(FindError([&]() { file.Flush(); }), "cannot write /dev/full: " + FULL);
    EXPECT_EQ(FindError([]() { OutputFile("/dev/null/file"); }),
              "cannot write /dev/null/file: Not a directory");
}

TEST_F(FullDiskTest, EveryWriterOfARunSaysWhichFileAndWhy)
{
    const RunFolder folder(m_folder / "run");
    const std::string text(2 * LARGEST_FILE, 'x');
    EXPECT_THAT(FindError([&]() { folder.WriteFile("run.json", text); }),
                AllOf(HasSubstr("run.partial/run.json"), HasSubstr(TOO_LARGE)));
    for (const std::string& format : GetTableFormats())
    {
        const auto store = MakeTableStore(format, folder);
        const auto copy = [](const std::string& note) { return note; };
        const auto table =
            store->Add(TableColumns<std::string>{"notes", "a note", {{"text", "", "of it", copy}}});
        store->Flush();
        EXPECT_THAT(FindError([&]() {
                        table.Write(text);
                        store->Flush();
                    }),
                    AllOf(HasSubstr(format == "csv" ? "/notes.csv: " : "/run.sqlite: "),
                          HasSubstr(TOO_LARGE)));
    }
    EXPECT_EQ(ReadFile(m_folder / "run.partial" / "notes.csv"), "text\n");
    const std::string weights = m_folder / "weights.safetensors";
    const std::vector<float> values(LARGEST_FILE);
    EXPECT_THAT(FindError([&]() {
                    WriteSafetensors(weights, {{"w", {int64_t{LARGEST_FILE}}, values}}, {});
                }),
                AllOf(HasSubstr(weights), HasSubstr(TOO_LARGE)));
}

} // namespace
