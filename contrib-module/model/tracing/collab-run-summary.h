/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RUN_SUMMARY_H
#define COLLAB_RUN_SUMMARY_H

#include "ns3/collab-message.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>

namespace ns3::collab
{

/// @ingroup collab-tracing
/// @param cases number of cases of something that should not be
/// @param all cases
/// @return whether a run should warn of them: they are more than one of a hundred
bool AreMany(double cases, double all);

/**
 * @ingroup collab-tracing
 * @brief What a run's messages came to: how many of those expected were heard, and why not the
 * rest.
 *
 * It also tells whether devices had the time to speak. A message is late at a device that has not
 * got it, for whatever reason, by the time for which its sender waits for those of others in that
 * round: the attribute RoundDeadline of the algorithm, or what SetDeadline() says, counted from
 * when the message was queued. A message that is heard in good time by that measure may still come
 * too late for a device that began its round, and stopped waiting, before its sender did: rounds
 * tell of these.
 */
class RunSummary
{
  public:
    /// @param devices number of devices
    /// @param roundDeadline how long devices wait in a round for messages; nothing if for ever
    RunSummary(std::size_t devices, std::optional<Time> roundDeadline);

    /// @param wait how long devices wait in a round for messages
    /// @param name what the user calls that, such as --deadline
    void SetDeadline(Time wait, const std::string& name);

    /// @param awaits whether a device waits for what another one sends, the sender first; all do if
    /// nobody says so
    void SetAwaited(std::function<bool(uint32_t sender, uint32_t receiver)> awaits);

    /// @param outcome outcome of a message at one receiver; those of one message one after the
    /// other
    void Add(const MessageOutcome& outcome);

    /// @brief Count a round of a device.
    /// @param expected messages that it waited for
    /// @param heard those of them that came while it did
    /// @param refused messages that came, and were not believed
    void AddRound(double expected, double heard, double refused);

    /// @return a table with a line a kind of messages, and why messages were not heard; empty if
    /// there were none
    std::string DescribeMessages() const;
    /// @return a line that says that the round's deadline is too short for the devices to speak in
    /// turn; empty if no more than one message of a hundred was late
    std::string FindShortDeadline() const;
    /// @return a line that says that devices did not wait for messages that were heard later; empty
    /// if these were no more than one of a hundred, besides those that were never sent or heard
    std::string FindEarlyRounds() const;
    /// @return lines that say what helps against reasons why more than one message of a hundred was
    /// not heard, but for those that FindShortDeadline() explains; empty if there are none
    std::string FindAdvice() const;
    /// @param output where to print all of it
    void Print(std::ostream& output) const;

  private:
    /// Messages of one kind
    struct Kind
    {
        uint64_t messages = 0;                   //!< messages
        uint64_t expected = 0;                   //!< messages times those that they were meant for
        uint64_t heard = 0;                      //!< those that got it, or any unit of it
        Time airtime;                            //!< of their senders
        std::map<std::string, uint64_t> unheard; //!< those that did not get it, by reason
        std::map<std::string, uint64_t> unsent;  //!< the same, of messages that never went on air
    };

    /// @param outcome the first one of a message
    void AddAirtime(const MessageOutcome& outcome);
    /// @param outcome outcome of a message at one receiver
    void CheckDeadline(const MessageOutcome& outcome);
    /// @return messages times those that they were meant for, of all kinds
    uint64_t CountExpected() const;
    /// @return time that all devices need to send a message each
    double GetTurnS() const;

    std::size_t m_devices;                        //!< number of devices
    std::optional<Time> m_deadline;               //!< of a round
    std::string m_deadlineName = "RoundDeadline"; //!< what the user calls it
    std::map<std::string, Kind> m_kinds;          //!< by name
    std::pair<uint32_t, uint32_t> m_last;         //!< sender and number of the last message
    std::set<std::pair<uint32_t, uint32_t>> m_deviceRounds; //!< rounds and devices with messages
    uint64_t m_inTime = 0;                                  //!< heard before the deadline
    uint64_t m_lateStarts = 0;                              //!< not on air before it
    uint64_t m_lateEnds = 0;                                //!< on air, and not received before it
    uint64_t m_rounds = 0; //!< rounds of devices that waited for messages
    std::function<bool(uint32_t, uint32_t)> m_awaits; //!< whether the second waits for the first
    uint64_t m_sentToAwaiting = 0;                    //!< messages times those that wait for them
    uint64_t m_heardByAwaiting = 0; //!< those of them that were heard, whenever it was
    double m_awaited = 0;           //!< messages that these waited for
    double m_heardThen = 0;         //!< those of them that came meanwhile, or were refused
    double m_airtimeS = 0;          //!< of messages, each sent once at least [s]
    uint64_t m_airtimeOf = 0;       //!< number of these messages
};

} // namespace ns3::collab

#endif /* COLLAB_RUN_SUMMARY_H */
