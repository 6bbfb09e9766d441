/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-augmentation.h"

#include "collab-image-resampling.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// A place in one channel of an image, and a direction.
struct Crop
{
    int64_t down = 0;       //!< rows that the image moves down
    int64_t right = 0;      //!< columns that it moves to the right
    bool isFlipped = false; //!< whether left and right are swapped afterwards
};

/// @param crop crop to make
/// @param shape channels, height, width
/// @param outside what comes in from outside
/// @param sample the image
/// @param changed where to put the crop
void
CropImage(const Crop& crop,
          const std::vector<int64_t>& shape,
          float outside,
          const float* sample,
          float* changed)
{
    const int64_t height = shape[1];
    const int64_t width = shape[2];
    for (int64_t line = 0; line < shape[0] * height; ++line)
    {
        const int64_t source = line % height - crop.down;
        const float* row = sample + (line - crop.down) * width;
        for (int64_t column = 0; column < width; ++column)
        {
            const int64_t seen = crop.isFlipped ? width - 1 - column : column;
            const int64_t from = seen - crop.right;
            const bool isInside = source >= 0 && source < height && from >= 0 && from < width;
            *changed++ = isInside ? row[from] : outside;
        }
    }
}

/// @param augmentation augmentation of which one part is to be kept
/// @param generator generator to draw with
/// @return the same with one of shift, flip, rotation, crop and blur
Augmentation
DrawOne(const Augmentation& augmentation, RandomGenerator& generator)
{
    Augmentation chosen = augmentation;
    chosen.shift = 0;
    chosen.flip = chosen.rotation = chosen.crop = chosen.blur = 0;
    std::vector<double Augmentation::*> parts;
    for (const auto part :
         {&Augmentation::flip, &Augmentation::rotation, &Augmentation::crop, &Augmentation::blur})
    {
        if (augmentation.*part > 0)
        {
            parts.push_back(part);
        }
    }
    const std::size_t count = parts.size() + (augmentation.shift > 0 ? 1 : 0);
    if (count == 0)
    {
        return chosen;
    }
    const std::size_t one =
        boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
    if (one == parts.size())
    {
        chosen.shift = augmentation.shift;
    }
    else
    {
        chosen.*parts[one] = augmentation.*parts[one];
    }
    return chosen;
}

/// @param taps taps of each pixel of a channel
/// @param channels number of these
/// @param outside what comes in from outside
/// @param[in,out] image image to change
/// @param[in,out] other memory of the same size
void
Resample(const std::vector<PixelTaps>& taps,
         int64_t channels,
         float outside,
         std::vector<float>& image,
         std::vector<float>& other)
{
    float* next = other.data();
    for (int64_t channel = 0; channel < channels; ++channel)
    {
        next = MixPixels(taps, image.data() + (next - other.data()), outside, next);
    }
    image.swap(other);
}

/// @brief Rotate, crop and blur.
/// @param augmentation augmentation to apply
/// @param shape channels, height, width
/// @param generator generator to draw with
/// @param[in,out] pixels pixels of the image
void
ResampleImage(const Augmentation& augmentation,
              const std::vector<int64_t>& shape,
              RandomGenerator& generator,
              float* pixels)
{
    if (augmentation.rotation == 0 && augmentation.crop == 0 && augmentation.blur == 0)
    {
        return;
    }
    std::vector<float> image(pixels, pixels + shape[0] * shape[1] * shape[2]);
    std::vector<float> other(image.size());
    boost::random::uniform_real_distribution<double> draw(0, 1);
    if (augmentation.rotation > 0)
    {
        const double angle = augmentation.rotation * (2 * draw(generator) - 1);
        Resample(
            FindRotation(angle, shape[1], shape[2]), shape[0], augmentation.outside, image, other);
    }
    if (augmentation.crop > 0)
    {
        ImageWindow window;
        window.side = 1 - augmentation.crop * draw(generator);
        window.left = draw(generator);
        window.top = draw(generator);
        Resample(FindResizedCrop(window, shape[1], shape[2]),
                 shape[0],
                 augmentation.outside,
                 image,
                 other);
    }
    if (augmentation.blur > 0)
    {
        BlurImage(augmentation.blur * draw(generator),
                  augmentation.blurRadius,
                  shape,
                  image.data(),
                  other.data());
        image.swap(other);
    }
    std::copy(image.begin(), image.end(), pixels);
}

/// @brief Shift, flip, rotate, crop and blur.
/// @param augmentation augmentation to apply
/// @param shape channels, height, width
/// @param generator generator to draw with
/// @param sample the image
/// @param changed where to put the new one
void
ChangeImage(const Augmentation& augmentation,
            const std::vector<int64_t>& shape,
            RandomGenerator& generator,
            const float* sample,
            float* changed)
{
    const Augmentation parts = augmentation.oneOf ? DrawOne(augmentation, generator) : augmentation;
    const auto shift = static_cast<int64_t>(parts.shift);
    boost::random::uniform_int_distribution<int64_t> draw(-shift, shift);
    boost::random::uniform_real_distribution<double> chance(0, 1);
    Crop crop;
    crop.down = draw(generator);
    crop.right = draw(generator);
    crop.isFlipped = chance(generator) < parts.flip;
    CropImage(crop, shape, parts.outside, sample, changed);
    ResampleImage(parts, shape, generator, changed);
}

