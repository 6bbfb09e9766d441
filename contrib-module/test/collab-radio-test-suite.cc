/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/d2d-channel.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/d2d-transport.h"
#include "ns3/double.h"
#include "ns3/mobility-helper.h"
#include "ns3/pointer.h"
#include "ns3/position-allocator.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup collab-test
 * The D2D radio as a user of an ns-3 tree can check it: delivery and airtime without loss, and the
 * mean outage of a link.
 */

namespace tests
{

using namespace ns3;
using namespace ns3::collab;

/// What light travels in a microsecond [m], so that propagation delays are whole microseconds
constexpr double METERS_PER_MICROSECOND = 299.792458;

/// @ingroup collab-test
/// @brief Some D2D radios on a line, and all that became of their bursts.
class D2dLine
{
  public:
    /// @param fidelity attribute Fidelity of the channel
    /// @param outageModel attribute OutageModel of the channel
    /// @param positions distance of each device from the first one [m]
    D2dLine(const std::string& fidelity,
            const std::string& outageModel,
            const std::vector<double>& positions)
    {
        NodeContainer nodes(static_cast<uint32_t>(positions.size()));
        Ptr<ListPositionAllocator> allocator = CreateObject<ListPositionAllocator>();
        for (const double position : positions)
        {
            allocator->Add(Vector(position, 0, 0));
        }
        MobilityHelper mobility;
        mobility.SetPositionAllocator(allocator);
        mobility.Install(nodes);
        D2dHelper d2d;
        d2d.AddPropagationLossModel("ns3::LogDistancePropagationLossModel",
                                    "Exponent",
                                    DoubleValue(PATH_LOSS_EXPONENT),
                                    "ReferenceLoss",
                                    DoubleValue(REFERENCE_LOSS_DB));
        d2d.SetChannelAttribute("Fidelity", StringValue(fidelity));
        d2d.SetChannelAttribute("OutageModel", StringValue(outageModel));
        d2d.SetDeviceAttribute("ContentionWindow", UintegerValue(1));
        d2d.SetDeviceAttribute("FragmentSize", UintegerValue(1500));
        const NetDeviceContainer devices = d2d.Install(nodes);
        D2dHelper::AssignStreams(devices, 1);
        const Callback<void, const D2dBurstReport&> store(
            [this](const D2dBurstReport& report) { reports.push_back(report); });
        for (uint32_t i = 0; i < devices.GetN(); ++i)
        {
            Ptr<D2dNetDevice> radio = DynamicCast<D2dNetDevice>(devices.Get(i));
            radio->GetMac()->TraceConnectWithoutContext("BurstEnd", store);
            radio->SetBurstReceiveCallback(
                PROTOCOL, [this, i](const D2dBurst& burst, const std::vector<uint32_t>&) {
                    received[i].push_back(Arrival{Simulator::Now(), burst});
                });
            radios.push_back(radio);
        }
        received.resize(radios.size());
    }

    /// @brief Let the first device send one best-effort burst.
    /// @param bytes size of its packet
    /// @param destination whom to
    void
    Send(uint32_t bytes, Address destination)
    {
        radios[0]->GetMac()->SendBurst({Create<Packet>(bytes),
                                        Mac48Address::ConvertFrom(destination),
                                        PROTOCOL,
                                        D2dReliability::BEST_EFFORT});
    }

    /// A burst that a device has received
    struct Arrival
    {
        Time time;      //!< when
        D2dBurst burst; //!< what
    };

    static constexpr uint16_t PROTOCOL = D2dTransport::PROTOCOL + 1; //!< of the bursts
    static constexpr double PATH_LOSS_EXPONENT = 3;                  //!< of the path loss
    static constexpr double REFERENCE_LOSS_DB = 40;                  //!< loss at 1 m [dB]

    std::vector<Ptr<D2dNetDevice>> radios;      //!< the devices
    std::vector<std::vector<Arrival>> received; //!< by device
    std::vector<D2dBurstReport> reports;        //!< of all devices' bursts
};

/// @ingroup collab-test
/// @brief A unicast packet of three fragments on a link without loss: who gets it, and when.
class D2dUnicastTestCase : public TestCase
{
  public:
    /// @param fidelity attribute Fidelity of the channel
    explicit D2dUnicastTestCase(const std::string& fidelity)
        : TestCase("Lossless unicast, fidelity " + fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    void
    DoRun() override
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        D2dLine line(m_fidelity,
                     "ns3::collab::D2dFixedOutageModel[Probability=0]",
                     {0, METERS_PER_MICROSECOND, METERS_PER_MICROSECOND});
        line.Send(4000, line.radios[1]->GetAddress());
        Simulator::Run();

        NS_TEST_ASSERT_MSG_EQ(line.received[1].size(), 1, "bursts that the receiver got");
        NS_TEST_EXPECT_MSG_EQ(line.received[2].size(), 0, "bursts that somebody else got");
        NS_TEST_EXPECT_MSG_EQ(
            line.received[1][0].burst.packet->GetSize(), 4000, "size of the packet received");
        // Three fragments of 1334 bytes, each with 30 bytes of header and 4 of check sequence, at
        // 1 Mbit/s: 3 x 1368 x 8 us
        NS_TEST_EXPECT_MSG_EQ(line.received[1][0].time,
                              MicroSeconds(32832) + MicroSeconds(1),
                              "time of arrival: airtime and propagation delay");
        NS_TEST_ASSERT_MSG_EQ(line.reports.size(), 1, "bursts reported");
        const D2dBurstReport& report = line.reports[0];
        NS_TEST_EXPECT_MSG_EQ(report.airtime, MicroSeconds(32832), "airtime of the sender");
        NS_TEST_EXPECT_MSG_EQ(report.attempts, 3, "fragment transmissions");
        NS_TEST_ASSERT_MSG_EQ(report.outcomes.size(), 1, "devices that it was meant for");
        NS_TEST_EXPECT_MSG_EQ(report.outcomes[0].delivered, true, "the reported outcome");
        Simulator::Destroy();
    }

