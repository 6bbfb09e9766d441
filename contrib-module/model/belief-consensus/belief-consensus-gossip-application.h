/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_GOSSIP_APPLICATION_H
#define BELIEF_CONSENSUS_GOSSIP_APPLICATION_H

#include "belief-consensus-user-application.h"

#include "ns3/application-container.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief A user of fully decentralized Bayesian learning without common instants.
 *
 * A user updates its belief at random times of its own and broadcasts the result at once; a round
 * is from the end of one update to that of the next. An update for which the processor has no time
 * yet is done later, and those after it are due when they were. A belief b_j that arrives is merged
 * when the processor is free: rho_i becomes the pool of rho_i with weight 1 - w_ij and of b_j with
 * weight w_ij; an older one of the same neighbor than has come is ignored. Of several that wait,
 * the newest of each neighbor is merged, in the order of first arrival. A user that has done all
 * rounds merges no more.
 */
class BeliefGossipApplication : public BeliefUserApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    BeliefGossipApplication();

    int64_t AssignUserStreams(int64_t stream) override;

    /// @brief Give each user that has an UpdateInterval a random variable of its own, a copy by
    /// attributes: one that is set by a default value is a single object, from which all would
    /// draw.
    /// @param applications of users; others are left alone
    static void OwnUpdateIntervals(const ApplicationContainer& applications);

  protected:
    void DoResume() override;
    std::optional<uint32_t> FindPresentRound() const override;
    Process Round() override;
    void HandleBelief(const Received<PublicBelief>& message, Belief belief) override;
    Columns<Metrics> GetOwnColumns() const override;

  private:
    /// @return time to the next update
    Time DrawInterval();

    /// A belief that waits for the processor
    struct Waiting
    {
        uint32_t sender = 0; //!< of whom
        Belief belief;       //!< its newest
    };

    /// @brief Wait for the time of the next update.
    Process Await();
    /// @brief Merge the first belief that waits.
    Process MergeFirst();

    double m_updateRate;                        //!< attribute UpdateRate
    Ptr<RandomVariableStream> m_updateInterval; //!< attribute UpdateInterval

    Ptr<ExponentialRandomVariable> m_exponential; //!< of times between updates

    Time m_due;                            //!< time of the next update
    bool m_isUpdateDue = false;            //!< whether it has come
    std::map<uint32_t, uint32_t> m_newest; //!< sequence number of the newest message, by sender
    std::vector<Waiting> m_waiting;        //!< beliefs to merge
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_GOSSIP_APPLICATION_H */
