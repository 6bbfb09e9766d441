/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-site.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace
{

using namespace ns3::collab;
using Numbers = std::vector<double>;

/// A product of Gaussian factors of one weight
struct Factor
{
    double product = 0;   //!< m / s^2
    double precision = 0; //!< 1 / s^2
};

/// Users with conjugate likelihoods, for which (5) has an exact answer
class BeliefSiteTest : public testing::Test
{
  protected:
    BeliefSiteTest()
    {
        m_w.values = {0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.4, 0, 0.6};
        m_v = ComputeInfluence(m_w);
    }

    /// @param powers of the likelihoods in the pool
    /// @param instants number of them
    /// @return the factor that users believe in, by user
    std::vector<Factor>
    Learn(const Numbers& powers, uint32_t instants) const
    {
        std::vector<BeliefSite> sites;
        for (const double influence : m_v)
        {
            sites.emplace_back(influence, 1);
        }
        std::vector<Factor> rho(3, m_prior);
        for (uint32_t instant = 0; instant < instants; ++instant)
        {
            std::vector<Factor> told(3);
            for (std::size_t i = 0; i < 3; ++i)
            {
                const Numbers before = ToNumbers(rho[i]);
                Factor q = ToFactor(sites[i].MakeCavity(before));
                q.product += powers[i] * m_v[i] * m_likelihoods[i].product;
                q.precision += powers[i] * m_v[i] * m_likelihoods[i].precision;
                sites[i].Add(before, ToNumbers(q));
                told[i] = q;
            }
            for (std::size_t i = 0; i < 3; ++i)
            {
                rho[i] = {};
                for (std::size_t j = 0; j < 3; ++j)
                {
                    rho[i].product += m_w(i, j) * told[j].product;
                    rho[i].precision += m_w(i, j) * told[j].precision;
                }
            }
        }
        return rho;
    }

    /// @return mean and deviation
    static Numbers
    ToNumbers(const Factor& factor)
    {
        return {factor.product / factor.precision, 1 / std::sqrt(factor.precision)};
    }

    /// @return the factor of a mean and a deviation
    static Factor
    ToFactor(const Numbers& numbers)
    {
        const double precision = 1 / (numbers[1] * numbers[1]);
        return {precision * numbers[0], precision};
    }

    Matrix<double> m_w{3, 3}; //!< directed
    Numbers m_v;              //!< influences, not equal
    const Factor m_prior{1, 2};
    const std::vector<Factor> m_likelihoods = {{3, 4}, {-5, 1}, {2, 8}};
};

TEST_F(BeliefSiteTest, UsersEndAtTheCentralPosteriorWithDataCountedOnce)
{
    const auto users = Learn({1 / m_v[0], 1 / m_v[1], 1 / m_v[2]}, 400);
    for (const Factor& user : users)
    {
        EXPECT_NEAR(user.precision, 2 + 4 + 1 + 8, 1e-9);
        EXPECT_NEAR(user.product, 1 + 3 - 5 + 2, 1e-9);
    }
}

TEST_F(BeliefSiteTest, WithoutPowersLikelihoodsCountByInfluence)
{
    Factor expected = m_prior;
    for (std::size_t i = 0; i < 3; ++i)
    {
        expected.precision += m_v[i] * m_likelihoods[i].precision;
        expected.product += m_v[i] * m_likelihoods[i].product;
    }
    for (const Factor& user : Learn({1, 1, 1}, 400))
    {
        EXPECT_NEAR(user.precision, expected.precision, 1e-9);
        EXPECT_NEAR(user.product, expected.product, 1e-9);
    }
}

TEST_F(BeliefSiteTest, CavitiesAreDistributions)
{
    BeliefSite site(0.5, 1);
    EXPECT_EQ(site.MakeCavity({3, 2}), (Numbers{3, 2}));
    site.Add({0, 1}, {1, 0.5}); // precision 3, product 4
    EXPECT_NEAR(site.MakeCavity({1, 0.5})[1], 1 / std::sqrt(2.5), 1e-12);
    EXPECT_NEAR(site.MakeCavity({1, 0.5})[0], 2 / 2.5, 1e-12);
    EXPECT_NEAR(site.MakeCavity({1, 1})[1], 10, 1e-9) << "a hundredth of the belief's precision";
}

TEST_F(BeliefSiteTest, RefusesInfluencesThatAreNone)
{
    for (const double influence : {0.0, -0.1, 1.1, std::nan("")})
    {
        EXPECT_THROW(BeliefSite(influence, 1), std::invalid_argument);
        EXPECT_THROW(BeliefSite(1, 1).SetInfluence(influence), std::invalid_argument);
    }
}

} // namespace
