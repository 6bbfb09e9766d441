/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-arq.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// A uniform stream that counts how often it is drawn from.
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

/// A pass to play: what a receiver has before, and the link.
struct Pass
{
    uint32_t missing;          //!< fragments never received
    uint32_t unacknowledged;   //!< fragments received and not acknowledged
    uint32_t maxAttempts;      //!< transmissions of a fragment
    double loss;               //!< outage probability
    double acknowledgmentLoss; //!< outage probability of the way back
};

/// @param out where to print a pass to
void
PrintTo(const Pass& pass, std::ostream* out)
{
    *out << pass.missing << " missing, " << pass.unacknowledged << " unacknowledged, "
         << pass.maxAttempts << " attempts, loss " << pass.loss << " and "
         << pass.acknowledgmentLoss;
}

/// What a pass cost.
struct PassCost
{
    uint64_t attempts = 0;        //!< fragment transmissions
    uint64_t acknowledgments = 0; //!< acknowledgments that the receiver sent
    uint64_t windows = 0;         //!< times that the sender stopped to wait for acknowledgments
    uint64_t backoffs = 0;        //!< waiting before repetitions, in units of RetryBackoff
};

/// What became of a pass.
struct PassResult
{
    PassCost cost;            //!< what it cost
    D2dFragmentCounts counts; //!< what the receiver has afterwards
};

/// Plays a pass fragment by fragment, transmission by transmission.
class FragmentPlayer
{
  public:
    /**
     * @param pass the pass
     * @return its end
     */
    PassResult
    Play(const Pass& pass)
    {
        std::vector<bool> received(pass.missing + pass.unacknowledged, false);
        std::fill_n(received.begin(), pass.unacknowledged, true);
        std::shuffle(received.begin(), received.end(), m_generator);
        PassResult result;
        std::size_t completed = 0;
        while (completed < received.size() && PlayFragment(pass, received[completed], result.cost))
        {
            ++completed;
        }
        for (std::size_t i = completed; i < received.size(); ++i)
        {
            ++(received[i] ? result.counts.unacknowledged : result.counts.missing);
        }
        return result;
    }

    /**
     * @brief Play it by selective repeat.
     *
     * @param pass the pass
     * @return its end
     */
    PassResult
    PlayRounds(const Pass& pass)
    {
        std::vector<bool> outstanding(pass.missing + pass.unacknowledged, false); // received or not
        std::fill_n(outstanding.begin(), pass.unacknowledged, true);
        PassResult result;
        for (uint32_t round = 0; round < pass.maxAttempts && !outstanding.empty(); ++round)
        {
            ++result.cost.windows;
            result.cost.backoffs += round > 0 ? std::min(1U << (round - 1), 1024U) : 0;
            std::vector<bool> left;
            for (bool received : outstanding)
            {
                if (!Transmit(pass, received, result.cost))
                {
                    left.push_back(received);
                }
            }
            outstanding = left;
        }
        for (const bool received : outstanding)
        {
            ++(received ? result.counts.unacknowledged : result.counts.missing);
        }
        return result;
    }

  private:
    /**
     * @param pass the pass
     * @param[in,out] received whether the receiver has the fragment
     * @param[in,out] cost of the pass so far
     * @return whether it was acknowledged in the end
     */
    bool
    PlayFragment(const Pass& pass, std::vector<bool>::reference received, PassCost& cost)
    {
        bool has = received;
        bool done = false;
        for (uint32_t attempt = 0; attempt < pass.maxAttempts && !done; ++attempt)
        {
            ++cost.windows;
            cost.backoffs += attempt > 0 ? std::min(1U << (attempt - 1), 1024U) : 0;
            done = Transmit(pass, has, cost);
        }
        received = has;
        return done;
    }

    /**
     * @param pass the pass
     * @param[in,out] received whether the receiver has the fragment
     * @param[in,out] cost of the pass so far
     * @return whether it was acknowledged
     */
    bool
    Transmit(const Pass& pass, bool& received, PassCost& cost)
    {
        ++cost.attempts;
        if (std::bernoulli_distribution(pass.loss)(m_generator))
        {
            return false;
        }
        received = true;
        ++cost.acknowledgments;
        return !std::bernoulli_distribution(pass.acknowledgmentLoss)(m_generator);
    }

    std::mt19937_64 m_generator{1}; //!< source of randomness
};

