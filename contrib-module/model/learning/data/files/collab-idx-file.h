/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_IDX_FILE_H
#define COLLAB_IDX_FILE_H

#include "ns3/collab-data-set.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Contents of an IDX file of unsigned bytes (element type 0x08).
struct IdxFile
{
    std::vector<uint32_t> dimensions; //!< outermost first; at least one
    std::vector<uint8_t> bytes;       //!< product(dimensions) elements, row-major
};

/// @ingroup collab-learning
/// @brief What the two files of a part of a data set in IDX are called, and how they are meant.
struct IdxLayout
{
    std::string name;        //!< of the data set, for messages
    std::string images;      //!< file of samples x rows x columns, without suffix of compression
    std::string labels;      //!< file of one label a sample, without suffix of compression
    bool transposed = false; //!< columns are stored before rows, as in EMNIST
    uint8_t firstLabel = 0;  //!< label in the file of class 0; 1 in the letters of EMNIST
    bool mixed = false;      //!< samples are published in random order, see DataSet::isMixed
};

/// @ingroup collab-learning
/// @brief Which part of a data set in the four files of MNIST to load.
struct IdxOptions
{
    bool train =
        true; //!< true for the training part (train-...), false for the test part (t10k-...)
    bool mixed = false; //!< whether the set is published in random order, see DataSet::isMixed
};

/// @brief Read an IDX file, plain or compressed by gzip or bzip2 (told by content, not by name).
/// @param path path of the file
/// @return its contents
/// @throws DataFileError if it cannot be opened, is not IDX, holds another element type, is shorter
/// or longer than its header says, or if its compressed stream is damaged
IdxFile ReadIdxFile(const std::string& path);

/**
 * @brief Load Fashion-MNIST, or any data set of the same four-file layout.
 *
 * Looks for train-images-idx3-ubyte and train-labels-idx1-ubyte (t10k-... for the test part), each
 * plain or with the suffix .gz or .bz2; the plain one is taken if there are several. Classes are
 * counted from the greatest label. The name is the folder's, with "train" or "test", e.g.
 * "fashion-mnist test".
 *
 * @param folder where the files are
 * @param options part to load
 * @return the data set, normalized to [-1, 1] (offset 0.5, scale 0.5)
 * @throws DataFileError if a file is missing, truncated or of another format, or if there are not
 * as many labels as images
 */
std::shared_ptr<const DataSet> LoadIdxDataSet(const std::string& folder,
                                              const IdxOptions& options = {});

/// @brief Load one part of a data set in IDX.
/// @param folder where the files are
/// @param layout what they are called; classes are counted from the greatest label
/// @return the data set, normalized to [-1, 1] (offset 0.5, scale 0.5)
/// @throws DataFileError as the other LoadIdxDataSet()
std::shared_ptr<const DataSet> LoadIdxDataSet(const std::string& folder, const IdxLayout& layout);

} // namespace ns3::collab

#endif /* COLLAB_IDX_FILE_H */
