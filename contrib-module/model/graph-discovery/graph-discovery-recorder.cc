/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-recorder.h"

#include "ns3/collab-table-registry.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace collab
{

static const TableRegistration g_tables("graph-discovery", GraphDiscoveryRecorder::DescribeTables);

namespace
{

/// Windows that devices may be apart: then a row is written, and what comes later is left out
constexpr std::size_t OPEN_WINDOWS = 2;

/**
 * @param data a data set
 * @param sample index of a sample
 * @return its features and targets, as bytes
 */
std::string
CopyFeatures(const DataSet& data, uint32_t sample)
{
    std::string bytes;
    const auto append = [&bytes, sample](const auto& values, std::size_t size) {
        if (!values.empty())
        {
            const auto* begin = reinterpret_cast<const char*>(values.data() + sample * size);
            bytes.append(begin, size * sizeof(values[0]));
        }
    };
    append(data.features, data.SampleSize());
    append(data.numbers, data.SampleSize());
    append(data.tokens, data.SampleSize());
    append(data.targets, data.outputs);
    return bytes;
}

} // namespace

GraphDiscoveryRecorder::GraphDiscoveryRecorder(TableStore& store,
                                               const ApplicationContainer& applications,
                                               TrustMatrices trust,
                                               std::vector<uint32_t> groups,
                                               uint32_t interval)
    : m_store(store),
      m_discovery(store.Add(DescribeTables()[0])),
      m_graph(store.Add(DescribeTables()[1])),
      m_holdings(store.Add(DescribeTables()[2])),
      m_trust(std::move(trust)),
      m_groups(std::move(groups)),
      m_interval(interval)
{
    using Recorder = GraphDiscoveryRecorder;
    m_groupCount = m_groups.empty() ? 0 : *std::max_element(m_groups.begin(), m_groups.end()) + 1;
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        const auto device = DynamicCast<GraphDiscoveryApplication>(applications.Get(i));
        const uint32_t id = device->GetNode()->GetId();
        m_index[id] = i;
        auto& counts = m_counts[id];
        counts.assign(m_groupCount, 0);
        const DataView samples = device->GetSamples();
        m_data = samples.data;
        for (const uint32_t sample : samples.indices)
        {
            ++counts[m_groups[sample]];
        }
        WriteHoldings(0, id);
        const auto connect = [&device](const char* source, auto callback) {
            device->TraceConnectWithoutContext(source, callback);
        };
        connect("Discovery", MakeCallback(&Recorder::HandleDiscovery, this));
        connect("Edge", MakeCallback(&Recorder::HandleEdge, this));
        connect("Send", MakeCallback(&Recorder::HandleSend, this));
        connect("TakeOver", MakeCallback(&Recorder::HandleTakeOver, this));
        connect("PutBack", MakeCallback(&Recorder::HandlePutBack, this));
    }
}

std::vector<TableDescription>
GraphDiscoveryRecorder::DescribeTables()
{
    const ColumnDescription round = {"round", ColumnType::INTEGER, "", "pass, from 0"};
    return {
        {"discovery",
         "a mean over some iterations of learning and all devices",
         {round,
          {"iteration", ColumnType::INTEGER, "", "first of the iterations, from 0"},
          {"devices_iterations", ColumnType::INTEGER, "", "iterations of devices in the mean"},
          {"grant_rate", ColumnType::REAL, "1", "part of them in which a grant came"},
          {"diversity", ColumnType::REAL, "", "g, or the sum of traces' ratios"},
          {"success",
           ColumnType::REAL,
           "1",
           "1 - P_D of the links: part of datapoints that arrive if sent once"},
          {"local_reward", ColumnType::REAL, "", "rL"},
          {"global_reward", ColumnType::REAL, "", "rG"},
          {"reward", ColumnType::REAL, "", "R"}}},
        {"graph",
         "a device's edge of a pass",
         {round,
          {"device", ColumnType::INTEGER, "", "receiver"},
          {"peer", ColumnType::INTEGER, "", "transmitter; -1 without one"},
          {"success",
           ColumnType::REAL,
           "1",
           "1 - P_D of the link: part of datapoints that arrive if sent once; 1 without a link"},
          {"probability", ColumnType::REAL, "1", "that the policy gave it"},
          {"trusted", ColumnType::INTEGER, "", "partitions with which the peer trusts the device"},
          {"granted", ColumnType::INTEGER, "", "datapoints"},
          {"received", ColumnType::INTEGER, "", "datapoints that came"},
          {"given", ColumnType::INTEGER, "", "datapoints that the device sent to others"},
          {"taken_back", ColumnType::INTEGER, "", "of these, that it took back"},
          {"diversity", ColumnType::REAL, "", "expected: g, or the sum of traces' ratios"},
          {"local_reward", ColumnType::REAL, "", "rL"},
          {"samples", ColumnType::INTEGER, "", "datapoints that the device has then"}}},
        {"holdings",
         "datapoints of a true label, or group of targets, that a device has",
         {{"passes", ColumnType::INTEGER, "", "passes that are over"},
          {"device", ColumnType::INTEGER, "", "the device"},
          {"label", ColumnType::INTEGER, "", "the label or group"},
          {"samples", ColumnType::INTEGER, "", "number of datapoints"}}},
        {"labeling",
         "how well a device has labeled its samples that had no label",
         {{"device", ColumnType::INTEGER, "", "the device"},
          {"accuracy",
           ColumnType::REAL,
           "1",
           "part of them with the true label; NaN if all had labels"}}},
        {"embeddings",
         "a number of the embedding of a test sample by the final model",
         {{"sample", ColumnType::INTEGER, "", "of the test set, from 0"},
          {"label", ColumnType::INTEGER, "", "its true label"},
          {"component", ColumnType::INTEGER, "", "of the embedding, from 0"},
          {"value", ColumnType::REAL, "", "the number"}}}};
}

