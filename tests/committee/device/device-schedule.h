/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_DEVICE_SCHEDULE_H
#define COMMITTEE_DEVICE_SCHEDULE_H

#include "committee/device/device-oracle.h"
#include "committee/schedule-network.h"

#include "ns3/committee-deviant-member.h"
#include "ns3/committee-misbehavior.h"
#include "ns3/committee-node.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
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
    bool IsAwaited(uint32_t device) const;
    bool IsPerfect() const;

    DeviceSchedule m_schedule;
    std::shared_ptr<const ns3::collab::KeyRing> m_keys;
    std::shared_ptr<ns3::collab::Conspiracy> m_conspiracy;
    std::vector<std::unique_ptr<Device>> m_devices;
    std::unique_ptr<DeviceOracle> m_oracle; // null until all devices are there
    DeviceResult m_result;
};

/// Which random schedules to draw
struct DeviceDraw
{
    ns3::collab::QuorumRule rule = ns3::collab::QuorumRule::BYZANTINE; //!< of the committee
    bool byzantine = true;                                             //!< whether some devices are
    bool faults = true; //!< whether messages are lost, devices crash and the network falls apart
    /// Part of all devices that an adversary owns [%]; 0 for at most f devices
    uint32_t owned = 0;
    /// With owned ones: few devices, of which the owned ones want to be expelled
    bool areFew = false;
    /// With owned ones: whether these say more than they may, and add to certificates
    bool stuffs = false;
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
