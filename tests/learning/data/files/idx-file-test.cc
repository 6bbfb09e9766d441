/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/test-files.h"

#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace
{

using namespace ns3::collab;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class IdxFileTest : public TestFiles
{
  protected:
    /**
     * @param path of a file that cannot be read
     * @return the text of the error
     */
    static std::string
    ErrorOf(const std::string& path)
    {
        try
        {
            ReadIdxFile(path);
        }
        catch (const DataFileError& error)
        {
            return error.what();
        }
        return "no error";
    }
};

TEST_F(IdxFileTest, ReadsPlain)
{
    const IdxFile file = ReadIdxFile(Write("plain", Idx({2, 3}, "abcdef")));
    EXPECT_THAT(file.dimensions, ElementsAre(2, 3));
    EXPECT_THAT(file.bytes, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
}

TEST_F(IdxFileTest, ReadsCompressedWhateverTheName)
{
    const IdxFile file = ReadIdxFile(Write("noSuffix", Gzip(Idx({1, 1, 2}, "xy"))));
    EXPECT_THAT(file.dimensions, ElementsAre(1, 1, 2));
    EXPECT_THAT(file.bytes, ElementsAre('x', 'y'));
}

TEST_F(IdxFileTest, DimensionsAreBigEndian)
{
    const IdxFile file = ReadIdxFile(Write("big", Idx({0x010203}, std::string(0x010203, 'z'))));
    EXPECT_THAT(file.dimensions, ElementsAre(66051));
    EXPECT_EQ(file.bytes.size(), 66051U);
}

TEST_F(IdxFileTest, ReadsMoreThanOneChunk)
{
    std::string elements(3 * 1024 * 1024 + 5, '\0');
    for (std::size_t i = 0; i < elements.size(); ++i)
    {
        elements[i] = static_cast<char>(i * 2654435761U >> 16);
    }
    const auto size = static_cast<uint32_t>(elements.size());
    for (const std::string& bytes : {Idx({size}, elements), Gzip(Idx({size}, elements))})
    {
        const IdxFile file = ReadIdxFile(Write("long", bytes));
        EXPECT_TRUE(std::equal(elements.begin(),
                               elements.end(),
                               file.bytes.begin(),
                               file.bytes.end(),
                               [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; }));
    }
}

TEST_F(IdxFileTest, AcceptsNoElements)
{
    EXPECT_TRUE(ReadIdxFile(Write("none", Idx({0, 28}, ""))).bytes.empty());
}

TEST_F(IdxFileTest, MissingFile)
{
    EXPECT_THAT(ErrorOf(Folder() + "/missing"),
                AllOf(HasSubstr("/missing"), HasSubstr("cannot be opened")));
}

TEST_F(IdxFileTest, FolderInsteadOfFile)
{
    EXPECT_THAT(ErrorOf(Folder()), HasSubstr(Folder()));
}

TEST_F(IdxFileTest, EmptyFile)
{
    EXPECT_THAT(ErrorOf(Write("empty", "")),
                AllOf(HasSubstr("/empty"), HasSubstr("byte 0:"), HasSubstr("magic number")));
}

TEST_F(IdxFileTest, WrongMagicNumber)
{
    EXPECT_THAT(ErrorOf(Write("text", "PK\x08\x01....")),
                AllOf(HasSubstr("/text"), HasSubstr("byte 0:"), HasSubstr("0x50 0x4b")));
}

TEST_F(IdxFileTest, WrongElementType)
{
    std::string bytes = Idx({1}, "a");
    bytes[2] = '\x0d';
    EXPECT_THAT(ErrorOf(Write("floats", bytes)),
                AllOf(HasSubstr("byte 2:"), HasSubstr("0x0d"), HasSubstr("0x08")));
}

TEST_F(IdxFileTest, NoDimensions)
{
    EXPECT_THAT(ErrorOf(Write("flat", Idx({}, ""))),
                AllOf(HasSubstr("byte 3:"), HasSubstr("0 dimensions")));
}

TEST_F(IdxFileTest, TruncatedHeader)
{
    const std::string bytes = Idx({2, 3}, "abcdef");
    EXPECT_THAT(ErrorOf(Write("short", bytes.substr(0, 3))),
                AllOf(HasSubstr("byte 3:"), HasSubstr("magic number")));
    EXPECT_THAT(ErrorOf(Write("short", bytes.substr(0, 10))),
                AllOf(HasSubstr("byte 10:"), HasSubstr("dimension 2 of 2")));
}

TEST_F(IdxFileTest, TruncatedBody)
{
    const std::string bytes = Idx({2, 3}, "abcde");
    const auto matches =
        AllOf(HasSubstr("byte 17:"), HasSubstr("after 5 elements"), HasSubstr("expected 6"));
    EXPECT_THAT(ErrorOf(Write("plain", bytes)), matches);
    EXPECT_THAT(ErrorOf(Write("compressed", Gzip(bytes))), matches);
}

TEST_F(IdxFileTest, TrailingBytes)
{
    const std::string bytes = Idx({2, 3}, "abcdefg");
    const auto matches = AllOf(HasSubstr("byte 18:"), HasSubstr("expected the end"));
    EXPECT_THAT(ErrorOf(Write("plain", bytes)), matches);
    EXPECT_THAT(ErrorOf(Write("compressed", Gzip(bytes))), matches);
}

TEST_F(IdxFileTest, CompressedFileCutAnywhere)
{
    const std::string bytes = Gzip(Idx({3, 4}, "abcdefghijkl"));
    for (std::size_t size = 2; size < bytes.size(); ++size)
    {
        EXPECT_THROW(ReadIdxFile(Write("cut", bytes.substr(0, size))), DataFileError)
            << "cut to " << size << " of " << bytes.size() << " bytes";
    }
}

TEST_F(IdxFileTest, DamagedCompressedFile)
{
    std::string bytes = Gzip(Idx({1000}, std::string(1000, 'a')));
    bytes[bytes.size() - 8] ^= 1; // the checksum
    EXPECT_THAT(ErrorOf(Write("damaged", bytes)),
                AllOf(HasSubstr("/damaged"), HasSubstr("damaged data"), HasSubstr("byte ")));
}

TEST_F(IdxFileTest, AbsurdDimensionsTakeNoMemory)
{
    EXPECT_THAT(ErrorOf(Write("huge", Idx({0xffffffff, 0xffffffff}, "abc"))),
                AllOf(HasSubstr("byte 15:"), HasSubstr("after 3 elements")));
    EXPECT_THAT(ErrorOf(Write("overflow", Idx({0xffffffff, 0xffffffff, 2}, "abc"))),
                AllOf(HasSubstr("byte 4:"), HasSubstr("4294967295 x 4294967295 x 2")));
}

} // namespace
