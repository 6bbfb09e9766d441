/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-added-views.h"
#include "ns3/collab-image-resampling.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <stdexcept>

namespace added_views_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;
using testing::ElementsAreArray;

/// @return two images of 2 x 2 and one channel
DataSet
MakeSquares()
{
    DataSet data;
    data.sampleShape = {1, 2, 2};
    data.classes = 2;
    data.features = {1, 2, 3, 4, 50, 60, 70, 80};
    data.labels = {1, 0};
    data.userNames = {"a", "b"};
    data.users = {1, 0};
    return data;
}

TEST(AddedViewsTest, AreTurnedLeftAndRight)
{
    AddedViews views;
    views.rotation = 90;
    views.crops = 0;
    const DataSet all = AddViews(MakeSquares(), views, 1);
    EXPECT_NO_THROW(all.Validate());
    EXPECT_THAT(all.features, ElementsAreArray({1, 2, 3, 4, 50, 60, 70, 80,    // themselves
                                                2, 4, 1, 3, 60, 80, 50, 70,    // left
                                                3, 1, 4, 2, 70, 50, 80, 60})); // right
    EXPECT_THAT(all.labels, ElementsAre(1, 0, 1, 0, 1, 0));
    EXPECT_THAT(all.users, ElementsAre(1, 0, 1, 0, 1, 0));
}

TEST(AddedViewsTest, AreEnlargedWindows)
{
    DataSet data = MakeSquares();
    data.kind = FeatureKind::NUMBERS;
    data.numbers = MakeUniformVectors(2, 2 * 5 * 6, 1).values;
    data.sampleShape = {2, 5, 6};
    data.features.clear();
    AddedViews views;
    views.rotation = 0;
    views.crops = 2;
    const DataSet all = AddViews(data, views, 1);
    EXPECT_NO_THROW(all.Validate());
    EXPECT_EQ(all.Size(), 6U);
    EXPECT_TRUE(std::equal(data.numbers.begin(), data.numbers.end(), all.numbers.begin()));
    EXPECT_EQ(AddViews(data, views, 1).numbers, all.numbers);
    EXPECT_NE(AddViews(data, views, 2).numbers, all.numbers);
    for (std::size_t view = 2; view < 6; ++view)
    {
        const float* image = &all.numbers[view * 60];
        const float* original = &all.numbers[view % 2 * 60];
        EXPECT_FALSE(std::equal(image, image + 60, original)) << view;
        const auto [least, most] = std::minmax_element(original, original + 60);
        EXPECT_GE(*std::min_element(image, image + 60), *least);
        EXPECT_LE(*std::max_element(image, image + 60), *most);
    }
    views.crop = 0; // the whole image
    const DataSet same = AddViews(data, views, 1);
    EXPECT_TRUE(std::equal(data.numbers.begin(), data.numbers.end(), &same.numbers[120]));
}

TEST(AddedViewsTest, RoundBytesAndLetOthersIn)
{
    DataSet data = MakeSquares();
    AddedViews views;
    views.rotation = 45;
    views.crops = 0;
    views.outside = 255;
    const DataSet all = AddViews(data, views, 1);
    const std::vector<float> bytes{1, 2, 3, 4};
    std::vector<float> turned(4);
    MixPixels(FindRotation(45, 2, 2), bytes.data(), 255, turned.data());
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_NEAR(all.features[8 + i], turned[i], 0.5) << i;
        EXPECT_GT(turned[i], 4) << i;
    }
}

TEST(AddedViewsTest, RefuseWhatIsNoImage)
{
    DataSet data = MakeSquares();
    AddedViews views;
    views.crop = 1;
    EXPECT_THROW(AddViews(data, views, 1), std::invalid_argument);
    views.crop = 0;
    views.rotation = 181;
    EXPECT_THROW(AddViews(data, views, 1), std::invalid_argument);
    views.rotation = 0;
    data.sampleShape = {4};
    EXPECT_THROW(AddViews(data, views, 1), std::invalid_argument);
}

} // namespace added_views_test
