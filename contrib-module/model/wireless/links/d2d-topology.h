/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TOPOLOGY_H
#define D2D_TOPOLOGY_H

#include "d2d-kept-links.h"
#include "d2d-propagation.h"
#include "d2d-ranges.h"

#include "ns3/d2d-audience.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-link.h"
#include "ns3/mobility-model.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Who hears whom on a D2dChannel: link budgets from positions, found without looking at all
 * pairs, and kept while they hold.
 *
 * Receivers out of range are culled by a spatial index if the chain of loss models allows to say
 * how far power reaches. Links between devices that stand still, over a chain of models without
 * time or chance, are kept until one of the two is placed elsewhere or its power or sensitivity
 * changes; then its links alone are found anew. Links from or to a device that moves by itself are
 * computed at each send. A change of an attribute of a model, or of the chain of models, is noticed
 * at the next send. Of models that can change in other ways one of the kept links is computed anew
 * at each send.
 *
 * Devices of one node hear each other, but are no audience of each other.
 */
class D2dTopology
{
  public:
    /// @param settings what the channel's attributes say; read whenever links are asked for
    explicit D2dTopology(const D2dChannelSettings& settings);
    ~D2dTopology();
    D2dTopology(const D2dTopology&) = delete;
    D2dTopology& operator=(const D2dTopology&) = delete;

    /// @param phy the radio of a device; its node may get its mobility model later
    void Add(Ptr<D2dPhy> phy);
    /// @param model head of the chain that gives the received power
    void SetLossModel(Ptr<PropagationLossModel> model);
    /// @param model model that gives the propagation delay; null for none
    void SetDelayModel(Ptr<PropagationDelayModel> model);
    /// @return powers and delays
    const D2dPropagation&
    GetPropagation() const
    {
        return m_propagation;
    }
    /// @return why links are computed anew at each send, all or those of devices that move; empty
    /// if all are kept
    std::string ExplainUnkept();
    /// @return whether links are those of before until CountAllChanges() grows: no device moves by
    /// itself, and models depend on nothing but what shows its changes
    bool
    IsFixed() const
    {
        return m_prepared && m_doubt.empty() && m_movers.empty() && m_propagation.ShowsChanges();
    }
    /// @return counts what may have changed links since the first device joined
    uint64_t
    CountAllChanges() const
    {
        return m_version + CountChanges();
    }
    /// @brief Forget what was kept: models, or what is not known of, have changed.
    void Invalidate();
    /// @param device index of a device whose power or sensitivity has changed
    void NotifyRadioChange(uint32_t device);

    /// @param cutoffDbm power from which on a signal disturbs who cannot hear it; infinite for none
    /// [dBm]
    void SetInterferenceCutoffDbm(double cutoffDbm);
    /// @param transmitter index of a device
    /// @param receiver index of another one
    /// @return the link between them now
    D2dLink GetLink(uint32_t transmitter, uint32_t receiver);
    /// @param transmitter index of a device
    /// @return links to all devices of other nodes in range of it now, by ascending index
    const std::vector<D2dLink>&
    GetLinks(uint32_t transmitter)
    {
        return GetAudience(transmitter)->links;
    }
    /// @param transmitter index of a device
    /// @return the same, in the order in which a signal reaches them
    const std::shared_ptr<const D2dAudience>& GetAudience(uint32_t transmitter);
    /// @param transmitter index of a device
    /// @param group nodes of other devices, in range or not
    /// @param findIndex function that tells the index of the device of a node of the group
    /// @return links to these devices now, by ascending index
    const std::shared_ptr<const D2dAudience>& GetGroupAudience(
        uint32_t transmitter,
        const D2dGroup& group,
        const std::function<uint32_t(uint32_t node)>& findIndex);
    /// @param transmitter index of a device that sends to an audience
    /// @param audience links that were found now
    /// @param isToAll whether it is that of GetAudience()
    /// @return links to all devices that hear it or are disturbed by it, of its own node too, by
    /// ascending index: those of the audience, and others found now
    std::vector<D2dLink> GetReach(uint32_t transmitter, const D2dAudience& audience, bool isToAll);
    /// @param transmitter index of a device
    /// @param receiver index of another one
    /// @return mean received signal strength now [W], linear
    double GetRssW(uint32_t transmitter, uint32_t receiver);

