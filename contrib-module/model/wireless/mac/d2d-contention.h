/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CONTENTION_H
#define D2D_CONTENTION_H

#include "d2d-burst-queue.h"
#include "d2d-receiver-access.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::collab
{

class D2dMedium;
class D2dPhy;

/// @ingroup collab-wireless
/// @brief How a device gets access to the medium.
struct D2dContentionRules
{
    Time slotTime;                 //!< attribute SlotTime
    uint32_t contentionWindow = 1; //!< attribute ContentionWindow
    bool carrierSense = true;      //!< attribute CarrierSense
    double ccaThresholdDbm = 0;    //!< attribute CcaThreshold [dBm]
    bool paysForSensing = false;   //!< attribute SensingEnergy
};

/// @ingroup collab-wireless
/// @brief When a device may send: it defers to others, and backs off; or waits for its turn.
class D2dContention
{
  public:
    /// @param rules how it gets access; outlives this, as the others do
    /// @param phy the device's radio
    /// @param medium what is between the device and others
    /// @param queue the device's bursts
    /// @param transmit sends the next burst, and returns whether there is one
    D2dContention(const D2dContentionRules& rules,
                  const Ptr<D2dPhy>& phy,
                  const Ptr<D2dMedium>& medium,
                  D2dBurstQueue& queue,
                  std::function<bool()> transmit);
    ~D2dContention();
    D2dContention(const D2dContention&) = delete;
    D2dContention& operator=(const D2dContention&) = delete;

    /// @return whether devices take bursts: this one, and its receivers
    D2dReceiverAccess&
    GetReceivers()
    {
        return m_receivers;
    }
    /// @param choosing whether the device is about to send, or finds that it cannot
    void
    SetChoosing(bool choosing)
    {
        m_choosing = choosing;
    }

    /// @brief Get access to the medium for the next burst, if there is one and nothing is in the
    /// way.
    void TryAccess();
    /// @brief No longer back off.
    void
    Cancel()
    {
        m_backoff.Cancel();
    }
    /// @brief If sensing costs energy, let the radio listen as long as it senses the medium.
    void UpdateSensing();
    /// @brief A burst begins on a shared channel.
    /// @param powerW its power here [W]
    /// @return whether this device defers to it; then EndSensing() must follow
    bool BeginSensing(double powerW);
    /// @brief A burst is over to which this device has deferred.
    void EndSensing();
    /// @param airtime airtime of a burst of this device
    /// @param senders number of devices that have one like it for each other
    /// @return how long it takes until all are sent, those that cannot be sent at once one after
    /// the other
    Time GetTimeForAll(Time airtime, uint32_t senders) const;

  private:
    /// @brief See TryAccess(); whether or not sensing costs energy.
    void RequestAccess();
    /// @return whether the device has to defer to others
    bool IsMediumBusy() const;
    /// @brief The back-off is over.
    void EndBackoff();
    /// @param senses whether the radio listens from now on; the same as before changes nothing
    void Listen(bool senses);

    const D2dContentionRules& m_rules; //!< how it gets access
    const Ptr<D2dPhy>& m_phy;          //!< the device's radio
    const Ptr<D2dMedium>& m_medium;    //!< what is between the device and others
    D2dBurstQueue& m_queue;            //!< the device's bursts
    D2dReceiverAccess m_receivers;     //!< see GetReceivers()
    std::function<bool()> m_transmit;  //!< sends the next one
    uint32_t m_deferring = 0;          //!< bursts of others that it defers to
    bool m_listens = false;            //!< whether the radio listens to the medium
    uint64_t m_listensSince = 0;       //!< the radio's epoch since when it does
    EventId m_backoff;                 //!< end of the back-off
    bool m_choosing = false;           //!< see SetChoosing()
};

} // namespace ns3::collab

#endif /* D2D_CONTENTION_H */
