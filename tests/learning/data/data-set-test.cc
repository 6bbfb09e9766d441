/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/test-files.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// @return ten samples of one byte, sample i of class i % 5
std::shared_ptr<const DataSet>
MakeTinyDataSet()
{
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {1, 1, 1};
    data->classes = 5;
    for (int64_t i = 0; i < 10; ++i)
    {
        data->features.push_back(static_cast<uint8_t>(i));
        data->labels.push_back(i % 5);
    }
    return data;
}

TEST(DataSetTest, SampleBytesIsProductOfShape)
{
    DataSet data;
    data.sampleShape = {3, 4, 5};
    EXPECT_EQ(data.SampleBytes(), 60U);
}

/**
 * @param change makes a good data set a bad one
 * @return the text of the error
 */
std::string
ErrorOfValidating(const std::function<void(DataSet&)>& change)
{
    DataSet data = *MakeTinyDataSet();
    data.name = "tiny";
    change(data);
    try
    {
        data.Validate();
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "no error";
}

TEST(DataSetTest, ValidateNamesWhatIsInconsistent)
{
    const auto expect = [](const std::function<void(DataSet&)>& change, const std::string& text) {
        EXPECT_THAT(ErrorOfValidating(change), HasSubstr(text));
    };
    expect([](DataSet&) {}, "no error");
    expect([](DataSet& d) { d.sampleShape = {}; }, "'tiny': sampleShape ()");
    expect([](DataSet& d) { d.sampleShape = {1, 0, 1}; }, "sampleShape (1, 0, 1)");
    expect([](DataSet& d) { d.classes = 0; }, "0 classes and 0 outputs");
    expect([](DataSet& d) { d.outputs = 1; }, "5 classes and 1 outputs");
    expect([](DataSet& d) { d.features.pop_back(); }, "9 features of kind BYTES, expected 10");
    expect([](DataSet& d) { d.kind = FeatureKind::NUMBERS; }, "0 features of kind NUMBERS");
    expect([](DataSet& d) { d.labels[3] = 5; }, "labels[3] is 5, expected 0 to 4");
    expect([](DataSet& d) { d.labels[9] = -1; }, "labels[9] is -1");
    expect([](DataSet& d) { d.users = {0}; }, "1 users");
    expect([](DataSet& d) { d.users.assign(10, 1), d.userNames = {"Ann"}; }, "users[0] is 1");
    expect([](DataSet& d) { d.vocabulary = 3; }, "a vocabulary of 3 with features of kind BYTES");
    expect([](DataSet& d) { d.scale = {0}; }, "scale 0");
    expect([](DataSet& d) { d.offset = {NAN}; }, "offset nan");
    expect([](DataSet& d) { d.scale = {1, 1}; }, "1 offsets and 2 scales");
    expect([](DataSet& d) { d.numbers = {0, INFINITY}; }, "numbers[1] is inf");
}

TEST(DataSetTest, KindsAndTargetsHaveTheirSizes)
{
    DataSet data;
    data.kind = FeatureKind::NUMBERS;
    data.sampleShape = {3};
    data.outputs = 2;
    data.numbers.resize(12);
    data.targets.resize(8);
    data.Validate();
    EXPECT_EQ(data.Size(), 4U);
    EXPECT_EQ(data.SampleSize(), 3U);
    EXPECT_EQ(data.SampleBytes(), 12U);
    EXPECT_TRUE(MakeView(std::make_shared<const DataSet>(data), {3}).labels.empty());
    data.targets.resize(9);
    EXPECT_THROW(data.Validate(), std::invalid_argument);
    data.targets.resize(8);
    data.targets[1] = NAN;
    EXPECT_THROW(data.Validate(), std::invalid_argument);
    DataSet text;
    text.kind = FeatureKind::TOKENS;
    text.sampleShape = {2};
    text.classes = 2;
    text.vocabulary = 7;
    text.tokens = {0, 6};
    text.labels = {1};
    text.Validate();
    EXPECT_EQ(text.SampleBytes(), 8U);
    text.tokens[1] = 7;
    EXPECT_THROW(text.Validate(), std::invalid_argument);
}

TEST(DataViewTest, TakesLabelsOfTheDataSet)
{
    const auto data = MakeTinyDataSet();
    const DataView view = MakeView(data, {9, 0, 3});
    EXPECT_EQ(view.data, data);
    EXPECT_THAT(view.indices, ElementsAre(9, 0, 3));
    EXPECT_THAT(view.labels, ElementsAre(4, 0, 3));
}

TEST(DataViewTest, RefusesIndicesOutOfRange)
{
    EXPECT_THROW(MakeView(MakeTinyDataSet(), {10}), std::invalid_argument);
}

TEST(LabelCorruptionTest, ShiftWrapsAndIsOnlyTheViewsOwn)
{
    const auto data = MakeTinyDataSet();
    DataView corrupted = MakeView(data, {0, 1, 2, 3, 4});
    const DataView honest = MakeView(data, {0, 1, 2, 3, 4});
    ShiftLabels(corrupted, 2);
    EXPECT_THAT(corrupted.labels, ElementsAre(2, 3, 4, 0, 1));
    EXPECT_THAT(honest.labels, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(data->labels, MakeTinyDataSet()->labels);
}

TEST(LabelCorruptionTest, RefusesShiftsThatChangeNothing)
{
    DataView view = MakeView(MakeTinyDataSet(), {0});
    EXPECT_THROW(ShiftLabels(view, 0), std::invalid_argument);
    EXPECT_THROW(ShiftLabels(view, 5), std::invalid_argument);
    ShiftLabels(view, 4);
    EXPECT_THAT(view.labels, ElementsAre(4));
}

TEST(LabelCorruptionTest, PermutationKeepsCountsAndFollowsTheSeed)
{
    const DataView honest = MakeView(MakeTinyDataSet(), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    DataView first = honest;
    DataView same = honest;
    DataView other = honest;
    PermuteLabels(first, 7);
    PermuteLabels(same, 7);
    PermuteLabels(other, 8);
    EXPECT_NE(first.labels, honest.labels);
    EXPECT_EQ(first.labels, same.labels);
    EXPECT_NE(first.labels, other.labels);
    EXPECT_THAT(first.labels, testing::UnorderedElementsAreArray(honest.labels));
    EXPECT_EQ(first.indices, honest.indices);
}

class LoadIdxDataSetTest : public TestFiles
{
  protected:
    /// @return the text of the error of loading the training part
    std::string
    ErrorOfLoading() const
    {
        try
        {
            LoadIdxDataSet(Folder(), true);
        }
        catch (const DataFileError& error)
        {
            return error.what();
        }
        return "no error";
    }
};

TEST_F(LoadIdxDataSetTest, ReadsPlainAndCompressedFiles)
{
    Write("t10k-images-idx3-ubyte", Idx({2, 1, 3}, "abcdef"));
    Write("t10k-labels-idx1-ubyte.gz", Gzip(Idx({2}, "\x03\x01")));
    const auto data = LoadIdxDataSet(Folder(), false);
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
    const auto data = LoadIdxDataSet(Folder() + "/", true);
    EXPECT_THAT(data->features, ElementsAre('p'));
    EXPECT_EQ(data->classes, 2U);
    EXPECT_EQ(data->name, std::filesystem::path(Folder()).filename().string() + " train");
}

TEST_F(LoadIdxDataSetTest, NamesBothFilesIfThereIsNeither)
{
    EXPECT_THAT(
        ErrorOfLoading(),
        AllOf(HasSubstr("train-images-idx3-ubyte,"), HasSubstr("train-images-idx3-ubyte.gz")));
}

TEST_F(LoadIdxDataSetTest, RefusesOtherNumberOfLabels)
{
    Write("train-images-idx3-ubyte", Idx({2, 1, 1}, "ab"));
    Write("train-labels-idx1-ubyte", Idx({3}, "\x01\x01\x01"));
    EXPECT_THAT(ErrorOfLoading(),
                AllOf(HasSubstr("train-labels-idx1-ubyte"),
                      HasSubstr("3 labels"),
                      HasSubstr("expected 2"),
                      HasSubstr("train-images-idx3-ubyte")));
}

TEST_F(LoadIdxDataSetTest, RefusesOtherDimensions)
{
    Write("train-images-idx3-ubyte", Idx({2, 1}, "ab"));
    Write("train-labels-idx1-ubyte", Idx({2}, "\x01\x01"));
    EXPECT_THAT(ErrorOfLoading(), AllOf(HasSubstr("train-images-idx3-ubyte"), HasSubstr("2 x 1")));
    Write("train-images-idx3-ubyte", Idx({0, 28, 28}, ""));
    EXPECT_THAT(ErrorOfLoading(),
                AllOf(HasSubstr("train-images-idx3-ubyte"), HasSubstr("0 x 28 x 28")));
}

TEST(FashionMnistTest, TestPartIsAsPublished)
{
    const std::string folder = "/usr/share/datasets/fashion-mnist";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << folder << " is missing (Debian package dataset-fashion-mnist)";
    }
    const auto data = LoadIdxDataSet(folder, false);
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

} // namespace
