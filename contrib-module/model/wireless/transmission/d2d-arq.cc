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
#include <limits>

namespace ns3
{
namespace collab
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

/**
 * @param n number of items
 * @param k number of them that are chosen
 * @return logarithm of the number of ways to choose them
 */
double
LogBinomial(double n, double k)
{
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
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

D2dPassCost
D2dArqSampler::StopAndWait(uint32_t maxAttempts,
                           double loss,
                           double acknowledgmentLoss,
                           D2dFragmentCounts& counts)
{
    const uint32_t outstanding = counts.Outstanding();
    const double success = (1 - loss) * (1 - acknowledgmentLoss);
    const double giveUp = std::pow(1 - success, maxAttempts);
    // Of the failed transmissions, the fraction that did arrive and whose acknowledgment was lost
    const double heard = success < 1 ? (1 - loss) * acknowledgmentLoss / (1 - success) : 0.0;

    // Fragments brought through before the first that is not: geometric, cut off at their number
    uint32_t completed = outstanding;
    if (giveUp > 0)
    {
        const double run = std::floor(std::log(1 - m_uniform->GetValue()) / std::log1p(-giveUp));
        completed = run < outstanding ? static_cast<uint32_t>(run) : outstanding;
    }

    D2dPassCost cost;
    DrawAttempts(completed, maxAttempts, success, cost);
    cost.acknowledgments = completed + DrawBinomial(cost.attempts - completed, heard);
    const uint32_t missingBefore = counts.missing;
    const uint32_t missingCompleted =
        DrawHypergeometric(completed, counts.missing, counts.unacknowledged);
    counts.missing -= missingCompleted;
    counts.unacknowledged -= completed - missingCompleted;
    if (completed == outstanding)
    {
        cost.windows = cost.attempts;
        return cost;
    }

    cost.attempts += maxAttempts;
    cost.windows = cost.attempts;
    cost.backoffs += GetTotalRetryBackoff(maxAttempts - 1);
    const uint64_t heardOfLast = DrawBinomial(maxAttempts, heard);
    cost.acknowledgments += heardOfLast;
    const bool lastWasMissing = missingBefore > missingCompleted &&
                                DrawHypergeometric(1, counts.missing, counts.unacknowledged) == 1;
    if (lastWasMissing && heardOfLast > 0)
    {
        --counts.missing;
        ++counts.unacknowledged;
    }
    return cost;
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

void
D2dArqSampler::DrawAttempts(uint32_t fragments,
                            uint32_t maxAttempts,
                            double success,
                            D2dPassCost& cost)
{
    uint64_t left = fragments;
    for (uint32_t attempt = 1; attempt < maxAttempts && left > 0; ++attempt)
    {
        // P(done at this attempt | not done before, done within maxAttempts)
        const double within = -std::expm1((maxAttempts - attempt + 1) * std::log1p(-success));
        const uint64_t done =
            success < 1 ? DrawBinomial(left, std::min(1.0, success / within)) : left;
        cost.attempts += done * attempt;
        cost.backoffs += done * GetTotalRetryBackoff(attempt - 1);
        left -= done;
    }
    cost.attempts += left * maxAttempts;
    cost.backoffs += left * GetTotalRetryBackoff(maxAttempts - 1);
}

D2dPassCost
D2dArqSampler::SelectiveRepeat(uint32_t maxAttempts,
                               double loss,
                               double acknowledgmentLoss,
                               D2dFragmentCounts& counts)
{
    D2dPassCost cost;
    for (uint32_t attempt = 1; attempt <= maxAttempts && counts.Outstanding() > 0; ++attempt)
    {
        if (attempt > 1)
        {
            cost.backoffs += GetRetryBackoff(attempt - 1);
        }
        cost.attempts += counts.Outstanding();
        ++cost.windows;
        const uint64_t arrived = DrawBinomial(counts.missing, 1 - loss);
        const uint64_t again = DrawBinomial(counts.unacknowledged, 1 - loss);
        cost.acknowledgments += arrived + again;
        const uint64_t heard = DrawBinomial(arrived + again, 1 - acknowledgmentLoss);
        counts.missing -= static_cast<uint32_t>(arrived);
        counts.unacknowledged += static_cast<uint32_t>(arrived);
        counts.unacknowledged -= static_cast<uint32_t>(heard);
    }
    return cost;
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
    // Inversion from the mode outwards: as many steps as the standard deviation, one draw
    const double n = draws;
    const double m = marked;
    const double u = unmarked;
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

} // namespace collab
} // namespace ns3
