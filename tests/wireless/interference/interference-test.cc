/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-interference.h"

#include <random>

namespace ns3::collab::tests
{
namespace
{

class InterferenceTest : public SimulatorTest
{
  protected:
    /// What others' signals amounted to at the receivers of one
    using Worst = std::vector<std::optional<D2dDisturbance>>;

    /// @return their mean powers [W], of signals that do not fade
    static std::vector<double>
    Powers(const Worst& worst)
    {
        return Read(worst, &D2dDisturbance::powerW, &D2dDisturbance::faded);
    }

    /// @return products of all 1 + a I_k, less 1, of signals that fade
    static std::vector<double>
    Products(const Worst& worst)
    {
        return Read(worst, &D2dDisturbance::faded, &D2dDisturbance::powerW);
    }

    const Time airtime = Seconds(1); //!< of most signals
    D2dInterference interference;    //!< under test

  private:
    /// @return one member of each, where the other has to be 0; -1 where nothing was received
    static std::vector<double>
    Read(const Worst& worst, double D2dDisturbance::*member, double D2dDisturbance::*other)
    {
        std::vector<double> values;
        for (const auto& receiver : worst)
        {
            EXPECT_EQ(receiver.value_or(D2dDisturbance()).*other, 0);
            values.push_back(receiver ? (*receiver).*member : -1);
        }
        return values;
    }
};

TEST_F(InterferenceTest, GreatestSumWhileOnAir)
{
    const uint64_t signal = interference.Begin({{1, 100}, {2, 100}}, {{1}, {2}, {7}}, airtime);
    const uint64_t first = interference.Begin({{1, 3}, {2, 0.5}}, {}, airtime);
    interference.End(first);
    const uint64_t second = interference.Begin({{1, 1}, {2, 0.25}}, {{2}}, airtime);
    const uint64_t third = interference.Begin({{1, 1.5}, {2, 0.5}}, {}, airtime);
    EXPECT_THAT(Powers(interference.End(signal)), ElementsAre(3, 0.75, 0))
        << "one after the other 3 and 1 + 1.5; 0.5 and 0.25 + 0.5; nothing";
    EXPECT_THAT(Powers(interference.End(second)), ElementsAre(100.5))
        << "of all that was on air with it";
    EXPECT_THAT(interference.End(third), IsEmpty());
    const uint64_t later = interference.Begin({{1, 1}}, {{1}, {2}}, airtime);
    EXPECT_THAT(Powers(interference.End(later)), ElementsAre(0, 0)) << "nothing is left on air";
}

TEST_F(InterferenceTest, GreatestProductWhileOnAir)
{
    const uint64_t signal = interference.Begin({{1, 100}, {2, 100}}, {{1, 2}, {2}}, airtime);
    const uint64_t first = interference.Begin({{1, 3}, {2, 3}}, {}, airtime);
    interference.End(first);
    const uint64_t second = interference.Begin({{1, 1}, {2, 1}}, {{1, 0.5}}, airtime);
    const uint64_t third = interference.Begin({{1, 1.5}, {2, 1.5}}, {}, airtime);
    const auto worst = interference.End(signal);
    EXPECT_EQ(worst.at(0)->powerW, 0);
    EXPECT_DOUBLE_EQ(worst.at(0)->faded, 3 * 4 - 1) << "(1 + 2)(1 + 3) is more than 1 + 2 x 3";
    EXPECT_EQ(worst.at(1)->powerW, 3) << "the sum of the other receiver is greatest at first";
    EXPECT_EQ(worst.at(1)->faded, 0);
    EXPECT_THAT(Products(interference.End(second)), ElementsAre(testing::DoubleEq(51 * 1.75 - 1)));
    EXPECT_THAT(interference.End(third), IsEmpty());
}

/// The same as D2dInterference, by looking at all signals anew whenever anything begins
class LookedAtAnew
{
  public:
    void
    Begin(uint64_t number, const std::vector<D2dReach>& reach, double scale, Time airtime)
    {
        Signal& added = m_signals[number];
        added.end = Simulator::Now() + airtime;
        added.scale = scale;
        for (const auto& place : reach)
        {
            added.powerW[place.device] = place.powerW;
        }
        for (auto& [signal, other] : m_signals)
        {
            for (const auto& [device, powerW] : other.powerW)
            {
                other.worst[device] = std::max(other.worst[device], LookAt(signal, device));
            }
        }
    }

