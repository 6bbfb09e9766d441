/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_IMAGE_RESAMPLING_H
#define COLLAB_IMAGE_RESAMPLING_H

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief One of the four pixels that a pixel of a changed image is mixed from.
struct PixelTap
{
    int32_t pixel = -1; //!< index in the channel; -1 outside of the image
    float weight = 0;   //!< of the mixture; the four sum to 1
};

/// @ingroup collab-learning
/// @brief Where a pixel of a changed image comes from, by bilinear interpolation.
using PixelTaps = std::array<PixelTap, 4>;

/// @ingroup collab-learning
/// @brief A part of an image, of the same shape.
struct ImageWindow
{
    double side = 1; //!< of height and width; above 0 to 1
    double left = 0; //!< of what is cut off, the part at the left; 0 to 1
    double top = 0;  //!< of what is cut off, the part at the top; 0 to 1
};

/// @param degrees counterclockwise, around the center of the image
/// @param height height of the image [pixels]
/// @param width width of the image [pixels]
/// @return taps of each pixel of a channel, row by row; exact at multiples of 90 degrees
std::vector<PixelTaps> FindRotation(double degrees, int64_t height, int64_t width);

/// @param window window to be enlarged to the size of the image; pixels are squares, whose centers
/// are looked up, and nothing comes from outside
/// @param height height of the image [pixels]
/// @param width width of the image [pixels]
/// @return taps of each pixel of a channel, row by row
std::vector<PixelTaps> FindResizedCrop(const ImageWindow& window, int64_t height, int64_t width);

/// @param taps taps of each pixel of a channel
/// @param channel pixels of one
/// @param outside what pixels outside of the image read as
/// @param changed where to put the changed channel; not the same memory
/// @return one past the last pixel
float* MixPixels(const std::vector<PixelTaps>& taps,
                 const float* channel,
                 float outside,
                 float* changed);

/// @brief Blur an image by a Gaussian kernel, which is cut off and then divided by its sum. Beyond
/// the border the nearest pixel is repeated.
/// @param deviation standard deviation of the kernel; 0 changes nothing [pixels]
/// @param radius radius of the kernel, which has 2 radius + 1 rows and columns
/// @param shape channels, height, width
/// @param image image to blur
/// @param blurred where to put it; not the same memory
void BlurImage(double deviation,
               uint32_t radius,
               const std::vector<int64_t>& shape,
               const float* image,
               float* blurred);

} // namespace ns3::collab

#endif /* COLLAB_IMAGE_RESAMPLING_H */
