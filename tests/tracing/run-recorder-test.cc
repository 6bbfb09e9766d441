/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/uinteger.h"

#include "support/device-network.h"
#include "support/memory-store.h"
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using tests::MemoryStore;

namespace
{

constexpr uint32_t ROUNDS = 4;

/// A protocol that measures its round and ends it every second
class CountingApplication : public CollaborationApplication
{
  public:
    std::vector<Metric> metrics = {{"count", "", "rounds begun"}}; //!< what it says it measures

    std::vector<Metric>
    GetMetrics() const override
    {
        return metrics;
    }

  private:
    void
    DoStart() override
    {
    }

    void
    BeginRound() override
    {
        EnterPhase("count");
        m_end = Simulator::Schedule(Seconds(1), [this]() {
            EndRound({{"count", GetRound() + 1.0}});
        });
    }

    void
    DoHalt() override
    {
        m_end.Cancel();
    }

    EventId m_end; //!< end of the round
};

class RunRecorderTest : public ::tests::DeviceNetwork
{
  protected:
    /// Install applications on all devices
    void
    Install()
    {
        for (uint32_t device = 0; device < m_nodes.GetN(); ++device)
        {
            auto application = CreateObject<CountingApplication>();
            application->SetAttribute("Rounds", UintegerValue(ROUNDS));
            application->SetLearnerPool(m_pool);
            m_nodes.Get(device)->AddApplication(application);
            m_applications.Add(application);
        }
    }

    void
    TearDown() override
    {
        m_applications = ApplicationContainer();
        DeviceNetwork::TearDown();
    }

    Ptr<LearnerPool> m_pool = CreateObject<LearnerPool>(); //!< nobody uses it
    ApplicationContainer m_applications;                   //!< of all devices
    MemoryStore m_store;                                   //!< what was recorded
};

using RunRecorderDeathTest = RunRecorderTest;

} // namespace

TEST_F(RunRecorderTest, WritesARowARoundAndDevice)
{
    MakeDevices({});
    Install();
    RunRecorder recorder(m_store, m_applications);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    const auto& rounds = m_store.tables.at("rounds")->rows;
    ASSERT_EQ(rounds.size(), 3 * ROUNDS);
    // round, device, start, end, count, messages heard, expected and refused, joules, bytes
    EXPECT_EQ(std::vector<double>(rounds[7].begin(), rounds[7].begin() + 8),
              (std::vector<double>{2, 1, 2, 3, 3, 0, 0, 0}));
    EXPECT_GT(rounds[7][8], 0);
    EXPECT_EQ(m_store.tables.at("latency")->rows.size(), 3 * ROUNDS);
    EXPECT_EQ(m_store.tables.at("energy")->rows.size(), 3 * ROUNDS);
}

TEST_F(RunRecorderTest, MakesRowsSafeOnceARound)
{
    MakeDevices({});
    Install();
    RunRecorder recorder(m_store, m_applications);
    Simulator::Stop(Seconds(3.5));
    Simulator::Run();
    EXPECT_THAT(m_store.flushed, ElementsAre(3, 6, 9));
}

TEST_F(RunRecorderTest, MakesRowsSafeWhenADeviceGoesOff)
{
    Options options;
    options.batteryJ = 0.18; // for 1.5 s of doing nothing
    MakeDevices(options);
    Install();
    RunRecorder recorder(m_store, m_applications);
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    EXPECT_THAT(m_store.flushed, ElementsAre(3, 3, 3, 3));
    EXPECT_EQ(m_store.tables.at("energy")->rows.size(), 6U);
}

TEST_F(RunRecorderDeathTest, RefusesMetricsThatWereNotListed)
{
    MakeDevices({});
    Install();
    DynamicCast<CountingApplication>(m_applications.Get(0))->metrics[0].name = "total";
    RunRecorder recorder(m_store, m_applications);
    EXPECT_DEATH(Simulator::Run(), "measured count, which is not next in what GetRoundMetrics");
}
