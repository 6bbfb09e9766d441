/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_H
#define SCENARIO_H

// What a scenario is written with

#include "inputs/scenario-checks.h"
#include "scenario-learners.h"
#include "scenario-network.h"
#include "scenario-run.h"

#include "ns3/collab-given-attributes.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/collab-transport.h"
#include "ns3/core-module.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#endif /* SCENARIO_H */