    /// @return by device, the greatest sum of powers, or the greatest logarithm of the product
    std::map<uint32_t, double>
    End(uint64_t number)
    {
        return m_signals.extract(number).mapped().worst;
    }

  private:
    /// A signal on air
    struct Signal
    {
        Time end;                          //!< when it ends
        double scale = 0;                  //!< see D2dReception
        std::map<uint32_t, double> powerW; //!< by device
        std::map<uint32_t, double> worst;  //!< by device
    };

    /// @return sum or logarithm of the product of all others there; 0 for one that has ended
    double
    LookAt(uint64_t number, uint32_t device) const
    {
        const Signal& signal = m_signals.at(number);
        double sum = 0;
        for (const auto& [otherNumber, other] : m_signals)
        {
            const bool counts = otherNumber != number && other.end > Simulator::Now() &&
                                signal.end > Simulator::Now() && other.powerW.count(device);
            const double powerW = counts ? other.powerW.at(device) : 0.0;
            sum += signal.scale > 0 ? std::log1p(signal.scale * powerW) : powerW;
        }
        return sum;
    }

    std::map<uint64_t, Signal> m_signals; //!< what is on air
};

/// Random signals at a few devices, on a coarse grid of times so that many events coincide
class RandomSignalsTest : public WithParameter<bool>
{
  protected:
    /// Devices
    static constexpr uint32_t DEVICES = 5;

    /// @brief A signal begins, with powers of 24 orders of magnitude, and its end is scheduled.
    void
    Begin()
    {
        std::uniform_real_distribution<double> exponent(-16, 8);
        std::vector<D2dReach> reach;
        std::vector<D2dReception> receptions;
        const double scale = GetParam() ? std::pow(10, exponent(m_generator)) : 0.0;
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            if (m_generator() % 4 > 0)
            {
                reach.push_back({device, std::pow(10, exponent(m_generator))});
                receptions.push_back({device, scale});
            }
        }
        const Time airtime = MilliSeconds(1 + m_generator() % 20);
        const uint64_t number = m_interference.Begin(reach, receptions, airtime);
        m_expected.Begin(number, reach, scale, airtime);
        const bool cut = m_generator() % 4 == 0;
        Simulator::Schedule(
            cut ? airtime / 2 : airtime, &RandomSignalsTest::End, this, number, receptions);
    }

    void
    End(uint64_t number, const std::vector<D2dReception>& receptions)
    {
        const auto worst = m_interference.End(number);
        const std::map<uint32_t, double> expected = m_expected.End(number);
        ASSERT_EQ(worst.size(), receptions.size());
        for (std::size_t i = 0; i < receptions.size(); ++i)
        {
            const double all = expected.at(receptions[i].device);
            // A D2dLogSum has 104 binary digits behind the point
            EXPECT_NEAR(GetParam() ? std::log1p(worst[i]->faded) : worst[i]->powerW,
                        all,
                        1e-14 * all + (GetParam() ? 1e-29 : 0));
            ++m_compared;
            m_disturbed += all > 0;
        }
    }

