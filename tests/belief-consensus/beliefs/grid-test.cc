/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/beliefs/belief-numbers.h"
#include "support/refusals.h"

#include "ns3/belief-consensus-discrete.h"
#include "ns3/belief-consensus-gaussian.h"
#include "ns3/collab-random.h"

#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <gtest/gtest.h>

namespace
{

using namespace ns3::collab;
using Point = std::array<double, 3>; //!< intercept and two slopes

constexpr double GRID_NOISE = 0.8;    //!< alpha of Fig. 1
constexpr double GRID_VARIANCE = 0.5; //!< of its prior

/// Example 1 and Fig. 1 of the paper: two users of a line in two variables, each with one of them
class GridTest : public testing::Test
{
  protected:
    GridTest()
    {
        for (const double intercept : {-0.6, -0.3, 0.0})
        {
            for (const double first : {0.0, 0.25, 0.5, 0.75})
            {
                for (const double second : {0.6, 0.8, 1.0, 1.2})
                {
                    m_grid.push_back({intercept, first, second});
                }
            }
        }
    }

    /// @param user 0 or 1, who sees the variable of that number
    /// @return it, with a Gaussian belief
    static std::unique_ptr<BeliefModel>
    MakeGaussianUser(uint32_t user)
    {
        GaussianBeliefConfig config;
        config.theta = {-0.3, 0.5, 0.8};
        config.noise = GRID_NOISE;
        config.priorVariance = GRID_VARIANCE;
        config.observers = {user == 0 ? LinearObserver{{-1, 0}, {1, 0}}
                                      : LinearObserver{{0, -1.5}, {0, 1.5}}};
        config.seeds = {7 + user};
        config.test = {{-1, -1.5}, {1, 1.5}};
        return MakeGaussianBelief(std::move(config));
    }

    /// @param user see MakeGaussianUser()
    /// @return it, with the same samples and a belief about the points of the grid
    std::unique_ptr<BeliefModel>
    MakeGridUser(uint32_t user) const
    {
        DiscreteBeliefConfig config;
        config.hypotheses = m_grid.size();
        config.best = {22}; // -0.3, 0.25, 1: any
        config.drawFlops = 9 * m_grid.size();
        for (const Point& theta : m_grid)
        {
            double square = 0;
            for (const double parameter : theta)
            {
                square += parameter * parameter;
            }
            config.logPrior.push_back(-square / (2 * GRID_VARIANCE));
        }
        config.draws = {[=, grid = m_grid, generator = RandomGenerator(7 + user)]() mutable {
            boost::random::uniform_01<double> uniform;
            Point phi{1, 0, 0};
            const std::array<double, 2> ranges{user == 0 ? 1.0 : 0.0, user == 0 ? 0.0 : 1.5};
            for (std::size_t d = 0; d < 2; ++d)
            {
                phi[d + 1] = -ranges[d] + 2 * ranges[d] * uniform(generator);
            }
            const double mean = -0.3 + 0.5 * phi[1] + 0.8 * phi[2];
            const double label =
                boost::random::normal_distribution<double>(mean, GRID_NOISE)(generator);
            std::vector<double> logs;
            for (const Point& theta : grid)
            {
                const double rest = label - theta[0] - theta[1] * phi[1] - theta[2] * phi[2];
                logs.push_back(-rest * rest / (2 * GRID_NOISE * GRID_NOISE));
            }
            return logs;
        }};
        return MakeDiscreteBelief(std::move(config));
    }

    /// @param numbers h, then the lower triangle of Lambda
    /// @return logarithm of the Gaussian's density but for a constant
    static double
    LogDensity(const std::vector<double>& numbers, const Point& theta)
    {
        double sum = 0;
        std::size_t next = 3;
        for (std::size_t row = 0; row < 3; ++row)
        {
            sum += numbers[row] * theta[row];
            for (std::size_t column = 0; column <= row; ++column)
            {
                sum -= (row == column ? 0.5 : 1) * numbers[next++] * theta[row] * theta[column];
            }
        }
        return sum;
    }

    std::vector<Point> m_grid; //!< Theta_M
};

TEST_F(GridTest, Fig1OnAGridIsTheGaussianFamilyAtItsPoints)
{
    std::vector<std::unique_ptr<BeliefModel>> grid;
    std::vector<std::unique_ptr<BeliefModel>> gaussian;
    for (const uint32_t user : {0, 1})
    {
        grid.push_back(MakeGridUser(user));
        gaussian.push_back(MakeGaussianUser(user));
    }
    Matrix<double> w(2, 2);
    w.values = {0.9, 0.1, 0.6, 0.4};
    const auto beliefs = tests::Learn(grid, w, 50);
    const auto exact = tests::Learn(gaussian, w, 50);
    for (const std::size_t user : {0, 1})
    {
        for (const std::size_t instant : {0, 9, 49})
        {
            const auto& logs = beliefs[user][instant];
            const double constant = logs[0] - LogDensity(exact[user][instant], m_grid[0]);
            for (std::size_t i = 1; i < m_grid.size(); ++i)
            {
                EXPECT_NEAR(logs[i], constant + LogDensity(exact[user][instant], m_grid[i]), 1e-9);
            }
        }
    }
}

TEST_F(GridTest, OperationsAreThoseOfSumsAndOfDraws)
{
    // A sum for the sample, a product and a sum for the power and the prior, and a normalization
    EXPECT_EQ(MakeGridUser(0)->CountUpdateFlops(0), 48U * (1 + 2 + 5) + 9 * 48);
}

TEST_F(GridTest, RefusesWhatIsNoLikelihood)
{
    const auto refused = [](const char* text, std::vector<double> logs) {
        DiscreteBeliefConfig config;
        config.hypotheses = 2;
        config.best = {0};
        config.draws = {[logs] { return logs; }};
        const auto user = MakeDiscreteBelief(std::move(config));
        tests::ExpectRefused(text, [&] { user->Update(user->GetPrior(), 0); });
    };
    refused("3 log-likelihoods", {1, 2, 3});
    refused("2 log-likelihoods, expected 2 finite", {1, -INFINITY});
    DiscreteBeliefConfig config;
    config.best = {0};
    EXPECT_THROW(MakeDiscreteBelief(config), std::invalid_argument); // nothing to see
    config.draws = {[] { return std::vector<double>{0, 0}; }};
    EXPECT_THROW(MakeDiscreteBelief(config), std::invalid_argument); // of no hypotheses
    config.hypotheses = 2;
    EXPECT_NO_THROW(MakeDiscreteBelief(config));
    config.draws.push_back(nullptr);
    EXPECT_THROW(MakeDiscreteBelief(config), std::invalid_argument);
}

} // namespace
