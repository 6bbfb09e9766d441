/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ANALOG_PATHS_H
#define D2D_ANALOG_PATHS_H

#include "d2d-analog-signal.h"

#include "ns3/d2d-counter-random.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"

#include <complex>
#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What attributes of a D2dAnalogAir say.
struct D2dAnalogSettings
{
    double threshold = 0;      //!< attribute Threshold
    uint32_t pilotSymbols = 0; //!< attribute PilotSymbols
    uint32_t blockSymbols = 0; //!< attribute BlockSymbols
    double amplitudeError = 0; //!< attribute AmplitudeError
    double phaseError = 0;     //!< attribute PhaseError [rad]
};

/// @ingroup collab-wireless
/// @brief How devices are heard in blocks: fading, errors and noise, from random numbers that do
/// not depend on who asks first.
class D2dAnalogPaths
{
  public:
    /// @param medium links and losses
    /// @param settings what attributes say; outlives the use of this
    /// @param stream of random numbers
    D2dAnalogPaths(Ptr<D2dMedium> medium, const D2dAnalogSettings& settings, int64_t stream);

    /// How a device is heard in a block
    struct Path
    {
        double powerW = 0; //!< what arrives of its TxPower; 0 if its fading is under the threshold
        std::complex<double> factor; //!< (1 + e) exp(j phi)
    };

    /// @param sender a device
    /// @param receiver who receives
    /// @param block number of the block
    /// @return how the device is heard now
    Path Draw(const D2dPhy& sender, const D2dPhy& receiver, uint64_t block) const;
    /// @param receiver who receives
    /// @param block number of the block
    /// @return noise there
    D2dAnalogNoise GetNoise(const D2dPhy& receiver, uint64_t block) const;
    /// @param sender a device
    /// @param receiver another one
    /// @return mean power with which it hears the device's TxPower; 0 out of range [W]
    double GetMeanPowerW(const D2dPhy& sender, const D2dPhy& receiver) const;
    /// @return for how long fading lasts; 0 for a block, whatever its length
    Time GetCoherenceTime() const;
    /// @return number of the next block, of all blocks of the channel
    uint64_t TakeBlock();

  private:
    Ptr<D2dMedium> m_medium;             //!< links and losses
    const D2dAnalogSettings& m_settings; //!< what attributes say
    D2dCounterRandom m_random;           //!< of devices, receivers and blocks
    uint64_t m_blocks = 0;               //!< see TakeBlock()
};

} // namespace ns3::collab

#endif /* D2D_ANALOG_PATHS_H */
