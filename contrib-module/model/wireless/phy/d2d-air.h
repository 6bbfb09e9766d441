/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_AIR_H
#define D2D_AIR_H

#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <optional>

namespace ns3::collab
{

class D2dPhy;
struct D2dLink;
struct D2dSignal;

/// @ingroup collab-wireless
/// @brief What is between radios, as seen from one of them.
class D2dAir : public SimpleRefCount<D2dAir>
{
  public:
    virtual ~D2dAir() = default;
    /// @param bandwidthHz bandwidth of a signal [Hz]
    /// @return noise power in it [W]
    virtual double GetNoiseW(double bandwidthHz) const = 0;
    /// @param sender a radio
    /// @param link link from it to another one
    /// @param targetOutage outage probability that is accepted
    /// @param least lowest rate [bit/s/Hz]
    /// @param greatest highest rate [bit/s/Hz]
    /// @return highest rate in between that has it, for the path gain that the sender measures of
    /// the other device, whose transmit power it knows, and its own transmit power: gains are taken
    /// to be reciprocal; nothing if none has, or if it does not hear it [bit/s/Hz]
    virtual std::optional<double> FindSpectralEfficiency(const D2dPhy& sender,
                                                         const D2dLink& link,
                                                         double targetOutage,
                                                         double least,
                                                         double greatest) const = 0;
    /// @param signal a fragment at a receiver, at any rate
    /// @param targetOutage outage probability that is accepted
    /// @param least lowest rate [bit/s/Hz]
    /// @param greatest highest rate [bit/s/Hz]
    /// @return highest rate in between that has it; nothing if none has [bit/s/Hz]
    virtual std::optional<double> FindSpectralEfficiency(const D2dSignal& signal,
                                                         double targetOutage,
                                                         double least,
                                                         double greatest) const = 0;
    /// @param radio radio whose power or sensitivity has changed
    virtual void HandleRadioChange(const D2dPhy& radio) = 0;
    /// @brief A radio begins to transmit acknowledgments.
    /// @param radio the radio
    /// @param duration their airtime
    virtual void HandleAcknowledgments(const D2dPhy& radio, Time duration) = 0;
};

} // namespace ns3::collab

#endif /* D2D_AIR_H */