    D2dInterference m_interference;        //!< under test
    LookedAtAnew m_expected;               //!< what it should say
    std::mt19937_64 m_generator{20260301}; //!< of the signals
    int m_compared = 0;                    //!< receptions compared
    int m_disturbed = 0;                   //!< those with interference
};

INSTANTIATE_TEST_SUITE_P(Fading, RandomSignalsTest, testing::Bool());

TEST_P(RandomSignalsTest, AsIfLookedAtAnewWheneverAnythingBegins)
{
    for (int i = 0; i < 2000; ++i)
    {
        Simulator::Schedule(MilliSeconds(m_generator() % 5000), [this]() { Begin(); });
    }
    Simulator::Run();
    EXPECT_GT(m_compared, 7000);
    EXPECT_GT(m_disturbed, 6000);
}

/// How rows are compared: what devices do whom overlapping fragments are meant for, and fading
using RowCase = std::tuple<D2dLocking, bool>;

/// Random rows of fragments, and the same ones as signals of a fragment each
class RowsTest : public WithParameter<RowCase>
{
  protected:
    /// Devices
    static constexpr uint32_t DEVICES = 5;
    /// What a fragment met at a device, if it was decoded
    using Met = std::optional<D2dDisturbance>;

    /// The same fragments in both ways
    struct Row
    {
        std::vector<D2dReach> reach;                   //!< where they are heard
        std::vector<D2dReception> receptions;          //!< whom they are meant for
        Time airtime;                                  //!< of a fragment
        uint32_t fragments = 0;                        //!< their number
        uint64_t whole = 0;                            //!< the signal that is a row
        uint64_t single = 0;                           //!< the present one of those that are not
        uint32_t begun = 0;                            //!< how many of these have begun
        uint32_t ended = 0;                            //!< how many have ended
        std::vector<uint32_t> meant;                   //!< devices that it is meant for
        EventId end;                                   //!< when it ends
        uint32_t letGo = DEVICES;                      //!< device that no longer listens
        std::map<uint32_t, std::vector<Met>> expected; //!< what these met, by device
        std::map<uint32_t, std::vector<Met>> found;    //!< what the row says, by device
    };

    RowsTest()
    {
        m_whole.SetLocking(std::get<0>(GetParam()), 10);
        m_single.SetLocking(std::get<0>(GetParam()), 10);
    }

    /// @brief A row begins, on a coarse grid of times so that many events coincide.
    void
    Begin()
    {
        auto row = std::make_shared<Row>();
        const double scale = std::get<1>(GetParam()) ? 1e-7 * (1 + m_generator() % 100) : 0.0;
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            // Whole numbers, which add up exactly, of which no two are equal
            const uint64_t strength = m_generator() % (1U << m_generator() % 24);
            const auto powerW = static_cast<double>(strength << 16 | ++m_powers);
            const uint64_t kind = m_generator() % 5;
            if (kind > 0)
            {
                row->reach.push_back({device, powerW});
            }
            if (kind > 1)
            {
                row->receptions.push_back({device, scale});
            }
        }
        row->airtime = MilliSeconds(1 + m_generator() % 6);
        row->fragments = 1 + m_generator() % 12;
        const Time airtime = row->airtime * int64_t{row->fragments};
        row->whole = m_whole.Begin(row->reach, row->receptions, airtime, row->fragments);
        BeginSingle(row);
        // What nobody can put in an order happens between the instants of the grid
        const Time later = MilliSeconds(m_generator() % 30);
        const Time between = later + MicroSeconds(500);
        const uint64_t kind = m_generator() % 4;
        const bool isCut = kind == 0 && between < airtime;
        Simulator::Schedule(isCut ? between : airtime, &RowsTest::End, this, row, isCut);
        if (kind == 1 && later < airtime)
        {
            Simulator::Schedule(later, &RowsTest::Collect, this, row);
        }
        if (kind == 2 && between < airtime && !row->receptions.empty())
        {
            Simulator::Schedule(between, &RowsTest::LetGo, this, row);
        }
    }

    /// @param row of which the next fragment begins
    void
    BeginSingle(const std::shared_ptr<Row>& row)
    {
        std::vector<D2dReception> receptions;
        for (const auto& reception : row->receptions)
        {
            if (reception.device != row->letGo)
            {
                receptions.push_back(reception);
                row->meant.push_back(reception.device);
            }
        }
        row->single = m_single.Begin(row->reach, receptions, row->airtime);
        ++row->begun;
        row->end = Simulator::Schedule(row->airtime, &RowsTest::EndSingle, this, row);
    }

