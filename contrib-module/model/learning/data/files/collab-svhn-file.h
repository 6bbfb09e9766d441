/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SVHN_FILE_H
#define COLLAB_SVHN_FILE_H

#include "ns3/collab-data-set.h"

#include <memory>
#include <string>

namespace ns3
{
namespace collab
{

/**
 * @brief Load one file of SVHN in its cropped format 2 (Netzer et al., 2011).
 *
 * A MATLAB file (read by the library matio) with X, uint8 of height x width x colors x samples, and
 * y, labels 1 to 10, where 10 is the digit 0 and becomes class 0. Normalized by the mean and the
 * standard deviation of each color over the published training part.
 *
 * @param path of train_32x32.mat, test_32x32.mat or extra_32x32.mat
 * @return the data set
 * @throws DataFileError if the file is missing, damaged, empty or of another layout, if a label is
 * out of range, or if the module was built without matio
 */
std::shared_ptr<const DataSet> LoadSvhnDataSet(const std::string& path);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_SVHN_FILE_H */
