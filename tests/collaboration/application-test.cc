/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/refusals.h"

#include "ns3/collab-application.h"
#include "ns3/collab-error.h"
#include "ns3/uinteger.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace
{

constexpr uint64_t FLOPS = 6000000000; //!< of a job: a second on the default processor
const Time JOB = Seconds(1);           //!< its duration

/// A protocol of two jobs a round, in the phases "learn" and "measure", which writes down all
class ScriptedApplication : public CollaborationApplication
{
  public:
    std::function<void()> work = []() {}; //!< computed in the phase "learn"
    std::vector<std::string> calls;       //!< of what a subclass implements
    bool resumes = false;                 //!< see CanResume()
    std::optional<double> measured;       //!< what it says was measured, if not what it is

    std::vector<Metric>
    GetMetrics() const override
    {
        return {{"second", "s", "when the round ended"}, {"number", "", "of the round"}};
    }

  protected:
    void
    DoStart() override
    {
        calls.emplace_back("start");
    }

    Process
    Round() override
    {
        calls.push_back("round " + std::to_string(GetRound()));
        const Halt halt(*this);
        const auto learn = [this]() {
            work();
            return 0;
        };
        co_await Compute("learn", FLOPS, learn);
        EnterPhase("measure");
        CountMessages(1, 2);
        CountMessages(GetRound(), 1);
        for (uint32_t i = 0; i < 2 * GetRound(); ++i)
        {
            GetTransport()->Reject("nobody believes that");
        }
        const auto nothing = []() { return 0; };
        co_await Compute("", FLOPS, nothing);
        const double second = measured.value_or(Simulator::Now().GetSeconds());
        Report({{"second", second}, {"number", GetRound()}});
        m_reported = GetRound();
    }

    bool
    CanResume() const override
    {
        return resumes;
    }

    void
    DoResume() override
    {
        calls.emplace_back("resume");
    }

  private:
    /// Writes down that a round is destroyed before it is over
    class Halt
    {
      public:
        explicit Halt(ScriptedApplication& application)
            : m_application(application),
              m_round(application.GetRound())
        {
        }

        Halt(const Halt&) = delete;
        Halt& operator=(const Halt&) = delete;

        ~Halt()
        {
            if (m_application.m_reported != m_round)
            {
                m_application.calls.emplace_back("halt");
            }
        }

      private:
        ScriptedApplication& m_application;
        uint32_t m_round;
    };

    std::optional<uint32_t> m_reported; //!< round that was reported
};

/// Devices whose applications can be stopped, switched off and exhausted
class ApplicationTest : public tests::DeviceNetwork
{
  protected:
    void
    MakeNetwork(const Options& options = {})
    {
        MakeDevices(options);
        MakePool(2);
    }

    /// @return an application on it, whose traces are written down
    Ptr<ScriptedApplication>
    Add(uint32_t device, uint32_t rounds = 3)
    {
        auto application = CreateObject<ScriptedApplication>();
        application->SetAttribute("Rounds", UintegerValue(rounds));
        application->SetLearnerPool(m_pool);
        m_nodes.Get(device)->AddApplication(application);
        m_applications.Add(application);
        WatchApplication(application);
        ::tests::OnTrace<uint32_t, bool>(application, "End", [this](uint32_t, bool finished) {
            m_times.emplace_back(Simulator::Now(), finished);
        });
        return application;
    }

    /// @param busy how long its processor shall have been busy
    void
    ExpectBusyFor(uint32_t device, Time busy) const
    {
        const Ptr<Processor> processor = GetProcessor(device);
        EXPECT_EQ(processor->GetStateDuration(ProcessorState::BUSY), busy);
        EXPECT_NEAR(GetJoules(device)[static_cast<std::size_t>(EnergyKind::COMPUTE)],
                    processor->GetComputePowerW() * busy.GetSeconds(),
                    1e-9 * processor->GetComputePowerW());
        EXPECT_FALSE(processor->IsBusy());
    }

    /// Switches the processor of the first device off and on by turns, at some moments [ms].
    void
    SwitchAt(const std::vector<int64_t>& moments) const
    {
        bool isOn = false;
        for (const int64_t moment : moments)
        {
            Simulator::Schedule(MilliSeconds(moment), [this, isOn]() {
                isOn ? GetProcessor(0)->SwitchOn() : GetProcessor(0)->SwitchOff();
            });
            isOn = !isOn;
        }
    }

    void
    Run()
    {
        ProtocolBench::Run(Seconds(100));
    }

    std::vector<std::pair<Time, bool>> m_times; //!< of ends, and whether all rounds were done
};

using End = std::pair<Time, bool>;

} // namespace

