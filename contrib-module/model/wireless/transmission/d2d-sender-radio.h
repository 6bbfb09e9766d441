/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SENDER_RADIO_H
#define D2D_SENDER_RADIO_H

#include "ns3/d2d-phy-state.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief What the radio of a burst's sender does for it, and for how long it has transmitted.
 *
 * Who is told of a change may switch the sender off, as an energy source does that finds itself
 * empty, or cancel the burst.
 */
class D2dSenderRadio
{
  public:
    /// @param state what the radio is doing; outlives this
    explicit D2dSenderRadio(D2dPhyState& state);

    /// @brief The sender begins to transmit.
    void BeginTransmitting();
    /// @brief It stops to transmit, if it does.
    void EndTransmitting();
    /// @return whether it transmits
    bool
    IsTransmitting() const
    {
        return m_transmitting;
    }
    /// @brief It begins to listen for acknowledgments.
    void BeginListening();
    /// @brief It stops to listen for acknowledgments, if it does.
    void EndListening();
    /// @param airtime airtime for which it has transmitted besides
    void
    AddAirtime(Time airtime)
    {
        m_airtime += airtime;
    }
    /// @return how long it has transmitted, what it is just transmitting left out
    Time
    GetAirtime() const
    {
        return m_airtime;
    }
    /// @return how long it has been transmitting since BeginTransmitting(), if it is
    Time GetPresentAirtime() const;
    /// @brief The run is over: the radio stays as it is.
    /// @param airtime how long it has transmitted in all
    void EndRun(Time airtime);

  private:
    D2dPhyState& m_state;             //!< what the radio is doing
    bool m_transmitting = false;      //!< whether it transmits
    bool m_listening = false;         //!< whether it listens for acknowledgments
    uint64_t m_transmittingEpoch = 0; //!< its epoch when it began to transmit
    uint64_t m_listeningEpoch = 0;    //!< the same when it began to listen
    Time m_since;                     //!< since when it transmits
    Time m_airtime;                   //!< how long it transmitted before
};

} // namespace ns3::collab

#endif /* D2D_SENDER_RADIO_H */
