/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RADIO_ACTIVITY_H
#define D2D_RADIO_ACTIVITY_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What a radio does by turns, too often to tell every turn: parts of the time.
struct D2dDutyCycle
{
    double transmitting = 0; //!< for which it transmits
    double listening = 0;    //!< for which it listens

    /// @return whether there is any
    bool
    IsAny() const
    {
        return transmitting != 0 || listening != 0;
    }
};

/// @ingroup collab-wireless
/// @brief For how much longer a radio did something than its duty cycle has said; negative if for
/// less long.
struct D2dCorrection
{
    Time transmitting; //!< it transmitted
    Time listening;    //!< it listened
    Time idle;         //!< it did neither

    /// @return whether there is any
    bool
    IsAny() const
    {
        return !transmitting.IsZero() || !listening.IsZero() || !idle.IsZero();
    }
};

/// @ingroup collab-wireless
/// @brief What a radio is doing, as far as it costs energy.
struct D2dRadioActivity
{
    bool on = true;            //!< whether the radio is powered
    uint32_t transmitting = 0; //!< signals that it transmits: its burst, and acknowledgments
    double analogPowerW = 0;   //!< of an analog signal that it transmits besides; 0 for none [W]
    bool receiving = false;    //!< whether it listens to at least one burst, or for acknowledgments
    D2dDutyCycle cycle;        //!< what it does by turns besides
    D2dCorrection correction;  //!< of what was said before; told once
};

/// @ingroup collab-wireless
/// @brief Told of each change of what a radio is doing, at less cost than by a trace source.
class D2dPhyListener
{
  public:
    virtual ~D2dPhyListener() = default;
    /// @param activity what the radio does from now on
    /// @param now the present moment
    virtual void HandleActivity(const D2dRadioActivity& activity, const Time& now) = 0;
};

} // namespace ns3::collab

#endif /* D2D_RADIO_ACTIVITY_H */
