/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-signals.h"

#include "ns3/collab-error.h"
#include "ns3/d2d-phy.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::collab
{

D2dSignals::D2dSignals(const D2dChannelSettings& settings)
    : m_settings(settings)
{
}

void
D2dSignals::Dispose()
{
    if (m_outside)
    {
        m_outside->Dispose();
        m_outside = nullptr;
    }
}

uint32_t
D2dSignals::CountSubchannels() const
{
    return m_settings.access == D2dAccess::OFDMA ? std::max(m_settings.subchannels, uint32_t{1})
                                                 : 1;
}

D2dSubchannels*
D2dSignals::GetSubchannels()
{
    if (IsDisturbed() && !m_subchannels)
    {
        m_subchannels.emplace();
    }
    if (!m_subchannels)
    {
        return nullptr;
    }
    // Without interference a device hears several fragments at once
    m_subchannels->SetLocking(Interferes() ? m_settings.locking : D2dLocking::NONE,
                              m_settings.captureRatio);
    const bool isDivided = m_settings.access == D2dAccess::OFDMA;
    const bool leaks = isDivided && m_settings.leakageDb < NO_LEAKAGE_DB;
    m_subchannels->SetDivision(isDivided ? m_settings.subchannels : 1,
                               leaks ? std::pow(10.0, -m_settings.leakageDb / 10) : 0.0);
    return &*m_subchannels;
}

uint32_t
D2dSignals::GetSubchannel(const D2dPhy& device) const
{
    const uint32_t subchannels = m_settings.subchannels;
    if (m_settings.access != D2dAccess::OFDMA || subchannels == 0)
    {
        return 0;
    }
    const uint32_t given = device.GetSubchannel();
    if (given == D2dPhy::ANY_SUBCHANNEL)
    {
        return device.GetChannelIndex() % subchannels;
    }
    if (given >= subchannels)
    {
        throw UserError("D2dPhy::Subchannel is " + std::to_string(given) +
                        "; the channel has Subchannels " + std::to_string(subchannels) +
                        ", from 0 on");
    }
    return given;
}

bool
D2dSignals::SensesOn(const D2dPhy& device, uint32_t subchannel) const
{
    return Interferes() && GetSubchannel(device) == subchannel;
}

} // namespace ns3::collab
