/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-discrete.h"

#include "belief-consensus-config-check.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/discrete_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace ns3::collab
{

namespace
{

constexpr double TIE = 1e-9;           //!< rivals as near as this count as errors [nat]
constexpr double SUM_TOLERANCE = 1e-9; //!< of what should sum to 1
constexpr std::size_t MOST_DESCRIBED_HYPOTHESES = 64; //!< hypotheses that a picture can show
constexpr uint64_t NORMALIZATION_FLOPS = 5;           //!< of Normalize() for each hypothesis

/// @param logs at least one logarithm
/// @return the logarithm of the sum of their exponentials
double
LogSumExp(const std::vector<double>& logs)
{
    const double greatest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double log : logs)
    {
        sum += std::exp(log - greatest);
    }
    return greatest + std::log(sum);
}

/// @param logs of probabilities, up to a constant
/// @return those of probabilities that sum to 1
std::vector<double>
Normalize(std::vector<double> logs)
{
    const double constant = LogSumExp(logs);
    for (double& log : logs)
    {
        log -= constant;
    }
    return logs;
}

/// @param logs numbers for the wire
/// @return the same ones with the greatest subtracted, so that single precision loses little
std::vector<double>
SubtractGreatest(std::vector<double> logs)
{
    const double greatest = *std::max_element(logs.begin(), logs.end());
    for (double& log : logs)
    {
        log -= greatest;
    }
    return logs;
}

/// @param numbers any
/// @return the index of the first one that is not finite; their count if all are
std::size_t
FindNotFinite(const std::vector<double>& numbers)
{
    const auto isInfinite = [](double number) { return !std::isfinite(number); };
    return std::find_if(numbers.begin(), numbers.end(), isInfinite) - numbers.begin();
}

/// @param probabilities the first one of a distribution
/// @param count number of them
/// @param least that one of them may be, or more
/// @param name of the distribution
/// @throws std::invalid_argument if it is none
void
CheckDistribution(const double* probabilities, std::size_t count, double least, const char* name)
{
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        CheckArgument(probabilities[i] >= least && probabilities[i] <= 1,
                      "{}: {} is no {}probability",
                      name,
                      probabilities[i],
                      least > 0 ? "positive " : "");
        sum += probabilities[i];
    }
    CheckArgument(std::abs(sum - 1) <= SUM_TOLERANCE, "{} sums to {}, not 1", name, sum);
}

/// @param observer to be checked
/// @param hypotheses M
/// @throws std::invalid_argument for what is wrong with it
void
CheckObserver(const DiscreteObserver& observer, std::size_t hypotheses)
{
    constexpr double positive = std::numeric_limits<double>::min();
    const std::size_t inputs = observer.inputs.size();
    const std::size_t labels = observer.truth.columns;
    CheckArgument(observer.truth.rows == inputs && labels > 0 &&
                      observer.likelihoods.size() == inputs,
                  "an observer of {} inputs has {} matrices of likelihoods and a truth of {} x {}",
                  inputs,
                  observer.likelihoods.size(),
                  observer.truth.rows,
                  labels);
    CheckDistribution(observer.inputs.data(), inputs, 0, "the law of inputs");
    for (std::size_t x = 0; x < inputs; ++x)
    {
        const Matrix<double>& likelihood = observer.likelihoods[x];
        CheckArgument(likelihood.rows == hypotheses && likelihood.columns == labels,
                      "likelihoods of {} hypotheses x {} labels instead of {} x {}",
                      likelihood.rows,
                      likelihood.columns,
                      hypotheses,
                      labels);
        CheckDistribution(observer.truth.Row(x), labels, 0, "the true law of labels");
        for (std::size_t hypothesis = 0; hypothesis < hypotheses; ++hypothesis)
        {
            CheckDistribution(likelihood.Row(hypothesis), labels, positive, "a likelihood");
        }
    }
}

/// @param config with observers or draws
/// @return M
std::size_t
CountHypotheses(const DiscreteBeliefConfig& config)
{
    if (config.observers.empty())
    {
        return config.hypotheses;
    }
    const DiscreteObserver& first = *config.observers.front();
    return first.likelihoods.empty() ? 0 : first.likelihoods.front().rows;
}

