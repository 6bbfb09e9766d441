/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_HDF5_DATA_SET_H
#define COLLAB_HDF5_DATA_SET_H

#include "ns3/collab-data-set.h"

#include <limits>
#include <memory>
#include <string>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief Which data sets of an HDF5 file to use.
struct Hdf5Layout
{
    std::string name;                //!< of the data set, for messages
    std::string samples = "samples"; //!< floating point, samples x shape of a sample
    std::string labels = "labels";   //!< whole numbers from 0, one a sample
    std::string filter;              //!< whole numbers, one a sample; empty for none
    int64_t leastFilter = std::numeric_limits<int64_t>::min(); //!< samples with less are left out
};

/**
 * @return layout of what analysis/radioml_to_hdf5.py makes of RadioML 2016.10A (O'Shea, West,
 * 2016): 1 x 2 x 128 numbers, the filter being the signal-to-noise ratio in dB
 */
Hdf5Layout GetRadiomlLayout();

/**
 * @brief Load a data set for classification from an HDF5 file.
 *
 * @param path of the file
 * @param layout what to read from it; classes are counted from the greatest label
 * @return the data set: numbers as they are in the file
 * @throws DataFileError if the file or a data set is missing, damaged, empty or of another shape,
 * if a number is not finite or a label negative, or if the module was built without HDF5
 */
std::shared_ptr<DataSet> LoadHdf5DataSet(const std::string& path, const Hdf5Layout& layout);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_HDF5_DATA_SET_H */
