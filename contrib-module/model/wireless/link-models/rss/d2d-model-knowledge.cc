/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-model-knowledge.h"

#include "d2d-trace-loss-model.h"

#include <set>
#include <string>

namespace ns3::collab
{

namespace
{

/// @param model a model
/// @return whether the power that it gives between two places changes only if a script sets
/// something, all of which can be read as attributes
bool
ShowsChanges(const PropagationLossModel& model)
{
    static const std::set<std::string> SHOWING = {
        "ns3::FixedRssLossModel",
        "ns3::FriisPropagationLossModel",
        "ns3::Kun2600MhzPropagationLossModel",
        "ns3::LogDistancePropagationLossModel",
        "ns3::OkumuraHataPropagationLossModel",
        "ns3::RangePropagationLossModel",
        "ns3::ThreeLogDistancePropagationLossModel",
        "ns3::TwoRayGroundPropagationLossModel",
    };
    const TypeId type = model.GetInstanceTypeId();
    TypeId::AttributeInformation changes;
    return type.LookupAttributeByName("Changes", &changes) || SHOWING.count(type.GetName());
}

/// @param model a model
/// @return whether the power that it gives between two places changes only if a script sets
/// something
bool
IsTimeInvariant(const PropagationLossModel& model)
{
    static const std::set<std::string> SILENT = {
        "ns3::Cost231PropagationLossModel",     // SetShadowing() is no attribute
        "ns3::ItuR1411LosPropagationLossModel", // of both the Frequency cannot be read
        "ns3::ItuR1411NlosOverRooftopPropagationLossModel",
    };
    return ShowsChanges(model) || SILENT.count(model.GetInstanceTypeId().GetName());
}

} // namespace

Ptr<PropagationLossModel>
FindD2dUnknown(Ptr<PropagationLossModel> chain)
{
    while (chain && IsTimeInvariant(*chain))
    {
        chain = chain->GetNext();
    }
    return chain;
}

bool
ShowD2dChanges(Ptr<PropagationLossModel> chain)
{
    while (chain && ShowsChanges(*chain))
    {
        chain = chain->GetNext();
    }
    return !chain;
}

bool
DependsOnD2dHeight(Ptr<PropagationLossModel> chain)
{
    for (; chain; chain = chain->GetNext())
    {
        if (chain->GetInstanceTypeId() == TwoRayGroundPropagationLossModel::GetTypeId())
        {
            return true;
        }
    }
    return false;
}

Time
GetD2dTimeToChange(Ptr<PropagationLossModel> chain)
{
    for (; chain; chain = chain->GetNext())
    {
        if (const auto* trace = dynamic_cast<const D2dTraceLossModel*>(PeekPointer(chain)))
        {
            return trace->GetTimeToChange();
        }
    }
    return Time();
}

bool
IsD2dTimeInvariant(Ptr<PropagationDelayModel> model)
{
    return !model || model->GetInstanceTypeId() == ConstantSpeedPropagationDelayModel::GetTypeId();
}

} // namespace ns3::collab
