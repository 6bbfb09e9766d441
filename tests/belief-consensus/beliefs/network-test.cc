/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/beliefs/belief-numbers.h"
#include "support/refusals.h"

#include "ns3/belief-consensus-mean-field.h"
#include "ns3/belief-consensus-point.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using tests::MakeBelief;

using Numbers = std::vector<double>;

constexpr uint32_t SAMPLES = 20; //!< of the regression
constexpr double NOISE = 0.5;    //!< standard deviation of its targets

/// @return targets of a line in two variables, with noise
std::shared_ptr<const DataSet>
MakeLine()
{
    RandomGenerator generator(11);
    boost::random::normal_distribution<double> draw;
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {2};
    data->outputs = 1;
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        const double first = draw(generator);
        const double second = 0.7 * draw(generator);
        data->numbers.push_back(static_cast<float>(first));
        data->numbers.push_back(static_cast<float>(second));
        data->targets.push_back(
            static_cast<float>(0.5 * first - 0.8 * second + 0.3 + NOISE * draw(generator)));
    }
    return data;
}

/// @return points of three classes, around 0, 1 and 2 on a diagonal
std::shared_ptr<const DataSet>
MakeClasses()
{
    RandomGenerator generator(12);
    boost::random::normal_distribution<double> draw(0, 0.4);
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {2};
    data->classes = 3;
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        data->labels.push_back(i % 3);
        data->numbers.push_back(static_cast<float>(i % 3 + draw(generator)));
        data->numbers.push_back(static_cast<float>(i % 3 + draw(generator)));
    }
    return data;
}

/// @return a view of all samples
DataView
ViewOf(const std::shared_ptr<const DataSet>& data)
{
    std::vector<uint32_t> indices(data->Size());
    std::iota(indices.begin(), indices.end(), 0U);
    return MakeView(data, indices);
}

/// Logarithm of a Gaussian density but for its constant
double
LogDensity(double x, double mean, double deviation)
{
    return -std::pow((x - mean) / deviation, 2) / 2;
}

class NetworkBeliefTest : public testing::Test
{
  protected:
    NetworkBeliefTest()
    {
        m_learner.model = "linear";
        m_learner.trainData = ViewOf(MakeLine());
        m_learner.optimizer.kind = OptimizerKind::SGD;
        m_learner.variational = VariationalOptions();
        m_learner.variational->initialDeviation = 0.5;
        m_rate = 0.05;
    }

    /// @return settings of a user; a learner of its own
    NetworkBeliefConfig
    MakeConfig() const
    {
        NetworkBeliefConfig config;
        config.learner = MakeTorchLearner(m_learner);
        config.samples = SAMPLES;
        config.batchSize = 6;
        config.learningRate = m_rate;
        config.test = std::make_shared<const DataView>(m_learner.trainData);
        return config;
    }

    /// @return settings of a user that finds the minimum of F
    NetworkBeliefConfig
    MakeExactConfig() const
    {
        NetworkBeliefConfig config = MakeConfig();
        config.batchSize = SAMPLES;
        config.klScale = 2 * NOISE * NOISE;
        config.steps = 8000;
        config.learningRate = 0.01;
        return config;
    }

    /// Sums over all samples, phi being [x 1]: the order of weights
    struct Sums
    {
        std::array<Numbers, 3> squares = {Numbers(3), Numbers(3), Numbers(3)}; //!< phi phi^T
        Numbers targets = Numbers(3);                                          //!< phi y
    };

    /// @return the sums
    static Sums
    SumSamples()
    {
        const auto data = MakeLine();
        Sums sums;
        for (std::size_t i = 0; i < SAMPLES; ++i)
        {
            const Numbers phi{data->numbers[2 * i], data->numbers[2 * i + 1], 1};
            for (std::size_t row = 0; row < 3; ++row)
            {
                sums.targets[row] += phi[row] * data->targets[i];
                for (std::size_t column = 0; column < 3; ++column)
                {
                    sums.squares[row][column] += phi[row] * phi[column];
                }
            }
        }
        return sums;
    }

    /// @param text that the error must contain
    /// @param change of the settings that causes it
    template <typename Change>
    void
    ExpectRefused(const std::string& text, Change change) const
    {
        NetworkBeliefConfig config = MakeConfig();
        change(config);
        tests::ExpectRefused(text, [&] { MakeMeanFieldBelief(std::move(config)); });
    }

