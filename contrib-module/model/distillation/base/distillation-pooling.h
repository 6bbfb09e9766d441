/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_POOLING_H
#define DISTILLATION_POOLING_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How a server makes one label of what devices say of a sample that all have.
enum class DistillationAlgorithm : uint8_t
{
    FEDMD,        //!< Li and Wang, FedMD, 2019: mean of class scores (logits)
    DS_FL,        //!< Itahara et al., DS-FL, IEEE TMC 2021: mean of probabilities, sharpened
    SELECTIVE_FD, //!< Shao et al., Selective-FD, Nature Communications 2024: mean of those
                  //!< probabilities of which devices and server are sure
};

/// @ingroup collab
/// @brief What DS-FL's server makes of the mean of probabilities.
enum class LabelAggregation : uint8_t
{
    ENTROPY_REDUCTION, //!< ERA: a softmax of it with a low temperature
    SIMPLE,            //!< SA: itself
};

/// @ingroup collab
/// @brief An algorithm and its constants.
struct PoolingOptions
{
    DistillationAlgorithm algorithm = DistillationAlgorithm::FEDMD;     //!< which one
    LabelAggregation aggregation = LabelAggregation::ENTROPY_REDUCTION; //!< DS_FL: how
    double temperature = 0.1; //!< ENTROPY_REDUCTION: T; positive
    /// SELECTIVE_FD: greatest l1 distance of a label from the nearest one-hot one, 2 (1 - its
    /// greatest probability), that a server passes on; 0 to 2
    double serverThreshold = 2;

    /// @return whether what travels are class scores, not probabilities
    bool UsesScores() const;
};

/// @ingroup collab
/// @brief What is said of some samples of X*.
struct LabeledRows
{
    std::vector<uint32_t> samples; //!< positions in X*, ascending
    Matrix<float> rows;            //!< one a sample: scores or probabilities of the classes
};

/// @param said what is said
/// @param samples ascending
/// @return the same without what is said of these samples
LabeledRows LeaveOut(const LabeledRows& said, const std::vector<uint32_t>& samples);

/**
 * @ingroup collab
 * @brief Make one label of each sample of which somebody says something.
 *
 * With K_i devices that have sent a row z_ki of sample i, and m_i = sum_k z_ki / K_i:
 * - FedMD (algorithm 1, "Aggregate"): m_i, of class scores;
 * - DS-FL with SA: m_i, of probabilities; with ERA: softmax(m_i / T), whose entropy is lower;
 * - Selective-FD: m_i, unless 2 (1 - max_c m_ic) exceeds the server's threshold.
 *
 * @param options algorithm and constants
 * @param said what each device has sent, of the same number of classes
 * @param classes number of classes
 * @return the labels
 */
LabeledRows PoolLabels(const PoolingOptions& options,
                       const std::vector<LabeledRows>& said,
                       std::size_t classes);

/// @param options algorithm and constants
/// @param said rows that devices have sent
/// @param labels greatest number of samples of which they say something
/// @param classes number of classes
/// @return floating-point operations of PoolLabels(): a sum a number; a division, and for ERA a
/// division and a softmax, a label's number
uint64_t CountPoolingFlops(const PoolingOptions& options,
                           std::size_t said,
                           std::size_t labels,
                           std::size_t classes);

} // namespace ns3::collab

#endif /* DISTILLATION_POOLING_H */