/// @param data some samples
/// @return what comes in from outside: one number for all channels, whose blacks differ by little
float
FindBlack(const DataSet& data)
{
    if (data.kind == FeatureKind::NUMBERS && !data.numbers.empty())
    {
        return *std::min_element(data.numbers.begin(), data.numbers.end());
    }
    float sum = 0;
    for (std::size_t channel = 0; channel < data.offset.size(); ++channel)
    {
        sum -= data.offset[channel] / data.scale[channel];
    }
    return data.offset.empty() ? 0 : sum / static_cast<float>(data.offset.size());
}

} // namespace

Augmentation
MakeContrastiveAugmentation(const DataSet& data)
{
    CheckArgument(data.sampleShape.size() == 3,
                  "augmentation: samples of shape ({}) of data set '{}' are no images, expected "
                  "(channels, height, width)",
                  fmt::join(data.sampleShape, ", "),
                  data.name);
    Augmentation augmentation;
    augmentation.shift = 0;
    augmentation.jitter = augmentation.noise = 0;
    augmentation.flip = 1; // if it is the one that is done
    augmentation.rotation = 30;
    augmentation.crop = 0.4;
    augmentation.blur = 1;
    augmentation.oneOf = true;
    augmentation.outside = FindBlack(data);
    return augmentation;
}

Augmentation
ReadAugmentation(const std::string& text, const DataSet& data)
{
    constexpr double MOST = 1e6;
    constexpr double BELOW_ONE = 1 - 1e-9;
    Specification given("augmentation", "change:" + text);
    Augmentation augmentation;
    augmentation.shift = static_cast<uint32_t>(given.GetCount("shift", 0, 0, 1000));
    augmentation.flip = given.GetNumber("flip", 0, 0, 1);
    augmentation.rotation = given.GetNumber("rotation", 0, 0, 180);
    augmentation.crop = given.GetNumber("crop", 0, 0, BELOW_ONE);
    augmentation.blur = given.GetNumber("blur", 0, 0, MOST);
    augmentation.blurRadius = static_cast<uint32_t>(given.GetCount("blurRadius", 1, 1, 2));
    augmentation.oneOf = given.GetCount("oneOf", 0, 0, 1) == 1;
    augmentation.jitter = given.GetNumber("jitter", 0, 0, BELOW_ONE);
    augmentation.noise = given.GetNumber("noise", 0, 0, MOST);
    given.CheckKeys();
    CheckArgument(data.kind != FeatureKind::TOKENS,
                  "samples of data set '{}' are tokens, which are not changed",
                  data.name);
    const bool isOfImages = augmentation.shift > 0 || augmentation.flip > 0 ||
                            augmentation.rotation > 0 || augmentation.crop > 0 ||
                            augmentation.blur > 0;
    CheckArgument(!isOfImages || data.sampleShape.size() == 3,
                  "samples of data set '{}' are no images; allowed are jitter and noise",
                  data.name);
    augmentation.outside = FindBlack(data);
    return augmentation;
}

void
CheckAugmentation(const Augmentation& augmentation)
{
    const bool allowed = augmentation.flip >= 0 && augmentation.flip <= 1 &&
                         augmentation.jitter >= 0 && augmentation.jitter < 1 &&
                         augmentation.noise >= 0 && std::isfinite(augmentation.noise);
    CheckArgument(allowed,
                  "augmentation: flip {}, jitter {} and noise {}, expected 0 to 1, 0 to below 1, "
                  "and 0 or a positive finite number",
                  augmentation.flip,
                  augmentation.jitter,
                  augmentation.noise);
    const bool resamples = augmentation.rotation >= 0 && augmentation.rotation <= 180 &&
                           augmentation.crop >= 0 && augmentation.crop < 1 &&
                           augmentation.blur >= 0 && std::isfinite(augmentation.blur) &&
                           (augmentation.blurRadius == 1 || augmentation.blurRadius == 2) &&
                           std::isfinite(augmentation.outside);
    CheckArgument(
        resamples,
        "augmentation: rotation {}, crop {}, blur {} with radius {} and outside {}, expected 0 to "
        "180, 0 to below 1, 0 or a positive finite number with 1 or 2, and a finite number",
        augmentation.rotation,
        augmentation.crop,
        augmentation.blur,
        augmentation.blurRadius,
        augmentation.outside);
}

void
Augment(const Augmentation& augmentation,
        const std::vector<int64_t>& shape,
        RandomGenerator& generator,
        const float* sample,
        float* changed)
{
    const int64_t size =
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    if (shape.size() == 3)
    {
        ChangeImage(augmentation, shape, generator, sample, changed);
    }
    else
    {
        std::copy_n(sample, size, changed);
    }
    boost::random::uniform_real_distribution<double> scale(1 - augmentation.jitter,
                                                           1 + augmentation.jitter);
    boost::random::normal_distribution<float> noise(0, static_cast<float>(augmentation.noise));
    const auto factor = augmentation.jitter > 0 ? static_cast<float>(scale(generator)) : 1.0F;
    std::transform(changed, changed + size, changed, [&](float value) {
        return value * factor + (augmentation.noise > 0 ? noise(generator) : 0);
    });
}

} // namespace ns3::collab
