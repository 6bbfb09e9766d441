/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_COUNTER_RANDOM_H
#define D2D_COUNTER_RANDOM_H

#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Random numbers of links that do not depend on the order in which they are asked for.
 *
 * A counter-based generator: a number is a hash of RngSeed, RngRun, the stream, the two nodes of a
 * link and a counter, and nothing is remembered. As with ns-3's random variables seed and run are
 * those at the time of construction or of SetStream(), and a generator has a stream of its own
 * until it is given one.
 */
class D2dCounterRandom
{
  public:
    D2dCounterRandom();

    /// @param stream number of the stream, from 0
    void SetStream(int64_t stream);

    /// @param from a node
    /// @param to another node
    /// @param counter counter that tells the numbers of a link apart
    /// @return 64 random bits
    uint64_t GetBits(uint32_t from, uint32_t to, uint64_t counter) const;

    /// @param from a node
    /// @param to another node
    /// @param counter counter that tells the numbers of a link apart
    /// @return a number uniform in (0, 1), neither 0 nor 1
    double GetUniform(uint32_t from, uint32_t to, uint64_t counter) const;

    /// @param from a node
    /// @param to another node
    /// @param counter counter that tells the numbers of a link apart
    /// @return a number with the standard normal distribution
    double GetNormal(uint32_t from, uint32_t to, uint64_t counter) const;

  private:
    /// @param stream number of the stream, among those chosen automatically and by the user
    void Seed(uint64_t stream);

    uint64_t m_seed;   //!< RngSeed
    uint64_t m_run;    //!< RngRun
    uint64_t m_stream; //!< number of the stream
};

} // namespace ns3::collab

#endif /* D2D_COUNTER_RANDOM_H */
