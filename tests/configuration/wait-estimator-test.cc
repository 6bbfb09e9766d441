/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/application-container.h"
#include "ns3/application.h"
#include "ns3/collab-transport.h"
#include "ns3/collab-wait-estimator.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/mobility-helper.h"
#include "ns3/node-container.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// A message that is one fragment of 1000 bytes, on air for 8 ms at 1 Mbit/s
constexpr uint64_t WAIT_BYTES = 966;

/// Outage probabilities by transmitter and receiver; counts how often somebody asks
class CountingOutageModel : public D2dOutageModel
{
  public:
    mutable uint32_t calls = 0; //!< so far
    uint32_t first = 0;         //!< number of the first node
    std::function<double(uint32_t from, uint32_t to)> outage = [](auto...) { return 0.0; };

  private:
    double
    DoGetOutageProbability(const D2dSignal& signal) const override
    {
        ++calls;
        return outage(signal.transmitter - first, signal.receiver - first);
    }
};

/// Attributes of a network and their values
struct WaitSettings
{
    std::map<std::string, std::string> radio;   //!< of radios
    std::map<std::string, std::string> channel; //!< of their channel
};

/// Devices in range of each other
class WaitNetwork
{
  public:
    explicit WaitNetwork(uint32_t devices, const WaitSettings& settings = {})
        : nodes(devices)
    {
        MobilityHelper().Install(nodes);
        D2dHelper helper;
        for (const auto& [name, value] : settings.radio)
        {
            helper.SetDeviceAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : settings.channel)
        {
            helper.SetChannelAttribute(name, StringValue(value));
        }
        helper.SetChannelAttribute("OutageModel", PointerValue(model));
        helper.Install(nodes);
        model->first = nodes.Get(0)->GetId();
    }

    ~WaitNetwork()
    {
        Simulator::Destroy();
    }

    NodeContainer nodes;                                                  //!< the devices
    Ptr<CountingOutageModel> model = CreateObject<CountingOutageModel>(); //!< of all links
    const WaitEstimator once = {nodes, LossPolicy::BEST_EFFORT};          //!< no repetition
    const WaitEstimator reliable = {nodes, LossPolicy::RELIABLE};         //!< with ARQ
};

const WaitSettings FULL_DUPLEX = {{{"Duplex", "Full"}}, {}};

/// A network of any other kind: every message takes 3 s
class SteadyTransport : public Transport
{
  public:
    std::vector<uint32_t>
    GetNeighbors() const override
    {
        return {};
    }

    Time
    GetAirtime(uint64_t /* bytes */, std::optional<uint32_t> /* receiver */) const override
    {
        return Seconds(3);
    }

  private:
    void
    DoSend(Destination /* to */,
           Ptr<Packet> /* packet */,
           std::shared_ptr<const Message> /* message */,
           SendOptions /* options */) override
    {
    }

    bool
    DoCancel(uint32_t /* sequence */) override
    {
        return false;
    }

    void
    DoEndRun() override
    {
    }
};

/// Computes for some time
struct BusyApplication : Application
{
    Time duration; //!< how long
};

} // namespace

TEST(WaitEstimatorTest, AirtimesByHand)
{
    struct Case
    {
        WaitSettings settings;
        uint32_t sharing;
        Time broadcast; // of all five devices
    };

    const std::vector<Case> cases = {
        // At the same time, or one after the other
        {FULL_DUPLEX, 1, MilliSeconds(8)},
        {{{{"Duplex", "Half"}}, {}}, 1, MilliSeconds(40)},
        {{{{"Duplex", "Full"}, {"SpectralEfficiency", "2"}}, {}}, 1, MilliSeconds(4)},
        {{{{"Duplex", "Full"}, {"FragmentSize", "483"}}, {}}, 1, MicroSeconds(8272)},
        // With a back-off of 16 slots of 9 us
        {{{{"Duplex", "Full"}}, {{"Access", "Shared"}}}, 5, MicroSeconds(5 * 8144)},
        {{{{"Duplex", "Full"}}, {{"Subchannels", "2"}}}, 3, MicroSeconds(3 * 8144)},
        // With an empty turn of 9 us
        {{{{"Duplex", "Full"}}, {{"Access", "Tdma"}}}, 5, MicroSeconds(5 * 8009)},
    };
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        SCOPED_TRACE(i);
        const WaitNetwork network(5, cases[i].settings);
        EXPECT_EQ(network.once.CountSharing(), cases[i].sharing);
        EXPECT_EQ(network.once.Broadcast(WAIT_BYTES), cases[i].broadcast);
        EXPECT_EQ(network.reliable.Broadcast(WAIT_BYTES), 2 * cases[i].broadcast);
    }
}

TEST(WaitEstimatorTest, MessagesInARow)
{
    const WaitNetwork network(3);
    const Ptr<Node> sender = network.nodes.Get(1);
    EXPECT_EQ(network.once.Unicast(WAIT_BYTES, sender), MilliSeconds(8));
    EXPECT_EQ(network.once.Unicast(WAIT_BYTES, sender, 2.5), MilliSeconds(20));
    EXPECT_EQ(network.reliable.Unicast(WAIT_BYTES, sender, 3, sender->GetId() + 1),
              MilliSeconds(48));
    EXPECT_EQ(network.once.CountSendings(), 1);
    EXPECT_EQ(network.reliable.CountSendings(), 2);
    EXPECT_EQ(WaitEstimator(network.nodes, LossPolicy::PARTIAL_RELIABLE).CountSendings(), 2);
    EXPECT_EQ(WaitEstimator(network.nodes, LossPolicy::PARTIAL).CountSendings(), 1);
}

