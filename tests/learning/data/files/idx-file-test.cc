/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/test-files.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace idx_file_test
{

using namespace ns3::collab;
using namespace tests;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using IdxFileTest = TestFiles;

/// @return options for the test part
IdxOptions
TestPart()
{
    IdxOptions options;
    options.train = false;
    return options;
}

TEST_F(IdxFileTest, ReadsPlainAndCompressedWhateverTheName)
{
    const IdxFile file = ReadIdxFile(Write("plain", Idx({2, 3}, "abcdef")));
    EXPECT_THAT(file.dimensions, ElementsAre(2, 3));
    EXPECT_THAT(file.bytes, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
    const IdxFile packed = ReadIdxFile(Write("noSuffix", Gzip(Idx({1, 1, 2}, "xy"))));
    EXPECT_THAT(packed.dimensions, ElementsAre(1, 1, 2));
    EXPECT_THAT(packed.bytes, ElementsAre('x', 'y'));
    const IdxFile big = ReadIdxFile(Write("big", Idx({0x010203}, std::string(0x010203, 'z'))));
    EXPECT_THAT(big.dimensions, ElementsAre(66051));
    EXPECT_EQ(big.bytes.size(), 66051U);
    EXPECT_TRUE(ReadIdxFile(Write("none", Idx({0, 28}, ""))).bytes.empty());
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

TEST_F(IdxFileTest, ErrorsNameFileAndPlace)
{
    std::string floats = Idx({1}, "a");
    floats[2] = '\x0d';
    std::string damaged = Gzip(Idx({1000}, std::string(1000, 'a')));
    damaged[damaged.size() - 8] ^= 1; // the checksum
    const std::string good = Idx({2, 3}, "abcdef");
    const std::string cut = Idx({2, 3}, "abcde");
    const std::string longer = Idx({2, 3}, "abcdefg");
    const uint32_t most = 0xffffffff; // absurd dimensions take no memory
    const std::vector<std::pair<std::string, std::vector<std::string>>> wrong = {
        {"", {"byte 0:", "magic number"}},
        {"PK\x08\x01....", {"byte 0:", "0x50 0x4b"}},
        {floats, {"byte 2:", "0x0d", "0x08"}},
        {Idx({}, ""), {"byte 3:", "0 dimensions"}},
        {good.substr(0, 3), {"byte 3:", "magic number"}},
        {good.substr(0, 10), {"byte 10:", "dimension 2 of 2"}},
        {cut, {"byte 17:", "after 5 elements", "expected 6"}},
        {Gzip(cut), {"byte 17:", "after 5 elements", "expected 6"}},
        {longer, {"byte 18:", "expected the end"}},
        {Gzip(longer), {"byte 18:", "expected the end"}},
        {damaged, {"damaged data", "byte "}},
        {Idx({most, most}, "abc"), {"byte 15:", "after 3 elements"}},
        {Idx({most, most, 2}, "abc"), {"byte 4:", "4294967295 x 4294967295 x 2"}}};
    for (const auto& [bytes, texts] : wrong)
    {
        const std::string path = Write("wrong", bytes);
        const std::string error = ErrorOf<DataFileError>([&path] { ReadIdxFile(path); });
        EXPECT_THAT(error, HasSubstr("/wrong"));
        for (const std::string& text : texts)
        {
            EXPECT_THAT(error, HasSubstr(text));
        }
    }
    EXPECT_THAT(ErrorOf<DataFileError>([this] { ReadIdxFile(Folder() + "/missing"); }),
                AllOf(HasSubstr("/missing"), HasSubstr("cannot be opened")));
    ExpectRefused<DataFileError>(Folder(), [this] { ReadIdxFile(Folder()); });
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

class LoadIdxDataSetTest : public TestFiles
{
  protected:
    /// @return the text of the error of loading the training part
    std::string
    ErrorOfLoading() const
    {
        return ErrorOf<DataFileError>([this] { LoadIdxDataSet(Folder()); });
    }
};

TEST_F(LoadIdxDataSetTest, ReadsPlainAndCompressedFiles)
{
    Write("t10k-images-idx3-ubyte", Idx({2, 1, 3}, "abcdef"));
    Write("t10k-labels-idx1-ubyte.gz", Gzip(Idx({2}, "\x03\x01")));
    const auto data = LoadIdxDataSet(Folder(), TestPart());
    EXPECT_THAT(data->sampleShape, ElementsAre(1, 1, 3));
    EXPECT_EQ(data->classes, 4U);
    EXPECT_EQ(data->Size(), 2U);
    EXPECT_THAT(data->labels, ElementsAre(3, 1));
    EXPECT_THAT(data->features, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
    EXPECT_THAT(data->offset, ElementsAre(0.5F));
    EXPECT_THAT(data->scale, ElementsAre(0.5F));
    EXPECT_THAT(data->name, testing::EndsWith(" test"));
}

TEST_F(LoadIdxDataSetTest, PrefersThePlainFile)
{
    Write("train-images-idx3-ubyte", Idx({1, 1, 1}, "p"));
    Write("train-images-idx3-ubyte.gz", Gzip(Idx({1, 1, 1}, "c")));
    Write("train-labels-idx1-ubyte", Idx({1}, std::string(1, '\0')));
    const auto data = LoadIdxDataSet(Folder() + "/");
    EXPECT_THAT(data->features, ElementsAre('p'));
    EXPECT_EQ(data->classes, 2U);
    EXPECT_EQ(data->name, std::filesystem::path(Folder()).filename().string() + " train");
}

TEST_F(LoadIdxDataSetTest, RefusesWhatDoesNotFit)
{
    const std::string images = "train-images-idx3-ubyte";
    const std::string labels = "train-labels-idx1-ubyte";
    EXPECT_THAT(ErrorOfLoading(), AllOf(HasSubstr(images + ","), HasSubstr(images + ".gz")));
    Write(images, Idx({2, 1, 1}, "ab"));
    Write(labels, Idx({3}, "\x01\x01\x01"));
    EXPECT_THAT(
        ErrorOfLoading(),
        AllOf(
            HasSubstr(labels), HasSubstr("3 labels"), HasSubstr("expected 2"), HasSubstr(images)));
    Write(labels, Idx({2}, "\x01\x01"));
    Write(images, Idx({2, 1}, "ab"));
    EXPECT_THAT(ErrorOfLoading(), AllOf(HasSubstr(images), HasSubstr("2 x 1")));
    Write(images, Idx({0, 28, 28}, ""));
    EXPECT_THAT(ErrorOfLoading(), AllOf(HasSubstr(images), HasSubstr("0 x 28 x 28")));
}

TEST(FashionMnistTest, TestPartIsAsPublished)
{
    const std::string folder = "/usr/share/datasets/fashion-mnist";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << folder << " is missing (Debian package dataset-fashion-mnist)";
    }
    const auto data = LoadIdxDataSet(folder, TestPart());
    EXPECT_EQ(data->name, "fashion-mnist test");
    EXPECT_EQ(data->Size(), 10000U);
    EXPECT_EQ(data->classes, 10U);
    EXPECT_THAT(data->sampleShape, ElementsAre(1, 28, 28));
    EXPECT_EQ(data->features.size(), 7840000U);
    EXPECT_EQ(data->labels[0], 9);
    std::vector<int> counts(10, 0);
    for (int64_t label : data->labels)
    {
        ++counts.at(static_cast<std::size_t>(label));
    }
    EXPECT_THAT(counts, Each(1000));
}

} // namespace idx_file_test
