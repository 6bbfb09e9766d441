/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOY_SAMPLES_H
#define TOY_SAMPLES_H

#include "common/scenario-samples.h"
#include "prediction-consensus-toy-scenario.h"

#include <memory>

/// The samples of an example, and where its models are drawn
struct ToySamples : ScenarioSamples
{
    std::shared_ptr<const ns3::collab::DataView> grid; //!< regular points; no labels are meant
    /// regression: the polynomial without noise where agents 0 to 2 have samples; null in
    /// boundaries
    std::shared_ptr<const ns3::collab::DataView> unionRegion;
};

/// @return the samples of its agents
ToySamples MakeRegressionSamples(const ConsensusToyParameters& p);

/// @return the samples of its agents
ToySamples MakeGaussianSamples(const ConsensusToyParameters& p);

#endif /* TOY_SAMPLES_H */
