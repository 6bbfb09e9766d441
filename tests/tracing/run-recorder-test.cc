/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/memory-store.h"
#include "tracing/bulk-payload.h"

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/collab-energy-kind.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::BulkPayload;
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

    Process
    Round() override
    {
        EnterPhase("count");
        co_await Delay(Seconds(1));
        Report({{"count", GetRound() + 1.0}});
    }
};

/// The same, and it says how long it waits for messages in a round
class PatientApplication : public CountingApplication
{
  public:
    /// @return the object TypeId
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("PatientApplication")
                                .SetParent<CollaborationApplication>()
                                .AddConstructor<PatientApplication>()
                                .AddAttribute("RoundDeadline",
                                              "How long it waits.",
                                              TimeValue(Seconds(2)),
                                              MakeTimeAccessor(&PatientApplication::m_deadline),
                                              MakeTimeChecker());
        return tid;
    }

  private:
    Time m_deadline; //!< attribute RoundDeadline
};

/// The same, and it lists another metric than it measures
struct MisnamedApplication : public CountingApplication
{
    MisnamedApplication()
    {
        metrics[0].name = "total";
    }
};

class RunRecorderTest : public ::tests::DeviceNetwork
{
  protected:
    /// Make devices with applications of a class, and a recorder.
    template <typename Class = CountingApplication>
    void
    Make(const Options& options = {})
    {
        MakeDevices(options);
        for (uint32_t device = 0; device < m_nodes.GetN(); ++device)
        {
            auto application = CreateObject<Class>();
            application->SetAttribute("Rounds", UintegerValue(ROUNDS));
            application->SetLearnerPool(m_jobs);
            m_nodes.Get(device)->AddApplication(application);
            m_applications.Add(application);
            GetTransport(device)->RegisterKind(1, "bulk", nullptr, [](const Message&) {});
        }
        m_recorder.emplace(m_store, m_applications);
    }

    /// Let the first device send for 8 s to all.
    void
    SendBulk()
    {
        GetTransport(0)->Broadcast({1, 0, std::make_shared<BulkPayload>()});
    }

    void
    TearDown() override
    {
        m_recorder.reset();
        DeviceNetwork::TearDown();
    }

    Ptr<LearnerPool> m_jobs = CreateObject<LearnerPool>(); //!< nobody uses it
    MemoryStore m_store;                                   //!< what was recorded
    std::optional<RunRecorder> m_recorder;                 //!< under test
};

using RunRecorderDeathTest = RunRecorderTest;

} // namespace

TEST_F(RunRecorderTest, WritesARowARoundAndDevice)
{
    Make();
    ::tests::RunFor(Seconds(10));
    const auto& rounds = m_store.tables.at("rounds")->rows;
    ASSERT_EQ(rounds.size(), 3 * ROUNDS);
    // round, device, start, end, count, messages heard, expected and refused, joules, bytes
    EXPECT_EQ(std::vector<double>(rounds[7].begin(), rounds[7].begin() + 8),
              (std::vector<double>{2, 1, 2, 3, 3, 0, 0, 0}));
    EXPECT_GT(rounds[7][8], 0);
    EXPECT_EQ(m_store.tables.at("latency")->rows.size(), 3 * ROUNDS);
    EXPECT_EQ(m_store.tables.at("energy")->rows.size(), 3 * ROUNDS);
}

TEST_F(RunRecorderTest, FinishWritesTheAccountsOfTheEnd)
{
    Make();
    SendBulk(); // the last seconds of it after the last round
    ::tests::RunFor(Seconds(10));
    m_recorder->Finish(nullptr);
    const auto& rows = m_store.tables.at("energy")->rows;
    ASSERT_EQ(rows.size(), 3 * (ROUNDS + 1));
    const auto& ended = rows[3 * ROUNDS - 3]; // round, device, time, joules by kind, tx first
    const auto& last = rows[3 * ROUNDS];
    EXPECT_EQ(std::vector<double>(last.begin(), last.begin() + 3),
              (std::vector<double>{ROUNDS, 0, 10}));
    const double power = ended[3] / ended[2]; // it has sent from the begin on, but for a back-off
    EXPECT_GT(power, 0);
    EXPECT_NEAR(last[3], power * 8, 0.05 * last[3]);
    EXPECT_EQ(last[3 + ENERGY_KIND_COUNT], GetTransport(0)->GetBytesSent());
}

