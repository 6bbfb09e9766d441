/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "belief-theory-reference.h"

#include "ns3/belief-consensus-loss-rates.h"
#include "ns3/belief-consensus-mixing.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = belief_theory_reference;

namespace
{

/// @param actual has the elements that are given
void
ExpectNear(const Matrix<double>& actual, const std::vector<double>& expected, double tolerance)
{
    ASSERT_EQ(actual.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(actual.values[i], expected[i], tolerance) << "element " << i;
    }
}

/**
 * @brief The algorithm itself, for a rival of whom each user has its own information.
 *
 * Labels are right with probability 0.7 for user 0 and 0.6 for all others.
 */
class LossySimulation
{
  public:
    /// @param w W
    /// @param missing p
    /// @param policy what users do
    LossySimulation(Matrix<double> w, Matrix<double> missing, MissingBeliefPolicy policy)
        : m_w(std::move(w)),
          m_missing(std::move(missing)),
          m_policy(policy),
          m_rho(m_w.rows, 0),
          m_heard(m_w.rows, std::vector<double>(m_w.rows, std::nan("")))
    {
    }

    /// @param instants how many
    /// @return mean log ratio of all users after them, by instant
    double
    MeasureRate(uint32_t instants)
    {
        for (uint32_t k = 0; k < instants; ++k)
        {
            Step();
        }
        double sum = 0;
        for (const double rho : m_rho)
        {
            sum += rho;
        }
        return sum / (m_w.rows * static_cast<double>(instants));
    }

    /// @param user index
    /// @return probability of its right labels
    static double
    GetAccuracy(std::size_t user)
    {
        return user == 0 ? .7 : .6;
    }

  private:
    /// @return a number from [0, 1)
    double
    Draw()
    {
        return static_cast<double>(m_random() >> 11) * 0x1p-53;
    }

    /// @brief One instant.
    void
    Step()
    {
        std::vector<double> beliefs = m_rho;
        for (std::size_t j = 0; j < beliefs.size(); ++j)
        {
            const double accuracy = GetAccuracy(j);
            const double ratio = std::log(accuracy / (1 - accuracy));
            beliefs[j] += Draw() < accuracy ? ratio : -ratio;
        }
        for (std::size_t i = 0; i < beliefs.size(); ++i)
        {
            m_rho[i] = Pool(i, beliefs);
        }
    }

    /// @param i a user
    /// @param beliefs everybody's log ratios
    /// @return its own after the pool
    double
    Pool(std::size_t i, const std::vector<double>& beliefs)
    {
        double sum = m_w(i, i) * beliefs[i];
        double weight = m_w(i, i);
        for (std::size_t j = 0; j < beliefs.size(); ++j)
        {
            if (j == i || m_w(i, j) == 0)
            {
                continue;
            }
            double heard = std::nan("");
            if (Draw() >= m_missing(i, j))
            {
                heard = m_heard[i][j] = beliefs[j];
            }
            else if (m_policy == MissingBeliefPolicy::SELF)
            {
                heard = beliefs[i];
            }
            else if (m_policy == MissingBeliefPolicy::STALE)
            {
                heard = m_heard[i][j];
            }
            sum += std::isnan(heard) ? 0 : m_w(i, j) * heard;
            weight += std::isnan(heard) ? 0 : m_w(i, j);
        }
        return weight > 0 ? sum / weight : beliefs[i];
    }

    Matrix<double> m_w;                       //!< W
    Matrix<double> m_missing;                 //!< p
    MissingBeliefPolicy m_policy;             //!< what users do
    std::vector<double> m_rho;                //!< log ratios of truth and rival
    std::vector<std::vector<double>> m_heard; //!< newest of each by each; NaN for none
    std::mt19937_64 m_random{1};              //!< of labels and losses
};

/// @return I_j of the only rival, hypothesis 1
Matrix<double>
MakeInformation(std::size_t users)
{
    Matrix<double> information(users, 2);
    for (std::size_t j = 0; j < users; ++j)
    {
        const double accuracy = LossySimulation::GetAccuracy(j);
        information(j, 1) = (2 * accuracy - 1) * std::log(accuracy / (1 - accuracy));
    }
    return information;
}

/// @param policy learns as fast as predicted where user 0, who knows most, is seldom heard
void
ExpectPredictedRate(MissingBeliefPolicy policy)
{
    const auto w = MakeReferenceWeights(5);
    Matrix<double> missing(5, 5);
    for (std::size_t i = 0; i < 5; ++i)
    {
        for (std::size_t j = 0; j < 5; ++j)
        {
            missing(i, j) = i == j ? 0 : j == 0 ? .8 : .1;
        }
    }
    const auto information = MakeInformation(5);
    const auto predicted = PredictRates(w, missing, policy, information);
    const double measured = LossySimulation(w, missing, policy).MeasureRate(400000);
    // Standard error: 0.6 nat / sqrt(400000) or less, a percent of the rate
    EXPECT_NEAR(measured / predicted.rates[1], 1, .02);
    EXPECT_EQ(predicted.rates[0], 0);
    // And not as without losses
    const auto lossless = PredictRates(w, Matrix<double>(5, 5), policy, information);
    EXPECT_GT(std::abs(measured / lossless.rates[1] - 1), .1);
}

} // namespace

