/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/beliefs/belief-numbers.h"
#include "support/refusals.h"

#include "ns3/belief-consensus-discrete.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace ns3::collab;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using tests::GetComplaint;
using tests::Learn;
using tests::MakeBelief;
using tests::MakeCentralConfig;
using tests::RunAlone;

namespace
{

Belief
FromProbabilities(std::vector<double> probabilities)
{
    for (double& probability : probabilities)
    {
        probability = std::log(probability);
    }
    return MakeBelief(std::move(probabilities));
}

std::vector<double>
ToProbabilities(const Belief& belief)
{
    std::vector<double> probabilities = *belief;
    for (double& probability : probabilities)
    {
        probability = std::exp(probability);
    }
    return probabilities;
}

/// Two inputs of which the second always comes, three labels of which always the last one: nothing
/// is random. Its likelihoods under the three hypotheses are 0.5, 0.3 and 0.2.
DiscreteObserver
MakeCertainObserver()
{
    DiscreteObserver observer;
    observer.inputs = {0, 1};
    Matrix<double> other(3, 3, 1.0 / 3);
    Matrix<double> seen(3, 3);
    seen.values = {0.1, 0.4, 0.5, 0.5, 0.2, 0.3, 0.7, 0.1, 0.2};
    observer.likelihoods = {other, seen};
    observer.truth = Matrix<double>(2, 3);
    observer.truth.values = {1, 0, 0, 0, 0, 1};
    return observer;
}

DiscreteBeliefConfig
MakeConfig(const DiscreteObserver& observer, uint64_t seed = 1)
{
    DiscreteBeliefConfig config;
    config.observers = {std::make_shared<const DiscreteObserver>(observer)};
    config.seeds = {seed};
    config.best = {0};
    return config;
}

/// Users that see the bits 0, 1, 0, 1... of the word 2 of two bits
std::vector<DiscreteBeliefConfig>
MakeBitConfigs(std::size_t users)
{
    std::vector<DiscreteBeliefConfig> configs;
    for (std::size_t i = 0; i < users; ++i)
    {
        configs.push_back(MakeConfig(MakeBitObserver(2, i % 2, 0.7, 2), 100 + i));
        configs.back().best = {2};
        configs.back().logPrior = {0, -1, 0.5, 0.25};
    }
    return configs;
}

/// What the hypotheses' log ratios to the last one rise by
std::vector<double>
GetEvidence(const Belief& prior, const Belief& posterior)
{
    std::vector<double> evidence;
    for (std::size_t i = 0; i < prior->size(); ++i)
    {
        evidence.push_back((*posterior)[i] - posterior->back() - (*prior)[i] + prior->back());
    }
    return evidence;
}

std::vector<std::unique_ptr<BeliefModel>>
MakeModels(const std::vector<DiscreteBeliefConfig>& configs)
{
    std::vector<std::unique_ptr<BeliefModel>> models;
    for (const DiscreteBeliefConfig& config : configs)
    {
        models.push_back(MakeDiscreteBelief(config));
    }
    return models;
}

std::string
GetConfigComplaint(const DiscreteBeliefConfig& config)
{
    return tests::ErrorOf([&] { MakeDiscreteBelief(config); });
}

} // namespace

TEST(DiscreteBeliefTest, AnUpdateIsBayesRule)
{
    DiscreteBeliefConfig config = MakeConfig(MakeCertainObserver());
    config.logPrior = {std::log(2.0), std::log(3.0), std::log(5.0)};
    const auto model = MakeDiscreteBelief(config);
    EXPECT_THAT(ToProbabilities(model->GetPrior()),
                Pointwise(DoubleNear(1e-15), std::vector<double>{0.2, 0.3, 0.5}));
    const Belief posterior = model->Update(model->GetPrior(), 0);
    // 0.2 * 0.5 : 0.3 * 0.3 : 0.5 * 0.2
    EXPECT_THAT(ToProbabilities(posterior),
                Pointwise(DoubleNear(1e-15), std::vector<double>{10. / 29, 9. / 29, 10. / 29}));
    EXPECT_TRUE(model->IsProper(posterior));
}

