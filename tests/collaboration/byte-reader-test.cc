/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-byte-reader.h"
#include "ns3/collab-wire-format.h"

#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>
#include <vector>

using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

using Reader = ByteReader<std::out_of_range>;

} // namespace

TEST(ByteReaderTest, ReadsWhatIsWrittenWithTheLowestByteFirst)
{
    std::vector<uint8_t> bytes;
    PutLittle(uint8_t{7}, bytes);
    PutLittle(uint16_t{0x0102}, bytes);
    PutLittle(uint64_t{3}, bytes);
    EXPECT_THAT(bytes, ElementsAre(7, 2, 1, 3, 0, 0, 0, 0, 0, 0, 0));
    Reader reader(bytes.data(), bytes.size());
    EXPECT_EQ(reader.TakeNumber<uint8_t>(), 7);
    EXPECT_EQ(reader.TakeNumber<uint16_t>(), 0x0102);
    EXPECT_EQ(reader.GetLeft(), 8);
    EXPECT_THROW(reader.CheckEnd(), std::out_of_range);
    EXPECT_EQ(reader.TakeNumber<uint64_t>(), 3);
    EXPECT_NO_THROW(reader.CheckEnd());
}

TEST(ByteReaderTest, NeverReadsBeyondTheEnd)
{
    const std::vector<uint8_t> bytes = {1, 2, 3};
    Reader reader(bytes.data(), bytes.size());
    EXPECT_THROW(reader.Take(4), std::out_of_range);
    EXPECT_THROW(reader.Take(SIZE_MAX), std::out_of_range);
    EXPECT_THROW(reader.TakeNumber<uint32_t>(), std::out_of_range);
    EXPECT_EQ(reader.GetLeft(), 3) << "nothing is taken";
    EXPECT_EQ(reader.Take(3), bytes.data());
    EXPECT_THROW(reader.TakeNumber<uint8_t>(), std::out_of_range);
}

TEST(ByteReaderTest, BelievesNoMoreEntriesThanThereCanBe)
{
    std::vector<uint8_t> bytes;
    PutLittle(uint32_t{2}, bytes);
    bytes.resize(bytes.size() + 7);
    EXPECT_EQ(Reader(bytes.data(), bytes.size()).TakeCount(3), 2);
    EXPECT_THROW(Reader(bytes.data(), bytes.size()).TakeCount(4), std::out_of_range);
}

TEST(WireFormatTest, VectorsOfOtherLengthsOrNotFiniteAreRefused)
{
    const std::vector<float> values = {1, 2};
    EXPECT_NO_THROW(CheckFloats(&values, 2, "it"));
    EXPECT_NO_THROW(CheckFloats(nullptr, 0, "it"));
    EXPECT_THROW(CheckFloats(&values, 3, "it"), PayloadError);
    EXPECT_THROW(CheckFloats(nullptr, 1, "it"), PayloadError);
    for (const float bad :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    {
        const std::vector<float> wrong = {1, bad};
        EXPECT_THROW(CheckFloats(&wrong, 2, "it"), PayloadError);
    }
}
