/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_RECORDER_H
#define COMMITTEE_RECORDER_H

#include "committee-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

#include <vector>

namespace ns3
{
namespace collab
{

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
    /**
     * @param store where to write; must live as long as this recorder
     * @param applications the devices' CommitteeApplications
     */
    CommitteeRecorder(TableStore& store, const ApplicationContainer& applications);

    CommitteeRecorder(const CommitteeRecorder&) = delete;
    CommitteeRecorder& operator=(const CommitteeRecorder&) = delete;

    /// @return the tables votes, committee and scores
    static std::vector<TableDescription> DescribeTables();

  private:
    /// @param record a decision
    void HandleVote(const VoteRecord& record);
    /// @param record a member's round
    void HandleCommittee(const CommitteeRecord& record);

    Table& m_votes;     //!< the table votes
    Table& m_committee; //!< the table committee
    Table& m_scores;    //!< the table scores
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_RECORDER_H */
