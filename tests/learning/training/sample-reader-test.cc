/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-sample-reader.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sample_reader_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

/// @return samples of numbers, one after another
std::shared_ptr<DataSet>
MakeNumbers(const std::vector<int64_t>& shape, const std::vector<float>& values)
{
    auto data = MakeDataSet(FeatureKind::NUMBERS, shape, 0, 2, {});
    data->numbers = values;
    data->labels.assign(values.size() / data->SampleSize(), 0);
    return data;
}

/// @return a view of all samples
DataView
ViewOf(const std::shared_ptr<const DataSet>& data, const SampleTransform& change)
{
    DataView view = ViewAll(data);
    view.transform = std::make_shared<const SampleTransform>(change);
    return view;
}

/// @return what a model reads
std::vector<float>
ReadSample(const DataView& view, uint32_t index)
{
    SampleReader reader(view);
    std::vector<float> values(view.data->SampleSize());
    EXPECT_EQ(reader.Read(index, values.data()), values.data() + values.size());
    return values;
}

/// @return rotation by an angle, without noise
SampleTransform
Turned(double degrees)
{
    SampleTransform change;
    change.rotation = degrees;
    return change;
}

TEST(SampleReaderTest, NormalizesBytesByChannel)
{
    DataSet bytes;
    bytes.sampleShape = {2, 1, 2};
    bytes.classes = 2;
    bytes.features = {0, 255, 51, 102, 255, 0, 0, 255};
    bytes.labels = {0, 1};
    const auto one = std::make_shared<const DataSet>(bytes);
    EXPECT_THAT(ReadSample(MakeView(one, {0}), 0),
                Pointwise(testing::FloatEq(), {-1.0F, 1.0F, -0.6F, -0.2F}));
    bytes.offset = {0.5F, 0.2F};
    bytes.scale = {0.25F, 0.1F};
    const auto each = std::make_shared<const DataSet>(bytes);
    EXPECT_THAT(ReadSample(MakeView(each, {0}), 0),
                Pointwise(testing::FloatNear(1e-6F), {-2.0F, 2.0F, 0.0F, 2.0F}));
    EXPECT_THAT(ReadSample(MakeView(each, {0}), 1),
                Pointwise(testing::FloatNear(1e-6F), {2.0F, -2.0F, -2.0F, 8.0F}));
}

TEST(SampleReaderTest, LeavesNumbersAndTokensAsTheyAre)
{
    const auto data = MakeNumbers({2}, {1.5F, -2.0F, 1e30F, 0.0F});
    EXPECT_THAT(ReadSample(MakeView(data, {1}), 1), ElementsAre(1e30F, 0.0F));
    const auto text = MakeDataSet(FeatureKind::TOKENS, {3}, 2, 2, [](uint64_t i, uint64_t j) {
        return static_cast<double>(96 * i + j + 1);
    });
    text->vocabulary = 100;
    SampleReader reader(MakeView(text, {0}));
    std::vector<int64_t> values(3);
    EXPECT_EQ(reader.Read(1, values.data()), values.data() + 3);
    EXPECT_THAT(values, ElementsAre(97, 98, 99));
}

