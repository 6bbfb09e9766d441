/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/beliefs/belief-numbers.h"
#include "belief-reference.h"
#include "support/refusals.h"

#include "ns3/belief-consensus-gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace ns3::collab;
using testing::DoubleNear;
using testing::Each;
using testing::HasSubstr;
using testing::Pointwise;
using tests::GetComplaint;
using tests::MakeBelief;
using tests::MakeCentralConfig;
using tests::RunAlone;

namespace
{

/// A user of the reference's model, whose only test input is the reference's point
GaussianBeliefConfig
MakeConfig()
{
    GaussianBeliefConfig config;
    config.theta = belief_reference::THETA;
    config.noise = belief_reference::NOISE;
    config.observers = {{{-1, -1.5}, {1, 1.5}}};
    config.seeds = {11};
    const std::vector<double> point(belief_reference::POINT.begin() + 1,
                                    belief_reference::POINT.end());
    config.test = {point, point};
    return config;
}

/// Users that see one feature each, as in Fig. 1
std::vector<GaussianBeliefConfig>
MakeUsers(std::size_t users)
{
    std::vector<GaussianBeliefConfig> configs;
    for (std::size_t i = 0; i < users; ++i)
    {
        configs.push_back(MakeConfig());
        configs.back().observers = {i % 2 == 0 ? LinearObserver{{-1, 0}, {1, 0}}
                                               : LinearObserver{{0, -1.5}, {0, 1.5}}};
        configs.back().test = {{-1, -1.5}, {1, 1.5}};
        configs.back().seeds = {1000 + i};
    }
    return configs;
}

std::unique_ptr<BeliefModel>
MakeModel()
{
    return MakeGaussianBelief(MakeConfig());
}

Belief
GetReference(std::size_t index)
{
    return MakeBelief(belief_reference::GAUSSIANS[index]);
}

std::vector<WeightedBelief>
GetReferences()
{
    std::vector<WeightedBelief> beliefs;
    for (std::size_t j = 0; j < belief_reference::GAUSSIANS.size(); ++j)
    {
        beliefs.push_back({GetReference(j), belief_reference::WEIGHTS[j]});
    }
    return beliefs;
}

/// Cooperation with the weights of W; returns everybody's beliefs
std::vector<Belief>
RunTogether(const std::vector<GaussianBeliefConfig>& configs,
            const Matrix<double>& w,
            uint32_t instants)
{
    std::vector<std::unique_ptr<BeliefModel>> users;
    for (const GaussianBeliefConfig& config : configs)
    {
        users.push_back(MakeGaussianBelief(config));
    }
    std::vector<Belief> beliefs;
    for (const auto& history : tests::Learn(users, w, instants))
    {
        beliefs.push_back(MakeBelief(history.back()));
    }
    return beliefs;
}

std::vector<double>
GetDescribed(const BeliefModel& model, const Belief& belief)
{
    std::vector<double> values;
    for (const auto& [name, value] : model.Describe(belief))
    {
        values.push_back(value);
    }
    return values;
}

double
GetMetric(BeliefModel& model, const Belief& belief, const std::string& name)
{
    const std::vector<Metric> metrics = model.GetMetrics();
    const auto found = std::find_if(
        metrics.begin(), metrics.end(), [&name](const Metric& m) { return m.name == name; });
    return found == metrics.end() ? NAN : model.Evaluate(belief)[found - metrics.begin()];
}

/// Fails unless numbers are as near as this relative to the greatest one
void
ExpectNear(const std::vector<double>& numbers,
           const std::vector<double>& expected,
           double tolerance)
{
    double greatest = 0;
    for (const double number : expected)
    {
        greatest = std::max(greatest, std::abs(number));
    }
    EXPECT_THAT(numbers, Pointwise(DoubleNear(tolerance * greatest), expected));
}

std::vector<double>
RoundToFloat(std::vector<double> numbers)
{
    for (double& number : numbers)
    {
        number = static_cast<double>(static_cast<float>(number));
    }
    return numbers;
}

/// A mean over seeds and its standard error
struct Estimate
{
    double mean = 0;
    double error = 0;
};

Estimate
EstimateMean(const std::vector<double>& values)
{
    double sum = 0;
    double squares = 0;
    for (const double value : values)
    {
        sum += value;
        squares += value * value;
    }
    const double count = static_cast<double>(values.size());
    const double mean = sum / count;
    return {mean, std::sqrt((squares / count - mean * mean) / (count - 1))};
}

/// Of the central user, cooperating users, A alone, B alone: the excess error of each seed
using FigureOneErrors = std::array<std::vector<double>, 4>;

FigureOneErrors
MeasureFigureOne(uint32_t instants)
{
    FigureOneErrors errors;
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        std::vector<GaussianBeliefConfig> configs = MakeUsers(2);
        for (std::size_t i = 0; i < 2; ++i)
        {
            configs[i].seeds = {5000 + 2 * seed + i};
            configs[i].testSamples = 1;
        }
        const auto judge = MakeGaussianBelief(configs[0]);
        const auto measure = [&judge](const Belief& belief) {
            return GetMetric(*judge, belief, "excess_mse");
        };
        const auto runAlone = [&measure, instants](const GaussianBeliefConfig& config) {
            return measure(RunAlone(*MakeGaussianBelief(config), instants));
        };
        Matrix<double> w(2, 2);
        w.values = {0.9, 0.1, 0.6, 0.4};
        const std::vector<Belief> both = RunTogether(configs, w, instants);
        errors[0].push_back(runAlone(MakeCentralConfig(configs)));
        errors[1].push_back((measure(both[0]) + measure(both[1])) / 2);
        errors[2].push_back(runAlone(configs[0]));
        errors[3].push_back(runAlone(configs[1]));
    }
    return errors;
}

} // namespace

