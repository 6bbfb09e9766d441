/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_DEVICE_SCHEDULE_H
#define COMMITTEE_DEVICE_SCHEDULE_H

#include "committee/schedule-network.h"

#include "ns3/committee-deviant-device.h"
#include "ns3/committee-deviant-member.h"
#include "ns3/committee-node.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// Everything that decides how a federation of devices goes; crashes lose memory
struct DeviceSchedule : NetworkFaults
{
    uint64_t seed = 1;                                      //!< of delays, losses and behavior
    uint32_t devices = 8;                                   //!< K
    ns3::collab::NodeOptions options;                       //!< of every device
    std::map<uint32_t, ns3::collab::Misbehavior> byzantine; //!< by device
    uint64_t maxJob = 1000000;                              //!< longest computation [ns]
    uint64_t faultsEnd = 0; //!< from then on nothing is lost, or late [ns]
};

/// What came of a schedule
struct DeviceResult
{
    uint32_t forks = 0;      //!< rounds for which two honest devices have different blocks
    uint32_t invalid = 0;    //!< blocks that do not follow from what clients sent
    uint32_t unfinished = 0; //!< honest devices that do not reach the end
    uint32_t blocks = 0;     //!< rounds with a block
    uint32_t abandoned = 0;  //!< of these, without a result
    uint32_t expelled = 0;   //!< devices, at last
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

/// Plays all devices against a network, event by event
class DeviceRun : private FaultyNetwork
{
  public:
    /// @param schedule to be played
    explicit DeviceRun(DeviceSchedule schedule);
    ~DeviceRun();

    /// @return what came of it
    DeviceResult Play();

  private:
    class Device;
    class Job;

    void Send(uint32_t sender, uint32_t receiver, const ns3::collab::CommitteeMessage& message);
    bool IsHonest(uint32_t device) const;
    bool IsByzantineRule() const;
    bool IsAwaited(uint32_t device) const;
    void CheckCommittees();
    void CheckKept();
    void CheckBlocks();
    void CheckBlock(const ns3::collab::Block& block,
                    const ns3::collab::ChainOptions& federation,
                    const std::vector<uint32_t>& committee,
                    const ns3::collab::Block* before);
    bool FollowsFromGradients(const ns3::collab::Block& block, const std::vector<float>& model);
    bool FollowsFromTables(const ns3::collab::Block& block,
                           const std::vector<uint32_t>& committee,
                           const std::vector<uint32_t>& clients) const;

    DeviceSchedule m_schedule;
    std::shared_ptr<const ns3::collab::KeyRing> m_keys;
    std::shared_ptr<ns3::collab::Conspiracy> m_conspiracy;
    std::vector<std::unique_ptr<Device>> m_devices;
    DeviceResult m_result;
    /// Gradients that were sent, by round and client
    std::map<std::pair<uint32_t, uint32_t>,
             std::map<ns3::collab::Digest, std::shared_ptr<const ns3::collab::SignedGradient>>>
        m_sent;
    /// Proposals that were sent with tables, by digest of the block
    std::map<ns3::collab::Digest, std::vector<std::shared_ptr<const ns3::collab::ConsensusMessage>>>
        m_requests;
    std::map<ns3::collab::Digest, ns3::collab::FlatVector> m_models; //!< that devices have had
};

/// Which random schedules to draw
struct DeviceDraw
{
    ns3::collab::QuorumRule rule = ns3::collab::QuorumRule::BYZANTINE; //!< of the committee
    bool byzantine = true;                                             //!< whether some devices are
    bool faults = true; //!< whether messages are lost, devices crash and the network falls apart
    /// Part of all devices that an adversary owns [%]; 0 for at most f devices
    uint32_t owned = 0;
    /// With owned ones: how committees are elected, and scores combined
    ns3::collab::ElectionStrategy election = ns3::collab::ElectionStrategy::MIDDLE;
    ns3::collab::ScoreCombination combination = ns3::collab::ScoreCombination::BY_RULE;
};

/// @param seed of the draw
/// @param draw what to draw
/// @return a schedule with at most f devices that are Byzantine or crash for good, f below C / 3;
/// or of more rounds, with devices that are owned by an adversary
DeviceSchedule DrawDeviceSchedule(uint64_t seed, const DeviceDraw& draw);

} // namespace tests

#endif /* COMMITTEE_DEVICE_SCHEDULE_H */
