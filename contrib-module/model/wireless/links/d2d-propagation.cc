/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-propagation.h"

#include "ns3/d2d-model-knowledge.h"

#include <cmath>

namespace ns3::collab
{

namespace
{

/// @param delay a time
/// @param resolution another one; 0 for none
/// @return the least multiple of the resolution that is not less than the delay
Time
RoundUp(Time delay, Time resolution)
{
    const int64_t step = resolution.GetTimeStep();
    return step > 0 ? TimeStep((delay.GetTimeStep() + step - 1) / step * step) : delay;
}

} // namespace

D2dPropagation::D2dPropagation(const D2dChannelSettings& settings)
    : m_settings(settings)
{
}

double
D2dPropagation::FindRssW(const D2dLinkEnd& from, const D2dLinkEnd& to) const
{
    const double dbm = m_lossModel->CalcRxPower(from.txPowerDbm, from.mobility, to.mobility);
    return std::pow(10.0, (dbm - 30) / 10);
}

Time
D2dPropagation::FindDelay(const D2dLinkEnd& from, const D2dLinkEnd& to) const
{
    return m_delayModel ? RoundUp(m_delayModel->GetDelay(from.mobility, to.mobility),
                                  m_settings.delayResolution)
                        : Time();
}

std::string
D2dPropagation::FindDoubt() const
{
    if (m_settings.keeping == D2dLinkKeeping::NEVER)
    {
        return "KeepLinks is Never";
    }
    if (m_settings.keeping == D2dLinkKeeping::ALWAYS)
    {
        return "";
    }
    const std::string unknown = " may depend on time or chance; if it does not, KeepLinks can be "
                                "Always";
    if (Ptr<PropagationLossModel> model = FindD2dUnknown(m_lossModel))
    {
        return model->GetInstanceTypeId().GetName() + unknown;
    }
    return IsD2dTimeInvariant(m_delayModel) ? ""
                                            : m_delayModel->GetInstanceTypeId().GetName() + unknown;
}

void
D2dPropagation::Watch(bool keepsLinks)
{
    m_watch.Clear();
    m_chain.clear();
    m_showsChanges = ShowD2dChanges(m_lossModel);
    if (m_settings.keeping != D2dLinkKeeping::ALWAYS && FindD2dUnknown(m_lossModel))
    {
        return; // neither links nor ranges are kept
    }
    for (Ptr<PropagationLossModel> model = m_lossModel; model; model = model->GetNext())
    {
        m_watch.Add(model);
        m_chain.push_back(model);
    }
    if (keepsLinks && m_delayModel)
    {
        m_watch.Add(m_delayModel);
    }
}

bool
D2dPropagation::HasChanged() const
{
    if (m_watch.HasChanged())
    {
        return true;
    }
    for (std::size_t i = 0; i < m_chain.size(); ++i)
    {
        const auto* next = i + 1 < m_chain.size() ? PeekPointer(m_chain[i + 1]) : nullptr;
        if (PeekPointer(m_chain[i]->GetNext()) != next)
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3::collab
