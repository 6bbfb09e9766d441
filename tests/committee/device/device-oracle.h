/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_DEVICE_ORACLE_H
#define COMMITTEE_DEVICE_ORACLE_H

#include "ns3/committee-node.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// @return size of the longest message SCORES that is allowed [B]
uint64_t CountMostTableBytes(const ns3::collab::CommitteeBounds& bounds,
                             uint64_t authenticatorBytes);
/// @return size of the longest message that is allowed, a REQUEST [B]
uint64_t CountMostBytes(const ns3::collab::CommitteeBounds& bounds, uint64_t authenticatorBytes);

/// What came of a schedule of devices
struct DeviceResult
{
    uint32_t forks = 0;      //!< rounds for which two honest devices have different blocks
    uint32_t invalid = 0;    //!< blocks that do not follow from what clients and members sent
    uint32_t unfinished = 0; //!< honest devices that do not reach the end
    uint32_t blocks = 0;     //!< rounds with a block
    uint32_t abandoned = 0;  //!< of these, without a result
    uint32_t expelled = 0;   //!< devices, at last
    uint32_t foretold = 0;   //!< successors of abandoned rounds that outsiders know beforehand
    uint32_t leaked = 0;     //!< gradients that honest devices give to such that are no members
    uint32_t hidden = 0;     //!< on a perfect network: rounds whose end some devices learn late
    uint64_t delay = 0;      //!< on a perfect network: longest time that that takes [ns]
    uint32_t oversized = 0;  //!< honest devices that kept more bytes of others than they may
    uint64_t kept = 0;       //!< most bytes of others that an honest device has kept
    /// First round whose committee has more than f Byzantine members: what comes of it is not
    /// judged
    std::optional<uint32_t> lost;
    uint64_t ended = 0;                       //!< when the last honest device was done [ns]
    uint64_t messages = 0;                    //!< delivered
    uint64_t models = 0;                      //!< models sent to one device
    std::map<std::string, uint32_t> outcomes; //!< rounds of honest members by outcome
    std::string story;                        //!< what went wrong, for people

    /// @return whether nothing did
    bool IsRight() const;
};

/// Knows everything that happens in a schedule of devices, and judges it
class DeviceOracle
{
  public:
    /// @param options of every device, with the federation
    /// @param byzantine devices
    /// @param keys of all devices
    /// @param rate learning rate of a round
    DeviceOracle(ns3::collab::NodeOptions options,
                 std::set<uint32_t> byzantine,
                 std::shared_ptr<const ns3::collab::KeyRing> keys,
                 double rate);

    /// @param nodes of all devices, by number
    void Watch(std::vector<const ns3::collab::CommitteeNode*> nodes);
    /// @param sender of a message
    /// @param receiver of it
    /// @param message that is sent
    void SeeMessage(uint32_t sender,
                    uint32_t receiver,
                    const ns3::collab::CommitteeMessage& message);
    /// @param device that is in a round
    /// @param round that it has reached
    /// @param nowNs time [ns]
    void SeeRound(uint32_t device, uint32_t round, uint64_t nowNs);
    /// @brief Look at committees, and at what devices keep.
    /// @param[in,out] result gets what is wrong
    void CheckNow(DeviceResult& result) const;
    /// @brief Look at all that has been decided.
    /// @param isPerfect whether the network was
    /// @param[in,out] result gets what is wrong
    void CheckEnd(bool isPerfect, DeviceResult& result) const;

  private:
    using Requests = std::vector<std::shared_ptr<const ns3::collab::ConsensusMessage>>;

    bool IsHonest(uint32_t device) const;
    bool IsByzantineRule() const;
    /// @return whether its certificate has nothing besides consents
    bool IsPlain(const ns3::collab::CommitteeChain& chain,
                 const ns3::collab::CertifiedBlock& certified) const;
    void CheckNews(DeviceResult& result) const;
    void CheckExpelled(const ns3::collab::CommitteeChain& chain, DeviceResult& result) const;
    void CheckAbandoned(const ns3::collab::CommitteeChain& chain,
                        std::size_t place,
                        DeviceResult& result) const;
    void CheckAgreed(const ns3::collab::CommitteeChain& chain,
                     std::size_t place,
                     DeviceResult& result) const;
    bool FollowsFromGradients(const ns3::collab::Block& block,
                              const std::vector<float>& model) const;
    bool FollowsFromTables(const ns3::collab::Block& block,
                           const std::vector<uint32_t>& committee,
                           const std::vector<uint32_t>& clients) const;
    bool IsElected(const ns3::collab::Block& block,
                   const std::vector<uint32_t>& committee,
                   std::vector<ns3::collab::RankedClient> ranking) const;
    /// @param block of a round
    /// @return proposals with tables that were sent for it
    const Requests& GetRequests(const ns3::collab::Block& block) const;

    ns3::collab::NodeOptions m_options;
    std::set<uint32_t> m_byzantine;
    std::shared_ptr<const ns3::collab::KeyRing> m_keys;
    double m_rate;
    std::vector<const ns3::collab::CommitteeNode*> m_nodes;
    /// Gradients that were sent, by round and client
    std::map<std::pair<uint32_t, uint32_t>,
             std::map<ns3::collab::Digest, std::shared_ptr<const ns3::collab::SignedGradient>>>
        m_sent;
    std::map<ns3::collab::Digest, Requests> m_requests;              //!< by digest of the block
    std::map<ns3::collab::Digest, ns3::collab::FlatVector> m_models; //!< that devices have had
    std::map<uint32_t, uint32_t> m_rounds;                           //!< reached, by honest device
    /// When the first and the last honest device has reached a round [ns]
    std::map<uint32_t, std::pair<uint64_t, uint64_t>> m_reached;
    uint32_t m_leaked = 0; //!< see DeviceResult
    uint64_t m_most = 0;   //!< bytes of others that a device may keep
};

} // namespace tests

#endif /* COMMITTEE_DEVICE_ORACLE_H */
