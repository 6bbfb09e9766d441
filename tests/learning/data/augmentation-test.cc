/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "image-reference.h"
#include "learning/test-vectors.h"

#include "ns3/collab-augmentation.h"
#include "ns3/collab-image-resampling.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <set>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::FloatNear;
using testing::Pointwise;

const std::vector<int64_t> SHAPE = {2, 7, 9}; //!< of the image of make-unlabeled-reference.py

constexpr double DEFAULT_SUM = 46.75625;    //!< of the pixels by the defaults and seed 7
constexpr double DEFAULT_MOMENT = 3045.972; //!< of the pixels times their indices

/// @return the image
std::vector<float>
MakeImage()
{
    return MakeUniformVectors(14, 9, 90).values;
}

/**
 * @param values reference
 * @return the same as images have them
 */
std::vector<float>
Floats(const std::vector<double>& values)
{
    return {values.begin(), values.end()};
}

/**
 * @param taps of each pixel of a channel
 * @param outside what comes in
 * @return the image changed
 */
std::vector<float>
Mix(const std::vector<PixelTaps>& taps, float outside)
{
    const std::vector<float> image = MakeImage();
    std::vector<float> changed(image.size());
    float* next = MixPixels(taps, image.data(), outside, changed.data());
    MixPixels(taps, image.data() + 63, outside, next);
    return changed;
}

/**
 * @param augmentation of the image
 * @param seed of the draws
 * @return the image changed
 */
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
    EXPECT_THAT(Mix(FindRotation(20, 7, 9), -1), Pointwise(FloatNear(1e-5F), Floats(TURNED)));
    ImageWindow window;
    window.side = 0.7;
    window.left = 0.25;
    window.top = 0.6;
    EXPECT_THAT(Mix(FindResizedCrop(window, 7, 9), 0),
                Pointwise(FloatNear(1e-5F), Floats(CROPPED)));
    const std::vector<float> image = MakeImage();
    std::vector<float> blurred(image.size());
    BlurImage(0.8, 1, SHAPE, image.data(), blurred.data());
    EXPECT_THAT(blurred, Pointwise(FloatNear(1e-5F), Floats(BLURRED_3)));
    BlurImage(0.8, 2, SHAPE, image.data(), blurred.data());
    EXPECT_THAT(blurred, Pointwise(FloatNear(1e-5F), Floats(BLURRED_5)));
    BlurImage(0, 2, SHAPE, image.data(), blurred.data());
    EXPECT_EQ(blurred, image);
    EXPECT_EQ(Mix(FindResizedCrop({}, 7, 9), 0), image);
}

TEST(AugmentationTest, DefaultsAreWhatTheyWere)
{
    // Made by the augmentation that had shift, flip, jitter and noise only
    const std::vector<float> changed = Change(Augmentation(), 7);
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < changed.size(); ++i)
    {
        first += changed[i];
        second += changed[i] * static_cast<double>(i);
    }
    EXPECT_NEAR(first, DEFAULT_SUM, 1e-4);
    EXPECT_NEAR(second, DEFAULT_MOMENT, 1e-2);
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

} // namespace
