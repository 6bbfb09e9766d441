/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_FRAGMENT_POOL_H
#define D2D_FRAGMENT_POOL_H

#include "ns3/d2d-arq.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What a pass of stop-and-wait has still to repeat: fragments by stretches, in each of
/// which every order is equally probable. What they are is drawn as far as somebody asks.
class D2dFragmentPool
{
  public:
    /// @param sampler draws what they are; outlives this
    explicit D2dFragmentPool(D2dArqSampler& sampler);

    /// @brief Begin with the outstanding fragments of a recipient.
    /// @param stretches those that were sent to it, by stretches in which losses stayed the same
    /// @param all all of them
    void Fill(const std::vector<D2dFragmentCounts>& stretches, D2dFragmentCounts all);
    /// @return how many fragments come before the last missing one, if there is one
    std::optional<uint32_t> CountBeforeLastMissing() const;
    /// @param fragments how many of the first are begun, or over
    /// @return what they were; they are taken out
    D2dFragmentCounts Take(uint32_t fragments);

  private:
    /// @brief Draw where the last missing fragment is, and make it a stretch of its own.
    void FindLastMissing();

    D2dArqSampler& m_sampler;                  //!< draws what fragments are
    std::deque<D2dFragmentCounts> m_stretches; //!< in the order in which they are sent
};

} // namespace ns3::collab

#endif /* D2D_FRAGMENT_POOL_H */
