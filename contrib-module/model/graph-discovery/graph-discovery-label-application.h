/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LABEL_APPLICATION_H
#define GRAPH_DISCOVERY_LABEL_APPLICATION_H

#include "graph-discovery-application.h"

#include "ns3/graph-discovery-label-score.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How a device partitions its samples by something else than their labels.
struct LabelPartitioner
{
    /// Finds the partition of each sample, at the begin of each pass and on any thread; null for
    /// labels. Arguments: the samples with the labels that the device believes in, and F if there
    /// is one. It may change the labels.
    std::function<std::vector<uint32_t>(DataView& samples, const Matrix<float>& subspace)> find;
    /// Floating-point operations of that for these samples, before their labels are changed
    std::function<uint64_t(const DataView& samples)> flops;
    /// Most operations of that on any device with a number of samples; the same on all devices,
    /// whose slots begin together
    std::function<uint64_t(uint64_t samples)> plannedFlops;
};

/**
 * @ingroup collab
 * @brief Graph discovery where datapoints have labels or groups: Algorithm 1 of Wagle et al.
 *
 * A slot: the receiver tells the transmitter that it wants datapoints (an empty message), is
 * offered labels, V of (9), requests numbers of datapoints, Q of (10), unless it needs none, and is
 * granted some of them, U of (11). The transmitter decides on grants when all requests are there or
 * late.
 *
 * Whatever a receiver requests, it is granted nothing of a partition with which the transmitter
 * does not trust it.
 */
class LabelDiscoveryApplication : public GraphDiscoveryApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    LabelDiscoveryApplication();

    /// @param partitioner of samples, if not by their labels
    void SetPartitioner(LabelPartitioner partitioner);
    /// @return b_i; empty before the application has started
    const PartitionCounts& GetThresholds() const;

  protected:
    void DoStart() override;
    SetupNeeds GetNeeds() const override;
    Time GetOwnSetupDuration(uint32_t pass) const override;
    Process SetUp() override;
    Time GetAskDuration() const override;
    uint64_t CountGrantBytes() const override;
    void ClearSlot() override;
    void Ask(uint32_t peer) override;
    Gifts Grant() override;
    uint64_t CountGainFlops(uint64_t samples) const override;
    JobWait<Gain> FindGain(const Link& link) override;
    double GetGlobalReward(double localReward, uint64_t points) const override;
    uint64_t GetMostFrom() const override;

  private:
    /// A receiver that has asked in this slot
    struct Receiver
    {
        std::vector<uint8_t> offer; //!< V
        PartitionCounts request;    //!< Q; empty until it has come
    };

    /// What comes of partitioning
    struct Partitioned
    {
        DataView view;                                 //!< samples with believed labels
        std::vector<uint32_t> partitions;              //!< of each sample
        std::shared_ptr<const Matrix<float>> subspace; //!< F; empty without
    };

    /// @return partitions the samples, on any thread
    std::function<Partitioned()> PreparePartitions() const;
    /// @param sender index of a receiver that wants datapoints
    /// @param slot of its message
    void HandleLink(uint32_t sender, uint32_t slot);
    /// @param sender index
    /// @param offer labels that it offers
    void HandleOffer(uint32_t sender, const Received<LabelOffer>& offer);
    /// @param sender index
    /// @param request numbers of datapoints that it requests
    void HandleRequest(uint32_t sender, const Received<LabelRequest>& request);
    /// @param sender index
    /// @param grant numbers of datapoints that it grants
    void HandleGrant(uint32_t sender, const Received<LabelGrant>& grant);

    uint32_t m_leastLabels;       //!< attribute LeastLabels
    double m_thresholdSlack;      //!< attribute ThresholdSlack
    DiversityDistance m_distance; //!< attribute Distance
    double m_thresholdShare;      //!< attribute ThresholdShare
    uint32_t m_components;        //!< attribute Components
    Time m_linkDeadline;          //!< attribute LinkDeadline
    Time m_offerDeadline;         //!< attribute OfferDeadline
    Time m_requestDeadline;       //!< attribute RequestDeadline

    LabelPartitioner m_partitioner;                  //!< of samples
    Time m_linkEnd;                                  //!< from the begin of a slot
    Time m_offerEnd;                                 //!< from the begin of a slot
    PartitionCounts m_thresholds;                    //!< b_i
    std::shared_ptr<const Matrix<float>> m_subspace; //!< F; null before the first pass
    std::map<uint32_t, Receiver> m_receivers;        //!< of this slot, by index
    PartitionCounts m_request;                       //!< Q of this slot; empty: none was sent
    PartitionCounts m_granted;                       //!< U of this slot; empty: none has come
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LABEL_APPLICATION_H */
