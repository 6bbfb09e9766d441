/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MODEL_KNOWLEDGE_H
#define D2D_MODEL_KNOWLEDGE_H

#include "ns3/nstime.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"

namespace ns3::collab
{

// What is known of ns-3's propagation models, by class: they do not say it themselves, and no trial
// can tell that a model will give the same power later.

/// @param chain head of a chain of models
/// @return the first of them of which it is not known whether the power that it gives between two
/// places changes with its attributes alone; null if there is none
Ptr<PropagationLossModel> FindD2dUnknown(Ptr<PropagationLossModel> chain);

/// @param chain head of a chain of models
/// @return whether every change of the power that they give between two places is one of an
/// attribute that can be read, Changes among them
bool ShowD2dChanges(Ptr<PropagationLossModel> chain);

/// @param chain head of a chain of models
/// @return whether power reaches farther over the ground if antennas stand higher
bool DependsOnD2dHeight(Ptr<PropagationLossModel> chain);

/// @param chain head of a chain of models
/// @return how long the power that they give between two places stays as it is by the clock; 0 if
/// no clock is known to change it
Time GetD2dTimeToChange(Ptr<PropagationLossModel> chain);

/// @param model model that gives a delay; may be null
/// @return whether the delay between two places is always the same
bool IsD2dTimeInvariant(Ptr<PropagationDelayModel> model);

} // namespace ns3::collab

#endif /* D2D_MODEL_KNOWLEDGE_H */