TEST(GaussianBeliefTest, ThePriorIsThatOfTheConfiguration)
{
    const auto model = MakeModel();
    EXPECT_EQ(*model->GetPrior(), (std::vector<double>{0, 0, 0, 2, 0, 2, 0, 0, 2}));
    ExpectNear(GetDescribed(*model, model->GetPrior()), {0, 0, 0, 0.5, 0, 0.5, 0, 0, 0.5}, 1e-15);
}

TEST(GaussianBeliefTest, AnUpdateAddsTheSamplesNaturalParameters)
{
    GaussianBeliefConfig config;
    config.theta = {3, -2};
    config.noise = 0.5;
    config.observers = {{{2}, {2}}};
    config.seeds = {5};
    config.test = {{2}, {2}};
    for (const double power : {1.0, 2.5})
    {
        config.evidencePower = power;
        const auto model = MakeGaussianBelief(config);
        const Belief belief = model->Update(model->GetPrior(), 0);
        // phi = (1, 2): Lambda = 2 I + power [1 2; 2 4] / 0.25
        EXPECT_THAT(std::vector<double>(belief->begin() + 2, belief->end()),
                    Pointwise(DoubleNear(1e-12),
                              std::vector<double>{2 + 4 * power, 8 * power, 2 + 16 * power}));
        // h = power phi y / 0.25, and y is within six standard deviations of 3 - 4
        EXPECT_NEAR((*belief)[1], 2 * (*belief)[0], 1e-12);
        EXPECT_NEAR((*belief)[0] / (4 * power), -1, 3);
        EXPECT_NE((*belief)[0] / (4 * power), -1);
    }
}