    /// @param row of which a fragment ends
    void
    EndSingle(const std::shared_ptr<Row>& row)
    {
        ++row->ended;
        const auto worst = m_single.End(row->single);
        const auto meant = std::exchange(row->meant, {});
        for (std::size_t i = 0; i < worst.size(); ++i)
        {
            row->expected[meant[i]].push_back(worst[i]);
        }
        if (row->begun < row->fragments)
        {
            BeginSingle(row);
        }
    }

    /// @param row of which to ask what it has met up to now
    void
    Collect(const std::shared_ptr<Row>& row)
    {
        for (const auto& reception : row->receptions)
        {
            for (const D2dRun& run : m_whole.Collect(row->whole, reception.device))
            {
                row->found[reception.device].insert(
                    row->found[reception.device].end(), run.fragments, run.worst);
                m_longest = std::max(m_longest, run.fragments);
            }
        }
    }

    /// @param row of which a device no longer listens
    void
    LetGo(const std::shared_ptr<Row>& row)
    {
        Collect(row);
        row->letGo = row->receptions.front().device;
        m_whole.LetGo(row->whole, row->letGo);
    }

    void
    End(const std::shared_ptr<Row>& row, bool isCut)
    {
        Collect(row);
        const auto onAir = m_whole.End(row->whole);
        if (isCut)
        {
            row->end.Cancel();
            const auto expected = m_single.End(row->single);
            for (std::size_t i = 0; i < expected.size(); ++i)
            {
                ExpectSame(onAir[i], expected[i]);
            }
        }
        else if (row->ended < row->fragments)
        {
            row->end.Cancel(); // it is due at this instant
            EndSingle(row);
        }
        for (const auto& reception : row->receptions)
        {
            const auto& found = row->found[reception.device];
            auto& expected = row->expected[reception.device];
            const bool wasLetGo = reception.device == row->letGo;
            ASSERT_LE(found.size(), expected.size());
            ASSERT_TRUE(wasLetGo || found.size() == expected.size());
            for (std::size_t i = 0; i < found.size(); ++i)
            {
                ExpectSame(found[i], expected[i]);
            }
        }
    }

    void
    ExpectSame(const Met& found, const Met& expected)
    {
        ASSERT_EQ(found.has_value(), expected.has_value());
        ++(found ? m_decoded : m_missed);
        if (found)
        {
            EXPECT_EQ(found->powerW, expected->powerW); // whole numbers of watts
            EXPECT_NEAR(found->faded, expected->faded, 1e-12 * expected->faded);
            m_disturbed += expected->powerW > 0 || expected->faded > 0;
        }
    }

    D2dInterference m_whole;               //!< of rows
    D2dInterference m_single;              //!< of single fragments
    std::mt19937_64 m_generator{20261125}; //!< of the rows
    uint32_t m_powers = 0;                 //!< different powers up to now
    uint32_t m_longest = 0;                //!< most fragments in one run
    int m_decoded = 0;                     //!< fragments that a device decoded
    int m_missed = 0;                      //!< fragments that a device missed for its lock
    int m_disturbed = 0;                   //!< fragments that met something
};

INSTANTIATE_TEST_SUITE_P(
    Locking,
    RowsTest,
    testing::Combine(testing::Values(D2dLocking::NONE, D2dLocking::FIRST, D2dLocking::CAPTURE),
                     testing::Bool()));

TEST_P(RowsTest, MeetWhatTheirFragmentsMeet)
{
    for (int i = 0; i < 2000; ++i)
    {
        Simulator::Schedule(MilliSeconds(m_generator() % 20000), [this]() { Begin(); });
    }
    Simulator::Run();
    EXPECT_GT(m_longest, 5);
    EXPECT_GT(m_decoded, 10000);
    EXPECT_GT(m_disturbed, 5000);
    EXPECT_EQ(m_missed > 5000, std::get<0>(GetParam()) != D2dLocking::NONE);
}

