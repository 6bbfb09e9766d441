/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-counter-random.h"

#include "ns3/abort.h"
#include "ns3/hash.h"
#include "ns3/rng-seed-manager.h"

#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace ns3::collab
{

D2dCounterRandom::D2dCounterRandom()
{
    Seed(RngSeedManager::GetNextStreamIndex());
}

void
D2dCounterRandom::SetStream(int64_t stream)
{
    NS_ABORT_MSG_IF(stream < 0, "D2dCounterRandom: stream " << stream << " is negative");
    // As in ns-3, the lower half of the numbers is for streams that are chosen automatically
    Seed((uint64_t{1} << 63) + static_cast<uint64_t>(stream));
}

void
D2dCounterRandom::Seed(uint64_t stream)
{
    m_seed = RngSeedManager::GetSeed();
    m_run = RngSeedManager::GetRun();
    m_stream = stream;
}

uint64_t
D2dCounterRandom::GetBits(uint32_t from, uint32_t to, uint64_t counter) const
{
    const uint64_t link = uint64_t{from} << 32 | to;
    const uint64_t key[] = {m_seed, m_run, m_stream, link, counter};
    return Hash64(reinterpret_cast<const char*>(key), sizeof(key));
}

double
D2dCounterRandom::GetUniform(uint32_t from, uint32_t to, uint64_t counter) const
{
    // The middle of one of 2^52 cells; with one bit more the last middle would round to 1
    return std::ldexp(static_cast<double>(GetBits(from, to, counter) >> 12) + 0.5, -52);
}

double
D2dCounterRandom::GetNormal(uint32_t from, uint32_t to, uint64_t counter) const
{
    return boost::math::quantile(boost::math::normal(), GetUniform(from, to, counter));
}

} // namespace ns3::collab