    TorchLearnerConfig m_learner; //!< of each user
    double m_rate;                //!< of its training
};

TEST_F(NetworkBeliefTest, GaussiansArePooledAsSaid)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    ASSERT_EQ(user->GetWireCount(), 6U);
    const std::vector<WeightedBelief> beliefs = {
        {MakeBelief({0, 1, -2, 1, 0.5, 3}), 0.75},
        {MakeBelief({4, 1, 2, 0.5, 0.5, 1}), 0.25},
    };
    const auto pool = [&](BeliefPooling pooling) { return *user->Pool(beliefs, pooling); };
    // tau: 3/4 + 1/4 4 = 7/4, 4, 3/4 1/9 + 1/4 = 1/3
    const Numbers expected{16.0 / 7, 1, 1, std::sqrt(4.0 / 7), 0.5, std::sqrt(3)};
    EXPECT_THAT(pool(BeliefPooling::LOGARITHMIC), Pointwise(DoubleNear(1e-14), expected));
    EXPECT_EQ(pool(BeliefPooling::LOGARITHMIC), pool(BeliefPooling::CLIPPED));
    // variance: 3/4 (1 + 1) + 1/4 (1/4 + 9), 1/4, 3/4 (9 + 1) + 1/4 (1 + 9)
    const Numbers mixture{1, 1, -1, std::sqrt(3.8125), 0.5, std::sqrt(10)};
    EXPECT_THAT(pool(BeliefPooling::MOMENT), Pointwise(DoubleNear(1e-14), mixture));
    EXPECT_THAT(pool(BeliefPooling::WASSERSTEIN), ElementsAre(1, 1, -1, 0.875, 0.5, 2.5));
    EXPECT_THROW(pool(BeliefPooling::COVARIANCE_INTERSECTION), std::invalid_argument);
    EXPECT_EQ(user->CountPoolFlops(2, BeliefPooling::LOGARITHMIC), 3U * 13);
    EXPECT_EQ(user->CountPoolFlops(2, BeliefPooling::MOMENT), 3U * 15);
    EXPECT_EQ(user->CountPoolFlops(2, BeliefPooling::WASSERSTEIN), 3U * 6);
    EXPECT_THROW(user->CountPoolFlops(2, BeliefPooling::COVARIANCE_INTERSECTION),
                 std::invalid_argument);
}

TEST_F(NetworkBeliefTest, PoolIsTheProductOfDensities)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    const std::vector<WeightedBelief> beliefs = {
        {MakeBelief({0.3, 1, -2, 0.01, 0.5, 3}), 0.5},
        {MakeBelief({0.4, 1, 2, 0.02, 0.7, 1}), 0.2},
        {MakeBelief({-0.2, 5, 2, 2, 0.3, 1e-3}), 0.3},
    };
    const Belief pool = user->Pool(beliefs, BeliefPooling::LOGARITHMIC);
    for (std::size_t i = 0; i < 3; ++i)
    {
        const auto gap = [&](double x) {
            double sum = -LogDensity(x, (*pool)[i], (*pool)[3 + i]);
            for (const auto& [belief, weight] : beliefs)
            {
                sum += weight * LogDensity(x, (*belief)[i], (*belief)[3 + i]);
            }
            return sum;
        };
        const double constant = gap((*pool)[i]);
        for (const double z : {-3.0, -0.5, 1.0, 4.0})
        {
            EXPECT_NEAR(gap((*pool)[i] + z * (*pool)[3 + i]), constant, 1e-9 * std::abs(constant));
        }
    }
}

TEST_F(NetworkBeliefTest, EqualDeviationsMakeThePoolTheAverage)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    m_learner.variational.reset();
    const auto other = MakePointBelief(MakeConfig());
    Numbers first = *user->GetPrior();
    EXPECT_EQ(user->Evaluate(user->GetPrior()).back(), 0);
    Numbers second = first;
    std::transform(second.begin(), second.begin() + 3, second.begin(), std::negate<>());
    const auto pool = user->Pool({{MakeBelief(first), 0.9}, {MakeBelief(second), 0.1}},
                                 BeliefPooling::LOGARITHMIC);
    first.resize(3);
    second.resize(3);
    const auto average = other->Pool({{MakeBelief(first), 0.9}, {MakeBelief(second), 0.1}},
                                     BeliefPooling::LOGARITHMIC);
    EXPECT_THAT(Numbers(pool->begin(), pool->begin() + 3), Pointwise(DoubleNear(1e-15), *average));
    EXPECT_NEAR(user->Evaluate(pool).back(), 0, 1e-15);
    Numbers wide = *user->GetPrior();
    wide[3] *= 2;
    wide[4] /= 2;
    EXPECT_NEAR(user->Evaluate(MakeBelief(wide)).back(), 2 * std::log(2) / 3, 1e-12);
}

