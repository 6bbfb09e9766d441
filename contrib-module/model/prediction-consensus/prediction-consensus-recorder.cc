/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-recorder.h"

namespace ns3
{
namespace collab
{

PredictionConsensusRecorder::PredictionConsensusRecorder(TableStore& store,
                                                         const ApplicationContainer& applications)
    : m_trust(store.Add(DescribeTable()))
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->TraceConnectWithoutContext(
            "Trust", MakeCallback(&PredictionConsensusRecorder::HandleTrust, this));
    }
}

void
PredictionConsensusRecorder::HandleTrust(const TrustRecord& record)
{
    for (const auto& entry : record.row)
    {
        m_trust << record.round << record.device << entry.peer << entry.weight << entry.ageRounds;
        m_trust.EndRow();
    }
}

TableDescription
PredictionConsensusRecorder::DescribeTable()
{
    return {"trust",
            "a peer to whom a device gave a weight in a collaborative round",
            {{"round", ColumnType::INTEGER, "", "number of the round, from 0"},
             {"device", ColumnType::INTEGER, "", "device that trusts"},
             {"peer", ColumnType::INTEGER, "", "device that is trusted; the device itself too"},
             {"weight", ColumnType::REAL, "1", "weight of its predictions; a device's add up to 1"},
             {"age_rounds",
              ColumnType::INTEGER,
              "rounds",
              "how old the predictions were; 0 if of this round, negative if of a later one"}}};
}

} // namespace collab
} // namespace ns3
