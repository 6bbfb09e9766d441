/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_BATCH_CUT_H
#define COLLAB_BATCH_CUT_H

#include <cstddef>
#include <cstdint>

namespace ns3::collab
{

constexpr std::size_t PASS_SAMPLES = 256; //!< of one forward pass when there is no batch size

/// Cuts samples into batches, one after the other.
class BatchCut
{
  public:
    /// @param samples number of samples
    /// @param batch samples of a batch; the last one may be smaller
    /// @param joinsOne whether a last batch of one sample joins the batch before it, which is then
    /// greater by one
    BatchCut(std::size_t samples, std::size_t batch, bool joinsOne);

    /// @return number of batches
    std::size_t Count() const;
    /// @param index index of a batch
    /// @return its samples
    std::size_t Size(std::size_t index) const;
    /// @return samples of the greatest batch
    std::size_t Greatest() const;

  private:
    std::size_t m_samples; //!< number of samples
    std::size_t m_batch;   //!< of all batches but the last
    std::size_t m_count;   //!< number of batches
};

/// Walks over the reference samples in fixed order, batch by batch, again and again.
class ReferenceCycle
{
  public:
    /// @param cut cut of the reference samples
    explicit ReferenceCycle(const BatchCut& cut);

    /// @return first sample of the present batch
    std::size_t Begin() const;
    /// @return number of samples of the present batch
    std::size_t BatchSize() const;
    /// Go on to the next batch.
    void Advance();
    /// @param batches number of batches from the start
    /// @return number of samples in them
    uint64_t CountSamples(uint64_t batches) const;

  private:
    BatchCut m_cut;          //!< of the reference samples
    std::size_t m_index = 0; //!< of the present batch
    std::size_t m_begin = 0; //!< its first sample
};

} // namespace ns3::collab

#endif /* COLLAB_BATCH_CUT_H */