TEST(SampleReaderTest, TurnsImagesCounterclockwise)
{
    const auto square = MakeNumbers({1, 2, 2}, {1, 2, 3, 4});
    EXPECT_THAT(ReadSample(ViewOf(square, Turned(90)), 0), ElementsAre(2, 4, 1, 3));
    EXPECT_THAT(ReadSample(ViewOf(square, Turned(180)), 0), ElementsAre(4, 3, 2, 1));
    EXPECT_THAT(ReadSample(ViewOf(square, Turned(270)), 0), ElementsAre(3, 1, 4, 2));
    EXPECT_THAT(ReadSample(ViewOf(square, Turned(-90)), 0), ElementsAre(3, 1, 4, 2));
    EXPECT_THAT(ReadSample(ViewOf(square, Turned(720)), 0), ElementsAre(1, 2, 3, 4));
    const auto channels = MakeNumbers({2, 1, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_THAT(ReadSample(ViewOf(channels, Turned(180)), 0), ElementsAre(3, 2, 1, 6, 5, 4));
}

TEST(SampleReaderTest, MixesPixelsBilinearly)
{
    // A lone bright pixel in the middle of 3 x 3 stays there at any angle; its neighbor to the
    // right goes to the upper right by half a turn of 90 degrees: at 45 degrees the corner looks
    // back at (sqrt 2, 0), which is 0.414 outside of the image.
    const auto middle = MakeNumbers({1, 3, 3}, {0, 0, 0, 0, 1, 0, 0, 0, 0});
    EXPECT_FLOAT_EQ(ReadSample(ViewOf(middle, Turned(33)), 0)[4], 1);
    const auto right = MakeNumbers({1, 3, 3}, {0, 0, 0, 0, 0, 1, 0, 0, 0});
    const std::vector<float> turned = ReadSample(ViewOf(right, Turned(45)), 0);
    EXPECT_NEAR(turned[2], 2 - std::sqrt(2.0), 1e-6);
    EXPECT_NEAR(turned[8], 0, 1e-6);
    EXPECT_NEAR(turned[1], std::sqrt(0.5) * (1 - std::sqrt(0.5)), 1e-6);
}

TEST(SampleReaderTest, OutsideOfARotatedImageIsTheByteZero)
{
    const auto data =
        MakeDataSet(FeatureKind::BYTES, {2, 1, 3}, 1, 2, [](auto, auto) { return 255; });
    data->offset = {0.5F, 0.0F};
    data->scale = {0.5F, 1.0F};
    EXPECT_THAT(ReadSample(ViewOf(data, Turned(90)), 0), ElementsAre(-1, 1, -1, 0, 1, 0));
    const auto numbers = MakeNumbers({1, 1, 3}, {7, 8, 9});
    EXPECT_THAT(ReadSample(ViewOf(numbers, Turned(90)), 0), ElementsAre(0, 8, 0));
}

TEST(SampleReaderTest, NoiseHasItsDeviationAndBelongsToTheSample)
{
    constexpr std::size_t SIZE = 20000;
    const auto data = MakeNumbers({static_cast<int64_t>(SIZE)}, std::vector<float>(2 * SIZE, 3));
    SampleTransform change;
    change.noise = 0.5;
    change.seed = 11;
    const std::vector<float> first = ReadSample(ViewOf(data, change), 0);
    EXPECT_NEAR(Moments(first).mean, 3, 4 * 0.5 / std::sqrt(SIZE));
    EXPECT_NEAR(Moments(first).deviation, 0.5, 4 * 0.5 / std::sqrt(2.0 * SIZE));
    EXPECT_EQ(first, ReadSample(ViewOf(data, change), 0));
    EXPECT_NE(first, ReadSample(ViewOf(data, change), 1));
    change.seed = 12;
    EXPECT_NE(first, ReadSample(ViewOf(data, change), 0));
}

TEST(SampleReaderTest, RefusesTransformsThatCannotBe)
{
    const auto vector = MakeNumbers({4}, {1, 2, 3, 4});
    const auto errorOf = [&](const SampleTransform& change) {
        return ErrorOf([&] { SampleReader reader(ViewOf(vector, change)); });
    };
    EXPECT_THAT(errorOf(Turned(10)), HasSubstr("shape (4) cannot be rotated"));
    EXPECT_THAT(errorOf(Turned(std::numeric_limits<double>::quiet_NaN())),
                HasSubstr("rotation nan"));
    SampleTransform noisy;
    noisy.noise = -1;
    EXPECT_THAT(errorOf(noisy), HasSubstr("noise -1"));
    const auto text = MakeDataSet(FeatureKind::TOKENS, {1}, 1, 2, [](auto, auto) { return 1; });
    text->name = "words";
    text->vocabulary = 2;
    noisy.noise = 1;
    EXPECT_THAT(ErrorOf([&] { SampleReader reader(ViewOf(text, noisy)); }),
                HasSubstr("'words' has tokens"));
}

} // namespace sample_reader_test
