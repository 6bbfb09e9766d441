/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_PRESENCE_H
#define SCENARIO_PRESENCE_H

#include "ns3/d2d-counter-random.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @brief When devices are on.
 *
 * A device is on and off by turns, at the start as its first stay says. A random presence has
 * exponential stays and is stationary; it depends on seed, run and device alone.
 */
class Presence
{
  public:
    /// @throws UserError that names what was given and what is allowed
    Presence(const std::string& given, uint32_t devices);

    /// @return whether a device is on at the start
    bool IsOnAtStart(uint32_t device) const;
    /// @param number which of the device's stays, from 0
    /// @return how long it stays on or off then; nothing if for ever
    std::optional<ns3::Time> GetStay(uint32_t device, uint32_t number) const;
    /// @return when the last device is switched on again; 0 if none is
    ns3::Time GetLastReturn() const;

  private:
    /// Off from the one time to the other, or for good
    using Absence = std::pair<ns3::Time, std::optional<ns3::Time>>;

    /// @brief Read the form off:...
    /// @return whether it is one
    bool ReadAbsences(const std::string& list);
    /// @brief Read the form exponential:...
    /// @return whether it is one
    bool ReadMeans(const std::string& means);
    void ReadFile(const std::string& path);
    /// Let a device be on or off from a time on that is later than all before
    void Change(uint32_t device, ns3::Time time, bool on);

    std::string m_given;                              //!< as the user has said it
    std::vector<bool> m_onAtStart;                    //!< by device
    std::vector<std::vector<ns3::Time>> m_changes;    //!< by device, ascending
    std::optional<std::pair<double, double>> m_means; //!< of stays on and off [s]
    ns3::collab::D2dCounterRandom m_random;           //!< draws stays
};

/// @param text numbers and ranges with commas between, such as 0-4,7
/// @return the devices named; none if the text is wrong
std::set<uint32_t> ReadDevices(const std::string& text, uint32_t devices);

/// A number of seconds, for regular expressions
constexpr const char* SECONDS_PATTERN = "([0-9]{1,9}(?:\\.[0-9]{1,9})?)";

/**
 * @brief Switch devices off and on at their times, radios and processors.
 *
 * @param nodes nodes 0, 1, ... of the devices, with their radios and processors
 */
void SchedulePresence(const Presence& presence, const ns3::NodeContainer& nodes);

#endif /* SCENARIO_PRESENCE_H */
