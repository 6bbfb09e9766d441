/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-augmentation.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
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

/**
 * @param crop to make
 * @param shape channels, height, width
 * @param sample the image
 * @param changed where to put the crop
 */
void
CropImage(const Crop& crop, const std::vector<int64_t>& shape, const float* sample, float* changed)
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
            *changed++ = isInside ? row[from] : 0;
        }
    }
}

} // namespace

void
CheckAugmentation(const Augmentation& augmentation)
{
    const bool allowed = augmentation.flip >= 0 && augmentation.flip <= 1 &&
                         augmentation.jitter >= 0 && augmentation.jitter < 1 &&
                         augmentation.noise >= 0 && std::isfinite(augmentation.noise);
    if (!allowed)
    {
        throw std::invalid_argument(
            fmt::format("augmentation: flip {}, jitter {} and noise {}, expected 0 to 1, 0 to "
                        "below 1, and 0 or a positive finite number",
                        augmentation.flip,
                        augmentation.jitter,
                        augmentation.noise));
    }
}

void
Augment(const Augmentation& augmentation,
        const std::vector<int64_t>& shape,
        RandomGenerator& generator,
        const float* sample,
        float* changed)
{
    int64_t size = 1;
    for (int64_t side : shape)
    {
        size *= side;
    }
    if (shape.size() == 3)
    {
        const auto shift = static_cast<int64_t>(augmentation.shift);
        boost::random::uniform_int_distribution<int64_t> draw(-shift, shift);
        boost::random::uniform_real_distribution<double> chance(0, 1);
        Crop crop;
        crop.down = draw(generator);
        crop.right = draw(generator);
        crop.isFlipped = chance(generator) < augmentation.flip;
        CropImage(crop, shape, sample, changed);
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

} // namespace collab
} // namespace ns3
