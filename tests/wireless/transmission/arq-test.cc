/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-arq.h"

#include <random>

namespace ns3::collab::tests
{
namespace
{

/// A uniform stream that counts how often it is drawn from
class CountingStream : public RandomVariableStream
{
  public:
    CountingStream()
    {
        m_uniform->SetStream(7);
    }

    double
    GetValue() override
    {
        ++draws;
        return m_uniform->GetValue();
    }

    uint32_t
    GetInteger() override
    {
        return static_cast<uint32_t>(GetValue());
    }

    uint64_t draws = 0; //!< how often it was drawn from

  private:
    Ptr<UniformRandomVariable> m_uniform = CreateObject<UniformRandomVariable>(); //!< the numbers
};

class ArqTest : public SimulatorTest
{
  protected:
    /// @return whether something happens with a probability
    bool
    Chance(double probability)
    {
        return std::bernoulli_distribution(probability)(m_generator);
    }

    /// Expects that what was drawn as a whole is distributed as what was played one by one.
    static void
    ExpectSame(const std::vector<std::vector<double>>& drawn,
               const std::vector<std::vector<double>>& played)
    {
        for (std::size_t i = 0; i < drawn.size(); ++i)
        {
            SCOPED_TRACE(testing::Message() << "quantity " << i);
            ExpectSameMean(drawn[i], played[i], 4);
            EXPECT_LT(KolmogorovSmirnov(drawn[i], played[i]), KOLMOGOROV_SMIRNOV_LIMIT);
        }
    }

