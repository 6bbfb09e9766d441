/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_SEGMENTED_APPLICATION_H
#define GOSSIP_SEGMENTED_APPLICATION_H

#include "gossip-application.h"
#include "gossip-merge.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Segmented gossip (Hu et al., arXiv:1908.07782), as one device runs it.
 *
 * In a round every device trains, phase "train"; asks, for each of the Segments of the model,
 * Replicas peers drawn at random for it, phase "pull"; and takes for each segment the mean of its
 * own and those that came, weighted by data size, phase "merge". Asked for a segment in a round, a
 * device gives that of the model that it has trained in this round, once it has, or in a later one.
 *
 * After PullTimeout a device merges what it has: a round ends within its training, merging and
 * that.
 */
class SegmentedGossipApplication : public GossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// A request that waits until the device has trained
    struct Request
    {
        uint32_t sender = 0;  //!< who asks
        uint32_t segment = 0; //!< for what
        uint32_t round = 0;   //!< of the asking one
        Time time;            //!< when it was heard
    };

    /// @brief Keep the trained model, and give what was asked for.
    void KeepTrained();
    /// @param request to give a segment for
    void Give(const Request& request);
    /// @brief Draw the peers that are asked for segments.
    void DrawAwaited();
    /// @brief Merge what has come.
    Process MergeReceived();
    /// @param index of a segment
    /// @return numbers of the model that it has
    GossipSegment GetNumbersOf(uint32_t index) const;
    /// @param message that asks
    void HandlePull(const Received<gossip::Pull>& message);
    /// @param message with a segment
    void HandleSegment(const Received<gossip::Segment>& message);

    uint32_t m_segments; //!< attribute Segments
    uint32_t m_replicas; //!< attribute Replicas
    Time m_pullTimeout;  //!< attribute PullTimeout

    FlatVector m_trained;                   //!< model after the last training
    std::optional<uint32_t> m_trainedRound; //!< round of that training
    std::vector<Request> m_requests;        //!< to be answered after the training
    std::map<Source, std::shared_ptr<const gossip::Segment>> m_received; //!< that have come
};

} // namespace ns3::collab

#endif /* GOSSIP_SEGMENTED_APPLICATION_H */