TEST(GaussianBeliefTest, SamplesFollowTheirLaws)
{
    GaussianBeliefConfig config = MakeConfig();
    const auto model = MakeGaussianBelief(config);
    constexpr uint32_t samples = 20000;
    const double scale = config.noise * config.noise;
    const Belief prior = model->GetPrior();
    double residual = 0;
    double residualSquare = 0;
    std::array<double, 2> sum{};
    std::array<double, 2> square{};
    double product = 0;
    for (uint32_t k = 0; k < samples; ++k)
    {
        const Belief belief = model->Update(prior, k);
        const double y = scale * (*belief)[0];
        const double x1 = scale * (*belief)[4];
        const double x2 = scale * (*belief)[6];
        ASSERT_NEAR(scale * (*belief)[1], x1 * y, 1e-12);
        ASSERT_NEAR(scale * (*belief)[2], x2 * y, 1e-12);
        ASSERT_NEAR(scale * ((*belief)[5] - 2), x1 * x1, 1e-12);
        ASSERT_NEAR(scale * (*belief)[7], x1 * x2, 1e-12);
        ASSERT_NEAR(scale * ((*belief)[8] - 2), x2 * x2, 1e-12);
        ASSERT_LE(std::abs(x1), 1);
        ASSERT_LE(std::abs(x2), 1.5);
        const double noise = y - (-0.3 + 0.5 * x1 + 0.8 * x2);
        residual += noise / samples;
        residualSquare += noise * noise / samples;
        sum[0] += x1 / samples;
        sum[1] += x2 / samples;
        square[0] += x1 * x1 / samples;
        square[1] += x2 * x2 / samples;
        product += x1 * x2 / samples;
    }
    // Within four standard errors: of x^2 on [-a, a] it is a^2 sqrt(4/45), of squared noise
    // alpha^2 sqrt(2)
    const double each = 4 / std::sqrt(samples);
    EXPECT_NEAR(residual, 0, each * 0.8);
    EXPECT_NEAR(residualSquare, 0.64, each * 0.64 * std::sqrt(2));
    EXPECT_NEAR(sum[0], 0, each / std::sqrt(3));
    EXPECT_NEAR(sum[1], 0, each * 1.5 / std::sqrt(3));
    EXPECT_NEAR(square[0], 1.0 / 3, each * std::sqrt(4.0 / 45));
    EXPECT_NEAR(square[1], 0.75, each * 2.25 * std::sqrt(4.0 / 45));
    EXPECT_NEAR(product, 0, each * 0.5);
}

TEST(GaussianBeliefTest, ACentralUserSeesExactlyWhatTheUsersSee)
{
    std::vector<GaussianBeliefConfig> configs = MakeUsers(3);
    for (GaussianBeliefConfig& config : configs)
    {
        config.batchSize = 4;
    }
    const auto central = MakeGaussianBelief(MakeCentralConfig(configs));
    Belief expected = central->GetPrior();
    for (const GaussianBeliefConfig& config : configs)
    {
        const auto user = MakeGaussianBelief(config);
        for (uint32_t k = 0; k < 5; ++k)
        {
            expected = user->Update(expected, k);
        }
    }
    ExpectNear(*RunAlone(*central, 5), *expected, 1e-14);
    // Another seed gives other samples
    configs[1].seeds = {77};
    const auto other = MakeGaussianBelief(MakeCentralConfig(configs));
    EXPECT_GT(std::abs((*RunAlone(*other, 5))[0] - (*expected)[0]), 1e-3);
}

TEST(GaussianBeliefTest, ReplayCountsTheSameSamplesEveryInstant)
{
    GaussianBeliefConfig config = MakeConfig();
    const Belief streamed = RunAlone(*MakeGaussianBelief(config), 30);
    config.replaySamples = 30;
    const auto model = MakeGaussianBelief(config);
    const Belief once = model->Update(model->GetPrior(), 0);
    ExpectNear(*once, *streamed, 1e-14);
    const Belief twice = model->Update(once, 1);
    for (std::size_t i = 0; i < once->size(); ++i)
    {
        EXPECT_NEAR((*twice)[i] - (*once)[i], (*once)[i] - (*model->GetPrior())[i], 1e-10);
    }
}

// prior * prod_j l_j^(1/N), and with the network's power the central posterior
TEST(GaussianBeliefTest, ACompleteGraphHasTheCentralPosteriorOnlyWithPoweredEvidence)
{
    constexpr std::size_t users = 5;
    constexpr uint32_t instants = 200;
    const Matrix<double> weights(users, users, 1.0 / users);
    std::vector<GaussianBeliefConfig> configs = MakeUsers(users);
    const GaussianBeliefConfig central = MakeCentralConfig(configs);
    GaussianBeliefConfig cold = central;
    cold.evidencePower = 1.0 / users;
    const auto judge = MakeGaussianBelief(central);
    const std::vector<double> exact =
        GetDescribed(*judge, RunAlone(*MakeGaussianBelief(central), instants));
    const std::vector<double> limit =
        GetDescribed(*judge, RunAlone(*MakeGaussianBelief(cold), instants));
    for (const Belief& belief : RunTogether(configs, weights, instants))
    {
        EXPECT_THAT(GetDescribed(*judge, belief), Pointwise(DoubleNear(1e-9), limit));
    }
    EXPECT_GT(limit[3], 2 * exact[3]); // variances
    for (GaussianBeliefConfig& config : configs)
    {
        config.evidencePower = users;
    }
    for (const Belief& belief : RunTogether(configs, weights, instants))
    {
        EXPECT_THAT(GetDescribed(*judge, belief), Pointwise(DoubleNear(1e-9), exact));
    }
}