class ArqTest : public SimulatorTest
{
  protected:
    /**
     * @param pass the pass
     * @return its end, drawn as a whole
     */
    PassResult
    Sample(const Pass& pass)
    {
        PassResult result;
        result.counts = {pass.missing, pass.unacknowledged};
        const D2dStopAndWaitPlan plan = m_sampler.PlanStopAndWait(
            result.counts.Outstanding(), pass.maxAttempts, pass.loss, pass.acknowledgmentLoss);
        const D2dStopAndWaitTiming second = {Seconds(1), Seconds(1), Seconds(1)};
        const D2dAirUse use = plan.GetUse(second);
        const auto progress = m_sampler.DrawProgress(plan, second, use.GetDuration());
        EXPECT_EQ(progress.use.transmitting, use.transmitting);
        EXPECT_EQ(progress.acknowledgments, plan.CountAcknowledgments());
        result.cost.attempts = ToSeconds(use.transmitting);
        result.cost.acknowledgments = progress.acknowledgments;
        result.cost.windows = ToSeconds(use.listening);
        result.cost.backoffs = ToSeconds(use.waiting);
        Apply(progress, result.counts);
        return result;
    }

    /**
     * @param pass the pass
     * @return its end by selective repeat, drawn as a whole
     */
    PassResult
    SampleRounds(const Pass& pass)
    {
        PassResult result;
        result.counts = {pass.missing, pass.unacknowledged};
        D2dFragmentCounts& counts = result.counts;
        for (uint32_t round = 1; round <= pass.maxAttempts && counts.Outstanding() > 0; ++round)
        {
            result.cost.backoffs += round > 1 ? GetRetryBackoff(round - 1) : 0;
            result.cost.attempts += counts.Outstanding();
            ++result.cost.windows;
            // A half and the rest: in how many parts a round is looked at makes no difference
            D2dFragmentCounts waiting = counts;
            D2dArrivals arrivals = m_sampler.SendSome(counts.Outstanding() / 2, pass.loss, waiting);
            const D2dArrivals rest = m_sampler.SendSome(waiting.Outstanding(), pass.loss, waiting);
            EXPECT_EQ(waiting.Outstanding(), 0);
            arrivals.fresh += rest.fresh;
            arrivals.again += rest.again;
            const uint32_t all = arrivals.fresh + arrivals.again;
            result.cost.acknowledgments += all;
            counts.missing -= arrivals.fresh;
            counts.unacknowledged +=
                arrivals.fresh - m_sampler.DrawBinomial(all, 1 - pass.acknowledgmentLoss);
        }
        return result;
    }

    /**
     * @param progress of a pass
     * @param[in,out] counts what the receiver has
     */
    void
    Apply(const D2dStopAndWaitProgress& progress, D2dFragmentCounts& counts)
    {
        const uint32_t missing =
            m_sampler.DrawHypergeometric(progress.completed, counts.missing, counts.unacknowledged);
        counts.missing -= missing;
        counts.unacknowledged -= progress.completed - missing;
        if (progress.inFlight && progress.heard &&
            m_sampler.DrawHypergeometric(1, counts.missing, counts.unacknowledged) == 1)
        {
            --counts.missing;
            ++counts.unacknowledged;
        }
    }

    /**
     * @param duration whole seconds
     * @return how many
     */
    static uint64_t
    ToSeconds(Time duration)
    {
        return static_cast<uint64_t>(duration.GetTimeStep() / Seconds(1).GetTimeStep());
    }

    Ptr<CountingStream> m_stream = CreateObject<CountingStream>(); //!< what the sampler draws from
    D2dArqSampler m_sampler{m_stream};                             //!< under test
};

