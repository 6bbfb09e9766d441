/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-arq.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// An ns-3 stream in the form that Boost.Random's distributions draw from.
class StreamBitGenerator
{
  public:
    using result_type = uint32_t; //!< type of the numbers

    /// @param stream uniform in [0, 1)
    explicit StreamBitGenerator(RandomVariableStream& stream)
        : m_stream(stream)
    {
    }

    /// @return least number
    static constexpr result_type
    min()
    {
        return 0;
    }

    /// @return greatest number
    static constexpr result_type
    max()
    {
        return std::numeric_limits<result_type>::max();
    }

    /// @return a number uniform in [min(), max()]
    result_type
    operator()()
    {
        return static_cast<result_type>(m_stream.GetValue() * 4294967296.0);
    }

  private:
    RandomVariableStream& m_stream; //!< source of randomness
};

/// @param n number of items
/// @param k number of them that are chosen
/// @return logarithm of the number of ways to choose them
double
LogBinomial(double n, double k)
{
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// @param loss outage probability
/// @param acknowledgmentLoss outage probability of the way back
/// @return of the failed transmissions, the fraction that did arrive and whose acknowledgment was
/// lost
double
GetHeard(double loss, double acknowledgmentLoss)
{
    const double success = (1 - loss) * (1 - acknowledgmentLoss);
    return success < 1 ? (1 - loss) * acknowledgmentLoss / (1 - success) : 0.0;
}

/// @param outages see D2dArqSampler::PlanCombined()
/// @param acknowledgmentLoss outage probability of the way back
/// @return probability that a fragment is decoded after 0, 1, ... transmissions at the earliest,
/// and not acknowledged after all of them
std::vector<double>
GetGiveUps(const std::vector<double>& outages, double acknowledgmentLoss)
{
    const std::size_t most = outages.size() - 1;
    std::vector<double> giveUps(outages.size());
    giveUps[most] = outages[most];
    for (std::size_t i = most; i-- > 0;)
    {
        giveUps[i] =
            giveUps[i + 1] + (outages[i] - outages[i + 1]) * std::pow(acknowledgmentLoss, most - i);
    }
    return giveUps;
}

/// @param attempts transmissions of a fragment; at least 1
/// @param givenUp whether it is then given up
/// @return a block of this fragment alone
D2dStopAndWaitBlock
MakeSingle(uint32_t attempts, bool givenUp)
{
    D2dStopAndWaitBlock block;
    block.fragments.assign(attempts, 0);
    block.fragments.back() = 1;
    block.givenUp = givenUp;
    return block;
}

/// @brief Find out which transmission of a fragment it is at one moment.
/// @param before transmissions that it had before
/// @param attempts transmissions that it has since then
/// @param timing durations
/// @param elapsed time since the first of the latter began
/// @param[in,out] progress where the sender's doings since then are added
/// @return how many of them have ended
uint32_t
EnterFragment(uint32_t before,
              uint32_t attempts,
              const D2dStopAndWaitTiming& timing,
              Time elapsed,
              D2dStopAndWaitProgress& progress)
{
    for (uint32_t ended = 1;; ++ended)
    {
        const Time transmitted = std::min(elapsed, timing.transmission);
        progress.use.transmitting += transmitted;
        elapsed -= transmitted;
        if (transmitted < timing.transmission)
        {
            progress.onAir = transmitted;
            return ended - 1;
        }
        const Time listened = std::min(elapsed, timing.window);
        progress.use.listening += listened;
        elapsed -= listened;
        progress.window = timing.window - listened;
        progress.backoff =
            ended < attempts
                ? timing.backoff * static_cast<int64_t>(GetRetryBackoff(before + ended))
                : Time();
        if (progress.window.IsStrictlyPositive() || ended == attempts)
        {
            return ended;
        }
        const Time waited = std::min(elapsed, progress.backoff);
        progress.use.waiting += waited;
        elapsed -= waited;
        progress.backoff -= waited;
        if (progress.backoff.IsStrictlyPositive())
        {
            return ended;
        }
    }
}

} // namespace

D2dArqSampler::D2dArqSampler(Ptr<RandomVariableStream> uniform)
    : m_uniform(uniform)
{
}

