/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-added-views.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-image-resampling.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace ns3::collab
{

namespace
{

/// @param data data to change
/// @param views views to add
/// @throws std::invalid_argument if that cannot be done
void
CheckViews(const DataSet& data, const AddedViews& views)
{
    CheckArgument(data.sampleShape.size() == 3 && data.kind != FeatureKind::TOKENS,
                  "added views: data set '{}' has {} of shape ({}), expected BYTES or NUMBERS of "
                  "shape (channels, height, width)",
                  data.name,
                  ToString(data.kind),
                  fmt::join(data.sampleShape, ", "));
    CheckArgument(views.rotation >= 0 && views.rotation <= 180 && views.crop >= 0 &&
                      views.crop < 1 && std::isfinite(views.outside),
                  "added views: rotation {}, crop {} and outside {}, expected 0 to 180, 0 to below "
                  "1, and a finite number",
                  views.rotation,
                  views.crop,
                  views.outside);
}

/// @param value a mixture of numbers
/// @param stored where to put it
void
Store(float value, float& stored)
{
    stored = value;
}

/// @param value a mixture of bytes
/// @param stored where to put it
void
Store(float value, uint8_t& stored)
{
    stored = static_cast<uint8_t>(std::lround(std::min(std::max(value, 0.0F), 255.0F)));
}

/// @brief Add one changed image.
/// @param taps taps of each pixel of a channel
/// @param outside what comes in from outside
/// @param image index of the image to change
/// @param size size of an image
/// @param[in,out] features features of all images
template <typename Feature>
void
AppendImage(const std::vector<PixelTaps>& taps,
            float outside,
            std::size_t image,
            std::size_t size,
            std::vector<Feature>& features)
{
    const auto begin = features.begin() + static_cast<std::ptrdiff_t>(image * size);
    const std::vector<float> pixels(begin, begin + static_cast<std::ptrdiff_t>(size));
    std::vector<float> changed(size);
    for (std::size_t channel = 0; channel < size; channel += taps.size())
    {
        MixPixels(taps, pixels.data() + channel, outside, changed.data() + channel);
    }
    features.resize(features.size() + size);
    auto stored = features.end() - static_cast<std::ptrdiff_t>(size);
    for (const float value : changed)
    {
        Store(value, *stored++);
    }
}

/// @param data data whose images to change
/// @param views views to add
/// @param seed seed of the windows
/// @param[in,out] features features of all images
template <typename Feature>
void
AppendViews(const DataSet& data,
            const AddedViews& views,
            uint64_t seed,
            std::vector<Feature>& features)
{
    const int64_t height = data.sampleShape[1];
    const int64_t width = data.sampleShape[2];
    const std::size_t size = data.SampleSize();
    if (views.rotation > 0)
    {
        for (const double angle : {views.rotation, -views.rotation})
        {
            const std::vector<PixelTaps> taps = FindRotation(angle, height, width);
            for (std::size_t image = 0; image < data.Size(); ++image)
            {
                AppendImage(taps, views.outside, image, size, features);
            }
        }
    }
    RandomGenerator generator(seed);
    boost::random::uniform_real_distribution<double> draw(0, 1);
    for (std::size_t view = 0; view < data.Size() * views.crops; ++view)
    {
        ImageWindow window;
        window.side = 1 - views.crop * draw(generator);
        window.left = draw(generator);
        window.top = draw(generator);
        const std::vector<PixelTaps> taps = FindResizedCrop(window, height, width);
        AppendImage(taps, views.outside, view % data.Size(), size, features);
    }
}

/// @param count how often
/// @param[in,out] values values that are to be there so often
template <typename Value>
void
Repeat(std::size_t count, std::vector<Value>& values)
{
    const std::vector<Value> once = values;
    for (std::size_t i = 1; i < count; ++i)
    {
        values.insert(values.end(), once.begin(), once.end());
    }
}

} // namespace

DataSet
AddViews(const DataSet& data, const AddedViews& views, uint64_t seed)
{
    CheckViews(data, views);
    DataSet all = data;
    if (data.kind == FeatureKind::BYTES)
    {
        AppendViews(data, views, seed, all.features);
    }
    else
    {
        AppendViews(data, views, seed, all.numbers);
    }
    const std::size_t count = 1 + (views.rotation > 0 ? 2 : 0) + views.crops;
    Repeat(count, all.labels);
    Repeat(count, all.targets);
    Repeat(count, all.users);
    return all;
}

} // namespace ns3::collab
