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

namespace ns3
{
namespace collab
{

static const TableRegistration g_tables("tracing", PhaseEnergyRecorder::DescribeTables);

PhaseEnergyRecorder::PhaseEnergyRecorder(TableStore& store,
                                         const NodeContainer& nodes,
                                         const std::string& part)
    : m_table(store.Add(DescribeTables()[0])),
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

std::vector<TableDescription>
PhaseEnergyRecorder::DescribeTables()
{
    TableDescription table = {"phase_energy",
                              "what a device has spent in one part of the run",
                              {{"device", ColumnType::INTEGER, "", "the device"},
                               {"part", ColumnType::TEXT, "", "what the run did then"},
                               {"start_s", ColumnType::REAL, "s", "when the part began"},
                               {"end_s", ColumnType::REAL, "s", "when it ended"}}};
    for (std::size_t i = 0; i < ENERGY_KIND_COUNT; ++i)
    {
        const auto kind = static_cast<EnergyKind>(i);
        table.columns.push_back({ToString(kind) + "_j",
                                 ColumnType::REAL,
                                 "J",
                                 "spent in it while: " + GetMeaning(kind)});
    }
    table.columns.push_back(
        {"source_j", ColumnType::REAL, "J", "what the energy source has given in it"});
    return {table};
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
        m_table << device.id << m_part << m_begin << now;
        for (std::size_t i = 0; i < ENERGY_KIND_COUNT; ++i)
        {
            m_table << spentJ[i] - device.spentJ[i];
        }
        m_table << sourceJ - device.sourceJ;
        m_table.EndRow();
        device.spentJ = spentJ;
        device.sourceJ = sourceJ;
    }
}

} // namespace collab
} // namespace ns3
