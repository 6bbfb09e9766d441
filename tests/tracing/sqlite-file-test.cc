/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-csv-folder.h"
#include "ns3/collab-sqlite-file.h"

#include <csignal>
#include <gmock/gmock.h>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using tests::ReadCsvRows;
using tests::ReadSqliteRows;
namespace fs = std::filesystem;

namespace
{

struct WordRow
{
    int64_t number;   //!< its number
    double value;     //!< its value
    std::string text; //!< its text

    static TableColumns<WordRow>
    GetTable()
    {
        return {"samples",
                "a sample",
                {{"number", "", "its number", &WordRow::number},
                 {"value", "W", "its value", &WordRow::value},
                 {"order", "", "a word of SQL, and its text", &WordRow::text}}};
    }
};

class SqliteFileTest : public ::tests::TemporaryFolder
{
  protected:
    SqliteFileTest()
    {
        fs::create_directories(m_folder);
    }

    /// Run something in a process of its own; returns how it ended
    template <typename F>
    static int
    RunProcess(F work)
    {
        const pid_t child = fork();
        if (child == 0)
        {
            work();
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return status;
    }

    const std::string m_path = m_folder / "run.sqlite"; //!< of the file
};

} // namespace

TEST_F(SqliteFileTest, HoldsTheRowsOfTheCsvFiles)
{
    const RunFolder folder(m_folder / "run");
    CsvFolder csv(folder);
    SqliteFile sqlite(m_path);
    for (TableStore* store : std::initializer_list<TableStore*>{&csv, &sqlite})
    {
        const auto table = store->Add<WordRow>();
        table.Write({-5, 1.0 / 3, ""});
        table.Write({std::numeric_limits<int64_t>::max(), 5e-324, "a, \"b\" and 'c'"});
        table.Write({0, std::numeric_limits<double>::quiet_NaN(), "d"});
        table.Write({1, -std::numeric_limits<double>::infinity(), "e"});
        store->Flush();
    }
    for (const std::string name : {"samples", "columns"})
    {
        const auto rows = ReadSqliteRows(m_path, name);
        EXPECT_EQ(rows, ReadCsvRows(folder.GetFile(name + ".csv"))) << name;
        EXPECT_EQ(rows.size(), name == "samples" ? 5U : 4U);
    }
}

TEST_F(SqliteFileTest, OthersReadWhatIsFlushedWhileItIsWritten)
{
    SqliteFile file(m_path);
    const auto table = file.Add<WordRow>();
    table.Write({1, 1, "flushed"});
    file.Flush();
    table.Write({2, 2, "not yet"});
    EXPECT_EQ(ReadSqliteRows(m_path, "samples").size(), 2U);
    file.Flush();
    EXPECT_EQ(ReadSqliteRows(m_path, "samples").size(), 3U);
}

TEST_F(SqliteFileTest, AKilledProgramLeavesWhatWasFlushed)
{
    const int status = RunProcess([this]() {
        SqliteFile file(m_path);
        const auto table = file.Add<WordRow>();
        table.Write({1, 1, "flushed"});
        file.Flush();
        // More than the cache holds, so that part of it has got into the file
        for (int64_t i = 0; i < 100000; ++i)
        {
            table.Write({i, 0.5, std::string(50, 'x')});
        }
        raise(SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_GT(fs::file_size(m_path), 1000000U);
    const auto rows = ReadSqliteRows(m_path, "samples");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1][2], "flushed");
}

TEST_F(SqliteFileTest, WhatCannotBeWrittenIsAnErrorThatNamesTheFile)
{
    tests::ExpectRefused<std::runtime_error>(
        "missing/run.sqlite: unable to open database file",
        [&] { SqliteFile(m_folder / "missing" / "run.sqlite"); });
}

TEST_F(SqliteFileTest, AFullDiskIsAnError)
{
    const int status = RunProcess([this]() {
        const rlimit limit = {500000, 500000};
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_IGN);
        SqliteFile file(m_path);
        const auto table = file.Add<WordRow>();
        file.Flush();
        try
        {
            for (int64_t i = 0; i < 100000; ++i)
            {
                table.Write({i, 0.5, std::string(50, 'x')});
            }
            file.Flush();
        }
        catch (const std::runtime_error&)
        {
            _exit(3);
        }
    });
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_EQ(ReadSqliteRows(m_path, "samples").size(), 1U);
}
