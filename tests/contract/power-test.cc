/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A device that goes off, comes back, is stopped or disposed of, and a simulation that ends, at any
 * time: within jobs, messages and waits.
 */

#include "contract/contract-test-case.h"

#include <algorithm>
#include <functional>
#include <list>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

namespace
{

constexpr std::size_t TIMES = 12; //!< of a run at which something happens

/// @param bench after an undisturbed run
/// @return times spread over all that happened: within phases and messages, and at their ends
std::vector<Time>
FindTimes(const ProtocolBench& bench)
{
    std::vector<Time> all;
    for (const auto& phase : bench.m_phases)
    {
        all.push_back((phase.start + phase.end) / 2);
        all.push_back(phase.end);
    }
    for (const auto& outcome : bench.m_outcomes)
    {
        all.push_back((outcome.start + outcome.end) / 2);
        all.push_back(outcome.end);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Time> times;
    for (std::size_t i = 0; i < TIMES; ++i)
    {
        times.push_back(all[(2 * i + 1) * all.size() / (2 * TIMES)]);
    }
    return times;
}

/// Applications and transports, which nothing may keep when the simulation is over
class Leftovers
{
  public:
    explicit Leftovers(const ProtocolBench& bench)
    {
        for (uint32_t i = 0; i < bench.m_applications.GetN(); ++i)
        {
            m_objects.push_back(bench.m_applications.Get(i));
        }
        for (const uint32_t device : bench.Ids())
        {
            m_objects.push_back(bench.GetTransport(device));
        }
    }

    /// @param bench which is reset, and keeps none of them
    void
    ExpectNone(ProtocolBench& bench)
    {
        bench.Reset();
        std::size_t before = m_objects.size() + 1;
        while (m_objects.size() < before) // a trace source may keep those that it tells
        {
            before = m_objects.size();
            m_objects.remove_if(
                [](const auto& object) { return object->GetReferenceCount() == 1; });
        }
        for (const auto& object : m_objects)
        {
            ADD_FAILURE() << object->GetInstanceTypeId().GetName() << " is kept";
        }
    }

  private:
    std::list<Ptr<Object>> m_objects; //!< those that are watched
};

/// @return the application of a device
Ptr<Application>
FindApplication(const ProtocolBench& bench, uint32_t device)
{
    return bench.m_nodes.Get(device)->GetApplication(0);
}

} // namespace

/// Runs in which something happens to a device
class ContractPowerTest : public ContractTest
{
  protected:
    /// @brief Make runs in which something happens at times spread over an undisturbed run.
    /// @param play makes a run in which it happens to a device at a time
    void
    PlayAtAnyTime(const std::function<void(uint32_t, Time)>& play)
    {
        Make();
        Run();
        const auto times = FindTimes(m_bench);
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const auto device = static_cast<uint32_t>(i % CountNodes());
            SCOPED_TRACE(testing::Message() << device << " at " << times[i]);
            play(device, times[i]);
        }
    }

    /// Check a run that is over, in which something has happened to a device.
    void
    ExpectSound(uint32_t device) const
    {
        ExpectSoundBooks();
        ExpectSoundEnergy();
        ExpectAllDone(device);
        EXPECT_EQ(m_bench.m_ends.size(), CountNodes());
    }
};

TEST_P(ContractPowerTest, ADeviceMayGoOffAndComeBackAtAnyTime)
{
    uint32_t returns = 0;
    PlayAtAnyTime([&](uint32_t device, Time time) {
        for (const Time& away : {Time(), MilliSeconds(1), MilliSeconds(300)})
        {
            SCOPED_TRACE(testing::Message() << "for " << away);
            Make();
            m_bench.Crash(device, time, time + away);
            Run();
            ExpectSound(device);
            // It is back before the others have ended
            if (!away.IsZero() && Simulator::Now() > time + away)
            {
                const bool goesOn = GetParam().server != device;
                EXPECT_TRUE(m_bench.m_ends.at(device) || !goesOn);
                returns += goesOn ? 1 : 0;
                if (GetParam().resumes)
                {
                    ExpectAllDone();
                }
            }
            ExpectSilence(device, time, away.IsZero() ? Time::Max() : time + away);
            Leftovers(m_bench).ExpectNone(m_bench);
        }
    });
    EXPECT_GT(returns, TIMES / 2);
}

TEST_P(ContractPowerTest, ARadioMayFallSilentAtAnyTime)
{
    PlayAtAnyTime([this](uint32_t any, Time time) {
        const uint32_t device = any % GetParam().devices; // a base station has many
        Make();
        Simulator::Schedule(time,
                            [this, device]() { m_bench.GetRadio(device)->GetMac()->SwitchOff(); });
        Run();
        ExpectSound(device);
    });
}

TEST_P(ContractPowerTest, ABatteryMayRunEmptyAtAnyTime)
{
    Make();
    Run();
    std::vector<double> whole;
    for (const uint32_t device : m_bench.Ids())
    {
        whole.push_back(m_bench.GetLostJoules(device));
    }
    std::size_t stopped = 0;
    for (uint32_t i = 0; i < TIMES; ++i)
    {
        const uint32_t device = i % GetParam().devices;
        SCOPED_TRACE(device);
        const double charge = whole[device] * (i + 0.5) / TIMES;
        ContractSetting setting;
        setting.devices.ownBatteriesJ = {{device, charge}};
        Make(setting);
        Run();
        ExpectSound(device);
        EXPECT_LE(GetTotal(m_bench.GetJoules(device)), charge + 1e-8);
        if (!m_bench.m_ends.at(device))
        {
            EXPECT_FALSE(m_bench.GetProcessor(device)->IsOn());
            EXPECT_NEAR(GetTotal(m_bench.GetJoules(device)), charge, 1e-8); // a nanosecond of power
            ++stopped;
        }
    }
    EXPECT_GE(stopped, TIMES / 2);
}

TEST_P(ContractPowerTest, AnApplicationMayBeStoppedOrDisposedOfAtAnyTime)
{
    PlayAtAnyTime([this](uint32_t device, Time time) {
        Make();
        FindApplication(m_bench, device)->SetStopTime(time);
        Run();
        ExpectSound(device);
        ExpectSilence(device, time);
        Make();
        Simulator::Schedule(time,
                            [this, device]() { FindApplication(m_bench, device)->Dispose(); });
        m_bench.Run(Seconds(1000)); // nobody is told that it is over
        if (GetParam().server != device)
        {
            ExpectAllDone(device);
        }
        ExpectSilence(device, time);
        Leftovers(m_bench).ExpectNone(m_bench);
    });
}

TEST_P(ContractPowerTest, TheSimulationMayEndAtAnyTime)
{
    PlayAtAnyTime([this](uint32_t, Time time) {
        Make();
        m_bench.Run(time);
        ExpectSoundBooks();
        ExpectSoundEnergy();
        Leftovers(m_bench).ExpectNone(m_bench);
    });
}

INSTANTIATE_TEST_SUITE_P(Protocols,
                         ContractPowerTest,
                         ::testing::ValuesIn(GetProtocols()),
                         [](const auto& info) { return info.param.name; });

} // namespace tests
