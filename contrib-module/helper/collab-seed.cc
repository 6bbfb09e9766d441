/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-seed.h"

#include "ns3/rng-seed-manager.h"

namespace ns3::collab
{

uint64_t
SeedFor(RandomPurpose purpose, uint64_t device)
{
    return DeriveSeed(RngSeedManager::GetSeed(), RngSeedManager::GetRun(), device, purpose);
}

} // namespace ns3::collab
