/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-answers.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <limits>

namespace ns3::collab
{

Matrix<float>
ListAnswers(const DataView& reference, std::size_t columns)
{
    const bool isRegression = reference.data->outputs > 0;
    CheckArgument(isRegression || reference.labels.size() == reference.Size(),
                  "X* has {} labels for {} samples, an oracle needs one of each",
                  reference.labels.size(),
                  reference.Size());
    Matrix<float> answers(reference.Size(), columns);
    for (std::size_t i = 0; i < reference.Size(); ++i)
    {
        if (isRegression)
        {
            const float* targets = reference.data->targets.data();
            std::copy_n(targets + reference.indices[i] * columns, columns, answers.Row(i));
            continue;
        }
        const auto label = static_cast<std::size_t>(reference.labels[i]);
        CheckArgument(label < columns, "label {} in X*, allowed are 0 to {}", label, columns - 1);
        answers.Row(i)[label] = 1;
    }
    return answers;
}

double
ScorePseudoLabels(const DataView& reference, const Matrix<float>& pseudoLabels)
{
    if (reference.labels.size() != pseudoLabels.rows || pseudoLabels.rows == 0)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::size_t right = 0;
    for (std::size_t i = 0; i < pseudoLabels.rows; ++i)
    {
        const float* row = pseudoLabels.Row(i);
        right += std::max_element(row, row + pseudoLabels.columns) - row == reference.labels[i];
    }
    return static_cast<double>(right) / static_cast<double>(pseudoLabels.rows);
}

} // namespace ns3::collab
