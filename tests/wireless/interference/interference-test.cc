/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-interference.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

/**
 * @param worst of other signals at the receivers of one
 * @return their mean powers [W]
 */
std::vector<double>
Powers(const std::vector<std::optional<D2dDisturbance>>& worst)
{
    std::vector<double> powersW;
    for (const auto& receiver : worst)
    {
        EXPECT_TRUE(receiver);
        EXPECT_EQ(receiver.value_or(D2dDisturbance()).faded, 0);
        powersW.push_back(receiver.value_or(D2dDisturbance{-1}).powerW);
    }
    return powersW;
}

/**
 * @param worst of other signals that fade, at the receivers of one
 * @return products of all 1 + a I_k
 */
std::vector<double>
Products(const std::vector<std::optional<D2dDisturbance>>& worst)
{
    std::vector<double> products;
    for (const auto& receiver : worst)
    {
        EXPECT_TRUE(receiver);
        EXPECT_EQ(receiver.value_or(D2dDisturbance()).powerW, 0);
        products.push_back(1 + receiver.value_or(D2dDisturbance()).faded);
    }
    return products;
}

TEST(InterferenceTest, GreatestSumWhileOnAir)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
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

TEST(InterferenceTest, GreatestProductWhileOnAir)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
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
    EXPECT_THAT(Products(interference.End(second)), ElementsAre(testing::DoubleEq(51 * 1.75)));
    EXPECT_THAT(interference.End(third), IsEmpty());
}

TEST(InterferenceTest, NoneOfWhatEndsWhenASignalBegins)
{
    D2dInterference interference;
    const uint64_t before = interference.Begin({{1, 8}}, {{1}}, Seconds(1));
    Simulator::Schedule(Seconds(1), [&]() {
        const uint64_t after = interference.Begin({{1, 4}}, {{1}}, Seconds(1));
        // ended at 1 s, if told only now
        EXPECT_THAT(Powers(interference.End(before)), ElementsAre(0));
        EXPECT_THAT(Powers(interference.End(after)), ElementsAre(0));
    });
    Simulator::Run();
    Simulator::Destroy();
}

TEST(InterferenceTest, NoneOfWhatFadesAndEndsWhenASignalBegins)
{
    D2dInterference interference;
    const uint64_t before = interference.Begin({{1, 8}}, {{1, 1}}, Seconds(1));
    const uint64_t with = interference.Begin({{1, 2}}, {{1, 1}}, Seconds(2));
    Simulator::Schedule(Seconds(1), [&]() {
        const uint64_t after = interference.Begin({{1, 4}}, {{1, 1}}, Seconds(1));
        EXPECT_THAT(Products(interference.End(before)), ElementsAre(testing::DoubleEq(3)));
        EXPECT_THAT(Products(interference.End(after)), ElementsAre(testing::DoubleEq(3)));
        EXPECT_THAT(Products(interference.End(with)), ElementsAre(testing::DoubleEq(9)));
    });
    Simulator::Run();
    Simulator::Destroy();
}

/// The same as D2dInterference, by looking at all signals anew whenever anything begins
class LookedAtAnew
{
  public:
    /**
     * @param number of a signal that begins
     * @param reach where it is heard
     * @param scale see D2dReception, at all devices
     * @param airtime how long
     */
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

    /**
     * @param number of a signal that ends
     * @return by device, the greatest sum of powers, or the greatest logarithm of the product
     */
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

    /**
     * @param number of a signal
     * @param device where
     * @return sum or logarithm of the product of all others there; 0 for one that has ended
     */
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
class RandomSignalsTest : public SimulatorTest, public testing::WithParamInterface<bool>
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

    /**
     * @param number of a signal that ends
     * @param receptions devices that it was meant for
     */
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
class RowsTest : public SimulatorTest, public testing::WithParamInterface<RowCase>
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

    /**
     * @param row that ends
     * @param isCut whether in the middle of a fragment
     */
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

    /**
     * @param found what a fragment met, as the row says
     * @param expected what it met
     */
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

TEST(InterferenceTest, NothingIsLeftOfASignalThatWasMuchStronger)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
    const uint64_t strong = interference.Begin({{0, 1e15}}, {}, airtime);
    const uint64_t weak = interference.Begin({{0, 1e-20}}, {}, airtime);
    interference.End(strong);
    const uint64_t signal = interference.Begin({{0, 1e-18}}, {{0}}, airtime);
    EXPECT_THAT(Powers(interference.End(signal)), ElementsAre(1e-20));
    interference.End(weak);
    const uint64_t last = interference.Begin({{0, 1}}, {{0}}, airtime);
    EXPECT_THAT(Powers(interference.End(last)), ElementsAre(0));
}

TEST(InterferenceTest, NothingIsLeftOfASignalThatWasMuchStrongerAndFaded)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
    const uint64_t strong = interference.Begin({{0, 1e15}}, {}, airtime);
    const uint64_t signal = interference.Begin({{0, 1}}, {{0, 1}}, 10 * airtime, 10);
    const uint64_t weak = interference.Begin({{0, 1e-15}}, {}, 10 * airtime);
    Simulator::Schedule(2 * airtime, [&]() {
        interference.End(strong);
        const std::vector<D2dRun> runs = interference.Collect(signal, 0);
        EXPECT_THAT(runs, testing::SizeIs(1));
        EXPECT_NEAR(runs.at(0).worst->faded, 1e15, 10);
    });
    Simulator::Schedule(4 * airtime, [&]() {
        const std::vector<D2dRun> runs = interference.Collect(signal, 0);
        EXPECT_THAT(runs, testing::SizeIs(1));
        EXPECT_NEAR(runs.at(0).worst->faded, 1e-15, 1e-28);
        interference.End(weak);
        interference.End(signal);
    });
    Simulator::Run();
    Simulator::Destroy();
}

