/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATA_SET_H
#define COLLAB_DATA_SET_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What the features of a data set are stored as.
enum class FeatureKind : uint8_t
{
    BYTES,   //!< unsigned bytes of images, normalized when a batch is decoded
    NUMBERS, //!< floating point, read as it is
    TOKENS,  //!< indices into a vocabulary, for models that begin with an embedding
};

/// @return "BYTES", "NUMBERS" or "TOKENS"
const char* ToString(FeatureKind kind);

/**
 * @ingroup collab-learning
 * @brief Samples held once in memory and shared, immutable, by every device.
 *
 * Features stay as compact as they are in the file; a learner decodes the samples of one batch.
 * Of features, numbers and tokens only the one that kind names is used. A set for classification
 * has classes and labels, a set for regression has outputs and targets.
 */
struct DataSet
{
    std::string name;                      //!< what messages call it
    FeatureKind kind = FeatureKind::BYTES; //!< which of the three features are used
    std::vector<int64_t> sampleShape; //!< e.g. {1, 28, 28}: channels, height, width; {80}: tokens
    uint32_t classes = 0;             //!< number of classes, labels are below it; 0 in regression
    uint32_t outputs = 0;             //!< numbers to predict in regression; 0 in classification
    uint32_t vocabulary = 0;          //!< number of tokens, which are below it; 0 without TOKENS
    /// vectors of tokens that models may read, vocabulary or more rows; null if there are none
    std::shared_ptr<const Matrix<float>> tokenVectors;
    std::vector<uint8_t> features; //!< BYTES: samples x product(sampleShape)
    std::vector<float> numbers;    //!< NUMBERS: samples x product(sampleShape)
    std::vector<int32_t> tokens;   //!< TOKENS: samples x product(sampleShape)
    std::vector<int64_t> labels;   //!< classification: one per sample
    std::vector<float> targets;    //!< regression: samples x outputs
    std::vector<uint32_t> users;   //!< who each sample comes from, if known: index of userNames
    std::vector<std::string> userNames; //!< of the natural users
    /// whether samples, or those of each user, stand in random order, so that any first ones are as
    /// good as drawn; files may be in the order of classes, or of anything else
    bool isMixed = false;
    std::vector<float> offset{0.5F}; //!< BYTES: subtracted from byte / 255; one, or one a channel
    std::vector<float> scale{0.5F};  //!< BYTES: divides what remains; as many as offset

    /// @return number of samples
    std::size_t
    Size() const
    {
        return outputs > 0 ? targets.size() / outputs : labels.size();
    }

    /// @return number of features of one sample, the product of sampleShape
    std::size_t SampleSize() const;

    /// @return number of bytes of one sample's features: 1 for each of BYTES, 4 for each other
    std::size_t SampleBytes() const;

    /// @return number of features of all samples, of those that kind names
    std::size_t CountFeatures() const;

    /// @brief Check offset and scale.
    /// @throws std::invalid_argument if they are not one or one a channel each, not finite or not
    /// positive
    void CheckNormalization() const;

    /// @brief Check that all fields belong together.
    /// @throws std::invalid_argument if not; the text names the field, what it holds and what is
    /// allowed
    void Validate() const;
};

/// @param data a data set
/// @return one of the same kind, users and normalization, without samples
DataSet MakeEmptyLike(const DataSet& data);

/// @brief Copy samples into another data set, behind those that are there.
/// @param from a data set of the same kind
/// @param indices samples to take, in that order, each below from.Size()
/// @param[in,out] to data set that gets their features, labels and targets; their users only if it
/// names users
/// @throws std::invalid_argument if an index is not below from.Size()
void AppendSamples(const DataSet& from, const std::vector<uint32_t>& indices, DataSet& to);

/**
 * @ingroup collab-learning
 * @brief What one device's sensor does to every sample: feature skew.
 *
 * Applied whenever a sample is decoded, so that the features are stored once for all devices. It
 * depends on nothing but its fields and the index of the sample in the data set.
 */
struct SampleTransform
{
    /// counterclockwise around the center of the image, by bilinear interpolation; what comes from
    /// outside of the image reads as the byte 0, or as the number 0 [degrees]
    double rotation = 0;
    double noise = 0;  //!< standard deviation of the Gaussian noise added to every decoded number
    uint64_t seed = 0; //!< of the noise
};

/**
 * @ingroup collab-learning
 * @brief Some samples of a shared data set, with the labels that their owner believes in.
 *
 * A device's data is an index set and never a copy of features. The labels live here and not in the
 * data set, so that one device's corrupted labels are nobody else's.
 */
struct DataView
{
    std::shared_ptr<const DataSet> data; //!< where the features are
    std::vector<uint32_t> indices;       //!< which samples, in the owner's order
    /// label of each, same length as indices; empty in regression, and where the owner has no
    /// labels
    std::vector<int64_t> labels;
    std::shared_ptr<const SampleTransform> transform; //!< applied to all; null for none

    /// @return number of samples
    std::size_t
    Size() const
    {
        return indices.size();
    }
};

/// @param data a data set
/// @param indices samples to take, each below data->Size()
/// @return a view of these samples with the data set's own labels, if it has labels
/// @throws std::invalid_argument if an index is not below data->Size()
DataView MakeView(std::shared_ptr<const DataSet> data, std::vector<uint32_t> indices);

/// @brief Make a low-quality agent: shift every label by one fixed amount.
/// @param view view whose labels to change
/// @param shift added to every label modulo the number of classes; 1 to classes - 1
/// @throws std::invalid_argument if shift is not in that range
void ShiftLabels(DataView& view, uint32_t shift);

/// @brief Make a low-quality agent: permute the labels among its samples.
/// @param view view whose labels to change
/// @param seed seed of the permutation
void PermuteLabels(DataView& view, uint64_t seed);

/// @brief Make a low-quality agent: give a random part of its samples a wrong label.
/// @param view view whose labels to change
/// @param fraction fraction of its samples, rounded to the next whole number of them; 0 to 1. Each
/// of them gets one of the other classes, all equally likely
/// @param seed seed of the choice of samples and labels
/// @throws std::invalid_argument if fraction is not in that range or there are not two classes
void CorruptLabels(DataView& view, double fraction, uint64_t seed);

/// @brief Make a low-quality agent in regression: add fixed numbers to the targets of its samples.
/// @param view view whose targets to change: it gets a data set of its own, of its samples alone
/// @param offsets what is added, one an output
/// @throws std::invalid_argument if there are not as many as outputs
void ShiftTargets(DataView& view, const std::vector<float>& offsets);

/// @brief Make a low-quality agent in regression: permute the targets among its samples.
/// @param view view whose targets to change: it gets a data set of its own, of its samples alone
/// @param seed seed of the permutation
void PermuteTargets(DataView& view, uint64_t seed);

/// @ingroup collab-learning
/// @brief A device's samples with and without labels.
struct SemiSupervisedViews
{
    DataView labeled;            //!< with the labels that its owner believes in
    DataView unlabeled;          //!< without labels
    std::vector<bool> isLabeled; //!< of each sample, in the order before they were split
};

/// @brief Take the labels from a part of the samples.
/// @param view view with labels
/// @param fraction fraction that keeps its labels, 0 to 1: rounded down for every class, at least
/// one of each class that the view holds unless the fraction is 0
/// @param seed seed of the choice
/// @return both parts, in the order of the view, with its transform
/// @throws std::invalid_argument if fraction is not in that range or the view has no labels
SemiSupervisedViews SplitLabeled(const DataView& view, double fraction, uint64_t seed);

} // namespace ns3::collab

#endif /* COLLAB_DATA_SET_H */
