/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PHY_STATE_H
#define D2D_PHY_STATE_H

#include "d2d-followed.h"
#include "d2d-phy-user.h"
#include "d2d-radio-activity.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::collab
{

enum class D2dLossReason;

/// @ingroup collab-wireless
/// @brief Whether a device can receive while it transmits.
enum class D2dDuplex
{
    HALF, //!< it cannot, and waits with its own burst until those that it receives are over
    FULL, //!< it can
};

/**
 * @ingroup collab-wireless
 * @brief What a radio is doing: whether it is on, what it transmits and listens to, and which
 * bursts it follows.
 *
 * A radio that goes off begins a new epoch, and loses what it has followed. Who is
 * told of a change may make the radio act again.
 */
class D2dPhyState
{
  public:
    /// @param trace tells of each change
    explicit D2dPhyState(const TracedCallback<const D2dRadioActivity&>& trace);
    D2dPhyState(const D2dPhyState&) = delete;
    D2dPhyState& operator=(const D2dPhyState&) = delete;

    /// @param user who uses the radio, and outlives it or its use
    void
    SetUser(D2dPhyUser* user)
    {
        m_user = user;
    }
    /// @param duplex whether it can receive while it transmits
    void
    SetDuplex(D2dDuplex duplex)
    {
        m_duplex = duplex;
    }
    /// @return the same
    D2dDuplex
    GetDuplex() const
    {
        return m_duplex;
    }
    /// @brief Forget the bursts that it follows.
    void
    Dispose()
    {
        m_followed.clear();
    }

    /// @return whether the radio is powered
    bool
    IsOn() const
    {
        return m_activity.on;
    }
    /// @return what the radio is doing
    const D2dRadioActivity&
    GetActivity() const
    {
        return m_activity;
    }
    /// @param listener told of each change of what the radio is doing, before the trace source is
    void RegisterListener(D2dPhyListener* listener);
    /// @param listener told no more
    void UnregisterListener(D2dPhyListener* listener);
    /// @return counts how often the radio was switched off; tells stale events from others
    uint64_t
    GetEpoch() const
    {
        return m_epoch;
    }

    /// @brief Power the radio on, and tell of it.
    void TurnOn();
    /// @brief Power the radio off. Nobody is told; BeginEpoch() and NotifyActivity() must follow.
    void TurnOff();
    /// @brief It is off: all that it has followed is lost.
    void BeginEpoch();
    /// @brief What the radio does has changed.
    void NotifyActivity();
    /// @param now the present moment, at which it has
    void
    NotifyActivity(const Time& now)
    {
        if (m_corrects)
        {
            NotifyCorrection({});
            return;
        }
        TellActivity(now);
    }
    /// @brief What the radio does has changed, or what was said of it was not so.
    /// @param correction correction of what was said before; all are told of it once
    void NotifyCorrection(const D2dCorrection& correction);

    /// @param sending whether the device has a burst of its own under way; a half-duplex one then
    /// no longer overhears what it did
    void SetSending(bool sending);
    /// @return whether it has
    bool
    IsSending() const
    {
        return m_sending;
    }
    /// @param transmitting whether the radio transmits its burst; ignored when it is off
    void SetTransmitting(bool transmitting);
    /// @param powerW power of the analog signal that the radio transmits; 0 for none; ignored when
    /// it is off [W]
    void SetAnalogPower(double powerW);
    /// @brief The radio transmits acknowledgments.
    /// @param duration airtime of the acknowledgments
    /// @return whether it does; nobody who was told of it has switched it off
    bool TransmitAcknowledgments(Time duration);
    /// @param cycle what the radio does by turns from now on, besides what else it does
    void BeginCycle(const D2dDutyCycle& cycle);
    /// @brief The radio no longer does so.
    /// @param cycle what BeginCycle() was told
    /// @param correction correction of it
    /// @param epoch the radio's epoch when it began
    void EndCycle(const D2dDutyCycle& cycle, const D2dCorrection& correction, uint64_t epoch);

    /// @brief A burst that this device is to receive begins.
    /// @return NONE if it will follow the burst, or why it cannot
    D2dLossReason BeginBurst();
    /// @brief A burst that BeginBurst() accepted is over.
    /// @param epoch the radio's epoch when it was accepted
    void EndBurst(uint64_t epoch);
    /// @param wanted whether D2dPhyUser::HandleBurstEnd() is to be called
    void
    TellBurstEnds(bool wanted)
    {
        m_tellsBurstEnds = wanted;
    }
    /// @return bursts of others that this device follows
    uint32_t
    CountFollowed() const
    {
        return m_reservations;
    }
    /// @brief Follow a burst of which a part may be received at any moment.
    /// @param burst told if this radio goes off
    void AddFollowed(Ptr<D2dFollowed> burst);
    /// @param burst a burst that is over
    void RemoveFollowed(const D2dFollowed& burst);
    /// @brief Change what the radio transmits with: what it has transmitted is accounted for.
    /// @param change makes the change
    void ChangePower(const std::function<void()>& change);
    /// @brief The radio begins to listen to a burst.
    /// @param now the present moment: ns-3 takes long to tell it
    void
    BeginListening(const Time& now)
    {
        if (IsOn())
        {
            ++m_listening;
            NotifyActivity(now);
        }
    }
    /// @brief The radio stops listening to a burst.
    /// @param epoch the radio's epoch when it began
    /// @param now the present moment
    void
    EndListening(uint64_t epoch, const Time& now)
    {
        if (epoch == m_epoch)
        {
            --m_listening;
            NotifyActivity(now);
        }
    }
    /// @return whether the radio is free to listen to a burst that is for others, and now begins
    bool CanOverhear() const;
    /// @return counts how often the radio lost what it overheard
    uint64_t
    GetOverhearingEpoch() const
    {
        return m_overhearingEpoch;
    }
    /// @brief The radio, which can, begins to listen to a burst that is for others.
    void BeginOverhearing();
    /// @brief The radio stops to.
    /// @param epoch GetOverhearingEpoch() before it began
    void EndOverhearing(uint64_t epoch);

  private:
    /// @brief Tell listeners, and by the trace source, what the radio is doing.
    /// @param now the present moment
    void
    TellActivity(const Time& now)
    {
        const bool listens = m_listening > 0 || m_overheard > 0;
        const bool changes = std::exchange(m_activity.receiving, listens) != listens;
        if (changes && m_cycles > 0)
        {
            InterruptCycle();
        }
        if (!m_listeners.empty() || !m_trace.IsEmpty())
        {
            TellListeners(now);
        }
    }
    /// @param now the present moment
    void TellListeners(const Time& now);
    /// @brief It has a duty cycle, and begins or stops to listen besides.
    void InterruptCycle();
    /// @brief The radio has transmitted its acknowledgments.
    /// @param epoch the radio's epoch when the acknowledgments began
    void EndAcknowledgments(uint64_t epoch);

    uint64_t m_epoch = 0;                     //!< see GetEpoch()
    uint32_t m_listening = 0;                 //!< signals that it listens to
    uint32_t m_reservations = 0;              //!< see CountFollowed()
    uint32_t m_cycles = 0;                    //!< duty cycles that it has
    uint32_t m_overheard = 0;                 //!< bursts for others that it listens to
    D2dDuplex m_duplex = D2dDuplex::HALF;     //!< see SetDuplex()
    bool m_sending = false;                   //!< see SetSending()
    bool m_tellsBurstEnds = true;             //!< see TellBurstEnds()
    bool m_corrects = false;                  //!< whether m_activity has a correction
    D2dPhyUser* m_user = nullptr;             //!< who uses this radio
    D2dRadioActivity m_activity;              //!< what the radio is doing
    std::vector<D2dPhyListener*> m_listeners; //!< see RegisterListener()
    std::vector<Ptr<D2dFollowed>> m_followed; //!< see AddFollowed()
    uint64_t m_overhearingEpoch = 0;          //!< see GetOverhearingEpoch()
    const TracedCallback<const D2dRadioActivity&>& m_trace; //!< tells of each change
};

} // namespace ns3::collab

#endif /* D2D_PHY_STATE_H */
