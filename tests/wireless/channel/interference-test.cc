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
#include <random>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(InterferenceTest, GreatestSumWhileOnAir)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
    const uint64_t signal = interference.Begin({{1, 100}, {2, 100}}, {1, 2, 7}, airtime);
    const uint64_t first = interference.Begin({{1, 3}, {2, 0.5}}, {}, airtime);
    interference.End(first);
    const uint64_t second = interference.Begin({{1, 1}, {2, 0.25}}, {2}, airtime);
    const uint64_t third = interference.Begin({{1, 1.5}, {2, 0.5}}, {}, airtime);
    EXPECT_THAT(interference.End(signal), ElementsAre(3, 0.75, 0))
        << "one after the other 3 and 1 + 1.5; 0.5 and 0.25 + 0.5; nothing";
    EXPECT_THAT(interference.End(second), ElementsAre(100.5)) << "of all that was on air with it";
    EXPECT_THAT(interference.End(third), IsEmpty());
    const uint64_t later = interference.Begin({{1, 1}}, {1, 2}, airtime);
    EXPECT_THAT(interference.End(later), ElementsAre(0, 0)) << "nothing is left on air";
}

TEST(InterferenceTest, NoneOfWhatEndsWhenASignalBegins)
{
    D2dInterference interference;
    const uint64_t before = interference.Begin({{1, 8}}, {1}, Seconds(1));
    Simulator::Schedule(Seconds(1), [&]() {
        const uint64_t after = interference.Begin({{1, 4}}, {1}, Seconds(1));
        EXPECT_THAT(interference.End(before), ElementsAre(0)); // ended at 1 s, if told only now
        EXPECT_THAT(interference.End(after), ElementsAre(0));
    });
    Simulator::Run();
    Simulator::Destroy();
}

/// The same as D2dInterference, by adding all powers anew whenever anything begins
class AddedAnew
{
  public:
    /**
     * @param number of a signal that begins
     * @param reach where it is heard
     * @param airtime how long
     */
    void
    Begin(uint64_t number, const std::vector<D2dReach>& reach, Time airtime)
    {
        Signal& added = m_signals[number];
        added.end = Simulator::Now() + airtime;
        for (const auto& place : reach)
        {
            added.powerW[place.device] = place.powerW;
        }
        for (auto& [signal, other] : m_signals)
        {
            for (const auto& [device, powerW] : other.powerW)
            {
                other.worstW[device] = std::max(other.worstW[device], Sum(signal, device));
            }
        }
    }

    /**
     * @param number of a signal that ends
     * @return worst interference by device
     */
    std::map<uint32_t, double>
    End(uint64_t number)
    {
        return m_signals.extract(number).mapped().worstW;
    }

  private:
    /// A signal on air
    struct Signal
    {
        Time end;                          //!< when it ends
        std::map<uint32_t, double> powerW; //!< by device
        std::map<uint32_t, double> worstW; //!< by device
    };

    /**
     * @param number of a signal
     * @param device where
     * @return power of all others there; 0 for one that has ended
     */
    double
    Sum(uint64_t number, uint32_t device) const
    {
        double sumW = 0;
        for (const auto& [other, signal] : m_signals)
        {
            const bool counts = other != number && signal.end > Simulator::Now() &&
                                m_signals.at(number).end > Simulator::Now();
            sumW += counts && signal.powerW.count(device) ? signal.powerW.at(device) : 0.0;
        }
        return sumW;
    }

    std::map<uint64_t, Signal> m_signals; //!< what is on air
};

/// Random signals at a few devices, on a coarse grid of times so that many events coincide
class RandomSignalsTest : public SimulatorTest
{
  protected:
    /// Devices
    static constexpr uint32_t DEVICES = 5;

    /// @brief A signal begins, with powers of 60 orders of magnitude, and its end is scheduled.
    void
    Begin()
    {
        std::uniform_real_distribution<double> exponent(-40, 20);
        std::vector<D2dReach> reach;
        std::vector<uint32_t> receivers;
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            if (m_generator() % 4 > 0)
            {
                reach.push_back({device, std::pow(10, exponent(m_generator))});
                receivers.push_back(device);
            }
        }
        const Time airtime = MilliSeconds(1 + m_generator() % 20);
        const uint64_t number = m_interference.Begin(reach, receivers, airtime);
        m_expected.Begin(number, reach, airtime);
        const bool cut = m_generator() % 4 == 0;
        Simulator::Schedule(
            cut ? airtime / 2 : airtime, &RandomSignalsTest::End, this, number, receivers);
    }

    /**
     * @param number of a signal that ends
     * @param receivers devices that it was meant for
     */
    void
    End(uint64_t number, const std::vector<uint32_t>& receivers)
    {
        const std::vector<double> worstW = m_interference.End(number);
        const std::map<uint32_t, double> expected = m_expected.End(number);
        ASSERT_EQ(worstW.size(), receivers.size());
        for (std::size_t i = 0; i < receivers.size(); ++i)
        {
            const double expectedW = expected.at(receivers[i]);
            EXPECT_NEAR(worstW[i], expectedW, 1e-14 * expectedW);
            ++m_compared;
            m_disturbed += expectedW > 0;
        }
    }

    D2dInterference m_interference;        //!< under test
    AddedAnew m_expected;                  //!< what it should say
    std::mt19937_64 m_generator{20260301}; //!< of the signals
    int m_compared = 0;                    //!< receptions compared
    int m_disturbed = 0;                   //!< those with interference
};

TEST_F(RandomSignalsTest, AsIfAddedAnewWheneverAnythingBegins)
{
    for (int i = 0; i < 2000; ++i)
    {
        Simulator::Schedule(MilliSeconds(m_generator() % 5000), [this]() { Begin(); });
    }
    Simulator::Run();
    EXPECT_GT(m_compared, 7000);
    EXPECT_GT(m_disturbed, 6000);
}

TEST(InterferenceTest, NothingIsLeftOfASignalThatWasMuchStronger)
{
    D2dInterference interference;
    const Time airtime = Seconds(1);
    const uint64_t strong = interference.Begin({{0, 1e15}}, {}, airtime);
    const uint64_t weak = interference.Begin({{0, 1e-20}}, {}, airtime);
    interference.End(strong);
    const uint64_t signal = interference.Begin({{0, 1e-18}}, {0}, airtime);
    EXPECT_THAT(interference.End(signal), ElementsAre(1e-20));
    interference.End(weak);
    const uint64_t last = interference.Begin({{0, 1}}, {0}, airtime);
    EXPECT_THAT(interference.End(last), ElementsAre(0.0));
}

} // namespace