TEST(BeliefLossRates, SelfKeepsLostWeights)
{
    ExpectNear(ComputeExpectedWeights(
                   MakeReferenceWeights(8), MakeReferenceLosses(8), MissingBeliefPolicy::SELF),
               reference::EXPECTED_SELF_8,
               1e-14);
    // Symmetric W and losses keep v
    const auto w = MakeSquare(3, {.5, .3, .2, .3, .4, .3, .2, .3, .5});
    const auto missing = MakeSquare(3, {0, .1, .6, .1, 0, .3, .6, .3, 0});
    const auto v = ComputeInfluence(ComputeExpectedWeights(w, missing, MissingBeliefPolicy::SELF));
    EXPECT_NEAR(v[0], 1.0 / 3, 1e-15);
    EXPECT_NEAR(v[2], 1.0 / 3, 1e-15);
}

TEST(BeliefLossRates, RenormalizeAgreesWithEnumeration)
{
    const auto expect = [](std::size_t users, const std::vector<double>& expected) {
        ExpectNear(ComputeExpectedWeights(MakeReferenceWeights(users),
                                          MakeReferenceLosses(users),
                                          MissingBeliefPolicy::RENORMALIZE),
                   expected,
                   1e-11);
    };
    expect(3, reference::EXPECTED_RENORMALIZED_3);
    expect(5, reference::EXPECTED_RENORMALIZED_5);
    expect(8, reference::EXPECTED_RENORMALIZED_8);
}

TEST(BeliefLossRates, RenormalizeByHand)
{
    // User 0 hears 1 (weight .2, lost half the time) and never 2; user 1 has no weight of its own
    const auto w = MakeSquare(3, {.3, .2, .5, 1, 0, 0, 0, .5, .5});
    const auto missing = MakeSquare(3, {0, .5, 1, .25, 0, 0, 0, 0, 0});
    ExpectNear(ComputeExpectedWeights(w, missing, MissingBeliefPolicy::RENORMALIZE),
               {.8, .2, 0, .75, .25, 0, 0, .5, .5},
               1e-12);
    // Equal weights 1/4 of four: E[1 / (1 + Bin(3, .5))] of own ones, by symmetry a mean over
    // counts
    const Matrix<double> uniform(4, 4, .25);
    Matrix<double> half(4, 4, .5);
    for (std::size_t i = 0; i < 4; ++i)
    {
        half(i, i) = 0;
    }
    const auto expected = ComputeExpectedWeights(uniform, half, MissingBeliefPolicy::RENORMALIZE);
    EXPECT_NEAR(expected(2, 2), (1 + 3 / 2.0 + 3 / 3.0 + 1 / 4.0) / 8, 1e-12);
}

TEST(BeliefLossRates, WithoutLossNothingChanges)
{
    const auto w = MakeReferenceWeights(5);
    const Matrix<double> none(5, 5);
    for (const auto policy : {MissingBeliefPolicy::SELF, MissingBeliefPolicy::RENORMALIZE})
    {
        ExpectNear(ComputeExpectedWeights(w, none, policy), w.values, 1e-12);
    }
    const auto stale = PredictRates(w, none, MissingBeliefPolicy::STALE, MakeInformation(5));
    const auto self = PredictRates(w, none, MissingBeliefPolicy::SELF, MakeInformation(5));
    EXPECT_NEAR(stale.rates[1], self.rates[1], 1e-14);
}

TEST(BeliefLossRates, StaleBeliefsAreOnTheirWay)
{
    const auto information = MakeInformation(8);
    const auto w = MakeReferenceWeights(8);
    const auto lossless =
        PredictRates(w, Matrix<double>(8, 8), MissingBeliefPolicy::STALE, information);
    const auto lossy =
        PredictRates(w, MakeReferenceLosses(8), MissingBeliefPolicy::STALE, information);
    EXPECT_NEAR(lossless.rates[1] / lossy.rates[1], 1 + reference::MEAN_AGE_8, 1e-12);
}

TEST(BeliefLossRates, WhoIsNeverHeardHasNoWeight)
{
    const auto predicted = PredictRates(MakeSquare(2, {.9, .1, .6, .4}),
                                        MakeSquare(2, {0, 1, 0, 0}),
                                        MissingBeliefPolicy::STALE,
                                        MakeInformation(2));
    EXPECT_NEAR(predicted.rates[1], MakeInformation(2)(0, 1), 1e-14); // all that user 0 knows

    auto w = MakeReferenceWeights(3);
    const auto missing = MakeSquare(3, {0, .5, 1, .2, 0, .3, .4, .1, 0});
    const auto rates =
        PredictRates(w, missing, MissingBeliefPolicy::STALE, MakeInformation(3)).rates;
    const double measured =
        LossySimulation(w, missing, MissingBeliefPolicy::STALE).MeasureRate(400000);
    EXPECT_NEAR(measured / rates[1], 1, .02);
}