TEST(DiscreteBeliefTest, ABatchOfPoweredEvidenceMultipliesIt)
{
    DiscreteBeliefConfig config = MakeConfig(MakeCertainObserver());
    config.batchSize = 2;
    config.evidencePower = 1.5;
    const auto model = MakeDiscreteBelief(config);
    // Cubes of 5 : 3 : 2
    EXPECT_THAT(ToProbabilities(model->Update(model->GetPrior(), 0)),
                Pointwise(DoubleNear(1e-15), std::vector<double>{125. / 160, 27. / 160, 8. / 160}));
}

TEST(DiscreteBeliefTest, ThePoolIsTheWeightedGeometricMean)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    // Square roots of 0.02 * 0.5 : 0.9 * 0.1 : 0.08 * 0.4 = 0.01 : 0.09 : 0.032
    const std::vector<WeightedBelief> beliefs = {{FromProbabilities({0.02, 0.9, 0.08}), 0.5},
                                                 {FromProbabilities({0.5, 0.1, 0.4}), 0.5}};
    const double sum = 0.1 + 0.3 + std::sqrt(0.032);
    const std::vector<double> expected = {0.1 / sum, 0.3 / sum, std::sqrt(0.032) / sum};
    for (const BeliefPooling pooling : {BeliefPooling::LOGARITHMIC, BeliefPooling::CLIPPED})
    {
        EXPECT_THAT(ToProbabilities(model->Pool(beliefs, pooling)),
                    Pointwise(DoubleNear(1e-15), expected));
    }
    // Unequal weights: 0.2^(1/4) 0.2^(3/4) : 0.5^(1/4) 0.1^(3/4) : ...
    const Belief unequal = model->Pool(
        {{FromProbabilities({0.2, 0.5, 0.3}), 0.25}, {FromProbabilities({0.2, 0.1, 0.7}), 0.75}},
        BeliefPooling::LOGARITHMIC);
    EXPECT_NEAR((*unequal)[0] - (*unequal)[1], std::log(0.2 / (0.1 * std::pow(5, 0.25))), 1e-15);
}

TEST(DiscreteBeliefTest, TheLinearPoolIsTheWeightedMean)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    EXPECT_THAT(ToProbabilities(model->Pool({{FromProbabilities({0.2, 0.5, 0.3}), 0.25},
                                             {FromProbabilities({0.6, 0.1, 0.3}), 0.75}},
                                            BeliefPooling::MOMENT)),
                Pointwise(DoubleNear(1e-15), std::vector<double>{0.5, 0.2, 0.3}));
    // What underflows keeps its order; who has no weight is not asked
    const Belief far = model->Pool({{MakeBelief({0, -2000, -3000}), 0.25},
                                    {MakeBelief({-3000, 0, -2000}), 0.75},
                                    {MakeBelief({-3000, -2000, 0}), 0}},
                                   BeliefPooling::MOMENT);
    EXPECT_NEAR((*far)[0], std::log(0.25), 1e-12);
    EXPECT_NEAR((*far)[1], std::log(0.75), 1e-12);
    EXPECT_NEAR((*far)[2], std::log(0.75) - 2000, 1e-9);
}

TEST(DiscreteBeliefTest, OtherPoolsAreRefused)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    for (const BeliefPooling pooling :
         {BeliefPooling::WASSERSTEIN, BeliefPooling::COVARIANCE_INTERSECTION})
    {
        EXPECT_THROW(model->Pool({{model->GetPrior(), 1}}, pooling), std::invalid_argument);
    }
}

