/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-image-kernels.h"

#include "ns3/collab-vector-lanes.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace ns3::collab
{

namespace
{

constexpr std::size_t MOST_LANES = 16; //!< floats of the longest vector
constexpr std::size_t MOST_TILE = 6;   //!< output channels that are computed at once
constexpr std::size_t MOST_TAPS = 5;   //!< columns of a filter that are differentiated at once
constexpr uint8_t NOTHING = 4;         //!< chosen of a window whose maximum is below 0

/// How channels are cut into tiles of about the same size
struct Tiles
{
    /// @param channels number of channels
    /// @param most channels of a tile
    constexpr Tiles(std::size_t channels, std::size_t most)
        : count((channels + most - 1) / most),
          least(channels / count),
          larger(channels % count)
    {
    }

    /// @param tile index of a tile
    /// @return its channels
    constexpr std::size_t
    Size(std::size_t tile) const
    {
        return least + (tile < larger ? 1 : 0);
    }

    std::size_t count;  //!< number of tiles
    std::size_t least;  //!< channels of a tile
    std::size_t larger; //!< number of tiles, the first ones, with one channel more
};

/// @param from first element, anywhere
/// @return W elements
template <int W>
COLLAB_KERNEL typename Lanes<W>::Floats
LoadAll(const float* from)
{
    typename Lanes<W>::Floats values;
    std::memcpy(&values, from, sizeof(values));
    return values;
}

/// Columns of a filter, or rows: those from begin to before end
struct TapRange
{
    std::size_t begin; //!< first one
    std::size_t end;   //!< behind the last one
};

/// @param kernel number of taps
/// @param first place that the first tap reads first
/// @param last place that the first tap reads last
/// @param step places from one tap to the next
/// @param begin first place that is no zero
/// @param end place behind the last one
/// @return taps that read anything but zeros
COLLAB_KERNEL TapRange
FindTaps(std::size_t kernel,
         std::size_t first,
         std::size_t last,
         std::size_t step,
         std::size_t begin,
         std::size_t end)
{
    TapRange taps{0, kernel};
    while (taps.begin < kernel && last + taps.begin * step < begin)
    {
        ++taps.begin;
    }
    while (taps.end > taps.begin && first + (taps.end - 1) * step >= end)
    {
        --taps.end;
    }
    return taps;
}

/// One tile of output channels at some places of a row
struct ConvolutionTile
{
    ImageView<const float> input; //!< images
    const float* weights;         //!< of the tile, by PackFilters()
    const float* biases;          //!< of the tile, or null
    std::size_t kernel;           //!< rows and columns of a filter
    float* output;                //!< row of the first channel
    std::size_t outputStride;     //!< floats from one channel to the next
};

/// @tparam W floats of a vector
/// @tparam T channels of the tile
/// @tparam V vectors
/// @param tile what to compute
/// @param y row of the output
/// @param rows rows of the filter that read the image
/// @param place first of the row's numbers
template <int W, int T, int V>
COLLAB_KERNEL void
ConvolveAt(const ConvolutionTile& tile, std::size_t y, TapRange rows, std::size_t place)
{
    using Floats = typename Lanes<W>::Floats;
    const ImageShape& shape = tile.input.shape;
    const std::size_t step = shape.samples;
    const std::size_t pitch = shape.Pitch();
    const std::size_t kernel = tile.kernel;
    const TapRange columns = FindTaps(kernel,
                                      place,
                                      place + V * W - 1,
                                      step,
                                      shape.border * step,
                                      (shape.border + shape.width) * step);
    Floats sums[T][V];
    for (int t = 0; t < T; ++t)
    {
        for (int v = 0; v < V; ++v)
        {
            sums[t][v] = Floats{} + (tile.biases ? tile.biases[t] : 0.0F);
        }
    }
    for (std::size_t channel = 0; channel < shape.channels; ++channel)
    {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
        {
            const float* read = tile.input.values +
                                (channel * shape.height + y + row - shape.border) * pitch + place +
                                columns.begin * step;
            const float* weights =
                tile.weights + ((channel * kernel + row) * kernel + columns.begin) * T;
            for (std::size_t column = columns.begin; column < columns.end; ++column)
            {
                Floats values[V];
                for (int v = 0; v < V; ++v)
                {
                    values[v] = LoadAll<W>(read + v * W);
                }
                for (int t = 0; t < T; ++t)
                {
                    for (int v = 0; v < V; ++v)
                    {
                        sums[t][v] += weights[t] * values[v];
                    }
                }
                read += step;
                weights += T;
            }
        }
    }
    for (int t = 0; t < T; ++t)
    {
        std::memcpy(tile.output + t * tile.outputStride + place, sums[t], sizeof(sums[t]));
    }
}

/// @tparam W floats of a vector
/// @tparam T channels of the tile
/// @param tile what to compute, at row 0
/// @param output shape of the output
template <int W, int T>
COLLAB_KERNEL void
ConvolveTile(ConvolutionTile tile, const ImageShape& output)
{
    const ImageShape& shape = tile.input.shape;
    const std::size_t length = output.width * output.samples;
    for (std::size_t y = 0; y < output.height; ++y)
    {
        const TapRange rows =
            FindTaps(tile.kernel, y, y, 1, shape.border, shape.border + shape.height);
        std::size_t place = 0;
        for (; place + W < length; place += 2 * W)
        {
            ConvolveAt<W, T, 2>(tile, y, rows, place);
        }
        if (place < length)
        {
            ConvolveAt<W, T, 1>(tile, y, rows, place);
        }
        tile.output += output.Pitch();
    }
}

/// @tparam W floats of a vector; see ImageKernels for the others
template <int W>
COLLAB_KERNEL void
Convolve(const ImageView<const float>& input,
         const float* weights,
         const float* biases,
         std::size_t kernel,
         const ImageView<float>& output)
{
    const ImageShape& shape = output.shape;
    const Tiles tiles(shape.channels, MOST_TILE);
    ConvolutionTile tile{
        input, weights, biases, kernel, output.values, shape.height * shape.Pitch()};
    for (std::size_t i = 0; i < tiles.count; ++i)
    {
        const std::size_t size = tiles.Size(i);
        switch (size)
        {
        case 1:
            ConvolveTile<W, 1>(tile, shape);
            break;
        case 2:
            ConvolveTile<W, 2>(tile, shape);
            break;
        case 3:
            ConvolveTile<W, 3>(tile, shape);
            break;
        case 4:
            ConvolveTile<W, 4>(tile, shape);
            break;
        case 5:
            ConvolveTile<W, 5>(tile, shape);
            break;
        default:
            ConvolveTile<W, 6>(tile, shape);
        }
        tile.weights += size * input.shape.channels * kernel * kernel;
        tile.biases += biases ? size : 0;
        tile.output += size * tile.outputStride;
    }
}

/// @tparam W number of values
/// @param values values to add up, which are overwritten
/// @return their sum, halves first
template <int W>
COLLAB_KERNEL float
SumLanes(float* values)
{
    for (int half = W / 2; half >= 1; half /= 2)
    {
        for (int lane = 0; lane < half; ++lane)
        {
            values[lane] += values[lane + half];
        }
    }
    return values[0];
}

/// Some taps of one row of filters, for some output channels
struct GradientTile
{
    ImageView<const float> input;    //!< images
    ImageView<const float> gradient; //!< by the convolved images
    std::size_t kernel;              //!< rows and columns of a filter
    std::size_t channel;             //!< of the input
    std::size_t row;                 //!< of the filter
    std::size_t column;              //!< of the filter, the first one
    float* weights;                  //!< gradient by all filters
};

/// @tparam W floats of a vector
/// @tparam T output channels
/// @tparam C columns of the filter
/// @param tile what to add
/// @param first the first output channel
template <int W, int T, int C>
COLLAB_KERNEL void
DifferentiateTile(const GradientTile& tile, std::size_t first)
{
    using Floats = typename Lanes<W>::Floats;
    const ImageShape& in = tile.input.shape;
    const ImageShape& out = tile.gradient.shape;
    const std::size_t step = in.samples;
    const std::size_t length = out.width * step;
    const std::size_t stride = out.height * out.Pitch();
    const std::size_t from = std::max(in.border, tile.row) - tile.row;
    const std::size_t to = std::min(out.height, in.height + in.border - tile.row);
    Floats sums[T][C];
    for (int t = 0; t < T; ++t)
    {
        for (int c = 0; c < C; ++c)
        {
            sums[t][c] = Floats{};
        }
    }
    for (std::size_t y = from; y < to; ++y)
    {
        const float* read = tile.input.values +
                            (tile.channel * in.height + y + tile.row - in.border) * in.Pitch() +
                            tile.column * step;
        const float* by =
            tile.gradient.values + first * stride + y * out.Pitch() + out.border * step;
        for (std::size_t place = 0; place < length; place += W)
        {
            Floats values[C];
            for (int c = 0; c < C; ++c)
            {
                values[c] = LoadAll<W>(read + c * step);
            }
            for (int t = 0; t < T; ++t)
            {
                const Floats factors = LoadAll<W>(by + t * stride);
                for (int c = 0; c < C; ++c)
                {
                    sums[t][c] += factors * values[c];
                }
            }
            read += W;
            by += W;
        }
    }
    float lanes[T][C][W]; // so that the sums themselves stay in registers
    for (int t = 0; t < T; ++t)
    {
        std::memcpy(lanes[t], sums[t], sizeof(sums[t]));
    }
    for (std::size_t t = 0; t < T; ++t)
    {
        float* weights =
            tile.weights +
            (((first + t) * in.channels + tile.channel) * tile.kernel + tile.row) * tile.kernel;
        for (int c = 0; c < C; ++c)
        {
            weights[tile.column + c] += SumLanes<W>(lanes[t][c]);
        }
    }
}

/// @tparam W floats of a vector
/// @tparam T output channels that are computed at once
/// @tparam C columns of the filter
/// @param tile what to add, for all output channels
template <int W, int T, int C>
COLLAB_KERNEL void
DifferentiateTaps(const GradientTile& tile)
{
    std::size_t first = 0;
    for (; first + T <= tile.gradient.shape.channels; first += T)
    {
        DifferentiateTile<W, T, C>(tile, first);
    }
    for (; first < tile.gradient.shape.channels; ++first)
    {
        DifferentiateTile<W, 1, C>(tile, first);
    }
}

/// @tparam W floats of a vector
/// @param gradient gradient by the convolved images
/// @param channel of them
/// @return its sum
template <int W>
COLLAB_KERNEL float
SumChannel(const ImageView<const float>& gradient, std::size_t channel)
{
    const std::size_t size = gradient.shape.height * gradient.shape.Pitch();
    typename Lanes<W>::Floats sums{};
    for (std::size_t place = 0; place < size; place += W) // a pitch is a multiple of W
    {
        sums += LoadAll<W>(gradient.values + channel * size + place);
    }
    float lanes[W];
    std::memcpy(lanes, &sums, sizeof(lanes));
    return SumLanes<W>(lanes);
}

/// @tparam W floats of a vector; see ImageKernels for the others
template <int W>
COLLAB_KERNEL void
Differentiate(const ImageView<const float>& input,
              const ImageView<const float>& outputGradient,
              std::size_t kernel,
              float* weights,
              float* biases)
{
    const Tiles tiles(kernel, MOST_TAPS);
    GradientTile tile{input, outputGradient, kernel, 0, 0, 0, weights};
    for (tile.channel = 0; tile.channel < input.shape.channels; ++tile.channel)
    {
        for (tile.row = 0; tile.row < kernel; ++tile.row)
        {
            tile.column = 0;
            for (std::size_t i = 0; i < tiles.count; ++i)
            {
                switch (tiles.Size(i))
                {
                case 1:
                    DifferentiateTaps<W, 6, 1>(tile);
                    break;
                case 2:
                    DifferentiateTaps<W, 5, 2>(tile);
                    break;
                case 3:
                    DifferentiateTaps<W, 4, 3>(tile);
                    break;
                case 4:
                    DifferentiateTaps<W, 3, 4>(tile);
                    break;
                default:
                    DifferentiateTaps<W, 2, 5>(tile);
                }
                tile.column += tiles.Size(i);
            }
        }
    }
    for (std::size_t channel = 0; channel < outputGradient.shape.channels; ++channel)
    {
        biases[channel] += SumChannel<W>(outputGradient, channel);
    }
}

/// Where windows of an image begin, and what is between their numbers
struct WindowLayout
{
    std::size_t size;  //!< rows and columns of a window
    std::size_t right; //!< floats to the next column
    std::size_t below; //!< floats to the next row
};

/// @param shape images that windows are in
/// @param transition what is done
/// @return windows of 2 x 2 or of one number
COLLAB_KERNEL WindowLayout
LayOut(const ImageShape& shape, ImageTransition transition)
{
    return {transition.pools ? 2UL : 1UL, shape.samples, shape.Pitch()};
}

/// @tparam W floats of a vector
/// @param top first number of a window, of W samples
/// @param layout layout of the windows
/// @param rectifies whether numbers below 0 become 0
/// @param choices which number was taken, of W samples
/// @param next the number
template <int W>
COLLAB_KERNEL void
SettleWindow(
    const float* top, const WindowLayout& layout, bool rectifies, uint8_t* choices, float* next)
{
    using Floats = typename Lanes<W>::Floats;
    using Integers = typename Lanes<W>::Integers;
    Floats best = LoadAll<W>(top);
    Integers choice{};
    const std::size_t offsets[] = {0, layout.right, layout.below, layout.below + layout.right};
    for (int i = 1; i < static_cast<int>(layout.size * layout.size); ++i)
    {
        const Floats other = LoadAll<W>(top + offsets[i]);
        const Integers isTaken = (other > best) | (other != other); // LibTorch takes a NaN too
        best = isTaken ? other : best;
        choice = isTaken ? Integers{} + i : choice;
    }
    if (rectifies)
    {
        const Integers isNone = best <= 0;
        best = isNone ? Floats{} : best;
        choice = isNone ? Integers{} + NOTHING : choice;
    }
    const auto bytes = __builtin_convertvector(choice, typename Lanes<W>::Bytes);
    std::memcpy(choices, &bytes, sizeof(bytes));
    std::memcpy(next, &best, sizeof(best));
}

/// @tparam W floats of a vector
/// @param gradient gradient by the number that was taken, of W samples
/// @param choices which one that was
/// @param layout layout of the windows
/// @param top first number of the window, which is written
template <int W>
COLLAB_KERNEL void
UnsettleWindow(const float* gradient,
               const uint8_t* choices,
               const WindowLayout& layout,
               float* top)
{
    using Floats = typename Lanes<W>::Floats;
    using Integers = typename Lanes<W>::Integers;
    typename Lanes<W>::Bytes bytes;
    std::memcpy(&bytes, choices, sizeof(bytes));
    const Integers choice = __builtin_convertvector(bytes, Integers);
    const Floats all = LoadAll<W>(gradient);
    const std::size_t offsets[] = {0, layout.right, layout.below, layout.below + layout.right};
    for (int i = 0; i < static_cast<int>(layout.size * layout.size); ++i)
    {
        const Floats part = choice == i ? all : Floats{};
        std::memcpy(top + offsets[i], &part, sizeof(part));
    }
}

/// @tparam W floats of a vector
/// @param shape images with a number for each window
/// @param wide images that the windows are in
/// @param layout layout of the windows
/// @param call function of places of W samples: in the images, in the windows' ones, of the choice
template <int W, typename Call>
COLLAB_KERNEL void
ForWindows(const ImageShape& shape, const ImageShape& wide, const WindowLayout& layout, Call call)
{
    const std::size_t samples = shape.samples;
    std::size_t choice = 0;
    for (std::size_t channel = 0; channel < shape.channels; ++channel)
    {
        for (std::size_t y = 0; y < shape.height; ++y)
        {
            std::size_t place =
                (channel * shape.height + y) * shape.Pitch() + shape.border * samples;
            std::size_t window =
                (channel * wide.height + layout.size * y) * wide.Pitch() + wide.border * samples;
            for (std::size_t x = 0; x < shape.width; ++x)
            {
                for (std::size_t sample = 0; sample < samples; sample += W)
                {
                    const std::size_t first = std::min(sample, samples - W); // some twice
                    call(place + first, window + first, choice + first);
                }
                place += samples;
                window += layout.size * samples;
                choice += samples;
            }
        }
    }
}

/// @tparam W floats of a vector; see ImageKernels for the others
template <int W>
COLLAB_KERNEL void
Settle(const ImageView<const float>& made,
       ImageTransition transition,
       uint8_t* choices,
       const ImageView<float>& next)
{
    const WindowLayout layout = LayOut(made.shape, transition);
    const auto settle = [&](auto lanes) {
        constexpr int N = decltype(lanes)::value;
        ForWindows<N>(next.shape, made.shape, layout, [&](auto place, auto window, auto choice) {
            SettleWindow<N>(made.values + window,
                            layout,
                            transition.rectifies,
                            choices + choice,
                            next.values + place);
        });
    };
    made.shape.samples < W ? settle(std::integral_constant<int, 1>())
                           : settle(std::integral_constant<int, W>());
}

/// @tparam W floats of a vector; see ImageKernels for the others
template <int W>
COLLAB_KERNEL void
Unsettle(const ImageView<const float>& nextGradient,
         ImageTransition transition,
         const uint8_t* choices,
         const ImageView<float>& gradient)
{
    const WindowLayout layout = LayOut(gradient.shape, transition);
    const auto unsettle = [&](auto lanes) {
        constexpr int N = decltype(lanes)::value;
        ForWindows<N>(
            nextGradient.shape, gradient.shape, layout, [&](auto place, auto window, auto choice) {
                UnsettleWindow<N>(nextGradient.values + place,
                                  choices + choice,
                                  layout,
                                  gradient.values + window);
            });
    };
    gradient.shape.samples < W ? unsettle(std::integral_constant<int, 1>())
                               : unsettle(std::integral_constant<int, W>());
}

// The kernels for one kind of processor; its attribute may be empty
#define COLLAB_DEFINE_KERNELS(suffix, attribute, width, half)                    \
    attribute void Convolve##suffix(const ImageView<const float>& input,         \
                                    const float* weights,                        \
                                    const float* biases,                         \
                                    std::size_t kernel,                          \
                                    const ImageView<float>& output)              \
    {                                                                            \
        Convolve<width>(input, weights, biases, kernel, output);                 \
    }                                                                            \
    attribute void Differentiate##suffix(const ImageView<const float>& input,    \
                                         const ImageView<const float>& gradient, \
                                         std::size_t kernel,                     \
                                         float* weights,                         \
                                         float* biases)                          \
    {                                                                            \
        Differentiate<width>(input, gradient, kernel, weights, biases);          \
    }                                                                            \
    attribute void Settle##suffix(const ImageView<const float>& made,            \
                                  ImageTransition transition,                    \
                                  uint8_t* choices,                              \
                                  const ImageView<float>& next)                  \
    {                                                                            \
        Settle<half>(made, transition, choices, next);                           \
    }                                                                            \
    attribute void Unsettle##suffix(const ImageView<const float>& nextGradient,  \
                                    ImageTransition transition,                  \
                                    const uint8_t* choices,                      \
                                    const ImageView<float>& gradient)            \
    {                                                                            \
        Unsettle<half>(nextGradient, transition, choices, gradient);             \
    }                                                                            \
    constexpr ImageKernels KERNELS_##suffix = {                                  \
        Convolve##suffix, Differentiate##suffix, Settle##suffix, Unsettle##suffix, #suffix};

