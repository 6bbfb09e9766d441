/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_APPLICATION_H
#define BELIEF_CONSENSUS_APPLICATION_H

#include "belief-consensus-user-application.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief A user of fully decentralized Bayesian learning, in instants that all users share.
 *
 * In each instant a user updates its belief, (2), broadcasts the result b, waits for its
 * neighbors', and pools them, (3). It waits until all have come or until the Deadline is over;
 * a belief that comes later than that is lost, or counts as a stale one later on. What came of an
 * instant that the user has yet to begin is kept for it.
 *
 * With an Interval, instants begin together by clocks that all share: applications must start at
 * the same time. Without one, an instant begins when the one before has ended. Then users drift
 * apart where messages are lost: who has heard all goes on, while its neighbor still waits and
 * will be late; so use an Interval where messages are lost.
 *
 * Without neighbors and listeners a user learns alone; a central user is that, with all data.
 */
class BeliefConsensusApplication : public BeliefUserApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    BeliefConsensusApplication();

    int64_t AssignUserStreams(int64_t stream) override;

  protected:
    void DoStart() override;
    std::optional<uint32_t> FindPresentRound() const override;
    Process Round() override;
    void HandleBelief(const Received<PublicBelief>& message, Belief belief) override;
    Columns<Metrics> GetOwnColumns() const override;

  private:
    /// What a neighbor has told in an instant
    struct Told
    {
        Belief belief;                  //!< b; NaN for numbers that have not come
        bool isWhole = true;            //!< whether all have
        std::optional<uint32_t> degree; //!< how many neighbors it has heard, if it says so
        std::vector<float> shares;      //!< of each user in its belief, if it says so
    };

    /// The newest belief of a neighbor, and those of instants that are not over
    struct Heard
    {
        std::map<uint32_t, Told> beliefs; //!< by instant, from the present one on
        Belief newest;                    //!< of the latest instant; null if none has come
        uint32_t newestRound = 0;         //!< that instant
    };

    /// @return when the present instant is to begin
    Time GetSlotBegin() const;
    /// @brief Tell the own belief, and wait for those of all neighbors, up to the deadline.
    Process Exchange();
    /// @brief Tell the own belief, and wait for those of all neighbors.
    /// @param jitter how long to wait before
    /// @param expiry when a message that was not sent is of no use any more
    Process TellAndHear(Time jitter, Time expiry);
    /// @param device a neighbor
    /// @return whether its belief of this instant has come
    bool HasTold(uint32_t device) const;
    /// @return W_ij of each neighbor in this instant
    std::vector<double> GetRow() const;
    /// @param device a neighbor
    /// @return its belief that is pooled, and where it is from; null if there is none
    std::pair<Belief, std::string> FindBelief(uint32_t device) const;
    /// @param b the own belief
    /// @param[out] entries the effective row of W, but for what clipping does to it
    /// @return what is pooled, the own belief first
    std::vector<WeightedBelief> Collect(const Belief& b,
                                        std::vector<BeliefWeightsRecord::Entry>& entries) const;
    /// @param entries whose weights were to be pooled
    /// @param weights in force of those that were
    void TraceEffective(std::vector<BeliefWeightsRecord::Entry> entries,
                        const std::vector<double>& weights);
    /// @param entries effective weights of this instant
    /// @return the shares of each user in the pool
    std::vector<float> MergeShares(const std::vector<BeliefWeightsRecord::Entry>& entries) const;

    Time m_deadline;                     //!< attribute Deadline
    Time m_interval;                     //!< attribute Interval
    MissingBeliefPolicy m_missingPolicy; //!< attribute MissingPolicy
    Time m_jitter;                       //!< attribute Jitter
    bool m_tellsDegrees;                 //!< attribute TellDegrees
    uint32_t m_estimatingUsers;          //!< attribute EstimatingUsers

    Ptr<UniformRandomVariable> m_uniform; //!< of jitter
    std::map<uint32_t, Heard> m_heard;    //!< by neighbor
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_APPLICATION_H */
