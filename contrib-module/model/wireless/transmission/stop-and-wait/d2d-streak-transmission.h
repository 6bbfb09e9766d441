/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_STREAK_TRANSMISSION_H
#define D2D_STREAK_TRANSMISSION_H

#include "ns3/d2d-packet-transmission.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Stop-and-wait in fidelity Burst where others can interfere: fragment by fragment, except
 * in streaks.
 *
 * As long as nobody else is heard where the sender is, a streak of fragments is one event: in a
 * pass of repetitions up to and with the first attempt that fails, after which the sender backs
 * off; in a first pass, to all, which goes on whatever is lost, all that are left. But the
 * fragment with which the packet may be whole is in no streak, so that its recipient can hand it
 * up. When somebody else begins to send, D2dInterference tells it before; then what is complete of
 * the streak is counted, the fragment on air becomes a signal, and the next fragments are played
 * one by one. What had been drawn of that fragment and of later ones is forgotten, since nobody has
 * seen it: so everything has exactly the distribution that it has in fidelity Packet.
 *
 * In a streak the radios have a duty cycle, as in a D2dStopAndWaitTransmission.
 */
class D2dStreakTransmission : public D2dPacketTransmission
{
  public:
    /// @param order what is sent, not divisible; receivers do not combine
    explicit D2dStreakTransmission(D2dTransmissionOrder order);

  private:
    /// How far a streak is
    struct Progress
    {
        uint32_t completed = 0; //!< fragments whose windows are over
        Time phase;             //!< since when the next one is under way, if there is one
    };

    /// What became of a fragment at a recipient
    struct Outcome
    {
        bool arrived = false; //!< whether it has received it
        bool heard = false;   //!< whether the sender has heard so
    };

    /// What a recipient does in a streak besides listening
    struct Answers
    {
        double share = 0; //!< part of the time that it acknowledges, by its duty cycle
        Time sent;        //!< for how long it has
        Time left;        //!< for how long it goes on with the one on air
    };

    void HandleListening() override;
    void SendOnce() override;
    void Repeat(std::size_t recipient, uint32_t maxAttempts) override;
    void BeginAttempt() override;
    void FinishPass() override;
    void CutPass() override;
    void CutPassAt(std::size_t recipient) override;
    void CatchUp() override;
    void ChangeReach() override;
    Time GetPassAirtime() const override;

    /// @return whether to look for a streak now, and not only at a later fragment
    bool IsWorthIt();
    /// @return how many fragments from the present one on are none with which the packet is whole
    std::size_t CountUndecisive() const;
    /// @return indices of all devices where the sender is heard, or that it sends to
    std::vector<uint32_t> FindDevices() const;
    /// @brief Begin a streak with the present fragment.
    void BeginStreak();
    /// @brief Draw how long a streak of repetitions is.
    void DrawRepetitions();
    /// @brief Begin the duty cycles; who is told may cut the streak off.
    void BeginCycles();
    /// @brief The streak was not disturbed.
    void EndStreak();
    /// @brief Go on fragment by fragment.
    /// @param gone index of a recipient that went off just now; or the number of all of them
    void Break(std::size_t gone);
    /// @brief The streak is over: count what is complete of it, and end the duty cycles.
    /// @param gone see Break()
    /// @param goesOn whether anything is simulated from now on
    /// @return how far it was; the present fragment is the one that was under way, or the last one
    Progress Stop(std::size_t gone, bool goesOn);
    /// @brief Go on with the fragment on air.
    /// @param phase since when it is
    void ResumeFragment(Time phase);
    /// @brief Go on in the window behind a fragment.
    /// @param phase since when that is under way
    void ResumeWindow(Time phase);
    /// @brief Let a fragment arrive, and be acknowledged, where it has not yet.
    /// @param phase since when it is under way; it is sent
    void LetArrive(Time phase);
    /// @return how far the streak is
    Progress GetProgress() const;
    /// @param progress how far the streak is
    /// @return for how long its sender has transmitted
    Time GetAirtimeOf(const Progress& progress) const;
    /// @param recipient index of a recipient that follows
    /// @param number number of a fragment in the streak, which is over there
    /// @return what became of it
    Outcome GetOutcome(std::size_t recipient, uint32_t number);
    /// @brief Count what a recipient has received.
    /// @param recipient its index
    /// @param progress how far the streak is
    void SettleAt(std::size_t recipient, const Progress& progress);
    /// @param progress how far the streak was
    /// @param goesOn whether anything is simulated from now on
    void EndCycles(const Progress& progress, bool goesOn);
    /// @brief Begin the sender's duty cycle.
    void BeginOwnCycle();
    /// @brief End the sender's duty cycle, and put right what it has booked.
    /// @param progress how far the streak is
    void EndOwnCycle(const Progress& progress);

    /// Fragments of the first streak after one that was disturbed; then they become longer, so that
    /// little is drawn in vain
    static constexpr uint32_t SHORTEST = 64;

    bool m_playing = false;          //!< whether a streak is under way
    uint32_t m_most = SHORTEST;      //!< fragments that the next one may have
    uint32_t m_byFragment = 0;       //!< attempts to be played before the next one
    Time m_start;                    //!< when it began
    Time m_window;                   //!< for how long its sender listens after each fragment
    uint32_t m_length = 0;           //!< its fragments
    bool m_fails = false;            //!< whether the last one fails
    bool m_lastArrives = false;      //!< if so, whether only its acknowledgment is lost
    uint64_t m_watch = 0;            //!< number at the channel's signals
    std::vector<D2dReach> m_heardAt; //!< where its fragments are heard
    D2dDutyCycle m_cycle;            //!< of the sender
    bool m_cycling = false;          //!< whether it has it
    bool m_listensAnyway = false;    //!< whether it listens to others meanwhile
    Time m_cycleStart;               //!< since when both hold
    Time m_airtimeBefore;            //!< for how long it had transmitted by then
    std::vector<Answers> m_answers;  //!< of the recipients of the pass
};

} // namespace ns3::collab

#endif /* D2D_STREAK_TRANSMISSION_H */
