/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-changed-attributes.h"
#include "ns3/collab-csv-file.h"
#include "ns3/collab-error.h"
#include "ns3/collab-run-folder.h"
#include "ns3/config.h"
#include "ns3/d2d-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::tests::ReadFile;
namespace fs = std::filesystem;

using TracingTest = ::tests::TemporaryFolder;

TEST_F(TracingTest, RunFolderIsPartialUntilFinished)
{
    const std::string path = m_folder / "a" / "run";
    RunFolder folder(path);
    folder.WriteFile("run.json", "{}\n");
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(ReadFile(path + ".partial/run.json"), "{}\n");
    folder.Finish();
    EXPECT_FALSE(fs::exists(path + ".partial"));
    EXPECT_EQ(ReadFile(path + "/run.json"), "{}\n");
}

TEST_F(TracingTest, RunFolderIsNeverWrittenOver)
{
    fs::create_directories(m_folder / "finished");
    fs::create_directories(m_folder / "killed.partial");
    std::ofstream(m_folder / "killed.partial" / "rounds.csv") << "kept";
    EXPECT_THROW(RunFolder(m_folder / "finished"), UserError);
    EXPECT_THROW(RunFolder(m_folder / "killed"), UserError);
    EXPECT_THROW(RunFolder(""), UserError);
    EXPECT_EQ(ReadFile(m_folder / "killed.partial" / "rounds.csv"), "kept");
    std::ofstream(m_folder / "file") << "";
    EXPECT_THROW(RunFolder(m_folder / "file" / "run"), UserError);
}

TEST_F(TracingTest, CsvNumbersReadBackExactly)
{
    using PairOfCells = std::pair<double, int64_t>;
    fs::create_directories(m_folder);
    const std::string path = m_folder / "t.csv";
    const double third = 1.0 / 3;
    {
        const Columns<PairOfCells> columns = {{"a", "", "", &PairOfCells::first},
                                              {"b", "", "", &PairOfCells::second}};
        CsvFile file(path, {"t", "", columns.Describe()});
        const TableOf<PairOfCells> table(columns, &file);
        table.Write({third, std::numeric_limits<int64_t>::max()});
        table.Write({std::numeric_limits<double>::quiet_NaN(), -5});
        file.Flush();
    }
    EXPECT_EQ(ReadFile(path), "a,b\n0.3333333333333333,9223372036854775807\nnan,-5\n");
    EXPECT_EQ(std::stod("0.3333333333333333"), third);
}

TEST_F(TracingTest, CsvThatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(CsvFile(m_folder / "missing" / "t.csv", {}), std::runtime_error);
    EXPECT_THROW(CsvFile("/dev/full", {"t", "", {{"a", ColumnType::TEXT, "", ""}}}),
                 std::runtime_error);
}

TEST(ChangedAttributesTest, NumbersHaveAllTheirDigits)
{
    const std::string name = "ns3::collab::D2dPhy::Bandwidth";
    for (const auto& [given, told] :
         std::map<std::string, std::string>{{"1234567", "1234567"},
                                            {"1e6", "1e+06"},
                                            {"1000.1", "1000.1"},
                                            {"123456.789", "123456.789"}})
    {
        Config::SetDefault(name, StringValue(given));
        EXPECT_EQ(GetChangedAttributes().at(name), told);
    }
    Config::Reset();
}

TEST(ChangedAttributesTest, AreThoseThatWereGivenADefault)
{
    const std::string bandwidth = "ns3::collab::D2dPhy::Bandwidth";
    const std::string outage = "ns3::collab::D2dChannel::OutageModel";
    EXPECT_TRUE(GetChangedAttributes().empty());
    Config::SetDefault(bandwidth, StringValue("2.5e6"));
    Config::SetDefault(outage, StringValue("ns3::collab::D2dNakagamiOutageModel[M=3]"));
    const std::string arq = "ns3::collab::D2dMac::MaxAttempts";
    UintegerValue attempts;
    CreateObject<D2dNetDevice>()->GetMac()->GetAttribute("MaxAttempts", attempts);
    Config::SetDefault(arq, attempts); // its own default, which a program then must not change
    const std::map<std::string, std::string> expected = {
        {arq, std::to_string(attempts.Get())},
        {bandwidth, "2.5e+06"},
        {outage, "ns3::collab::D2dNakagamiOutageModel[M=3]"},
    };
    EXPECT_EQ(GetChangedAttributes(), expected);
    // With what it inherits
    const std::string model =
        "ns3::collab::D2dFixedOutageModel[Probability=0.5|CoherenceTime=+1e+09ns]";
    Config::SetDefault(outage, StringValue(model));
    EXPECT_EQ(GetChangedAttributes().at(outage), model);
    Config::Reset();
    EXPECT_TRUE(GetChangedAttributes().empty());
}