void
GraphDiscoveryRecorder::HandleDiscovery(const DiscoveryRecord& record)
{
    const std::pair<uint32_t, uint32_t> key = {record.round,
                                               record.iteration - record.iteration % m_interval};
    if (key < m_written)
    {
        return;
    }
    Window& window = m_windows[key];
    ++window.count;
    window.granted += record.granted ? 1 : 0;
    window.score += record.score;
    window.outage += record.outage;
    window.localReward += record.localReward;
    window.globalReward += record.globalReward;
    window.reward += record.reward;
    if (m_windows.size() > OPEN_WINDOWS)
    {
        WriteWindow();
    }
}

void
GraphDiscoveryRecorder::WriteWindow()
{
    const auto& [key, window] = *m_windows.begin();
    const auto count = static_cast<double>(window.count);
    m_discovery << key.first << key.second << window.count
                << static_cast<double>(window.granted) / count << window.score / count
                << 1 - window.outage / count << window.localReward / count
                << window.globalReward / count << window.reward / count;
    m_discovery.EndRow();
    m_written = {key.first, key.second + 1};
    m_windows.erase(m_windows.begin());
}

void
GraphDiscoveryRecorder::HandleEdge(const EdgeRecord& record)
{
    uint32_t trusted = 0;
    if (record.peer)
    {
        const Matrix<uint8_t>& trust = m_trust[m_index.at(*record.peer)];
        const uint8_t* row = trust.Row(m_index.at(record.device));
        trusted = std::accumulate(row, row + trust.columns, 0U);
    }
    m_graph << record.round << record.device
            << (record.peer ? static_cast<int64_t>(*record.peer) : int64_t{-1}) << 1 - record.outage
            << record.probability << trusted << record.granted << record.taken << record.sent
            << record.putBack << record.score << record.localReward << record.samples;
    m_graph.EndRow();
    WriteHoldings(record.round + 1, record.device);
}

uint32_t
GraphDiscoveryRecorder::FindGroup(const DataView& samples, std::size_t i)
{
    if (samples.data == m_data)
    {
        return m_groups[samples.indices[i]];
    }
    // It came as bytes, and no message tells which sample it is: find it by its features
    if (m_groupOf.empty())
    {
        for (uint32_t sample = 0; sample < m_data->Size(); ++sample)
        {
            m_groupOf.emplace(CopyFeatures(*m_data, sample), m_groups[sample]);
        }
    }
    return m_groupOf.at(CopyFeatures(*samples.data, samples.indices[i]));
}

void
GraphDiscoveryRecorder::HandleSend(const DatapointTransfer& transfer)
{
    auto& sent = m_sent[{transfer.sender, transfer.receiver}];
    sent.clear();
    for (std::size_t i = 0; i < transfer.samples.Size(); ++i)
    {
        sent.push_back(FindGroup(transfer.samples, i));
        --m_counts[transfer.sender][sent.back()];
    }
}

void
GraphDiscoveryRecorder::HandleTakeOver(const DatapointTransfer& transfer)
{
    const auto& sent = m_sent[{transfer.sender, transfer.receiver}];
    for (const uint32_t unit : transfer.units)
    {
        if (unit < sent.size()) // of forged ones no device has told
        {
            ++m_counts[transfer.receiver][sent[unit]];
        }
    }
}

void
GraphDiscoveryRecorder::HandlePutBack(const DatapointTransfer& transfer)
{
    const auto& sent = m_sent[{transfer.sender, transfer.receiver}];
    for (const uint32_t unit : transfer.units)
    {
        ++m_counts[transfer.sender][sent[unit]];
    }
}

void
GraphDiscoveryRecorder::WriteHoldings(uint32_t round, uint32_t device)
{
    const auto& counts = m_counts[device];
    for (uint32_t group = 0; group < m_groupCount; ++group)
    {
        m_holdings << round << device << group << counts[group];
        m_holdings.EndRow();
    }
}

void
GraphDiscoveryRecorder::WriteLabeling(uint32_t device, double accuracy)
{
    if (!m_labeling)
    {
        m_labeling = &m_store.Add(DescribeTables()[3]);
    }
    *m_labeling << device << accuracy;
    m_labeling->EndRow();
}

void
GraphDiscoveryRecorder::WriteEmbeddings(const std::vector<int64_t>& labels,
                                        const Matrix<float>& embeddings)
{
    Table& table = m_store.Add(DescribeTables()[4]);
    for (std::size_t sample = 0; sample < embeddings.rows; ++sample)
    {
        for (std::size_t component = 0; component < embeddings.columns; ++component)
        {
            table << sample << labels[sample] << component << embeddings(sample, component);
            table.EndRow();
        }
    }
}

void
GraphDiscoveryRecorder::Finish()
{
    while (!m_windows.empty())
    {
        WriteWindow();
    }
}

} // namespace collab
} // namespace ns3