// log ratio of i = sum_k sum_j (W^k)_ij z_j^(n-k+1) + sum_j (W^n)_ij of the prior
TEST(DiscreteBeliefTest, InstantsUnrollIntoPowersOfWeights)
{
    constexpr std::size_t users = 3;
    constexpr uint32_t instants = 25;
    const double weights[users][users] = {{0.6, 0.4, 0}, {0, 0.5, 0.5}, {0.3, 0.2, 0.5}};
    std::vector<DiscreteBeliefConfig> configs = MakeBitConfigs(users);
    configs[1].logPrior = {1, 2, -3, 0.125};
    std::vector<std::unique_ptr<BeliefModel>> models;
    std::vector<Belief> beliefs;
    for (const DiscreteBeliefConfig& config : configs)
    {
        models.push_back(MakeDiscreteBelief(config));
        beliefs.push_back(models.back()->GetPrior());
    }
    std::vector<std::vector<std::vector<double>>> seen; // instant, user, hypothesis
    for (uint32_t k = 0; k < instants; ++k)
    {
        std::vector<Belief> updated;
        seen.emplace_back();
        for (std::size_t i = 0; i < users; ++i)
        {
            updated.push_back(models[i]->Update(beliefs[i], k));
            seen.back().push_back(GetEvidence(beliefs[i], updated.back()));
        }
        for (std::size_t i = 0; i < users; ++i)
        {
            std::vector<WeightedBelief> heard = {{updated[i], weights[i][i]}};
            for (std::size_t j = 0; j < users; ++j)
            {
                if (j != i && weights[i][j] > 0)
                {
                    heard.push_back({updated[j], weights[i][j]});
                }
            }
            beliefs[i] = models[i]->Pool(heard, BeliefPooling::LOGARITHMIC);
        }
    }
    for (std::size_t i = 0; i < users; ++i)
    {
        std::vector<double> row(users, 0.0); // of W^k
        row[i] = 1;
        std::vector<double> ratios(4, 0.0);
        for (uint32_t k = 1; k <= instants; ++k)
        {
            std::vector<double> next(users, 0.0);
            for (std::size_t l = 0; l < users; ++l)
            {
                for (std::size_t j = 0; j < users; ++j)
                {
                    next[j] += row[l] * weights[l][j];
                }
            }
            row = next;
            for (std::size_t j = 0; j < users; ++j)
            {
                for (std::size_t h = 0; h < 4; ++h)
                {
                    const double prior = configs[j].logPrior[h] - configs[j].logPrior[3];
                    ratios[h] += row[j] * (seen[instants - k][j][h] + (k == instants ? prior : 0));
                }
            }
        }
        for (std::size_t h = 0; h < 4; ++h)
        {
            EXPECT_NEAR((*beliefs[i])[h] - (*beliefs[i])[3], ratios[h], 1e-9) << i << " " << h;
        }
    }
}

TEST(DiscreteBeliefTest, ACentralUserSeesExactlyWhatTheUsersSee)
{
    const std::vector<DiscreteBeliefConfig> configs = MakeBitConfigs(5);
    const auto central = MakeDiscreteBelief(MakeCentralConfig(configs));
    const auto users = MakeModels(configs);
    const Belief prior = central->GetPrior();
    for (uint32_t k = 0; k < 50; ++k)
    {
        std::vector<double> sum(4, 0.0);
        for (const auto& user : users)
        {
            const std::vector<double> seen = GetEvidence(prior, user->Update(prior, k));
            std::transform(sum.begin(), sum.end(), seen.begin(), sum.begin(), std::plus<>());
        }
        EXPECT_THAT(GetEvidence(prior, central->Update(prior, k)),
                    Pointwise(DoubleNear(1e-12), sum));
    }
}

// prior * prod_j l_j^(1/N), and with the network's power the central posterior
TEST(DiscreteBeliefTest, ACompleteGraphHasTheCentralPosteriorOnlyWithPoweredEvidence)
{
    constexpr std::size_t users = 6;
    constexpr uint32_t instants = 200;
    std::vector<DiscreteBeliefConfig> configs = MakeBitConfigs(users);
    const DiscreteBeliefConfig central = MakeCentralConfig(configs);
    DiscreteBeliefConfig cold = central;
    cold.evidencePower = 1.0 / users;
    const Matrix<double> w(users, users, 1.0 / users);
    const auto paper = Learn(MakeModels(configs), w, instants)[0].back();
    EXPECT_THAT(paper, Pointwise(DoubleNear(1e-9), *RunAlone(*MakeDiscreteBelief(cold), instants)));
    const Belief exact = RunAlone(*MakeDiscreteBelief(central), instants);
    EXPECT_GT(std::abs(paper[0] - (*exact)[0]), 10);
    for (DiscreteBeliefConfig& config : configs)
    {
        config.evidencePower = users;
    }
    EXPECT_THAT(Learn(MakeModels(configs), w, instants)[0].back(),
                Pointwise(DoubleNear(1e-9), *exact));
}

