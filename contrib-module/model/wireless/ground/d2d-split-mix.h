/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SPLIT_MIX_H
#define D2D_SPLIT_MIX_H

#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Uniform random numbers for what is drawn at every fragment and receiver: SplitMix64 of
 * Steele, Lea and Flood (OOPSLA 2014), eight bytes of state, a tenth of the time of an ns-3 stream.
 *
 * Its seed is to come from an ns-3 stream, so that RngSeed, RngRun and stream numbers decide here
 * as well.
 */
class D2dSplitMix
{
  public:
    /// @param seed any number
    explicit D2dSplitMix(uint64_t seed)
        : m_state(seed)
    {
    }

    /// @return 64 random bits
    uint64_t
    GetBits()
    {
        m_state += 0x9e3779b97f4a7c15;
        uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// @return a number uniform in [0, 1), one of 2^53
    double
    GetValue()
    {
        return static_cast<double>(GetBits() >> 11) * 0x1p-53;
    }

  private:
    uint64_t m_state; //!< advances by a constant with each number
};

} // namespace ns3::collab

#endif /* D2D_SPLIT_MIX_H */