TEST_F(InterferenceTest, NothingIsLeftOfASignalThatWasMuchStronger)
{
    const uint64_t strong = interference.Begin({{0, 1e15}}, {}, airtime);
    const uint64_t weak = interference.Begin({{0, 1e-20}}, {}, airtime);
    interference.End(strong);
    const uint64_t signal = interference.Begin({{0, 1e-18}}, {{0}}, airtime);
    EXPECT_THAT(Powers(interference.End(signal)), ElementsAre(1e-20));
    interference.End(weak);
    const uint64_t last = interference.Begin({{0, 1}}, {{0}}, airtime);
    EXPECT_THAT(Powers(interference.End(last)), ElementsAre(0));
}

TEST_F(InterferenceTest, NothingIsLeftOfASignalThatWasMuchStrongerAndFaded)
{
    const uint64_t strong = interference.Begin({{0, 1e15}}, {}, airtime);
    const uint64_t signal = interference.Begin({{0, 1}}, {{0, 1}}, 10 * airtime, 10);
    const uint64_t weak = interference.Begin({{0, 1e-15}}, {}, 10 * airtime);
    At(2 * airtime, [&] {
        interference.End(strong);
        const std::vector<D2dRun> runs = interference.Collect(signal, 0);
        EXPECT_THAT(runs, SizeIs(1));
        EXPECT_NEAR(runs.at(0).worst->faded, 1e15, 10);
    });
    At(4 * airtime, [&] {
        const std::vector<D2dRun> runs = interference.Collect(signal, 0);
        EXPECT_THAT(runs, SizeIs(1));
        EXPECT_NEAR(runs.at(0).worst->faded, 1e-15, 1e-28);
        interference.End(weak);
        interference.End(signal);
    });
    Simulator::Run();
}

TEST_F(InterferenceTest, WhoNoLongerListensToARowStillMeetsItInOthers)
{
    const uint64_t left = interference.Begin({{0, 3}}, {{0}}, 2 * airtime, 2);
    const uint64_t other = interference.Begin({{0, 1}}, {{0}}, 2 * airtime, 2);
    At(airtime, [&] { interference.LetGo(left, 0); }); // as the second fragments begin
    At(2 * airtime, [&] {
        const std::vector<D2dRun> runs = interference.Collect(other, 0);
        ASSERT_THAT(runs, SizeIs(1));
        EXPECT_EQ(runs[0].fragments, 2);
        EXPECT_EQ(runs[0].worst->powerW, 3);
    });
    Simulator::Run();
}

TEST_F(InterferenceTest, WatchersAreToldOnceBeforeAnythingBegins)
{
    EXPECT_TRUE(interference.IsQuiet({1, 2}));
    std::vector<std::string> told;
    uint64_t late = 0;
    interference.Watch({1, 2}, [&]() {
        told.emplace_back("first");
        // It has been on air for half of its airtime
        late = interference.Begin({{1, 3}}, {{2}}, airtime, 0, airtime / 2);
    });
    const uint64_t over = interference.Watch({3}, [&]() { told.emplace_back("second"); });
    EXPECT_FALSE(interference.IsQuiet({2, 5})) << "somebody watches";
    EXPECT_TRUE(interference.IsQuiet({4, 5}));
    interference.End(interference.Begin({{4, 1}}, {}, airtime));
    EXPECT_THAT(told, IsEmpty());
    interference.Unwatch(over);
    const uint64_t signal = interference.Begin({{1, 5}, {3, 1}}, {{1}}, airtime);
    EXPECT_THAT(told, ElementsAre("first"));
    EXPECT_FALSE(interference.IsQuiet({1}));
    interference.End(interference.Begin({{1, 1}}, {{2}}, airtime));
    EXPECT_THAT(told, ElementsAre("first")) << "once";
    EXPECT_THAT(Powers(interference.End(signal)), ElementsAre(4)) << "3, which began before, and 1";
    EXPECT_THAT(Powers(interference.End(late)), ElementsAre(0));
    EXPECT_TRUE(interference.IsQuiet({1, 2, 3}));
}