COLLAB_DEFINE_KERNELS(Portable, , 4, 4)
#ifdef COLLAB_AVX512
COLLAB_DEFINE_KERNELS(Avx2, COLLAB_AVX2, 8, 8)
COLLAB_DEFINE_KERNELS(Avx512, COLLAB_AVX512, 16, 8)
#endif

#undef COLLAB_DEFINE_KERNELS

/// @param outputs number of channels that a convolution makes
/// @param taps weights of each
/// @param weight function of output channel and tap
/// @return weights tile by tile: of each tap those of the tile's channels
template <typename Weight>
std::vector<float>
Pack(std::size_t outputs, std::size_t taps, Weight weight)
{
    std::vector<float> packed;
    packed.reserve(outputs * taps);
    const Tiles tiles(outputs, MOST_TILE);
    std::size_t first = 0;
    for (std::size_t tile = 0; tile < tiles.count; ++tile)
    {
        for (std::size_t tap = 0; tap < taps; ++tap)
        {
            for (std::size_t i = 0; i < tiles.Size(tile); ++i)
            {
                packed.push_back(weight(first + i, tap));
            }
        }
        first += tiles.Size(tile);
    }
    return packed;
}

/// @param size a number
/// @return it or the next larger multiple of MOST_LANES
std::size_t
RoundUp(std::size_t size)
{
    return (size + MOST_LANES - 1) / MOST_LANES * MOST_LANES;
}

} // namespace

