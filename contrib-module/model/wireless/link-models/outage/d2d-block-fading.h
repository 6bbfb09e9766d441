/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BLOCK_FADING_H
#define D2D_BLOCK_FADING_H

#include "ns3/d2d-counter-random.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Fading that is correlated in time: each link has one gain in each interval of coherence.
 *
 * Intervals are counted from time 0, the same for all links. A gain depends on the link and the
 * interval alone, and not on who asked before.
 */
class D2dBlockFading
{
  public:
    /// @param stream stream that gains are drawn from
    explicit D2dBlockFading(int64_t stream);

    /// @param transmitter index of a device
    /// @param receiver index of another one
    /// @param coherence length of the intervals, not 0
    /// @return gain of the link in the present interval, as its quantile in [0, 1)
    double GetGain(uint32_t transmitter, uint32_t receiver, Time coherence);
    /// @param coherence length of the intervals; 0 if fading is not correlated in time
    /// @return how long the present one lasts; 0 if there are none
    static Time GetTimeToNext(Time coherence);

  private:
    int64_t m_stream;                         //!< see the constructor
    std::optional<D2dCounterRandom> m_random; //!< draws gains; made when it is first needed
};

} // namespace ns3::collab

#endif /* D2D_BLOCK_FADING_H */