uint64_t
D2dArqSampler::SendOnce(uint32_t fragments,
                        double loss,
                        double acknowledgmentLoss,
                        bool acknowledge,
                        D2dFragmentCounts& counts)
{
    const auto received = static_cast<uint32_t>(DrawBinomial(fragments, 1 - loss));
    counts.missing = fragments - received;
    if (!acknowledge)
    {
        counts.unacknowledged = received;
        return 0;
    }
    counts.unacknowledged = static_cast<uint32_t>(DrawBinomial(received, acknowledgmentLoss));
    return received;
}

uint32_t
D2dArqSampler::DrawCompleted(uint32_t fragments, double giveUp)
{
    if (giveUp <= 0)
    {
        return fragments;
    }
    // Geometric, cut off at their number
    const double run = std::floor(std::log(1 - m_uniform->GetValue()) / std::log1p(-giveUp));
    return run < fragments ? static_cast<uint32_t>(run) : fragments;
}

D2dStopAndWaitPlan
D2dArqSampler::PlanStopAndWait(uint32_t outstanding,
                               uint32_t maxAttempts,
                               double loss,
                               double acknowledgmentLoss)
{
    const double success = (1 - loss) * (1 - acknowledgmentLoss);
    const double giveUp = std::pow(1 - success, maxAttempts);
    const double heard = GetHeard(loss, acknowledgmentLoss);

    const uint32_t completed = DrawCompleted(outstanding, giveUp);

    D2dStopAndWaitPlan plan;
    D2dStopAndWaitBlock block;
    block.fragments = DrawAttempts(completed, maxAttempts, success);
    block.heard = DrawBinomial(block.CountFailures(), heard);
    plan.blocks.push_back(std::move(block));
    if (completed < outstanding)
    {
        plan.blocks.push_back(MakeSingle(maxAttempts, true));
        plan.blocks.back().heard = DrawBinomial(maxAttempts, heard);
    }
    return plan;
}

D2dStopAndWaitPlan
D2dArqSampler::ResumeStopAndWait(
    uint32_t before, uint32_t others, uint32_t maxAttempts, double loss, double acknowledgmentLoss)
{
    D2dStopAndWaitPlan plan;
    if (before == maxAttempts)
    {
        return plan; // it has just failed
    }
    const double success = (1 - loss) * (1 - acknowledgmentLoss);
    const uint32_t left = maxAttempts - before;
    const double failed = // geometric
        success < 1 ? std::floor(std::log(1 - m_uniform->GetValue()) / std::log1p(-success)) : 0.0;
    const bool givenUp = success <= 0 || failed >= left;
    D2dStopAndWaitBlock first =
        MakeSingle(givenUp ? left : static_cast<uint32_t>(failed) + 1, givenUp);
    first.before = before;
    first.heard = DrawBinomial(first.CountFailures(), GetHeard(loss, acknowledgmentLoss));
    if (!givenUp)
    {
        plan = PlanStopAndWait(others, maxAttempts, loss, acknowledgmentLoss);
    }
    plan.blocks.insert(plan.blocks.begin(), std::move(first));
    return plan;
}

D2dStopAndWaitPlan
D2dArqSampler::PlanCombined(uint32_t fragments,
                            const std::vector<double>& outages,
                            double acknowledgmentLoss)
{
    const double giveUp = GetGiveUps(outages, acknowledgmentLoss).front();
    const uint32_t completed = DrawCompleted(fragments, giveUp);
    D2dStopAndWaitPlan plan;
    plan.blocks.push_back(DrawCombined(completed, outages, acknowledgmentLoss));
    if (completed < fragments)
    {
        plan.blocks.push_back(DrawGivenUp(outages, acknowledgmentLoss));
    }
    return plan;
}

D2dStopAndWaitPlan
D2dArqSampler::ResumeCombined(uint32_t before,
                              const std::vector<double>& first,
                              uint32_t others,
                              const std::vector<double>& outages,
                              double acknowledgmentLoss)
{
    D2dStopAndWaitPlan plan;
    if (first.size() == 1)
    {
        return plan; // it has just failed
    }
    D2dStopAndWaitPlan rest = PlanCombined(1, first, acknowledgmentLoss);
    plan.blocks.push_back(std::move(rest.blocks.back()));
    plan.blocks.back().before = before;
    if (!plan.blocks.back().givenUp)
    {
        rest = PlanCombined(others, outages, acknowledgmentLoss);
        std::move(rest.blocks.begin(), rest.blocks.end(), std::back_inserter(plan.blocks));
    }
    return plan;
}

