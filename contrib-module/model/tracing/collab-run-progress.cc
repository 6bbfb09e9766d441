/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-run-progress.h"

#include "ns3/simulator.h"

#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::size_t BAR_WIDTH = 20; //!< characters

} // namespace

RunProgress::RunProgress(std::ostream& output,
                         std::string title,
                         std::string metric,
                         const ApplicationContainer& applications)
    : m_output(output),
      m_title(std::move(title)),
      m_metric(std::move(metric)),
      m_start(std::chrono::steady_clock::now())
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        Ptr<CollaborationApplication> application = DynamicCast<CollaborationApplication>(*it);
        m_rounds = application->GetRounds();
        m_total += m_rounds;
        application->TraceConnectWithoutContext("Round",
                                                MakeCallback(&RunProgress::HandleRound, this));
    }
}

RunProgress::~RunProgress()
{
    m_output << "\n";
}

bool
RunProgress::IsTerminal()
{
    return isatty(STDERR_FILENO) == 1;
}

void
RunProgress::HandleRound(const RoundRecord& record)
{
    ++m_done;
    for (const auto& metric : record.metrics)
    {
        if (metric.first == m_metric)
        {
            Count(record.device, metric.second);
        }
    }
    const double mean = m_latest.empty() ? 0 : m_sum / static_cast<double>(m_latest.size());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
    const double left =
        elapsed.count() * static_cast<double>(m_total - m_done) / static_cast<double>(m_done);
    const std::size_t filled = m_done * BAR_WIDTH / m_total;
    m_output << fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] round {}/{}, {:.1f} s simulated, "
                            "{} {:.3f}, {:.0f} s left",
                            m_title,
                            "",
                            filled,
                            "",
                            BAR_WIDTH - filled,
                            record.round + 1,
                            m_rounds,
                            Simulator::Now().GetSeconds(),
                            m_metric,
                            mean,
                            left)
             << std::flush;
}

void
RunProgress::Count(uint32_t device, double value)
{
    double& latest = m_latest[device];
    m_sum += value - latest;
    latest = value;
    if (!std::isfinite(m_sum)) // taking what is not finite away again does not mend a sum
    {
        m_sum = 0;
        for (const auto& [other, metric] : m_latest)
        {
            m_sum += metric;
        }
    }
}

} // namespace ns3::collab
