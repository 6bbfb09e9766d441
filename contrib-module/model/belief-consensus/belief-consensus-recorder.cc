/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-recorder.h"

#include "ns3/collab-table-registry.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A metric of an instant over users.
struct NetworkRow
{
    uint32_t round;     //!< the instant
    Time time;          //!< when the last user has ended it
    std::string metric; //!< its name
    uint32_t users;     //!< that have a value
    double mean;        //!< over them
    double least;       //!< of them
    double greatest;    //!< of them

    /// @return the table network
    static TableColumns<NetworkRow>
    GetTable()
    {
        using Row = NetworkRow;
        return {"network",
                "a metric of an instant over all users that tell the truth and have a value",
                {{"round", "", "the instant, from 0", &Row::round},
                 {"time_s", "s", "when the last of them has ended the instant", &Row::time},
                 {"metric", "", "a column of the table rounds", &Row::metric},
                 {"users", "", "number of users", &Row::users},
                 {"mean", "", "over them, in the metric's unit", &Row::mean},
                 {"least", "", "of them, in the metric's unit", &Row::least},
                 {"greatest", "", "of them, in the metric's unit", &Row::greatest}}};
    }
};

/// @ingroup collab
/// @brief A weight that a user has given to a belief.
struct BeliefWeightRow
{
    uint32_t round;                   //!< the instant
    uint32_t device;                  //!< the user
    BeliefWeightsRecord::Entry entry; //!< of its pool
    Time time;                        //!< when it has pooled

    /// @return the table weights
    static TableColumns<BeliefWeightRow>
    GetTable()
    {
        using Row = BeliefWeightRow;
        using Entry = BeliefWeightsRecord::Entry;
        return {"weights",
                "weight that a user has given to a belief in a pool",
                {{"round", "", "the instant, from 0", &Row::round},
                 {"device", "", "the user", &Row::device},
                 {"peer", "", "whose belief", Within(&Row::entry, &Entry::peer)},
                 {"weight",
                  "1",
                  "effective W_ij, after losses and clipping; the mean over numbers of a belief "
                  "that came in part",
                  Within(&Row::entry, &Entry::weight)},
                 {"source",
                  "",
                  "self: the user's own; fresh: of this instant; partial: the same, some numbers "
                  "of which did not come; stale: of another one; missing: did not come",
                  Within(&Row::entry, &Entry::source)},
                 {"time_s", "s", "when it was pooled", &Row::time}}};
    }
};

/// @ingroup collab
/// @brief A parameter of a user's private belief.
struct BeliefRow
{
    uint32_t round;        //!< the instant
    uint32_t device;       //!< the user
    std::string parameter; //!< its name
    double value;          //!< the parameter
    Time time;             //!< of the belief

    /// @return the table beliefs
    static TableColumns<BeliefRow>
    GetTable()
    {
        using Row = BeliefRow;
        return {"beliefs",
                "a parameter of a user's private belief",
                {{"round", "", "the instant, from 0", &Row::round},
                 {"device", "", "the user", &Row::device},
                 {"parameter",
                  "",
                  "belief_M: probability of hypothesis M; mean_D, covariance_D_E: of a Gaussian",
                  &Row::parameter},
                 {"value", "", "the parameter", &Row::value},
                 {"time_s", "s", "when it was believed", &Row::time}}};
    }
};

static const TableRegistration g_tables("belief-consensus",
                                        {DescribeTable<NetworkRow>,
                                         DescribeTable<BeliefWeightRow>,
                                         DescribeTable<BeliefRow>,
                                         DescribeTable<BeliefTheoryRow>});

BeliefConsensusRecorder::BeliefConsensusRecorder(TableStore& store,
                                                 const ApplicationContainer& applications,
                                                 uint32_t weightsInterval)
    : m_network(store.Add<NetworkRow>()),
      m_weights(store.Add<BeliefWeightRow>()),
      m_beliefs(store.Add<BeliefRow>()),
      m_theory(store.Add<BeliefTheoryRow>()),
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

void
BeliefConsensusRecorder::WriteTheory(const std::vector<BeliefTheoryRow>& rows)
{
    for (const auto& row : rows)
    {
        m_theory.Write(row);
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
                m_network.Write({round,
                                 instant.end,
                                 m_metrics[i],
                                 spread.users,
                                 spread.sum / spread.users,
                                 spread.least,
                                 spread.greatest});
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
        m_weights.Write({record.round, record.device, entry, record.time});
    }
}

void
BeliefConsensusRecorder::HandleBelief(const BeliefRecord& record)
{
    for (const auto& [name, value] : record.parameters)
    {
        m_beliefs.Write({record.round, record.device, name, value, record.time});
    }
}

} // namespace ns3::collab