TEST_F(RunRecorderTest, MakesRowsSafeOnceARound)
{
    Make();
    ::tests::RunFor(Seconds(3.5));
    EXPECT_THAT(m_store.flushed, ElementsAre(3, 6, 9));
}

TEST_F(RunRecorderTest, MakesRowsSafeWhenADeviceGoesOff)
{
    Options options;
    options.batteryJ = 0.18; // for 1.5 s of doing nothing
    Make(options);
    ::tests::RunFor(Seconds(5));
    EXPECT_THAT(m_store.flushed, ElementsAre(3, 3, 3, 3));
    EXPECT_EQ(m_store.tables.at("energy")->rows.size(), 6U);
}

TEST_F(RunRecorderTest, FinishWritesMessagesThatAreNotOver)
{
    Make();
    SendBulk();
    GetTransport(0)->Send(2, {1, 0, std::make_shared<BulkPayload>()});
    ::tests::RunFor(Seconds(3.5));
    m_recorder->Flush();
    EXPECT_TRUE(m_store.tables.at("messages")->rows.empty());
    std::ostringstream output;
    m_recorder->Finish(&output);
    EXPECT_THAT(output.str(), HasSubstr("bulk                         2           3           0"));
    EXPECT_THAT(output.str(), Not(HasSubstr("warning"))) << "nobody waits";
    // sender, receiver, sequence, attempts > 0, delivered
    std::vector<std::vector<double>> rows;
    for (const auto& row : m_store.tables.at("messages")->rows)
    {
        rows.push_back({row[3], row[4], row[6], row[10] > 0 ? 1.0 : 0.0, row[12]});
    }
    EXPECT_THAT(rows,
                ElementsAre(ElementsAre(0, 1, 1, 1, 0),
                            ElementsAre(0, 2, 1, 1, 0),
                            ElementsAre(0, 2, 2, 0, 0)));
    EXPECT_EQ(m_store.flushed.back(), m_store.tables.at("rounds")->rows.size());
}

TEST_F(RunRecorderTest, FinishWarnsIfTheAlgorithmsDeadlineIsTooShort)
{
    Make<PatientApplication>();
    SendBulk();
    ::tests::RunFor(Seconds(3.5));
    std::ostringstream output;
    m_recorder->Finish(&output);
    EXPECT_THAT(output.str(), HasSubstr("warning: a device heard 0.0 of 1.0 messages in a round"));
    EXPECT_THAT(output.str(), HasSubstr("RoundDeadline 2 s"));
}

TEST_F(RunRecorderTest, FinishGivesHintsOnTheRadio)
{
    Make();
    Ptr<Channel> channel = m_nodes.Get(0)->GetDevice(0)->GetChannel();
    channel->SetAttribute("Fidelity", StringValue("Burst"));
    std::ostringstream quiet;
    m_recorder->Finish(&quiet);
    EXPECT_THAT(quiet.str(), Not(HasSubstr("hint")));
    channel->SetAttribute("Access", StringValue("Shared"));
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        DynamicCast<D2dNetDevice>(m_nodes.Get(i)->GetDevice(0))
            ->GetMac()
            ->SetAttribute("Combining", StringValue("Chase"));
    }
    std::ostringstream output;
    m_recorder->Finish(&output);
    EXPECT_THAT(output.str(),
                HasSubstr("hint: ns3::collab::D2dChannel::Fidelity=Burst is not in use: with "
                          "Access=Shared each fragment"));
}

TEST_F(RunRecorderTest, BytesSentAreThoseThatWentOnAir)
{
    Make();
    SendBulk();
    ::tests::RunFor(Seconds(3.5));
    std::vector<double> sent; // of the first device, after each round
    for (const auto& row : m_store.tables.at("rounds")->rows)
    {
        if (row[1] == 0)
        {
            sent.push_back(row.back());
        }
    }
    ASSERT_EQ(sent.size(), 3U);
    for (std::size_t round = 0; round < 3; ++round)
    {
        EXPECT_NEAR(sent[round], 125e3 * (round + 1.0), 4e3 * (round + 1.0)) << "at 1 Mbit/s";
    }
}

TEST_F(RunRecorderDeathTest, RefusesMetricsThatWereNotListed)
{
    Make<MisnamedApplication>();
    EXPECT_DEATH(Simulator::Run(), "measured count, which is not next in what GetRoundMetrics");
}
