/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "energy/energy-bench.h"

#include "ns3/basic-energy-harvester.h"
#include "ns3/basic-energy-source.h"
#include "ns3/collab-processor.h"
#include "ns3/config.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/energy-source.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <gtest/gtest.h>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr double DEVICE_W = IDLE_W + PROCESSOR_W; //!< of a device that does nothing
const Settings STRONG_PROCESSOR = {
    {"Frequency", "1e9"}, {"Capacitance", "1e-28"}, {"IdlePower", "0.05"}};
constexpr double COMPUTE_W = 0.1; //!< kappa f^3

/// An energy source that counts how often it is updated, and knows no more.
class CountingSource : public EnergySource
{
  public:
    /// @return the object TypeId
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("ns3::collab::tests::CountingSource")
                                .SetParent<EnergySource>()
                                .AddConstructor<CountingSource>();
        return tid;
    }

    double
    GetSupplyVoltage() const override
    {
        return 3;
    }

    double
    GetInitialEnergy() const override
    {
        return 1000;
    }

    double
    GetRemainingEnergy() override
    {
        UpdateEnergySource();
        return m_remainingJ;
    }

    double
    GetEnergyFraction() override
    {
        return GetRemainingEnergy() / GetInitialEnergy();
    }

    void
    UpdateEnergySource() override
    {
        ++updates;
        const Time now = Simulator::Now();
        currentA = CalculateTotalCurrent();
        m_remainingJ -= currentA * 3 * (now - m_last).GetSeconds();
        m_last = now;
    }

    int updates = 0;     //!< number of updates
    double currentA = 0; //!< what was drawn at the last of them

  private:
    double m_remainingJ = 1000; //!< charge [J]
    Time m_last;                //!< when it was last updated
};

class DepletionTest : public SimulatorTest
{
  protected:
    /// @brief Two devices; the first one alone gets a battery.
    /// @param harvestedW power of a harvester; 0 for none [W]
    void
    Install(const Settings& source,
            double harvestedW = 0,
            const std::string& type = BasicEnergySource::GetTypeId().GetName())
    {
        DeviceProfileHelper profile;
        profile.SetSource(type);
        for (const auto& [name, value] : source)
        {
            profile.SetSourceAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : STRONG_PROCESSOR)
        {
            profile.SetProcessorAttribute(name, StringValue(value));
        }
        if (harvestedW > 0)
        {
            const std::string power =
                "ns3::ConstantRandomVariable[Constant=" + std::to_string(harvestedW) + "]";
            profile.SetHarvester(BasicEnergyHarvester::GetTypeId().GetName(),
                                 "HarvestablePower",
                                 StringValue(power));
        }
        profile.Install(NetDeviceContainer(m_network.Device(0)));
    }

    /// @param on whether radio and processor shall be powered then
    void
    ExpectOn(Time when, bool on)
    {
        At(when, [this, on]() {
            EXPECT_EQ(m_network.Phy(0)->IsOn(), on) << Simulator::Now().As(Time::S);
            EXPECT_EQ(m_network.GetProcessor(0)->IsOn(), on) << Simulator::Now().As(Time::S);
        });
    }

    /// @return energy that the first device has spent [J]
    double
    SpentJ() const
    {
        return GetTotal(m_network.Energy(0));
    }

    TestNetwork m_network{2, EXACT}; //!< the devices
};

/// @return attributes of a source that is used until it is empty
Settings
Charge(const std::string& joules)
{
    return {{"BasicEnergyLowBatteryThreshold", "0"},
            {"PeriodicEnergyUpdateInterval", "1h"},
            {"BasicEnergySourceInitialEnergyJ", joules}};
}

TEST_F(DepletionTest, ExactWhileThePowerChanges)
{
    Install(Charge("1"));
    for (int i = 0; i < 5000; ++i)
    {
        At(MilliSeconds(2 * i), [this]() { m_network.GetProcessor(0)->SetBusy(true); });
        At(MilliSeconds(2 * i + 1), [this]() { m_network.GetProcessor(0)->SetBusy(false); });
    }
    // 2 ms cost 240 uJ; 4166 times that leave 160 uJ at 0.17 W
    const Time end = MilliSeconds(2 * 4166) + NanoSeconds(941176);
    ExpectOn(end - NanoSeconds(40), true);
    ExpectOn(end + NanoSeconds(1), false);
    RunUntil(10);
    EXPECT_NEAR(SpentJ(), 1, 1e-8);
    EXPECT_LE(SpentJ(), 1);
    EXPECT_NEAR(m_network.Battery(0)->GetSourceLossJ(), SpentJ(), 2e-9);
}

