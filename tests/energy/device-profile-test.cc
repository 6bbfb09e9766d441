/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "wireless/wireless-test-support.h"

#include "ns3/basic-energy-harvester.h"
#include "ns3/basic-energy-source.h"
#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-error.h"
#include "ns3/collab-processor.h"
#include "ns3/config.h"
#include "ns3/d2d-radio-energy-model.h"
#include "ns3/device-energy-model-container.h"
#include "ns3/device-profile-helper.h"
#include "ns3/device-profile-presets.h"
#include "ns3/double.h"
#include "ns3/energy-harvester-container.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

class DeviceProfileTest : public SimulatorTest
{
  protected:
    /// @return the radio of the first device, and it alone
    NetDeviceContainer
    Radio() const
    {
        return NetDeviceContainer(m_network.Device(0));
    }

    /// @return the node of the first device
    Ptr<Node>
    GetNode() const
    {
        return m_network.Device(0)->GetNode();
    }

    /// @tparam Model an energy model
    /// @return all models of that kind that draw from the first device's battery
    template <typename Model>
    std::vector<Ptr<Model>>
    Models() const
    {
        std::vector<Ptr<Model>> models;
        const auto found = m_network.Source(0)->FindDeviceEnergyModels(Model::GetTypeId());
        for (uint32_t i = 0; i < found.GetN(); ++i)
        {
            models.push_back(DynamicCast<Model>(found.Get(i)));
        }
        return models;
    }

    /// @return what the user is told
    template <typename Action>
    std::string
    Mistake(Action action) const
    {
        return ::tests::ErrorOf<UserError>(action);
    }

    TestNetwork m_network{2}; //!< devices without batteries
};

TEST_F(DeviceProfileTest, SourcesThatAreUsedAgainBeforeTheyAreEmptyAreRefused)
{
    DeviceProfileHelper helper;
    helper.SetSourceAttribute("BasicEnergyLowBatteryThreshold", DoubleValue(0.2));
    EXPECT_THAT(Mistake([&]() { helper.Install(Radio()); }),
                testing::AllOf(testing::HasSubstr("LowBatteryThreshold is 0.2"),
                               testing::HasSubstr("HighBatteryThreshold 0.15")));
    helper.SetSourceAttribute("BasicEnergyHighBatteryThreshold", DoubleValue(0.2));
    helper.Install(Radio());
}

TEST_F(DeviceProfileTest, DefaultKeepsWhatTheClassesHave)
{
    DeviceProfileHelper().Install(Radio());
    EXPECT_EQ(m_network.Source(0)->GetInitialEnergy(), 10000);
    EXPECT_EQ(m_network.GetProcessor(0)->GetFrequencyHz(), 1.5e9);
    EXPECT_EQ(m_network.Phy(0)->GetTxPowerDbm(), 20);
    EXPECT_NEAR(Models<D2dRadioEnergyModel>().at(0)->GetTxPowerW(), 0.1 / 0.35 + 0.1, 1e-12);
}

/// What a preset shall mean in the end, by hand from the figures of its sources
struct PresetFigures
{
    const char* name; //!< of the preset
    double gflops;    //!< speed at the highest level [GFLOPS]
    double loadW;     //!< processor while it computes, idle power included [W]
    double txW;       //!< radio while it transmits [W]
    double batteryWh; //!< charge [Wh]
    uint32_t levels;  //!< number of levels
};

