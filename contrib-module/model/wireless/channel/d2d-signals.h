/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SIGNALS_H
#define D2D_SIGNALS_H

#include "d2d-outside.h"

#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-subchannels.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief The signals on a D2dChannel: on which subchannels they are, and which can disturb others.
class D2dSignals
{
  public:
    /// Weakening from which on nothing leaks from a subchannel into another one [dB]
    static constexpr double NO_LEAKAGE_DB = 1000;

    /// @param settings what the channel's attributes say; outlives the use of this
    explicit D2dSignals(const D2dChannelSettings& settings);
    /// @brief Let go of those outside.
    void Dispose();

    /// @param outside others who share the band
    void
    SetOutside(Ptr<D2dOutside> outside)
    {
        m_outside = outside;
    }
    /// @return others who share the band, or null
    D2dOutside*
    GetOutside() const
    {
        return PeekPointer(m_outside);
    }
    /// @return whether signals of devices can interfere
    bool
    Interferes() const
    {
        return m_settings.Interferes();
    }
    /// @return whether fragments can be disturbed at all, by those of devices or from outside
    bool
    IsDisturbed() const
    {
        return m_outside || Interferes();
    }
    /// @return number of subchannels that the channel's band has; 1 if it is not divided, or each
    /// device has one of its own
    uint32_t CountSubchannels() const;
    /// @return signals on air if fragments can be disturbed, or could before; else null
    D2dSubchannels* GetSubchannels();
    /// @param device a device of this channel
    /// @return the subchannel that it sends on, from 0 on, where signals can interfere; else 0
    uint32_t GetSubchannel(const D2dPhy& device) const;
    /// @param device a device of this channel
    /// @param subchannel what a signal is on
    /// @return whether the device looks for others there before it sends, if it does at all
    bool SensesOn(const D2dPhy& device, uint32_t subchannel) const;

  private:
    const D2dChannelSettings& m_settings;        //!< what the channel's attributes say
    Ptr<D2dOutside> m_outside;                   //!< others who share the band
    std::optional<D2dSubchannels> m_subchannels; //!< signals; made when it is first needed
};

} // namespace ns3::collab

#endif /* D2D_SIGNALS_H */
