/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-small-losses.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

namespace
{

constexpr float LOGARITHM_OFFSET = 1e-8F; //!< added to probabilities before the logarithm

/// @param range samples
/// @param logits outputs x samples of the batch
/// @param sample one of the range, counted from the batch's first
/// @param[out] probabilities softmax of its logits, of the same place and stride
/// @return logarithm of the sum of the exponentials
double
Normalize(const SampleRange& range, const float* logits, std::size_t sample, float* probabilities)
{
    float greatest = logits[sample];
    for (std::size_t c = 1; c < range.outputs; ++c)
    {
        greatest = std::max(greatest, logits[c * range.stride + sample]);
    }
    float sum = 0;
    for (std::size_t c = 0; c < range.outputs; ++c)
    {
        const std::size_t place = c * range.stride + sample;
        probabilities[place] = std::exp(logits[place] - greatest);
        sum += probabilities[place];
    }
    for (std::size_t c = 0; c < range.outputs; ++c)
    {
        probabilities[c * range.stride + sample] /= sum;
    }
    return static_cast<double>(greatest) + std::log(static_cast<double>(sum));
}

/// @param range samples
/// @param outputs outputs x samples of the batch
/// @param targets samples of the range x outputs
/// @param[out] gradient by these samples' outputs
/// @param differentiate gets a difference and sets its gradient; returns its error
/// @return mean error over the range and the outputs
template <typename F>
double
AverageErrors(const SampleRange& range,
              const std::vector<float>& outputs,
              const float* targets,
              std::vector<float>& gradient,
              F differentiate)
{
    double loss = 0;
    for (std::size_t i = 0; i < range.size; ++i)
    {
        for (std::size_t c = 0; c < range.outputs; ++c)
        {
            const std::size_t place = c * range.stride + range.begin + i;
            loss += differentiate(outputs[place] - targets[i * range.outputs + c], gradient[place]);
        }
    }
    return loss / static_cast<double>(range.size * range.outputs);
}

} // namespace

double
DifferentiateCrossEntropy(const SampleRange& range,
                          const std::vector<float>& logits,
                          const int64_t* labels,
                          std::vector<float>& gradient)
{
    const auto scale = static_cast<float>(range.weight / static_cast<double>(range.size));
    double loss = 0;
    for (std::size_t i = 0; i < range.size; ++i)
    {
        const std::size_t sample = range.begin + i;
        const auto right = static_cast<std::size_t>(labels[i]) * range.stride + sample;
        loss += Normalize(range, logits.data(), sample, gradient.data()) - logits[right];
        gradient[right] -= 1;
        for (std::size_t c = 0; c < range.outputs; ++c)
        {
            gradient[c * range.stride + sample] *= scale;
        }
    }
    return loss / static_cast<double>(range.size);
}

double
DifferentiateSoftCrossEntropy(const SampleRange& range,
                              const std::vector<float>& logits,
                              const float* targets,
                              std::vector<float>& gradient)
{
    const auto scale = static_cast<float>(range.weight / static_cast<double>(range.size));
    double loss = 0;
    for (std::size_t i = 0; i < range.size; ++i)
    {
        const std::size_t sample = range.begin + i;
        const float* target = targets + i * range.outputs;
        Normalize(range, logits.data(), sample, gradient.data());
        float mean = 0; // of target / (p + guard) under p
        for (std::size_t c = 0; c < range.outputs; ++c)
        {
            const float p = gradient[c * range.stride + sample];
            loss -= static_cast<double>(target[c] * std::log(p + LOGARITHM_OFFSET));
            mean += p * (target[c] / (p + LOGARITHM_OFFSET));
        }
        for (std::size_t c = 0; c < range.outputs; ++c)
        {
            float& value = gradient[c * range.stride + sample];
            value = scale * value * (mean - target[c] / (value + LOGARITHM_OFFSET));
        }
    }
    return loss / static_cast<double>(range.size);
}

double
DifferentiateSquaredError(const SampleRange& range,
                          const std::vector<float>& outputs,
                          const float* targets,
                          std::vector<float>& gradient)
{
    const auto scale =
        static_cast<float>(2 * range.weight / static_cast<double>(range.size * range.outputs));
    return AverageErrors(range, outputs, targets, gradient, [scale](float difference, float& by) {
        by = scale * difference;
        return static_cast<double>(difference) * difference;
    });
}

double
DifferentiateAbsoluteError(const SampleRange& range,
                           const std::vector<float>& outputs,
                           const float* targets,
                           std::vector<float>& gradient)
{
    const auto scale =
        static_cast<float>(range.weight / static_cast<double>(range.size * range.outputs));
    return AverageErrors(range, outputs, targets, gradient, [scale](float difference, float& by) {
        by = difference > 0 ? scale : difference < 0 ? -scale : 0;
        return std::abs(static_cast<double>(difference));
    });
}

} // namespace ns3::collab