TEST_F(NetworkBeliefTest, DistanceIsTheRootOfJeffreysDivergence)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    const Belief first = MakeBelief({0, 3, 0, 1, 1, 0.1});
    const Belief second = MakeBelief({1, 3, 0, 2, 1, 0.1});
    const double there = std::log(2) + 2.0 / 8 - 0.5;
    const double back = -std::log(2) + 5.0 / 2 - 0.5;
    EXPECT_NEAR(user->GetDistance(first, second), std::sqrt(there + back), 1e-12);
    EXPECT_EQ(user->GetDistance(first, second), user->GetDistance(second, first));
    EXPECT_EQ(user->GetDistance(first, first), 0);
    EXPECT_EQ(user->CountDistanceFlops(), 3U * 12 + 1);
}

TEST_F(NetworkBeliefTest, OnlyDistributionsAreBelieved)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    EXPECT_FALSE(user->IsDouble());
    const Numbers numbers = user->ToWire(user->GetPrior());
    EXPECT_EQ(*user->FromWire(numbers), numbers);
    const Belief came = MakeBelief(numbers);
    EXPECT_EQ(user->FromSharedWire(came), came) << "a copy for each receiver";
    EXPECT_TRUE(user->IsProper(user->GetPrior()));
    const auto refused = [&](const std::string& text, std::size_t place, double number) {
        Numbers wrong = numbers;
        wrong[place] = number;
        EXPECT_FALSE(user->IsProper(MakeBelief(wrong)));
        tests::ExpectRefused<ImproperBelief>(text,
                                             [&] { user->FromSharedWire(MakeBelief(wrong)); });
    };
    refused("number 1 is nan", 1, std::nan(""));
    refused("number 5 is inf", 5, std::numeric_limits<double>::infinity());
    refused("number 0 is 1e+39", 0, 1e39);
    refused("standard deviation 0 is 0", 3, 0);
    refused("standard deviation 2 is -0.5", 5, -0.5);
    refused("standard deviation 1 is 1e-50", 4, 1e-50); // 0 in single precision
    EXPECT_THROW(user->FromWire({1, 2, 3}), ImproperBelief);
    EXPECT_THROW(user->FromWire({}), ImproperBelief);
    EXPECT_TRUE(user->IsProper(MakeBelief({0, 0, 0, 1e-44, 1e38, 1})));
}

TEST_F(NetworkBeliefTest, LiesAreWhatTheyAreCalled)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    const Belief truth = MakeBelief({1, -2, 3, 0.5, 1, 2});
    EXPECT_THAT(user->Forge(BeliefLie::WRONG, 0, truth), ElementsAre(-1, 2, -3, 0.5, 1, 2));
    EXPECT_THAT(user->Forge(BeliefLie::OVERCONFIDENT, 4, truth),
                ElementsAre(1, -2, 3, 0.25, 0.5, 1));
    EXPECT_THAT(user->Forge(BeliefLie::NEGATIVE_PRECISION, 0, truth),
                ElementsAre(1, -2, 3, -0.5, -1, -2));
    EXPECT_THROW(user->FromWire(user->Forge(BeliefLie::NEGATIVE_PRECISION, 0, truth)),
                 ImproperBelief);
    EXPECT_THROW(user->FromWire(user->Forge(BeliefLie::NOT_A_NUMBER, 0, truth)), ImproperBelief);
    EXPECT_THROW(user->Forge(BeliefLie::VETO, 0, truth), std::invalid_argument);
    EXPECT_THROW(user->Forge(BeliefLie::SILENCE, 0, truth), std::invalid_argument);
    EXPECT_THROW(user->Forge(BeliefLie::OVERCONFIDENT, 0, truth), std::invalid_argument);
}

