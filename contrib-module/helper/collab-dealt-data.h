/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DEALT_DATA_H
#define COLLAB_DEALT_DATA_H

#include "ns3/collab-data-set.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-helper
/// @brief Samples of a data set that devices learn from, and others to measure on.
struct DealtData
{
    std::vector<DataView> parts;          //!< of each device
    std::shared_ptr<const DataView> test; //!< of the data set's test part, which no device has
};

/// @ingroup collab-helper
/// @brief How DealIdxDataSet() deals.
struct DealOptions
{
    uint32_t samples = 200;    //!< of each device, on average
    double alpha = 0.5;        //!< concentration of PartitionDirichlet()
    uint32_t minimumSize = 50; //!< least number of samples of a device
    uint32_t test = 1000;      //!< samples to measure on
};

/// @ingroup collab-helper
/// @brief Deal the first samples of a data set in the four files of MNIST out to devices, by the
/// run's own seed.
/// @param folder folder of the files
/// @param devices number of devices
/// @param options how to deal
/// @return the samples
/// @throws DataFileError if a file cannot be read
/// @throws std::invalid_argument as PartitionDirichlet()
DealtData DealIdxDataSet(const std::string& folder,
                         uint32_t devices,
                         const DealOptions& options = {});

} // namespace ns3::collab

#endif /* COLLAB_DEALT_DATA_H */
