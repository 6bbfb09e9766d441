/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATA_SET_H
#define COLLAB_DATA_SET_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Labeled samples held once in memory and shared, immutable, by every device.
 *
 * Features stay in the bytes of the file; a learner turns the samples of one batch into
 * floating point by x = (byte / 255 - offset) / scale.
 */
struct DataSet
{
    std::string name;                 //!< what messages call it
    std::vector<int64_t> sampleShape; //!< e.g. {1, 28, 28}: channels, height, width
    uint32_t classes = 0;             //!< number of classes; labels are below it
    std::vector<uint8_t> features;    //!< samples x product(sampleShape) bytes
    std::vector<int64_t> labels;      //!< one per sample
    float offset = 0.5F;              //!< subtracted from byte / 255
    float scale = 0.5F;               //!< divides what remains

    /// @return number of samples
    std::size_t
    Size() const
    {
        return labels.size();
    }

    /// @return number of bytes of one sample, the product of sampleShape
    std::size_t SampleBytes() const;
};

/**
 * @ingroup collab
 * @brief Some samples of a shared data set, with the labels that their owner believes in.
 *
 * A device's data is an index set and never a copy of features. The labels live here and not in the
 * data set, so that one device's corrupted labels are nobody else's.
 */
struct DataView
{
    std::shared_ptr<const DataSet> data; //!< where the features are
    std::vector<uint32_t> indices;       //!< which samples, in the owner's order
    std::vector<int64_t> labels;         //!< label of each, same length as indices

    /// @return number of samples
    std::size_t
    Size() const
    {
        return indices.size();
    }
};

/**
 * @param data a data set
 * @param indices samples to take, each below data->Size()
 * @return a view of these samples with the data set's own labels
 * @throws std::invalid_argument if an index is not below data->Size()
 */
DataView MakeView(std::shared_ptr<const DataSet> data, std::vector<uint32_t> indices);

/**
 * @brief Make a low-quality agent: shift every label by one fixed amount.
 *
 * @param view whose labels to change
 * @param shift added to every label modulo the number of classes; 1 to classes - 1
 * @throws std::invalid_argument if shift is not in that range
 */
void ShiftLabels(DataView& view, uint32_t shift);

/**
 * @brief Make a low-quality agent: permute the labels among its samples.
 *
 * @param view whose labels to change
 * @param seed of the permutation
 */
void PermuteLabels(DataView& view, uint64_t seed);

/**
 * @brief Load Fashion-MNIST, or any data set of the same four-file layout.
 *
 * Looks for train-images-idx3-ubyte and train-labels-idx1-ubyte (t10k-... for the test part), each
 * plain or with the suffix .gz; the plain one is taken if there are both. Classes are counted from
 * the greatest label. The name is the folder's, with "train" or "test", e.g. "fashion-mnist test".
 *
 * @param folder where the files are
 * @param train true for the 60 000 training samples, false for the 10 000 test samples
 * @return the data set, normalized to [-1, 1] (offset 0.5, scale 0.5)
 * @throws DataFileError if a file is missing, truncated or of another format, or if there are not
 * as many labels as images
 */
std::shared_ptr<const DataSet> LoadIdxDataSet(const std::string& folder, bool train);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_DATA_SET_H */
