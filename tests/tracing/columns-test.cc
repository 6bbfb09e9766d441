/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/memory-store.h"

#include "ns3/collab-metric.h"
#include "ns3/nstime.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::Pair;

namespace
{

/// A record of a trace, which is a row too
struct BirdRecord
{
    uint32_t ring = 0;          //!< its number
    int64_t nest = 0;           //!< where it lives
    uint64_t eggs = 0;          //!< how many
    bool flies = false;         //!< whether it does
    double weight = 0;          //!< [kg]
    float span = 0;             //!< [m]
    Time seen;                  //!< when
    std::string name;           //!< what people call it
    std::string unwritten;      //!< no column
    std::vector<double> colors; //!< shares of red and blue

    /// @return twice its span
    double
    GetGreatestWidth() const
    {
        return 2 * span;
    }

    /// @return a table with a column of each kind
    static TableColumns<BirdRecord>
    GetTable()
    {
        Columns<BirdRecord> colors;
        for (std::size_t i = 0; i < 2; ++i)
        {
            const auto read = [i](const BirdRecord& bird) { return bird.colors[i]; };
            colors.Add({i == 0 ? "red" : "blue", "1", "share of a color", read});
        }
        using Row = BirdRecord;
        return {"birds",
                "a bird",
                Columns<Row>{{"ring", "", "its number", &Row::ring},
                             {"nest", "", "where it lives", &Row::nest},
                             {"eggs", "", "how many", &Row::eggs},
                             {"flies", "", "1 if it does", &Row::flies},
                             {"weight_kg", "kg", "its weight", &Row::weight},
                             {"span_m", "m", "of its wings", &Row::span}} +
                    colors +
                    Columns<Row>{{"width_m", "m", "twice that", &Row::GetGreatestWidth},
                                 {"seen_s", "s", "when", &Row::seen},
                                 {"name", "", "what people call it", &Row::name}}};
    }
};

/// What a device measures
struct BirdMetrics
{
    double joy = 0;      //!< that it gives
    uint32_t songs = 0;  //!< that it sings
    bool asleep = false; //!< whether it is

    /// @return all
    static Columns<BirdMetrics>
    GetColumns()
    {
        return {{"joy", "J", "that it gives", &BirdMetrics::joy},
                {"songs", "", "that it sings", &BirdMetrics::songs},
                {"asleep", "", "1 if it is", &BirdMetrics::asleep}};
    }
};

/// @return a bird with a value in every member
BirdRecord
MakeBird()
{
    return {7, -3, 5, true, 0.1, 0.25F, NanoSeconds(1500000001), "wren, or", "x", {0.75, 0.125}};
}

} // namespace

TEST(ColumnsTest, MembersDecideTheTypesOfColumns)
{
    const TableDescription table = DescribeTable<BirdRecord>();
    EXPECT_EQ(table.name, "birds");
    EXPECT_EQ(table.meaning, "a bird");
    std::string columns;
    for (const auto& column : table.columns)
    {
        columns += column.name + "," + ToString(column.type) + "," + column.unit + "," +
                   column.meaning + "\n";
    }
    EXPECT_EQ(columns,
              "ring,integer,,its number\n"
              "nest,integer,,where it lives\n"
              "eggs,integer,,how many\n"
              "flies,integer,,1 if it does\n"
              "weight_kg,real,kg,its weight\n"
              "span_m,real,m,of its wings\n"
              "red,real,1,share of a color\n"
              "blue,real,1,share of a color\n"
              "width_m,real,m,twice that\n"
              "seen_s,real,s,when\n"
              "name,text,,what people call it\n");
}

TEST(ColumnsTest, ARowIsWrittenCellByCell)
{
    tests::MemoryStore store;
    const auto birds = store.Add<BirdRecord>();
    birds.Write(MakeBird());
    birds.Write(MakeBird());
    ASSERT_EQ(store.tables.at("birds")->texts.size(), 2U);
    const auto& texts = store.tables.at("birds")->texts[0];
    EXPECT_THAT(texts,
                ElementsAre(Pair("blue", "0.125"),
                            Pair("eggs", "5"),
                            Pair("flies", "1"),
                            Pair("name", "wren, or"),
                            Pair("nest", "-3"),
                            Pair("red", "0.75"),
                            Pair("ring", "7"),
                            Pair("seen_s", "1.500000001"),
                            Pair("span_m", "0.25"),
                            Pair("weight_kg", "0.1"),
                            Pair("width_m", "0.5")));
    EXPECT_THAT(store.tables.at("birds")->rows[0],
                ElementsAre(7, -3, 5, 1, 0.1, 0.25, 0.75, 0.125, 0.5, 1.500000001));
}

TEST(ColumnsTest, NumbersThatAreNoneHaveNoSign)
{
    const double none = ToCell(-std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(none));
    EXPECT_FALSE(std::signbit(none));
}

TEST(ColumnsTest, WholeNumbersAreBelow2To63)
{
    constexpr uint64_t LIMIT = uint64_t{1} << 63;
    EXPECT_EQ(ToCell(LIMIT - 1), std::numeric_limits<int64_t>::max());
    EXPECT_THROW(ToCell(LIMIT), std::range_error);
}

TEST(ColumnsTest, MetricsAreColumnsOfNumbers)
{
    const auto described = DescribeMetrics<BirdMetrics>();
    ASSERT_EQ(described.size(), 3U);
    EXPECT_EQ(described[0].name, "joy");
    EXPECT_EQ(described[0].unit, "J");
    EXPECT_EQ(described[2].meaning, "1 if it is");
    EXPECT_THAT(ReadMetrics(BirdMetrics{0.5, 3, true}),
                ElementsAre(Pair("joy", 0.5), Pair("songs", 3), Pair("asleep", 1)));
    const Columns<BirdRecord> text = {{"name", "", "", &BirdRecord::name}};
    EXPECT_THROW(ReadMetrics(MakeBird(), text), std::invalid_argument);
}