TEST_F(NetworkBeliefTest, UpdateFindsTheMinimumOfF)
{
    const Sums sums = SumSamples();
    for (const double power : {1.0, 3.0})
    {
        Numbers means(3);
        Numbers precisions(3);
        Belief prior;
        const std::vector<uint64_t> seeds{1, 2, 3}; // the steps are random: on average
        for (const uint64_t seed : seeds)
        {
            m_learner.shuffleSeed = seed;
            NetworkBeliefConfig config = MakeExactConfig();
            config.evidencePower = power;
            config.learningRate *= power; // the divergence weighs less
            const auto user = MakeMeanFieldBelief(std::move(config));
            prior = user->GetPrior();
            const Belief belief = user->Update(prior, 0);
            for (std::size_t d = 0; d < 3; ++d)
            {
                means[d] += (*belief)[d] / 3;
                precisions[d] += std::pow((*belief)[3 + d], -2) / 3;
            }
        }
        // The exact posterior has the precision tau0 + sum phi phi^T / alpha^2, and as that times
        // its mean tau0 mu0 + sum phi y / alpha^2. The minimum has its mean, and its diagonal.
        const double weight = power / (NOISE * NOISE);
        for (std::size_t d = 0; d < 3; ++d)
        {
            const double expected = 4 + weight * sums.squares[d][d];
            EXPECT_NEAR(precisions[d], expected, 0.05 * expected) << power;
            double residual = 4 * (means[d] - (*prior)[d]) - weight * sums.targets[d];
            for (std::size_t other = 0; other < 3; ++other)
            {
                residual += weight * sums.squares[d][other] * means[other];
            }
            EXPECT_NEAR(residual / expected, 0, 0.01) << power;
        }
    }
}

TEST_F(NetworkBeliefTest, StreamCountsSamplesOnceAndReplayAtEveryInstant)
{
    const Sums sums = SumSamples();
    for (const bool isStream : {true, false})
    {
        const uint32_t instants = isStream ? SAMPLES / 5 : 2;
        NetworkBeliefConfig config = MakeExactConfig();
        config.stream = isStream;
        config.steps = 4000;
        config.batchSize = isStream ? 5 : SAMPLES;
        config.learningRate = isStream ? 0.004 : 0.02;
        const auto user = MakeMeanFieldBelief(std::move(config));
        Belief belief = user->GetPrior();
        for (uint32_t instant = 0; instant < instants; ++instant)
        {
            belief = user->Update(belief, instant);
        }
        for (std::size_t d = 0; d < 3; ++d)
        {
            const double seen = sums.squares[d][d] / (NOISE * NOISE);
            const double expected = 4 + (isStream ? 1 : instants) * seen;
            EXPECT_NEAR(std::pow((*belief)[3 + d], -2), expected, 0.12 * expected) << isStream;
        }
    }
}

TEST_F(NetworkBeliefTest, NaturalStepsAndCavitiesEndAtThePosteriorWithAllDataCountedOnce)
{
    const Sums sums = SumSamples();
    m_learner.variational->isNatural = true;
    const DataView all = m_learner.trainData;
    std::vector<std::unique_ptr<BeliefModel>> users;
    for (uint32_t user = 0; user < 2; ++user) // each with every second sample
    {
        m_learner.trainData.indices.clear();
        for (uint32_t i = user; i < SAMPLES; i += 2)
        {
            m_learner.trainData.indices.push_back(all.indices[i]);
        }
        m_learner.shuffleSeed = 5 + user;
        NetworkBeliefConfig config = MakeExactConfig();
        config.samples = config.batchSize = SAMPLES / 2;
        config.steps = 50;
        config.learningRate = 0.05;
        config.decay = 0.97;
        config.influence = 0.5;
        config.evidencePower = 2;
        users.push_back(MakeMeanFieldBelief(std::move(config)));
    }
    const Matrix<double> w(2, 2, 0.5);
    const Numbers belief = tests::Learn(users, w, 150)[1].back();
    const Belief prior = users[0]->GetPrior();
    for (std::size_t d = 0; d < 3; ++d) // see UpdateFindsTheMinimumOfF
    {
        const double weight = 1 / (NOISE * NOISE);
        const double expected = 4 + weight * sums.squares[d][d];
        EXPECT_NEAR(std::pow(belief[3 + d], -2), expected, 0.1 * expected);
        double residual = 4 * (belief[d] - (*prior)[d]) - weight * sums.targets[d];
        for (std::size_t other = 0; other < 3; ++other)
        {
            residual += weight * sums.squares[d][other] * belief[other];
        }
        EXPECT_NEAR(residual / expected, 0, 0.01);
    }
    m_learner.variational->isNatural = false; // SGD: 33 a weight, and 2 a number
    NetworkBeliefConfig config = MakeExactConfig();
    config.batchSize = SAMPLES / 2;
    config.steps = 50;
    const auto other = MakeMeanFieldBelief(std::move(config));
    EXPECT_EQ(users[0]->CountUpdateFlops(0) - 3 * 22,
              other->CountUpdateFlops(0) - 50 * 3 * (37 - 36));
}