  private:
    /// What else is known of a device
    struct Entry
    {
        Ptr<D2dPhy> phy;                //!< its radio
        std::vector<uint32_t> siblings; //!< indices of other devices of its node
        bool still = false;             //!< whether it moves only by being placed elsewhere
    };
    using Kept = D2dKeptLinks::Kept;

    /// @param link a link
    /// @return whether a signal disturbs its receiver
    bool Disturbs(const D2dLink& link) const;
    /// @brief Find mobility models, the range of each device, and what can be kept.
    void Prepare();
    /// @return whether links are to be found as they were when Prepare() was called
    bool IsPreparedForSettings() const;
    /// @param index index of a device whose mobility model is to be found and followed
    void FindMobility(uint32_t index);
    /// @param index index of a device whose power and sensitivity are to be read
    void ReadRadio(uint32_t index);
    /// @brief Find the devices that are on one node, if some have been added.
    void FindSiblings();
    /// @return which devices move by themselves; empty if none does
    std::string NameMovers() const;
    /// @param transmitter index of a device
    /// @param kept links of it
    /// @return whether they hold now; if not, those that are found now have to be kept instead
    bool Holds(uint32_t transmitter, Kept& kept);
    /// @brief Find those of kept links anew that are to devices that have changed, or move.
    /// @param transmitter index of a device
    /// @param kept links of it
    /// @return whether that was done; if not, all have to be found anew
    bool PutRight(uint32_t transmitter, Kept& kept);
    /// @param kept links of a device
    /// @param stale list that gets the indices of devices that have changed since, or move,
    /// ascending
    /// @return whether they are so few that they are worth to be treated one by one
    bool FindStale(const Kept& kept, std::vector<uint32_t>& stale) const;
    /// @param transmitter index of a device
    /// @param kept links of it that have been put right
    /// @return whether one of them, another one each time, is the same when it is computed anew
    bool ProbeHolds(uint32_t transmitter, Kept& kept) const;
    /// @brief Keep links as long as they hold.
    /// @param transmitter index of their sender
    /// @param kept entry to keep them in
    /// @param links what was found now
    /// @param faint see D2dAudience
    void Keep(uint32_t transmitter,
              Kept& kept,
              std::vector<D2dLink> links,
              std::vector<D2dLink> faint = {});
    /// @return how often something of one device has changed
    uint64_t
    CountChanges() const
    {
        return m_changesBefore + m_changed.size();
    }
    /// @param device index of a device of which something has changed that its links depend on
    void NoteChange(uint32_t device);
    /// @param transmitter index of a device
    /// @param receiver index of another one
    /// @return the link between them now
    D2dLink MakeLink(uint32_t transmitter, uint32_t receiver) const;
    /// @param topology where to note it
    /// @param device index of a device that was placed elsewhere
    /// @param model its mobility model
    static void HandleCourseChange(D2dTopology* topology,
                                   uint32_t device,
                                   Ptr<const MobilityModel> model);

    std::vector<Entry> m_entries;   //!< devices, in the order of adding
    std::vector<D2dLinkEnd> m_ends; //!< the same, whose radios m_entries hold
    std::size_t m_withSiblings = 0; //!< devices whose siblings are known
    std::vector<uint32_t> m_movers; //!< indices of those that move by themselves
    D2dPropagation m_propagation;   //!< powers and delays
    D2dRanges m_ranges;             //!< how far devices reach
    D2dKeptLinks m_kept;            //!< links that were found before
    /// Power from which on a signal disturbs; infinite if only those in range do [dBm]
    double m_interferenceCutoffDbm = std::numeric_limits<double>::infinity();
    bool m_prepared = false;              //!< whether Prepare() holds
    const D2dChannelSettings& m_settings; //!< what the channel's attributes say
    D2dChannelSettings m_preparedFor;     //!< the same when Prepare() was called
    std::string m_doubt;                  //!< why no links are kept; empty if they are
    uint64_t m_version = 1;               //!< grows when no kept links hold any longer
    std::vector<uint32_t> m_changed;      //!< devices of which something has changed, in this order
    uint64_t m_changesBefore = 0;         //!< changes that are no longer in m_changed
};

} // namespace ns3::collab

#endif /* D2D_TOPOLOGY_H */
