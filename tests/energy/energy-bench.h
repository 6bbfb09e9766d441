/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENERGY_BENCH_H
#define ENERGY_BENCH_H

#include "wireless/wireless-test-support.h"

#include "ns3/simulator.h"

namespace ns3::collab
{
namespace tests
{

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

/// Data rate 1 Mbit/s, and no back-off, so that times can be told by hand.
const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};

constexpr double TX_W = 0.1 / 0.35 + 0.1; //!< 20 dBm, amplifier efficiency 0.35, circuit 0.1 W
constexpr double RX_W = 0.2;              //!< listening
constexpr double IDLE_W = 0.02;           //!< radio
constexpr double PROCESSOR_W = 0.05;      //!< idle processor
const Settings RADIO = {{"AmplifierEfficiency", "0.35"},
                        {"CircuitPower", "0.1"},
                        {"RxPower", "0.2"},
                        {"IdlePower", "0.02"}};
const Settings PROCESSOR = {{"IdlePower", "0.05"}};
const Settings PACKET = {{"Fidelity", "Packet"}}; //!< attributes of the channel

constexpr double AIRTIME_S = 3 * 8 * 1368e-6; //!< of 4000 bytes in 3 fragments

/// Radios at the exact rate with batteries and processors
class PoweredNetwork : public TestNetwork
{
  public:
    /// @param size number of devices
    /// @param channel attributes of the channel
    /// @param source attributes of the batteries
    /// @param radio attributes of the radios' energy models
    explicit PoweredNetwork(uint32_t size,
                            const Settings& channel = PACKET,
                            const Settings& source = {},
                            const Settings& radio = RADIO)
        : TestNetwork(size, EXACT, channel)
    {
        InstallBatteries(source, radio, PROCESSOR);
    }
};

/// @return energy that a device of a network has spent on a kind [J]
inline double
Spent(const TestNetwork& network, uint32_t i, EnergyKind kind)
{
    return network.Energy(i)[static_cast<std::size_t>(kind)];
}

/// @param seconds until when to run the simulation
inline void
RunUntil(double seconds)
{
    Simulator::Stop(Seconds(seconds) - Simulator::Now());
    Simulator::Run();
}

} // namespace tests
} // namespace ns3::collab

#endif /* ENERGY_BENCH_H */
