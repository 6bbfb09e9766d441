/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_RECORDER_H
#define GRAPH_DISCOVERY_RECORDER_H

#include "graph-discovery-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"
#include "ns3/graph-discovery-trust.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

struct DiscoveryRow;
struct EdgeRow;
struct HoldingsRow;
struct LabelingRow;

/**
 * @ingroup collab
 * @brief Writes how devices learned whom to ask, the graphs that came of it, and what they have.
 *
 * It knows true labels and all trust, as no device does.
 */
class GraphDiscoveryRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param applications GraphDiscoveryApplications, with their samples
    /// @param trust T_j of each, in their order
    /// @param groups of all samples: true labels, or groups of targets
    /// @param interval iterations that a row of the table discovery is a mean of; at least 1
    GraphDiscoveryRecorder(TableStore& store,
                           const ApplicationContainer& applications,
                           TrustMatrices trust,
                           std::vector<uint32_t> groups,
                           uint32_t interval);

    ~GraphDiscoveryRecorder();

    GraphDiscoveryRecorder(const GraphDiscoveryRecorder&) = delete;
    GraphDiscoveryRecorder& operator=(const GraphDiscoveryRecorder&) = delete;

    /// @param device number of a device
    /// @param accuracy part of the labels that it has found rightly
    void WriteLabeling(uint32_t device, double accuracy);
    /// @param labels of some samples
    /// @param embeddings of the same by the final model, a row a sample
    void WriteEmbeddings(const std::vector<int64_t>& labels, const Matrix<float>& embeddings);
    /// @brief The applications have ended: write what is left.
    void Finish();

  private:
    /// @param record an iteration
    void HandleDiscovery(const DiscoveryRecord& record);
    /// @param record an edge
    void HandleEdge(const EdgeRecord& record);
    /// @param transfer datapoints that are sent
    void HandleSend(const DatapointTransfer& transfer);
    /// @param transfer datapoints that have come
    void HandleTakeOver(const DatapointTransfer& transfer);
    /// @param transfer datapoints that are back
    void HandlePutBack(const DatapointTransfer& transfer);
    /// @param samples of one of the devices
    /// @param i place of a sample among them
    /// @return its true label or group
    uint32_t FindGroup(const DataView& samples, std::size_t i);
    /// @param round passes that are over
    /// @param device whose datapoints to write
    void WriteHoldings(uint32_t round, uint32_t device);
    /// @brief Write the oldest row of the table discovery.
    void WriteWindow();

    TableStore& m_store;                            //!< where to write
    TableOf<DiscoveryRow> m_discovery;              //!< the table discovery
    TableOf<EdgeRow> m_graph;                       //!< the table graph
    TableOf<HoldingsRow> m_holdings;                //!< the table holdings
    std::optional<TableOf<LabelingRow>> m_labeling; //!< the table labeling, once there is need
    std::map<uint32_t, std::size_t> m_index;        //!< of devices
    TrustMatrices m_trust;                          //!< of all devices
    std::vector<uint32_t> m_groups;                 //!< of all samples
    uint32_t m_groupCount = 0;                      //!< number of groups
    std::shared_ptr<const DataSet> m_data;          //!< of all samples
    std::map<std::string, uint32_t> m_groupOf;      //!< by features, once some come as bytes
    uint32_t m_interval;                            //!< of a row of the table discovery
    std::map<std::pair<uint32_t, uint32_t>, DiscoveryRow>
        m_windows;                           //!< by pass and first iteration
    std::pair<uint32_t, uint32_t> m_written; //!< pass and iteration before which rows are written
    std::map<uint32_t, std::vector<uint64_t>> m_counts; //!< samples by device and group
    /// groups of what is sent, by sender and receiver
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> m_sent;
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_RECORDER_H */
