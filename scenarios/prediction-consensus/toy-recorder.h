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
#include "ns3/prediction-consensus-application.h"

#include <set>

struct SampleRow;
struct ShapeRow;

/**
 * @brief Writes what an example's figures show.
 *
 * - samples: one row a sample of an agent;
 * - curves (regression): one row an agent, point of the grid, and round that is shown;
 * - boundaries: the same, with the class.
 */
class ToyRecorder
{
  public:
    /// Name of the probe on the grid
    static constexpr const char* GRID = "grid";

    /// @param store where to write; must live as long as this recorder
    /// @param rounds that are shown
    ToyRecorder(ns3::collab::TableStore& store,
                const ns3::ApplicationContainer& applications,
                const ToySamples& samples,
                std::set<uint32_t> rounds);

    ToyRecorder(const ToyRecorder&) = delete;
    ToyRecorder& operator=(const ToyRecorder&) = delete;

  private:
    void WriteSamples(const ToySamples& samples);
    void HandlePrediction(const ns3::collab::PredictionRecord& record);

    std::shared_ptr<const ns3::collab::DataView> m_grid; //!< points of the grid
    std::set<uint32_t> m_rounds;                         //!< that are shown
    ns3::collab::TableOf<SampleRow> m_samples;           //!< the table samples
    ns3::collab::TableOf<ShapeRow> m_shapes; //!< the table curves, or the table boundaries
};

#endif /* TOY_RECORDER_H */
