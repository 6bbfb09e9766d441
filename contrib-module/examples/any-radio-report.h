/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ANY_RADIO_REPORT_H
#define ANY_RADIO_REPORT_H

#include "ns3/collab-module.h"
#include "ns3/energy-source-container.h"
#include "ns3/flow-monitor.h"
#include "ns3/node.h"

#include <iostream>
#include <memory>

/**
 * @param agents applications on devices
 * @param round number of a round
 * @return the mean of their accuracies at the end of that round, once the simulation has run
 */
inline std::shared_ptr<const double>
MeasureAccuracy(const ns3::ApplicationContainer& agents, uint32_t round)
{
    using namespace ns3;
    using namespace ns3::collab;
    auto mean = std::make_shared<double>(0);
    const uint32_t count = agents.GetN();
    const Callback<void, const RoundRecord&> record([mean, round, count](const RoundRecord& ended) {
        for (const auto& [name, value] : ended.metrics)
        {
            *mean += ended.round == round && name == "accuracy_global" ? value / count : 0;
        }
    });
    for (uint32_t i = 0; i < count; ++i)
    {
        agents.Get(i)->TraceConnectWithoutContext("Round", record);
    }
    return mean;
}

/**
 * @param nodes nodes with transports
 * @return bytes of messages that they have sent
 */
inline uint64_t
CountBytesSent(const ns3::NodeContainer& nodes)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        bytes += nodes.Get(i)->GetObject<ns3::collab::Transport>()->GetBytesSent();
    }
    return bytes;
}

/// @param monitor what has watched all packets
inline void
PrintFlows(ns3::Ptr<ns3::FlowMonitor> monitor)
{
    monitor->CheckForLostPackets(ns3::Seconds(1));
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t lost = 0;
    ns3::Time delay;
    for (const auto& [id, flow] : monitor->GetFlowStats())
    {
        sent += flow.txPackets;
        received += flow.rxPackets;
        lost += flow.lostPackets;
        delay += flow.delaySum;
    }
    std::cout << "IP flows " << monitor->GetFlowStats().size() << ", packets sent " << sent
              << ", lost " << lost << ", mean delay [ms] "
              << (received > 0 ? delay.GetSeconds() * 1e3 / received : 0) << "\n";
}

/// @param nodes nodes, of which some may have batteries
inline void
PrintEnergy(const ns3::NodeContainer& nodes)
{
    using namespace ns3;
    using namespace ns3::collab;
    double joules = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        if (auto sources = nodes.Get(i)->GetObject<EnergySourceContainer>())
        {
            sources->Get(0)->UpdateEnergySource();
            joules += sources->Get(0)->GetInitialEnergy() - sources->Get(0)->GetRemainingEnergy();
        }
    }
    std::cout << "drawn from batteries [J] " << joules << std::endl;
}

#endif /* ANY_RADIO_REPORT_H */
