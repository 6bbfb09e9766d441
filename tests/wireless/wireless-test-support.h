/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WIRELESS_TEST_SUPPORT_H
#define WIRELESS_TEST_SUPPORT_H

#include "support/simulation.h"

#include "ns3/collab-itemized-energy-model.h"
#include "ns3/collab-processor.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-neighbor-discovery.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2d-radio-energy-model.h"
#include "ns3/mobility-model.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/simulator.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{
namespace tests
{

using ::tests::CollectTrace;
using ::tests::OnTrace;
using ::tests::RunFor;

/// Names of attributes and their values as text
using Settings = std::map<std::string, std::string>;

/// A test with a simulator of its own: fixed seed and run, nothing left behind.
class SimulatorTest : public ::testing::Test
{
  protected:
    SimulatorTest();
    ~SimulatorTest() override;
};

/// A packet that a device handed up.
struct Reception
{
    uint32_t node = 0;        //!< at which node
    Ptr<const Packet> packet; //!< what it got
    Time time;                //!< when
};

/// @return a mobility model that stands there [m]
Ptr<MobilityModel> Standing(double x, double y = 0, double z = 0);
/// @return a mobility model that is there now [m] and moves [m/s]
Ptr<MobilityModel> Moving(const Vector& position, const Vector& velocity);

/// Runs an action after a delay
inline EventId
At(Time delay, const std::function<void()>& action)
{
    return Simulator::Schedule(delay, action);
}

/// Listens to a trace source of packets
template <typename Action>
void
OnPacket(Ptr<Object> object, const std::string& source, Action action)
{
    OnTrace<Ptr<const Packet>>(object, source, action);
}

/// Listens to what a radio does
template <typename Action>
void
OnActivity(Ptr<D2dPhy> phy, Action action)
{
    OnTrace<const D2dRadioActivity&>(phy, "Activity", action);
}

/**
 * @brief Radios on one channel, and a record of what becomes of their bursts.
 *
 * Without given places device i is on the node with index i of this network, 100 m from its
 * neighbors, and a link loses nothing until SetOutage() says otherwise.
 */
class TestNetwork
{
  public:
    explicit TestNetwork(uint32_t size,
                         const Settings& device = {},
                         const Settings& channel = {{"Fidelity", "Packet"}});
    /// @param places of the devices
    /// @param lossModels TypeId names of the chain, with attributes in brackets; none for the
    /// channel's default
    TestNetwork(const std::vector<Ptr<MobilityModel>>& places,
                const std::vector<std::string>& lossModels,
                const Settings& device = {},
                const Settings& channel = {});
    TestNetwork(const TestNetwork&) = delete;
    TestNetwork& operator=(const TestNetwork&) = delete;
    /// With the last network the simulation is over: the next one begins at time 0, with node 0
    ~TestNetwork();

    /// @return a new device with the settings of the others, on a new node
    Ptr<D2dNetDevice> Join(Ptr<MobilityModel> place);
    /// @return a new device with the settings of the others, on this node
    Ptr<D2dNetDevice> Join(Ptr<Node> node);

    /// @return number of devices
    uint32_t Size() const;
    /// @return a device by its index, as all the following
    Ptr<D2dNetDevice> Device(uint32_t index) const;
    /// @return its medium access
    Ptr<D2dMac> Mac(uint32_t index) const;
    /// @return its physical layer
    Ptr<D2dPhy> Phy(uint32_t index) const;
    /// @return its neighbor discovery
    Ptr<D2dNeighborDiscovery> Discovery(uint32_t index) const;
    /// @return its address; that of all for BROADCAST
    Mac48Address Address(uint32_t index) const;
    /// @return number of its node
    uint32_t NodeId(uint32_t index) const;
    /// @return where it is
    Ptr<MobilityModel> Place(uint32_t index) const;
    /// @return index of the first device on a node
    uint32_t IndexOf(uint32_t node) const;
    /// Sets an attribute of one of the device's parts
    void Set(uint32_t index, const std::string& attribute, const std::string& value) const;
    /// @return the channel
    Ptr<D2dChannel> Channel() const;
    /// Sets an attribute of the channel
    void SetChannel(const std::string& attribute, const std::string& value) const;
    /// @return a loss model of the chain, the head first
    Ptr<PropagationLossModel> LossModel(uint32_t number = 0) const;
    /// @return mean received power [W], by the channel
    double RssW(uint32_t from, uint32_t to) const;
    /// @return outage probability, by the channel
    double Outage(uint32_t from, uint32_t to) const;

