/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PROPAGATION_H
#define D2D_PROPAGATION_H

#include "d2d-attribute-watch.h"

#include "ns3/d2d-channel-settings.h"
#include "ns3/mobility-model.h"
#include "ns3/nstime.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

class D2dPhy;

/// @ingroup collab-wireless
/// @brief What a link depends on at one of its ends.
struct D2dLinkEnd
{
    Ptr<MobilityModel> mobility; //!< where it is; null until it is asked for
    D2dPhy* phy = nullptr;       //!< its radio
    double txPowerDbm = 0;       //!< of its radio [dBm]
    double rxSensitivityW = 0;   //!< of its radio [W]
    uint32_t node = 0;           //!< its node, once mobility is known
};

/**
 * @ingroup collab-wireless
 * @brief Power and delay between two places, by ns-3's models, and whether these can change
 * unnoticed.
 *
 * A model has neither time nor chance in it if it is one of ns-3's of which that is known, or if it
 * says so: by an attribute Changes, a number that grows with every change of what it gives between
 * two places that none of its other attributes shows.
 */
class D2dPropagation
{
  public:
    /// @param settings what the channel's attributes say; read whenever it matters
    explicit D2dPropagation(const D2dChannelSettings& settings);

    /// @param model head of the chain that gives the received power
    void
    SetLossModel(Ptr<PropagationLossModel> model)
    {
        m_lossModel = model;
    }
    /// @return the same
    const Ptr<PropagationLossModel>&
    GetLossModel() const
    {
        return m_lossModel;
    }
    /// @param model model that gives the propagation delay; null for none
    void
    SetDelayModel(Ptr<PropagationDelayModel> model)
    {
        m_delayModel = model;
    }
    /// @return the same
    const Ptr<PropagationDelayModel>&
    GetDelayModel() const
    {
        return m_delayModel;
    }

    /// @param from a device
    /// @param to another one
    /// @return mean received signal strength now [W]
    double FindRssW(const D2dLinkEnd& from, const D2dLinkEnd& to) const;
    /// @param from a device
    /// @param to another one
    /// @return delay now
    Time FindDelay(const D2dLinkEnd& from, const D2dLinkEnd& to) const;

    /// @return why no links can be kept; empty if they can
    std::string FindDoubt() const;
    /// @brief From now on, notice changes of the models that links or ranges were computed with.
    /// @param keepsLinks whether links are kept, and not ranges alone
    void Watch(bool keepsLinks);
    /// @return whether a model of the chain, or the chain, is another one than at Watch()
    bool HasChanged() const;
    /// @return whether nothing of them changes but what is noticed
    bool
    ShowsChanges() const
    {
        return m_showsChanges;
    }

  private:
    const D2dChannelSettings& m_settings;           //!< what the channel's attributes say
    Ptr<PropagationLossModel> m_lossModel;          //!< gives the received power
    Ptr<PropagationDelayModel> m_delayModel;        //!< gives the delay
    D2dAttributeWatch m_watch;                      //!< of the models, if anything of them is kept
    std::vector<Ptr<PropagationLossModel>> m_chain; //!< the models of the chain, if so
    bool m_showsChanges = false;                    //!< see ShowsChanges()
};

} // namespace ns3::collab

#endif /* D2D_PROPAGATION_H */