D2dStopAndWaitBlock
D2dArqSampler::DrawCombined(uint32_t fragments,
                            const std::vector<double>& outages,
                            double acknowledgmentLoss)
{
    const std::size_t most = outages.size() - 1;
    // Probabilities to be decoded at the first, second, ... and acknowledged in time, and their
    // sums
    std::vector<double> done(most);
    for (std::size_t i = 0; i < most; ++i)
    {
        done[i] = (outages[i] - outages[i + 1]) *
                  (1 - std::pow(acknowledgmentLoss, static_cast<double>(most - i)));
    }
    std::vector<double> within(done);
    std::partial_sum(done.rbegin(), done.rend(), within.rbegin());
    D2dStopAndWaitBlock block;
    for (std::size_t i = 0; i < most && fragments > 0; ++i)
    {
        const auto decoded = static_cast<uint32_t>(
            within[i] > done[i] ? DrawBinomial(fragments, done[i] / within[i]) : fragments);
        fragments -= decoded;
        const std::vector<uint32_t> number =
            DrawAttempts(decoded, static_cast<uint32_t>(most - i), 1 - acknowledgmentLoss);
        for (uint32_t heard = 0; heard < number.size(); ++heard)
        {
            if (number[heard] > 0)
            {
                block.kinds.push_back({static_cast<uint32_t>(i) + 1 + heard, heard});
                block.fragments.push_back(number[heard]);
                block.heard += uint64_t{number[heard]} * heard;
            }
        }
    }
    return block;
}

D2dStopAndWaitBlock
D2dArqSampler::DrawGivenUp(const std::vector<double>& outages, double acknowledgmentLoss)
{
    const std::vector<double> giveUps = GetGiveUps(outages, acknowledgmentLoss);
    const auto most = static_cast<uint32_t>(outages.size() - 1);
    const double draw = m_uniform->GetValue() * giveUps.front();
    uint32_t lost = 0; // before it is decoded
    while (lost < most && draw < giveUps[lost + 1])
    {
        ++lost;
    }
    D2dStopAndWaitBlock block;
    block.kinds.push_back({most, most - lost});
    block.fragments.push_back(1);
    block.heard = most - lost;
    block.givenUp = true;
    return block;
}

void
D2dArqSampler::DrawArrival(D2dStopAndWaitBlock& block)
{
    const auto attempts = static_cast<uint32_t>(block.CountAttempts());
    const auto failures = static_cast<uint32_t>(block.CountFailures());
    const auto heard = static_cast<uint32_t>(block.heard);
    if (heard == 0)
    {
        block.arrival = block.givenUp ? 0 : attempts;
        return;
    }
    if (!block.kinds.empty()) // once decoded, each arrives
    {
        block.arrival = failures - heard + 1;
        return;
    }
    // The first of those heard: all choices among those that fail are equally probable
    block.arrival = 1;
    while (m_uniform->GetValue() * (failures - block.arrival + 1) >= heard)
    {
        ++block.arrival;
    }
}

uint32_t
D2dArqSampler::DrawHeardSince(const D2dStopAndWaitBlock& block, uint32_t inVain)
{
    if (inVain < block.arrival)
    {
        return 0;
    }
    const auto others = static_cast<uint32_t>(block.heard) - 1;
    const auto failures = static_cast<uint32_t>(block.CountFailures());
    return 1 +
           DrawHypergeometric(inVain - block.arrival, others, failures - block.arrival - others);
}

D2dStopAndWaitProgress
D2dArqSampler::DrawProgress(const D2dStopAndWaitPlan& plan,
                            const D2dStopAndWaitTiming& timing,
                            Time elapsed)
{
    D2dStopAndWaitProgress progress;
    for (const auto& block : plan.blocks)
    {
        const D2dAirUse use = block.GetUse(timing);
        if (elapsed < use.GetDuration())
        {
            DrawBlockProgress(block, timing, elapsed, progress);
            return progress;
        }
        elapsed -= use.GetDuration();
        progress.use += use;
        progress.acknowledgments += block.heard;
        if (block.givenUp)
        {
            progress.inFlight = true;
            progress.attempts = block.before + static_cast<uint32_t>(block.CountAttempts());
            progress.heard = static_cast<uint32_t>(block.heard);
            return progress;
        }
        progress.completed += block.CountFragments();
        progress.acknowledgments += block.CountFragments();
    }
    return progress;
}