TEST_F(InterferenceTest, WhatHasBeenOnAirBeforeKeepsItsReceiver)
{
    interference.SetLocking(D2dLocking::FIRST, 1);
    At(Seconds(1), [&] {
        const uint64_t before =
            interference.Begin({{1, 1}}, {{1}}, Seconds(1), 0, MilliSeconds(600));
        const uint64_t now = interference.Begin({{1, 5}}, {{1}}, Seconds(1));
        EXPECT_TRUE(interference.End(before).at(0)) << "although the other one is stronger";
        EXPECT_FALSE(interference.End(now).at(0));
    });
    Simulator::Run();
}

TEST_F(InterferenceTest, ProductsNeitherLoseWeakSignalsNorOverflow)
{
    const uint64_t signal = interference.Begin({{0, 1}, {1, 1}}, {{0, 1}, {1, 1}}, airtime);
    for (int i = 0; i < 10; ++i)
    {
        interference.Begin({{0, 1e-20}, {1, 1e200}}, {}, airtime);
    }
    const auto worst = interference.End(signal);
    EXPECT_NEAR(worst.at(0)->faded, 1e-19, 1e-30);
    EXPECT_EQ(worst.at(1)->faded, 1e300);
}

using LockTest = SimulatorTest;

TEST_F(LockTest, OneOfTwoSignalsIsReceived)
{
    constexpr auto NONE = D2dLocking::NONE;
    constexpr auto FIRST = D2dLocking::FIRST;
    constexpr auto CAPTURE = D2dLocking::CAPTURE; // by ten times the power
    // Locking, powers of both, how long after the first the second begins [s], which are received
    using Row = std::tuple<D2dLocking, double, double, int, bool, bool>;
    for (const auto& [locking, powerW, otherW, later, first, second] :
         {Row(NONE, 1, 100, 1, true, true),
          Row(FIRST, 1, 1, 1, true, false),
          Row(FIRST, 1, 1e9, 1, true, false),
          Row(CAPTURE, 1, 9.99, 1, true, false),
          Row(CAPTURE, 1, 10, 1, false, true),
          Row(FIRST, 1, 1.01, 0, false, true), // the stronger of those that begin together
          Row(FIRST, 1.01, 1, 0, true, false),
          Row(CAPTURE, 1, 1.01, 0, false, true),
          Row(CAPTURE, 1.01, 1, 0, true, false),
          Row(FIRST, 1, 1, 2, true, true)}) // at the instant at which the first one ends
    {
        SCOPED_TRACE(testing::Message() << int(locking) << ' ' << powerW << ' ' << otherW);
        D2dInterference interference;
        interference.SetLocking(locking, 10);
        const uint64_t one = interference.Begin({{0, powerW}}, {{0}}, Seconds(2));
        RunFor(Seconds(later));
        const uint64_t other = interference.Begin({{0, otherW}}, {{0}}, Seconds(2));
        EXPECT_EQ(interference.End(one).at(0).has_value(), first);
        EXPECT_EQ(interference.End(other).at(0).has_value(), second);
    }
}

TEST_F(InterferenceTest, ALockEndsWithAFragmentThatIsCutOff)
{
    interference.SetLocking(D2dLocking::FIRST, 10);
    interference.End(interference.Begin({{0, 1}}, {{0}}, airtime));
    const uint64_t next = interference.Begin({{0, 1}}, {{0}}, airtime);
    EXPECT_TRUE(interference.End(next).at(0));
}

TEST_F(InterferenceTest, WhatWasMissedStillDisturbs)
{
    interference.SetLocking(D2dLocking::FIRST, 10);
    const uint64_t first = interference.Begin({{0, 1}, {1, 1}}, {{0}, {1}}, airtime);
    const uint64_t second = interference.Begin({{0, 0.5}}, {{0}}, airtime);
    interference.Begin({{0, 5}, {1, 0.5}}, {}, airtime);
    EXPECT_THAT(Powers(interference.End(first)), ElementsAre(5.5, 0.5));
    EXPECT_FALSE(interference.End(second).at(0));
}

} // namespace
} // namespace ns3::collab::tests
