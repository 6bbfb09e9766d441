/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_RECORDER_H
#define COMMITTEE_RECORDER_H

#include "committee-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-message.h"
#include "ns3/collab-table-store.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{

struct ScoreRow;

/**
 * @ingroup collab
 * @brief Writes what the members of the committee did.
 *
 * - votes: one row a decision that a member learned of;
 * - committee: one row a member and round;
 * - scores: one row a member and training client of a round.
 */
class CommitteeRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param applications the devices' CommitteeApplications
    CommitteeRecorder(TableStore& store, const ApplicationContainer& applications);

    CommitteeRecorder(const CommitteeRecorder&) = delete;
    CommitteeRecorder& operator=(const CommitteeRecorder&) = delete;

    /**
     * @brief Find waits that were too short for what devices compute and send; once the run is
     * over.
     *
     * Not told of are messages that were lost or withheld, and no more than one case of a hundred.
     *
     * @return a line for each timeout that was too short; empty if there is none
     */
    std::string FindShortWaits() const;

  private:
    /// What was seen of a round
    struct Seen
    {
        bool hasEnded = false;    //!< whether a member's votes have ended
        bool isAbandoned = false; //!< whether a member has abandoned it
        bool isUnscored = false;  //!< whether a table was closed while others computed
        bool isUnvoted =
            false; //!< whether it was abandoned without a quorum while members computed
        bool isRetried = false; //!< whether a vote took more than one primary
        bool isSlow = false;    //!< whether a vote was on its way for most of the patience with one
    };

    void
    HandleVote(const VoteRecord& record)
    {
        m_votes.Write(record);
        if (record.attempt > 0)
        {
            m_rounds[record.round].isRetried = true;
        }
    }

    void HandleCommittee(const CommitteeReport& record);
    void HandleWait(const WaitReport& record);
    void HandleOutcome(const MessageOutcome& outcome);
    /// @return how many of the devices compute, or send or await gradients, in a round or still in
    /// one before it
    uint64_t CountBusy(const std::vector<uint32_t>& devices, uint32_t round) const;
    /// @return a line that says how many of all waits, as long as an attribute, were too short;
    /// empty if they are few
    std::string Warn(uint64_t count,
                     uint64_t all,
                     const std::string& attribute,
                     const std::string& text) const;
    /// @return a line about devices that have given up: nothing new came, or not the last model
    std::string FindGivenUp() const;
    /// @return an attribute that is a time
    Time GetTime(const std::string& attribute) const;

    TableOf<VoteRecord> m_votes;                                  //!< the table votes
    TableOf<CommitteeReport> m_committee;                         //!< the table committee
    TableOf<ScoreRow> m_scores;                                   //!< the table scores
    std::map<uint32_t, Ptr<CommitteeApplication>> m_applications; //!< by device
    uint64_t m_gradients = 0; //!< gradients that members waited for
    uint64_t m_unsent = 0; //!< those whose clients computed or sent when members waited no longer
    std::map<uint32_t, Seen> m_rounds;     //!< by number
    std::map<uint32_t, uint32_t> m_models; //!< round of the last model that came, by device
    uint64_t m_modelsHeard = 0;            //!< models that came, from honest devices
    uint64_t m_modelsTwice = 0;            //!< those that the device had heard before
};

} // namespace ns3::collab

#endif /* COMMITTEE_RECORDER_H */