TEST(GaussianBeliefTest, MomentsAreThoseOfTheReference)
{
    const auto model = MakeModel();
    for (std::size_t j = 0; j < 4; ++j)
    {
        const auto described = model->Describe(GetReference(j));
        ASSERT_EQ(described.size(), 9);
        EXPECT_EQ(described[2].first, "mean_2");
        EXPECT_EQ(described[7].first, "covariance_2_1");
        std::vector<double> expected(belief_reference::MEANS.begin() + 3 * j,
                                     belief_reference::MEANS.begin() + 3 * j + 3);
        expected.insert(expected.end(),
                        belief_reference::COVARIANCES.begin() + 6 * j,
                        belief_reference::COVARIANCES.begin() + 6 * j + 6);
        ExpectNear(GetDescribed(*model, GetReference(j)), expected, 1e-12);
        EXPECT_NEAR(GetMetric(*model, GetReference(j), "log_determinant"),
                    belief_reference::LOG_DETERMINANTS[j],
                    1e-12);
    }
}

TEST(GaussianBeliefTest, ThePoolIsTheWeightedSumOfNaturalParameters)
{
    const auto model = MakeModel();
    const Belief first = MakeBelief({1, 2, 3, 4, 0, 5, 1, -1, 6});
    const Belief second = MakeBelief({-1, 0, 2, 8, 1, 3, 0, 0, 2});
    for (const BeliefPooling pooling : {BeliefPooling::LOGARITHMIC, BeliefPooling::CLIPPED})
    {
        EXPECT_EQ(*model->Pool({{first, 0.75}, {second, 0.25}}, pooling),
                  (std::vector<double>{0.5, 1.5, 2.75, 5, 0.25, 4.5, 0.75, -0.75, 5}));
    }
}

TEST(GaussianBeliefTest, OtherPoolsAreThoseOfTheReference)
{
    const auto model = MakeModel();
    ExpectNear(
        *model->Pool(GetReferences(), BeliefPooling::MOMENT), belief_reference::MIXTURE, 1e-12);
    ExpectNear(*model->Pool(GetReferences(), BeliefPooling::WASSERSTEIN),
               belief_reference::BARYCENTER,
               1e-9);
}

TEST(GaussianBeliefTest, CovarianceIntersectionHasTheLeastDeterminant)
{
    const auto model = MakeModel();
    const Belief pool = model->Pool(GetReferences(), BeliefPooling::COVARIANCE_INTERSECTION);
    // The optimizer's weights are good to the square root of its tolerance
    EXPECT_NEAR(GetMetric(*model, pool, "log_determinant"),
                belief_reference::INTERSECTION_LOG_DETERMINANT,
                1e-9);
    std::vector<WeightedBelief> best = GetReferences();
    for (std::size_t j = 0; j < best.size(); ++j)
    {
        best[j].weight = belief_reference::OMEGA[j];
    }
    ExpectNear(*pool, *model->Pool(best, BeliefPooling::LOGARITHMIC), 1e-4);
    // Whatever it starts from
    std::vector<WeightedBelief> far = GetReferences();
    far[0].weight = far[1].weight = far[2].weight = 0;
    far[3].weight = 1;
    ExpectNear(*model->Pool(far, BeliefPooling::COVARIANCE_INTERSECTION), *pool, 1e-4);
    // One that is better in every direction is all that counts
    const Belief sharp = MakeBelief({1, 1, 1, 9, 0, 9, 0, 0, 9});
    ExpectNear(*model->Pool({{model->GetPrior(), 0.5}, {sharp, 0.5}},
                            BeliefPooling::COVARIANCE_INTERSECTION),
               *sharp,
               1e-12);
}

