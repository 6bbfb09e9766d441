/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-greatest-range.h"

#include "ns3/constant-position-mobility-model.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace ns3::collab
{

namespace
{

/// @param chain head of a chain of models
/// @return whether the received power depends on positions alone in all of them
bool
IsDeterministic(Ptr<PropagationLossModel> chain)
{
    const std::vector<TypeId> allowed = {FriisPropagationLossModel::GetTypeId(),
                                         LogDistancePropagationLossModel::GetTypeId(),
                                         ThreeLogDistancePropagationLossModel::GetTypeId(),
                                         TwoRayGroundPropagationLossModel::GetTypeId(),
                                         RangePropagationLossModel::GetTypeId()};
    for (Ptr<PropagationLossModel> model = chain; model; model = model->GetNext())
    {
        if (std::find(allowed.begin(), allowed.end(), model->GetInstanceTypeId()) == allowed.end())
        {
            return false;
        }
    }
    return true;
}

/// @brief Find the last number at which something is true.
/// @param isTrue true at least and false at greatest, with one change between them
/// @param least a positive number
/// @param greatest a greater one
/// @return the greatest floating-point number at which it is true
double
Bisect(const std::function<bool(double)>& isTrue, double least, double greatest)
{
    for (;;)
    {
        const double middle = least + (greatest - least) / 2;
        if (middle <= least || middle >= greatest)
        {
            return least;
        }
        (isTrue(middle) ? least : greatest) = middle;
    }
}

} // namespace

std::optional<double>
FindD2dGreatestRange(Ptr<PropagationLossModel> chain,
                     double txPowerDbm,
                     double rxPowerDbm,
                     double height)
{
    constexpr double NEAREST = 1e-3;
    constexpr double FARTHEST = 1e9;
    constexpr double STEP = 1.1;
    if (!chain || !IsDeterministic(chain))
    {
        return std::nullopt;
    }
    Ptr<MobilityModel> transmitter = CreateObject<ConstantPositionMobilityModel>();
    Ptr<MobilityModel> receiver = CreateObject<ConstantPositionMobilityModel>();
    transmitter->SetPosition(Vector(0, 0, height));
    const auto getPower = [&](double distance) {
        receiver->SetPosition(Vector(distance, 0, height));
        return chain->CalcRxPower(txPowerDbm, transmitter, receiver);
    };
    double reached = 0;
    double last = getPower(0);
    for (double distance = NEAREST; distance < STEP * FARTHEST; distance *= STEP)
    {
        const double power = getPower(distance);
        if (!(power <= last))
        {
            return std::nullopt;
        }
        last = power;
        reached = power >= rxPowerDbm ? distance : reached;
    }
    if (last >= rxPowerDbm)
    {
        return std::numeric_limits<double>::infinity();
    }
    return Bisect([&](double distance) { return getPower(distance) >= rxPowerDbm; },
                  reached,
                  std::max(reached * STEP, NEAREST));
}

} // namespace ns3::collab