TEST_F(DeviceProfileTest, PresetsMeetTheFiguresOfTheirSources)
{
    const std::vector<PresetFigures> all = {
        // 4 cores x 8 flop x 1.5 GHz; 5 V x 1.28 A less the Wi-Fi; 303.9 mA x 3.3 V
        {"raspberry-pi-4", 48, 6.4 - 0.278, 1.003, 37, 3},
        // 0.01 / A flop x 1.5 GHz; the fit's watts less the Wi-Fi, sending less the idle processor
        {"ns3fl-raspberry-pi-4", 13.889, 4.855 - 0.278, 2.166, 37, 1},
        {"ns3fl-raspberry-pi-400", 18.45, 4.513 - 0.278, 1.932, 37, 1},
        // 128 cores x 2 flop x 921.6 MHz; the 10 W mode
        {"jetson-nano", 235.9, 10, 1.003, 74, 2},
        // 3 cores x 16 flop x 2.4192 GHz; 3 x 351.35 mA x 3.85 V + 0.05 W; 135 mA x 3.85 V
        {"smartphone", 116.1, 4.108, 0.52, 15.4, 3},
        // 128 MHz; 2.6 mA x 3 V; 9.8 mA x 3 V
        {"wearable", 0.128, 0.0078, 0.0294, 0.74, 1},
        // 12 cores x 32 flop x 2.2 GHz; TDP 90 W; 2 x (130 + 4.7 x 20) W
        {"base-station", 844.8, 90, 447, 277778, 1},
    };
    ASSERT_EQ(GetDeviceProfilePresets().size(), all.size() + 1);
    for (const auto& figures : all)
    {
        SCOPED_TRACE(figures.name);
        TestNetwork network(1);
        DeviceProfileHelper(figures.name).Install(NetDeviceContainer(network.Device(0)));
        Ptr<Processor> processor = network.GetProcessor(0);
        const auto found =
            network.Source(0)->FindDeviceEnergyModels(D2dRadioEnergyModel::GetTypeId());
        const Time more = processor->GetDuration(2000000000000);
        const double seconds = (more - processor->GetDuration(1000000000000)).GetSeconds();
        EXPECT_NEAR(1000 / seconds / figures.gflops, 1, 0.005);
        EXPECT_EQ(processor->GetLevels().size(), figures.levels);
        const double loadW = processor->GetIdlePowerW() + processor->GetComputePowerW();
        EXPECT_NEAR(loadW / figures.loadW, 1, 0.01);
        const double txW = DynamicCast<D2dRadioEnergyModel>(found.Get(0))->GetTxPowerW();
        EXPECT_NEAR(txW / figures.txW, 1, 0.01);
        EXPECT_NEAR(network.Source(0)->GetInitialEnergy() / 3600 / figures.batteryWh, 1, 1e-4);
    }
}

/// What ns3-fl says of a board that trains a network of Fashion-MNIST, E epochs between two rounds:
/// A x + B seconds at C x + D watts with x = 600 MAC (100 + 6 E) / 1.5 GHz
struct Ns3FlFit
{
    const char* preset; //!< of the board
    double a;           //!< A
    double b;           //!< B [s]
    double c;           //!< C [W]
    double d;           //!< D [W]
};

TEST_F(DeviceProfileTest, RaspberryPisFollowTheFitsOfNs3Fl)
{
    constexpr double MACS = 285689600; // of a batch of 100 images, forward
    for (const Ns3FlFit& fit : {Ns3FlFit{"ns3fl-raspberry-pi-4", 1.08e-3, 11.4, -1.04e-4, 6.4},
                                Ns3FlFit{"ns3fl-raspberry-pi-400", 8.13e-4, 15.7, -1.27e-4, 6.4}})
    {
        TestNetwork network(1);
        DeviceProfileHelper(fit.preset).Install(NetDeviceContainer(network.Device(0)));
        Ptr<Processor> processor = network.GetProcessor(0);
        for (const uint32_t epochs : {1, 2, 5, 10})
        {
            SCOPED_TRACE(testing::Message() << fit.preset << ", " << epochs << " epochs");
            const double macs = MACS * (100 + 6 * epochs);
            const double x = macs * 600 / 1.5e9;
            const Time job = processor->GetDuration(static_cast<uint64_t>(6 * macs));
            EXPECT_NEAR(job.GetSeconds() / (fit.a * x + fit.b), 1, 1e-3);
            // Of the board, the idle radio included; the power of the fit falls with the epochs
            processor->SetBusy(true);
            const EnergyByKind before = network.Energy(0);
            RunFor(job);
            const double joules = GetTotal(network.Energy(0)) - GetTotal(before);
            processor->SetBusy(false);
            const double ofTheFit = (fit.c * x + fit.d) * (fit.a * x + fit.b);
            EXPECT_NEAR(joules / ofTheFit, 1, epochs == 5 ? 2e-3 : 0.11);
        }
        Simulator::Destroy();
    }
}

TEST_F(DeviceProfileTest, RaspberryPisOfNs3FlTakeAsLongByHand)
{
    // By hand: 0.01 / A operations per cycle, so 1.08e-3 x 114.27584 x 106 + 11.4 s
    DeviceProfileHelper("ns3fl-raspberry-pi-4").Install(Radio());
    const auto seconds = [this](uint64_t macs) {
        return m_network.GetProcessor(0)->GetDuration(6 * macs).GetSeconds();
    };
    EXPECT_NEAR(seconds(30283097600), 24.48, 0.005); // one epoch
    EXPECT_NEAR(seconds(37139648000), 27.44, 0.005); // five
    EXPECT_NEAR(seconds(45710336000), 31.15, 0.005); // ten
}

TEST_F(DeviceProfileTest, JetsonNanoMeetsItsLowerPowerMode)
{
    DeviceProfileHelper("jetson-nano").Install(Radio());
    Ptr<Processor> processor = m_network.GetProcessor(0);
    processor->SetLevel(0);
    EXPECT_NEAR(processor->GetIdlePowerW() + processor->GetComputePowerW(), 5, 0.01);
}

