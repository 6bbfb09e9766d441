/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_RECORDER_H
#define PREDICTION_CONSENSUS_RECORDER_H

#include "prediction-consensus-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-csv-file.h"
#include "ns3/collab-run-folder.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Writes trust.csv: one row a device, peer and collaborative round.
 */
class PredictionConsensusRecorder
{
  public:
    /**
     * @param folder where to write
     * @param applications the devices' PredictionConsensusApplications
     */
    PredictionConsensusRecorder(const RunFolder& folder, const ApplicationContainer& applications);

    PredictionConsensusRecorder(const PredictionConsensusRecorder&) = delete;
    PredictionConsensusRecorder& operator=(const PredictionConsensusRecorder&) = delete;

  private:
    /// @param record a row of the trust matrix
    void HandleTrust(const TrustRecord& record);

    CsvFile m_trust; //!< trust.csv
};

} // namespace collab
} // namespace ns3

#endif /* PREDICTION_CONSENSUS_RECORDER_H */