TEST_F(NetworkBeliefTest, CavitiesThatOverflowAreNotTaken)
{
    NetworkBeliefConfig config = MakeExactConfig();
    config.influence = 1;
    config.steps = 200;
    const auto user = MakeMeanFieldBelief(std::move(config));
    const Belief belief = user->Update(user->GetPrior(), 0); // surer by more than the prior was
    EXPECT_NO_THROW(user->Update(MakeBelief({3e38, 3e38, 3e38, 0.5, 0.5, 0.5}), 1));
    EXPECT_TRUE(user->IsProper(user->Update(belief, 2)));
}

TEST_F(NetworkBeliefTest, StreamEnds)
{
    NetworkBeliefConfig config = MakeConfig(); // 6, 6 and 8 samples
    config.stream = true;
    config.steps = 3;
    const auto user = MakeMeanFieldBelief(std::move(config));
    const auto learner = MakeTorchLearner(m_learner);
    TrainTask task;
    task.steps = 3;
    task.positions = {0, 1, 2, 3, 4, 5};
    task.batchSize = 8;
    for (uint32_t instant = 0; instant < 2; ++instant)
    {
        EXPECT_EQ(user->CountUpdateFlops(instant), learner->CountTrainFlops(task));
    }
    task.positions = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(user->CountUpdateFlops(2), learner->CountTrainFlops(task));
    EXPECT_EQ(user->CountUpdateFlops(3), 0U);
    EXPECT_EQ(user->CountUpdateFlops(std::numeric_limits<uint32_t>::max()), 0U);
    Belief belief = user->GetPrior();
    for (uint32_t instant = 0; instant < 3; ++instant)
    {
        const Belief before = belief;
        belief = user->Update(before, instant);
        EXPECT_NE(*belief, *before);
    }
    EXPECT_EQ(user->Update(belief, 3), belief);
}

TEST_F(NetworkBeliefTest, AStreamOfLessThanABatchHasOneInstant)
{
    NetworkBeliefConfig config = MakeConfig();
    config.stream = true;
    config.batchSize = SAMPLES + 1;
    const auto user = MakeMeanFieldBelief(std::move(config));
    EXPECT_GT(user->CountUpdateFlops(0), 0U);
    EXPECT_EQ(user->CountUpdateFlops(1), 0U);
}

TEST_F(NetworkBeliefTest, ReplayTakesBatchesOfAll)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    TrainTask task;
    task.steps = 2;
    task.batchSize = 6;
    EXPECT_EQ(user->CountUpdateFlops(0), MakeTorchLearner(m_learner)->CountTrainFlops(task));
    EXPECT_EQ(user->CountUpdateFlops(1000000), user->CountUpdateFlops(0));
}

TEST_F(NetworkBeliefTest, SameSeedsSameBeliefs)
{
    const auto run = [this](uint64_t streamSeed, double klScale, double power) {
        NetworkBeliefConfig config = MakeConfig();
        config.stream = true;
        config.streamSeed = streamSeed;
        config.klScale = klScale;
        config.evidencePower = power;
        const auto user = MakeMeanFieldBelief(std::move(config));
        const Belief first = user->Update(user->GetPrior(), 0);
        user->Evaluate(user->GetPrior()); // changes nothing
        return *user->Update(first, 1);
    };
    EXPECT_EQ(run(1, 0.5, 1), run(1, 0.5, 1));
    EXPECT_NE(run(1, 0.5, 1), run(2, 0.5, 1));
    EXPECT_EQ(run(1, 0.5, 1), run(1, 2, 4));
    EXPECT_NE(run(1, 0.5, 1), run(1, 0.5, 4));
}

