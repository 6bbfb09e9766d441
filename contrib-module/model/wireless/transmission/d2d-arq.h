/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ARQ_H
#define D2D_ARQ_H

#include "ns3/d2d-fragmentation.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RandomVariableStream;

namespace collab
{

/**
 * @ingroup collab
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
};

/// @ingroup collab
/// @brief How fragments that were not acknowledged are sent again.
enum class D2dArq
{
    STOP_AND_WAIT,    //!< the sender waits for the acknowledgment of each before the next
    SELECTIVE_REPEAT, //!< it sends all outstanding ones in a row, then all acknowledgments come
};

/// @ingroup collab
/// @brief What a pass over some fragments cost.
struct D2dPassCost
{
    uint64_t attempts = 0;        //!< fragment transmissions
    uint64_t acknowledgments = 0; //!< acknowledgments that the receiver sent
    uint64_t windows = 0;         //!< times that the sender stopped to wait for acknowledgments
    uint64_t backoffs = 0;        //!< waiting before repetitions, in units of RetryBackoff
};

/**
 * @param failures attempts that have failed in a row; at least 1
 * @return how long to wait before the next, in units of RetryBackoff: 1, 2, 4, ..., 1024
 */
constexpr uint64_t
GetRetryBackoff(uint32_t failures)
{
    return uint64_t{1} << (failures < 11 ? failures - 1 : 10);
}

/**
 * @param failures attempts that have failed in a row
 * @return sum of the waiting after each of them, in units of RetryBackoff
 */
constexpr uint64_t
GetTotalRetryBackoff(uint32_t failures)
{
    uint64_t total = 0;
    for (uint32_t i = 1; i <= failures; ++i)
    {
        total += GetRetryBackoff(i);
    }
    return total;
}

/**
 * @ingroup collab
 * @brief Draws the outcome of many fragment transmissions at once, in time that does not grow with
 * them.
 *
 * Every fragment transmission is lost with the link's outage probability, independently; so is
 * every acknowledgment on the way back. The counts drawn here have exactly the joint distribution
 * that playing every transmission by itself has: the burst fidelity of D2dNetDevice stands on this
 * class.
 */
class D2dArqSampler
{
  public:
    /**
     * @param uniform a source of numbers uniform in [0, 1)
     */
    explicit D2dArqSampler(Ptr<RandomVariableStream> uniform);

    /**
     * @brief Send every fragment once, to a receiver that has none.
     *
     * @param fragments number of fragments
     * @param loss outage probability towards the receiver
     * @param acknowledgmentLoss outage probability of the way back; 1 if nothing is acknowledged
     * @param acknowledge whether the receiver acknowledges what it receives
     * @param[out] counts what the receiver has afterwards
     * @return acknowledgments that the receiver sent
     */
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
     * @param maxAttempts transmissions that a fragment may have in this pass; at least 1
     * @param loss outage probability towards the receiver
     * @param acknowledgmentLoss outage probability of the way back
     * @param[in,out] counts what the receiver has before and after
     * @return what it cost
     */
    D2dPassCost StopAndWait(uint32_t maxAttempts,
                            double loss,
                            double acknowledgmentLoss,
                            D2dFragmentCounts& counts);

    /**
     * @brief Selective repeat: send all outstanding fragments, then see which are acknowledged, and
     * so on until all are or maxAttempts is reached.
     *
     * @param maxAttempts transmissions that a fragment may have in this pass; at least 1
     * @param loss outage probability towards the receiver
     * @param acknowledgmentLoss outage probability of the way back
     * @param[in,out] counts what the receiver has before and after
     * @return what it cost
     */
    D2dPassCost SelectiveRepeat(uint32_t maxAttempts,
                                double loss,
                                double acknowledgmentLoss,
                                D2dFragmentCounts& counts);

    /**
     * @brief Say which fragments of a burst a receiver has, given how many: by symmetry all choices
     * are equally probable.
     *
     * @param fragments number of fragments
     * @param counts what the receiver has
     * @return state of each fragment
     */
    std::vector<D2dFragmentState> DrawStates(uint32_t fragments, const D2dFragmentCounts& counts);

    /**
     * @param draws number of items drawn without replacement
     * @param marked number of marked items
     * @param unmarked number of other items
     * @return marked items among those drawn
     */
    uint32_t DrawHypergeometric(uint32_t draws, uint32_t marked, uint32_t unmarked);

  private:
    /**
     * @param trials number of trials
     * @param probability of success
     * @return number of successes
     */
    uint64_t DrawBinomial(uint64_t trials, double probability);

    /**
     * @brief Bring fragments through, each within maxAttempts.
     *
     * @param fragments number of fragments
     * @param maxAttempts greatest number of transmissions of each
     * @param success probability that a transmission and its acknowledgment both arrive
     * @param[in,out] cost receives transmissions and waiting of all of them together
     */
    void DrawAttempts(uint32_t fragments, uint32_t maxAttempts, double success, D2dPassCost& cost);

    Ptr<RandomVariableStream> m_uniform; //!< source of randomness
};

} // namespace collab
} // namespace ns3

#endif /* D2D_ARQ_H */