TEST_F(ApplicationTest, RunsItsRoundsPhasesAndJobsInSimulatedTime)
{
    MakeNetwork();
    auto application = Add(0, 2);
    Run();
    EXPECT_TRUE(application->IsFinished());
    EXPECT_THAT(application->calls, ElementsAre("start", "round 0", "round 1"));
    ASSERT_EQ(m_rounds.size(), 2);
    const uint32_t device = application->GetDeviceId();
    for (uint32_t round = 0; round < 2; ++round)
    {
        EXPECT_EQ(m_rounds[round].round, round);
        EXPECT_EQ(m_rounds[round].device, device);
        EXPECT_EQ(m_rounds[round].start, 2 * round * JOB);
        EXPECT_EQ(m_rounds[round].end, (2 * round + 2) * JOB);
        EXPECT_THAT(m_rounds[round].metrics,
                    ElementsAre(std::pair<std::string, double>("second", 2 * round + 2),
                                std::pair<std::string, double>("number", round),
                                std::pair<std::string, double>("messages_heard", 1 + round),
                                std::pair<std::string, double>("messages_expected", 3),
                                std::pair<std::string, double>("messages_refused", 2 * round)));
    }
    ASSERT_EQ(m_phases.size(), 4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(m_phases[i].phase, i % 2 == 0 ? "learn" : "measure");
        EXPECT_EQ(m_phases[i].round, i / 2);
        EXPECT_EQ(m_phases[i].device, device);
        EXPECT_EQ(m_phases[i].start, i * JOB);
        EXPECT_EQ(m_phases[i].end, (i + 1) * JOB);
    }
    EXPECT_THAT(m_times, ElementsAre(End(4 * JOB, true)));
    ExpectBusyFor(0, 4 * JOB);
}

TEST_F(ApplicationTest, TracesItsMetricsInTheOrderThatItTells)
{
    MakeNetwork();
    auto application = Add(0, 1);
    Run();
    const std::vector<Metric> told = application->GetRoundMetrics();
    EXPECT_EQ(told.size(), application->GetMetrics().size() + 3);
    ASSERT_EQ(m_rounds.at(0).metrics.size(), told.size());
    for (std::size_t i = 0; i < told.size(); ++i)
    {
        EXPECT_EQ(m_rounds[0].metrics[i].first, told[i].name);
    }
}

TEST_F(ApplicationTest, NaNHasNoSignInMetrics)
{
    MakeNetwork();
    auto application = Add(0, 1);
    application->measured = -std::numeric_limits<double>::quiet_NaN();
    Run();
    const double traced = m_rounds.at(0).metrics.at(0).second;
    EXPECT_TRUE(std::isnan(traced));
    EXPECT_FALSE(std::signbit(traced)) << "as -nan in a file";
}

TEST_F(ApplicationTest, StoppedInMidJobLeavesTheProcessorToTheNextOne)
{
    MakeNetwork();
    auto first = Add(0);
    first->SetStopTime(MilliSeconds(2250)); // in the first job of round 1
    auto second = Add(0, 1);
    second->SetStartTime(Seconds(3));
    Run();
    EXPECT_FALSE(first->IsFinished());
    EXPECT_EQ(first->GetRound(), 1);
    EXPECT_THAT(first->calls, ElementsAre("start", "round 0", "round 1", "halt"));
    EXPECT_TRUE(second->IsFinished());
    EXPECT_THAT(m_times, ElementsAre(End(MilliSeconds(2250), false), End(Seconds(5), true)));
    EXPECT_EQ(m_phases.at(2).phase, "learn");
    EXPECT_EQ(m_phases.at(2).end, MilliSeconds(2250)) << "the phase ends with the application";
    ExpectBusyFor(0, MilliSeconds(2250) + 2 * JOB);
}

