/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_STOP_AND_WAIT_TRANSMISSION_H
#define D2D_STOP_AND_WAIT_TRANSMISSION_H

#include "d2d-fragment-pool.h"

#include "ns3/d2d-transmission.h"

#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A transmission whose passes of stop-and-wait are drawn as a whole (fidelity Burst).
 *
 * A pass is two events, whatever its size: the arrival of the fragment with which its recipient has
 * the whole packet, and its end. When something changes in the middle of it, it is drawn how far
 * the pass is, which has exactly the distribution that it has in fidelity Packet, and the rest of
 * it anew.
 *
 * The radios take turns with every fragment. Here they have a duty cycle, so that at any moment the
 * energy is right to about a fragment and the back-offs; whenever a pass is over, or something
 * changes, it is put right.
 */
class D2dStopAndWaitTransmission : public D2dTransmission
{
  public:
    /// @param order what is sent, not divisible
    explicit D2dStopAndWaitTransmission(D2dTransmissionOrder order);

  private:
    /// What the rest of a first pass, to all, brings to a recipient
    struct Draw
    {
        uint32_t received = 0;       //!< fragments that it gets
        uint32_t unacknowledged = 0; //!< those of them whose acknowledgments are lost
    };

    /// A fragment that was begun and not acknowledged
    struct Begun
    {
        uint32_t attempts = 0; //!< its transmissions that have ended
        bool missing = false;  //!< whether it was never received
        double held = 0;       //!< if it is combined, worth of what its receiver holds of it
    };

    /// What a recipient does in a pass besides listening
    struct Answers
    {
        uint64_t sent = 0; //!< acknowledgments since m_cycleStart
        double share = 0;  //!< part of the time that it sends them, by its duty cycle
    };

    /// The last transmission that has ended, at a recipient
    struct Last
    {
        uint32_t answered = 0; //!< transmissions that it has answered, of which it may be one
        uint32_t among = 0;    //!< of so many, all equally probable to be it
    };

    void SendOnce() override;
    void Repeat(std::size_t recipient, uint32_t maxAttempts) override;
    void CutPass() override;
    void CutPassAt(std::size_t recipient) override;
    void CatchUp() override;
    void GoOn() override;
    std::vector<D2dFragmentState> GetStates(std::size_t recipient) override;
    Time GetPassAirtime() const override;

    /// @brief Begin the pass that was drawn.
    void Begin();
    /// @brief Play what is left of the pass from now on.
    void Play();
    /// @brief The pass is over.
    void End();
    /// @param delay propagation delay
    /// @return how far the pass is for a place as far away
    D2dStopAndWaitProgress GetProgress(Time delay);
    /// @brief Count what was received and acknowledged, and find out with what the pass goes on.
    /// @param progress how far it is
    void Apply(const D2dStopAndWaitProgress& progress);
    /// @brief The same, of a first pass, to all, at one recipient.
    /// @param recipient its index
    /// @param sent fragments that were sent since the last time
    void ApplyTo(std::size_t recipient, uint32_t sent);
    /// @brief The same, of a pass of repetitions.
    /// @param progress how far it is
    void ApplyRepetitions(const D2dStopAndWaitProgress& progress);
    /// @brief Draw what is left of a pass of repetitions.
    void DrawRepetitions();
    /// @param fragments number of fragments that were not begun
    /// @return a plan for these
    D2dStopAndWaitPlan PlanFragments(uint32_t fragments);
    /// @return a plan for the fragment that was begun
    D2dStopAndWaitPlan PlanBegun();
    /// @brief Let the plan go on.
    /// @param more what comes behind it
    /// @param decisive whether that is the last fragment that its receiver lacks
    /// @return whether it goes on behind that, and has not given up
    bool Append(D2dStopAndWaitPlan more, bool decisive);
    /// @brief Let packets be handed up when they are whole by what is left of the pass.
    /// @param use what the plan takes
    void AwaitArrival(const D2dAirUse& use);
    /// @return recipients that are whole when a first pass, to all, is over, and not before
    std::vector<std::size_t> FindWhole() const;
    /// @brief Draw what is left of a first pass at all recipients that follow.
    void DrawFirst();
    /// @brief Begin the duty cycles of what is left of the pass.
    /// @param use what the plan takes
    /// @param left time to its end
    void BeginCycles(const D2dAirUse& use, Time left);
    /// @brief End them, and put right what they have booked.
    void EndCycles();
    /// @param recipient index of a recipient of the pass whose duty cycle ends
    void EndAnswers(std::size_t recipient);
    /// @brief A recipient went off, or the pass is cut off: if it was acknowledging, take back what
    /// it has not sent. If it is on, and the run is not over, it sends that now.
    /// @param recipient its index
    /// @param window for how long the sender still listens, as seen from there
    void CutAnswer(std::size_t recipient, Time window);
    /// @param recipient index of a recipient of the pass
    /// @return acknowledgments that it has still to send
    uint64_t CountAnswers(std::size_t recipient) const;
    /// @return what the sender has done in this pass; ask right after CatchUp()
    D2dAirUse GetUse() const;

    D2dArqSampler m_sampler;               //!< draws the outcomes
    D2dStopAndWaitTiming m_timing;         //!< durations
    D2dStopAndWaitPlan m_plan;             //!< what happens from m_planStart on
    Time m_planStart;                      //!< may be a little later than now
    Time m_windowEnd;                      //!< until then the sender listens before it
    D2dAirUse m_before;                    //!< what the sender does in this pass before it
    bool m_playing = false;                //!< whether a pass is under way
    bool m_repeating = false;              //!< whether it is one of repetitions
    uint32_t m_left = 0;                   //!< fragments that the pass has not begun
    std::vector<Draw> m_draws;             //!< what these bring, by recipient of the pass
    uint32_t m_maxAttempts = 1;            //!< of a fragment in a pass of repetitions
    D2dFragmentPool m_pool;                //!< what they are
    std::optional<Begun> m_begun;          //!< the one that it has
    std::optional<std::size_t> m_decisive; //!< block of the last fragment that its receiver lacks
    EventId m_arrival;                     //!< when that, or the last one of a first pass, is out
    bool m_cycling = false;                //!< whether there are duty cycles
    Time m_cycleStart;                     //!< since when the duty cycles hold
    D2dAirUse m_useBefore;                 //!< what the sender had done in this pass by then
    D2dDutyCycle m_cycle;                  //!< that of the sender
    std::vector<Answers> m_answers;        //!< of the recipients of the pass
    std::vector<Last> m_last;              //!< at the recipients of the pass
    /// Outstanding fragments of a first pass, by recipient, and by stretches in which losses stayed
    /// the same: only in each of these is every order of them equally probable
    std::vector<std::vector<D2dFragmentCounts>> m_stretches;
};

} // namespace ns3::collab

#endif /* D2D_STOP_AND_WAIT_TRANSMISSION_H */