    Ptr<CountingStream> m_stream = CreateObject<CountingStream>(); //!< what the sampler draws from
    D2dArqSampler m_sampler{m_stream};                             //!< under test
    std::mt19937_64 m_generator{1}; //!< of what is played transmission by transmission
};

/*
 * 4 means at 4 standard errors (two-sided 6.3e-5) and 4 Kolmogorov-Smirnov tests at 1e-4 in each of
 * 11 rows: a correct program would fail with probability 0.7 % at most for a seed drawn anew.
 */
TEST_F(ArqTest, SendingSomeAgreesWithOneByOne)
{
    struct Row
    {
        uint32_t missing;        // fragments never received
        uint32_t unacknowledged; // fragments received and not acknowledged
        uint32_t sent;           // any of these, once
        double loss;
    };
    for (const Row& row : {Row{1, 0, 1, 0.5},
                           Row{0, 9, 4, 0.3},
                           Row{7, 0, 3, 0.2},
                           Row{5, 4, 5, 0.3},
                           Row{12, 30, 20, 0.4},
                           Row{30, 12, 42, 0.5},
                           Row{20, 5, 13, 0.9},
                           Row{20, 5, 25, 1},
                           Row{20, 5, 12, 0},
                           Row{100, 40, 70, 0.1},
                           Row{0, 0, 0, 0.3}})
    {
        SCOPED_TRACE(testing::Message() << row.sent << " of " << row.missing << " and "
                                        << row.unacknowledged << ", loss " << row.loss);
        std::vector<std::vector<double>> drawn(4);
        std::vector<std::vector<double>> played(4);
        const auto add = [](auto& samples, double fresh, double again, double missing) {
            samples[0].push_back(fresh);
            samples[1].push_back(again);
            samples[2].push_back(missing); // among those that were not sent
            samples[3].push_back(fresh * missing);
        };
        for (int i = 0; i < 3000; ++i)
        {
            D2dFragmentCounts waiting{row.missing, row.unacknowledged};
            const D2dArrivals arrivals = m_sampler.SendSome(row.sent, row.loss, waiting);
            EXPECT_EQ(waiting.Outstanding(), row.missing + row.unacknowledged - row.sent);
            add(drawn, arrivals.fresh, arrivals.again, waiting.missing);

            std::vector<bool> received(row.missing + row.unacknowledged, false);
            std::fill_n(received.begin(), row.unacknowledged, true);
            std::shuffle(received.begin(), received.end(), m_generator);
            int counts[2] = {};
            for (uint32_t fragment = 0; fragment < row.sent; ++fragment)
            {
                counts[received[fragment]] += !Chance(row.loss);
            }
            const auto left = std::count(received.begin() + row.sent, received.end(), false);
            add(played, counts[false], counts[true], left);
        }
        ExpectSame(drawn, played);
    }
}

TEST_F(ArqTest, SendOnceIsBinomial)
{
    constexpr uint32_t FRAGMENTS = 40;
    constexpr double LOSS = 0.3;
    constexpr double ACKNOWLEDGMENT_LOSS = 0.2;
    std::vector<std::vector<double>> drawn(3);
    std::vector<std::vector<double>> played(3);
    const auto add = [](auto& samples, double missing, double unacknowledged) {
        samples[0].push_back(missing);
        samples[1].push_back(unacknowledged);
        samples[2].push_back(missing * unacknowledged);
    };
    for (int i = 0; i < 10000; ++i)
    {
        D2dFragmentCounts counts;
        const auto acknowledgments =
            m_sampler.SendOnce(FRAGMENTS, LOSS, ACKNOWLEDGMENT_LOSS, true, counts);
        EXPECT_EQ(counts.missing + acknowledgments, FRAGMENTS);
        EXPECT_LE(counts.unacknowledged, acknowledgments);
        add(drawn, counts.missing, counts.unacknowledged);
        int missing = 0;
        int unacknowledged = 0;
        for (uint32_t fragment = 0; fragment < FRAGMENTS; ++fragment)
        {
            const bool isLost = Chance(LOSS);
            missing += isLost;
            unacknowledged += !isLost && Chance(ACKNOWLEDGMENT_LOSS);
        }
        add(played, missing, unacknowledged);
    }
    ExpectSame(drawn, played);
}

TEST_F(ArqTest, SendOnceEdges)
{
    // loss, loss of acknowledgments, whether there are any; acknowledgments, missing,
    // unacknowledged
    using Row = std::tuple<double, double, bool, uint32_t, uint32_t, uint32_t>;
    for (const auto& [loss, back, acknowledges, acknowledgments, missing, unacknowledged] :
         {Row(0, 0, true, 9, 0, 0),
          Row(1, 0, true, 0, 9, 0),
          Row(0, 1, true, 9, 0, 9),
          Row(0, 0, false, 0, 0, 9)})
    {
        D2dFragmentCounts counts;
        EXPECT_EQ(m_sampler.SendOnce(9, loss, back, acknowledges, counts), acknowledgments);
        EXPECT_EQ(counts.missing, missing);
        EXPECT_EQ(counts.unacknowledged, unacknowledged);
    }
}

TEST_F(ArqTest, StopAndWaitByHand)
{
    struct Row
    {
        uint32_t fragments;
        uint32_t maxAttempts;
        double loss;
        double acknowledgmentLoss;
        uint32_t attempts; // of all fragments
        uint32_t acknowledgments;
        uint32_t backoffs; // waiting before retransmissions, in units of RetryBackoff
        uint32_t completed;
    };
    for (const Row& row : {Row{9, 4, 0, 0, 9, 9, 0, 9},
                           Row{9, 4, 1, 0, 4, 0, 1 + 2 + 4, 0}, // the first is tried to the end
                           Row{6, 4, 0, 1, 4, 4, 1 + 2 + 4, 0},
                           Row{9, 13, 1, 0, 13, 0, 1023 + 1024 + 1024, 0}})
    {
        const D2dStopAndWaitPlan plan = m_sampler.PlanStopAndWait(
            row.fragments, row.maxAttempts, row.loss, row.acknowledgmentLoss);
        const D2dStopAndWaitTiming second = {Seconds(1), Seconds(1), Seconds(1)};
        const D2dAirUse use = plan.GetUse(second);
        EXPECT_EQ(use.transmitting, Seconds(row.attempts));
        EXPECT_EQ(use.listening, Seconds(row.attempts));
        EXPECT_EQ(use.waiting, Seconds(row.backoffs));
        EXPECT_EQ(plan.CountAcknowledgments(), row.acknowledgments);
        const auto progress = m_sampler.DrawProgress(plan, second, use.GetDuration());
        EXPECT_EQ(progress.use.transmitting, use.transmitting);
        EXPECT_EQ(progress.acknowledgments, row.acknowledgments);
        EXPECT_EQ(progress.completed, row.completed);
        EXPECT_EQ(progress.inFlight, row.completed < row.fragments);
    }
}

/// @return transmissions in a plan
double
CountTransmissions(const D2dStopAndWaitPlan& plan)
{
    return plan.GetUse({Seconds(1), Time(), Time()}).transmitting.GetSeconds();
}

TEST_F(ArqTest, MeanOfTruncatedGeometric)
{
    for (const uint32_t maxAttempts : {1U, 2U, 5U, 20U})
    {
        for (const double loss : {0.05, 0.5, 0.8})
        {
            std::vector<double> attempts;
            for (int i = 0; i < 4000; ++i)
            {
                attempts.push_back(
                    CountTransmissions(m_sampler.PlanStopAndWait(1, maxAttempts, loss, 0.1)));
            }
            const double success = (1 - loss) * 0.9;
            const double expected = (1 - std::pow(1 - success, maxAttempts)) / success;
            EXPECT_NEAR(
                Describe(attempts).mean, expected, 4 * Describe(attempts).standardError + 1e-12)
                << maxAttempts << " attempts, loss " << loss;
        }
    }
}

TEST_F(ArqTest, CostDoesNotGrowWithTheNumberOfFragments)
{
    constexpr uint32_t MANY = 1000000;
    for (const double loss : {0.0, 1e-7, 0.01, 0.1, 0.5, 0.99, 1.0})
    {
        for (const double acknowledgmentLoss : {0.0, 0.01, 0.1, 1.0})
        {
            for (const uint32_t maxAttempts : {1U, 3U, 5U, 8U, 12U})
            {
                D2dFragmentCounts counts;
                m_stream->draws = 0;
                m_sampler.SendOnce(MANY, loss, acknowledgmentLoss, true, counts);
                m_sampler.PlanStopAndWait(
                    counts.Outstanding(), maxAttempts, loss, acknowledgmentLoss);
                EXPECT_LT(m_stream->draws, 200)
                    << loss << ' ' << acknowledgmentLoss << ' ' << maxAttempts;
                EXPECT_LE(counts.Outstanding(), MANY);
            }
        }
    }
}

TEST_F(ArqTest, MillionFragmentsHaveTheRightMean)
{
    constexpr uint32_t MANY = 1000000;
    const D2dStopAndWaitPlan plan = m_sampler.PlanStopAndWait(MANY, 1000, 0.5, 0);
    EXPECT_EQ(plan.CountAcknowledgments(), MANY);
    // A geometric number with success 1/2 has mean 2 and variance 2
    EXPECT_NEAR(CountTransmissions(plan), 2.0 * MANY, 4 * std::sqrt(2.0 * MANY));
}

TEST(RetryBackoffTest, DoublesUpTo1024Times)
{
    const std::vector<uint64_t> waits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024};
    for (uint32_t failures = 1; failures <= waits.size(); ++failures)
    {
        EXPECT_EQ(GetRetryBackoff(failures), waits[failures - 1]);
    }
    EXPECT_EQ(GetRetryBackoff(4000000000), 1024);
}

/// How long retransmissions take on air, by hand
class RetransmissionTest : public FidelitiesTest
{
  protected:
    /// @return the end of 3 fragments of 1500 bytes to device 1, to 2, which hears nothing, or both
    D2dBurstReport
    Send(const std::string& arq, const std::string& maxAttempts, uint32_t to) const
    {
        TestNetwork network(
            3,
            With({{"RetryBackoff", "1ms"}, {"MaxAttempts", maxAttempts}, {"Arq", arq}}),
            m_channel);
        network.SetOutage(0, 2, LOST);
        network.Send(0, to, 4500, ARQ);
        Simulator::Run();
        const D2dBurstReport report = network.Report();
        EXPECT_EQ(report.airtime, FRAGMENT_TIME * static_cast<int64_t>(report.attempts));
        return report;
    }