TEST(GaussianBeliefTest, PoolsOfOneBeliefAreThatBelief)
{
    const auto model = MakeModel();
    for (const BeliefPooling pooling : {BeliefPooling::LOGARITHMIC,
                                        BeliefPooling::CLIPPED,
                                        BeliefPooling::MOMENT,
                                        BeliefPooling::WASSERSTEIN,
                                        BeliefPooling::COVARIANCE_INTERSECTION})
    {
        const Belief pool =
            model->Pool({{GetReference(1), 0.25}, {GetReference(1), 0.75}}, pooling);
        ExpectNear(*pool, *GetReference(1), 1e-10);
    }
}

TEST(GaussianBeliefTest, TheDistanceIsTheRootOfTheJeffreysDivergence)
{
    const auto model = MakeModel();
    std::size_t next = 0;
    for (std::size_t a = 0; a < 4; ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            const double expected = std::sqrt(belief_reference::JEFFREYS[next++]);
            EXPECT_NEAR(model->GetDistance(GetReference(a), GetReference(b)), expected, 1e-10);
            EXPECT_NEAR(model->GetDistance(GetReference(b), GetReference(a)), expected, 1e-10);
        }
    }
    // To itself, whichever way it is rounded
    for (int i = 1; i <= 100; ++i)
    {
        std::vector<double> numbers = belief_reference::GAUSSIANS[i % 4];
        std::transform(numbers.begin(), numbers.end(), numbers.begin(), [i](double number) {
            return number * (1 + 0.037 * i);
        });
        EXPECT_NEAR(model->GetDistance(MakeBelief(numbers), MakeBelief(numbers)), 0, 1e-6) << i;
    }
}

TEST(GaussianBeliefTest, PredictionsAtAPointAreThoseOfTheReference)
{
    const auto model = MakeModel();
    for (std::size_t j = 0; j < 4; ++j)
    {
        EXPECT_NEAR(GetMetric(*model, GetReference(j), "nll"), belief_reference::NLLS[j], 1e-10);
        EXPECT_NEAR(
            GetMetric(*model, GetReference(j), "coverage"), belief_reference::COVERAGES[j], 1e-10);
    }
}

TEST(GaussianBeliefTest, PredictionsAreAveragedOverTheLawOfTestInputs)
{
    GaussianBeliefConfig config = MakeConfig();
    config.test.low[1] = belief_reference::INTERVAL[0];
    config.test.high[1] = belief_reference::INTERVAL[1];
    config.testSamples = 20000;
    const auto model = MakeGaussianBelief(config);
    for (std::size_t j = 0; j < 4; ++j)
    {
        const Belief belief = GetReference(j);
        const double excess = belief_reference::AVERAGE_EXCESSES[j];
        EXPECT_NEAR(GetMetric(*model, belief, "excess_mse"), excess, 1e-12);
        EXPECT_NEAR(GetMetric(*model, belief, "test_mse"), excess + 0.64, 1e-12);
        // Some four standard errors of as many inputs
        EXPECT_NEAR(GetMetric(*model, belief, "nll"), belief_reference::AVERAGE_NLLS[j], 0.03);
        EXPECT_NEAR(
            GetMetric(*model, belief, "coverage"), belief_reference::AVERAGE_COVERAGES[j], 0.01);
    }
    config.testSamples = 100;
    const double some = GetMetric(*MakeGaussianBelief(config), GetReference(0), "nll");
    EXPECT_EQ(GetMetric(*MakeGaussianBelief(config), GetReference(0), "nll"), some);
    config.testSeed = 1;
    EXPECT_NE(GetMetric(*MakeGaussianBelief(config), GetReference(0), "nll"), some);
}

TEST(GaussianBeliefTest, ExcessErrorIsExactAboutFigureOnesLaw)
{
    const auto model = MakeGaussianBelief(MakeUsers(1)[0]);
    // Lambda = I: h is the mean, off by (0.1, 0.3, -0.2)
    const Belief belief = MakeBelief({-0.2, 0.8, 0.6, 1, 0, 1, 0, 0, 1});
    EXPECT_NEAR(GetMetric(*model, belief, "excess_mse"), 0.01 + 0.09 / 3 + 0.04 * 0.75, 1e-15);
}