    /// @brief Set the received power of a link so that its Rayleigh outage is as given.
    /// @param probability outage probability in [0, 1); 0 for 300 dB over the noise
    void SetOutage(uint32_t from, uint32_t to, double probability);
    /// @param to index of a receiver that shall hear nothing of it
    void SetOutOfRange(uint32_t from, uint32_t to);
    /// Lets two devices hear nothing of each other
    void Hide(uint32_t one, uint32_t other);

    /// @brief Give every device a battery and a processor.
    /// @param source attributes of the energy source
    /// @param radio attributes of D2dRadioEnergyModel
    /// @param processor attributes of Processor
    /// @param type TypeId name of the energy source; empty for BasicEnergySource
    void InstallBatteries(const Settings& source = {},
                          const Settings& radio = {},
                          const Settings& processor = {},
                          const std::string& type = "");
    /// @return a device's battery
    Ptr<EnergySource> Source(uint32_t index) const;
    /// @return its battery's account
    Ptr<DepletionWatch> Battery(uint32_t index) const;
    /// @return joules that it has spent on each kind
    EnergyByKind Energy(uint32_t index) const;
    /// @return joules that it has spent on one kind
    double Joules(uint32_t index, EnergyKind kind) const;
    /// @return how long its radio was in a state
    Time Duration(uint32_t index, D2dRadioState state) const;
    /// @return its processor
    Ptr<Processor> GetProcessor(uint32_t index) const;

    /// The receiver that stands for all
    static constexpr uint32_t BROADCAST = 0xffffffff;
    /// Protocol number of what Send() sends
    static constexpr uint16_t PROTOCOL = 0x88b6;

    /// @brief Send a packet of zeros.
    /// @param to index of the receiver, or BROADCAST
    /// @return number of the burst, or 0
    uint32_t Send(uint32_t from,
                  uint32_t to,
                  uint32_t bytes,
                  D2dReliability reliability = D2dReliability::BEST_EFFORT);
    /// Sends after a delay
    void SendAt(Time delay,
                uint32_t from,
                uint32_t to,
                uint32_t bytes,
                D2dReliability reliability = D2dReliability::BEST_EFFORT);
    /// @return a packet of zeros for a device, or for BROADCAST, to be sent by SendBurst()
    D2dBurst Burst(uint32_t to,
                   uint32_t bytes,
                   D2dReliability reliability = D2dReliability::BEST_EFFORT) const;
    /// @return the same for a group of devices
    D2dBurst GroupBurst(const std::vector<uint32_t>& members,
                        uint32_t bytes,
                        D2dReliability reliability = D2dReliability::BEST_EFFORT) const;
    /// @return units of so many bytes after a header, to be sent by SendBurst()
    D2dBurst UnitsBurst(uint32_t to,
                        const D2dDivision& division,
                        D2dReliability reliability = D2dReliability::BEST_EFFORT) const;
    /// @param ended called with its end
    /// @return its number, or 0
    uint32_t SendBurst(uint32_t from,
                       const D2dBurst& burst,
                       const std::function<void(const D2dBurstReport&)>& ended = {}) const;
    /// Takes a burst back after a delay
    void CancelAt(Time delay, uint32_t from, uint32_t burst) const;
    /// Switches a device off after a delay
    void SwitchOffAt(Time delay, uint32_t index) const;
    /// Switches a device on after a delay
    void SwitchOnAt(Time delay, uint32_t index) const;

