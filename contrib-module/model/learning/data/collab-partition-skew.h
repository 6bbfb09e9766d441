/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARTITION_SKEW_H
#define COLLAB_PARTITION_SKEW_H

#include "collab-data-set.h"
#include "collab-partition.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Devices that hold a few labels each, in given proportions.
struct ShardOptions
{
    uint32_t devices = 10; //!< at least 1
    /// part of each of a device's labels: as many as labels, positive, sum 1. The default is that
    /// of Wagle et al. (2025)
    std::vector<double> proportions = {0.7, 0.2, 0.1};
    uint32_t samplesPerDevice = 0; //!< 0: the most that all devices can have
};

/**
 * @brief Give every device some labels in given proportions.
 *
 * Device d has the labels p[(d + s_m) mod C], m = 0, 1, ...: p is a random order of the C classes
 * and the s_m are distinct random shifts, both drawn anew for every C devices. So a device's labels
 * are distinct, and each class is the first, second, ... label of as many devices as any other, to
 * one device. Of its m-th label a device gets samplesPerDevice * proportions[m], rounded so that
 * the sum is right (largest remainder).
 *
 * @param labels label of every sample of the data set
 * @param candidates indices of the samples to deal out
 * @param classes number of classes, at least as many as proportions
 * @param options options of the devices
 * @param seed seed of the dealing
 * @return the parts, each in random order; candidates may be left over
 * @throws std::invalid_argument if an option is not allowed, if a class has too few samples, or if
 * an index or a label is out of range
 */
Partition PartitionShards(const std::vector<int64_t>& labels,
                          const std::vector<uint32_t>& candidates,
                          uint32_t classes,
                          const ShardOptions& options,
                          uint64_t seed);

/// @param devices number of devices; at least 1
/// @param exponent a of size ~ 1 / rank^a; finite, not negative; 0 makes all sizes equal
/// @return proportions of the devices, which sum to 1, the first one the greatest
/// @throws std::invalid_argument if an argument is not allowed
std::vector<double> MakePowerLawProportions(uint32_t devices, double exponent);

/**
 * @brief Deal samples out at random in parts of given sizes: quantity skew without label skew.
 *
 * Sizes are candidates.size() * proportions, rounded by the largest remainder. With proportions
 * from DrawDirichlet() this is the quantity skew of Li et al. (ICDE 2022).
 *
 * @param candidates indices of the samples to deal out
 * @param proportions proportions of the devices; not negative, with a positive finite sum
 * @param minimumSize least number of samples a device gets, at the expense of the largest ones
 * @param seed seed of the dealing
 * @return the parts, together all candidates
 * @throws std::invalid_argument if an argument is not allowed or there are too few candidates
 */
Partition PartitionQuantity(const std::vector<uint32_t>& candidates,
                            const std::vector<double>& proportions,
                            uint32_t minimumSize,
                            uint64_t seed);

/// @brief Give every device the samples of natural users.
/// @param users user of every sample of the data set
/// @param candidates indices of the samples to deal out
/// @param devices number of parts; at least 1
/// @param usersPerDevice how many users a device has; 0 deals all users out, as evenly as can be
/// @param minimumSize users with fewer candidates are passed over
/// @param seed seed of the choice of users
/// @return the parts; a device's samples are ordered by user, then as the candidates are
/// @throws std::invalid_argument if there are too few users, or if an index is out of range
Partition PartitionByUser(const std::vector<uint32_t>& users,
                          const std::vector<uint32_t>& candidates,
                          uint32_t devices,
                          uint32_t usersPerDevice,
                          uint32_t minimumSize,
                          uint64_t seed);

/// @ingroup collab-learning
/// @brief How the sensors of devices differ.
struct FeatureSkewOptions
{
    /// device d turns its images by rotations[d mod size], as in Ghosh et al. (NeurIPS 2020)
    /// [degrees]; none for no rotation
    std::vector<double> rotations;
    /// device d of N adds Gaussian noise of standard deviation noise * sqrt((d + 1) / N) to its
    /// numbers: variance grows linearly, as in Li et al. (ICDE 2022)
    double noise = 0;
};

/// @ingroup collab-learning
/// @brief Made-up users, each of whom draws some classes more often than others, in a style of
/// their own: stands in for data sets of natural users such as LEAF's FEMNIST.
struct WriterOptions
{
    uint32_t writers = 10;       //!< at least 1
    double meanSize = 100;       //!< samples of a writer, on average; at least minimumSize
    uint32_t minimumSize = 1;    //!< fewest samples of a writer; at least 1
    double sizeDeviation = 0.4;  //!< of a writer's samples, as part of meanSize; not negative
    double concentration = 1;    //!< of the Dirichlet distribution of a writer's classes
    double rotationDegrees = 15; //!< standard deviation of a writer's slant; not negative [degrees]
    double greatestNoise = 0;    //!< of a writer's pen, uniform from 0 to this; not negative
};

/**
 * @brief Give every writer samples: class skew and quantity skew.
 *
 * A writer's number of samples is normal, cut at minimumSize. The writer's proportions of classes
 * are drawn from a Dirichlet distribution; samples are drawn by these, among the classes that still
 * have some. All sizes shrink in proportion if they would need more than there are.
 *
 * @param labels label of every sample of the data set
 * @param candidates indices of the samples to deal out
 * @param classes number of classes
 * @param options options of the writers
 * @param seed seed of the dealing
 * @return the parts, each in random order; candidates may be left over
 * @throws std::invalid_argument if an option is not allowed, if there are too few candidates, or if
 * an index or a label is out of range
 */
Partition PartitionWriters(const std::vector<int64_t>& labels,
                           const std::vector<uint32_t>& candidates,
                           uint32_t classes,
                           const WriterOptions& options,
                           uint64_t seed);

/// @param options options of the writers
/// @param seed seed of the styles
/// @return slant and noise of each writer, to be set as transform of the writer's views
/// @throws std::invalid_argument if an option is not allowed
std::vector<std::shared_ptr<const SampleTransform>> MakeWriterStyles(const WriterOptions& options,
                                                                     uint64_t seed);

/// @param devices number of devices
/// @param options options of their sensors
/// @param seed seed of the noise
/// @return what each device's sensor does, to be set as transform of its views
/// @throws std::invalid_argument if an option is negative noise or not finite
std::vector<std::shared_ptr<const SampleTransform>> MakeFeatureSkew(
    uint32_t devices, const FeatureSkewOptions& options, uint64_t seed);

/**
 * @brief Make labels for partitions of a regression problem: cut where targets lie farthest apart.
 *
 * The sorted distinct targets are cut at their groups - 1 greatest gaps (of equal ones, the first);
 * as in Wagle et al. (2025).
 *
 * @param targets one of every sample, all finite
 * @param groups number of labels; at least 1
 * @return label of every sample, 0 for the least targets
 * @throws std::invalid_argument if groups is 0 or there are fewer distinct targets
 */
std::vector<int64_t> GroupTargetsByGaps(const std::vector<float>& targets, uint32_t groups);

} // namespace ns3::collab

#endif /* COLLAB_PARTITION_SKEW_H */
