/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "wireless/wireless-test-support.h"

#include "ns3/collab-error.h"
#include "ns3/collab-processor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// kappa f^3 is 0.1 W at 1 GHz, 0.8 W at 2 GHz
const Settings LEVELS = {{"Frequencies", "2GHz 500MHz 1e6kHz"},
                         {"FlopsPerCycle", "4"},
                         {"Capacitance", "1e-28"},
                         {"IdlePower", "0.05"}};

/// @return a processor on no node
Ptr<Processor>
MakeProcessor(const Settings& settings)
{
    Ptr<Processor> processor = CreateObject<Processor>();
    for (const auto& [name, value] : settings)
    {
        processor->SetAttribute(name, StringValue(value));
    }
    return processor;
}

using ProcessorTest = SimulatorTest;

TEST_F(ProcessorTest, OneFrequencyIsOneLevel)
{
    Ptr<Processor> processor = MakeProcessor({{"Frequency", "3e9"}, {"FlopsPerCycle", "2"}});
    EXPECT_THAT(processor->GetLevels(), ::testing::ElementsAre(3e9));
    EXPECT_EQ(processor->GetLevel(), 0);
    EXPECT_EQ(processor->GetFrequencyHz(), 3e9);
    EXPECT_EQ(processor->GetDuration(12000000000), Seconds(2));
}

TEST_F(ProcessorTest, LevelsAscendWhateverTheirOrder)
{
    Ptr<Processor> processor = MakeProcessor(LEVELS);
    EXPECT_THAT(processor->GetLevels(), ::testing::ElementsAre(5e8, 1e9, 2e9));
    EXPECT_EQ(processor->GetLevel(), 2) << "the highest is the default";
    processor->SetLevel(1);
    EXPECT_EQ(processor->GetFrequencyHz(), 1e9);
    EXPECT_EQ(processor->GetDuration(8000000000), Seconds(2));
    EXPECT_EQ(processor->GetDuration(6), NanoSeconds(2)) << "no half a cycle";
    EXPECT_NEAR(processor->GetComputePowerW(), 0.1, 1e-15);
    processor->SetLevel(2);
    EXPECT_EQ(processor->GetDuration(8000000000), Seconds(1));
    EXPECT_NEAR(processor->GetComputePowerW(), 0.8, 1e-15);
}

TEST_F(ProcessorTest, OverheadIsOfJobsWithOperations)
{
    Settings settings = LEVELS;
    settings["JobOverhead"] = "500ms";
    Ptr<Processor> processor = MakeProcessor(settings);
    EXPECT_EQ(processor->GetDuration(8000000000), MilliSeconds(1500));
    EXPECT_EQ(processor->GetDuration(0), Time()) << "nothing is started";
    EXPECT_EQ(processor->FindLevel(8000000000, MilliSeconds(2500)), 1U);
    EXPECT_EQ(processor->FindLevel(8000000000, MilliSeconds(2499)), 2U);
}

TEST_F(ProcessorTest, PowersaveBeginsAtTheLowestLevel)
{
    Settings settings = LEVELS;
    settings["Governor"] = "Powersave";
    Ptr<Processor> processor = MakeProcessor(settings);
    EXPECT_EQ(processor->GetFrequencyHz(), 5e8);
    processor->SetLevel(2);
    EXPECT_EQ(processor->GetFrequencyHz(), 2e9);
}

TEST_F(ProcessorTest, FindsTheLowestLevelInTime)
{
    Ptr<Processor> processor = MakeProcessor(LEVELS);
    const uint64_t flops = 8000000000; // 4 s, 2 s or 1 s
    EXPECT_EQ(processor->FindLevel(flops, Seconds(10)), 0U);
    EXPECT_EQ(processor->FindLevel(flops, Seconds(4)), 0U);
    EXPECT_EQ(processor->FindLevel(flops, Seconds(4) - NanoSeconds(1)), 1U);
    EXPECT_EQ(processor->FindLevel(flops, Seconds(1)), 2U);
    EXPECT_EQ(processor->FindLevel(flops, MilliSeconds(999)), std::nullopt);
}

TEST_F(ProcessorTest, JobKeepsItsFrequency)
{
    TestNetwork network(1);
    network.InstallBatteries({}, {{"IdlePower", "0"}}, LEVELS);
    Ptr<Processor> processor = network.GetProcessor(0);
    processor->SetLevel(1);
    processor->SetBusy(true);
    At(Seconds(1), [processor]() {
        processor->SetLevel(2);
        processor->SetBusy(true); // the job that runs still does
        EXPECT_EQ(processor->GetLevel(), 2);
        EXPECT_EQ(processor->GetFrequencyHz(), 1e9) << "of the job";
    });
    At(Seconds(2), [processor]() {
        processor->SetBusy(false);
        EXPECT_EQ(processor->GetFrequencyHz(), 2e9) << "of the next one";
        processor->SetBusy(true);
    });
    At(Seconds(3), [processor]() { processor->SetBusy(false); });
    RunFor(Seconds(10));
    EXPECT_NEAR(network.Joules(0, EnergyKind::COMPUTE), 0.1 * 2 + 0.8, 1e-12);
    EXPECT_NEAR(network.Joules(0, EnergyKind::IDLE), 0.05 * 10, 1e-12);
}

TEST_F(ProcessorTest, LevelIsATraceSource)
{
    Ptr<Processor> processor = MakeProcessor(LEVELS);
    std::vector<std::pair<uint32_t, uint32_t>> changes;
    OnTrace<uint32_t, uint32_t>(processor, "Level", [&](uint32_t before, uint32_t now) {
        changes.emplace_back(before, now);
    });
    processor->SetLevel(2);
    processor->SetLevel(0);
    processor->SetLevel(1);
    EXPECT_THAT(changes, ::testing::ElementsAre(std::pair(2U, 0U), std::pair(0U, 1U)));
}

TEST_F(ProcessorTest, DurationsOfStatesAddUp)
{
    Ptr<Processor> processor = MakeProcessor({});
    for (const auto& [ms, busy] :
         std::map<int, bool>{{100, true}, {150, true}, {300, false}, {500, true}})
    {
        At(MilliSeconds(ms), [processor, isBusy = busy] { processor->SetBusy(isBusy); });
    }
    At(MilliSeconds(600), [processor] { processor->SwitchOff(); });
    At(MilliSeconds(900), [processor] { processor->SwitchOn(); });
    RunFor(Seconds(1));
    EXPECT_EQ(processor->GetStateDuration(ProcessorState::BUSY), MilliSeconds(200 + 100));
    EXPECT_EQ(processor->GetStateDuration(ProcessorState::OFF), MilliSeconds(300));
    EXPECT_EQ(processor->GetStateDuration(ProcessorState::IDLE), MilliSeconds(100 + 200 + 100));
}

TEST_F(ProcessorTest, WhatIsNoFrequencyIsTold)
{
    Ptr<Processor> processor = CreateObject<Processor>();
    for (const std::string text : {"fast", "600MHz -1GHz", "0", "600 MHz", "1.5THz", "1e999", "1x"})
    {
        SCOPED_TRACE(text);
        ::tests::ExpectRefused<UserError>(
            "MHz", [&] { processor->SetAttribute("Frequencies", StringValue(text)); });
    }
    EXPECT_EQ(processor->GetLevels().size(), 1);
}

TEST_F(ProcessorTest, LevelThatThereIsNotIsMisuse)
{
    Ptr<Processor> processor = MakeProcessor(LEVELS);
    EXPECT_DEATH(processor->SetLevel(3), "3 given; allowed: 0 to 2");
}

} // namespace