TEST_F(DepletionTest, RarePeaksDoNotMakeItLate)
{
    // Idle nearly all the time, and 0.39 W more for 12 ms now and then
    Install(Charge("1"));
    const double burstS = 8 * 1534e-6;
    for (int i = 0; i < 20; ++i)
    {
        m_network.SendAt(Seconds(i) + MilliSeconds(500), 0, 1, 1500);
    }
    // After 13 bursts; the radio does not idle while it transmits
    const double endS = (1 - 13 * (TX_W - IDLE_W) * burstS) / DEVICE_W;
    ASSERT_GT(endS, 12.6);
    ASSERT_LT(endS, 13.5);
    const Time end = NanoSeconds(std::llround(1e9 * endS));
    ExpectOn(end - NanoSeconds(100), true);
    ExpectOn(end + NanoSeconds(2), false);
    RunUntil(15);
    EXPECT_NEAR(SpentJ(), 1, 1e-8);
    EXPECT_LE(SpentJ(), 1);
}

TEST_F(DepletionTest, ThresholdOfTheSourceIsExact)
{
    Install({{"BasicEnergySourceInitialEnergyJ", "0.7"},
             {"BasicEnergyLowBatteryThreshold", "0.1"},
             {"PeriodicEnergyUpdateInterval", "1h"}});
    ExpectOn(Seconds(9) - NanoSeconds(1), true); // 0.63 J at 0.07 W
    ExpectOn(Seconds(9) + NanoSeconds(150), false);
    RunUntil(10);
    EXPECT_NEAR(SpentJ(), 0.63, 2e-8);
}

TEST_F(DepletionTest, SilentIdleOfNoPowerIsNotForgotten)
{
    // The source updates itself every 100 ms, which changes nothing and so is told to nobody
    m_network.InstallBatteries(
        {{"PeriodicEnergyUpdateInterval", "100ms"}}, {{"IdlePower", "0"}}, {{"IdlePower", "0"}});
    m_network.SendAt(Seconds(10) + MilliSeconds(50), 0, 1, 4000);
    RunUntil(11);
    EXPECT_NEAR(SpentJ(), TX_W * AIRTIME_S, 1e-12);
    EXPECT_NEAR(m_network.Battery(0)->GetSourceLossJ(), TX_W * AIRTIME_S, 2e-9);
}

TEST_F(DepletionTest, FrequentUpdatesLoseNothing)
{
    // 0.07 W spend 0.7 nJ in 10 ns; a BasicEnergySource alone would book 0 or 1 nJ
    Install(Charge("10"));
    for (int i = 1; i <= 10000; ++i)
    {
        At(NanoSeconds(10 * i), [this]() { m_network.Source(0)->UpdateEnergySource(); });
    }
    RunUntil(1);
    EXPECT_NEAR(10 - m_network.Source(0)->GetRemainingEnergy(), DEVICE_W, 2e-9);
}

TEST_F(DepletionTest, HarvesterThatBalancesTheIdlePowerHidesNothing)
{
    Install(Charge("10"), DEVICE_W);
    m_network.SendAt(Seconds(10) + MilliSeconds(50), 0, 1, 4000);
    RunUntil(11);
    EXPECT_NEAR(SpentJ(), DEVICE_W * 11 + (TX_W - IDLE_W) * AIRTIME_S, 1e-12);
    EXPECT_NEAR(m_network.Battery(0)->GetSourceLossJ(), (TX_W - IDLE_W) * AIRTIME_S, 1e-8);
}

TEST_F(DepletionTest, HarvesterPutsTheEndOffAndBringsTheDeviceBack)
{
    Config::SetDefault("ns3::collab::DepletionWatch::RechargedFraction", DoubleValue(0.1));
    Install(Charge("0.7"), 0.03);
    Config::SetDefault("ns3::collab::DepletionWatch::RechargedFraction", DoubleValue(0.15));
    // 0.7 J at 0.07 W less 0.03 W; then 0.07 J at 0.03 W take 2.33 s, seen at the harvester's next
    // update, on the second
    ExpectOn(MilliSeconds(17500) - NanoSeconds(300), true);
    ExpectOn(MilliSeconds(17500) + NanoSeconds(10), false);
    ExpectOn(Seconds(20) - NanoSeconds(1), false);
    ExpectOn(Seconds(20) + NanoSeconds(1), true);
    // And again: 0.075 J at 0.04 W
    ExpectOn(Seconds(20 + 1.8), true);
    ExpectOn(Seconds(20 + 1.9), false);
    RunUntil(30);
    EXPECT_NEAR(SpentJ(), 0.03 * 30 + m_network.Battery(0)->GetSourceLossJ(), 1e-7);
}

TEST_F(DepletionTest, LiIonBatteryRunsEmptyAndIsRecharged)
{
    if (FindLiIonType().empty())
    {
        GTEST_SKIP() << "this ns-3 has no LiIonEnergySource";
    }
    Install({{"LiIonEnergySourceInitialEnergyJ", "0.5"}, {"PeriodicEnergyUpdateInterval", "1h"}},
            0.03,
            FindLiIonType());
    // 0.45 J, down to its threshold of 10 %, at 0.07 W less 0.03 W; back at 15 %, after 0.83 s
    const Time end = MilliSeconds(11250);
    ExpectOn(end - NanoSeconds(300), true);
    ExpectOn(end + NanoSeconds(300), false);
    ExpectOn(Seconds(13) - NanoSeconds(1), false);
    ExpectOn(Seconds(13) + NanoSeconds(1), true);
    At(Seconds(13.5), [this]() {
        EXPECT_NE(m_network.Send(0, 1, 100, BEST_EFFORT), 0);
        EXPECT_NEAR(SpentJ(), 0.03 * 13.5 + m_network.Battery(0)->GetSourceLossJ(), 1e-7);
    });
    RunUntil(14);
    EXPECT_EQ(m_network.Reports().size(), 1);
}

