/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_BATCHES_H
#define COLLAB_TORCH_BATCHES_H

#include "collab-data-set.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace collab
{

/// Turns the bytes of a data set's samples into the numbers that a model reads.
class SampleReader
{
  public:
    /**
     * @param data whose samples to read; must outlive the reader
     */
    explicit SampleReader(const DataSet& data)
        : m_data(data),
          m_sampleBytes(data.SampleBytes())
    {
        for (std::size_t byte = 0; byte < m_values.size(); ++byte)
        {
            m_values[byte] = (static_cast<float>(byte) / 255.0F - data.offset) / data.scale;
        }
    }

    /**
     * @param index of a sample
     * @param values where to put its numbers
     * @return one past the last number
     */
    float*
    Read(uint32_t index, float* values) const
    {
        const uint8_t* bytes = m_data.features.data() + index * m_sampleBytes;
        return std::transform(
            bytes, bytes + m_sampleBytes, values, [this](uint8_t byte) { return m_values[byte]; });
    }

  private:
    const DataSet& m_data;             //!< whose samples to read
    std::size_t m_sampleBytes;         //!< of one sample
    std::array<float, 256> m_values{}; //!< number of each byte
};

/// Walks over the reference samples in fixed order, batch by batch, again and again.
class ReferenceCycle
{
  public:
    /**
     * @param size number of reference samples
     * @param batchSize number of samples of a batch; the last one before the start may be smaller
     */
    ReferenceCycle(std::size_t size, std::size_t batchSize)
        : m_size(size),
          m_batchSize(batchSize)
    {
    }

    /// @return first sample of the present batch
    std::size_t
    Begin() const
    {
        return m_begin;
    }

    /// @return number of samples of the present batch
    std::size_t
    BatchSize() const
    {
        return std::min(m_batchSize, m_size - m_begin);
    }

    /// Go on to the next batch.
    void
    Advance()
    {
        m_begin += BatchSize();
        m_begin = m_begin < m_size ? m_begin : 0;
    }

    /**
     * @param batches number of batches from the start
     * @return number of samples in them
     */
    uint64_t
    CountSamples(uint64_t batches) const
    {
        const uint64_t cycle = (m_size + m_batchSize - 1) / m_batchSize;
        return batches / cycle * m_size + std::min<uint64_t>(batches % cycle * m_batchSize, m_size);
    }

  private:
    std::size_t m_size;      //!< number of reference samples
    std::size_t m_batchSize; //!< of all batches but the last
    std::size_t m_begin = 0; //!< first sample of the present batch
};

/**
 * @param data whose samples fill the tensor
 * @param samples number of samples
 * @return a tensor for so many samples
 */
inline at::Tensor
MakeSampleTensor(const DataSet& data, std::size_t samples)
{
    std::vector<int64_t> sizes = data.sampleShape;
    sizes.insert(sizes.begin(), static_cast<int64_t>(samples));
    return at::empty(sizes);
}

/// Loads the samples of each step into tensors that are made once for a whole training job.
class StepLoader
{
  public:
    /**
     * @param local the learner's own samples; must outlive the loader
     * @param localBatch most local samples of a step
     * @param references samples X*, or null; must outlive the loader
     * @param referenceBatch most reference samples of a step
     */
    StepLoader(const DataView& local,
               std::size_t localBatch,
               const DataView* references,
               std::size_t referenceBatch)
        : m_local(local),
          m_references(references ? *references : local),
          m_localReader(*m_local.data),
          m_referenceReader(*m_references.data),
          m_samples(MakeSampleTensor(*local.data, localBatch + referenceBatch)),
          m_labels(at::empty({static_cast<int64_t>(localBatch)}, at::kLong))
    {
    }

    /**
     * @param positions of local samples in their view
     * @param size number of local samples
     * @param referenceBegin position of the first reference sample in its view
     * @param referenceSize number of reference samples
     * @return local samples, then reference samples; valid until the next call
     */
    at::Tensor
    LoadSamples(const uint32_t* positions,
                std::size_t size,
                std::size_t referenceBegin,
                std::size_t referenceSize)
    {
        auto* next = m_samples.data_ptr<float>();
        for (std::size_t i = 0; i < size; ++i)
        {
            next = m_localReader.Read(m_local.indices[positions[i]], next);
        }
        for (std::size_t i = 0; i < referenceSize; ++i)
        {
            next = m_referenceReader.Read(m_references.indices[referenceBegin + i], next);
        }
        return m_samples.narrow(0, 0, static_cast<int64_t>(size + referenceSize));
    }

    /**
     * @param positions of local samples in their view
     * @param size number of local samples
     * @return their labels; valid until the next call
     */
    at::Tensor
    LoadLabels(const uint32_t* positions, std::size_t size)
    {
        std::transform(positions,
                       positions + size,
                       m_labels.data_ptr<int64_t>(),
                       [this](uint32_t position) { return m_local.labels[position]; });
        return m_labels.narrow(0, 0, static_cast<int64_t>(size));
    }

  private:
    const DataView& m_local;        //!< the learner's own samples
    const DataView& m_references;   //!< samples X*; the local ones if there are none
    SampleReader m_localReader;     //!< of the local samples
    SampleReader m_referenceReader; //!< of the reference samples
    at::Tensor m_samples;           //!< local samples, then reference samples
    at::Tensor m_labels;            //!< of the local samples
};
} // namespace collab
} // namespace ns3

#endif /* COLLAB_TORCH_BATCHES_H */
