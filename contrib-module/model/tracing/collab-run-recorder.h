/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RUN_RECORDER_H
#define COLLAB_RUN_RECORDER_H

#include "collab-csv-file.h"
#include "collab-run-folder.h"

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/collab-depletion-watch.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Writes what every algorithm has in common: rounds, phases, energy and messages, as CSV.
 *
 * - rounds.csv: one row a device and round: the algorithm's metrics, and the device's energy and
 * bytes sent up to then;
 * - latency.csv: one row a device, round and phase;
 * - energy.csv: one row a device and round: joules by kind up to then, and what the source says;
 * - messages.csv: one row a message and device that it was meant for.
 *
 * Rows are written out whenever a round ends, so that a run that is killed leaves readable files.
 */
class RunRecorder
{
  public:
    /**
     * @param folder where to write
     * @param applications the devices' applications; each node with its Transport already
     */
    RunRecorder(const RunFolder& folder, const ApplicationContainer& applications);

    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    /// @brief Write out what is left, e.g. messages after the last round.
    void Flush();

  private:
    /// What is known of a device
    struct Device
    {
        Ptr<Transport> transport;   //!< its transport
        Ptr<DepletionWatch> energy; //!< its energy; null if it has no source
    };

    /// @param record a round that ended
    void HandleRound(const RoundRecord& record);
    /// @param record a phase that ended
    void HandlePhase(const PhaseRecord& record);
    /// @param outcome what became of a message
    void HandleOutcome(const MessageOutcome& outcome);
    /**
     * @param device a device that ended
     * @param finished whether it has done all rounds
     */
    void HandleEnd(uint32_t device, bool finished);
    /**
     * @param device number of a device
     * @param round its present round
     */
    void WriteEnergy(uint32_t device, uint32_t round);

    std::string m_roundsPath;             //!< of rounds.csv
    std::unique_ptr<CsvFile> m_rounds;    //!< made at the first round, when the metrics are known
    CsvFile m_latency;                    //!< latency.csv
    CsvFile m_energy;                     //!< energy.csv
    CsvFile m_messages;                   //!< messages.csv
    std::map<uint32_t, Device> m_devices; //!< by number
    std::map<uint32_t, uint32_t> m_round; //!< present round of each device
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_RUN_RECORDER_H */