void
D2dArqSampler::DrawBlockProgress(const D2dStopAndWaitBlock& block,
                                 const D2dStopAndWaitTiming& timing,
                                 Time elapsed,
                                 D2dStopAndWaitProgress& progress)
{
    // By halves: those that are over, and the one that is not
    D2dStopAndWaitBlock over = block;
    over.fragments.assign(block.fragments.size(), 0);
    D2dStopAndWaitBlock left = block;
    for (uint32_t number = block.CountFragments(); number > 1;)
    {
        D2dStopAndWaitBlock half = left;
        half.fragments = DrawSample(left.fragments, number / 2);
        const Time duration = half.GetUse(timing).GetDuration();
        if (elapsed < duration)
        {
            left = half;
            number = number / 2;
            continue;
        }
        elapsed -= duration;
        number -= number / 2;
        for (std::size_t i = 0; i < left.fragments.size(); ++i)
        {
            left.fragments[i] -= half.fragments[i];
            over.fragments[i] += half.fragments[i];
        }
    }
    const auto attempts = static_cast<uint32_t>(left.CountAttempts());
    progress.use += over.GetUse(timing);
    progress.completed += over.CountFragments();
    const uint32_t ended = EnterFragment(block.before, attempts, timing, elapsed, progress);

    const bool completed = ended == attempts && !block.givenUp;
    DrawHeard(block, over, left, completed ? ended - 1 : ended, progress);
    progress.completed += completed ? 1 : 0;
    progress.acknowledgments += over.CountFragments() + (completed ? 1 : 0);
    progress.inFlight = !completed;
    progress.attempts = block.before + ended;
}

void
D2dArqSampler::DrawHeard(const D2dStopAndWaitBlock& block,
                         const D2dStopAndWaitBlock& over,
                         const D2dStopAndWaitBlock& left,
                         uint32_t inVain,
                         D2dStopAndWaitProgress& progress)
{
    if (!block.kinds.empty())
    {
        uint64_t heard = 0;
        for (std::size_t i = 0; i < block.kinds.size(); ++i)
        {
            heard += uint64_t{over.fragments[i]} * block.kinds[i].heard;
            if (left.fragments[i] > 0)
            {
                const uint64_t lost = left.CountFailures() - block.kinds[i].heard;
                progress.heard = inVain > lost ? static_cast<uint32_t>(inVain - lost) : 0;
            }
        }
        progress.acknowledgments += heard + progress.heard;
        return;
    }
    if (block.arrival > 0)
    {
        progress.heard = DrawHeardSince(block, inVain);
        progress.acknowledgments += progress.heard;
        return;
    }
    const uint64_t failed = over.CountAttempts() - over.CountFragments();
    const uint64_t lost = block.CountFailures() - block.heard;
    const uint32_t heard = DrawHypergeometric(static_cast<uint32_t>(failed),
                                              static_cast<uint32_t>(block.heard),
                                              static_cast<uint32_t>(lost));
    progress.heard = DrawHypergeometric(inVain,
                                        static_cast<uint32_t>(block.heard - heard),
                                        static_cast<uint32_t>(lost - (failed - heard)));
    progress.acknowledgments += heard + progress.heard;
}

std::vector<uint32_t>
D2dArqSampler::DrawSample(const std::vector<uint32_t>& fragments, uint32_t draws)
{
    std::vector<uint32_t> sample;
    uint32_t left = std::accumulate(fragments.begin(), fragments.end(), uint32_t{0});
    for (const uint32_t some : fragments)
    {
        left -= some;
        sample.push_back(DrawHypergeometric(draws, some, left));
        draws -= sample.back();
    }
    return sample;
}

D2dArrivals
D2dArqSampler::SendSome(uint32_t number, double loss, D2dFragmentCounts& waiting)
{
    const uint32_t missing = DrawHypergeometric(number, waiting.missing, waiting.unacknowledged);
    waiting.missing -= missing;
    waiting.unacknowledged -= number - missing;
    D2dArrivals arrivals;
    arrivals.fresh = static_cast<uint32_t>(DrawBinomial(missing, 1 - loss));
    arrivals.again = static_cast<uint32_t>(DrawBinomial(number - missing, 1 - loss));
    return arrivals;
}

