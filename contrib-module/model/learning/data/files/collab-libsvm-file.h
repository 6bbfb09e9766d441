/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LIBSVM_FILE_H
#define COLLAB_LIBSVM_FILE_H

#include "ns3/collab-data-set.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief How the lines of a LIBSVM file are meant.
struct LibsvmLayout
{
    std::string name;                 //!< of the data set, for messages
    std::vector<int64_t> sampleShape; //!< its product is the greatest index allowed
    uint32_t classes = 0;             //!< number of classes
    int64_t firstLabel = 1;           //!< label in the file of class 0
    bool isSigned = false;            //!< labels are -1 (class 0) and +1; classes must be 2
};

/// @return layout of USPS: 16 x 16 pixels from -1 to 1, labels 1 to 10 for the digits 0 to 9
LibsvmLayout GetUspsLayout();

/**
 * @brief Load a data set in the text format of LIBSVM.
 *
 * Each line is a label and some index:value with increasing indices from 1; what is not named is 0.
 * Empty lines and what follows a # are passed over.
 *
 * @param path path of the file, plain or compressed by gzip or bzip2
 * @param layout layout of its lines
 * @return the data set, numbers as they are in the file
 * @throws DataFileError if the file is missing, empty or damaged, or if a line is of another form,
 * with its number
 * @throws std::invalid_argument if the layout has no shape, no classes, or not 2 that are signed
 */
std::shared_ptr<const DataSet> LoadLibsvmDataSet(const std::string& path,
                                                 const LibsvmLayout& layout);

} // namespace ns3::collab

#endif /* COLLAB_LIBSVM_FILE_H */
