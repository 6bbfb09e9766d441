/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_AUGMENTATION_H
#define COLLAB_AUGMENTATION_H

#include "ns3/collab-random.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief How a sample is changed at random into another one of the same kind.
struct Augmentation
{
    uint32_t shift = 2;  //!< images: greatest shift of a crop in rows and in columns; zeros come in
    double flip = 0.5;   //!< images: probability of swapping left and right
    double jitter = 0.2; //!< numbers are scaled by 1 - jitter to 1 + jitter
    double noise = 0.05; //!< standard deviation of Gaussian noise added to every number
};

/**
 * @param augmentation to check
 * @throws std::invalid_argument if a value is not allowed
 */
void CheckAugmentation(const Augmentation& augmentation);

/**
 * @brief Change one sample: shift, flip, jitter, then noise.
 *
 * @param augmentation how
 * @param shape of the sample; with other than three dimensions it is not shifted nor flipped
 * @param generator to draw with
 * @param sample its numbers
 * @param changed where to put the new numbers; not the same memory
 */
void Augment(const Augmentation& augmentation,
             const std::vector<int64_t>& shape,
             RandomGenerator& generator,
             const float* sample,
             float* changed);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_AUGMENTATION_H */
