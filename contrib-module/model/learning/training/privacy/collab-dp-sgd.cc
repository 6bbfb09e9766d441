/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-dp-sgd.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <locale>
#include <sstream>

namespace ns3::collab
{

namespace
{

constexpr uint32_t GREATEST_ORDER = 256; //!< of Renyi divergences

} // namespace

void
CheckDpSgd(const DpSgdOptions& options)
{
    const auto isPositive = [](double value) { return value > 0 && std::isfinite(value); };
    CheckArgument(isPositive(options.clip) && isPositive(options.noise) && options.delta > 0 &&
                      options.delta < 1,
                  "DP-SGD: clip {}, noise {} and delta {}, expected positive finite numbers, and "
                  "delta below 1",
                  options.clip,
                  options.noise,
                  options.delta);
}

DpSgdOptions
ReadDpSgd(const std::string& text)
{
    constexpr double LEAST = 1e-9;
    constexpr double MOST = 1e9;
    Specification given("DP-SGD", "dp-sgd:" + text);
    CheckArgument(given.Has("clip") && given.Has("noise"),
                  "clip and noise must be given, such as clip=1,noise=1.1");
    DpSgdOptions options;
    options.clip = given.GetNumber("clip", options.clip, LEAST, MOST);
    options.noise = given.GetNumber("noise", options.noise, 1e-3, MOST);
    options.delta = given.GetNumber("delta", options.delta, 1e-30, 1 - LEAST);
    given.CheckKeys();
    return options;
}

std::vector<uint32_t>
DrawLot(std::size_t samples, double rate, RandomGenerator& generator)
{
    boost::random::uniform_real_distribution<double> draw(0, 1);
    std::vector<uint32_t> lot;
    for (std::size_t position = 0; position < samples; ++position)
    {
        if (draw(generator) < rate)
        {
            lot.push_back(static_cast<uint32_t>(position));
        }
    }
    return lot;
}

uint64_t
FindMostDrawn(uint64_t samples, uint64_t lotSize, uint64_t steps)
{
    if (lotSize >= samples || steps == 0)
    {
        return samples * steps;
    }
    const auto trials = static_cast<double>(samples * steps);
    const double rate = static_cast<double>(lotSize) / static_cast<double>(samples);
    const boost::math::binomial_distribution<double> drawn(trials, rate);
    return static_cast<uint64_t>(std::ceil(quantile(complement(drawn, 1e-9))));
}

uint64_t
CountDrawn(std::size_t samples, std::size_t lotSize, uint64_t steps, RandomGenerator generator)
{
    const double rate = static_cast<double>(lotSize) / static_cast<double>(samples);
    uint64_t drawn = 0;
    for (uint64_t step = 0; step < steps; ++step)
    {
        drawn += DrawLot(samples, rate, generator).size();
    }
    return drawn;
}

void
AddClipped(double clip, const std::vector<float>& gradient, std::vector<float>& sum)
{
    double squares = 0;
    for (const float value : gradient)
    {
        squares += double{value} * double{value};
    }
    if (!std::isfinite(squares))
    {
        return; // as a gradient of 0, which has no more influence than any other
    }
    const auto factor = static_cast<float>(std::min(1.0, clip / std::sqrt(squares)));
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        sum[i] += factor * gradient[i];
    }
}

void
AddNoise(const DpSgdOptions& options,
         double lotSize,
         RandomGenerator& generator,
         std::vector<float>& sum)
{
    boost::random::normal_distribution<double> draw(0, options.noise * options.clip);
    for (float& value : sum)
    {
        value = static_cast<float>((value + draw(generator)) / lotSize);
    }
}

double
SampledGaussianDivergence(uint32_t order, double rate, double noise)
{
    if (rate == 0)
    {
        return 0;
    }
    const double a = order;
    const double perSquare = 1 / (2 * noise * noise);
    if (rate == 1)
    {
        return a * perSquare;
    }
    std::vector<double> terms; // logarithms
    for (uint32_t k = 0; k <= order; ++k)
    {
        terms.push_back(std::lgamma(a + 1) - std::lgamma(k + 1.0) - std::lgamma(a - k + 1) +
                        (a - k) * std::log1p(-rate) + k * std::log(rate) +
                        (static_cast<double>(k) * k - k) * perSquare);
    }
    const double greatest = *std::max_element(terms.begin(), terms.end());
    double sum = 0;
    for (const double term : terms)
    {
        sum += std::exp(term - greatest);
    }
    return (greatest + std::log(sum)) / (a - 1);
}

void
RenyiAccountant::AddSteps(double rate, double noise, uint64_t steps)
{
    const auto same = std::find_if(m_steps.begin(), m_steps.end(), [=](const Steps& known) {
        return known.rate == rate && known.noise == noise;
    });
    if (same != m_steps.end())
    {
        same->count += steps;
    }
    else
    {
        m_steps.push_back({rate, noise, steps});
    }
}

double
RenyiAccountant::GetEpsilon(double delta) const
{
    CheckArgument(delta > 0 && delta < 1, "delta {} is not between 0 and 1", delta);
    if (m_steps.empty())
    {
        return 0;
    }
    double best = std::numeric_limits<double>::infinity();
    for (uint32_t order = 2; order <= GREATEST_ORDER; ++order)
    {
        const double a = order;
        double epsilon = std::log1p(-1 / a) - (std::log(delta) + std::log(a)) / (a - 1);
        for (const Steps& steps : m_steps)
        {
            epsilon += static_cast<double>(steps.count) *
                       SampledGaussianDivergence(order, steps.rate, steps.noise);
        }
        best = std::min(best, epsilon);
    }
    return std::max(best, 0.0);
}

std::string
RenyiAccountant::GetState() const
{
    std::string text;
    for (const Steps& steps : m_steps)
    {
        text += fmt::format(
            "{}{} {} {}", text.empty() ? "" : " ", steps.rate, steps.noise, steps.count);
    }
    return text;
}

void
RenyiAccountant::SetState(const std::string& state)
{
    std::istringstream text(state);
    text.imbue(std::locale::classic());
    std::vector<Steps> all;
    for (Steps steps{}; text >> steps.rate;)
    {
        const bool isThere = static_cast<bool>(text >> steps.noise >> steps.count);
        CheckArgument(isThere && steps.rate >= 0 && steps.rate <= 1 && steps.noise > 0,
                      "privacy spent: \"{}\"",
                      state);
        all.push_back(steps);
    }
    CheckArgument(text.eof(), "privacy spent: \"{}\"", state);
    m_steps = std::move(all);
}

} // namespace ns3::collab
