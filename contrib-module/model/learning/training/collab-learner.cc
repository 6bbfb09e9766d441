/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-learner.h"

#include "ns3/collab-check-argument.h"

#include <utility>

namespace ns3::collab
{

FlatVector
PseudoGradient(const std::vector<float>& before,
               const std::vector<float>& after,
               double learningRate)
{
    CheckArgument(before.size() == after.size() && learningRate > 0,
                  "pseudo-gradient of {} and {} weights at the learning rate {}, expected equally "
                  "many and a positive rate",
                  before.size(),
                  after.size(),
                  learningRate);
    std::vector<float> gradient(before.size());
    for (std::size_t i = 0; i < gradient.size(); ++i)
    {
        gradient[i] = static_cast<float>((double{before[i]} - double{after[i]}) / learningRate);
    }
    return std::make_shared<const std::vector<float>>(std::move(gradient));
}

uint64_t
Learner::CountMostTrainFlops(const TrainTask& task) const
{
    return CountTrainFlops(task);
}

} // namespace ns3::collab
