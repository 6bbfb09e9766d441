/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What a large message costs, in fidelity Burst and Packet: one device of 25 that all hear each
 * other sends it, or several do at once, on a shared channel.
 */

#include "benchmarks/benchmark-network.h"

#include "ns3/d2d-net-device.h"
#include "ns3/mac48-address.h"
#include "ns3/simulator.h"

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// Outage at which a message of 200 MB mostly arrives without acknowledgments
constexpr double RARE_OUTAGE = 1e-7;
/// Outage at which acknowledgments are of use
constexpr double FREQUENT_OUTAGE = 0.1;

/// The argument is the size of the message [byte]
/// @param fidelity attribute Fidelity
/// @param unicast whether it goes to one device, or to all
/// @param reliability what to do about lost fragments
void
SendMessage(benchmark::State& state, const char* fidelity, bool unicast, D2dReliability reliability)
{
    Simulation simulation;
    D2dOptions options;
    options.fidelity = fidelity;
    options.outage = reliability == D2dReliability::ARQ ? FREQUENT_OUTAGE : RARE_OUTAGE;
    const NetDeviceContainer devices =
        InstallD2d(MakeStillNodes(SMALL_NETWORK, SMALL_SIDE_M), options);
    const auto sender = DynamicCast<D2dNetDevice>(devices.Get(0));
    const auto destination = unicast ? Mac48Address::ConvertFrom(devices.Get(1)->GetAddress())
                                     : Mac48Address::GetBroadcast();
    const auto bytes = static_cast<uint32_t>(state.range(0));
    for (auto _ : state)
    {
        sender->GetMac()->SendBurst({Create<Packet>(bytes), destination, 0x88b5, reliability});
        Simulator::Run();
    }
    state.SetBytesProcessed(state.iterations() * bytes);
}

/// Size of messages that are sent together
constexpr uint32_t SHARED_BYTES = 2000000;

/// Whom several devices send to
enum class Receivers
{
    ALL, //!< each to all, one after the other, since they hear each other
    OWN, //!< each to a device of its own
    ONE, //!< all to the same one, which is locked to one fragment at a time
};

/// The argument is the number of devices that send at once
/// @param fidelity attribute Fidelity
/// @param receivers whom they send to
/// @param reliability of the messages
void
SendTogether(benchmark::State& state,
             const char* fidelity,
             Receivers receivers,
             D2dReliability reliability)
{
    Simulation simulation;
    D2dOptions options;
    options.fidelity = fidelity;
    options.shared = true;
    const NetDeviceContainer devices =
        InstallD2d(MakeStillNodes(SMALL_NETWORK, SMALL_SIDE_M), options);
    const auto senders = static_cast<uint32_t>(state.range(0));
    for (auto _ : state)
    {
        for (uint32_t i = 0; i < senders; ++i)
        {
            const uint32_t receiver = receivers == Receivers::OWN ? senders + i : senders;
            const auto destination =
                receivers == Receivers::ALL
                    ? Mac48Address::GetBroadcast()
                    : Mac48Address::ConvertFrom(devices.Get(receiver)->GetAddress());
            Simulator::Schedule(MicroSeconds(100 * i), [&devices, i, destination, reliability]() {
                DynamicCast<D2dNetDevice>(devices.Get(i))
                    ->GetMac()
                    ->SendBurst({Create<Packet>(SHARED_BYTES), destination, 0x88b5, reliability});
            });
        }
        Simulator::Run();
    }
}

constexpr int64_t KB = 1000;
constexpr int64_t MB = 1000000;

/// @param benchmark gets sizes of messages
void
SizesForBurst(benchmark::internal::Benchmark* benchmark)
{
    benchmark->Arg(1 * KB)->Arg(20 * MB)->Arg(200 * MB);
}

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

BENCHMARK_CAPTURE(SendTogether, packet_all, "Packet", Receivers::ALL, BEST_EFFORT)->Arg(1)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, burst_all, "Burst", Receivers::ALL, BEST_EFFORT)->Arg(1)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, packet_own, "Packet", Receivers::OWN, BEST_EFFORT)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, burst_own, "Burst", Receivers::OWN, BEST_EFFORT)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, packet_one, "Packet", Receivers::ONE, BEST_EFFORT)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, burst_one, "Burst", Receivers::ONE, BEST_EFFORT)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, packet_arq, "Packet", Receivers::OWN, ARQ)->Arg(1);
BENCHMARK_CAPTURE(SendTogether, burst_arq, "Burst", Receivers::OWN, ARQ)->Arg(1);
BENCHMARK_CAPTURE(SendTogether, packet_all_arq, "Packet", Receivers::ALL, ARQ)->Arg(3);
BENCHMARK_CAPTURE(SendTogether, burst_all_arq, "Burst", Receivers::ALL, ARQ)->Arg(3);

BENCHMARK_CAPTURE(SendMessage, burst_broadcast, "Burst", false, BEST_EFFORT)->Apply(SizesForBurst);
BENCHMARK_CAPTURE(SendMessage, burst_broadcast_arq, "Burst", false, ARQ)->Apply(SizesForBurst);
BENCHMARK_CAPTURE(SendMessage, burst_unicast, "Burst", true, BEST_EFFORT)->Apply(SizesForBurst);
BENCHMARK_CAPTURE(SendMessage, burst_unicast_arq, "Burst", true, ARQ)->Apply(SizesForBurst);
BENCHMARK_CAPTURE(SendMessage, packet_broadcast, "Packet", false, BEST_EFFORT)->Arg(20 * MB);
BENCHMARK_CAPTURE(SendMessage, packet_broadcast_arq, "Packet", false, ARQ)->Arg(20 * MB);
BENCHMARK_CAPTURE(SendMessage, packet_unicast, "Packet", true, BEST_EFFORT)->Arg(20 * MB);
BENCHMARK_CAPTURE(SendMessage, packet_unicast_arq, "Packet", true, ARQ)->Arg(20 * MB);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