class ArqDistributionTest : public ArqTest, public testing::WithParamInterface<Pass>
{
  protected:
    /**
     * @brief Compare all quantities of passes, and products of them, in distribution.
     *
     * @param drawn passes that were drawn as a whole
     * @param played passes that were played transmission by transmission
     */
    static void
    ExpectSameDistribution(const std::vector<PassResult>& drawn,
                           const std::vector<PassResult>& played)
    {
        using Quantity = std::function<double(const PassResult&)>;
        const std::map<std::string, Quantity> quantities = {
            {"attempts", [](const PassResult& r) { return r.cost.attempts; }},
            {"acknowledgments", [](const PassResult& r) { return r.cost.acknowledgments; }},
            {"windows", [](const PassResult& r) { return r.cost.windows; }},
            {"backoffs", [](const PassResult& r) { return r.cost.backoffs; }},
            {"missing", [](const PassResult& r) { return r.counts.missing; }},
            {"unacknowledged", [](const PassResult& r) { return r.counts.unacknowledged; }}};
        const std::vector<std::pair<std::string, std::string>> products = {
            {"attempts", "acknowledgments"},
            {"attempts", "missing"},
            {"attempts", "backoffs"},
            {"acknowledgments", "missing"},
            {"missing", "unacknowledged"}};
        const auto compare = [&](const Quantity& quantity) {
            std::vector<double> a;
            std::vector<double> b;
            std::transform(drawn.begin(), drawn.end(), std::back_inserter(a), quantity);
            std::transform(played.begin(), played.end(), std::back_inserter(b), quantity);
            ExpectSameMean(a, b, 4);
            return KolmogorovSmirnov(a, b);
        };
        for (const auto& [name, quantity] : quantities)
        {
            SCOPED_TRACE(name);
            EXPECT_LT(compare(quantity), KOLMOGOROV_SMIRNOV_LIMIT);
        }
        for (const auto& [a, b] : products)
        {
            SCOPED_TRACE(a + " x " + b);
            compare([&first = quantities.at(a), &second = quantities.at(b)](const PassResult& r) {
                return first(r) * second(r);
            });
        }
    }

    static constexpr int REPETITIONS = 6000; //!< how often each pass is drawn and played
};

/*
 * 38 samples of passes; in each 6 means and 5 products at 4 standard errors (two-sided 6.3e-5) and
 * 6 Kolmogorov-Smirnov tests at 1e-4: a correct program would fail with probability
 * 38 x (11 x 6.3e-5 + 6 x 1e-4) = 4.9 % at most for a seed drawn anew; this one is fixed.
 */
TEST_P(ArqDistributionTest, StopAndWaitAgreesWithFragmentByFragment)
{
    std::vector<PassResult> drawn;
    std::vector<PassResult> played;
    FragmentPlayer player;
    for (int i = 0; i < REPETITIONS; ++i)
    {
        drawn.push_back(Sample(GetParam()));
        played.push_back(player.Play(GetParam()));
    }
    ExpectSameDistribution(drawn, played);
}

TEST_P(ArqDistributionTest, SelectiveRepeatAgreesWithRoundByRound)
{
    std::vector<PassResult> drawn;
    std::vector<PassResult> played;
    FragmentPlayer player;
    for (int i = 0; i < REPETITIONS; ++i)
    {
        drawn.push_back(SampleRounds(GetParam()));
        played.push_back(player.PlayRounds(GetParam()));
    }
    ExpectSameDistribution(drawn, played);
}

INSTANTIATE_TEST_SUITE_P(Passes,
                         ArqDistributionTest,
                         testing::Values(Pass{1, 0, 1, 0.3, 0.2},
                                         Pass{1, 0, 8, 0.5, 0.5},
                                         Pass{0, 1, 3, 0.5, 0.4},
                                         Pass{7, 0, 3, 0.2, 0.0},
                                         Pass{7, 0, 3, 0.0, 0.2},
                                         Pass{7, 0, 2, 0.3, 0.3},
                                         Pass{0, 9, 2, 0.3, 0.3},
                                         Pass{5, 4, 2, 0.3, 0.3},
                                         Pass{12, 30, 3, 0.4, 0.2},
                                         Pass{30, 12, 7, 0.5, 0.3},
                                         Pass{30, 30, 1, 0.05, 0.01},
                                         Pass{20, 0, 5, 0.9, 0.9},
                                         Pass{20, 5, 7, 1.0, 0.0},
                                         Pass{20, 5, 7, 0.0, 1.0},
                                         Pass{20, 5, 7, 0.0, 0.0},
                                         Pass{20, 5, 4, 0.3, 1.0},
                                         Pass{100, 40, 3, 0.1, 0.1},
                                         Pass{200, 0, 8, 0.3, 0.3},
                                         Pass{0, 0, 8, 0.3, 0.3}));