TEST(WaitEstimatorTest, UnicastTakesTheRateOfTheLink)
{
    const WaitNetwork network(2, {{{"RateControl", "Adaptive"}}, {}});
    const Ptr<Node> sender = network.nodes.Get(0);
    EXPECT_LT(network.once.Unicast(WAIT_BYTES, sender, 1, sender->GetId() + 1),
              network.once.Unicast(WAIT_BYTES, sender));
}

TEST(WaitEstimatorTest, BroadcastsAreRepeatedToWhomHearsThemWorst)
{
    struct Case
    {
        const char* maxAttempts;
        std::function<double(uint32_t, uint32_t)> outage;
        uint32_t receivers;
        double sendings;
    };

    const auto half = [](auto...) { return 0.5; };
    const auto one = [](uint32_t from, uint32_t to) { return from == 0 && to == 3 ? 0.8 : 0.0; };
    const auto nobody = [](auto...) { return 1.0; };
    const std::vector<Case> cases = {
        // One of four comes and is acknowledged: three more to each
        {"8", half, 4, 13},
        {"8", half, 2, 7},
        {"8", half, 99, 13},
        {"3", half, 4, 9},
        {"8", one, 1, 5},
        {"8", one, 4, 5},
        {"8", nobody, 4, 2},
    };
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        SCOPED_TRACE(i);
        const WaitNetwork network(
            5, {{{"Duplex", "Full"}, {"MaxAttempts", cases[i].maxAttempts}}, {}});
        network.model->outage = cases[i].outage;
        const Ptr<Node> sender = network.nodes.Get(0);
        const auto receivers = cases[i].receivers;
        const double seconds = 0.008 * cases[i].sendings;
        EXPECT_NEAR(network.reliable.BroadcastFrom(WAIT_BYTES, sender, receivers).GetSeconds(),
                    seconds,
                    1e-8);
        EXPECT_EQ(network.once.BroadcastFrom(WAIT_BYTES, sender, receivers), MilliSeconds(8));
        if (receivers >= 4)
        {
            EXPECT_NEAR(network.reliable.CountBroadcastSendings(sender), cases[i].sendings, 1e-9);
            EXPECT_NEAR(network.reliable.Broadcast(WAIT_BYTES).GetSeconds(), seconds, 1e-8);
        }
        EXPECT_EQ(network.once.CountBroadcastSendings(sender), 1);
    }
}

TEST(WaitEstimatorTest, AtMostSixtyFourSendersAreAsked)
{
    for (const auto& [devices, senders] :
         std::vector<std::pair<uint32_t, uint32_t>>{{2, 2}, {64, 64}, {65, 64}, {100, 64}})
    {
        const WaitNetwork network(devices, FULL_DUPLEX);
        for (uint32_t i = 0; i < devices; ++i)
        {
            EXPECT_EQ(network.once.CountBroadcastSendings(network.nodes.Get(i)), 1);
            EXPECT_EQ(network.reliable.CountBroadcastSendings(network.nodes.Get(i)), 2);
        }
        network.once.Broadcast(WAIT_BYTES);
        network.reliable.Broadcast(WAIT_BYTES);
        // Each link of a sender, there and back, once
        EXPECT_EQ(network.model->calls, 2 * senders * (devices - 1)) << devices;
    }
}

TEST(WaitEstimatorTest, OthersCountAsTheWorstOfThoseThatAreAsked)
{
    // Of what device 98 sends a fifth comes: to each of 99 four more, and from each an
    // acknowledgment of five
    const auto outage = [](uint32_t from, uint32_t) { return from == 98 ? 0.8 : 0.0; };
    for (const bool isHalf : {true, false})
    {
        const WaitNetwork network(100, {{{"Duplex", isHalf ? "Half" : "Full"}}, {}});
        network.model->outage = outage;
        const auto sendings = [&network](uint32_t device) {
            return network.reliable.CountBroadcastSendings(network.nodes.Get(device));
        };
        EXPECT_NEAR(sendings(0), 5, 1e-9);
        EXPECT_NEAR(sendings(98), 397, 1e-9);
        EXPECT_NEAR(sendings(2), 397, 1e-9) << "not asked";
        const double seconds = isHalf ? 100 * 0.008 * (397 + 63 * 5) / 64 : 0.008 * 397;
        EXPECT_NEAR(network.reliable.Broadcast(WAIT_BYTES).GetSeconds(), seconds, 1e-8);
    }
}

TEST(WaitEstimatorTest, AnyTransportWillDo)
{
    NodeContainer nodes(3);
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        (*node)->AggregateObject(CreateObject<SteadyTransport>());
    }
    const WaitEstimator waits(nodes, LossPolicy::RELIABLE);
    EXPECT_EQ(waits.Broadcast(1), Seconds(6));
    EXPECT_EQ(waits.BroadcastFrom(1, nodes.Get(0), 2), Seconds(6));
    EXPECT_EQ(waits.Unicast(1, nodes.Get(0), 4), Seconds(24));
    EXPECT_EQ(waits.CountSharing(), 1U);
    Simulator::Destroy();
}

TEST(WaitEstimatorTest, AWaitIsAQuarterLongerThanTheSlowest)
{
    ApplicationContainer applications;
    for (const double seconds : {2.0, 8.0, 4.0})
    {
        const auto application = CreateObject<BusyApplication>();
        application->duration = Seconds(seconds);
        applications.Add(application);
    }
    const auto longest = [&applications](double least) {
        return WaitEstimator::Longest<BusyApplication>(
            applications, Seconds(least), std::mem_fn(&BusyApplication::duration));
    };
    EXPECT_EQ(longest(5), Seconds(10));
    EXPECT_EQ(longest(11), Seconds(11));
    EXPECT_EQ(WaitEstimator::AddMargin(NanoSeconds(4)), NanoSeconds(5));
}
