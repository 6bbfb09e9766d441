/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_RECORDER_H
#define PREDICTION_CONSENSUS_RECORDER_H

#include "prediction-consensus-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Writes the table trust: one row a device, peer and collaborative round.
 */
class PredictionConsensusRecorder
{
  public:
    /**
     * @param store where to write; must live as long as this recorder
     * @param applications the devices' PredictionConsensusApplications
     */
    PredictionConsensusRecorder(TableStore& store, const ApplicationContainer& applications);

    PredictionConsensusRecorder(const PredictionConsensusRecorder&) = delete;
    PredictionConsensusRecorder& operator=(const PredictionConsensusRecorder&) = delete;

    /// @return the table trust
    static TableDescription DescribeTable();

  private:
    /// @param record a row of the trust matrix
    void HandleTrust(const TrustRecord& record);

    Table& m_trust; //!< the table trust
};

} // namespace collab
} // namespace ns3

#endif /* PREDICTION_CONSENSUS_RECORDER_H */
