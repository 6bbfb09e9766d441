/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PHASE_ENERGY_RECORDER_H
#define COLLAB_PHASE_ENERGY_RECORDER_H

#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-table-store.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

struct PhaseEnergyRow;

/**
 * @ingroup collab-tracing
 * @brief Writes what devices spend in each part of a run, such as "discovery" and "training".
 *
 * Table phase_energy: one row a device and part. The parts follow each other without a gap, from
 * the making of the recorder to Finish(), so the rows of a device add up to what its source has
 * lost in that time, whether it lives on or dies. A part that takes no time has no rows.
 */
class PhaseEnergyRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param nodes devices with energy sources; one without a source has no rows
    /// @param part name of the part that begins now
    PhaseEnergyRecorder(TableStore& store,
                        const NodeContainer& nodes,
                        const std::string& part = "setup");

    PhaseEnergyRecorder(const PhaseEnergyRecorder&) = delete;
    PhaseEnergyRecorder& operator=(const PhaseEnergyRecorder&) = delete;

    /// @param part name of the part that begins now, for all devices; the present one ends
    void Begin(const std::string& part);

    /**
     * @brief End the last part; there may not be another one.
     *
     * It may be called when the simulator has stopped.
     */
    void Finish();

  private:
    /// What is known of a device
    struct Device
    {
        uint32_t id = 0;            //!< number of its node
        Ptr<DepletionWatch> energy; //!< its energy
        EnergyByKind spentJ{};      //!< up to the begin of the present part [J]
        double sourceJ = 0;         //!< given by its source up to then [J]
    };

    /// @brief Write the rows of the present part.
    void WriteRows();

    TableOf<PhaseEnergyRow> m_table; //!< the table phase_energy
    std::vector<Device> m_devices;   //!< in the order of the nodes
    std::string m_part;              //!< name of the present part
    Time m_begin;                    //!< when it began
    bool m_finished = false;         //!< whether the last part has ended
};

} // namespace ns3::collab

#endif /* COLLAB_PHASE_ENERGY_RECORDER_H */
