/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "image-reference.h"
#include "learning/learning-test-support.h"

#include "ns3/collab-augmentation.h"
#include "ns3/collab-image-resampling.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <set>
#include <stdexcept>

namespace augmentation_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

const std::vector<int64_t> SHAPE = {2, 7, 9}; //!< of the image of make-unlabeled-reference.py

/// @return the image
std::vector<float>
MakeImage()
{
    return MakeUniformVectors(14, 9, 90).values;
}

/// @return the image changed
std::vector<float>
Mix(const std::vector<PixelTaps>& taps, float outside)
{
    const std::vector<float> image = MakeImage();
    std::vector<float> changed(image.size());
    float* next = MixPixels(taps, image.data(), outside, changed.data());
    MixPixels(taps, image.data() + 63, outside, next);
    return changed;
}

/// @return the image changed
std::vector<float>
Change(const Augmentation& augmentation, uint64_t seed)
{
    RandomGenerator generator(seed);
    const std::vector<float> image = MakeImage();
    std::vector<float> changed(image.size());
    Augment(augmentation, SHAPE, generator, image.data(), changed.data());
    return changed;
}

/// @return what changes nothing
Augmentation
MakeNone()
{
    Augmentation none;
    none.shift = 0;
    none.flip = none.jitter = none.noise = 0;
    return none;
}

TEST(ImageResamplingTest, IsThatOfScipy)
{
    ExpectNear(Mix(FindRotation(20, 7, 9), -1), TURNED, 1e-5);
    ImageWindow window;
    window.side = 0.7;
    window.left = 0.25;
    window.top = 0.6;
    ExpectNear(Mix(FindResizedCrop(window, 7, 9), 0), CROPPED, 1e-5);
    const std::vector<float> image = MakeImage();
    std::vector<float> blurred(image.size());
    BlurImage(0.8, 1, SHAPE, image.data(), blurred.data());
    ExpectNear(blurred, BLURRED_3, 1e-5);
    BlurImage(0.8, 2, SHAPE, image.data(), blurred.data());
    ExpectNear(blurred, BLURRED_5, 1e-5);
    BlurImage(0, 2, SHAPE, image.data(), blurred.data());
    EXPECT_EQ(blurred, image);
    EXPECT_EQ(Mix(FindResizedCrop({}, 7, 9), 0), image);
}

TEST(AugmentationTest, ShiftsAndFlips)
{
    const std::vector<float> image{1, 2, 3, 4, 5, 6};
    std::vector<std::vector<float>> seen;
    RandomGenerator generator(1);
    for (int i = 0; i < 400; ++i)
    {
        std::vector<float> changed(6);
        Augment({1, 0.5, 0, 0}, {1, 2, 3}, generator, image.data(), changed.data());
        seen.push_back(changed);
    }
    EXPECT_THAT(seen, testing::Contains(ElementsAre(1, 2, 3, 4, 5, 6)));
    EXPECT_THAT(seen, testing::Contains(ElementsAre(3, 2, 1, 6, 5, 4)));
    EXPECT_THAT(seen, testing::Contains(ElementsAre(0, 0, 0, 1, 2, 3)));
    EXPECT_THAT(seen, testing::Contains(ElementsAre(5, 6, 0, 0, 0, 0)));
    EXPECT_THAT(seen, testing::Contains(ElementsAre(0, 0, 0, 2, 1, 0)));
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()) - seen.begin(), 18); // 3 x 3 places, 2 ways
}

TEST(AugmentationTest, ScalesAndAddsNoise)
{
    const std::vector<float> numbers(1000, 2.0F);
    std::vector<float> changed(1000);
    RandomGenerator generator(1);
    Augment({5, 1, 0.2, 0}, {1000}, generator, numbers.data(), changed.data());
    EXPECT_EQ(std::count(changed.begin(), changed.end(), changed[0]), 1000);
    EXPECT_NE(changed[0], 2);
    EXPECT_NEAR(changed[0], 2, 0.4);
    Augment({0, 0, 0, 0.5}, {1000}, generator, numbers.data(), changed.data());
    EXPECT_NEAR(Moments(changed).mean, 2, 0.06);
    EXPECT_NEAR(Moments(changed).deviation, 0.5, 0.03);
}