TEST_F(ArqTest, SendOnceIsBinomial)
{
    constexpr uint32_t FRAGMENTS = 40;
    constexpr double LOSS = 0.3;
    constexpr double ACKNOWLEDGMENT_LOSS = 0.2;
    std::mt19937_64 generator(2);
    std::vector<std::vector<double>> drawn(3);
    std::vector<std::vector<double>> played(3);
    for (int i = 0; i < 5000; ++i)
    {
        D2dFragmentCounts counts;
        const auto acknowledgments =
            m_sampler.SendOnce(FRAGMENTS, LOSS, ACKNOWLEDGMENT_LOSS, true, counts);
        EXPECT_EQ(counts.missing + acknowledgments, FRAGMENTS);
        EXPECT_LE(counts.unacknowledged, acknowledgments);
        drawn[0].push_back(counts.missing);
        drawn[1].push_back(counts.unacknowledged);
        drawn[2].push_back(static_cast<double>(counts.missing) * counts.unacknowledged);

        int missing = 0;
        int unacknowledged = 0;
        for (uint32_t fragment = 0; fragment < FRAGMENTS; ++fragment)
        {
            const bool lost = std::bernoulli_distribution(LOSS)(generator);
            missing += lost;
            unacknowledged += !lost && std::bernoulli_distribution(ACKNOWLEDGMENT_LOSS)(generator);
        }
        played[0].push_back(missing);
        played[1].push_back(unacknowledged);
        played[2].push_back(static_cast<double>(missing) * unacknowledged);
    }
    for (int quantity = 0; quantity < 3; ++quantity)
    {
        ExpectSameMean(drawn[quantity], played[quantity], 4);
        EXPECT_LT(KolmogorovSmirnov(drawn[quantity], played[quantity]), KOLMOGOROV_SMIRNOV_LIMIT);
    }
}

TEST_F(ArqTest, SendOnceEdges)
{
    D2dFragmentCounts counts;
    EXPECT_EQ(m_sampler.SendOnce(9, 0, 0, true, counts), 9);
    EXPECT_EQ(counts.Outstanding(), 0);
    EXPECT_EQ(m_sampler.SendOnce(9, 1, 0, true, counts), 0);
    EXPECT_EQ(counts.missing, 9);
    EXPECT_EQ(counts.unacknowledged, 0);
    EXPECT_EQ(m_sampler.SendOnce(9, 0, 1, true, counts), 9);
    EXPECT_EQ(counts.missing, 0);
    EXPECT_EQ(counts.unacknowledged, 9);
    EXPECT_EQ(m_sampler.SendOnce(9, 0, 0, false, counts), 0);
    EXPECT_EQ(counts.missing, 0);
    EXPECT_EQ(counts.unacknowledged, 9);
}

TEST_F(ArqTest, NothingIsLost)
{
    const PassResult result = Sample({6, 3, 4, 0, 0});
    EXPECT_EQ(result.cost.attempts, 9);
    EXPECT_EQ(result.cost.acknowledgments, 9);
    EXPECT_EQ(result.counts.Outstanding(), 0);
}

TEST_F(ArqTest, EverythingIsLost)
{
    const PassResult result = Sample({6, 3, 4, 1, 0});
    EXPECT_EQ(result.cost.attempts, 4);
    EXPECT_EQ(result.cost.acknowledgments, 0);
    EXPECT_EQ(result.counts.missing, 6);
    EXPECT_EQ(result.counts.unacknowledged, 3);
}

TEST_F(ArqTest, AllAcknowledgmentsAreLost)
{
    const PassResult result = Sample({6, 0, 4, 0, 1});
    EXPECT_EQ(result.cost.attempts, 4);
    EXPECT_EQ(result.cost.acknowledgments, 4);
    EXPECT_EQ(result.counts.missing, 5);
    EXPECT_EQ(result.counts.unacknowledged, 1);
}

TEST_F(ArqTest, OneAttemptIsBernoulli)
{
    constexpr int REPETITIONS = 10000;
    std::vector<double> brought;
    for (int i = 0; i < REPETITIONS; ++i)
    {
        const PassResult result = Sample({1, 0, 1, 0.3, 0.2});
        EXPECT_EQ(result.cost.attempts, 1);
        brought.push_back(result.counts.Outstanding() == 0);
    }
    const Moments moments = Describe(brought);
    EXPECT_NEAR(moments.mean, 0.7 * 0.8, 4 * moments.standardError);
}

TEST_F(ArqTest, MeanOfTruncatedGeometric)
{
    constexpr int REPETITIONS = 20000;
    for (const uint32_t maxAttempts : {1U, 2U, 5U, 20U})
    {
        for (const double loss : {0.05, 0.5, 0.8})
        {
            std::vector<double> attempts;
            for (int i = 0; i < REPETITIONS; ++i)
            {
                attempts.push_back(Sample({1, 0, maxAttempts, loss, 0.1}).cost.attempts);
            }
            const double success = (1 - loss) * 0.9;
            const double expected = (1 - std::pow(1 - success, maxAttempts)) / success;
            const Moments moments = Describe(attempts);
            EXPECT_NEAR(moments.mean, expected, 4 * moments.standardError + 1e-12)
                << maxAttempts << " attempts, loss " << loss;
        }
    }
}

