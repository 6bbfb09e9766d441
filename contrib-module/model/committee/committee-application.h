/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_APPLICATION_H
#define COMMITTEE_APPLICATION_H

#include "ns3/collab-columns.h"
#include "ns3/committee-endpoint.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A vote as a member of the committee saw it end, for traces.
struct VoteRecord : Decision
{
    uint32_t round = 0;  //!< of the mechanism
    uint32_t device = 0; //!< the member
    Time time;           //!< when the member learned of it

    /// @return the table votes
    static TableColumns<VoteRecord> GetTable();
};

/**
 * @ingroup collab
 * @brief The committee mechanism CMFL (Che et al., IEEE TPDS 2022), as one device runs it.
 *
 * CommitteeNode says what the device does in a round, and this class does it: it sends,
 * trains, scores and aggregates in simulated time, keeps time, and traces. A round begins for a
 * device when it has the block that ends the round before, and its model. A pseudo-random function
 * that all share says who trains. Phases of a training client are "train", "upload" and "wait",
 * those of a member "train", "collect", "score", "consensus", "aggregate" and "wait", of others
 * "idle". Messages of the committee, questions and blocks go before models, and models before
 * gradients.
 *
 * A device that was off knows the chain of blocks, the newest model and what it has promised in
 * votes, and asks others for what it has missed. Devices that have done all rounds still answer.
 */
class CommitteeApplication : public CommitteeEndpoint
{
  public:
    /// @brief Get the type ID.
    /// @return the object TypeId
    static TypeId GetTypeId();

    CommitteeApplication();
    ~CommitteeApplication() override;

    /// @return whether the device has stopped since no round has ended for as long as that, or,
    /// with the rule Paper, since nobody has sent it the last model
    bool
    HasGivenUp() const
    {
        return m_hasGivenUp;
    }

    /// @return whether the device computes, or sends or awaits the gradients of the present round
    bool IsBusy() const;
    std::vector<Metric>
    GetMetrics() const override
    {
        return DescribeMetrics(GetColumns());
    }

    /// TracedCallback signature for votes.
    /// @param record a decision that the member has learned of
    typedef void (*VoteTracedCallback)(const VoteRecord& record);
    /// TracedCallback signature for rounds of members.
    /// @param record the member's round
    typedef void (*CommitteeTracedCallback)(const CommitteeReport& record);
    /// TracedCallback signature for waits of members.
    /// @param record the wait that is over
    typedef void (*WaitTracedCallback)(const WaitReport& record);

  protected:
    void DoStart() override;
    Process Round() override;
    void DoResume() override;
    std::optional<uint32_t>
    FindPresentRound() const override
    {
        return GetRound(); // it gets the blocks of those that it has missed
    }

  private:
    /// What is measured in a round
    struct Metrics
    {
        CommitteeRole role = CommitteeRole::IDLE; //!< of the device
        bool wasAssumed = false; //!< whether the round before was taken for abandoned
        double loss = std::numeric_limits<double>::quiet_NaN(); //!< of the own training
        /// Of the round's model; null if not measured
        std::shared_ptr<std::vector<collab::Score>> scores;
    };

    // CommitteeHost
    void Upload(const std::shared_ptr<const SignedGradient>& gradient) override;
    ProcessOf<FlatVector> Train() override;
    ProcessOf<ClientScores> Score(GradientsByClient gradients, FlatVector own) override;
    ProcessOf<MadeModel> Aggregate(GradientList gradients) override;
    void
    BeginPhase(const std::string& phase) override
    {
        EnterPhase(phase);
    }

    void ReachRound(uint32_t round, CommitteeRole role) override;
    void TellDecision(uint32_t round, const Decision& decision) override;
    void
    TellWait(const WaitReport& report) override
    {
        m_waitTrace(report);
    }

    void
    TellReport(const CommitteeReport& report) override
    {
        m_committeeTrace(report);
    }

    void GiveUp() override;

    /// @return columns of Metrics
    Columns<Metrics> GetColumns() const;
    /// @brief Be on: what is lost when the device goes off ends with this process.
    Process Live();
    /// @return what GradientAttack is applied to
    GradientAdversary::Upload MakeUpload(FlatVector honest) const;
    /// @param honest own gradient of the round, in which the device is a member
    void PrepareToScore(const FlatVector& honest);
    /// @param gradient forged or not, to be sent to all members
    void UploadSigned(SignedGradient gradient);

    bool m_isLive = false;     //!< whether Live() runs
    bool m_isBack = false;     //!< whether the device was off before
    bool m_hasGivenUp = false; //!< see HasGivenUp()
    uint32_t m_reached = 0;    //!< round whose model is there
    bool m_isAssumed = false;  //!< whether the round before that was abandoned
    Metrics m_metrics;         //!< of the present round
    /// With AttackedScores: what the device compares gradients with; null if it does not know yet
    FlatVector m_attacked;

    TracedCallback<const VoteRecord&> m_voteTrace;           //!< trace source Vote
    TracedCallback<const CommitteeReport&> m_committeeTrace; //!< trace source Committee
    TracedCallback<const WaitReport&> m_waitTrace;           //!< trace source Wait
};

} // namespace ns3::collab

#endif /* COMMITTEE_APPLICATION_H */
