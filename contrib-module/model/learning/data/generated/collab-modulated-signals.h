/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MODULATED_SIGNALS_H
#define COLLAB_MODULATED_SIGNALS_H

#include "ns3/collab-data-set.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Modulation of a signal; its number is its class.
enum class Modulation
{
    BPSK,
    QPSK,
    PSK8,
    PAM4,
    QAM16,
    CPFSK,  //!< binary, index 0.5
    GFSK,   //!< the same behind a Gaussian filter
    AM_DSB, //!< of two tones, with carrier
};

/**
 * @ingroup collab-learning
 * @brief Complex baseband signals of eight modulations, as 2 x 128 numbers: I, then Q.
 *
 * It stands in for RadioML 2016.10a (O'Shea et al., 2016) where that is not at hand. Linear
 * modulations have root-raised-cosine pulses. Each sample has random symbols, timing and phase, a
 * carrier offset, white Gaussian noise, and then a mean power of 1. There is no fading, and no
 * drift of the sampling rate.
 */
struct ModulatedSignalsOptions
{
    uint32_t samplesPerClass = 4000; //!< at least 1
    uint32_t length = 128;           //!< numbers of I and of Q; at least 1
    uint32_t symbolLength = 8;       //!< samples of a symbol; at least 2
    double rollOff = 0.35;           //!< of pulses; above 0, at most 1
    double mostOffset = 0.01;        //!< of carriers, uniform [cycles/sample]
    std::vector<double> snrDb = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18}; //!< drawn uniformly
};

/// @param options options of the signals
/// @param seed seed of the samples
/// @return numbers of shape 1 x 2 x length, class by class
/// @throws std::invalid_argument if an option is not allowed
std::shared_ptr<const DataSet> GenerateModulatedSignals(const ModulatedSignalsOptions& options,
                                                        uint64_t seed);

} // namespace ns3::collab

#endif /* COLLAB_MODULATED_SIGNALS_H */
