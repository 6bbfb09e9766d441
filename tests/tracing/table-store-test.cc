/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-csv-file.h"
#include "ns3/collab-error.h"
#include "ns3/collab-table-formats.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;

namespace
{

struct PollRow
{
    uint32_t device;   //!< who votes
    double share;      //!< of all votes
    std::string named; //!< for whom

    static TableColumns<PollRow>
    GetTable()
    {
        return {"votes",
                "a vote",
                {{"device", "", "who votes", &PollRow::device},
                 {"share", "1", "of all votes, from 0 to 1", &PollRow::share},
                 {"for", "", "a \"name\"", &PollRow::named}}};
    }
};

class TableStoreTest : public ::tests::TemporaryFolder
{
  protected:
    std::string
    Read(const std::string& name) const
    {
        return tests::ReadFile(m_folder / "run.partial" / name);
    }
};

using TableDeathTest = TableStoreTest;

} // namespace

TEST_F(TableStoreTest, OnlySampledDevicesHaveRows)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder, {}, 0.25);
    const auto votes = store->Add<PollRow>();
    std::string expected = "device,share,for\n";
    uint32_t count = 0;
    for (uint32_t device = 0; device < 1000; ++device)
    {
        votes.Write({device, 0.5, "a"});
        if (IsSampled(device, 0.25))
        {
            ++count;
            expected += std::to_string(device) + ",0.5,a\n";
            EXPECT_TRUE(IsSampled(device, 0.3)) << "a larger sample has it, too";
        }
    }
    store->Flush();
    EXPECT_EQ(Read("votes.csv"), expected);
    EXPECT_NEAR(count, 250, 50);
    EXPECT_THAT(Read("columns.csv"), HasSubstr("votes,share,real")) << "has no device";
    EXPECT_TRUE(IsSampled(3, 1));
    EXPECT_FALSE(IsSampled(3, 0));
}

TEST_F(TableStoreTest, DescribesEveryColumn)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder);
    store->Add<PollRow>();
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
    const auto votes = store->Add<PollRow>();
    votes.Write({3, 0.5, "7, \"or\" 8"});
    votes.Write({4, 0.25, "two\nlines"});
    store->Flush();
    EXPECT_EQ(Read("votes.csv"),
              "device,share,for\n3,0.5,\"7, \"\"or\"\" 8\"\n4,0.25,\"two\nlines\"\n");
}

TEST_F(TableStoreTest, UnknownFormatIsRefusedInOneLine)
{
    tests::ExpectRefused<UserError>("recorder 'parquet' is not allowed; allowed: csv",
                                    [&] { RequireTableFormat("parquet"); });
    for (const auto& format : GetTableFormats())
    {
        EXPECT_NO_THROW(RequireTableFormat(format));
    }
}

TEST_F(TableStoreTest, OmittedTablesHaveAHeaderButNoRows)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder, {"votes"});
    const auto votes = store->Add<PollRow>();
    votes.Write({3, 0.5, "7"});
    store->Flush();
    EXPECT_EQ(Read("votes.csv"), "device,share,for\n");
    EXPECT_THAT(Read("columns.csv"), HasSubstr("votes,share"));
}

TEST_F(TableDeathTest, NamesAreUnique)
{
    const RunFolder folder(m_folder / "run");
    const auto store = MakeTableStore("csv", folder);
    store->Add<PollRow>();
    EXPECT_DEATH(store->Add<PollRow>(), "there is a table votes already");
    EXPECT_DEATH(store->Add<ColumnRow>(), "there is a table columns already");
}