    /// @return all bursts that are over, in the order of their ends
    const std::vector<D2dBurstReport>& Reports() const;
    /// @return one of them
    const D2dBurstReport& Report(std::size_t number = 0) const;
    /// @return what became of one of them at one of its receivers
    const D2dReceiverOutcome& Outcome(std::size_t number = 0, std::size_t receiver = 0) const;
    /// @return those of one sender, in the order of their ends
    std::vector<D2dBurstReport> ReportsOf(uint32_t sender) const;
    /// @return the first of one sender that ended, or that with a number
    const D2dBurstReport& ReportOf(uint32_t sender, uint32_t burst = 0) const;
    /// @param report a burst that is over
    /// @return what became of it at each receiver: its index, or ? for none, and "acknowledged",
    /// "delivered", or why not; "part" before that if a part of its units was delivered
    std::vector<std::string> Fates(const D2dBurstReport& report) const;
    /// @return those of a burst by its number in Reports()
    std::vector<std::string> Fates(std::size_t number = 0) const;
    /// @return sender@start [us] of each burst that went on air, in the order of their starts
    std::string Starts() const;
    /// @return 1 for each burst of a sender that its first receiver lost, 0 for others
    std::vector<double> Losses(uint32_t sender = 0) const;
    /// @return all packets that devices handed up
    const std::vector<Reception>& Receptions() const;
    /// @return indices of the devices that handed them up
    std::vector<uint32_t> Hearers() const;
    /// @return what became of all bursts, or of those that went on air, as text
    std::string DescribeBursts(bool onAirOnly = false) const;
    /// Expects that no radio transmits or receives
    void ExpectIdle() const;

  private:
    /// Sets the loss of a link
    void SetLossDb(uint32_t from, uint32_t to, double lossDb);
    /// Records what a device tells
    void Observe(Ptr<D2dNetDevice> device);

    static uint32_t s_networks;            //!< how many there are
    Settings m_settings;                   //!< attributes of devices
    NetDeviceContainer m_devices;          //!< the devices
    Ptr<D2dChannel> m_channel;             //!< the channel
    std::vector<D2dBurstReport> m_reports; //!< bursts that are over
    std::vector<Reception> m_receptions;   //!< packets handed up
};

/// @return TypeId name of ns-3's LiIonEnergySource; empty if this ns-3 has none, as from 3.48 on
std::string FindLiIonType();

/// Mean of a sample and how well it is known.
struct Moments
{
    double mean = 0;          //!< mean
    double standardError = 0; //!< standard error of the mean
};

/// @param sample at least two numbers
/// @return its moments
Moments Describe(const std::vector<double>& sample);

/**
 * @brief Two-sample Kolmogorov-Smirnov statistic, scaled so that it does not depend on the sizes.
 *
 * Under the hypothesis of one continuous distribution it exceeds x with probability 2 exp(-2 x^2),
 * for large samples and large x; with ties, as in counts, more seldom.
 *
 * @param a a sample
 * @param b another
 * @return D sqrt(n m / (n + m))
 */
double KolmogorovSmirnov(std::vector<double> a, std::vector<double> b);

/// The statistic that two samples of one distribution exceed with probability 1e-4 at most
constexpr double KOLMOGOROV_SMIRNOV_LIMIT = 2.2253;

/// @brief Expect that two samples have the same mean.
/// @param a a sample
/// @param b another
/// @param errors allowed difference in combined standard errors
/// @param rounding allowed besides, relative to the mean
void ExpectSameMean(const std::vector<double>& a,
                    const std::vector<double>& b,
                    double errors,
                    double rounding = 1e-9);

/// Expects that the mean of a sample is as given, within some standard errors.
void ExpectMean(const std::vector<double>& sample, double expected, double errors = 3);
/// Expects that a number of @a trials is as a probability says, within some standard deviations.
void ExpectCount(double count, double probability, double trials, double deviations = 4);

} // namespace tests
} // namespace ns3::collab

#endif /* WIRELESS_TEST_SUPPORT_H */