TEST(GaussianBeliefTest, BeliefsTravelInNaturalParameters)
{
    const auto model = MakeGaussianBelief(MakeConfig());
    const Belief belief = MakeBelief({7, 8, 9, 4, 2, 10, -2, 0.5, 17.25});
    EXPECT_EQ(model->GetWireCount(), 9);
    EXPECT_TRUE(model->IsDouble());
    EXPECT_EQ(model->ToWire(belief), *belief);
    for (std::size_t j = 0; j < 4; ++j)
    {
        EXPECT_EQ(*model->FromWire(model->ToWire(GetReference(j))), *GetReference(j));
        const Belief rounded = model->FromWire(RoundToFloat(model->ToWire(GetReference(j))));
        ExpectNear(*rounded, *GetReference(j), 4 * std::ldexp(1, -24));
        EXPECT_NE(*rounded, *GetReference(j));
    }
}

TEST(GaussianBeliefTest, ImproperNumbersAreRefusedWithTheReason)
{
    const auto model = MakeGaussianBelief(MakeConfig());
    const std::vector<double> indefinite = {0, 0, 0, 1, 2, 1, 0, 0, 1};
    const std::vector<std::pair<std::vector<double>, std::string>> cases = {
        {std::vector<double>(8, 1.0), "8 numbers for a Gaussian of 3 parameters"},
        {std::vector<double>(10, 1.0), "10 numbers"},
        {{0, NAN, 0, 1, 0, 1, 0, 0, 1}, "number 1 of a Gaussian is nan"},
        {{0, 0, 0, 1, INFINITY, 1, 0, 0, 1}, "number 4 of a Gaussian is inf"},
        {indefinite, "not positive definite"},
        {{0, 0, 0, 0, 0, 1, 0, 0, 1}, "not positive definite"},
        {{0, 0, 0, 1e-300, 0, 1, 1e200, 0, 1}, "not positive definite"}, // 1e200 / sqrt(1e-300)
        {{1e300, 0, 0, 1e-300, 0, 1, 0, 0, 1}, "mean is not finite"}};
    for (const auto& [numbers, complaint] : cases)
    {
        EXPECT_THAT(GetComplaint(*model, numbers), HasSubstr(complaint));
    }
    EXPECT_EQ(GetComplaint(*model, {0, 0, 0, 1, 0, 1, 0, 0, 1}), "");
    EXPECT_FALSE(model->IsProper(MakeBelief(indefinite)));
    EXPECT_FALSE(model->IsProper(MakeBelief({0, NAN, 0, 1, 0, 1, 0, 0, 1})));
    EXPECT_FALSE(model->IsProper(MakeBelief({0, 0, 0})));
    EXPECT_TRUE(model->IsProper(GetReference(0)));
}

TEST(GaussianBeliefTest, LiesAreWhatTheySay)
{
    const auto model = MakeGaussianBelief(MakeConfig());
    const Belief belief = GetReference(0);
    const std::vector<double> honest = GetDescribed(*model, belief);
    const auto tell = [&](BeliefLie lie) {
        return GetDescribed(*model, model->FromWire(model->Forge(lie, 4, belief)));
    };
    std::vector<double> expected = honest;
    std::transform(honest.begin(), honest.begin() + 3, expected.begin(), std::negate<>());
    ExpectNear(tell(BeliefLie::WRONG), expected, 1e-12);
    expected = honest;
    for (std::size_t i = 3; i < expected.size(); ++i)
    {
        expected[i] /= 4;
    }
    ExpectNear(tell(BeliefLie::OVERCONFIDENT), expected, 1e-12);
    const std::vector<double> nan = model->Forge(BeliefLie::NOT_A_NUMBER, 4, belief);
    EXPECT_THAT(nan, testing::SizeIs(9));
    EXPECT_THAT(nan, Each(testing::IsNan()));
    EXPECT_THAT(GetComplaint(*model, model->Forge(BeliefLie::NEGATIVE_PRECISION, 4, belief)),
                HasSubstr("not positive definite"));
    for (const BeliefLie lie : {BeliefLie::VETO, BeliefLie::NONE, BeliefLie::SILENCE})
    {
        EXPECT_THROW(model->Forge(lie, 1, belief), std::invalid_argument);
    }
}

