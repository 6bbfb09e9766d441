/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-data-set.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

namespace data_set_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

/// @return ten samples of one byte, sample i of class i % 5
std::shared_ptr<DataSet>
MakeTinyDataSet()
{
    return MakeDataSet(
        FeatureKind::BYTES, {1, 1, 1}, 10, 5, [](uint64_t i, uint64_t) { return i; });
}

TEST(DataSetTest, SampleBytesIsProductOfShape)
{
    DataSet data;
    data.sampleShape = {3, 4, 5};
    EXPECT_EQ(data.SampleBytes(), 60U);
}

TEST(DataSetTest, ValidateNamesWhatIsInconsistent)
{
    EXPECT_NO_THROW(MakeTinyDataSet()->Validate());
    const auto expect = [](const auto& change, const std::string& text) {
        DataSet data = *MakeTinyDataSet();
        data.name = "tiny";
        change(data);
        ExpectRefused(text, [&data] { data.Validate(); });
    };
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
    EXPECT_THROW(MakeView(data, {10}), std::invalid_argument);
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
    EXPECT_THROW(ShiftLabels(corrupted, 0), std::invalid_argument);
    EXPECT_THROW(ShiftLabels(corrupted, 5), std::invalid_argument);
    ShiftLabels(corrupted, 4);
    EXPECT_THAT(corrupted.labels, ElementsAre(1, 2, 3, 4, 0));
}

TEST(LabelCorruptionTest, PermutationKeepsCountsAndFollowsTheSeed)
{
    const DataView honest = ViewAll(MakeTinyDataSet());
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

} // namespace data_set_test
