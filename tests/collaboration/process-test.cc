/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Processes that wait, for each other too, and that are stopped at every time.

#include "ns3/collab-process.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

namespace
{

class ProcessTest : public ::testing::Test
{
  protected:
    /// Says that it is destroyed
    class Guard
    {
      public:
        Guard(ProcessTest& test, std::string name)
            : m_test(test),
              m_name(std::move(name))
        {
        }

        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

        ~Guard()
        {
            m_test.Say("~" + m_name);
        }

      private:
        ProcessTest& m_test;
        std::string m_name;
    };

    void
    Say(const std::string& what)
    {
        m_said.push_back(fmt::format("{} {}", Simulator::Now().GetMilliSeconds(), what));
    }

    /// @return what processes said
    std::string
    Said() const
    {
        return fmt::format("{}", fmt::join(m_said, ", "));
    }

    /// @return what a process says that begins at once, and is stopped at a time, if at all
    std::vector<std::string>
    Play(const std::function<Process()>& make, int64_t stop = -1)
    {
        m_said.clear();
        ProcessRunner runner;
        Simulator::ScheduleNow([&]() { runner.Start(make()); });
        if (stop >= 0)
        {
            Simulator::Schedule(MilliSeconds(stop), [&]() {
                runner.Stop();
                EXPECT_FALSE(runner.IsRunning());
            });
        }
        Simulator::Run();
        EXPECT_FALSE(runner.IsRunning());
        Simulator::Destroy();
        return m_said;
    }

    ProcessOf<std::string>
    Ask(std::string name, int ms)
    {
        const Guard guard(*this, name);
        co_await Delay(MilliSeconds(ms));
        Say(name);
        co_await Delay(MilliSeconds(ms));
        co_return name + "!";
    }

    Process
    AskTwo()
    {
        const Guard guard(*this, "two");
        Say(co_await Ask("a", 10));
        Say(co_await Ask("b", 20));
    }

    Process
    Ring()
    {
        Alarm first(MilliSeconds(30));
        Simulator::Schedule(MilliSeconds(30), [this]() { Say("later at that time"); });
        co_await Delay(MilliSeconds(10));
        Say(first.IsOver() ? "over" : "not yet");
        co_await first;
        Say("rings");
        co_await first;
        Say("at once");
        Alarm second(MilliSeconds(10));
        co_await Delay(MilliSeconds(20));
        Say(second.IsOver() ? "over" : "not yet");
        co_await second;
        Alarm none(MilliSeconds(-1));
        co_await none;
        Say("went by");
    }

    Process
    Step(std::string name, int ms)
    {
        const Guard guard(*this, name);
        co_await Delay(MilliSeconds(ms));
        Say(name);
    }

    Process
    AtOnce(std::string name)
    {
        Say(name);
        co_return;
    }

    Process
    Throw(int ms)
    {
        co_await Delay(MilliSeconds(ms));
        throw std::runtime_error("thrown");
    }

    Process
    WaitForSome()
    {
        const Guard guard(*this, "some");
        Say(fmt::format("all, {} last", co_await AllOf(Step("x", 30), Step("y", 20), AtOnce("z"))));
        Say(fmt::format("any, {}", co_await AnyOf(Step("p", 30), Step("q", 20))));
        Say(fmt::format("any, {}", co_await AnyOf(AtOnce("n"), Step("r", 2))));
    }

    Process
    Catch()
    {
        try
        {
            co_await AllOf(Step("s", 50), Throw(5));
        }
        catch (const std::exception& error)
        {
            Say(error.what());
        }
        co_await Delay(MilliSeconds(1));
        Say("caught");
    }