std::size_t
ImageShape::Pitch() const
{
    // A vector that begins with a row's number ends before the next row
    return RoundUp(border * samples +
                   std::max(RoundUp(width * samples), (width + border) * samples));
}

std::size_t
ImageShape::Size() const
{
    return channels * height * Pitch() + MOST_LANES;
}

std::size_t
ImageShape::Numbers() const
{
    return channels * height * width;
}

std::vector<float>
PackFilters(const float* weights, std::size_t outputs, std::size_t inputs, std::size_t kernel)
{
    const std::size_t taps = inputs * kernel * kernel;
    return Pack(outputs, taps, [&](std::size_t output, std::size_t tap) {
        return weights[output * taps + tap];
    });
}

std::vector<float>
PackTurnedFilters(const float* weights, std::size_t outputs, std::size_t inputs, std::size_t kernel)
{
    const std::size_t area = kernel * kernel;
    return Pack(inputs, outputs * area, [&](std::size_t input, std::size_t tap) {
        const std::size_t output = tap / area;
        return weights[(output * inputs + input) * area + area - 1 - tap % area];
    });
}

const ImageKernels&
GetImageKernels()
{
    static const ImageKernels kernels = GetRunnableImageKernels().front();
    return kernels;
}

std::vector<ImageKernels>
GetRunnableImageKernels()
{
    std::vector<ImageKernels> runnable;
#ifdef COLLAB_AVX512
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
    {
        runnable.push_back(KERNELS_Avx512);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    {
        runnable.push_back(KERNELS_Avx2);
    }
#endif
    runnable.push_back(KERNELS_Portable);
    return runnable;
}

} // namespace ns3::collab