/// @brief Make one device work for two seconds.
/// @param look called after that with the network, while the simulation runs
template <typename Look>
void
Work(const std::string& mode, const std::string& type, Look look)
{
    Config::SetDefault("ns3::collab::DepletionWatch::UpdateMode", StringValue(mode));
    TestNetwork network(2, EXACT);
    DeviceProfileHelper profile;
    profile.SetSource(type);
    for (const auto& [name, value] : STRONG_PROCESSOR)
    {
        profile.SetProcessorAttribute(name, StringValue(value));
    }
    profile.Install(NetDeviceContainer(network.Device(0)));
    Config::SetDefault("ns3::collab::DepletionWatch::UpdateMode", StringValue("Auto"));
    for (int i = 0; i < 100; ++i)
    {
        At(MilliSeconds(20 * i), [&network, i]() {
            network.Send(0, 1, 1000);
            network.GetProcessor(0)->SetBusy(i % 2);
        });
    }
    At(MilliSeconds(2500), [&]() { look(network); });
    RunFor(Seconds(3));
    Simulator::Destroy();
}

TEST_F(DepletionTest, SourceThatHearsLateLosesTheSame)
{
    for (const std::string& type : {BasicEnergySource::GetTypeId().GetName(), FindLiIonType()})
    {
        if (type.empty())
        {
            continue; // this ns-3 has no LiIonEnergySource
        }
        std::map<std::string, EnergyByKind> joules;
        std::map<std::string, double> lossJ;
        std::map<std::string, double> voltage;
        for (const std::string mode : {"Eager", "Lazy"})
        {
            Work(mode, type, [&](const TestNetwork& network) {
                joules[mode] = network.Energy(0);
                network.Source(0)->UpdateEnergySource();
                lossJ[mode] = network.Battery(0)->GetSourceLossJ();
                voltage[mode] = network.Source(0)->GetSupplyVoltage();
            });
        }
        EXPECT_EQ(joules["Eager"], joules["Lazy"]) << type;
        EXPECT_NEAR(lossJ["Eager"], lossJ["Lazy"], 1e-8) << type;
        EXPECT_NEAR(lossJ["Lazy"], GetTotal(joules["Lazy"]), 1e-8) << type;
        EXPECT_NEAR(voltage["Eager"], voltage["Lazy"], 1e-6) << type;
    }
}

TEST_F(DepletionTest, SourceOfUnknownKindHearsOfEachChange)
{
    const auto countUpdates = [](const std::string& mode) {
        int updates = 0;
        Work(mode, CountingSource::GetTypeId().GetName(), [&updates](const TestNetwork& network) {
            updates = DynamicCast<CountingSource>(network.Source(0))->updates;
            EXPECT_NEAR(network.Battery(0)->GetSourceLossJ(), GetTotal(network.Energy(0)), 1e-9);
        });
        return updates;
    };
    EXPECT_GT(countUpdates("Auto"), 300) << "each burst begins and ends, and the jobs";
    EXPECT_LT(countUpdates("Lazy"), 10);
}

TEST_F(DepletionTest, CurrentOfTheModelsIsThePresentOne)
{
    Install({}, 0, CountingSource::GetTypeId().GetName());
    auto source = DynamicCast<CountingSource>(m_network.Source(0));
    At(Seconds(1), [this, source]() {
        source->UpdateEnergySource();
        EXPECT_NEAR(source->currentA, DEVICE_W / 3, 1e-15);
        m_network.GetProcessor(0)->SetBusy(true);
        source->UpdateEnergySource(); // no time has passed: the present current
        EXPECT_NEAR(source->currentA, (DEVICE_W + COMPUTE_W) / 3, 1e-15);
    });
    RunUntil(2);
}

TEST_F(DepletionTest, ModelsCanGoBeforeTheSource)
{
    Install(Charge("10"));
    At(Seconds(1), [this]() {
        const auto models =
            m_network.Source(0)->FindDeviceEnergyModels("ns3::collab::ProcessorEnergyModel");
        models.Get(0)->Dispose();
    });
    RunUntil(2);
    EXPECT_NEAR(GetTotal(m_network.Energy(0)), 0.02 * 2, 1e-12) << "the radio alone is left";
    EXPECT_LT(m_network.Battery(0)->GetRemainingJ(), 10 - 0.02 * 2 + 2e-9) << "nothing comes back";
}

} // namespace