double
D2dArqSampler::DrawUniform()
{
    return m_uniform->GetValue();
}

uint64_t
D2dArqSampler::DrawBinomial(uint64_t trials, double probability)
{
    if (trials == 0 || probability <= 0)
    {
        return 0;
    }
    if (probability >= 1)
    {
        return trials;
    }
    StreamBitGenerator bits(*m_uniform);
    boost::random::binomial_distribution<int64_t> binomial(static_cast<int64_t>(trials),
                                                           probability);
    return static_cast<uint64_t>(binomial(bits));
}

std::vector<uint32_t>
D2dArqSampler::DrawAttempts(uint32_t fragments, uint32_t maxAttempts, double success)
{
    std::vector<uint32_t> number;
    uint64_t left = fragments;
    const double logFailure = std::log1p(-success);
    for (uint32_t attempt = 1; attempt < maxAttempts && left > 0; ++attempt)
    {
        // P(done at this attempt | not done before, done within maxAttempts)
        const double within = -std::expm1((maxAttempts - attempt + 1) * logFailure);
        const uint64_t done =
            success < 1 ? DrawBinomial(left, std::min(1.0, success / within)) : left;
        number.push_back(static_cast<uint32_t>(done));
        left -= done;
    }
    if (left > 0)
    {
        number.push_back(static_cast<uint32_t>(left));
    }
    return number;
}

std::vector<D2dFragmentState>
D2dArqSampler::DrawStates(uint32_t fragments, const D2dFragmentCounts& counts)
{
    // Sequential sampling: each fragment takes a state in proportion to how many still have it
    std::vector<D2dFragmentState> states(fragments, D2dFragmentState::ACKNOWLEDGED);
    uint32_t missing = counts.missing;
    uint32_t unacknowledged = counts.unacknowledged;
    for (uint32_t i = 0; i < fragments && missing + unacknowledged > 0; ++i)
    {
        const double draw = m_uniform->GetValue() * (fragments - i);
        if (draw < missing)
        {
            states[i] = D2dFragmentState::MISSING;
            --missing;
        }
        else if (draw < missing + unacknowledged)
        {
            states[i] = D2dFragmentState::UNACKNOWLEDGED;
            --unacknowledged;
        }
    }
    return states;
}

uint32_t
D2dArqSampler::DrawHypergeometric(uint32_t draws, uint32_t marked, uint32_t unmarked)
{
    const int64_t least = draws > unmarked ? draws - unmarked : 0;
    const int64_t greatest = std::min(draws, marked);
    if (least == greatest)
    {
        return static_cast<uint32_t>(least);
    }
    const double n = draws;
    const double m = marked;
    const double u = unmarked;
    if (draws == 1) // the same as what follows, in closed form
    {
        const bool isOfMore = m_uniform->GetValue() * (m + u) < std::max(m, u);
        return isOfMore == (marked >= unmarked) ? 1 : 0;
    }
    // Inversion from the mode outwards: as many steps as the standard deviation, one draw
    const auto mode =
        std::clamp(static_cast<int64_t>((n + 1) * (m + 1) / (m + u + 2)), least, greatest);
    const double probability =
        std::exp(LogBinomial(m, mode) + LogBinomial(u, n - mode) - LogBinomial(m + u, n));
    double left = m_uniform->GetValue() - probability;
    int64_t up = mode;
    int64_t down = mode;
    double upProbability = probability;
    double downProbability = probability;
    while (left >= 0 && (up < greatest || down > least))
    {
        if (up < greatest)
        {
            upProbability *= (m - up) * (n - up) / ((up + 1.0) * (u - n + up + 1));
            ++up;
            left -= upProbability;
            if (left < 0)
            {
                return static_cast<uint32_t>(up);
            }
        }
        if (down > least)
        {
            downProbability *= down * (u - n + down) / ((m - down + 1) * (n - down + 1));
            --down;
            left -= downProbability;
            if (left < 0)
            {
                return static_cast<uint32_t>(down);
            }
        }
    }
    return static_cast<uint32_t>(mode);
}

} // namespace ns3::collab