TEST(AugmentationTest, DefaultsAreWhatTheyWere)
{
    // Made by the augmentation that had shift, flip, jitter and noise only
    const std::vector<float> changed = Change(Augmentation(), 7);
    std::vector<double> places(changed.size());
    std::iota(places.begin(), places.end(), 0);
    EXPECT_NEAR(std::accumulate(changed.begin(), changed.end(), 0.0), 46.75625, 1e-4);
    EXPECT_NEAR(
        std::inner_product(changed.begin(), changed.end(), places.begin(), 0.0), 3045.972, 1e-2);
    Augmentation bordered;
    bordered.outside = 3;
    EXPECT_NE(Change(bordered, 7), changed);
}

TEST(AugmentationTest, RotatesCropsAndBlursWithinItsRange)
{
    const std::vector<float> image = MakeImage();
    EXPECT_EQ(Change(MakeNone(), 1), image);
    for (const auto part : {&Augmentation::rotation, &Augmentation::crop, &Augmentation::blur})
    {
        Augmentation augmentation = MakeNone();
        augmentation.*part = part == &Augmentation::blur ? 2 : 0.5;
        std::set<std::vector<float>> seen;
        for (uint64_t seed = 1; seed <= 20; ++seed)
        {
            EXPECT_EQ(Change(augmentation, seed), Change(augmentation, seed));
            seen.insert(Change(augmentation, seed));
        }
        EXPECT_GE(seen.size(), 17U); // the narrowest kernels blur nothing
        augmentation.*part = 1e-9;   // what is nearly nothing changes nearly nothing
        EXPECT_THAT(Change(augmentation, 1), Pointwise(FloatNear(1e-5F), image));
    }
    Augmentation turning = MakeNone();
    turning.rotation = 180;
    turning.outside = -5;
    const std::vector<float> turned = Change(turning, 3);
    EXPECT_LT(*std::min_element(turned.begin(), turned.end()), -1);
}

TEST(AugmentationTest, DoesOneOfWhatThereIs)
{
    Augmentation augmentation = MakeNone();
    augmentation.flip = 1;
    augmentation.oneOf = true;
    std::vector<float> flipped = Change(augmentation, 1);
    for (std::size_t row = 0; row < 14; ++row)
    {
        const auto begin = flipped.begin() + static_cast<std::ptrdiff_t>(9 * row);
        std::reverse(begin, begin + 9);
    }
    EXPECT_EQ(flipped, MakeImage());
    const std::vector<float> once = Change(augmentation, 1);
    augmentation.crop = 0.5;
    augmentation.blur = 1;
    augmentation.rotation = 30;
    int flips = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed)
    {
        flips += Change(augmentation, seed) == once ? 1 : 0;
    }
    EXPECT_NEAR(flips, 100, 4 * std::sqrt(400 * 0.25 * 0.75));
    augmentation = MakeNone();
    augmentation.oneOf = true; // of nothing
    EXPECT_EQ(Change(augmentation, 1), MakeImage());
    augmentation.shift = 3;
    EXPECT_NE(Change(augmentation, 1), MakeImage());
}

TEST(AugmentationTest, OfThePaperKnowsBlack)
{
    DataSet data;
    data.sampleShape = {1, 2, 2};
    data.classes = 1;
    data.features = {0, 1, 2, 3};
    data.labels = {0};
    const Augmentation made = MakeContrastiveAugmentation(data);
    EXPECT_NO_THROW(CheckAugmentation(made));
    EXPECT_TRUE(made.oneOf);
    EXPECT_EQ(made.outside, -1);
    EXPECT_EQ(made.shift + made.jitter + made.noise, 0);
    data.kind = FeatureKind::NUMBERS;
    data.numbers = {3, -2, 1, 0};
    EXPECT_EQ(MakeContrastiveAugmentation(data).outside, -2);
    data.sampleShape = {4};
    EXPECT_THROW(MakeContrastiveAugmentation(data), std::invalid_argument);
}

TEST(AugmentationTest, RefusesWhatCannotBeDone)
{
    const auto refused = [](const auto& change) {
        Augmentation augmentation;
        change(augmentation);
        EXPECT_THROW(CheckAugmentation(augmentation), std::invalid_argument);
    };
    refused([](auto& augmentation) { augmentation.rotation = 181; });
    refused([](auto& augmentation) { augmentation.rotation = -1; });
    refused([](auto& augmentation) { augmentation.crop = 1; });
    refused([](auto& augmentation) { augmentation.blur = -1; });
    refused([](auto& augmentation) { augmentation.blurRadius = 0; });
    refused([](auto& augmentation) { augmentation.blurRadius = 3; });
    refused([](auto& augmentation) { augmentation.outside = NAN; });
    EXPECT_NO_THROW(CheckAugmentation(Augmentation()));
}

} // namespace augmentation_test