TEST_F(ApplicationTest, TheNextOneMayBeginInTheMomentOfTheStop)
{
    MakeNetwork();
    auto first = Add(0);
    first->SetStopTime(MilliSeconds(250));
    auto second = Add(0, 1);
    second->SetStartTime(MilliSeconds(250));
    Run();
    EXPECT_TRUE(second->IsFinished());
    ExpectBusyFor(0, MilliSeconds(250) + 2 * JOB);
}

TEST_F(ApplicationTest, ALostJobsComputationIsOverBeforeTheNextOneBegins)
{
    MakeNetwork();
    std::atomic<int> computing{0};
    std::atomic<bool> overlapped{false};
    const auto work = [&]() { // on one learner, say
        overlapped = overlapped || ++computing > 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        --computing;
    };
    auto first = Add(0);
    first->work = work;
    first->SetStopTime(NanoSeconds(1));
    auto second = Add(0, 1);
    second->work = work;
    second->SetStartTime(NanoSeconds(2));
    Run();
    EXPECT_TRUE(second->IsFinished());
    EXPECT_FALSE(overlapped);
}

TEST_F(ApplicationTest, StoppedBetweenJobsItFreesNothingThatIsAnothersOwn)
{
    MakeNetwork();
    auto first = Add(0, 1);
    first->SetStopTime(Seconds(10)); // long after its end
    auto second = Add(0, 4);
    second->SetStartTime(Seconds(5));
    Run();
    EXPECT_TRUE(first->IsFinished());
    EXPECT_TRUE(second->IsFinished());
    EXPECT_THAT(m_times, ElementsAre(End(Seconds(2), true), End(Seconds(13), true)));
    ExpectBusyFor(0, 10 * JOB);
}

TEST_F(ApplicationTest, StoppedBeforeItsStartItNeverBegins)
{
    MakeNetwork();
    auto application = Add(0);
    application->SetStartTime(Seconds(2));
    application->SetStopTime(Seconds(1));
    Run();
    EXPECT_THAT(application->calls, IsEmpty());
    EXPECT_THAT(m_times, ElementsAre(End(Seconds(1), false)));
    ExpectBusyFor(0, Seconds(0));
}

TEST_F(ApplicationTest, StoppedWhileItsDeviceIsOffItDoesNotComeBack)
{
    MakeNetwork();
    auto application = Add(0);
    application->resumes = true;
    application->SetStopTime(Seconds(2));
    SwitchAt({500, 3000});
    Run();
    EXPECT_THAT(application->calls, ElementsAre("start", "round 0", "halt"));
    EXPECT_THAT(m_times, ElementsAre(End(MilliSeconds(500), false)));
    ExpectBusyFor(0, MilliSeconds(500));
}

TEST_F(ApplicationTest, ADeviceThatGoesOffLosesItsJobAndBeginsItAgain)
{
    MakeNetwork();
    auto application = Add(0, 1);
    application->resumes = true;
    SwitchAt({500, 3000});
    Run();
    EXPECT_THAT(application->calls, ElementsAre("start", "round 0", "halt", "resume", "round 0"));
    EXPECT_THAT(m_times, ElementsAre(End(MilliSeconds(500), false), End(Seconds(5), true)));
    ExpectBusyFor(0, MilliSeconds(500) + 2 * JOB);
}

TEST_F(ApplicationTest, ADeviceThatGoesOffForGoodEndsOnce)
{
    MakeNetwork();
    auto application = Add(0);
    SwitchAt({500, 3000, 4000});
    Run();
    EXPECT_THAT(application->calls, ElementsAre("start", "round 0", "halt"));
    EXPECT_THAT(m_times, ElementsAre(End(MilliSeconds(500), false)));
}

TEST_F(ApplicationTest, ADeviceThatIsOffAtItsStartEndsAtOnce)
{
    MakeNetwork();
    GetProcessor(0)->SwitchOff();
    auto application = Add(0);
    Simulator::Schedule(Seconds(3), [this]() { GetProcessor(0)->SwitchOn(); });
    Run();
    EXPECT_THAT(application->calls, IsEmpty());
    EXPECT_THAT(m_times, ElementsAre(End(Seconds(0), false)));
}