/// @param config to be checked
/// @return M
/// @throws std::invalid_argument for what is wrong with it
std::size_t
CheckDiscreteConfig(const DiscreteBeliefConfig& config)
{
    CheckSampling(config, config.draws.size());
    CheckArgument(config.observers.empty() || config.draws.empty(),
                  "{} observers beside {} draws",
                  config.observers.size(),
                  config.draws.size());
    const auto isNull = [](const auto& source) { return source == nullptr; };
    CheckArgument(std::none_of(config.observers.begin(), config.observers.end(), isNull) &&
                      std::none_of(config.draws.begin(), config.draws.end(), isNull),
                  "an observer or a draw is null");
    const std::size_t hypotheses = CountHypotheses(config);
    CheckArgument(hypotheses >= 2, "{} hypotheses instead of two or more", hypotheses);
    for (const auto& observer : config.observers)
    {
        CheckObserver(*observer, hypotheses);
    }
    const std::vector<uint32_t>& best = config.best;
    const bool isAscending =
        std::adjacent_find(best.begin(), best.end(), std::greater_equal<>()) == best.end();
    CheckArgument(!best.empty() && best.size() < hypotheses && best.back() < hypotheses &&
                      isAscending,
                  "the best hypotheses [{}] are not some but not all of {}, ascending",
                  fmt::join(best, ", "),
                  hypotheses);
    const std::vector<double>& prior = config.logPrior;
    CheckArgument(prior.empty() ||
                      (prior.size() == hypotheses && FindNotFinite(prior) == hypotheses),
                  "the log prior [{}] is not of {} finite numbers",
                  fmt::join(prior, ", "),
                  hypotheses);
    return hypotheses;
}

/// @brief One observer's samples.
class DiscreteSource
{
  public:
    /// @param observer that draws
    /// @param seed of its generator
    DiscreteSource(const DiscreteObserver& observer, uint64_t seed)
        : m_generator(seed),
          m_inputs(observer.inputs),
          m_labelCount(observer.truth.columns),
          m_logLikelihoods(observer.truth.rows * observer.truth.columns,
                           observer.likelihoods.front().rows)
    {
        for (std::size_t x = 0; x < observer.truth.rows; ++x)
        {
            m_labels.emplace_back(observer.truth.Row(x), observer.truth.Row(x) + m_labelCount);
            for (std::size_t y = 0; y < m_labelCount; ++y)
            {
                double* logs = m_logLikelihoods.Row(x * m_labelCount + y);
                for (std::size_t hypothesis = 0; hypothesis < m_logLikelihoods.columns;
                     ++hypothesis)
                {
                    logs[hypothesis] = std::log(observer.likelihoods[x](hypothesis, y));
                }
            }
        }
    }

    /// @return the log-likelihoods of all hypotheses, of a new sample; they stay where they are
    const double*
    Draw()
    {
        const std::size_t input = m_inputs(m_generator);
        const std::size_t label = m_labels[input](m_generator);
        return m_logLikelihoods.Row(input * m_labelCount + label);
    }

  private:
    using Distribution = boost::random::discrete_distribution<std::size_t>; //!< of indices

    RandomGenerator m_generator;        //!< of this observer only
    Distribution m_inputs;              //!< P_i(x)
    std::vector<Distribution> m_labels; //!< l_i(y; theta*, x) by x
    std::size_t m_labelCount;           //!< number of labels
    Matrix<double> m_logLikelihoods;    //!< (input, label) x hypotheses
};

/// @brief The discrete family; see MakeDiscreteBelief().
class DiscreteBelief : public BeliefModel
{
  public:
    /// @param config the user's
    explicit DiscreteBelief(DiscreteBeliefConfig config)
        : m_config(std::move(config)),
          m_hypotheses(CheckDiscreteConfig(m_config)),
          m_isBest(m_hypotheses, false)
    {
        for (const uint32_t hypothesis : m_config.best)
        {
            m_isBest[hypothesis] = true;
        }
        m_prior = std::make_shared<const std::vector<double>>(
            Normalize(m_config.logPrior.empty() ? std::vector<double>(m_hypotheses, 0.0)
                                                : m_config.logPrior));
        for (std::size_t i = 0; i < m_config.observers.size(); ++i)
        {
            m_sources.emplace_back(*m_config.observers[i], m_config.seeds[i]);
        }
        if (m_config.replaySamples > 0)
        {
            DrawSamples(m_config.replaySamples);
        }
    }

    bool
    IsLight() const override
    {
        constexpr std::size_t MOST = 1000;
        return m_hypotheses <= MOST;
    }

    Belief
    Update(const Belief& prior, uint32_t /* instant */) override
    {
        if (m_config.replaySamples == 0)
        {
            DrawSamples(m_config.batchSize);
        }
        std::vector<double> evidence(m_hypotheses, 0.0);
        for (const double* logs : m_likelihoods)
        {
            for (std::size_t i = 0; i < m_hypotheses; ++i)
            {
                evidence[i] += logs[i];
            }
        }
        const double power = m_power * m_config.evidencePower;
        for (std::size_t i = 0; i < m_hypotheses; ++i)
        {
            evidence[i] = (*prior)[i] + power * evidence[i];
        }
        return std::make_shared<const std::vector<double>>(Normalize(std::move(evidence)));
    }

