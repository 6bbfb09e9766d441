/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CIFAR_FILE_H
#define COLLAB_CIFAR_FILE_H

#include "ns3/collab-data-set.h"

#include <memory>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Which labels of the CIFAR data sets to use (Krizhevsky, 2009).
enum class CifarLabels : uint8_t
{
    CIFAR10,         //!< 10 classes
    CIFAR100_FINE,   //!< 100 classes
    CIFAR100_COARSE, //!< the 20 superclasses of CIFAR-100
};

/**
 * @brief Load the binary version of CIFAR-10 or CIFAR-100.
 *
 * A record is one byte of label (CIFAR-100: coarse, then fine) and 3 x 32 x 32 bytes, color by
 * color. CIFAR-10 is read from data_batch_1.bin to data_batch_5.bin or test_batch.bin, CIFAR-100
 * from train.bin or test.bin; each may be compressed. They are normalized by the mean and the
 * standard deviation of each color over the published training part.
 *
 * @param folder where the files are
 * @param labels which set, and which labels
 * @param train true for the training part, false for the test part
 * @return the data set
 * @throws DataFileError if a file is missing, empty, no multiple of a record or has a label that is
 * out of range
 */
std::shared_ptr<const DataSet> LoadCifarDataSet(const std::string& folder,
                                                CifarLabels labels,
                                                bool train);

} // namespace ns3::collab

#endif /* COLLAB_CIFAR_FILE_H */