TEST(DiscreteBeliefTest, ReplayCountsTheSameSamplesEveryInstant)
{
    DiscreteBeliefConfig config = MakeConfig(MakeBitObserver(1, 0, 0.7, 1), 7);
    const Belief streamed = RunAlone(*MakeDiscreteBelief(config), 40);
    config.replaySamples = 40;
    const auto model = MakeDiscreteBelief(config);
    const Belief once = model->Update(model->GetPrior(), 0);
    EXPECT_THAT(*once, Pointwise(DoubleNear(1e-12), *streamed));
    const Belief twice = model->Update(once, 1);
    EXPECT_NEAR((*twice)[0] - (*twice)[1], 2 * ((*once)[0] - (*once)[1]), 1e-12);
    EXPECT_GT(std::abs((*once)[0] - (*once)[1]), 1);
}

TEST(DiscreteBeliefTest, SamplesFollowTheTruthAndTheSeed)
{
    DiscreteObserver observer;
    observer.inputs = {0.3, 0.7};
    // The two hypotheses' ratio tells input and label
    Matrix<double> first(2, 3);
    first.values = {0.1, 0.2, 0.7, 0.4, 0.5, 0.1};
    Matrix<double> second(2, 3);
    second.values = {0.3, 0.3, 0.4, 0.27, 0.13, 0.6};
    observer.likelihoods = {first, second};
    observer.truth = Matrix<double>(2, 3);
    observer.truth.values = {0.5, 0.3, 0.2, 0.1, 0.3, 0.6};
    const auto model = MakeDiscreteBelief(MakeConfig(observer, 5));
    const auto same = MakeDiscreteBelief(MakeConfig(observer, 5));
    const auto other = MakeDiscreteBelief(MakeConfig(observer, 6));
    constexpr uint32_t samples = 20000;
    std::vector<double> counts(6, 0.0);
    uint32_t equal = 0;
    for (uint32_t k = 0; k < samples; ++k)
    {
        const double ratio = GetEvidence(model->GetPrior(), model->Update(model->GetPrior(), k))[0];
        for (std::size_t cell = 0; cell < 6; ++cell)
        {
            const Matrix<double>& law = observer.likelihoods[cell / 3];
            const double expected = std::log(law(0, cell % 3) / law(1, cell % 3));
            counts[cell] += std::abs(ratio - expected) < 1e-9 ? 1 : 0;
        }
        EXPECT_EQ(GetEvidence(same->GetPrior(), same->Update(same->GetPrior(), k))[0], ratio);
        const std::vector<double> others =
            GetEvidence(other->GetPrior(), other->Update(other->GetPrior(), k));
        equal += others[0] == ratio ? 1 : 0;
    }
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), samples);
    double chiSquare = 0;
    for (std::size_t cell = 0; cell < 6; ++cell)
    {
        const double expected =
            samples * observer.inputs[cell / 3] * observer.truth(cell / 3, cell % 3);
        chiSquare += (counts[cell] - expected) * (counts[cell] - expected) / expected;
    }
    EXPECT_LT(equal, samples / 2); // a quarter is, by chance
    EXPECT_LT(chiSquare, 20.52);   // of 5 degrees of freedom: exceeded by one seed of a thousand
}

TEST(DiscreteBeliefTest, EndlessEvidenceStaysFinite)
{
    DiscreteBeliefConfig config = MakeConfig(MakeBitObserver(2, 0, 0.7, 1));
    config.best = {1, 3}; // the other bit is not seen
    const auto model = MakeDiscreteBelief(config);
    constexpr uint32_t instants = 100000;
    const Belief belief = RunAlone(*MakeDiscreteBelief(config), instants);
    ASSERT_TRUE(model->IsProper(belief));
    EXPECT_NEAR((*belief)[1], std::log(0.5), 1e-6);
    // 0.4 log(7/3) an instant, with a standard deviation of sqrt(0.84) log(7/3)
    const double deviation = std::sqrt(0.84 * instants) * std::log(7.0 / 3);
    EXPECT_NEAR(model->Evaluate(belief)[1], 0.4 * std::log(7.0 / 3) * instants, 4 * deviation);
    EXPECT_NEAR(model->Evaluate(belief)[0], 1, 1e-9);
    EXPECT_THAT(*model->Pool({{belief, 0.5}, {model->FromWire(model->ToWire(belief)), 0.5}},
                             BeliefPooling::LOGARITHMIC),
                Pointwise(DoubleNear(1e-6), *belief));
}

