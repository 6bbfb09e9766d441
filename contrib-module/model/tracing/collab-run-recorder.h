/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RUN_RECORDER_H
#define COLLAB_RUN_RECORDER_H

#include "collab-position-recorder.h"
#include "collab-run-summary.h"

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-table-store.h"

#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-tracing
/// @return attributes that were given to nobody (FindIdleAttributes()), and what makes the
/// simulation of the D2D channels slower than their settings promise (D2dChannel::FindHints()), a
/// line each
std::vector<std::string> FindRunHints();

struct AccountRow;
struct RoundRow;

/// @ingroup collab
/// @param metrics of the algorithm
/// @return the tables of RunRecorder: rounds, latency, energy, messages and positions
std::vector<TableDescription> DescribeRunTables(const std::vector<Metric>& metrics);

/**
 * @ingroup collab-tracing
 * @brief Writes what every algorithm has in common: rounds, phases, energy and messages.
 *
 * - rounds: one row a device and round: the algorithm's metrics, and the device's energy and bytes
 * sent up to then;
 * - latency: one row a device, round and phase;
 * - energy: one row a device and round: joules by kind up to then, and what the source says;
 * - messages: one row a message and device that it was meant for; Finish() adds those of messages
 *   that are not over when the run is.
 *
 * Rows are made safe (TableStore::Flush()) whenever as many rounds have ended as there are devices
 * left, which is once a round where devices keep step, so that a run that is killed leaves them.
 */
class RunRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param applications the devices' applications; each node with its Transport already
    RunRecorder(TableStore& store, const ApplicationContainer& applications);

    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    /// @brief Write the messages of one more sender in the table messages, such as a server's.
    /// @param transport transport of a node that has none of the applications
    void AddSender(Ptr<Transport> transport);

    /// @brief Write the phases of more applications of the devices in the table latency.
    /// @param applications applications that run before or beside the others
    void AddPhases(const ApplicationContainer& applications);

    /// @brief Say how long devices wait in a round for messages, if that is not their
    /// RoundDeadline.
    /// @param wait the time
    /// @param name what the user calls it, for a warning that it is too short; such as --deadline
    void SetDeadline(Time wait, const std::string& name);
    /// @param awaits see RunSummary::SetAwaited()
    void SetAwaited(std::function<bool(uint32_t sender, uint32_t receiver)> awaits);

    /// @brief Write where nodes are, too, in the table positions.
    /// @param interval time between looks at them
    void RecordPositions(Time interval);

    /// @brief Make the rows safe that there are.
    void Flush();

    /**
     * @brief The run is over: write what became of messages under way, and make all rows safe.
     *
     * Call it when the simulator has stopped, and simulate nothing afterwards.
     *
     * @param output where to print what the messages came to, and hints on the radio; null for
     * nowhere
     */
    void Finish(std::ostream* output = nullptr);

  private:
    /// What is known of a device
    struct Device
    {
        /// Of its algorithm; see m_columns
        const std::vector<std::size_t>* columns = nullptr;
        Ptr<Transport> transport;   //!< its transport
        Ptr<DepletionWatch> energy; //!< its energy; null if it has no source
    };

    /// @param record a round that ended
    void HandleRound(const RoundRecord& record);
    /// @param record a phase that ended
    void HandlePhase(const PhaseRecord& record);
    /// @param outcome what became of a message
    void HandleOutcome(const MessageOutcome& outcome);
    /// @param device a device that ended
    /// @param finished whether it has done all rounds
    void HandleEnd(uint32_t device, bool finished);
    /// @param device device that is on again
    void HandleResume(uint32_t device);
    /// @param device number of a device
    /// @param round its present round
    void WriteEnergy(uint32_t device, uint32_t round);

    TableStore& m_store;                   //!< where to write
    ApplicationContainer m_applications;   //!< of the devices
    RunSummary m_summary;                  //!< of its messages
    std::vector<Ptr<Transport>> m_senders; //!< whose messages are written
    std::vector<Metric> m_metrics;         //!< of the algorithm, or of all of them
    /// Place of each metric of an algorithm among m_metrics, by the type of its applications
    std::map<TypeId, std::vector<std::size_t>> m_columns;
    std::optional<PositionRecorder> m_positions; //!< of the nodes; none unless asked for
    TableOf<RoundRow> m_rounds;                  //!< the table rounds
    TableOf<PhaseRecord> m_latency;              //!< the table latency
    TableOf<AccountRow> m_energy;                //!< the table energy
    TableOf<MessageOutcome> m_messages;          //!< the table messages
    std::map<uint32_t, Device> m_devices;        //!< by number
    std::map<uint32_t, uint32_t> m_round;        //!< present round of each device
    std::size_t m_left = 0;                      //!< devices that have not ended
    std::size_t m_unsafe = 0;                    //!< rounds of devices ended since the last Flush()
};

} // namespace ns3::collab

#endif /* COLLAB_RUN_RECORDER_H */
