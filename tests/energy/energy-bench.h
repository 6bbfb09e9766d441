/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENERGY_BENCH_H
#define ENERGY_BENCH_H

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{

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
    explicit PoweredNetwork(uint32_t size,
                            const Settings& channel = PACKET,
                            const Settings& source = {},
                            const Settings& radio = RADIO)
        : TestNetwork(size, EXACT, channel)
    {
        InstallBatteries(source, radio, PROCESSOR);
    }
};

/// Simulates until a moment [s]
inline void
RunUntil(double seconds)
{
    RunFor(Seconds(seconds) - Simulator::Now());
}

} // namespace ns3::collab::tests

#endif /* ENERGY_BENCH_H */