TEST(DiscreteBeliefTest, MetricsSayWhetherTheTruthIsBelieved)
{
    DiscreteBeliefConfig config = MakeConfig(MakeBitObserver(2, 0, 0.7, 1));
    config.best = {1, 3};
    const auto model = MakeDiscreteBelief(config);
    std::vector<std::string> names;
    for (const Metric& metric : model->GetMetrics())
    {
        names.push_back(metric.name);
    }
    EXPECT_THAT(names, ElementsAre("belief_true", "log_ratio", "error", "confident"));
    const auto evaluate = [&model](std::vector<double> probabilities) {
        return model->Evaluate(FromProbabilities(std::move(probabilities)));
    };
    // Confident: each wrong one under 1/8
    EXPECT_THAT(
        evaluate({0.12, 0.5, 0.12, 0.26}),
        Pointwise(DoubleNear(1e-12), std::vector<double>{0.76, std::log(0.5 / 0.12), 0, 1}));
    EXPECT_THAT(
        evaluate({0.13, 0.5, 0.11, 0.26}),
        Pointwise(DoubleNear(1e-12), std::vector<double>{0.76, std::log(0.5 / 0.13), 0, 0}));
    EXPECT_THAT(evaluate({0.1, 0.3, 0.4, 0.2}),
                Pointwise(DoubleNear(1e-12), std::vector<double>{0.5, std::log(0.75), 1, 0}));
}

TEST(DiscreteBeliefTest, ARivalAsProbableIsAnErrorOneOfTheBestIsNot)
{
    DiscreteBeliefConfig config = MakeConfig(MakeBitObserver(2, 0, 0.7, 1));
    config.best = {1, 3};
    const auto model = MakeDiscreteBelief(config);
    const auto getError = [&model](std::vector<double> logs) {
        return model->Evaluate(MakeBelief(std::move(logs)))[2];
    };
    EXPECT_EQ(getError({-1, -1, -9, -9}), 1);         // the wrong one comes first
    EXPECT_EQ(getError({-9, -1, -1, -9}), 1);         // the right one does
    EXPECT_EQ(getError({-9, -1, -1 - 9e-10, -9}), 1); // near enough
    EXPECT_EQ(getError({-9, -1, -1 - 2e-9, -9}), 0);
    EXPECT_EQ(getError({-9, -1, -9, -1}), 0);
}

TEST(DiscreteBeliefTest, TheDistanceIsTheSpanOfTheDifference)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    const Belief first = MakeBelief({-1, -5, -2.5});
    const Belief second = MakeBelief({-3, -0.5, -2});
    EXPECT_EQ(model->GetDistance(first, second), 2 + 4.5);
    EXPECT_EQ(model->GetDistance(second, first), 6.5);
    EXPECT_EQ(model->GetDistance(first, MakeBelief({-11, -15, -12.5})), 0);
}

TEST(DiscreteBeliefTest, BeliefsTravelWithTheGreatestSubtracted)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    EXPECT_EQ(model->GetWireCount(), 3);
    EXPECT_TRUE(model->IsDouble());
    const Belief belief = FromProbabilities({1e-300, 0.75, 0.25});
    std::vector<double> wire = model->ToWire(belief);
    EXPECT_EQ(wire[1], 0);
    EXPECT_NEAR(wire[2], std::log(1.0 / 3), 1e-15);
    EXPECT_THAT(*model->FromWire(wire), Pointwise(DoubleNear(1e-12), *belief));
    for (double& number : wire)
    {
        number = static_cast<double>(static_cast<float>(number));
    }
    const Belief rounded = model->FromWire(wire);
    EXPECT_THAT(*rounded, Pointwise(DoubleNear(691 * std::ldexp(1, -24)), *belief));
    const std::vector<double> probabilities = ToProbabilities(rounded);
    EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-15);
}