TEST_F(NetworkBeliefTest, DivergenceIsToldAndForgotten)
{
    m_learner.optimizer.momentum = 0.9;
    m_rate = 1e30;
    NetworkBeliefConfig config = MakeConfig();
    config.decay = 1e-40;
    config.steps = 5;
    const auto user = MakeMeanFieldBelief(std::move(config));
    const Belief prior = user->GetPrior();
    const Belief diverged = user->Update(prior, 0);
    EXPECT_FALSE(user->IsProper(diverged));
    EXPECT_EQ(user->Update(diverged, 1), diverged); // an improper prior stays one
    EXPECT_TRUE(user->IsProper(user->Update(prior, 2)));
}

TEST_F(NetworkBeliefTest, PointsFollowTheGradientAndAreAveraged)
{
    m_learner.variational.reset();
    NetworkBeliefConfig config = MakeConfig();
    config.batchSize = SAMPLES;
    config.steps = 1;
    config.decay = 0.5;
    const auto user = MakePointBelief(std::move(config));
    const auto learner = MakeTorchLearner(m_learner);
    ASSERT_EQ(user->GetWireCount(), 3U);
    const Belief prior = user->GetPrior();
    const auto gradient = learner->ComputeGradient({}).gradient;
    Numbers expected = *prior;
    for (std::size_t i = 0; i < 3; ++i)
    {
        expected[i] -= 0.05 / 8 * (*gradient)[i];
    }
    const Belief moved = user->Update(prior, 3);
    EXPECT_THAT(*moved, Pointwise(DoubleNear(1e-6), expected));
    EXPECT_NE(*moved, *prior);
    TrainTask task;
    task.steps = 1;
    task.batchSize = SAMPLES;
    EXPECT_EQ(user->CountUpdateFlops(3), learner->CountTrainFlops(task));

    const Belief other = MakeBelief({(*prior)[0] + 3, (*prior)[1], (*prior)[2] - 4});
    EXPECT_DOUBLE_EQ(user->GetDistance(prior, other), 5);
    EXPECT_EQ(user->CountDistanceFlops(), 9U);
    const Numbers average{(*prior)[0] + 0.75, (*prior)[1], (*prior)[2] - 1};
    for (const auto pooling : {BeliefPooling::LOGARITHMIC,
                               BeliefPooling::CLIPPED,
                               BeliefPooling::MOMENT,
                               BeliefPooling::WASSERSTEIN})
    {
        EXPECT_THAT(*user->Pool({{prior, 0.75}, {other, 0.25}}, pooling),
                    Pointwise(DoubleNear(1e-14), average));
        EXPECT_EQ(user->CountPoolFlops(2, pooling), 9U);
    }
    EXPECT_THROW(user->Pool({{prior, 1}}, BeliefPooling::COVARIANCE_INTERSECTION),
                 std::invalid_argument);
}

TEST_F(NetworkBeliefTest, PointsLieToo)
{
    m_learner.variational.reset();
    const auto user = MakePointBelief(MakeConfig());
    const Belief truth = MakeBelief({1, -2, 3});
    EXPECT_THAT(user->Forge(BeliefLie::WRONG, 0, truth), ElementsAre(-1, 2, -3));
    EXPECT_THAT(user->Forge(BeliefLie::OVERCONFIDENT, 10, truth), ElementsAre(10, -20, 30));
    EXPECT_THROW(user->FromWire(user->Forge(BeliefLie::NOT_A_NUMBER, 0, truth)), ImproperBelief);
    for (const auto lie : {BeliefLie::VETO, BeliefLie::NEGATIVE_PRECISION})
    {
        EXPECT_THROW(user->Forge(lie, 1, truth), std::invalid_argument);
    }
    EXPECT_TRUE(user->IsProper(MakeBelief({0, -1, 1e38})));
    EXPECT_FALSE(user->IsProper(MakeBelief({0, -1, 1e39})));
    EXPECT_FALSE(user->IsProper(MakeBelief({0, -1})));
}