TEST_F(DeviceProfileTest, BaseStationHasAnAccountOfItsOwn)
{
    DeviceProfileHelper("base-station").Install(Radio());
    EXPECT_EQ(m_network.Phy(0)->GetTxPowerDbm(), 46);
    m_network.Send(0, 1, 100, D2dReliability::BEST_EFFORT);
    RunFor(Seconds(1));
    EXPECT_EQ(m_network.Joules(0, EnergyKind::TX), 0);
    EXPECT_GT(m_network.Joules(0, EnergyKind::D2S_TX), 0);
}

TEST_F(DeviceProfileTest, WhatIsGivenForDevicesDoesNotChangeABaseStation)
{
    Config::SetDefault("ns3::collab::D2dPhy::TxPower", StringValue("1"));
    Config::SetDefault("ns3::collab::D2dRadioEnergyModel::RxPower", StringValue("0.5"));
    Config::SetDefault("ns3::collab::Processor::FlopsPerCycle", StringValue("2"));
    Config::SetDefault(BasicEnergySource::GetTypeId().GetName() +
                           "::BasicEnergySourceInitialEnergyJ",
                       StringValue("20"));
    for (const bool isStation : {true, false})
    {
        TestNetwork network(1);
        const NetDeviceContainer radio(network.Device(0));
        DeviceProfileHelper(isStation ? "base-station" : "smartphone").Install(radio);
        const auto model = network.Device(0)->GetObject<D2dRadioEnergyModel>();
        DoubleValue power;
        model->GetAttribute("RxPower", power);
        DoubleValue flops;
        network.GetProcessor(0)->GetAttribute("FlopsPerCycle", flops);
        EXPECT_EQ(network.Phy(0)->GetTxPowerDbm(), isStation ? 46 : 1);
        EXPECT_EQ(power.Get(), isStation ? 260 : 0.5);
        EXPECT_EQ(flops.Get(), isStation ? 384 : 2);
        EXPECT_EQ(network.Source(0)->GetInitialEnergy(), isStation ? 1e9 : 20);
        Simulator::Destroy();
    }
    Config::Reset();
}

TEST_F(DeviceProfileTest, NumbersOfAPresetCanBeChanged)
{
    DeviceProfileHelper profile("raspberry-pi-4");
    profile.SetProcessorAttribute("Governor", StringValue("Powersave"));
    profile.SetDeviceAttribute("TxPower", DoubleValue(10));
    profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(5));
    profile.Install(Radio());
    EXPECT_EQ(m_network.GetProcessor(0)->GetFrequencyHz(), 6e8);
    EXPECT_EQ(m_network.Phy(0)->GetTxPowerDbm(), 10);
    EXPECT_EQ(m_network.Source(0)->GetInitialEnergy(), 5);
}

TEST_F(DeviceProfileTest, TwoRadiosOfANodeDrawFromOneBattery)
{
    Ptr<D2dNetDevice> second = CreateObject<D2dNetDevice>();
    GetNode()->AddDevice(second);
    DeviceProfileHelper().Install(Radio());
    DeviceProfileHelper d2s;
    d2s.SetRadioEnergyAttribute("Account", StringValue("D2s"));
    d2s.SetRadioEnergyAttribute("IdlePower", DoubleValue(0.5));
    d2s.Install(NetDeviceContainer(second));
    EXPECT_EQ(GetNode()->GetObject<EnergySourceContainer>()->GetN(), 1);
    EXPECT_EQ(Models<D2dRadioEnergyModel>().size(), 2);
    EXPECT_EQ(Models<DepletionWatch>().size(), 1);
    RunFor(Seconds(1));
    // Two radios and, once, the processor
    EXPECT_NEAR(GetTotal(m_network.Energy(0)), 0.02 + 0.5 + 0.1, 1e-12);
    EXPECT_NEAR(m_network.Battery(0)->GetSourceLossJ(), 0.62, 2e-9);
}

TEST_F(DeviceProfileTest, NodeWithAnotherRadioGetsProcessorAndBattery)
{
    NodeContainer nodes(2);
    nodes.Get(0)->AddDevice(CreateObject<SimpleNetDevice>());
    DeviceProfileHelper profile("smartphone");
    profile.InstallProcessors(nodes);
    profile.InstallProcessors(nodes); // what is there stays
    Ptr<EnergySource> source = nodes.Get(0)->GetObject<EnergySourceContainer>()->Get(0);
    EXPECT_EQ(nodes.Get(0)->GetObject<EnergySourceContainer>()->GetN(), 1);
    EXPECT_EQ(nodes.Get(0)->GetObject<Processor>()->GetLevels().size(), 3);
    RunFor(Seconds(10));
    EXPECT_NEAR(DepletionWatch::Of(source)->GetSourceLossJ(), 0.05 * 10, 2e-9);
}

