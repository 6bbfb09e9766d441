/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_STANDARDIZATION_H
#define COLLAB_STANDARDIZATION_H

#include "collab-data-set.h"

#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What to subtract from features and divide them by.
struct Standardization
{
    std::vector<float> mean;      //!< of each feature or channel
    std::vector<float> deviation; //!< standard deviation of each; 1 where nothing varies
};

/// @brief Measure each feature of NUMBERS over the samples, e.g. each column of a table.
/// @param data data with at least one sample
/// @return mean and standard deviation (of the population), SampleSize() of each
/// @throws std::invalid_argument if the data set is empty or not of NUMBERS
Standardization MeasureFeatures(const DataSet& data);

/// @brief Measure all NUMBERS together, so that features keep their proportion.
/// @param data data with at least one sample
/// @return mean and standard deviation (of the population), SampleSize() times the same of each
/// @throws std::invalid_argument if the data set is empty or not of NUMBERS
Standardization MeasureAll(const DataSet& data);

/// @brief Measure each channel of BYTES over samples and pixels.
/// @param data data with at least one sample
/// @return mean and standard deviation of byte / 255, one of each a channel
/// @throws std::invalid_argument if the data set is empty or not of BYTES
Standardization MeasureChannels(const DataSet& data);

/**
 * @brief Standardize a data set with given or measured values: those of the training part.
 *
 * NUMBERS are changed, x becomes (x - mean) / deviation; BYTES get offset and scale.
 *
 * @param data data to change
 * @param standardization standardization, of as many values as MeasureFeatures() or
 * MeasureChannels() gives
 * @throws std::invalid_argument if there are not as many, or if a deviation is not positive
 */
void Standardize(DataSet& data, const Standardization& standardization);

} // namespace ns3::collab

#endif /* COLLAB_STANDARDIZATION_H */
