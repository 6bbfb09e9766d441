/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MEDIUM_H
#define D2D_MEDIUM_H

#include "d2d-admission.h"
#include "d2d-losses.h"
#include "d2d-medium-user.h"
#include "d2d-signals.h"
#include "d2d-tdma-schedule.h"

#include "ns3/d2d-air.h"
#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-links.h"
#include "ns3/d2d-phy-user.h"
#include "ns3/d2d-recipient.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What is between the devices of a D2dChannel, as their radios, their medium access and
/// transmissions see it: links, losses and signals, and who may send.
class D2dMedium : public D2dAir
{
  public:
    /// @param settings what the channel's attributes say; outlives the use of this
    /// @param channel number of the channel, for streams of its own
    D2dMedium(const D2dChannelSettings& settings, uint32_t channel);
    ~D2dMedium() override;
    D2dMedium(const D2dMedium&) = delete;
    D2dMedium& operator=(const D2dMedium&) = delete;

    /// @brief The channel is disposed of: forget all devices.
    void Dispose();
    /// @brief A device joins.
    /// @param radio its radio, which gets its index
    /// @param user its medium access; outlives the use of this
    void Add(Ptr<D2dPhy> radio, D2dMediumUser& user);

    /// @return who is there, and who hears whom
    D2dLinks&
    Links() const
    {
        return *m_links;
    }
    /// @return what becomes of fragments
    D2dLosses&
    Losses() const
    {
        return *m_losses;
    }
    /// @return what is on air
    D2dSignals&
    Signals() const
    {
        return *m_signals;
    }
    /// @return who waits for receivers that have no place
    D2dAdmission&
    Admission() const
    {
        return *m_admission;
    }
    /// @return what the channel's attributes say
    const D2dChannelSettings&
    GetSettings() const
    {
        return m_settings;
    }

    /// @param waits whether a sender waits for an acknowledgment of each fragment, whose
    /// transmissions receivers combine
    /// @return whether its fragments have to be simulated one by one, whatever the fidelity: for
    /// radios outside each is a signal, and what it meets depends on when it is sent
    bool NeedsFragments(bool waits) const;
    /// @param sender a device that waits for an acknowledgment
    /// @param link link from it to the device that acknowledges
    /// @param turnaround the sender's turnaround time
    /// @return see D2dLosses::GetAcknowledgmentLoss()
    double GetAcknowledgmentLoss(const D2dPhy& sender, const D2dLink& link, Time turnaround) const;
    /// @return turns of the devices if they have turns, else null
    D2dTdmaSchedule* GetTdmaSchedule();

    /// @param limited whether a device can receive a limited number of bursts at once, or senders
    /// wait until it hears
    void LimitReceptions(bool limited);
    /// @return whether one or more can, whatever the access
    bool
    HasReceptionLimits() const
    {
        return m_limitsReceptions;
    }
    /// @return whether one or more can; only if each transmitter has a subchannel of its own
    bool LimitsReceptions() const;
    /// @return whether some receiver may have no place: it has a limit, or is closed
    bool ChecksPlace() const;
    /// @brief A receiver has place again: who waits for it tries again.
    /// @param receiver its index
    void NotifyPlace(uint32_t receiver);
    /// @brief Limits of a receiver have changed: all who wait try again.
    void NotifyLimits();
    /// @brief A device that waits no longer claims whom it has claimed, if anybody: who waits for
    /// one of them tries again, and so does the device itself.
    /// @param sender its index
    void ReleaseClaim(uint32_t sender);
    /// @brief All bursts of a device have to wait.
    /// @param sender its index
    /// @param receivers see D2dAdmission::Await()
    void AwaitPlace(uint32_t sender, const std::vector<uint32_t>& receivers);
    /// @param overhearing what a device of this channel decodes of bursts that are for others
    void NoteOverhearing(D2dOverhearing overhearing);
    /// @return whether any has decoded anything of them; else senders need not look for it
    bool
    HasOverhearing() const
    {
        return m_hasOverhearing;
    }

    /// @param count number of recipients of a burst
    /// @return recipients as they are by default, in memory that an earlier burst has left
    std::vector<D2dRecipient> TakeRecipients(std::size_t count);
    /// @param recipients recipients of a burst that is over
    void ReturnRecipients(std::vector<D2dRecipient>&& recipients);

    double GetNoiseW(double bandwidthHz) const override;
    std::optional<double> FindSpectralEfficiency(const D2dPhy& sender,
                                                 const D2dLink& link,
                                                 double targetOutage,
                                                 double least,
                                                 double greatest) const override;
    std::optional<double> FindSpectralEfficiency(const D2dSignal& signal,
                                                 double targetOutage,
                                                 double least,
                                                 double greatest) const override;
    void HandleRadioChange(const D2dPhy& radio) override;
    void HandleAcknowledgments(const D2dPhy& radio, Time duration) override;

  private:
    /// Make anew what knows devices.
    void Clear();
    /// @return whether links are what they were when this was asked before
    bool HoldsLinks();
    /// @param senders indices of devices that have waited, ascending; who finds no place waits anew
    void Retry(const std::vector<uint32_t>& senders);

    const D2dChannelSettings& m_settings;           //!< what the channel's attributes say
    uint32_t m_channel;                             //!< number of the channel
    std::unique_ptr<D2dLinks> m_links;              //!< see Links()
    std::unique_ptr<D2dLosses> m_losses;            //!< see Losses()
    std::unique_ptr<D2dSignals> m_signals;          //!< see Signals()
    std::unique_ptr<D2dAdmission> m_admission;      //!< see Admission()
    std::unique_ptr<D2dTdmaSchedule> m_schedule;    //!< made when it is first needed
    std::vector<Ptr<D2dPhy>> m_radios;              //!< of the devices, by index
    std::vector<D2dMediumUser*> m_users;            //!< the same
    bool m_limitsReceptions = false;                //!< see LimitReceptions()
    bool m_hasOverhearing = false;                  //!< see HasOverhearing()
    uint64_t m_linkChanges = 0;                     //!< those that HoldsLinks() has known of
    std::vector<std::vector<D2dRecipient>> m_spare; //!< memory for recipients of bursts
};

} // namespace ns3::collab

#endif /* D2D_MEDIUM_H */
