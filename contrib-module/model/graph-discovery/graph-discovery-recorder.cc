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

namespace ns3::collab
{

/// @ingroup collab
/// @brief Sums over some iterations of learning and all devices.
struct DiscoveryRow
{
    uint32_t round = 0;      //!< pass
    uint32_t iteration = 0;  //!< first of the iterations
    uint64_t count = 0;      //!< iterations of devices
    uint64_t granted = 0;    //!< of these, with a grant
    double score = 0;        //!< sum
    double outage = 0;       //!< sum
    double localReward = 0;  //!< sum
    double globalReward = 0; //!< sum
    double reward = 0;       //!< sum

    /// @param sum a sum
    /// @return what reads the mean
    template <typename Sum>
    static auto
    Mean(Sum DiscoveryRow::*sum)
    {
        return [sum](const DiscoveryRow& row) {
            return static_cast<double>(row.*sum) / static_cast<double>(row.count);
        };
    }

    /// @return the table discovery
    static TableColumns<DiscoveryRow>
    GetTable()
    {
        using Row = DiscoveryRow;
        const auto success = [](const Row& row) { return 1 - Mean(&Row::outage)(row); };
        return {"discovery",
                "a mean over some iterations of learning and all devices",
                {{"round", "", "pass, from 0", &Row::round},
                 {"iteration", "", "first of the iterations, from 0", &Row::iteration},
                 {"devices_iterations", "", "iterations of devices in the mean", &Row::count},
                 {"grant_rate", "1", "part of them in which a grant came", Mean(&Row::granted)},
                 {"diversity", "", "g, or the sum of traces' ratios", Mean(&Row::score)},
                 {"success",
                  "1",
                  "1 - P_D of the links: part of datapoints that arrive if sent once",
                  success},
                 {"local_reward", "", "rL", Mean(&Row::localReward)},
                 {"global_reward", "", "rG", Mean(&Row::globalReward)},
                 {"reward", "", "R", Mean(&Row::reward)}}};
    }
};

/// @ingroup collab
/// @brief A device's edge of a pass, and the partitions with which it is trusted.
struct EdgeRow : EdgeRecord
{
    uint32_t trusted = 0; //!< partitions

    /// @return the table graph
    static TableColumns<EdgeRow>
    GetTable()
    {
        using Row = EdgeRow;
        const auto peer = [](const Row& row) {
            return row.peer ? static_cast<int64_t>(*row.peer) : int64_t{-1};
        };
        const auto success = [](const Row& row) { return 1 - row.outage; };
        return {
            "graph",
            "a device's edge of a pass",
            {{"round", "", "pass, from 0", &Row::round},
             {"device", "", "receiver", &Row::device},
             {"peer", "", "transmitter; -1 without one", peer},
             {"success",
              "1",
              "1 - P_D of the link: part of datapoints that arrive if sent once; 1 without a link",
              success},
             {"probability", "1", "that the policy gave it", &Row::probability},
             {"trusted", "", "partitions with which the peer trusts the device", &Row::trusted},
             {"granted", "", "datapoints", &Row::granted},
             {"received", "", "datapoints that came", &Row::taken},
             {"given", "", "datapoints that the device sent to others", &Row::sent},
             {"taken_back", "", "of these, that it took back", &Row::putBack},
             {"diversity", "", "expected: g, or the sum of traces' ratios", &Row::score},
             {"local_reward", "", "rL", &Row::localReward},
             {"samples", "", "datapoints that the device has then", &Row::samples}}};
    }
};

/// @ingroup collab
/// @brief Datapoints of a label or group that a device has.
struct HoldingsRow
{
    uint32_t passes;  //!< that are over
    uint32_t device;  //!< the device
    uint32_t group;   //!< true label, or group of targets
    uint64_t samples; //!< number of datapoints

    /// @return the table holdings
    static TableColumns<HoldingsRow>
    GetTable()
    {
        using Row = HoldingsRow;
        return {"holdings",
                "datapoints of a true label, or group of targets, that a device has",
                {{"passes", "", "passes that are over", &Row::passes},
                 {"device", "", "the device", &Row::device},
                 {"label", "", "the label or group", &Row::group},
                 {"samples", "", "number of datapoints", &Row::samples}}};
    }
};

/// @ingroup collab
/// @brief How well a device has labeled its samples.
struct LabelingRow
{
    uint32_t device; //!< the device
    double accuracy; //!< part of the labels that it has found rightly

    /// @return the table labeling
    static TableColumns<LabelingRow>
    GetTable()
    {
        return {"labeling",
                "how well a device has labeled its samples that had no label",
                {{"device", "", "the device", &LabelingRow::device},
                 {"accuracy",
                  "1",
                  "part of them with the true label; NaN if all had labels",
                  &LabelingRow::accuracy}}};
    }
};

/// @ingroup collab
/// @brief A number of the embedding of a test sample.
struct EmbeddingRow
{
    std::size_t sample;    //!< of the test set
    int64_t label;         //!< true one
    std::size_t component; //!< of the embedding
    float value;           //!< the number

    /// @return the table embeddings
    static TableColumns<EmbeddingRow>
    GetTable()
    {
        using Row = EmbeddingRow;
        return {"embeddings",
                "a number of the embedding of a test sample by the final model",
                {{"sample", "", "of the test set, from 0", &Row::sample},
                 {"label", "", "its true label", &Row::label},
                 {"component", "", "of the embedding, from 0", &Row::component},
                 {"value", "", "the number", &Row::value}}};
    }
};

static const TableRegistration g_tables("graph-discovery",
                                        {DescribeTable<DiscoveryRow>,
                                         DescribeTable<EdgeRow>,
                                         DescribeTable<HoldingsRow>,
                                         DescribeTable<LabelingRow>,
                                         DescribeTable<EmbeddingRow>});

namespace
{

/// Windows that devices may be apart: then a row is written, and what comes later is left out
constexpr std::size_t OPEN_WINDOWS = 2;

/// @param data a data set
/// @param sample index of a sample
/// @return its features and targets, as bytes
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
      m_discovery(store.Add<DiscoveryRow>()),
      m_graph(store.Add<EdgeRow>()),
      m_holdings(store.Add<HoldingsRow>()),
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

GraphDiscoveryRecorder::~GraphDiscoveryRecorder() = default;

void
GraphDiscoveryRecorder::HandleDiscovery(const DiscoveryRecord& record)
{
    const std::pair<uint32_t, uint32_t> key = {record.round,
                                               record.iteration - record.iteration % m_interval};
    if (key < m_written)
    {
        return;
    }
    DiscoveryRow& window = m_windows[key];
    window.round = key.first;
    window.iteration = key.second;
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
    m_discovery.Write(window);
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
    m_graph.Write({record, trusted});
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
        m_holdings.Write({round, device, group, counts[group]});
    }
}

void
GraphDiscoveryRecorder::WriteLabeling(uint32_t device, double accuracy)
{
    if (!m_labeling)
    {
        m_labeling = m_store.Add<LabelingRow>();
    }
    m_labeling->Write({device, accuracy});
}

void
GraphDiscoveryRecorder::WriteEmbeddings(const std::vector<int64_t>& labels,
                                        const Matrix<float>& embeddings)
{
    const auto table = m_store.Add<EmbeddingRow>();
    for (std::size_t sample = 0; sample < embeddings.rows; ++sample)
    {
        for (std::size_t component = 0; component < embeddings.columns; ++component)
        {
            table.Write({sample, labels[sample], component, embeddings(sample, component)});
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

} // namespace ns3::collab