TEST_F(ArqTest, CostDoesNotGrowWithTheNumberOfFragments)
{
    constexpr uint32_t MANY = 1000000;
    constexpr uint64_t DRAWS = 200;
    for (const double loss : {0.0, 1e-7, 0.01, 0.1, 0.5, 0.99, 1.0})
    {
        for (const double acknowledgmentLoss : {0.0, 0.01, 0.1, 1.0})
        {
            for (const uint32_t maxAttempts : {1U, 3U, 5U, 8U, 12U})
            {
                D2dFragmentCounts counts;
                m_stream->draws = 0;
                m_sampler.SendOnce(MANY, loss, acknowledgmentLoss, true, counts);
                const auto plan = m_sampler.PlanStopAndWait(
                    counts.Outstanding(), maxAttempts, loss, acknowledgmentLoss);
                EXPECT_LT(m_stream->draws, DRAWS)
                    << loss << ' ' << acknowledgmentLoss << ' ' << maxAttempts;
                EXPECT_LE(counts.Outstanding(), MANY);
            }
        }
    }
}

TEST_F(ArqTest, MillionFragmentsHaveTheRightMean)
{
    constexpr uint32_t MANY = 1000000;
    const PassResult result = Sample({MANY, 0, 1000, 0.5, 0});
    EXPECT_EQ(result.counts.Outstanding(), 0);
    EXPECT_EQ(result.cost.acknowledgments, MANY);
    // A geometric number with success 1/2 has mean 2 and variance 2
    EXPECT_NEAR(result.cost.attempts, 2.0 * MANY, 4 * std::sqrt(2.0 * MANY));
}

TEST(RetryBackoffTest, DoublesUpTo1024Times)
{
    const std::vector<uint64_t> waits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024};
    uint64_t total = 0;
    EXPECT_EQ(GetTotalRetryBackoff(0), 0);
    for (uint32_t failures = 1; failures <= waits.size(); ++failures)
    {
        total += waits[failures - 1];
        EXPECT_EQ(GetRetryBackoff(failures), waits[failures - 1]);
        EXPECT_EQ(GetTotalRetryBackoff(failures), total);
    }
    EXPECT_EQ(GetRetryBackoff(4000000000), 1024);
}

TEST_F(ArqTest, SelectiveRepeatByHand)
{
    PassResult result = SampleRounds({6, 3, 4, 0, 0});
    EXPECT_EQ(result.cost.attempts, 9);
    EXPECT_EQ(result.cost.acknowledgments, 9);
    EXPECT_EQ(result.cost.windows, 1) << "one for all";
    EXPECT_EQ(result.cost.backoffs, 0);
    EXPECT_EQ(result.counts.Outstanding(), 0);

    result = SampleRounds({6, 3, 4, 1, 0});
    EXPECT_EQ(result.cost.attempts, 4 * 9) << "one that fails does not end the pass";
    EXPECT_EQ(result.cost.acknowledgments, 0);
    EXPECT_EQ(result.cost.windows, 4);
    EXPECT_EQ(result.cost.backoffs, 1 + 2 + 4) << "none after the last round";
    EXPECT_EQ(result.counts.missing, 6);
    EXPECT_EQ(result.counts.unacknowledged, 3);

    result = SampleRounds({6, 3, 4, 0, 1});
    EXPECT_EQ(result.cost.attempts, 4 * 9);
    EXPECT_EQ(result.cost.acknowledgments, 4 * 9);
    EXPECT_EQ(result.counts.missing, 0);
    EXPECT_EQ(result.counts.unacknowledged, 9);

    result = SampleRounds({0, 0, 4, 0.5, 0.5});
    EXPECT_EQ(result.cost.attempts, 0);
    EXPECT_EQ(result.cost.windows, 0);
}

TEST_F(ArqTest, StopAndWaitBacksOffForEveryFragment)
{
    PassResult result = Sample({6, 3, 13, 1, 0});
    EXPECT_EQ(result.cost.windows, 13) << "the first fragment is tried to the end";
    EXPECT_EQ(result.cost.backoffs, 1023 + 1024 + 1024);
    result = Sample({6, 3, 13, 0, 0});
    EXPECT_EQ(result.cost.windows, 9);
    EXPECT_EQ(result.cost.backoffs, 0);
}

