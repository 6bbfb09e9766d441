/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOY_RECORDER_H
#define TOY_RECORDER_H

#include "toy-samples.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

#include <cstdint>
#include <set>

/// Name of the probe on the grid
constexpr const char* GRID_PROBE = "grid";

/**
 * @brief Write what an example's figures show, now and while the simulation runs.
 *
 * - samples: one row a sample of an agent;
 * - curves (regression): one row an agent, point of the grid, and round that is shown;
 * - boundaries: the same, with the class.
 *
 * @param store where to write; must live as long as the applications
 * @param applications the agents' applications, with the probe GRID_PROBE
 * @param rounds that are shown
 */
void RecordToy(ns3::collab::TableStore& store,
               const ns3::ApplicationContainer& applications,
               const ToySamples& samples,
               const std::set<uint32_t>& rounds);

#endif /* TOY_RECORDER_H */
