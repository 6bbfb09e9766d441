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

namespace ns3
{
namespace collab
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
    /// Kind of the message that asks for a segment
    static constexpr uint16_t PULL = 0x0521;
    /// Kind of the message with a segment
    static constexpr uint16_t SEGMENT = 0x0522;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SegmentedGossipApplication();

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;

  private:
    /// A segment of a peer
    using Source = std::pair<uint32_t, uint32_t>; // peer, segment

    /// A request that waits until the device has trained
    struct Request
    {
        uint32_t sender = 0;  //!< who asks
        uint32_t segment = 0; //!< for what
        uint32_t round = 0;   //!< of the asking one
        Time time;            //!< when it was heard
    };

    /// @brief Keep the trained model, give what was asked for, and begin the phase "pull".
    void EndTrain();
    /// @param request to give a segment for
    void Give(const Request& request);
    /// @brief Merge if nothing is awaited any more.
    void CheckPull();
    /// @brief Merge what has come, and end the round.
    void EndPull();
    /// @param message that asks
    /// @param numbers the segment
    void HandlePull(const Message& message, const std::vector<uint32_t>& numbers);
    /// @param message with a segment
    /// @param segment of the sender's model
    void HandleSegment(const Message& message,
                       const std::shared_ptr<const GossipWeightsPayload>& segment);

    uint32_t m_segments; //!< attribute Segments
    uint32_t m_replicas; //!< attribute Replicas
    Time m_pullTimeout;  //!< attribute PullTimeout

    FlatVector m_trained;                   //!< model after the last training
    std::optional<uint32_t> m_trainedRound; //!< round of that training
    std::vector<Request> m_requests;        //!< to be answered after the training
    bool m_pulling = false;                 //!< phase "pull"
    std::set<Source> m_awaited;             //!< segments that are to come
    std::map<Source, std::shared_ptr<const GossipWeightsPayload>> m_received; //!< that have come
    EventId m_event; //!< end of the patience with peers
};

} // namespace collab
} // namespace ns3

#endif /* GOSSIP_SEGMENTED_APPLICATION_H */
