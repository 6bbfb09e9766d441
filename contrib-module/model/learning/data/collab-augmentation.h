/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_AUGMENTATION_H
#define COLLAB_AUGMENTATION_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief How a sample is changed at random into another one of the same kind.
struct Augmentation
{
    uint32_t shift = 2;      //!< images: greatest shift of a crop in rows and in columns
    double flip = 0.5;       //!< images: probability of swapping left and right
    double jitter = 0.2;     //!< numbers are scaled by 1 - jitter to 1 + jitter
    double noise = 0.05;     //!< standard deviation of Gaussian noise added to every number
    double rotation = 0;     //!< images: greatest angle to the left and to the right [degrees]
    double crop = 0;         //!< images: a window of 1 - crop to 1 of each side is enlarged
    double blur = 0;         //!< images: greatest standard deviation of a Gaussian blur [pixels]
    uint32_t blurRadius = 1; //!< of the blur's kernel: 1 for 3 x 3, 2 for 5 x 5 pixels
    float outside = 0;       //!< images: what comes in by shifts and rotations
    /// images: whether of shift, flip, rotation, crop and blur, as far as they are not 0, only one
    /// is done to each sample, all equally likely
    bool oneOf = false;
};

/**
 * @brief The augmentations of Wagle et al. (2025): each sample is rotated, blurred, cropped or
 * flipped, by chance.
 *
 * The paper gives no strengths. Here they are rotations up to 30 degrees, crops down to 60 % of
 * height and width, and blurs up to 1 pixel by 3 x 3; black comes in from outside.
 *
 * @param data images to be changed
 * @return what LossKind::TRIPLET can do to them
 * @throws std::invalid_argument if they are no images (channels, height, width)
 */
Augmentation MakeContrastiveAugmentation(const DataSet& data);

/// @brief Read how samples are to be changed from text.
/// @param text such as "shift=4,flip=0.5"; keys are the names of the members but outside, which
/// follows from the data set, and oneOf is 0 or 1; what is not named is not done
/// @param data samples to be changed
/// @return the augmentation
/// @throws std::invalid_argument that names what is not allowed, and what is
Augmentation ReadAugmentation(const std::string& text, const DataSet& data);

/// @param augmentation augmentation to check
/// @throws std::invalid_argument if a value is not allowed
void CheckAugmentation(const Augmentation& augmentation);

/// @brief Change one sample: shift, flip, rotation, crop, blur, jitter, then noise. What is 0 draws
/// no number, but for shift and flip.
/// @param augmentation augmentation to apply
/// @param shape shape of the sample; with other than three dimensions there are only jitter and
/// noise
/// @param generator generator to draw with
/// @param sample its numbers
/// @param changed where to put the new numbers; not the same memory
void Augment(const Augmentation& augmentation,
             const std::vector<int64_t>& shape,
             RandomGenerator& generator,
             const float* sample,
             float* changed);

} // namespace ns3::collab

#endif /* COLLAB_AUGMENTATION_H */
