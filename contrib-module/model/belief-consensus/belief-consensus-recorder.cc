/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-recorder.h"

#include "ns3/collab-table-registry.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace collab
{

static const TableRegistration g_tables("belief-consensus",
                                        BeliefConsensusRecorder::DescribeTables);

BeliefConsensusRecorder::BeliefConsensusRecorder(TableStore& store,
                                                 const ApplicationContainer& applications,
                                                 uint32_t weightsInterval)
    : m_network(store.Add(DescribeTables()[0])),
      m_weights(store.Add(DescribeTables()[1])),
      m_beliefs(store.Add(DescribeTables()[2])),
      m_theory(store.Add(DescribeTables()[3])),
      m_weightsInterval(weightsInterval)
{
    using Recorder = BeliefConsensusRecorder;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        const auto user = DynamicCast<BeliefUserApplication>(*it);
        user->TraceConnectWithoutContext("Belief", MakeCallback(&Recorder::HandleBelief, this));
        if (m_weightsInterval > 0)
        {
            user->TraceConnectWithoutContext("Weights",
                                             MakeCallback(&Recorder::HandleWeights, this));
        }
        if (user->IsHonest())
        {
            m_left.insert(user->GetNode()->GetId());
            user->TraceConnectWithoutContext("Round", MakeCallback(&Recorder::HandleRound, this));
            user->TraceConnectWithoutContext("End", MakeCallback(&Recorder::HandleEnd, this));
        }
        if (m_metrics.empty())
        {
            for (const auto& metric : user->GetMetrics())
            {
                m_metrics.push_back(metric.name);
            }
        }
    }
}

std::vector<TableDescription>
BeliefConsensusRecorder::DescribeTables()
{
    const ColumnDescription round = {"round", ColumnType::INTEGER, "", "the instant, from 0"};
    const ColumnDescription device = {"device", ColumnType::INTEGER, "", "the user"};
    return {{"network",
             "a metric of an instant over all users that tell the truth and have a value",
             {round,
              {"time_s", ColumnType::REAL, "s", "when the last of them has ended the instant"},
              {"metric", ColumnType::TEXT, "", "a column of the table rounds"},
              {"users", ColumnType::INTEGER, "", "number of users"},
              {"mean", ColumnType::REAL, "", "over them, in the metric's unit"},
              {"least", ColumnType::REAL, "", "of them, in the metric's unit"},
              {"greatest", ColumnType::REAL, "", "of them, in the metric's unit"}}},
            {"weights",
             "weight that a user has given to a belief in a pool",
             {round,
              device,
              {"peer", ColumnType::INTEGER, "", "whose belief"},
              {"weight", ColumnType::REAL, "1", "effective W_ij, after losses and clipping"},
              {"source",
               ColumnType::TEXT,
               "",
               "self: the user's own; fresh: of this instant; stale: of another one; missing: "
               "did not come"},
              {"time_s", ColumnType::REAL, "s", "when it was pooled"}}},
            {"beliefs",
             "a parameter of a user's private belief",
             {round,
              device,
              {"parameter",
               ColumnType::TEXT,
               "",
               "belief_M: probability of hypothesis M; mean_D, covariance_D_E: of a Gaussian"},
              {"value", ColumnType::REAL, "", "the parameter"},
              {"time_s", ColumnType::REAL, "s", "when it was believed"}}},
            {"theory",
             "a number that is known before the run",
             {{"quantity", ColumnType::TEXT, "", "its name"},
              {"user", ColumnType::INTEGER, "", "user that it is of; -1: of all"},
              {"other", ColumnType::INTEGER, "", "hypothesis that it is about; -1: none"},
              {"value", ColumnType::REAL, "", "the number; NaN if there is none"},
              {"unit", ColumnType::TEXT, "", "unit of the number"},
              {"meaning", ColumnType::TEXT, "", "what it says"}}}};
}

void
BeliefConsensusRecorder::WriteTheory(const std::vector<BeliefTheoryRow>& rows)
{
    for (const auto& row : rows)
    {
        m_theory << row.quantity << row.user << row.other << row.value << row.unit << row.meaning;
        m_theory.EndRow();
    }
}

void
BeliefConsensusRecorder::HandleRound(const RoundRecord& record)
{
    Instant& instant = m_unended[record.round];
    instant.ended.insert(record.device);
    instant.end = std::max(instant.end, record.end);
    instant.metrics.resize(m_metrics.size());
    for (std::size_t i = 0; i < m_metrics.size(); ++i)
    {
        const double value = record.metrics[i].second;
        if (std::isnan(value))
        {
            continue;
        }
        Spread& spread = instant.metrics[i];
        spread.least = spread.users == 0 ? value : std::min(spread.least, value);
        spread.greatest = spread.users == 0 ? value : std::max(spread.greatest, value);
        spread.sum += value;
        ++spread.users;
    }
    WriteInstants();
}

void
BeliefConsensusRecorder::HandleEnd(uint32_t device, bool finished)
{
    if (!finished)
    {
        m_left.erase(device);
        WriteInstants();
    }
}

void
BeliefConsensusRecorder::WriteInstants()
{
    while (!m_unended.empty())
    {
        const auto& [round, instant] = *m_unended.begin();
        if (!std::includes(
                instant.ended.begin(), instant.ended.end(), m_left.begin(), m_left.end()))
        {
            return;
        }
        for (std::size_t i = 0; i < m_metrics.size(); ++i)
        {
            const Spread& spread = instant.metrics[i];
            if (spread.users > 0)
            {
                m_network << round << instant.end << m_metrics[i] << spread.users
                          << spread.sum / spread.users << spread.least << spread.greatest;
                m_network.EndRow();
            }
        }
        m_unended.erase(m_unended.begin());
    }
}

void
BeliefConsensusRecorder::HandleWeights(const BeliefWeightsRecord& record)
{
    if ((record.round + 1) % m_weightsInterval != 0) // where beliefs and metrics are, too
    {
        return;
    }
    for (const auto& entry : record.entries)
    {
        m_weights << record.round << record.device << entry.peer << entry.weight << entry.source
                  << record.time;
        m_weights.EndRow();
    }
}

void
BeliefConsensusRecorder::HandleBelief(const BeliefRecord& record)
{
    for (const auto& [name, value] : record.parameters)
    {
        m_beliefs << record.round << record.device << name << value << record.time;
        m_beliefs.EndRow();
    }
}

} // namespace collab
} // namespace ns3
