/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-phase-energy-recorder.h"

#include "ns3/abort.h"
#include "ns3/collab-table-registry.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a device has spent in one part of a run.
struct PhaseEnergyRow
{
    uint32_t device;     //!< the device
    std::string part;    //!< of the run
    Time start;          //!< when the part began
    Time end;            //!< when it ended
    EnergyByKind joules; //!< spent in it [J]
    double sourceJ;      //!< given in it by the source [J]

    /// @return the table phase_energy
    static TableColumns<PhaseEnergyRow>
    GetTable()
    {
        using Row = PhaseEnergyRow;
        return {
            "phase_energy",
            "what a device has spent in one part of the run",
            Columns<Row>{{"device", "", "the device", &Row::device},
                         {"part", "", "what the run did then", &Row::part},
                         {"start_s", "s", "when the part began", &Row::start},
                         {"end_s", "s", "when it ended", &Row::end}} +
                MakeEnergyColumns("spent in it while: ", &Row::joules) +
                Columns<Row>{
                    {"source_j", "J", "what the energy source has given in it", &Row::sourceJ}}};
    }
};

static const TableRegistration g_tables("tracing", {DescribeTable<PhaseEnergyRow>});

PhaseEnergyRecorder::PhaseEnergyRecorder(TableStore& store,
                                         const NodeContainer& nodes,
                                         const std::string& part)
    : m_table(store.Add<PhaseEnergyRow>()),
      m_part(part),
      m_begin(Simulator::Now())
{
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        Ptr<EnergySourceContainer> sources = nodes.Get(i)->GetObject<EnergySourceContainer>();
        if (sources && sources->GetN() > 0)
        {
            Device device;
            device.id = nodes.Get(i)->GetId();
            device.energy = DepletionWatch::Of(sources->Get(0));
            device.spentJ = device.energy->GetEnergyByKindJ();
            device.sourceJ = device.energy->GetSourceLossJ();
            m_devices.push_back(std::move(device));
        }
    }
}

void
PhaseEnergyRecorder::Begin(const std::string& part)
{
    NS_ABORT_MSG_IF(m_finished, "PhaseEnergyRecorder::Begin: the last part has ended");
    WriteRows();
    m_part = part;
    m_begin = Simulator::Now();
}

void
PhaseEnergyRecorder::Finish()
{
    NS_ABORT_MSG_IF(m_finished, "PhaseEnergyRecorder::Finish: the last part has ended");
    WriteRows();
    m_finished = true;
}

void
PhaseEnergyRecorder::WriteRows()
{
    const Time now = Simulator::Now();
    if (now == m_begin)
    {
        return;
    }
    for (auto& device : m_devices)
    {
        const EnergyByKind spentJ = device.energy->GetEnergyByKindJ();
        const double sourceJ = device.energy->GetSourceLossJ();
        EnergyByKind joules = spentJ;
        for (std::size_t i = 0; i < joules.size(); ++i)
        {
            joules[i] -= device.spentJ[i];
        }
        m_table.Write({device.id, m_part, m_begin, now, joules, sourceJ - device.sourceJ});
        device.spentJ = spentJ;
        device.sourceJ = sourceJ;
    }
}

} // namespace ns3::collab
