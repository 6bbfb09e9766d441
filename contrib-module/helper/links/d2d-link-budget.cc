/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-link-budget.h"

#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/double.h"
#include "ns3/propagation-loss-model.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// Log-distance path loss, which D2dHelper installs unless the channel's attributes name another
struct PathLoss
{
    PathLoss()
    {
        Ptr<PropagationLossModel> model = CreateObject<LogDistancePropagationLossModel>();
        DoubleValue value;
        model->GetAttribute("Exponent", value);
        exponent = value.Get();
        model->GetAttribute("ReferenceLoss", value);
        referenceDb = value.Get();
        model->GetAttribute("ReferenceDistance", value);
        referenceM = value.Get();
    }

    /// @param distance between two radios [m]
    /// @return the loss [dB]
    double
    Find(double distance) const
    {
        const double ratio = std::max(distance / referenceM, 1.0);
        return referenceDb + 10 * exponent * std::log10(ratio);
    }

    double exponent = 0;    //!< of the distance
    double referenceDb = 0; //!< up to the distance of reference [dB]
    double referenceM = 0;  //!< distance of reference [m]
};

} // namespace

double
GetLossForOutage(double outage, std::optional<double> spectralEfficiency)
{
    Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>();
    const double noiseW = channel->GetNoiseW(device->GetPhy()->GetBandwidthHz());
    const double threshold =
        std::exp2(spectralEfficiency.value_or(device->GetPhy()->GetSpectralEfficiency())) - 1;
    const double rssW = threshold * noiseW / -std::log1p(-outage);
    return device->GetPhy()->GetTxPowerDbm() - (10 * std::log10(rssW) + 30);
}

double
GetDistanceForOutage(double outage, std::optional<double> spectralEfficiency)
{
    const PathLoss loss;
    const double lossDb = GetLossForOutage(outage, spectralEfficiency);
    return loss.referenceM * std::pow(10.0, (lossDb - loss.referenceDb) / (10 * loss.exponent));
}

double
GetOutageForDistance(double distance, std::optional<double> spectralEfficiency)
{
    // The exponent of 1 - exp(-x) is 1 at this outage probability, and grows with the loss
    const double unitDb = GetLossForOutage(-std::expm1(-1.0), spectralEfficiency);
    return -std::expm1(-std::pow(10.0, (PathLoss().Find(distance) - unitDb) / 10));
}

double
GetPowerForOutage(double outage, double distance)
{
    return CreateObject<D2dNetDevice>()->GetPhy()->GetTxPowerDbm() + PathLoss().Find(distance) -
           GetLossForOutage(outage);
}

} // namespace ns3::collab
