/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RUN_PROGRESS_H
#define COLLAB_RUN_PROGRESS_H

#include "ns3/application-container.h"
#include "ns3/collab-application.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief Shows on a terminal how far a run is: a bar, round, simulated time, a metric, and when it
 * will be done.
 *
 * One line that is written over. The estimate is from the host's clock, which nothing else looks
 * at.
 */
class RunProgress
{
  public:
    /// @param output a terminal
    /// @param title what runs
    /// @param metric name of the metric to show, its mean over devices
    /// @param applications the devices' applications
    RunProgress(std::ostream& output,
                std::string title,
                std::string metric,
                const ApplicationContainer& applications);
    /// Ends the line.
    ~RunProgress();

    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// @return whether standard error is a terminal
    static bool IsTerminal();

  private:
    /// @param record a round that ended
    void HandleRound(const RoundRecord& record);
    /// @brief Take a device's present value of the metric into the sum.
    /// @param device the device
    /// @param value its value
    void Count(uint32_t device, double value);

    std::ostream& m_output;                        //!< the terminal
    std::string m_title;                           //!< what runs
    std::string m_metric;                          //!< name of the metric
    uint64_t m_total = 0;                          //!< rounds of all devices together
    uint64_t m_done = 0;                           //!< of them done
    uint32_t m_rounds = 0;                         //!< rounds of a device
    std::map<uint32_t, double> m_latest;           //!< the metric, by device
    double m_sum = 0;                              //!< of m_latest
    std::chrono::steady_clock::time_point m_start; //!< when the run began
};

} // namespace ns3::collab

#endif /* COLLAB_RUN_PROGRESS_H */
