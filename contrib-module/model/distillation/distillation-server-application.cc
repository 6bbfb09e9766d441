/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-server-application.h"

#include "ns3/abort.h"
#include "ns3/collab-processor.h"
#include "ns3/node.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(DistillationServerApplication);

TypeId
DistillationServerApplication::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::DistillationServerApplication")
                            .SetParent<DistillationApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<DistillationServerApplication>();
    return tid;
}

DistillationServerApplication::DistillationServerApplication() = default;

void
DistillationServerApplication::SetClients(std::vector<uint32_t> clients)
{
    m_clients = std::move(clients);
}

Columns<DistillationServerApplication::Metrics>
DistillationServerApplication::Metrics::GetColumns()
{
    return {{"heard", "", "devices whose predictions were there in time", &Metrics::heard},
            {"pooled", "", "samples of X* whose labels were made anew", &Metrics::pooled}};
}

std::vector<Metric>
DistillationServerApplication::GetMetrics() const
{
    return DescribeMetrics<Metrics>();
}

void
DistillationServerApplication::DoStart()
{
    NS_ABORT_MSG_UNLESS(CountSamples() > 0 && CountClasses() > 0 && !m_clients.empty(),
                        "DistillationServerApplication on node "
                            << GetDeviceId() << ": needs clients and the shape of X*");
    m_cache.emplace(CountSamples(), CountClasses(), GetCacheDuration());
    Listen(ExpectMessage<DevicePredictions>());
    On<PooledLabels>(
        [](const Received<PooledLabels>&) {
            throw PayloadError("labels that are not the server's");
        },
        ExpectMessage<PooledLabels>());
}

Process
DistillationServerApplication::Round()
{
    m_metrics = {};
    if (GetRound() >= GetPretrainingRounds())
    {
        EnterPhase("collect");
        auto heard = co_await Hear<DevicePredictions>(m_clients, GetPatience());
        for (auto it = heard.begin(); it != heard.end();)
        {
            const bool isClient = std::binary_search(m_clients.begin(), m_clients.end(), it->first);
            it = isClient ? std::next(it) : heard.erase(it);
        }
        const LabeledRows labels = co_await Pool(heard);
        Broadcast(MakeMessage<PooledLabels>(labels));
    }
    Report(m_metrics);
}

ProcessOf<LabeledRows>
DistillationServerApplication::Pool(const Inbox<DevicePredictions>::Bodies& heard)
{
    std::vector<LabeledRows> said;
    std::set<uint32_t> asked; // samples that some device has no valid label of
    for (const auto& entry : heard)
    {
        said.push_back(entry.second->Get());
        asked.insert(said.back().samples.begin(), said.back().samples.end());
    }
    const std::vector<uint32_t> wanted(asked.begin(), asked.end());
    // Who has missed a label that others have gets the same one
    const LabeledRows known = m_cache->GetValid(GetRound(), wanted);
    std::size_t rows = 0;
    for (LabeledRows& device : said)
    {
        device = LeaveOut(device, known.samples);
        rows += device.samples.size();
    }
    const std::size_t fresh = wanted.size() - known.samples.size();
    const std::function<LabeledRows()> pool =
        [options = GetOptions(), said = std::move(said), classes = CountClasses()]() {
            return PoolLabels(options, said, classes);
        };
    const LabeledRows labels = co_await Compute(
        "pool", CountPoolingFlops(GetOptions(), rows, fresh, CountClasses()), pool);
    m_cache->Store(GetRound(), labels);
    m_metrics.heard = heard.size();
    m_metrics.pooled = labels.samples.size();
    co_return m_cache->GetValid(GetRound(), wanted);
}

Time
DistillationServerApplication::GetComputingDuration() const
{
    return GetNode()->GetObject<Processor>()->GetDuration(CountPoolingFlops(
        GetOptions(), m_clients.size() * CountSamples(), CountSamples(), CountClasses()));
}

} // namespace ns3::collab