/// How long repetitions take on air, by hand, in both fidelities
class RepetitionTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @brief Send 3 fragments of 1500 bytes to device 1, or to it and to device 2, which hears
     * nothing.
     *
     * @param arq "StopAndWait" or "SelectiveRepeat"
     * @param maxAttempts attribute MaxAttempts
     * @param to a device, or all
     * @return what became of them
     */
    D2dBurstReport
    Send(const std::string& arq, const std::string& maxAttempts, uint32_t to) const
    {
        TestNetwork network(3,
                            {{"Bandwidth", "5e5"},
                             {"SpectralEfficiency", "2"},
                             {"ContentionWindow", "1"},
                             {"RetryBackoff", "1ms"},
                             {"MaxAttempts", maxAttempts},
                             {"Arq", arq}},
                            {{"Fidelity", GetParam()}});
        network.SetOutage(0, 2, 1 - 1e-9);
        network.Send(0, to, 4500, D2dReliability::ARQ);
        Simulator::Run();
        const D2dBurstReport report = network.Reports().at(0);
        EXPECT_EQ(report.airtime, FRAGMENT * static_cast<int64_t>(report.attempts));
        return report;
    }

    const Time FRAGMENT = MicroSeconds(8 * 1534);     //!< airtime of a fragment at 1 Mbit/s
    const Time ACKNOWLEDGMENT = MicroSeconds(8 * 14); //!< airtime of an acknowledgment
    const Time TURNAROUND = MicroSeconds(20);         //!< before the sender goes on
};

INSTANTIATE_TEST_SUITE_P(Fidelities, RepetitionTest, testing::Values("Packet", "Burst"));

TEST_P(RepetitionTest, StopAndWaitToTheEnd)
{
    const D2dBurstReport report = Send("StopAndWait", "13", 2);
    EXPECT_EQ(report.attempts, 13);
    EXPECT_EQ(report.end,
              (FRAGMENT + ACKNOWLEDGMENT + TURNAROUND) * 13 + MilliSeconds(1023 + 2 * 1024));
    EXPECT_EQ(report.outcomes.at(0).reason, D2dLossReason::ATTEMPTS);
}

TEST_P(RepetitionTest, SelectiveRepeatToTheEnd)
{
    const D2dBurstReport report = Send("SelectiveRepeat", "4", 2);
    EXPECT_EQ(report.attempts, 4 * 3);
    EXPECT_EQ(report.end,
              (FRAGMENT + ACKNOWLEDGMENT) * 12 + TURNAROUND * 4 + MilliSeconds(1 + 2 + 4));
    EXPECT_EQ(report.outcomes.at(0).lostFragments, 3);
}

TEST_P(RepetitionTest, NothingIsRepeatedThatIsAcknowledged)
{
    const D2dBurstReport stopAndWait = Send("StopAndWait", "4", 1);
    EXPECT_EQ(stopAndWait.end, (FRAGMENT + ACKNOWLEDGMENT + TURNAROUND) * 3);
    Simulator::Destroy();
    const D2dBurstReport selective = Send("SelectiveRepeat", "4", 1);
    EXPECT_EQ(selective.end, (FRAGMENT + ACKNOWLEDGMENT) * 3 + TURNAROUND);
    EXPECT_TRUE(selective.outcomes.at(0).acknowledged);
}

TEST_P(RepetitionTest, BroadcastRepairsWhoLacksFragments)
{
    for (const std::string arq : {"StopAndWait", "SelectiveRepeat"})
    {
        const bool selective = arq == "SelectiveRepeat";
        const D2dBurstReport report = Send(arq, "4", TestNetwork::BROADCAST);
        // One transmission to both, then up to 3 more to device 2, of each fragment or of the first
        const int repeated = selective ? 9 : 3;
        EXPECT_EQ(report.attempts, 3 + repeated);
        EXPECT_EQ(report.end,
                  (FRAGMENT + ACKNOWLEDGMENT) * (3 + repeated) +
                      TURNAROUND * (selective ? 1 + 3 : 3 + 3) + MilliSeconds(1 + 2));
        EXPECT_TRUE(report.outcomes.at(0).acknowledged);
        EXPECT_EQ(report.outcomes.at(1).reason, D2dLossReason::ATTEMPTS);
        Simulator::Destroy();
    }
}

} // namespace