TEST_F(ApplicationTest, ADeviceThatIsOffAtItsStartBeginsWhenItIsOnIfItResumes)
{
    MakeNetwork();
    GetProcessor(0)->SwitchOff();
    auto application = Add(0, 1);
    application->resumes = true;
    Simulator::Schedule(Seconds(3), [this]() { GetProcessor(0)->SwitchOn(); });
    Run();
    EXPECT_THAT(application->calls, ElementsAre("start", "resume", "round 0"));
    EXPECT_THAT(m_times, ElementsAre(End(Seconds(0), false), End(Seconds(5), true)));
    ASSERT_EQ(m_rounds.size(), 1U);
    EXPECT_EQ(m_rounds[0].start, Seconds(3));
}

TEST_F(ApplicationTest, WhoIsSwitchedOnWithoutEnergyDoesNotComeBack)
{
    Options options;
    options.batteryJ = 0.5; // for about a second
    MakeNetwork(options);
    auto application = Add(0);
    application->resumes = true;
    Simulator::Schedule(Seconds(20), [this]() { GetProcessor(0)->SwitchOn(); });
    Run();
    EXPECT_EQ(application->calls.back(), "halt");
    EXPECT_EQ(m_times.size(), 1U);
    EXPECT_FALSE(GetProcessor(0)->IsOn());
}

TEST_F(ApplicationTest, DisposedInMidJobItLeavesTheProcessorToTheNextOne)
{
    MakeNetwork();
    auto first = Add(0);
    Simulator::Schedule(MilliSeconds(250), [&first]() { first->Dispose(); });
    auto second = Add(0, 1);
    second->SetStartTime(Seconds(1));
    Simulator::Schedule(Seconds(6), [this]() { GetProcessor(0)->SwitchOff(); });
    Run();
    EXPECT_TRUE(second->IsFinished());
    EXPECT_THAT(m_times, ElementsAre(End(Seconds(3), true))) << "disposing tells nobody";
    ExpectBusyFor(0, MilliSeconds(250) + 2 * JOB);
}

TEST_F(ApplicationTest, AFailingJobEndsTheRunWithItsDeviceRoundAndPhase)
{
    MakeNetwork();
    auto application = Add(1);
    int jobs = 0;
    application->work = [&jobs]() {
        if (++jobs == 2)
        {
            throw std::runtime_error("shape (3, 4)");
        }
    };
    EXPECT_EQ(tests::ErrorOf<std::runtime_error>([&] { Run(); }),
              "device " + std::to_string(application->GetDeviceId()) +
                  ", round 1, phase \"learn\": shape (3, 4)");
    EXPECT_EQ(Simulator::Now(), 3 * JOB);
}

TEST_F(ApplicationTest, AUsersErrorInAJobStaysOne)
{
    MakeNetwork();
    auto application = Add(0);
    application->work = []() { throw UserError("no such file"); };
    EXPECT_THROW(Run(), UserError);
}

TEST_F(ApplicationTest, StopWhenAllEndWaitsForTheLastAndForThoseThatAreBack)
{
    MakeNetwork();
    auto first = Add(0, 2);
    first->resumes = true;
    Add(1, 1);
    auto stopped = Add(2);
    stopped->SetStartTime(Seconds(9));
    stopped->SetStopTime(Seconds(3)); // before its start: it is not waited for
    StopWhenAllEnd(m_applications);
    SwitchAt({500, 1000});
    Run();
    EXPECT_EQ(Simulator::Now(), Seconds(5));
}

TEST_F(ApplicationTest, StopWhenAllEndWaitsForDevicesThatAreToBeBackIfAllAreOff)
{
    const auto run = [this](Time lastReturn, Time isOn) {
        MakeNetwork();
        Add(0, 2)->resumes = true;
        Add(1, 1);
        StopWhenAllEnd(m_applications, lastReturn);
        for (const uint32_t device : {0, 1})
        {
            Simulator::Schedule(MilliSeconds(500),
                                [this, device]() { GetProcessor(device)->SwitchOff(); });
        }
        Simulator::Schedule(isOn, [this]() { GetProcessor(0)->SwitchOn(); });
        Run();
        return Simulator::Now();
    };
    EXPECT_EQ(run(Time(), Seconds(2)), MilliSeconds(500));
    EXPECT_EQ(run(Seconds(2), Seconds(2)), Seconds(6)); // two rounds of a job, from the first on
    EXPECT_EQ(run(Seconds(3), Seconds(4)), Seconds(3) + NanoSeconds(1)); // it is not back
}