    const Time ANSWERED = FRAGMENT_TIME + ACKNOWLEDGMENT_TIME; //!< a fragment and its answer
};

INSTANTIATE_TEST_SUITE_P(Fidelities, RetransmissionTest, FIDELITIES);

TEST_P(RetransmissionTest, ToTheEnd)
{
    const D2dBurstReport first = Send("StopAndWait", "13", 2);
    EXPECT_EQ(first.attempts, 13);
    EXPECT_EQ(first.end, (ANSWERED + TURNAROUND) * 13 + MilliSeconds(1023 + 2 * 1024));
    EXPECT_EQ(first.outcomes.at(0).reason, D2dLossReason::ATTEMPTS);
    const D2dBurstReport all = Send("SelectiveRepeat", "4", 2);
    EXPECT_EQ(all.attempts, 4 * 3);
    EXPECT_EQ(all.end, ANSWERED * 12 + TURNAROUND * 4 + MilliSeconds(1 + 2 + 4));
    EXPECT_EQ(all.outcomes.at(0).lostFragments, 3);
}

TEST_P(RetransmissionTest, NothingIsRetransmittedThatIsAcknowledged)
{
    EXPECT_EQ(Send("StopAndWait", "4", 1).end, (ANSWERED + TURNAROUND) * 3);
    const D2dBurstReport selective = Send("SelectiveRepeat", "4", 1);
    EXPECT_EQ(selective.end, ANSWERED * 3 + TURNAROUND);
    EXPECT_TRUE(selective.outcomes.at(0).acknowledged);
}

TEST_P(RetransmissionTest, BroadcastRepairsWhoLacksFragments)
{
    for (const std::string& arq : ARQS)
    {
        const bool selective = arq == "SelectiveRepeat";
        const D2dBurstReport report = Send(arq, "4", BROADCAST);
        // One transmission to both, then up to 3 more to device 2, of each fragment or of the first
        const int again = selective ? 9 : 3;
        EXPECT_EQ(report.attempts, 3 + again);
        EXPECT_EQ(report.end,
                  ANSWERED * (3 + again) + TURNAROUND * (selective ? 1 + 3 : 3 + 3) +
                      MilliSeconds(1 + 2));
        EXPECT_TRUE(report.outcomes.at(0).acknowledged);
        EXPECT_EQ(report.outcomes.at(1).reason, D2dLossReason::ATTEMPTS);
    }
}

} // namespace
} // namespace ns3::collab::tests