TEST(BeliefLossRates, SelfIsMeasured)
{
    ExpectPredictedRate(MissingBeliefPolicy::SELF);
}

TEST(BeliefLossRates, RenormalizeIsMeasured)
{
    ExpectPredictedRate(MissingBeliefPolicy::RENORMALIZE);
}

TEST(BeliefLossRates, StaleIsMeasured)
{
    ExpectPredictedRate(MissingBeliefPolicy::STALE);
}

TEST(BeliefLossRates, GossipIsSlowedDownByAirtimeByHand)
{
    EXPECT_DOUBLE_EQ(ComputeToldAge(0, 5), 0);
    EXPECT_DOUBLE_EQ(ComputeToldAge(0.1, 5), 0.15); // 0.1 + 5 * 0.01 / (2 * 0.5)
    EXPECT_THROW(ComputeToldAge(0.2, 5), std::invalid_argument);
    // A ring of four: each hears two neighbors five times a second with a third of the weight
    Matrix<double> weights(4, 4);
    Matrix<double> arrivals(4, 4);
    for (std::size_t i = 0; i < 4; ++i)
    {
        for (const std::size_t j : {(i + 1) % 4, (i + 3) % 4})
        {
            weights(i, j) = 1.0 / 3;
            arrivals(i, j) = 5;
        }
    }
    const std::vector<double> even(4, 0.25);
    EXPECT_DOUBLE_EQ(ComputeGossipSlowdown(weights, arrivals, even, {0.15, 0.15, 0.15, 0.15}), 1.5);
    EXPECT_DOUBLE_EQ(ComputeGossipSlowdown(weights, arrivals, even, {0, 0, 0, 0}), 1);
}

TEST(BeliefLossRates, GossipByHand)
{
    // User 0 hears 1 twice a second with weight .5, user 1 hears 0 once with .25: v-bar is 1 : 4
    const auto predicted = PredictGossipRates(
        MakeSquare(2, {0, .5, .25, 0}), MakeSquare(2, {0, 2, 1, 0}), {10, 3}, MakeInformation(2));
    EXPECT_NEAR(predicted.influence[0], .2, 1e-15);
    const double expected = .2 * 10 * MakeInformation(2)(0, 1) + .8 * 3 * MakeInformation(2)(1, 1);
    EXPECT_NEAR(predicted.rates[1], expected, 1e-14);
}

TEST(BeliefLossRates, GossipIsMeasured)
{
    const auto pairWeights = MakeReferenceWeights(3);
    const auto arrivals = MakeReferenceLosses(3); // as rates [1/s]
    const std::vector<double> updates{.5, 1, 2};
    const double predicted =
        PredictGossipRates(pairWeights, arrivals, updates, MakeInformation(3)).rates[1];
    // In a step of 0.01 s nearly nothing happens twice
    std::mt19937_64 random(3);
    const auto happens = [&](double rate) {
        return static_cast<double>(random() >> 11) * 0x1p-53 < rate * .01;
    };
    std::vector<double> rho(3, 0);
    constexpr uint32_t STEPS = 2000000;
    for (uint32_t k = 0; k < STEPS; ++k)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            rho[i] += happens(updates[i]) ? MakeInformation(3)(i, 1) : 0;
            const std::size_t j = (i + 1 + random() % 2) % 3;
            if (happens(2 * arrivals(i, j)))
            {
                rho[i] += pairWeights(i, j) * (rho[j] - rho[i]);
            }
        }
    }
    EXPECT_NEAR(rho[0] / (STEPS * .01) / predicted, 1, .02);
}

TEST(BeliefLossRates, ChecksArguments)
{
    const auto w = MakeReferenceWeights(3);
    const auto information = MakeInformation(3);
    EXPECT_THROW(ComputeExpectedWeights(w, Matrix<double>(2, 2), MissingBeliefPolicy::SELF),
                 std::invalid_argument);
    EXPECT_THROW(ComputeExpectedWeights(w, Matrix<double>(3, 3, .5), MissingBeliefPolicy::SELF),
                 std::invalid_argument); // nobody misses itself
    EXPECT_THROW(ComputeExpectedWeights(w, Matrix<double>(3, 3), MissingBeliefPolicy::STALE),
                 std::invalid_argument);
    EXPECT_THROW(PredictRates(w, Matrix<double>(3, 3), MissingBeliefPolicy::SELF, {}),
                 std::invalid_argument);
    EXPECT_THROW(PredictGossipRates(w, MakeReferenceLosses(3), {1, 1}, information),
                 std::invalid_argument);
    EXPECT_THROW(PredictGossipRates(w, Matrix<double>(3, 3), {1, 1, 1}, information),
                 std::invalid_argument); // nobody hears anybody
    EXPECT_THROW(PredictGossipRates(w, MakeReferenceLosses(3), {1, 1, -1}, information),
                 std::invalid_argument);
}
