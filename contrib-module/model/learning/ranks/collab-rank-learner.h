/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_LEARNER_H
#define COLLAB_RANK_LEARNER_H

#include "ns3/collab-torch-learner.h"

#include <memory>

namespace ns3::collab
{

/**
 * @brief Make a learner that another process of this run computes with, if there is one.
 *
 * The learner of MakeTorchLearner() lives at that process, with its optimizer and generators, and
 * gets the samples once. A job sends its task, and weights that the process does not have yet;
 * weights come back from a training. Without other processes it is MakeTorchLearner() itself.
 *
 * @param config what to build
 * @param weights weights to start from; null for random ones
 * @return the learner
 * @throws std::invalid_argument as MakeTorchLearner() does
 */
std::unique_ptr<Learner> MakeRankLearner(TorchLearnerConfig config, FlatVector weights);

} // namespace ns3::collab

#endif /* COLLAB_RANK_LEARNER_H */
