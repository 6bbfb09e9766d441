/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SAMPLE_READER_H
#define COLLAB_SAMPLE_READER_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-image-resampling.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief Decodes the stored features of a view's samples into what a model reads.
 *
 * BYTES become (byte / 255 - offset) / scale, NUMBERS and TOKENS stay what they are; then the
 * view's transform is applied. One thread at a time may use a reader.
 */
class SampleReader
{
  public:
    /// @param view view whose samples to read; its data set and transform must outlive the reader,
    /// the view itself need not
    /// @throws std::invalid_argument if the transform cannot be applied: only images (channels,
    /// height, width) can be rotated, only numbers can be noisy, and both numbers must be finite
    explicit SampleReader(const DataView& view);

    /// @param index index of a sample of the data set, whose kind is BYTES or NUMBERS
    /// @param values where to put its SampleSize() numbers
    /// @return one past the last number
    float* Read(uint32_t index, float* values);

    /// @param index index of a sample of the data set, whose kind is TOKENS
    /// @param values where to put its SampleSize() tokens
    /// @return one past the last token
    int64_t* Read(uint32_t index, int64_t* values);

  private:
    /// @param index index of a sample
    /// @param values where to put its numbers, normalized but not transformed
    void Decode(uint32_t index, float* values) const;

    /// @param source numbers of one sample
    /// @param values where to put those of the rotated sample
    void Rotate(const float* source, float* values) const;

    /// @param index index of a sample
    /// @param values its numbers, to which noise is added
    void AddNoise(uint32_t index, float* values) const;

    const DataSet& m_data;                           //!< whose samples to read
    std::shared_ptr<const SampleTransform> m_change; //!< applied to each, or null
    std::size_t m_sampleSize;                        //!< features of one sample
    std::size_t m_channelSize; //!< features with one offset and scale, of those of a sample
    std::vector<std::array<float, 256>> m_values; //!< number of each byte, by offset and scale
    std::vector<PixelTaps> m_taps;                //!< by pixel of a channel; none without rotation
    std::vector<float> m_unrotated;               //!< numbers of one sample before its rotation
};

} // namespace ns3::collab

#endif /* COLLAB_SAMPLE_READER_H */
