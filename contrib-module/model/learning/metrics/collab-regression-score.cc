/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-regression-score.h"

#include "ns3/collab-check-argument.h"

#include <vector>

namespace ns3::collab
{

Score
ScoreRegression(const Matrix<float>& outputs, const DataView& view)
{
    const std::size_t width = view.data->outputs;
    CheckArgument(outputs.rows == view.Size() && outputs.columns == width,
                  "predictions of shape {} x {}, expected {} x {}",
                  outputs.rows,
                  outputs.columns,
                  view.Size(),
                  width);
    std::vector<double> means(width, 0);
    double squares = 0;
    for (std::size_t i = 0; i < view.Size(); ++i)
    {
        const float* targets = view.data->targets.data() + view.indices[i] * width;
        for (std::size_t k = 0; k < width; ++k)
        {
            const double error = double{outputs(i, k)} - double{targets[k]};
            squares += error * error;
            means[k] += double{targets[k]} / static_cast<double>(view.Size());
        }
    }
    double variation = 0;
    for (const uint32_t index : view.indices)
    {
        for (std::size_t k = 0; k < width; ++k)
        {
            const double distance = double{view.data->targets[index * width + k]} - means[k];
            variation += distance * distance;
        }
    }
    Score score;
    score.accuracy = score.balancedAccuracy = std::numeric_limits<double>::quiet_NaN();
    score.loss = squares / static_cast<double>(view.Size() * width); // 0 / 0 without samples
    score.determination = 1 - squares / variation;
    return score;
}

} // namespace ns3::collab
