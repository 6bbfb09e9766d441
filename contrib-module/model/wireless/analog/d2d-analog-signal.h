/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ANALOG_SIGNAL_H
#define D2D_ANALOG_SIGNAL_H

#include "ns3/d2d-split-mix.h"
#include "ns3/nstime.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// Numbers that devices send, shared and not changed
using D2dAnalogValues = std::shared_ptr<const std::vector<float>>;

/// @ingroup collab-wireless
/// @brief What all of a slot know of it beforehand: by messages, or by agreement.
struct D2dAnalogPlan
{
    /// A device that is to send
    struct Taker
    {
        uint32_t node = 0; //!< its node
        double weight = 1; //!< what it has multiplied its numbers by; positive
    };

    std::vector<Taker> takers; //!< in the order of their pilots
    std::size_t values = 0;    //!< numbers that each of them sends
    double amplitude = 0;      //!< a: with what a number 1 arrives at the receiver [sqrt(W)]
    uint64_t slot = 0;         //!< which of the receiver's slots it is, if it has several
};

/// @ingroup collab-wireless
/// @brief What the receiver makes of a slot.
struct D2dAnalogMean
{
    /// Mean of the numbers, by the weights of those that it has heard in their block; 0 where it
    /// has heard nobody
    std::vector<float> values;
    uint32_t blocks = 0;         //!< blocks of the slot
    std::vector<uint32_t> heard; //!< by taker: blocks in which its pilot was heard
    std::vector<double> weights; //!< by block: sum of the weights of those that it has heard
    std::size_t blockValues = 0; //!< numbers of each block but the last
};

/// Told of the end of a slot: what was received, or nothing, if the receiver was not on all the
/// time
using D2dAnalogCallback = std::function<void(std::optional<D2dAnalogMean> mean)>;

/**
 * @ingroup collab-wireless
 * @brief How a slot is divided: blocks, each with pilots and then with symbols of two numbers.
 *
 * A symbol takes one hertz-second of the band, whatever the number of devices.
 */
struct D2dAnalogLayout
{
    std::size_t values = 0;    //!< numbers of each vector
    std::size_t takers = 0;    //!< devices that send
    uint32_t pilotSymbols = 1; //!< symbols of each pilot: the receiver's, and one of each taker
    uint32_t blockSymbols = 1; //!< most symbols of numbers of a block

    /// @return symbols of all numbers
    std::size_t CountSymbols() const;
    /// @return blocks
    uint32_t CountBlocks() const;
    /// @param block number of a block
    /// @return symbols of its numbers
    std::size_t CountSymbols(uint32_t block) const;
    /// @param bandwidthHz of the slot [Hz]
    /// @return how long it takes, all blocks and pilots
    Time GetAirtime(double bandwidthHz) const;
};

/// @param symbols some symbols
/// @param bandwidthHz of their band [Hz]
/// @return how long they take
Time GetAnalogAirtime(std::size_t symbols, double bandwidthHz);

/// @param values numbers, two a symbol; one that is missing is 0
/// @param first symbol
/// @param symbols number of symbols
/// @return mean of |s|^2 over them
double GetAnalogPower(const std::vector<float>& values, std::size_t first, std::size_t symbols);

/// @brief Let symbols arrive.
/// @param values numbers, two a symbol; one that is missing is 0
/// @param first symbol
/// @param factor what the channel multiplies them by
/// @param[in,out] sum of all signals, by symbol from the first one on
void AddAnalogSymbols(const std::vector<float>& values,
                      std::size_t first,
                      std::complex<double> factor,
                      std::vector<std::complex<double>>& sum);

/// @ingroup collab-wireless
/// @brief Noise of a receiver: circularly symmetric complex Gaussian numbers.
class D2dAnalogNoise
{
  public:
    /// @param seed another one for each block
    explicit D2dAnalogNoise(uint64_t seed);
    /// @param powerW mean of |z|^2 [W]
    /// @return z [sqrt(W)]
    std::complex<double> Draw(double powerW);

  private:
    D2dSplitMix m_random; //!< uniform numbers
};

/**
 * @brief Say whether a receiver takes a device for a sender by its pilot.
 *
 * It averages the symbols of the pilot and compares their power with what noise alone exceeds with
 * the probability ANALOG_FALSE_ALARM.
 *
 * @param powerW power of the pilot at the receiver; 0 if none is sent [W]
 * @param noiseW power of noise in the band [W]
 * @param symbols of the pilot
 * @param[in,out] noise of the receiver
 * @return whether it does
 */
bool HearsAnalogPilot(double powerW, double noiseW, uint32_t symbols, D2dAnalogNoise& noise);

/// With which probability noise is taken for a pilot
constexpr double ANALOG_FALSE_ALARM = 1e-4;

} // namespace ns3::collab

#endif /* D2D_ANALOG_SIGNAL_H */
