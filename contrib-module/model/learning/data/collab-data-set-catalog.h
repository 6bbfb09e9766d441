/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATA_SET_CATALOG_H
#define COLLAB_DATA_SET_CATALOG_H

#include "collab-data-set.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Which part of a known data set to load, and from where.
struct DataSetOptions
{
    std::string folder;        //!< with the set's files; GetDataSetFolder() by default
    bool train = true;         //!< true for the training part, false for the test part
    double testFraction = 0.2; //!< of sets without published parts; above 0, below 1
    uint64_t seed = 1;         //!< of what is generated, and of parts that are not published
};

/// @ingroup collab-learning
/// @brief A known data set.
struct DataSetInfo
{
    std::string name;               //!< for LoadDataSet()
    std::string folder;             //!< name of its folder; empty if it is generated
    std::vector<std::string> files; //!< expected in its folder; none if it is generated
    /// of which ./collab data convert makes them, in the same folder; none if they are published so
    std::vector<std::string> originals;
};

/// @return the known data sets: those from files by name, then the generated ones by name
const std::vector<DataSetInfo>& GetDataSets();

/// @return names of GetDataSets()
std::vector<std::string> GetDataSetNames();

/// What the name of a data set begins with that is a file of the user's; its path follows
constexpr const char* DATA_SET_FILE_PREFIX = "file:";

/// @param name name of a data set
/// @return the folder where its files are looked for: $COLLAB_DATA/folder, or data/folder if
/// that variable is not set; for fashion-mnist and randhie, if there is no such folder, that of the
/// Debian package dataset-fashion-mnist or python3-statsmodels
/// @throws std::invalid_argument if the name is unknown
std::string GetDataSetFolder(const std::string& name);

/**
 * @brief Load or generate a data set by its name, or from a file of the user's.
 *
 * Sets without published parts are dealt out sample by sample: a sample belongs to the test part if
 * a hash of the seed and its index says so. Tables are standardized by mean and deviation of
 * each column in the training part.
 *
 * @param name one of GetDataSetNames(); or file:PATH, a safetensors file as ./collab data convert
 * writes it from any data, its path relative to the folder if one is given
 * @param options which part of it, and from where
 * @return the data set
 * @throws std::invalid_argument if the name is unknown (the text lists the known ones) or an option
 * not allowed
 * @throws DataFileError if a file is missing or cannot be used
 */
std::shared_ptr<const DataSet> LoadDataSet(const std::string& name,
                                           const DataSetOptions& options = {});

} // namespace ns3::collab

#endif /* COLLAB_DATA_SET_CATALOG_H */