    uint64_t
    CountUpdateFlops(uint32_t /* instant */) const override
    {
        const uint64_t each =
            m_config.replaySamples > 0 ? m_config.replaySamples : m_config.batchSize;
        const uint64_t drawn = m_config.replaySamples > 0 ? 0 : each * m_config.draws.size();
        return m_hypotheses * (each * (m_sources.size() + m_config.draws.size()) + 2 +
                               NORMALIZATION_FLOPS) +
               drawn * m_config.drawFlops;
    }

    Belief
    Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const override
    {
        switch (pooling)
        {
        case BeliefPooling::LOGARITHMIC:
        case BeliefPooling::CLIPPED:
            return std::make_shared<const std::vector<double>>(Normalize(SumBeliefs(beliefs)));
        case BeliefPooling::MOMENT:
            return std::make_shared<const std::vector<double>>(Normalize(MixBeliefs(beliefs)));
        default:
            throw std::invalid_argument(
                "discrete beliefs have no such pool: logarithmic, clipped or moment");
        }
    }

    uint64_t
    CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const override
    {
        // Mixed: beliefs - 1 comparisons; a difference, an exponential, a product and a sum for
        // each; and a logarithm and a sum
        const uint64_t each = pooling == BeliefPooling::MOMENT ? 5 * beliefs + 1 : 2 * beliefs;
        return m_hypotheses * (each + NORMALIZATION_FLOPS);
    }

    double
    GetDistance(const Belief& first, const Belief& second) const override
    {
        double least = std::numeric_limits<double>::infinity();
        double greatest = -least;
        for (std::size_t i = 0; i < m_hypotheses; ++i)
        {
            const double difference = (*first)[i] - (*second)[i];
            least = std::min(least, difference);
            greatest = std::max(greatest, difference);
        }
        return greatest - least;
    }

    uint64_t
    CountDistanceFlops() const override
    {
        return 3 * m_hypotheses - 1;
    }

    std::vector<double>
    ToWire(const Belief& belief) const override
    {
        return SubtractGreatest(*belief);
    }

    Belief
    FromWire(const std::vector<double>& numbers) const override
    {
        Require<ImproperBelief>(numbers.size() == m_hypotheses,
                                "{} log probabilities for {} hypotheses",
                                numbers.size(),
                                m_hypotheses);
        if (const std::size_t index = FindNotFinite(numbers); index < m_hypotheses)
        {
            throw ImproperBelief(
                fmt::format("the log probability of hypothesis {} is {}", index, numbers[index]));
        }
        auto belief = std::make_shared<const std::vector<double>>(Normalize(numbers));
        Require<ImproperBelief>(IsProper(belief), "log probabilities are too far apart");
        return belief;
    }

    bool
    IsProper(const Belief& belief) const override
    {
        return belief->size() == m_hypotheses && FindNotFinite(*belief) == m_hypotheses;
    }

    std::vector<double>
    Forge(BeliefLie lie, double strength, const Belief& belief) const override
    {
        std::vector<double> numbers = *belief;
        switch (lie)
        {
        case BeliefLie::WRONG:
            numbers.assign(m_hypotheses, -strength);
            numbers[std::find(m_isBest.begin(), m_isBest.end(), false) - m_isBest.begin()] = 0;
            return numbers;
        case BeliefLie::OVERCONFIDENT:
            for (double& number : numbers)
            {
                number *= strength;
            }
            return SubtractGreatest(std::move(numbers));
        case BeliefLie::VETO:
            for (const uint32_t hypothesis : m_config.best)
            {
                numbers[hypothesis] = -std::numeric_limits<double>::infinity();
            }
            return SubtractGreatest(std::move(numbers));
        case BeliefLie::NOT_A_NUMBER:
            numbers.assign(m_hypotheses, std::numeric_limits<double>::quiet_NaN());
            return numbers;
        default:
            throw std::invalid_argument(
                "discrete beliefs have no such lie: wrong, overconfident, veto or not a number");
        }
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        return {{"belief_true", "1", "probability of the best hypotheses"},
                {"log_ratio", "nat", "log of the best hypothesis less that of the best wrong one"},
                {"error", "1", "1 if a wrong hypothesis is the most probable, or as probable"},
                {"confident", "1", "1 if each wrong hypothesis has less than 1/(2M)"}};
    }

