/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRIDGE_LEARNING_H
#define BRIDGE_LEARNING_H

#include "common/scenario-samples.h"

#include "ns3/collab-data-set.h"

#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>

/// Some samples, as Python has them: arrays are made when they are first asked for
struct BridgeView
{
    std::shared_ptr<const ns3::collab::DataView> data; //!< the samples
};

/// @param samples of all devices; null without data
/// @param device number of a device; the caller has the interpreter's lock
/// @return its samples for Python, None without data
pybind11::object GiveSamples(const ScenarioSamples* samples, uint32_t device);

/// @param module gets samples, learners and their tasks
void AddLearning(pybind11::module_& module);
/// @param module gets the mathematics of learning together, as functions on arrays
void AddMathematics(pybind11::module_& module);

#endif /* BRIDGE_LEARNING_H */
