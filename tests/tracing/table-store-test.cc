/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/temporary-folder.h"

#include "ns3/collab-csv-file.h"
#include "ns3/collab-error.h"
#include "ns3/collab-table-store.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;

namespace
{

const TableDescription VOTES = {"votes",
                                "a vote",
                                {{"device", ColumnType::INTEGER, "", "who votes"},
                                 {"share", ColumnType::REAL, "1", "of all votes, from 0 to 1"},
                                 {"for", ColumnType::TEXT, "", "a \"name\""}}};

class TableStoreTest : public ::tests::TemporaryFolder
{
  protected:
    std::string
    Read(const std::string& name) const
    {
        std::ifstream file(m_folder / "run.partial" / name);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
};

using TableDeathTest = TableStoreTest;

} // namespace

TEST_F(TableStoreTest, DescribesEveryColumn)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder);
    store->Add(VOTES);
    store->Flush();
    EXPECT_EQ(Read("columns.csv"),
              "table,column,type,unit,meaning\n"
              "votes,device,integer,,who votes\n"
              "votes,share,real,1,\"of all votes, from 0 to 1\"\n"
              "votes,for,text,,\"a \"\"name\"\"\"\n");
    EXPECT_EQ(Read("votes.csv"), "device,share,for\n");
}

TEST_F(TableStoreTest, CsvQuotesWhatNeedsIt)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder);
    Table& votes = store->Add(VOTES);
    votes << 3U << 0.5 << std::string("7, \"or\" 8");
    votes.EndRow();
    votes << 4U << 0.25 << std::string("two\nlines");
    votes.EndRow();
    store->Flush();
    EXPECT_EQ(Read("votes.csv"),
              "device,share,for\n3,0.5,\"7, \"\"or\"\" 8\"\n4,0.25,\"two\nlines\"\n");
}

TEST_F(TableStoreTest, UnknownFormatIsRefusedInOneLine)
{
    try
    {
        RequireTableFormat("parquet");
        FAIL() << "there is a format parquet";
    }
    catch (const UserError& error)
    {
        EXPECT_THAT(error.what(), HasSubstr("recorder 'parquet' is not allowed; allowed: csv"));
    }
    for (const auto& format : GetTableFormats())
    {
        EXPECT_NO_THROW(RequireTableFormat(format));
    }
}

TEST_F(TableStoreTest, OmittedTablesHaveAHeaderButNoRows)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder, {"votes"});
    Table& votes = store->Add(VOTES);
    votes << 3U << 0.5 << std::string("7");
    votes.EndRow();
    store->Flush();
    EXPECT_EQ(Read("votes.csv"), "device,share,for\n");
    EXPECT_THAT(Read("columns.csv"), HasSubstr("votes,share"));
}

TEST_F(TableDeathTest, CellsMustFitTheColumns)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder);
    Table& votes = store->Add(VOTES);
    EXPECT_DEATH(votes << 0.5, "column device of table votes holds integer, was given real");
    EXPECT_DEATH(votes.EndRow(), "was given 0 cells; it has 3");
    votes << 3U << 0.5 << std::string("7");
    EXPECT_DEATH(votes << 1U, "has 3 columns; its row was given more cells");
    EXPECT_DEATH(store->Add(VOTES), "there is a table votes already");
}
