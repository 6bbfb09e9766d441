/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-gaussian.h"

#include "belief-consensus-config-check.h"
#include "belief-consensus-gaussian-factor.h"
#include "belief-consensus-gaussian-pooling.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace ns3::collab
{

namespace
{

constexpr double QUANTILE_95 = 1.959963984540054;    //!< of the standard normal law at 0.975
constexpr std::size_t MOST_DESCRIBED_PARAMETERS = 8; //!< parameters that a picture can show

/// @param value any
/// @param name what it is
/// @throws std::invalid_argument if it is not positive and finite
void
CheckPositive(double value, const char* name)
{
    CheckArgument(value > 0 && std::isfinite(value), "{} {} is not positive", name, value);
}

/// @param observer to be checked
/// @param features d
/// @throws std::invalid_argument for what is wrong with it
void
CheckObserver(const LinearObserver& observer, std::size_t features)
{
    CheckArgument(observer.low.size() == features && observer.high.size() == features,
                  "an observer of {} to {} features instead of {}",
                  observer.low.size(),
                  observer.high.size(),
                  features);
    for (std::size_t d = 0; d < features; ++d)
    {
        CheckArgument(std::isfinite(observer.low[d]) && std::isfinite(observer.high[d]) &&
                          observer.low[d] <= observer.high[d],
                      "feature {} from {} to {}",
                      d,
                      observer.low[d],
                      observer.high[d]);
    }
}

/// @param config to be checked
/// @return the same one
/// @throws std::invalid_argument for what is wrong with it
GaussianBeliefConfig
Checked(GaussianBeliefConfig config)
{
    CheckArgument(!config.theta.empty(), "a linear model without parameters");
    for (const double theta : config.theta)
    {
        CheckArgument(std::isfinite(theta), "a true parameter is {}", theta);
    }
    CheckPositive(config.noise, "the labels' noise");
    CheckPositive(config.priorVariance, "the prior's variance");
    CheckSampling(config);
    for (const LinearObserver& observer : config.observers)
    {
        CheckObserver(observer, config.theta.size() - 1);
    }
    CheckObserver(config.test, config.theta.size() - 1);
    CheckArgument(config.testSamples > 0, "no test inputs");
    return config;
}

/// @param observer with a law of inputs
/// @param generator to draw with
/// @return phi of an input
std::vector<double>
DrawFeatures(const LinearObserver& observer, RandomGenerator& generator)
{
    boost::random::uniform_01<double> uniform;
    std::vector<double> phi{1.0};
    for (std::size_t d = 0; d < observer.low.size(); ++d)
    {
        phi.push_back(observer.low[d] + (observer.high[d] - observer.low[d]) * uniform(generator));
    }
    return phi;
}

/// @param observer with a law of inputs
/// @return E[phi phi^T]
Matrix<double>
ComputeSecondMoments(const LinearObserver& observer)
{
    std::vector<double> means{1.0};
    std::vector<double> squares{1.0};
    for (std::size_t d = 0; d < observer.low.size(); ++d)
    {
        const double low = observer.low[d];
        const double high = observer.high[d];
        means.push_back((low + high) / 2);
        squares.push_back((low * low + low * high + high * high) / 3);
    }
    Matrix<double> moments(means.size(), means.size());
    for (std::size_t row = 0; row < means.size(); ++row)
    {
        for (std::size_t column = 0; column < means.size(); ++column)
        {
            moments(row, column) = row == column ? squares[row] : means[row] * means[column];
        }
    }
    return moments;
}

/// @brief A labeled input.
struct LinearSample
{
    std::vector<double> phi; //!< [1 x^T]^T
    double label = 0;        //!< y
};

/// @brief One observer's samples.
struct LinearSource
{
    const LinearObserver& observer; //!< that draws
    RandomGenerator generator;      //!< of this observer only

    /// @param theta theta*
    /// @param noise alpha
    /// @return a new sample
    LinearSample
    Draw(const std::vector<double>& theta, double noise)
    {
        std::vector<double> phi = DrawFeatures(observer, generator);
        const double mean = std::inner_product(phi.begin(), phi.end(), theta.begin(), 0.0);
        boost::random::normal_distribution<double> normal(mean, noise);
        const double label = normal(generator);
        return {std::move(phi), label};
    }
};

/// @brief The Gaussian family; see MakeGaussianBelief().
class GaussianBelief : public BeliefModel
{
  public:
    /// @param config the user's
    explicit GaussianBelief(GaussianBeliefConfig config)
        : m_config(Checked(std::move(config))),
          m_parameters(m_config.theta.size()),
          m_testMoments(ComputeSecondMoments(m_config.test)),
          m_testInputs(m_parameters, m_config.testSamples)
    {
        std::vector<double> prior(CountGaussianNumbers(m_parameters), 0.0);
        for (std::size_t row = 0; row < m_parameters; ++row)
        {
            prior[CountGaussianNumbers(row) + m_parameters] = 1 / m_config.priorVariance;
        }
        m_prior = std::make_shared<const std::vector<double>>(std::move(prior));

        RandomGenerator generator(m_config.testSeed);
        for (uint32_t i = 0; i < m_config.testSamples; ++i)
        {
            const std::vector<double> phi = DrawFeatures(m_config.test, generator);
            for (std::size_t d = 0; d < m_parameters; ++d)
            {
                m_testInputs(d, i) = phi[d];
            }
        }
        for (std::size_t i = 0; i < m_config.observers.size(); ++i)
        {
            m_sources.push_back({m_config.observers[i], RandomGenerator(m_config.seeds[i])});
        }
        if (m_config.replaySamples > 0)
        {
            DrawSamples(m_config.replaySamples);
        }
    }

    bool
    IsLight() const override
    {
        constexpr std::size_t MOST = 10;
        return m_parameters <= MOST;
    }

    Belief
    Update(const Belief& prior, uint32_t /* instant */) override
    {
        if (m_config.replaySamples == 0)
        {
            DrawSamples(m_config.batchSize);
        }
        const double power = m_power * m_config.evidencePower / (m_config.noise * m_config.noise);
        std::vector<double> numbers = *prior;
        for (const LinearSample& sample : m_samples)
        {
            std::size_t next = m_parameters;
            for (std::size_t row = 0; row < m_parameters; ++row)
            {
                const double scaled = power * sample.phi[row];
                numbers[row] += scaled * sample.label;
                for (std::size_t column = 0; column <= row; ++column)
                {
                    numbers[next++] += scaled * sample.phi[column];
                }
            }
        }
        return std::make_shared<const std::vector<double>>(std::move(numbers));
    }

    uint64_t
    CountUpdateFlops(uint32_t /* instant */) const override
    {
        const uint64_t each =
            m_config.replaySamples > 0 ? m_config.replaySamples : m_config.batchSize;
        // phi times a constant; a product and a sum for each number
        return each * m_sources.size() * (m_parameters + 2 * CountGaussianNumbers(m_parameters));
    }

    BeliefPooling
    ChooseWeights(std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const override
    {
        if (pooling != BeliefPooling::COVARIANCE_INTERSECTION)
        {
            return pooling;
        }
        beliefs = IntersectGaussians(std::move(beliefs), m_parameters);
        return BeliefPooling::LOGARITHMIC;
    }

    Belief
    Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const override
    {
        return std::make_shared<const std::vector<double>>(
            PoolGaussians(beliefs, pooling, m_parameters));
    }

    uint64_t
    CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const override
    {
        return CountGaussianPoolFlops(beliefs, pooling, m_parameters);
    }

    double
    GetDistance(const Belief& first, const Belief& second) const override
    {
        return std::sqrt(ComputeJeffreys(FactorGaussian(*first, m_parameters),
                                         FactorGaussian(*second, m_parameters)));
    }

    uint64_t
    CountDistanceFlops() const override
    {
        return 2 * CountFactorFlops(m_parameters) + CountJeffreysFlops(m_parameters) + 1;
    }

    std::vector<double>
    ToWire(const Belief& belief) const override
    {
        return *belief;
    }

    Belief
    FromWire(const std::vector<double>& numbers) const override
    {
        FactorGaussian(numbers, m_parameters); // throws if there is no such Gaussian
        return std::make_shared<const std::vector<double>>(numbers);
    }

    bool
    IsProper(const Belief& belief) const override
    {
        try
        {
            FactorGaussian(*belief, m_parameters);
            return true;
        }
        catch (const ImproperBelief&)
        {
            return false;
        }
    }

    std::vector<double>
    Forge(BeliefLie lie, double strength, const Belief& belief) const override
    {
        std::vector<double> numbers = *belief;
        const auto precision = numbers.begin() + m_parameters;
        const auto negate = [](double number) { return -number; };
        switch (lie)
        {
        case BeliefLie::WRONG:
            std::transform(numbers.begin(), precision, numbers.begin(), negate);
            return numbers;
        case BeliefLie::OVERCONFIDENT:
            for (double& number : numbers)
            {
                number *= strength;
            }
            return numbers;
        case BeliefLie::NOT_A_NUMBER:
            return std::vector<double>(GetWireCount(), std::numeric_limits<double>::quiet_NaN());
        case BeliefLie::NEGATIVE_PRECISION:
            std::transform(precision, numbers.end(), precision, negate);
            return numbers;
        default:
            throw std::invalid_argument("Gaussian beliefs have no such lie: wrong, overconfident, "
                                        "not a number or negative precision");
        }
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        return {
            {"excess_mse", "1", "mean squared error of the mean prediction of noiseless labels"},
            {"test_mse", "1", "the same of noisy labels, which adds the noise's variance"},
            {"nll", "nat", "expected negative log-likelihood of a label under the predictions"},
            {"coverage", "1", "probability of a label in the predictions' 95 % interval"},
            {"log_determinant", "nat", "log determinant of the belief's covariance"}};
    }

    std::vector<double>
    Evaluate(const Belief& belief) override
    {
        const FactoredGaussian gaussian = FactorGaussian(*belief, m_parameters);
        double excess = 0;
        double logDeterminant = 0;
        for (std::size_t row = 0; row < m_parameters; ++row)
        {
            logDeterminant -= 2 * std::log(gaussian.factor(row, row));
            for (std::size_t column = 0; column < m_parameters; ++column)
            {
                excess += (gaussian.mean[row] - m_config.theta[row]) * m_testMoments(row, column) *
                          (gaussian.mean[column] - m_config.theta[column]);
            }
        }
        const Prediction prediction = Predict(gaussian);
        return {excess,
                excess + m_config.noise * m_config.noise,
                prediction.nll,
                prediction.coverage,
                logDeterminant};
    }

    std::vector<std::pair<std::string, double>>
    Describe(const Belief& belief) const override
    {
        std::vector<std::pair<std::string, double>> named;
        if (m_parameters > MOST_DESCRIBED_PARAMETERS)
        {
            return named;
        }
        const FactoredGaussian gaussian = FactorGaussian(*belief, m_parameters);
        const Matrix<double> covariance = GetCovariance(gaussian);
        for (std::size_t i = 0; i < m_parameters; ++i)
        {
            named.emplace_back(fmt::format("mean_{}", i), gaussian.mean[i]);
        }
        for (std::size_t row = 0; row < m_parameters; ++row)
        {
            for (std::size_t column = 0; column <= row; ++column)
            {
                named.emplace_back(fmt::format("covariance_{}_{}", row, column),
                                   covariance(row, column));
            }
        }
        return named;
    }

  private:
    /// @brief How predictions do, over the test inputs.
    struct Prediction
    {
        double nll = 0;      //!< expected negative log-likelihood of a label [nat]
        double coverage = 0; //!< of the 95 % interval
    };

    /// @brief Replace the samples that count.
    /// @param count of each observer
    void
    DrawSamples(uint32_t count)
    {
        m_samples.clear();
        for (LinearSource& source : m_sources)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                m_samples.push_back(source.Draw(m_config.theta, m_config.noise));
            }
        }
    }

    /// @param gaussian a belief
    /// @return how it predicts
    Prediction
    Predict(const FactoredGaussian& gaussian) const
    {
        const double noise = m_config.noise;
        const Matrix<double> solved = SolveLower(gaussian.factor, m_testInputs);
        Prediction sum;
        for (std::size_t i = 0; i < m_testInputs.columns; ++i)
        {
            double bias = 0;
            double variance = noise * noise; // alpha^2 + |L^-1 phi|^2
            for (std::size_t d = 0; d < m_parameters; ++d)
            {
                bias += (gaussian.mean[d] - m_config.theta[d]) * m_testInputs(d, i);
                variance += solved(d, i) * solved(d, i);
            }
            const double half = QUANTILE_95 * std::sqrt(variance);
            const double scale = noise * boost::math::constants::root_two<double>();
            sum.nll += (std::log(boost::math::constants::two_pi<double>() * variance) +
                        (bias * bias + noise * noise) / variance) /
                       2;
            sum.coverage += (std::erf((bias + half) / scale) - std::erf((bias - half) / scale)) / 2;
        }
        return {sum.nll / m_testInputs.columns, sum.coverage / m_testInputs.columns};
    }

    const GaussianBeliefConfig m_config; //!< the user's
    const std::size_t m_parameters;      //!< p
    Matrix<double> m_testMoments;        //!< E[phi phi^T] of test inputs
    Matrix<double> m_testInputs;         //!< p x inputs
    std::vector<LinearSource> m_sources; //!< of the observers
    std::vector<LinearSample> m_samples; //!< those that count
};

} // namespace

std::unique_ptr<BeliefModel>
MakeGaussianBelief(GaussianBeliefConfig config)
{
    return std::make_unique<GaussianBelief>(std::move(config));
}

} // namespace ns3::collab
