/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-partition-outage-model.h"

#include "ns3/abort.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dPartitionOutageModel);

TypeId
D2dPartitionOutageModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dPartitionOutageModel")
                            .SetParent<D2dOutageModel>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dPartitionOutageModel>()
                            .AddAttribute("OutageModel",
                                          "Outage of the links that are not cut.",
                                          StringValue("ns3::collab::D2dRayleighOutageModel"),
                                          MakePointerAccessor(&D2dPartitionOutageModel::m_model),
                                          MakePointerChecker<D2dOutageModel>());
    return tid;
}

void
D2dPartitionOutageModel::AddPartition(Time begin, Time end, std::set<uint32_t> side)
{
    NS_ABORT_MSG_UNLESS(begin < end,
                        "D2dPartitionOutageModel: a partition must end after it begins");
    m_partitions.push_back({begin, end, std::move(side)});
}

double
D2dPartitionOutageModel::GetInterferenceScale(const D2dSignal& signal) const
{
    return m_model->GetInterferenceScale(signal);
}

bool
D2dPartitionOutageModel::IsCut(const D2dSignal& signal) const
{
    const Time now = Simulator::Now();
    return std::any_of(m_partitions.begin(), m_partitions.end(), [&](const Partition& partition) {
        return partition.begin <= now && now < partition.end &&
               partition.side.count(signal.transmitter) != partition.side.count(signal.receiver);
    });
}

double
D2dPartitionOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    return IsCut(signal) ? 1 : m_model->GetOutageProbability(signal);
}

std::optional<D2dQuality>
D2dPartitionOutageModel::DoGetQuality(const D2dSignal& signal) const
{
    return IsCut(signal) ? D2dQuality() : m_model->GetQuality(signal);
}

} // namespace ns3::collab
