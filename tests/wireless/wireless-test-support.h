/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WIRELESS_TEST_SUPPORT_H
#define WIRELESS_TEST_SUPPORT_H

#include "ns3/collab-itemized-energy-model.h"
#include "ns3/collab-processor.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/propagation-loss-model.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{
namespace tests
{

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

/**
 * @brief Radios on one channel whose links have given outage probabilities, and a record of what
 * becomes of their bursts.
 *
 * Device i is on the node with index i of this network, 100 m from its neighbors. A link loses
 * nothing until SetOutage() says otherwise.
 */
class TestNetwork
{
  public:
    /**
     * @param size number of devices
     * @param device attributes of D2dNetDevice
     * @param channel attributes of D2dChannel
     */
    explicit TestNetwork(uint32_t size,
                         const Settings& device = {},
                         const Settings& channel = {{"Fidelity", "Packet"}});
    TestNetwork(const TestNetwork&) = delete;
    TestNetwork& operator=(const TestNetwork&) = delete;

    /**
     * @param index of a device
     * @return the device
     */
    Ptr<D2dNetDevice> Device(uint32_t index) const;
    /**
     * @param index of a device
     * @return its address
     */
    Mac48Address Address(uint32_t index) const;
    /**
     * @param index of a device
     * @return number of its node
     */
    uint32_t NodeId(uint32_t index) const;
    /// @return the channel
    Ptr<D2dChannel> Channel() const;

    /**
     * @brief Set the received power of a link so that its Rayleigh outage is as given.
     *
     * @param from index of the sender
     * @param to index of the receiver
     * @param probability outage probability in [0, 1); 0 for 300 dB over the noise
     */
    void SetOutage(uint32_t from, uint32_t to, double probability);
    /**
     * @param from index of the sender
     * @param to index of a receiver that shall hear nothing of it
     */
    void SetOutOfRange(uint32_t from, uint32_t to);

    /**
     * @brief Give every device a battery and a processor.
     *
     * @param source attributes of the energy source
     * @param radio attributes of D2dRadioEnergyModel
     * @param processor attributes of Processor
     * @param type TypeId name of the energy source; empty for BasicEnergySource
     */
    void InstallBatteries(const Settings& source = {},
                          const Settings& radio = {},
                          const Settings& processor = {},
                          const std::string& type = "");
    /**
     * @param index of a device
     * @return its battery
     */
    Ptr<EnergySource> Source(uint32_t index) const;
    /**
     * @param index of a device
     * @return its battery's account
     */
    Ptr<DepletionWatch> Battery(uint32_t index) const;
    /**
     * @param index of a device
     * @return joules that it has spent on each kind
     */
    EnergyByKind Energy(uint32_t index) const;
    /**
     * @param index of a device
     * @return its processor
     */
    Ptr<Processor> GetProcessor(uint32_t index) const;

    /**
     * @brief Send a packet of zeros.
     *
     * @param from index of the sender
     * @param to index of the receiver, or BROADCAST
     * @param bytes size of the packet
     * @param reliability what to do about lost fragments
     * @return number of the burst, or 0
     */
    uint32_t Send(uint32_t from, uint32_t to, uint32_t bytes, D2dReliability reliability);
    /// The receiver that stands for all
    static constexpr uint32_t BROADCAST = 0xffffffff;
    /// Protocol number of what Send() sends
    static constexpr uint16_t PROTOCOL = 0x88b6;

    /// @return all bursts that are over, in the order of their ends
    const std::vector<D2dBurstReport>& Reports() const;
    /// @return all packets that devices handed up
    const std::vector<Reception>& Receptions() const;

  private:
    /// @param report of a burst that is over
    void RecordBurst(const D2dBurstReport& report);
    /**
     * @param network this
     * @param node where the packet arrived
     * @param packet the packet
     */
    static void RecordReception(TestNetwork* network, uint32_t node, Ptr<const Packet> packet);

    NodeContainer m_nodes;                        //!< the nodes
    NetDeviceContainer m_devices;                 //!< a device on each
    Ptr<D2dChannel> m_channel;                    //!< the channel
    Ptr<MatrixPropagationLossModel> m_lossMatrix; //!< losses of the links
    std::vector<D2dBurstReport> m_reports;        //!< bursts that are over
    std::vector<Reception> m_receptions;          //!< packets handed up
};

/// @return TypeId name of ns-3's LiIonEnergySource; empty if this ns-3 has none, as from 3.48 on
std::string FindLiIonType();

/// Mean of a sample and how well it is known.
struct Moments
{
    double mean = 0;          //!< mean
    double standardError = 0; //!< standard error of the mean
};

/**
 * @param sample at least two numbers
 * @return its moments
 */
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

/**
 * @brief Expect that two samples have the same mean.
 *
 * @param a a sample
 * @param b another
 * @param errors allowed difference in combined standard errors
 * @param rounding allowed besides, relative to the mean
 */
void ExpectSameMean(const std::vector<double>& a,
                    const std::vector<double>& b,
                    double errors,
                    double rounding = 1e-9);

} // namespace tests
} // namespace collab
} // namespace ns3

#endif /* WIRELESS_TEST_SUPPORT_H */