TEST(DiscreteBeliefTest, ImproperNumbersAreRefusedWithTheReason)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    EXPECT_THAT(GetComplaint(*model, {0, 0}), HasSubstr("2 log probabilities for 3 hypotheses"));
    EXPECT_THAT(GetComplaint(*model, {0, 0, 0, 0}), HasSubstr("4 log probabilities"));
    EXPECT_THAT(GetComplaint(*model, {0, NAN, 0}), HasSubstr("hypothesis 1 is nan"));
    EXPECT_THAT(GetComplaint(*model, {0, 0, -INFINITY}), HasSubstr("hypothesis 2 is -inf"));
    EXPECT_THAT(GetComplaint(*model, {INFINITY, 0, 0}), HasSubstr("hypothesis 0 is inf"));
    EXPECT_THAT(GetComplaint(*model, {1.7e308, -1.7e308, 0}), HasSubstr("too far apart"));
    EXPECT_FALSE(model->IsProper(MakeBelief({0, 0})));
    EXPECT_FALSE(model->IsProper(MakeBelief({0, 0, 0, NAN})));
    EXPECT_FALSE(model->IsProper(MakeBelief({0, NAN, 0})));
    EXPECT_FALSE(model->IsProper(MakeBelief({0, -INFINITY, 0})));
    EXPECT_TRUE(model->IsProper(MakeBelief({0, -1e5, -1e300})));
}

TEST(DiscreteBeliefTest, LiesAreWhatTheySay)
{
    DiscreteBeliefConfig config = MakeConfig(MakeCertainObserver());
    config.best = {0, 2};
    const auto model = MakeDiscreteBelief(config);
    const Belief belief = FromProbabilities({0.5, 0.25, 0.25});
    const Belief wrong = model->FromWire(model->Forge(BeliefLie::WRONG, 30, belief));
    EXPECT_NEAR((*wrong)[1] - (*wrong)[0], 30, 1e-12);
    EXPECT_NEAR((*wrong)[1] - (*wrong)[2], 30, 1e-12);
    const Belief bold = model->FromWire(model->Forge(BeliefLie::OVERCONFIDENT, 3, belief));
    EXPECT_THAT(ToProbabilities(bold),
                Pointwise(DoubleNear(1e-15), std::vector<double>{0.8, 0.1, 0.1}));
    const std::vector<double> veto = model->Forge(BeliefLie::VETO, 0, belief);
    EXPECT_THAT(veto, ElementsAre(-INFINITY, 0, -INFINITY));
    EXPECT_THAT(GetComplaint(*model, veto), HasSubstr("-inf"));
    const std::vector<double> nan = model->Forge(BeliefLie::NOT_A_NUMBER, 0, belief);
    EXPECT_THAT(nan, testing::SizeIs(3));
    EXPECT_THAT(nan, Each(testing::IsNan()));
    for (const BeliefLie lie : {BeliefLie::NEGATIVE_PRECISION, BeliefLie::NONE, BeliefLie::SILENCE})
    {
        EXPECT_THROW(model->Forge(lie, 1, belief), std::invalid_argument);
    }
}

TEST(DiscreteBeliefTest, OperationsAreCountedAsWritten)
{
    DiscreteBeliefConfig config = MakeCentralConfig(MakeBitConfigs(3));
    config.batchSize = 2;
    const auto model = MakeDiscreteBelief(config);
    // 6 samples, a power, a prior; greatest, exponentials and sums to normalize: 4 (6 + 2 + 5)
    EXPECT_EQ(model->CountUpdateFlops(0), 52);
    EXPECT_EQ(model->CountPoolFlops(3, BeliefPooling::LOGARITHMIC), 4 * (2 * 3 + 5));
    EXPECT_EQ(model->CountPoolFlops(3, BeliefPooling::MOMENT), 4 * (5 * 3 + 1 + 5));
    EXPECT_EQ(model->CountDistanceFlops(), 4 + 3 + 3 + 1);
    config.replaySamples = 10;
    EXPECT_EQ(MakeDiscreteBelief(config)->CountUpdateFlops(9), 4 * (30 + 2 + 5));
}

TEST(DiscreteBeliefTest, FewHypothesesAreDescribed)
{
    const auto model = MakeDiscreteBelief(MakeConfig(MakeCertainObserver()));
    const auto described = model->Describe(FromProbabilities({0.5, 0.2, 0.3}));
    ASSERT_EQ(described.size(), 3);
    EXPECT_EQ(described[1].first, "belief_1");
    EXPECT_NEAR(described[1].second, 0.2, 1e-15);
    const auto many = MakeDiscreteBelief(MakeConfig(MakeBitObserver(8, 0, 0.7, 1)));
    EXPECT_TRUE(many->Describe(many->GetPrior()).empty());
}