    std::vector<std::string> m_said; //!< by processes, with the time
};

TEST_F(ProcessTest, AwaitsAnotherOneAndItsResult)
{
    Play([this]() { return AskTwo(); });
    EXPECT_EQ(Said(), "10 a, 20 ~a, 20 a!, 40 b, 60 ~b, 60 b!, 60 ~two");
}

TEST_F(ProcessTest, AwaitsAnAlarmThatWasSetBefore)
{
    Play([this]() { return Ring(); });
    EXPECT_EQ(Said(),
              "10 not yet, 30 rings, 30 at once, 30 later at that time, 50 over, 50 went by");
    Play([this]() { return Ring(); }, 20);
    EXPECT_EQ(Said(), "10 not yet, 30 later at that time");
}

TEST_F(ProcessTest, AwaitsAllOrTheFirstOfSeveral)
{
    Play([this]() { return WaitForSome(); });
    EXPECT_EQ(Said(),
              "0 z, 20 y, 20 ~y, 30 x, 30 ~x, 30 all, 0 last, 50 q, 50 ~q, 50 any, 1, 50 ~p, "
              "50 n, 50 any, 0, 50 ~some");
}

TEST_F(ProcessTest, CatchesWhatAnotherOneThrows)
{
    Play([this]() { return Catch(); });
    EXPECT_EQ(Said(), "5 ~s, 5 thrown, 6 caught");
}

TEST_F(ProcessTest, StopsAtAnyTimeAndDestroysTheInnermostFirst)
{
    for (const auto& make : std::vector<std::function<Process()>>{
             [this]() { return AskTwo(); }, [this]() { return WaitForSome(); }})
    {
        const auto whole = Play(make);
        for (int64_t stop = 0; stop < 70; ++stop)
        {
            const auto said = Play(make, stop);
            std::vector<std::string> begun; // as if it went on, then only what is destroyed
            for (const auto& one : whole)
            {
                if (std::stoll(one) < stop)
                {
                    begun.push_back(one);
                }
            }
            ASSERT_GE(said.size(), begun.size()) << stop;
            EXPECT_THAT(std::vector<std::string>(said.begin(), said.begin() + begun.size()),
                        ElementsAreArray(begun));
            EXPECT_EQ(said.back().substr(said.back().find(' ')), whole.back().substr(2)) << stop;
        }
    }
    Play([this]() { return AskTwo(); }, 14);
    EXPECT_EQ(Said(), "10 a, 14 ~a, 14 ~two");
}

TEST_F(ProcessTest, ThatStopsItselfEndsAtItsNextWait)
{
    ProcessRunner runner;
    const auto stop = [&]() -> Process {
        const Guard guard(*this, "self");
        co_await Delay(MilliSeconds(1));
        runner.Stop();
        Say("still");
        co_await Delay(MilliSeconds(1));
        Say("never");
    };
    Simulator::ScheduleNow([&]() { runner.Start(stop()); });
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_THAT(m_said, ElementsAre("1 still", "1 ~self"));
}

TEST_F(ProcessTest, AwaitsWhatBecomesSo)
{
    Changes changes;
    int number = 0;
    const auto wait = [&](int expected) -> Process {
        const bool isSo = co_await Until(
            changes, [&]() { return number >= expected; }, MilliSeconds(5));
        Say(isSo ? "so" : "too late");
    };
    const auto change = [&](int to) {
        return [&changes, &number, to]() {
            number = to;
            changes.Check();
        };
    };
    ProcessRunner runner;
    Simulator::ScheduleNow([&]() {
        runner.Start(wait(0)); // it is
        runner.Start(wait(2));
        runner.Start(wait(3));
    });
    Simulator::Schedule(MilliSeconds(1), change(1));
    Simulator::Schedule(MilliSeconds(2), change(2));
    Simulator::Schedule(MilliSeconds(7), change(3));
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_THAT(m_said, ElementsAre("0 so", "2 so", "5 too late"));
}

TEST_F(ProcessTest, WaitsForAsLongAsItTakesWithoutAnEvent)
{
    Changes changes;
    bool isSo = false;
    const auto await = [&]() -> Process {
        co_await Until(
            changes, [&]() { return isSo; }, Time::Max());
    };
    const auto wait = [&](int ms) -> Process {
        const std::size_t first = co_await AnyOf(await(), Sleep(MilliSeconds(ms)));
        Say(first == 0 ? "so" : "slept");
    };
    ProcessRunner runner;
    Simulator::Schedule(MilliSeconds(1), [&]() {
        runner.Start(wait(2));
        runner.Start(wait(9));
    });
    Simulator::Schedule(MilliSeconds(5), [&]() {
        isSo = true;
        changes.Check();
        isSo = false;
        runner.Start(await());
    });
    Simulator::Run(); // which ends, although one waits
    EXPECT_LT(Simulator::Now(), Seconds(1));
    EXPECT_TRUE(runner.IsRunning());
    runner.Stop();
    Simulator::Destroy();
    EXPECT_THAT(m_said, ElementsAre("3 slept", "5 so"));
}

} // namespace
