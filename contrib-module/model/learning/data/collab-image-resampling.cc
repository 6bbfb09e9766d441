/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-image-resampling.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// @param degrees an angle
/// @return its cosine and sine, exact at multiples of 90 degrees, so that pixels stay unmixed there
std::array<double, 2>
CosineAndSine(double degrees)
{
    const double quarters = std::remainder(degrees, 360.0) / 90.0;
    if (quarters == std::nearbyint(quarters))
    {
        const int whole = (static_cast<int>(quarters) + 4) % 4;
        return {whole % 2 == 0 ? 1.0 - whole : 0.0, whole % 2 == 1 ? 2.0 - whole : 0.0};
    }
    const double angle = quarters * boost::math::constants::half_pi<double>();
    return {std::cos(angle), std::sin(angle)};
}

/// @param x column of a place in the image, between pixels too
/// @param y row of it
/// @param height height of the image
/// @param width width of the image
/// @return the four pixels around it
PixelTaps
FindTaps(double x, double y, int64_t height, int64_t width)
{
    const double left = std::floor(x);
    const double top = std::floor(y);
    PixelTaps taps;
    for (std::size_t i = 0; i < taps.size(); ++i)
    {
        const double tapX = left + static_cast<double>(i % 2);
        const double tapY = top + static_cast<double>(i / 2);
        const bool inside = tapX >= 0 && tapX < static_cast<double>(width) && tapY >= 0 &&
                            tapY < static_cast<double>(height);
        taps[i].weight = static_cast<float>((1 - std::abs(x - tapX)) * (1 - std::abs(y - tapY)));
        taps[i].pixel = inside ? static_cast<int32_t>(tapY) * static_cast<int32_t>(width) +
                                     static_cast<int32_t>(tapX)
                               : -1;
    }
    return taps;
}

/// @param deviation standard deviation of a Gaussian; positive
/// @param radius radius of its kernel
/// @return the kernel's row, which sums to 1
std::vector<double>
MakeKernel(double deviation, uint32_t radius)
{
    std::vector<double> kernel;
    double sum = 0;
    for (int64_t i = -static_cast<int64_t>(radius); i <= static_cast<int64_t>(radius); ++i)
    {
        const double distance = static_cast<double>(i) / deviation;
        kernel.push_back(std::exp(-distance * distance / 2));
        sum += kernel.back();
    }
    std::transform(
        kernel.begin(), kernel.end(), kernel.begin(), [sum](double part) { return part / sum; });
    return kernel;
}

/// Numbers that lie in memory at equal distances: a row or a column.
struct Line
{
    int64_t size = 0; //!< how many
    int64_t step = 1; //!< from one to the next
};

/// @param kernel kernel of a blur
/// @param line line to blur
/// @param from its first number
/// @param blurred where to put the first one
void
BlurLine(const std::vector<double>& kernel, const Line& line, const float* from, float* blurred)
{
    const auto radius = static_cast<int64_t>(kernel.size() / 2);
    for (int64_t at = 0; at < line.size; ++at)
    {
        double sum = 0;
        for (int64_t i = -radius; i <= radius; ++i)
        {
            const int64_t near = std::min(std::max<int64_t>(at + i, 0), line.size - 1);
            sum += kernel[static_cast<std::size_t>(i + radius)] * from[near * line.step];
        }
        blurred[at * line.step] = static_cast<float>(sum);
    }
}

} // namespace

std::vector<PixelTaps>
FindRotation(double degrees, int64_t height, int64_t width)
{
    const auto [cosine, sine] = CosineAndSine(degrees);
    const double middleX = static_cast<double>(width - 1) / 2;
    const double middleY = static_cast<double>(height - 1) / 2;
    std::vector<PixelTaps> taps;
    taps.reserve(static_cast<std::size_t>(height * width));
    for (int64_t row = 0; row < height; ++row)
    {
        for (int64_t column = 0; column < width; ++column)
        {
            // Rows count downwards, so a counterclockwise turn looks back clockwise.
            const double x = static_cast<double>(column) - middleX;
            const double y = static_cast<double>(row) - middleY;
            taps.push_back(FindTaps(
                cosine * x - sine * y + middleX, sine * x + cosine * y + middleY, height, width));
        }
    }
    return taps;
}

std::vector<PixelTaps>
FindResizedCrop(const ImageWindow& window, int64_t height, int64_t width)
{
    const auto lookUp = [&window](int64_t at, double cutOff, int64_t size) {
        const double begin = cutOff * (1 - window.side) * static_cast<double>(size);
        const double place = begin + (static_cast<double>(at) + 0.5) * window.side - 0.5;
        return std::min(std::max(place, 0.0), static_cast<double>(size - 1));
    };
    std::vector<PixelTaps> taps;
    taps.reserve(static_cast<std::size_t>(height * width));
    for (int64_t row = 0; row < height; ++row)
    {
        for (int64_t column = 0; column < width; ++column)
        {
            taps.push_back(FindTaps(lookUp(column, window.left, width),
                                    lookUp(row, window.top, height),
                                    height,
                                    width));
        }
    }
    return taps;
}

float*
MixPixels(const std::vector<PixelTaps>& taps, const float* channel, float outside, float* changed)
{
    for (const PixelTaps& four : taps)
    {
        float mixed = 0;
        for (const PixelTap& tap : four)
        {
            mixed += tap.weight * (tap.pixel < 0 ? outside : channel[tap.pixel]);
        }
        *changed++ = mixed;
    }
    return changed;
}

void
BlurImage(double deviation,
          uint32_t radius,
          const std::vector<int64_t>& shape,
          const float* image,
          float* blurred)
{
    const int64_t lines = shape[0] * shape[1];
    const int64_t width = shape[2];
    if (!(deviation > 0))
    {
        std::copy_n(image, lines * width, blurred);
        return;
    }
    const std::vector<double> kernel = MakeKernel(deviation, radius);
    std::vector<float> rows(static_cast<std::size_t>(lines * width));
    for (int64_t line = 0; line < lines; ++line)
    {
        BlurLine(kernel, {width, 1}, image + line * width, rows.data() + line * width);
    }
    for (int64_t channel = 0; channel < shape[0]; ++channel)
    {
        const int64_t begin = channel * shape[1] * width;
        for (int64_t column = begin; column < begin + width; ++column)
        {
            BlurLine(kernel, {shape[1], width}, rows.data() + column, blurred + column);
        }
    }
}

} // namespace ns3::collab