TEST_F(NetworkBeliefTest, RegressionIsMeasured)
{
    const auto user = MakeMeanFieldBelief(MakeConfig());
    const auto metrics = user->GetMetrics();
    ASSERT_EQ(metrics.size(), 2U);
    EXPECT_EQ(metrics[0].name, "test_mse");
    EXPECT_EQ(metrics[1].name, "deviation_shift");
    const double expected = MakeTorchLearner(m_learner)->Evaluate(m_learner.trainData).loss;
    EXPECT_THAT(user->Evaluate(user->GetPrior()), ElementsAre(expected, 0));
    EXPECT_TRUE(user->Describe(user->GetPrior()).empty());
}

TEST_F(NetworkBeliefTest, ClassificationIsMeasured)
{
    m_learner.trainData = ViewOf(MakeClasses());
    const auto evaluate = [this](std::vector<int64_t> seen) {
        NetworkBeliefConfig config = MakeConfig();
        config.seenLabels = std::move(seen);
        config.steps = 300;
        const auto user = MakeMeanFieldBelief(std::move(config));
        const Belief belief = user->Update(user->GetPrior(), 0);
        EXPECT_EQ(user->GetMetrics().size(), 6U);
        EXPECT_EQ(user->GetMetrics()[4].name, "accuracy_unseen");
        Numbers values = user->Evaluate(belief);
        const auto learner = MakeTorchLearner(m_learner);
        learner->SetWeights(
            std::make_shared<const std::vector<float>>(belief->begin(), belief->end()));
        const Score score = learner->Evaluate(m_learner.trainData);
        EXPECT_EQ(values[0], score.accuracy);
        EXPECT_EQ(values[1], score.loss);
        EXPECT_GT(values[2], 0);
        EXPECT_LT(values[2], 1);
        EXPECT_GT(values[5], 0);
        return values;
    };
    const Numbers some = evaluate({0, 2}); // 7, 7 and 6 samples of the classes
    EXPECT_GT(some[0], 0.5);
    EXPECT_NEAR(some[0] * 20, some[3] * 13 + some[4] * 7, 1e-9);
    EXPECT_NE(some[3], some[4]);
    NetworkBeliefConfig config = MakeConfig();
    config.novel = config.test; // of which entropy tells nothing
    config.seenLabels = {0, 2};
    const auto user = MakeMeanFieldBelief(std::move(config));
    const Numbers novel = user->Evaluate(user->GetPrior());
    ASSERT_EQ(novel.size(), 9U);
    EXPECT_EQ(user->GetMetrics()[7].name, "novelty_auroc");
    EXPECT_EQ(novel[7], 0.5);
    const Numbers all = evaluate({0, 1, 2});
    EXPECT_EQ(all[3], all[0]);
    EXPECT_TRUE(std::isnan(all[4]));
}

TEST_F(NetworkBeliefTest, RefusesWhatDoesNotFit)
{
    ExpectRefused("influence 0.5", [](auto& config) {
        config.influence = 0.5;
        config.stream = true;
    });
    ExpectRefused("samples 0", [](auto& config) { config.samples = 0; });
    ExpectRefused("batchSize 0", [](auto& config) { config.batchSize = 0; });
    ExpectRefused("steps 0", [](auto& config) { config.steps = 0; });
    ExpectRefused("learningRate -1", [](auto& config) { config.learningRate = -1; });
    ExpectRefused("decay 1.5", [](auto& config) { config.decay = 1.5; });
    ExpectRefused("evidencePower inf", [](auto& config) { config.evidencePower = INFINITY; });
    ExpectRefused("klScale -1", [](auto& config) { config.klScale = -1; });
    ExpectRefused("needs a learner", [](auto& config) { config.learner.reset(); });
    ExpectRefused("is not below 20 samples", [](auto& config) {
        config.samples = 21;
        config.stream = true;
    });
    ExpectRefused("test:", [](auto& config) { config.test = std::make_shared<const DataView>(); });
    EXPECT_THROW(MakePointBelief(MakeConfig()), std::invalid_argument);
    m_learner.variational.reset();
    ExpectRefused("not variational", [](auto&) {});
    NetworkBeliefConfig config = MakeConfig();
    config.evidencePower = 2;
    EXPECT_THROW(MakePointBelief(std::move(config)), std::invalid_argument);
    config = MakeConfig();
    config.test = nullptr;
    const auto user = MakePointBelief(std::move(config));
    EXPECT_TRUE(user->GetMetrics().empty());
    EXPECT_TRUE(user->Evaluate(user->GetPrior()).empty());
}

} // namespace