TEST(GaussianBeliefTest, OperationsAreCountedAsWritten)
{
    GaussianBeliefConfig config = MakeCentralConfig(MakeUsers(2));
    config.batchSize = 3;
    const auto model = MakeGaussianBelief(config);
    // 6 samples: 3 products for phi, a product and a sum for each of 9 numbers
    EXPECT_EQ(model->CountUpdateFlops(0), 6 * (3 + 18));
    EXPECT_EQ(model->CountPoolFlops(4, BeliefPooling::LOGARITHMIC), 2 * 4 * 9);
    // Two factors of 14 and two systems of 9; |L^-1 L|^2: 27 + 18; the difference of means: 3;
    // |L^T d|^2: 12 + 6; 3 sums, a difference, its product, a half, a comparison, a root
    EXPECT_EQ(model->CountDistanceFlops(), 2 * (14 + 18) + 2 * (27 + 18) + 3 + 2 * (12 + 6) + 8);
    config.replaySamples = 10;
    EXPECT_EQ(MakeGaussianBelief(config)->CountUpdateFlops(0), 20 * 21);
    // Of one parameter: each operation on matrices is one on numbers, a factor and its mean three,
    // a decomposition nine, its root three
    config = {};
    config.theta = {1};
    config.observers = {{}};
    config.seeds = {1};
    const auto scalar = MakeGaussianBelief(config);
    EXPECT_EQ(scalar->CountPoolFlops(2, BeliefPooling::MOMENT), 2 * (9 + 4) + 5);
    EXPECT_EQ(scalar->CountPoolFlops(2, BeliefPooling::WASSERSTEIN), 2 * 9 + 5 + 100 * 58);
    EXPECT_EQ(scalar->CountPoolFlops(2, BeliefPooling::COVARIANCE_INTERSECTION), 8 + 200 * 337);
}

TEST(GaussianBeliefTest, WrongConfigurationsAreRefusedWithTheReason)
{
    const auto complain = [](const auto& change) {
        GaussianBeliefConfig config = MakeConfig();
        change(config);
        return tests::ErrorOf([&] { MakeGaussianBelief(config); });
    };
    EXPECT_EQ(complain([](auto&) {}), "");
    EXPECT_THAT(complain([](auto& config) { config.theta = {}; }), HasSubstr("parameters"));
    EXPECT_THAT(complain([](auto& config) { config.theta[1] = NAN; }), HasSubstr("nan"));
    EXPECT_THAT(complain([](auto& config) { config.noise = 0; }), HasSubstr("noise 0"));
    EXPECT_THAT(complain([](auto& config) { config.priorVariance = -1; }), HasSubstr("-1"));
    EXPECT_THAT(complain([](auto& config) { config.evidencePower = NAN; }), HasSubstr("nan"));
    EXPECT_THAT(complain([](auto& config) { config.seeds = {}; }),
                HasSubstr("1 observers with 0 seeds"));
    EXPECT_THAT(complain([](auto& config) { config.observers[0].low = {1}; }),
                HasSubstr("1 to 2 features instead of 2"));
    EXPECT_THAT(complain([](auto& config) { config.observers[0].low[1] = 2; }),
                HasSubstr("feature 1 from 2 to 1.5"));
    EXPECT_THAT(complain([](auto& config) { config.test.high = {}; }), HasSubstr("2 to 0"));
    EXPECT_THAT(complain([](auto& config) { config.batchSize = 0; }), HasSubstr("batch"));
    EXPECT_THAT(complain([](auto& config) { config.testSamples = 0; }), HasSubstr("test"));
}

// Fig. 1 of the paper
TEST(GaussianBeliefTest, CooperationLearnsWhatFigureOneShows)
{
    constexpr std::size_t first = 100;
    constexpr std::size_t last = 1000;
    const std::array<std::array<double, 2>, 4> expected = {
        {{0.0144, 0.00144}, {0.0200, 0.00157}, {0.491, 0.481}, {0.095, 0.085}}};
    const std::array<FigureOneErrors, 2> errors = {MeasureFigureOne(first), MeasureFigureOne(last)};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        for (std::size_t n = 0; n < errors.size(); ++n)
        {
            const Estimate estimate = EstimateMean(errors[n][i]);
            // Both are means over 200 seeds: three standard errors of their difference, and what
            // the expected one was rounded by
            const double tolerance = 3 * std::sqrt(2) * estimate.error + 0.006 * expected[i][n];
            EXPECT_NEAR(estimate.mean, expected[i][n], tolerance)
                << "row " << i << ", n " << (n == 0 ? first : last);
        }
    }
}