    std::vector<double>
    Evaluate(const Belief& belief) override
    {
        std::vector<double> right;
        double wrong = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_hypotheses; ++i)
        {
            if (m_isBest[i])
            {
                right.push_back((*belief)[i]);
            }
            else
            {
                wrong = std::max(wrong, (*belief)[i]);
            }
        }
        const double ratio = *std::max_element(right.begin(), right.end()) - wrong;
        const bool isConfident = wrong < -std::log(2.0 * m_hypotheses);
        return {
            std::exp(LogSumExp(right)), ratio, ratio <= TIE ? 1.0 : 0.0, isConfident ? 1.0 : 0.0};
    }

    std::vector<std::pair<std::string, double>>
    Describe(const Belief& belief) const override
    {
        std::vector<std::pair<std::string, double>> parameters;
        if (m_hypotheses <= MOST_DESCRIBED_HYPOTHESES)
        {
            for (std::size_t i = 0; i < m_hypotheses; ++i)
            {
                parameters.emplace_back(fmt::format("belief_{}", i), std::exp((*belief)[i]));
            }
        }
        return parameters;
    }

  private:
    /// @brief Replace the samples that count.
    /// @param count of each observer
    void
    DrawSamples(uint32_t count)
    {
        m_likelihoods.clear();
        for (DiscreteSource& source : m_sources)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                m_likelihoods.push_back(source.Draw());
            }
        }
        m_drawn.clear();
        for (std::size_t i = 0; i < count * m_config.draws.size(); ++i)
        {
            m_drawn.push_back(m_config.draws[i / count]());
            CheckArgument(m_drawn.back().size() == m_hypotheses &&
                              FindNotFinite(m_drawn.back()) == m_hypotheses,
                          "a draw of {} log-likelihoods, expected {} finite ones",
                          m_drawn.back().size(),
                          m_hypotheses);
        }
        for (const auto& logs : m_drawn)
        {
            m_likelihoods.push_back(logs.data());
        }
    }

    /// @param beliefs of a pool
    /// @return the logarithms of their weighted arithmetic mean
    std::vector<double>
    MixBeliefs(const std::vector<WeightedBelief>& beliefs) const
    {
        std::vector<double> logs(m_hypotheses);
        for (std::size_t i = 0; i < m_hypotheses; ++i)
        {
            double greatest = -std::numeric_limits<double>::infinity();
            for (const auto& [belief, weight] : beliefs)
            {
                greatest = weight > 0 ? std::max(greatest, (*belief)[i]) : greatest;
            }
            double sum = 0;
            for (const auto& [belief, weight] : beliefs)
            {
                // Of weight 0 may be what is so much greater that its exponential overflows
                sum += weight > 0 ? weight * std::exp((*belief)[i] - greatest) : 0;
            }
            logs[i] = greatest + std::log(sum);
        }
        return logs;
    }

    const DiscreteBeliefConfig m_config;      //!< the user's
    const std::size_t m_hypotheses;           //!< M
    std::vector<bool> m_isBest;               //!< whether a hypothesis is in Theta*_M
    std::vector<DiscreteSource> m_sources;    //!< of the observers
    std::vector<std::vector<double>> m_drawn; //!< log-likelihoods of samples of draws
    std::vector<const double*> m_likelihoods; //!< of the samples that count
};

} // namespace

std::unique_ptr<BeliefModel>
MakeDiscreteBelief(DiscreteBeliefConfig config)
{
    return std::make_unique<DiscreteBelief>(std::move(config));
}

DiscreteObserver
MakeBitObserver(uint32_t bits, uint32_t bit, double probability, uint32_t truth)
{
    constexpr uint32_t mostBits = 20;
    CheckArgument(bits >= 1 && bits <= mostBits && bit < bits && truth >> bits == 0,
                  "bit {} of the word {} of {} bits",
                  bit,
                  truth,
                  bits);
    CheckArgument(probability > 0 && probability < 1,
                  "a bit is seen with probability {}, not between 0 and 1",
                  probability);
    const auto ones = [bit, probability](uint32_t word) {
        return (word >> bit & 1) != 0 ? probability : 1 - probability;
    };
    const uint32_t words = 1U << bits;
    DiscreteObserver observer{{1.0}, {Matrix<double>(words, 2)}, Matrix<double>(1, 2)};
    for (uint32_t word = 0; word < words; ++word)
    {
        observer.likelihoods[0](word, 0) = 1 - ones(word);
        observer.likelihoods[0](word, 1) = ones(word);
    }
    observer.truth(0, 0) = 1 - ones(truth);
    observer.truth(0, 1) = ones(truth);
    return observer;
}

} // namespace ns3::collab
