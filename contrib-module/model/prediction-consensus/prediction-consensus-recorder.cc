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

PredictionConsensusRecorder::PredictionConsensusRecorder(const RunFolder& folder,
                                                         const ApplicationContainer& applications)
    : m_trust(folder.GetFile("trust.csv"), {"round", "device", "peer", "weight", "age_rounds"})
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
    m_trust.Flush();
}

} // namespace collab
} // namespace ns3
