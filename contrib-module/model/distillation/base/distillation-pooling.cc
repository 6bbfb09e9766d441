/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-pooling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace ns3::collab
{

namespace
{

/// @param mean mean of probabilities
/// @param temperature T
/// @return softmax(mean / T)
std::vector<double>
Sharpen(std::vector<double> mean, double temperature)
{
    const double greatest = *std::max_element(mean.begin(), mean.end());
    double sum = 0;
    for (double& number : mean)
    {
        number = std::exp((number - greatest) / temperature);
        sum += number;
    }
    for (double& number : mean)
    {
        number /= sum;
    }
    return mean;
}

/// @param options algorithm and constants
/// @param mean of a sample
/// @return whether the server does not pass it on
bool
IsAmbiguous(const PoolingOptions& options, const std::vector<double>& mean)
{
    return options.algorithm == DistillationAlgorithm::SELECTIVE_FD &&
           2 * (1 - *std::max_element(mean.begin(), mean.end())) > options.serverThreshold;
}

/// @param options algorithm and constants
/// @return whether labels are sharpened
bool
Sharpens(const PoolingOptions& options)
{
    return options.algorithm == DistillationAlgorithm::DS_FL &&
           options.aggregation == LabelAggregation::ENTROPY_REDUCTION;
}

} // namespace

bool
PoolingOptions::UsesScores() const
{
    return algorithm == DistillationAlgorithm::FEDMD;
}

LabeledRows
LeaveOut(const LabeledRows& said, const std::vector<uint32_t>& samples)
{
    const std::size_t classes = said.rows.columns;
    LabeledRows rest;
    rest.rows.columns = classes;
    for (std::size_t i = 0; i < said.samples.size(); ++i)
    {
        if (!std::binary_search(samples.begin(), samples.end(), said.samples[i]))
        {
            rest.samples.push_back(said.samples[i]);
            const float* row = said.rows.Row(i);
            rest.rows.values.insert(rest.rows.values.end(), row, row + classes);
        }
    }
    rest.rows.rows = rest.samples.size();
    return rest;
}

LabeledRows
PoolLabels(const PoolingOptions& options, const std::vector<LabeledRows>& said, std::size_t classes)
{
    struct Sum
    {
        std::vector<double> numbers;
        uint32_t devices = 0;
    };
    std::map<uint32_t, Sum> sums; // by sample
    for (const LabeledRows& device : said)
    {
        for (std::size_t i = 0; i < device.samples.size(); ++i)
        {
            Sum& sum = sums[device.samples[i]];
            sum.numbers.resize(classes);
            ++sum.devices;
            const float* row = device.rows.Row(i);
            std::transform(
                row, row + classes, sum.numbers.begin(), sum.numbers.begin(), std::plus<double>());
        }
    }
    LabeledRows labels;
    labels.rows.columns = classes;
    for (auto& [sample, sum] : sums)
    {
        std::vector<double>& mean = sum.numbers;
        for (double& number : mean)
        {
            number /= sum.devices;
        }
        if (IsAmbiguous(options, mean))
        {
            continue;
        }
        labels.samples.push_back(sample);
        const auto label = Sharpens(options) ? Sharpen(mean, options.temperature) : mean;
        labels.rows.values.insert(labels.rows.values.end(), label.begin(), label.end());
    }
    labels.rows.rows = labels.samples.size();
    return labels;
}

uint64_t
CountPoolingFlops(const PoolingOptions& options,
                  std::size_t said,
                  std::size_t labels,
                  std::size_t classes)
{
    const uint64_t label = classes + (Sharpens(options) ? 6 * classes - 2 : 0);
    return said * classes + labels * label;
}

} // namespace ns3::collab