TEST(InterferenceTest, WatchersAreToldOnceBeforeAnythingBegins)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
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

TEST(InterferenceTest, WhatHasBeenOnAirBeforeKeepsItsReceiver)
{
    D2dInterference interference;
    interference.SetLocking(D2dLocking::FIRST, 1);
    Simulator::Schedule(Seconds(1), [&]() {
        const uint64_t before =
            interference.Begin({{1, 1}}, {{1}}, Seconds(1), 0, MilliSeconds(600));
        const uint64_t now = interference.Begin({{1, 5}}, {{1}}, Seconds(1));
        EXPECT_TRUE(interference.End(before).at(0)) << "although the other one is stronger";
        EXPECT_FALSE(interference.End(now).at(0));
    });
    Simulator::Run();
    Simulator::Destroy();
}

TEST(InterferenceTest, ProductsNeitherLoseWeakSignalsNorOverflow)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
    const uint64_t signal = interference.Begin({{0, 1}, {1, 1}}, {{0, 1}, {1, 1}}, airtime);
    for (int i = 0; i < 10; ++i)
    {
        interference.Begin({{0, 1e-20}, {1, 1e200}}, {}, airtime);
    }
    const auto worst = interference.End(signal);
    EXPECT_NEAR(worst.at(0)->faded, 1e-19, 1e-30);
    EXPECT_EQ(worst.at(1)->faded, 1e300);
}

/// @brief Which of two receptions by device 0 were kept, the first one first
using Kept = std::pair<bool, bool>;

/**
 * @param locking what the device does
 * @param powerW of the first signal
 * @param otherW of the second, which begins while the first is on air
 * @param later how long after it
 * @return which the device keeps if signals must be ten times as strong to capture it
 */
Kept
PlayTwo(D2dLocking locking, double powerW, double otherW, Time later)
{
    D2dInterference interference;
    interference.SetLocking(locking, 10);
    Kept kept;
    const uint64_t first = interference.Begin({{0, powerW}}, {{0}}, Seconds(2));
    Simulator::Schedule(later, [&]() {
        const uint64_t second = interference.Begin({{0, otherW}}, {{0}}, Seconds(2));
        kept.first = interference.End(first).at(0).has_value();
        kept.second = interference.End(second).at(0).has_value();
    });
    Simulator::Run();
    Simulator::Destroy();
    return kept;
}

TEST(LockTest, WithoutLocksAllAreReceived)
{
    EXPECT_EQ(PlayTwo(D2dLocking::NONE, 1, 100, Seconds(1)), Kept(true, true));
}

TEST(LockTest, FirstStaysLocked)
{
    EXPECT_EQ(PlayTwo(D2dLocking::FIRST, 1, 1, Seconds(1)), Kept(true, false));
    EXPECT_EQ(PlayTwo(D2dLocking::FIRST, 1, 1e9, Seconds(1)), Kept(true, false));
}

TEST(LockTest, MuchStrongerOneCaptures)
{
    EXPECT_EQ(PlayTwo(D2dLocking::CAPTURE, 1, 9.99, Seconds(1)), Kept(true, false));
    EXPECT_EQ(PlayTwo(D2dLocking::CAPTURE, 1, 10, Seconds(1)), Kept(false, true));
}

TEST(LockTest, OfThoseThatBeginTogetherTheStrongestIsReceived)
{
    for (const D2dLocking locking : {D2dLocking::FIRST, D2dLocking::CAPTURE})
    {
        EXPECT_EQ(PlayTwo(locking, 1, 1.01, Time()), Kept(false, true));
        EXPECT_EQ(PlayTwo(locking, 1.01, 1, Time()), Kept(true, false));
    }
}

TEST(LockTest, EndsWithItsFragment)
{
    EXPECT_EQ(PlayTwo(D2dLocking::FIRST, 1, 1, Seconds(2)), Kept(true, true))
        << "at the instant at which the other one ends";
    D2dInterference interference;
    interference.SetLocking(D2dLocking::FIRST, 10);
    interference.End(interference.Begin({{0, 1}}, {{0}}, Seconds(1)));
    const uint64_t next = interference.Begin({{0, 1}}, {{0}}, Seconds(1));
    EXPECT_TRUE(interference.End(next).at(0)) << "the other was cut off";
}

TEST(LockTest, WhatWasMissedStillDisturbs)
{
    D2dInterference interference;
    interference.SetLocking(D2dLocking::FIRST, 10);
    const uint64_t first = interference.Begin({{0, 1}, {1, 1}}, {{0}, {1}}, Seconds(1));
    const uint64_t second = interference.Begin({{0, 0.5}}, {{0}}, Seconds(1));
    const uint64_t other = interference.Begin({{0, 5}, {1, 0.5}}, {}, Seconds(1));
    EXPECT_THAT(Powers(interference.End(first)), ElementsAre(5.5, 0.5));
    EXPECT_FALSE(interference.End(second).at(0));
    interference.End(other);
}

} // namespace
