/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SMALL_LOSSES_H
#define COLLAB_SMALL_LOSSES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// Some samples of a batch whose outputs are kept output by output, as SmallNetwork does.
struct SampleRange
{
    std::size_t stride = 0;  //!< samples of the batch
    std::size_t begin = 0;   //!< first of these samples
    std::size_t size = 0;    //!< number of these samples; at least 1
    std::size_t outputs = 0; //!< number of outputs
    double weight = 1;       //!< of the loss in the gradient
};

/// @param range samples
/// @param logits outputs x samples of the batch
/// @param labels one for each sample of the range
/// @param[out] gradient gradient of the weighted mean loss by these samples' outputs, outputs x
/// samples
/// @return mean cross-entropy over the range [nat]
double DifferentiateCrossEntropy(const SampleRange& range,
                                 const std::vector<float>& logits,
                                 const int64_t* labels,
                                 std::vector<float>& gradient);

/// @param range samples
/// @param logits outputs x samples of the batch
/// @param targets class probabilities, samples of the range x outputs
/// @param[out] gradient gradient of the weighted mean loss by these samples' outputs, outputs x
/// samples
/// @return mean of -sum_c target_c log(p_c + 1e-8) over the range [nat]
double DifferentiateSoftCrossEntropy(const SampleRange& range,
                                     const std::vector<float>& logits,
                                     const float* targets,
                                     std::vector<float>& gradient);

/// @param range samples
/// @param outputs outputs x samples of the batch
/// @param targets samples of the range x outputs
/// @param[out] gradient gradient of the weighted mean loss by these samples' outputs, outputs x
/// samples
/// @return mean squared error over the range and the outputs
double DifferentiateSquaredError(const SampleRange& range,
                                 const std::vector<float>& outputs,
                                 const float* targets,
                                 std::vector<float>& gradient);

/// @param range samples
/// @param outputs outputs x samples of the batch
/// @param targets samples of the range x outputs
/// @param[out] gradient gradient of the weighted mean loss by these samples' outputs, outputs x
/// samples
/// @return mean absolute error over the range and the outputs
double DifferentiateAbsoluteError(const SampleRange& range,
                                  const std::vector<float>& outputs,
                                  const float* targets,
                                  std::vector<float>& gradient);

} // namespace ns3::collab

#endif /* COLLAB_SMALL_LOSSES_H */
