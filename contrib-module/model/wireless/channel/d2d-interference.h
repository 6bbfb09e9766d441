/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_INTERFERENCE_H
#define D2D_INTERFERENCE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief Where a signal is heard, and how well.
struct D2dReach
{
    uint32_t device = 0; //!< index of a device at the channel
    double powerW = 0;   //!< mean power there [W]
};

/**
 * @ingroup collab
 * @brief The signals on a medium that all devices share.
 *
 * Fading is constant over a fragment, and a fragment is lost if it is in outage at any moment: so
 * what counts for it at a receiver is the greatest sum of mean powers of other signals while it is
 * on air. A signal that ends at the instant at which another begins does not disturb it.
 * Propagation delays do not shift this: they are short against a fragment.
 */
class D2dInterference
{
  public:
    /**
     * @brief A fragment begins.
     *
     * @param reach where it is heard
     * @param receivers indices of the devices that it is meant for
     * @param airtime how long it will last, if it is not cut off
     * @return number of the signal, not 0
     */
    uint64_t Begin(const std::vector<D2dReach>& reach,
                   std::vector<uint32_t> receivers,
                   Time airtime);
    /**
     * @brief A fragment ends.
     *
     * @param signal its number
     * @return greatest power of other signals at each of its receivers, in their order [W]
     */
    std::vector<double> End(uint64_t signal);

  private:
    /// A fragment on air
    struct Signal
    {
        std::map<uint32_t, double> powerW; //!< by device [W]
        std::vector<uint32_t> receivers;   //!< devices that it is meant for
        std::vector<double> worstW;        //!< greatest interference up to now [W]
        Time end;                          //!< when it ends if it is not cut off
    };

    /**
     * @param number of a signal
     * @param device index of a device
     * @return power of all other signals there now [W]
     */
    double GetInterferenceW(uint64_t number, uint32_t device) const;

    uint64_t m_next = 1;                  //!< number of the next signal
    std::map<uint64_t, Signal> m_signals; //!< what is on air
};

} // namespace collab
} // namespace ns3

#endif /* D2D_INTERFERENCE_H */
