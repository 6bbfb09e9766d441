/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_IMAGE_KERNELS_H
#define COLLAB_IMAGE_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Images of some samples in memory: channels x rows x columns x samples.
 *
 * The numbers of a row are contiguous: column by column, each for all samples. So a vector of the
 * processor has neighbors of one row, whatever the sizes are. What is behind a row's numbers is 0.
 */
struct ImageShape
{
    std::size_t channels = 0; //!< of an image
    std::size_t height = 0;   //!< rows
    std::size_t width = 0;    //!< columns
    std::size_t border = 0;   //!< columns of zeros before and behind each row
    std::size_t samples = 0;  //!< number of images

    /// @return floats from one row to the next
    std::size_t Pitch() const;
    /// @return floats of all images, and some that kernels may read behind them
    std::size_t Size() const;
    /// @return numbers of one image
    std::size_t Numbers() const;
};

/// Images with their shape
template <typename Value>
struct ImageView
{
    ImageShape shape; //!< of the images
    Value* values;    //!< as the shape says
};

/// What stands between a convolution and the next one
struct ImageTransition
{
    bool rectifies = false; //!< whether numbers below 0 become 0
    bool pools = false;     //!< whether windows of 2 x 2 become their maximum
};

/// @brief Kernels for one kind of processor. Not part of the module's public headers.
struct ImageKernels
{
    /**
     * @brief Convolve with steps of 1, with as many rows and columns of zeros as the input's
     * border.
     *
     * @param input images
     * @param weights by PackFilters()
     * @param biases of the output's channels, or null
     * @param kernel rows and columns of a filter
     * @param output convolved images, without a border
     */
    void (*convolve)(const ImageView<const float>& input,
                     const float* weights,
                     const float* biases,
                     std::size_t kernel,
                     const ImageView<float>& output);
    /**
     * @brief Add the gradient by the filters and biases of convolve().
     *
     * @param input images that were convolved
     * @param outputGradient gradient by the convolved images
     * @param kernel rows and columns of a filter
     * @param weights output channels x input channels x rows x columns
     * @param biases of the output's channels
     */
    void (*differentiate)(const ImageView<const float>& input,
                          const ImageView<const float>& outputGradient,
                          std::size_t kernel,
                          float* weights,
                          float* biases);
    /**
     * @brief Rectify and pool.
     *
     * @param made images without a border
     * @param transition what to do
     * @param choices which number of a window was taken, channels x rows x columns x samples
     * @param next rectified and pooled images
     */
    void (*settle)(const ImageView<const float>& made,
                   ImageTransition transition,
                   uint8_t* choices,
                   const ImageView<float>& next);
    /**
     * @brief Compute the gradient by the input of settle().
     *
     * @param nextGradient gradient by its output, without a border
     * @param transition what it did
     * @param choices what it chose
     * @param gradient gradient by its input; only numbers that can be chosen are written
     */
    void (*unsettle)(const ImageView<const float>& nextGradient,
                     ImageTransition transition,
                     const uint8_t* choices,
                     const ImageView<float>& gradient);
    const char* name; //!< of the kind of processor
};

/// @param weights output channels x input channels x kernel x kernel
/// @param outputs number of output channels
/// @param inputs number of input channels
/// @param kernel rows and columns of a filter
/// @return the filters in the order in which convolve() reads them
std::vector<float> PackFilters(const float* weights,
                               std::size_t outputs,
                               std::size_t inputs,
                               std::size_t kernel);

/// @brief The same for the gradient by a convolution's input, which is a convolution with turned
/// filters.
/// @param weights output channels x input channels x kernel x kernel
/// @param outputs number of output channels
/// @param inputs number of input channels
/// @param kernel rows and columns of a filter
/// @return filters that read the outputs and make the inputs
std::vector<float> PackTurnedFilters(const float* weights,
                                     std::size_t outputs,
                                     std::size_t inputs,
                                     std::size_t kernel);

/// @return the best kernels for the present processor
const ImageKernels& GetImageKernels();

/// @return all kernels that the present processor can run, the best ones first
std::vector<ImageKernels> GetRunnableImageKernels();

} // namespace ns3::collab

#endif /* COLLAB_IMAGE_KERNELS_H */
