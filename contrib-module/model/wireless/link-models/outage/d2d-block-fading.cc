/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-block-fading.h"

#include "ns3/simulator.h"

namespace ns3::collab
{

D2dBlockFading::D2dBlockFading(int64_t stream)
    : m_stream(stream)
{
}

double
D2dBlockFading::GetGain(uint32_t transmitter, uint32_t receiver, Time coherence)
{
    if (!m_random)
    {
        m_random.emplace();
        m_random->SetStream(m_stream);
    }
    const auto interval =
        static_cast<uint64_t>(Simulator::Now().GetTimeStep() / coherence.GetTimeStep());
    return m_random->GetUniform(transmitter, receiver, interval);
}

Time
D2dBlockFading::GetTimeToNext(Time coherence)
{
    const int64_t steps = coherence.GetTimeStep();
    return steps > 0 ? TimeStep(steps - Simulator::Now().GetTimeStep() % steps) : Time();
}

} // namespace ns3::collab
