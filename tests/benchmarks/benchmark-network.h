/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCHMARK_NETWORK_H
#define BENCHMARK_NETWORK_H

#include "ns3/address.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <string>

namespace ns3::collab
{
namespace benchmarks
{

/// Devices of the benchmarks in which all hear each other
constexpr uint32_t SMALL_NETWORK = 25;
/// Side of the square in which they stand [m]
constexpr double SMALL_SIDE_M = 50;
/// Data rate of all kinds of devices [Mbit/s]
constexpr uint32_t RATE_MBPS = 6;

/// A simulation of its own: fixed seed and run, nothing left behind
class Simulation
{
  public:
    Simulation();
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;
};

/// @param count number of nodes
/// @param sideM side of a square [m]
/// @return nodes that stand at random places in it
NodeContainer MakeStillNodes(uint32_t count, double sideM);

/// @param count number of nodes
/// @param sideM side of a square [m]
/// @return nodes that walk between random places in it (RandomWaypointMobilityModel)
NodeContainer MakeMovingNodes(uint32_t count, double sideM);

/// @param count number of devices at random places in a square
/// @return side of the square in which a device has RECEIVERS others within RANGE_M on average, the
/// borders counted [m]
double GetSideM(uint32_t count);
/// Range of the radios whose number is varied [m]
constexpr double RANGE_M = 100;
/// Devices in range of one of them, on average: as many as in the small network
constexpr double RECEIVERS = SMALL_NETWORK - 1;

/// How to make D2D radios
struct D2dOptions
{
    std::string fidelity = "Packet"; //!< attribute Fidelity
    bool delay = true;               //!< whether there is a model of the propagation delay
    bool energy = false;             //!< whether there are batteries and energy models
    double outage = -1;              //!< of every link; negative for Rayleigh fading
    bool limited = false;            //!< whether the range is RANGE_M
    bool shared = false;             //!< whether all send on one channel, and do not defer
};

/// @param nodes nodes with mobility models
/// @param options how to make the radios
/// @return radios on one channel with log-distance path loss
NetDeviceContainer InstallD2d(const NodeContainer& nodes, const D2dOptions& options);

/// @param nodes the nodes
/// @return ns-3's SimpleNetDevices on one SimpleChannel
NetDeviceContainer InstallSimple(const NodeContainer& nodes);

/// @param nodes nodes with mobility models
/// @return 802.11a devices in ad hoc mode on one Yans channel with log-distance path loss
NetDeviceContainer InstallWifi(const NodeContainer& nodes);

/// Lets devices broadcast packets of 1000 bytes in turns, so that nothing queues.
class BroadcastTurns
{
  public:
    /// @brief Let every device have a first turn, in which links are found, and begin to count.
    /// @param devices the devices
    explicit BroadcastTurns(const NetDeviceContainer& devices);
    BroadcastTurns(const BroadcastTurns&) = delete;
    BroadcastTurns& operator=(const BroadcastTurns&) = delete;

    /// @brief Simulate until every device has had its turn.
    void Run();
    /// @param state gets sends, receptions and events a second, and the mean number of receivers
    void Report(benchmark::State& state) const;

  private:
    /// @param index of the device whose turn it is
    void Send(uint32_t index);
    /// @brief A device received a packet.
    /// @return true
    bool Receive(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&);

    NetDeviceContainer m_devices; //!< the devices
    uint64_t m_sends = 0;         //!< packets that were sent
    uint64_t m_receptions = 0;    //!< packets that were received
    uint64_t m_events = 0;        //!< events of the simulator
};

/// @brief Every device broadcasts once in an iteration.
/// @param state of a benchmark
/// @param devices all devices
void RunTurns(benchmark::State& state, const NetDeviceContainer& devices);

} // namespace benchmarks
} // namespace ns3::collab

#endif /* BENCHMARK_NETWORK_H */