TEST(DiscreteBeliefTest, ABitObserverSeesItsBit)
{
    const DiscreteObserver observer = MakeBitObserver(3, 1, 0.9, 2);
    ASSERT_EQ(observer.likelihoods.size(), 1);
    ASSERT_EQ(observer.likelihoods[0].rows, 8);
    for (uint32_t word = 0; word < 8; ++word)
    {
        const bool isSet = word == 2 || word == 3 || word == 6 || word == 7;
        EXPECT_NEAR(observer.likelihoods[0](word, 1), isSet ? 0.9 : 0.1, 1e-15) << word;
        EXPECT_NEAR(observer.likelihoods[0](word, 0), isSet ? 0.1 : 0.9, 1e-15) << word;
    }
    EXPECT_NEAR(observer.truth(0, 1), 0.9, 1e-15);
    EXPECT_NEAR(MakeBitObserver(3, 0, 0.9, 2).truth(0, 1), 0.1, 1e-15);
    EXPECT_THROW(MakeBitObserver(3, 3, 0.9, 2), std::invalid_argument);
    EXPECT_THROW(MakeBitObserver(3, 0, 0.9, 8), std::invalid_argument);
    EXPECT_THROW(MakeBitObserver(3, 0, 1, 2), std::invalid_argument);
    EXPECT_THROW(MakeBitObserver(0, 0, 0.9, 0), std::invalid_argument);
}

TEST(DiscreteBeliefTest, WrongConfigurationsAreRefusedWithTheReason)
{
    const DiscreteBeliefConfig right = MakeConfig(MakeCertainObserver());
    EXPECT_EQ(GetConfigComplaint(right), "");
    const auto complain = [&right](const auto& change) {
        DiscreteBeliefConfig config = right;
        change(config);
        return GetConfigComplaint(config);
    };
    const auto complainOfObserver = [](const auto& change) {
        DiscreteObserver observer = MakeCertainObserver();
        change(observer);
        return GetConfigComplaint(MakeConfig(observer));
    };
    EXPECT_THAT(complain([](auto& config) { config.seeds.push_back(1); }),
                HasSubstr("1 observers with 2 seeds"));
    EXPECT_THAT(complain([](auto& config) { config.observers = {nullptr}; }), HasSubstr("null"));
    EXPECT_THAT(complain([](auto& config) { config.best = {1, 0}; }), HasSubstr("[1, 0]"));
    EXPECT_THAT(complain([](auto& config) { config.best = {3}; }), HasSubstr("[3]"));
    EXPECT_THAT(complain([](auto& config) { config.best = {}; }), HasSubstr("best"));
    EXPECT_THAT(complain([](auto& config) { config.best = {0, 1, 2}; }), HasSubstr("not all"));
    EXPECT_THAT(complain([](auto& config) { config.evidencePower = 0; }), HasSubstr("power 0"));
    EXPECT_THAT(complain([](auto& config) { config.batchSize = 0; }), HasSubstr("batch"));
    EXPECT_THAT(complain([](auto& config) { config.logPrior = {0, 0}; }), HasSubstr("prior"));
    EXPECT_THAT(complain([](auto& config) {
                    config.logPrior = {0, 0, -INFINITY};
                }),
                HasSubstr("-inf"));
    EXPECT_THAT(complainOfObserver([](auto& observer) {
                    observer.inputs = {0.5, 0.4};
                }),
                HasSubstr("sums to 0.9"));
    EXPECT_THAT(complainOfObserver([](auto& observer) { observer.likelihoods.pop_back(); }),
                HasSubstr("1 matrices of likelihoods"));
    EXPECT_THAT(complainOfObserver(
                    [](auto& observer) { observer.likelihoods[1] = Matrix<double>(2, 3, 1. / 3); }),
                HasSubstr("2 hypotheses"));
    EXPECT_THAT(complainOfObserver([](auto& observer) { observer.likelihoods[1].values[0] = 0; }),
                HasSubstr("a likelihood: 0"));
    EXPECT_THAT(complainOfObserver([](auto& observer) { observer.truth(1, 2) = 0.5; }),
                HasSubstr("labels sums to 0.5"));
}
