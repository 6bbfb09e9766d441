/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ARQ_H
#define D2D_ARQ_H

#include "ns3/d2d-fragmentation.h"
#include "ns3/d2d-stop-and-wait-plan.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RandomVariableStream;

namespace collab
{

/**
 * @ingroup collab-wireless
 * @brief What one receiver of a burst has, as seen from outside.
 *
 * Every fragment of the burst is in one of three states at a receiver: never received, received
 * without its sender knowing (the acknowledgment was lost), or received and acknowledged.
 */
struct D2dFragmentCounts
{
    uint32_t missing = 0;        //!< fragments never received
    uint32_t unacknowledged = 0; //!< fragments received whose sender has heard no acknowledgment

    /// @return fragments that the sender would send again
    uint32_t
    Outstanding() const
    {
        return missing + unacknowledged;
    }
    /// @return this, with others besides
    D2dFragmentCounts&
    operator+=(const D2dFragmentCounts& others)
    {
        missing += others.missing;
        unacknowledged += others.unacknowledged;
        return *this;
    }
    /// @return this, without others
    D2dFragmentCounts&
    operator-=(const D2dFragmentCounts& others)
    {
        missing -= others.missing;
        unacknowledged -= others.unacknowledged;
        return *this;
    }
};

/// @ingroup collab-wireless
/// @brief Fragments of one transmission that arrived.
struct D2dArrivals
{
    uint32_t fresh = 0; //!< that the receiver did not have
    uint32_t again = 0; //!< that it had, without its sender knowing
};

/**
 * @ingroup collab-wireless
 * @brief Draws the outcome of many fragment transmissions at once, in time that does not grow with
 * them.
 *
 * Every fragment transmission is lost with the link's outage probability, independently; so is
 * every acknowledgment on the way back. The counts drawn here have exactly the joint distribution
 * that playing every transmission by itself has: the burst fidelity of the radio stands on this
 * class.
 */
class D2dArqSampler
{
  public:
    /// @param uniform a source of numbers uniform in [0, 1)
    explicit D2dArqSampler(Ptr<RandomVariableStream> uniform);

    /// @brief Send every fragment once, to a receiver that has none.
    /// @param fragments number of fragments
    /// @param loss outage probability towards the receiver
    /// @param acknowledgmentLoss outage probability of the way back; 1 if nothing is acknowledged
    /// @param acknowledge whether the receiver acknowledges what it receives
    /// @param[out] counts what the receiver has afterwards
    /// @return acknowledgments that the receiver sent
    uint64_t SendOnce(uint32_t fragments,
                      double loss,
                      double acknowledgmentLoss,
                      bool acknowledge,
                      D2dFragmentCounts& counts);

    /**
     * @brief Stop-and-wait: send each outstanding fragment until it is acknowledged.
     *
     * The sender goes through the outstanding fragments in order. It gives the pass up at the first
     * fragment that maxAttempts transmissions did not bring through, since the message is then
     * lost.
     *
     * @param outstanding number of outstanding fragments
     * @param maxAttempts transmissions that a fragment may have in this pass; at least 1
     * @param loss outage probability towards the receiver
     * @param acknowledgmentLoss outage probability of the way back
     * @return what is going to happen
     */
    D2dStopAndWaitPlan PlanStopAndWait(uint32_t outstanding,
                                       uint32_t maxAttempts,
                                       double loss,
                                       double acknowledgmentLoss);

    /// @brief The same, but the first of the fragments has had some of its transmissions.
    /// @param before transmissions that it has had, all in vain
    /// @param others number of other outstanding fragments
    /// @param maxAttempts transmissions that a fragment may have in this pass
    /// @param loss outage probability towards the receiver
    /// @param acknowledgmentLoss outage probability of the way back
    /// @return what is going to happen
    D2dStopAndWaitPlan ResumeStopAndWait(uint32_t before,
                                         uint32_t others,
                                         uint32_t maxAttempts,
                                         double loss,
                                         double acknowledgmentLoss);

    /// @brief Stop-and-wait with a receiver that combines the transmissions of a fragment, and that
    /// answers all transmissions of what it has.
    /// @param fragments number of fragments, none of which was sent before
    /// @param outages probabilities that one cannot be decoded after 0, 1, ... transmissions: as
    /// many as it may have
    /// @param acknowledgmentLoss outage probability of the way back
    /// @return what is going to happen
    D2dStopAndWaitPlan PlanCombined(uint32_t fragments,
                                    const std::vector<double>& outages,
                                    double acknowledgmentLoss);

    /// @brief The same, but the first of the fragments has had some of its transmissions.
    /// @param before transmissions that it has had, all in vain
    /// @param first its outages, after 0, 1, ... further transmissions: as many as it may have
    /// @param others number of fragments besides
    /// @param outages outage probabilities of these
    /// @param acknowledgmentLoss outage probability of the way back
    /// @return what is going to happen
    D2dStopAndWaitPlan ResumeCombined(uint32_t before,
                                      const std::vector<double>& first,
                                      uint32_t others,
                                      const std::vector<double>& outages,
                                      double acknowledgmentLoss);

