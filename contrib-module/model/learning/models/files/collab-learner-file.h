/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNER_FILE_H
#define COLLAB_LEARNER_FILE_H

#include "ns3/collab-learner.h"

#include <string>

namespace ns3::collab
{

/**
 * @brief Save all that a learner's next job depends on, besides what it was built of: weights,
 * moments, counters and generators.
 *
 * A file of safetensors, whose metadata have the version of what is in it ("collab_learner": "1").
 *
 * @param path path of the file, which appears under its name when it is complete
 * @param learner learner between two jobs
 * @throws DataFileError if the file cannot be written
 * @throws std::logic_error if it is not a learner whose state can be taken
 */
void SaveLearner(const std::string& path, const Learner& learner);

/// @brief Let a learner go on from where a saved one was, bit by bit.
/// @param path path of a file that SaveLearner() has written
/// @param learner learner built of the same as the saved one
/// @throws DataFileError if the file cannot be read, or is not that of a learner built alike
void LoadLearner(const std::string& path, Learner& learner);

} // namespace ns3::collab

#endif /* COLLAB_LEARNER_FILE_H */