    std::string m_fidelity; //!< attribute Fidelity of the channel
};

/// @ingroup collab-test
/// @brief A broadcast without loss is one transmission that reaches all in range and nobody else.
class D2dBroadcastTestCase : public TestCase
{
  public:
    /// @param fidelity attribute Fidelity of the channel
    explicit D2dBroadcastTestCase(const std::string& fidelity)
        : TestCase("Lossless broadcast, fidelity " + fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    void
    DoRun() override
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        // At 20 dBm and 40 dB + 30 dB a decade the sensitivity of -120 dBm is reached at 2154 m.
        D2dLine line(m_fidelity,
                     "ns3::collab::D2dFixedOutageModel[Probability=0]",
                     {0, METERS_PER_MICROSECOND, 2 * METERS_PER_MICROSECOND, 2100, 2200});
        line.Send(966, Mac48Address::GetBroadcast());
        Simulator::Run();

        for (const std::size_t device : {1, 2, 3})
        {
            NS_TEST_ASSERT_MSG_EQ(
                line.received[device].size(), 1, "bursts that device " << device << " got");
        }
        NS_TEST_EXPECT_MSG_EQ(line.received[4].size(), 0, "bursts that a device out of range got");
        NS_TEST_EXPECT_MSG_EQ(
            line.received[1][0].time, MicroSeconds(8001), "arrival at a distance of 1 us");
        NS_TEST_EXPECT_MSG_EQ(
            line.received[2][0].time, MicroSeconds(8002), "arrival at a distance of 2 us");
        NS_TEST_ASSERT_MSG_EQ(line.reports.size(), 1, "bursts reported");
        NS_TEST_EXPECT_MSG_EQ(line.reports[0].airtime, MilliSeconds(8), "airtime of the sender");
        NS_TEST_EXPECT_MSG_EQ(line.reports[0].outcomes.size(), 3, "devices that it was meant for");
        Simulator::Destroy();
    }

    std::string m_fidelity; //!< attribute Fidelity of the channel
};

/// @ingroup collab-test
/// @brief The fraction of packets lost on a Rayleigh-fading link, over several runs, is what the
/// formula says.
class D2dOutageMeanTestCase : public TestCase
{
  public:
    /// @param fidelity attribute Fidelity of the channel
    explicit D2dOutageMeanTestCase(const std::string& fidelity)
        : TestCase("Mean outage over runs, fidelity " + fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    /// Packets sent in each run
    static constexpr uint32_t PACKETS = 500;
    /// Number of runs
    static constexpr uint32_t RUNS = 10;
    /// Length of the link [m]
    static constexpr double DISTANCE_M = 500;

    /// @param run number of the run
    /// @return packets received in it
    uint32_t
    CountReceived(uint32_t run)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(run);
        D2dLine line(m_fidelity, "ns3::collab::D2dRayleighOutageModel", {0, DISTANCE_M});
        const Address receiver = line.radios[1]->GetAddress();
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            Simulator::Schedule(MilliSeconds(10 * i),
                                [&line, receiver]() { line.Send(100, receiver); });
        }
        Simulator::Run();
        const auto received = static_cast<uint32_t>(line.received[1].size());
        Simulator::Destroy();
        return received;
    }

    void
    DoRun() override
    {
        uint32_t received = 0;
        for (uint32_t run = 1; run <= RUNS; ++run)
        {
            received += CountReceived(run);
        }
        // Wagle et al., eq. (18), with r = 1 bit/s/Hz, worked out from the devices' defaults: noise
        // in 1 MHz at 290 K with a noise figure of 7 dB, 20 dBm sent
        const double noiseW = 1.380649e-23 * 290 * 1e6 * std::pow(10.0, 0.7);
        const double lossDb =
            D2dLine::REFERENCE_LOSS_DB + 10 * D2dLine::PATH_LOSS_EXPONENT * std::log10(DISTANCE_M);
        const double rssW = std::pow(10.0, (20 - lossDb - 30) / 10);
        const double outage = 1 - std::exp(-noiseW / rssW);
        const double packets = PACKETS * RUNS;
        NS_TEST_EXPECT_MSG_EQ_TOL(1 - received / packets,
                                  outage,
                                  4 * std::sqrt(outage * (1 - outage) / packets),
                                  "fraction of packets lost");
        NS_TEST_EXPECT_MSG_GT(outage, 0.1, "the link is one that loses packets");
    }

    std::string m_fidelity; //!< attribute Fidelity of the channel
};

/// @ingroup collab-test
/// @brief Tests of the D2D radio.
class CollabRadioTestSuite : public TestSuite
{
  public:
    CollabRadioTestSuite()
        : TestSuite("collab-radio", Type::UNIT)
    {
        for (const std::string fidelity : {"Packet", "Burst"})
        {
            AddTestCase(new D2dUnicastTestCase(fidelity));
            AddTestCase(new D2dBroadcastTestCase(fidelity));
            AddTestCase(new D2dOutageMeanTestCase(fidelity));
        }
    }
};

/// Registers the suite
static CollabRadioTestSuite g_collabRadioTestSuite;

} // namespace tests
