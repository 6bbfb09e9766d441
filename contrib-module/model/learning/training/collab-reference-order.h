/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_REFERENCE_ORDER_H
#define COLLAB_REFERENCE_ORDER_H

#include "ns3/collab-random.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief In what order a learner's steps take the samples of X*.
 *
 * The order decides which part of X* is learned from at all: of an X* of b batches an epoch of s
 * steps with s < b reaches the first s batches only if it begins with the first one again.
 */
enum class ReferenceOrder : uint8_t
{
    SHUFFLED,  //!< in random order, pass by pass, going on from epoch to epoch and job to job
    RESTARTED, //!< in the order given, from the first batch on in every epoch, again and again, as
               //!< the program of Fan et al. (NeurIPS 2023) does
};

/**
 * @ingroup collab-learning
 * @brief Walks over X* in random order, pass by pass.
 *
 * A batch that begins near the end of a pass takes its other samples from the next one, so that all
 * batches have the same size and in n steps no sample is taken two times more than another.
 */
class ShuffledReferences
{
  public:
    /// @param seed seed of the order
    explicit ShuffledReferences(uint64_t seed);

    /// @brief Go on.
    /// @param samples size of X*; at least 1. If it is another one than before, a new pass begins
    /// @param size samples to take
    /// @return their positions in X*
    std::vector<uint32_t> Take(std::size_t samples, std::size_t size);

    /// @return where the walk is, as text
    std::string GetState() const;
    /// @param state state of another walk
    /// @throws std::invalid_argument if it is none
    void SetState(const std::string& state);

  private:
    /// Draw the order of a pass over as many samples as the last one had.
    void BeginPass();

    RandomGenerator m_generator;   //!< of the passes to come
    RandomGenerator m_begin;       //!< as it was when the present pass began
    std::vector<uint32_t> m_order; //!< of the present pass
    std::size_t m_next = 0;        //!< position in it
};

} // namespace ns3::collab

#endif /* COLLAB_REFERENCE_ORDER_H */
