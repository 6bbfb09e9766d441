/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SEED_H
#define COLLAB_SEED_H

#include "ns3/collab-random.h"

#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Seed of a generator that is none of ns-3's, in this run: another one for each RngSeed and
 * RngRun.
 *
 * For what is drawn before and beside the simulation: who holds which samples, initial weights,
 * orders of samples. A seed that is a constant in a program makes all its runs the same in that.
 *
 * @param purpose what the generator is for
 * @param device index of the device that it belongs to; 0 if it belongs to none
 * @return the seed
 */
uint64_t SeedFor(RandomPurpose purpose, uint64_t device = 0);

} // namespace ns3::collab

#endif /* COLLAB_SEED_H */
