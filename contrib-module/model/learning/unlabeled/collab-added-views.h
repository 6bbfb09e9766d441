/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ADDED_VIEWS_H
#define COLLAB_ADDED_VIEWS_H

#include "ns3/collab-data-set.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What is added to images to have more of them: Appendix C of Wagle et al. (2025) for USPS.
struct AddedViews
{
    double rotation = 15; //!< one view turned left and one turned right; 0 for none [degrees]
    uint32_t crops = 1;   //!< number of views that are enlarged windows at random places
    double crop = 0.3;    //!< a window has 1 - crop to 1 of each side, uniformly; below 1
    float outside = 0;    //!< byte or number that comes in from outside of a turned image
};

/**
 * @brief Copy a data set and add changed copies of all its images.
 *
 * With n images, image i + k n of the result is the k-th view of image i: itself, turned left,
 * turned right, then the crops. Add views to the training part only: a view of an image must not be
 * in the other part. Bytes are rounded to the nearest.
 *
 * @param data images (channels, height, width) of bytes or numbers
 * @param views views to add
 * @param seed seed of the windows
 * @return the images and their views, with their labels, targets and users
 * @throws std::invalid_argument if they are no images or a value is not allowed
 */
DataSet AddViews(const DataSet& data, const AddedViews& views, uint64_t seed);

} // namespace ns3::collab

#endif /* COLLAB_ADDED_VIEWS_H */
