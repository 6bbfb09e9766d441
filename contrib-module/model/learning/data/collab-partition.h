/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARTITION_H
#define COLLAB_PARTITION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Which samples each device holds: parts[d] are indices, no sample in two parts but of
/// PartitionResampled().
using Partition = std::vector<std::vector<uint32_t>>;

/// @param labels label of every sample of the data set
/// @param candidates indices of some samples
/// @param classes number of classes
/// @return the candidates of each class, in their given order
/// @throws std::invalid_argument if an index or a label is out of range
std::vector<std::vector<uint32_t>> GroupByClass(const std::vector<int64_t>& labels,
                                                const std::vector<uint32_t>& candidates,
                                                uint32_t classes);

/// @brief Deal samples out at random in parts whose sizes differ by one at most.
/// @param candidates indices of the samples to deal out
/// @param devices number of parts; at least 1 and at most candidates.size()
/// @param seed seed of the dealing
/// @return the parts, together all candidates
/// @throws std::invalid_argument if devices is not allowed
Partition PartitionIid(const std::vector<uint32_t>& candidates, uint32_t devices, uint64_t seed);

/// @ingroup collab-learning
/// @brief How uneven the parts of PartitionDirichlet() are.
struct DirichletOptions
{
    uint32_t devices = 1;     //!< number of parts; at least 1
    double alpha = 1;         //!< concentration, at least 1e-6; small values give few classes each
    uint32_t minimumSize = 0; //!< least number of samples that each part gets
};

/**
 * @brief Deal every class out in proportions drawn from a symmetric Dirichlet distribution.
 *
 * For each class, p ~ Dirichlet(alpha, ..., alpha) over the devices, and the class's samples,
 * shuffled, are cut at the cumulative proportions. The whole draw is repeated until every device
 * holds at least the minimum number of samples (Hsu, Qi, Brown, arXiv:1909.06335; the repetition is
 * common practice).
 *
 * @param labels label of every sample of the data set
 * @param candidates indices of the samples to deal out
 * @param classes number of classes
 * @param options devices, concentration and minimum size
 * @param seed seed of the dealing
 * @return the parts, together all candidates, each part in random order
 * @throws std::invalid_argument if an option is not allowed, if there are fewer candidates than all
 * minimum sizes together, if an index or a label is out of range, or if 10 000 draws gave no
 * partition with the minimum size
 */
Partition PartitionDirichlet(const std::vector<int64_t>& labels,
                             const std::vector<uint32_t>& candidates,
                             uint32_t classes,
                             const DirichletOptions& options,
                             uint64_t seed);

/**
 * @brief Draw the samples of each device anew, so that there may be more devices than samples.
 *
 * A device's proportions of classes are drawn from a symmetric Dirichlet distribution, and its
 * samples by these; no sample twice for one device, but several devices may have the same.
 *
 * @param labels label of every sample of the data set
 * @param candidates indices of the samples to draw from
 * @param classes number of classes
 * @param options devices, concentration, and the number of samples of each device
 * @param seed seed of the draws; a device's draws do not depend on the number of devices
 * @return the parts, each in random order
 * @throws std::invalid_argument if an option is not allowed, if a class has fewer samples than a
 * device, or if an index or a label is out of range
 */
Partition PartitionResampled(const std::vector<int64_t>& labels,
                             const std::vector<uint32_t>& candidates,
                             uint32_t classes,
                             const DirichletOptions& options,
                             uint64_t seed);

/// @brief Draw samples at random with equally many of each class, e.g. the shared set X*.
/// @param labels label of every sample of the data set
/// @param candidates indices to choose from
/// @param classes number of classes
/// @param size number of samples to draw; a multiple of classes
/// @param seed seed of the drawing
/// @return the chosen indices in random order
/// @throws std::invalid_argument if size is not a multiple of classes, if a class has too few
/// samples or if an index or a label is out of range
std::vector<uint32_t> DrawBalanced(const std::vector<int64_t>& labels,
                                   const std::vector<uint32_t>& candidates,
                                   uint32_t classes,
                                   uint32_t size,
                                   uint64_t seed);

/// @param labels label of every sample of the data set
/// @param partition who holds what
/// @param classes number of classes
/// @return how many samples a device has of a class, device x class
/// @throws std::invalid_argument if an index or a label is out of range
std::vector<std::vector<std::size_t>> CountPartition(const std::vector<int64_t>& labels,
                                                     const Partition& partition,
                                                     uint32_t classes);

/// @param labels label of every sample of the data set
/// @param partition who holds what
/// @param classes number of classes
/// @return a printable table: one line a device, one column a class, with totals
/// @throws std::invalid_argument if an index or a label is out of range
std::string DescribePartition(const std::vector<int64_t>& labels,
                              const Partition& partition,
                              uint32_t classes);

} // namespace ns3::collab

#endif /* COLLAB_PARTITION_H */