    /// @brief Find out which transmission of a fragment is the first that arrives.
    /// @param[in,out] block a block of one fragment, where it is noted
    void DrawArrival(D2dStopAndWaitBlock& block);

    /// @param plan plan of a pass
    /// @param timing durations in it
    /// @param elapsed time since its beginning; not negative
    /// @return how far it is
    D2dStopAndWaitProgress DrawProgress(const D2dStopAndWaitPlan& plan,
                                        const D2dStopAndWaitTiming& timing,
                                        Time elapsed);

    /// @brief Send some of the fragments that a receiver has not acknowledged, once: which ones is
    /// drawn, since all choices are equally probable.
    /// @param number number of the fragments that are sent
    /// @param loss outage probability towards the receiver
    /// @param[in,out] waiting those that were not sent before, and after
    /// @return those of them that arrive
    D2dArrivals SendSome(uint32_t number, double loss, D2dFragmentCounts& waiting);

    /// @param trials number of trials
    /// @param probability probability of success
    /// @return number of successes
    uint64_t DrawBinomial(uint64_t trials, double probability);

    /// @return a number uniform in [0, 1)
    double DrawUniform();

    /// @brief Say which fragments of a burst a receiver has, given how many: by symmetry all
    /// choices are equally probable.
    /// @param fragments number of fragments
    /// @param counts what the receiver has
    /// @return state of each fragment
    std::vector<D2dFragmentState> DrawStates(uint32_t fragments, const D2dFragmentCounts& counts);

    /// @param draws number of items drawn without replacement
    /// @param marked number of marked items
    /// @param unmarked number of other items
    /// @return marked items among those drawn
    uint32_t DrawHypergeometric(uint32_t draws, uint32_t marked, uint32_t unmarked);

  private:
    /// @brief Bring fragments through, each within maxAttempts.
    /// @param fragments number of fragments
    /// @param maxAttempts greatest number of transmissions of each
    /// @param success probability that a transmission and its acknowledgment both arrive
    /// @return how many of them take 1, 2, ... transmissions
    std::vector<uint32_t> DrawAttempts(uint32_t fragments, uint32_t maxAttempts, double success);

    /// @param fragments number of fragments
    /// @param giveUp probability that one is not brought through
    /// @return fragments before the first that is not
    uint32_t DrawCompleted(uint32_t fragments, double giveUp);

    /// @brief Bring fragments through to a receiver that combines.
    /// @param fragments number of fragments, all of which are acknowledged in the end
    /// @param outages see PlanCombined()
    /// @param acknowledgmentLoss outage probability of the way back
    /// @return how many of them there are of each kind
    D2dStopAndWaitBlock DrawCombined(uint32_t fragments,
                                     const std::vector<double>& outages,
                                     double acknowledgmentLoss);

    /// @brief Let a fragment have all of its transmissions in vain.
    /// @param outages see PlanCombined()
    /// @param acknowledgmentLoss outage probability of the way back
    /// @return a block of it alone
    D2dStopAndWaitBlock DrawGivenUp(const std::vector<double>& outages, double acknowledgmentLoss);

    /// @brief Find out which transmissions of a block have arrived without its sender knowing.
    /// @param block the block
    /// @param over fragments of it that are over
    /// @param left the one that is not
    /// @param inVain transmissions of that one that have ended and were not acknowledged
    /// @param[in,out] progress where they are noted
    void DrawHeard(const D2dStopAndWaitBlock& block,
                   const D2dStopAndWaitBlock& over,
                   const D2dStopAndWaitBlock& left,
                   uint32_t inVain,
                   D2dStopAndWaitProgress& progress);

    /// @param block block of one fragment, whose arrival is known
    /// @param inVain transmissions of it that have ended and were not acknowledged
    /// @return those of them that have arrived
    uint32_t DrawHeardSince(const D2dStopAndWaitBlock& block, uint32_t inVain);

    /// @param fragments how many fragments take 1, 2, ... transmissions
    /// @param draws number of them that are drawn without replacement
    /// @return the same, of those drawn
    std::vector<uint32_t> DrawSample(const std::vector<uint32_t>& fragments, uint32_t draws);

    /// @brief Find out how far the fragments of a block are that is not over.
    /// @param block the block
    /// @param timing durations in it
    /// @param elapsed time since it began
    /// @param[in,out] progress progress of the blocks before, and then up to the present moment
    void DrawBlockProgress(const D2dStopAndWaitBlock& block,
                           const D2dStopAndWaitTiming& timing,
                           Time elapsed,
                           D2dStopAndWaitProgress& progress);

    Ptr<RandomVariableStream> m_uniform; //!< source of randomness
};

} // namespace collab
} // namespace ns3

#endif /* D2D_ARQ_H */
