/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-watch.h"

#include "ns3/node.h"

#include <cmath>
#include <limits>

using namespace ns3;
using namespace ns3::collab;

BeliefWatch::BeliefWatch(const ApplicationContainer& users, uint32_t instants)
    : moments(users.GetN()),
      m_instants(instants)
{
    for (uint32_t user = 0; user < users.GetN(); ++user)
    {
        const auto application = DynamicCast<BeliefUserApplication>(users.Get(user));
        m_users[application->GetDeviceId()] = user;
        application->TraceConnectWithoutContext("Weights",
                                                MakeCallback(&BeliefWatch::HandleWeights, this));
        if (application->IsHonest())
        {
            application->TraceConnectWithoutContext("Round",
                                                    MakeCallback(&BeliefWatch::HandleRound, this));
        }
    }
}

double
BeliefWatch::GetRate() const
{
    double sum = 0;
    for (const auto& [device, line] : m_lines)
    {
        sum += (line.count * line.products - line.x * line.y) /
               (line.count * line.squares - line.x * line.x);
    }
    return sum / static_cast<double>(m_lines.size());
}

void
BeliefWatch::HandleWeights(const BeliefWeightsRecord& record)
{
    WeightMoments::Row row;
    for (const auto& entry : record.entries)
    {
        if (entry.weight > 0)
        {
            row.emplace_back(m_users.at(entry.peer), entry.weight);
        }
    }
    moments.Add(record.round, m_users.at(record.device), row);
}

void
BeliefWatch::HandleRound(const RoundRecord& record)
{
    for (const auto& [name, value] : record.metrics)
    {
        if (name == "log_ratio" && std::isfinite(value) && record.round >= m_instants / 2)
        {
            Line& line = m_lines[record.device];
            const double x = record.round;
            line.count += 1;
            line.x += x;
            line.y += value;
            line.squares += x * x;
            line.products += x * value;
        }
    }
}