TEST_F(DeviceProfileTest, ProcessorAndSourceOfTheNodeAreUsed)
{
    Ptr<Processor> processor = CreateObject<Processor>();
    processor->SetAttribute("IdlePower", DoubleValue(3));
    GetNode()->AggregateObject(processor);
    GetNode()->AggregateObject(CreateObject<EnergySourceContainer>()); // still empty
    DeviceProfileHelper().Install(Radio());
    EXPECT_EQ(m_network.GetProcessor(0), processor);
    RunFor(Seconds(1));
    EXPECT_NEAR(GetTotal(m_network.Energy(0)), 3 + 0.02, 1e-12);
}

TEST_F(DeviceProfileTest, PowersThatAreSetLaterAreInForceAtOnce)
{
    DeviceProfileHelper().Install(Radio());
    const auto model = m_network.Device(0)->GetObject<D2dRadioEnergyModel>();
    At(Seconds(4), [&]() {
        m_network.GetProcessor(0)->SetAttribute("IdlePower", DoubleValue(1));
        model->SetAttribute("IdlePower", DoubleValue(2));
    });
    RunFor(Seconds(10));
    EXPECT_NEAR(GetTotal(m_network.Energy(0)), 4 * (0.1 + 0.02) + 6 * (1 + 2), 1e-9);
    EXPECT_EQ(model->GetStateDuration(D2dRadioState::IDLE), Seconds(10));
}

TEST_F(DeviceProfileTest, HarvesterFeedsTheBattery)
{
    DeviceProfileHelper profile;
    profile.SetHarvester(BasicEnergyHarvester::GetTypeId().GetName(),
                         "HarvestablePower",
                         StringValue("ns3::ConstantRandomVariable[Constant=0.2]"));
    profile.Install(Radio());
    EXPECT_EQ(GetNode()->GetObject<EnergyHarvesterContainer>()->GetN(), 1);
    NetDeviceContainer twice = Radio();
    twice.Add(Radio()); // of the same node, whose battery has one harvester
    EXPECT_EQ(DeviceProfileHelper::AssignStreams(twice, 7), 1);
    EXPECT_EQ(DeviceProfileHelper::AssignStreams({}, 7), 0);
    RunFor(Seconds(10));
    EXPECT_NEAR(m_network.Battery(0)->GetSourceLossJ(), (0.1 + 0.02 - 0.2) * 10, 2e-8);
}

TEST_F(DeviceProfileTest, MistakesAreTold)
{
    using ::testing::HasSubstr;
    EXPECT_THAT(Mistake([]() { DeviceProfileHelper("toaster"); }),
                "device profile \"toaster\" given; allowed: default, raspberry-pi-4, "
                "ns3fl-raspberry-pi-4, ns3fl-raspberry-pi-400, jetson-nano, smartphone, wearable, "
                "base-station");
    DeviceProfileHelper profile;
    EXPECT_THAT(Mistake([&]() { profile.SetSource("ns3::Node"); }),
                HasSubstr("energy source \"ns3::Node\" given; allowed: "));
    EXPECT_THAT(Mistake([&]() { profile.SetSource("ns3::NoSuchThing"); }),
                HasSubstr("\"ns3::NoSuchThing\""));
    EXPECT_THAT(Mistake([&]() { profile.SetHarvester("ns3::Node"); }),
                HasSubstr("energy harvester \"ns3::Node\" given"));
    EXPECT_THAT(
        Mistake([&]() { profile.Install(NetDeviceContainer(CreateObject<SimpleNetDevice>())); }),
        HasSubstr("device 0 is no D2dNetDevice"));
    EXPECT_THAT(
        Mistake([&]() { profile.Install(NetDeviceContainer(CreateObject<D2dNetDevice>())); }),
        HasSubstr("device 0 is on no node"));
    profile.Install(Radio());
    EXPECT_THAT(Mistake([&]() { profile.Install(Radio()); }), HasSubstr("has a profile already"));
    EXPECT_THAT(Mistake([]() { DepletionWatch::Of(nullptr); }), HasSubstr("no energy source"));
    EXPECT_THAT(Mistake([]() { CreateObject<D2dRadioEnergyModel>()->SetEnergySource(nullptr); }),
                HasSubstr("no energy source"));
}

} // namespace
