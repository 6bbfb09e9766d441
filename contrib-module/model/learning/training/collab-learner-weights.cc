/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-learner-weights.h"

#include <atomic>
#include <utility>

namespace ns3::collab
{

const FlatVector&
LearnerWeights::Get() const
{
    return m_weights;
}

void
LearnerWeights::Set(FlatVector weights)
{
    m_own = nullptr;
    m_weights = std::move(weights);
}

void
LearnerWeights::Set(std::shared_ptr<std::vector<float>> weights)
{
    m_own = weights.get();
    m_weights = std::move(weights);
}

bool
LearnerWeights::BeginWriting()
{
    const bool isAlone = m_own && m_weights.use_count() == 1;
    std::atomic_thread_fence(std::memory_order_acquire); // after the last other owner's reads
    if (!isAlone)
    {
        Set(std::make_shared<std::vector<float>>(*m_weights));
    }
    return !isAlone;
}

std::vector<float>&
LearnerWeights::GetOwn()
{
    return *m_own;
}

} // namespace ns3::collab
