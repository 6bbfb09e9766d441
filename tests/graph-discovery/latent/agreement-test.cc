/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latent-inputs.h"

#include "ns3/graph-discovery-agreement.h"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

/// @param agreement of a system
/// @param expected ratio of means, sum and mean ratio
void
ExpectAgreement(const SystemAgreement& agreement, const std::vector<double>& expected)
{
    EXPECT_NEAR(agreement.Get(AgreementRule::RATIO_OF_MEANS), expected[0], 1e-11);
    EXPECT_NEAR(agreement.Get(AgreementRule::SUM), expected[1], 1e-8);
    EXPECT_NEAR(agreement.Get(AgreementRule::MEAN_RATIO), expected[2], 1e-10);
}

/// @param[out] agreement gets the reference's clusters before
/// @param devices of which
void
SetAllBefore(SystemAgreement& agreement, const std::vector<uint32_t>& devices)
{
    for (const uint32_t device : devices)
    {
        agreement.SetBefore(device, GetClusters(latent_reference::SYSTEM_BEFORE, device));
    }
}

/// @param[out] agreement gets the reference's clusters after
/// @param devices of which
void
SetAllAfter(SystemAgreement& agreement, const std::vector<uint32_t>& devices)
{
    for (const uint32_t device : devices)
    {
        agreement.SetAfter(device, GetClusters(latent_reference::SYSTEM_AFTER, device));
    }
}

TEST(Agreement, FollowsItsDefinition)
{
    SystemAgreement agreement(latent_reference::DEVICES, AgreementRule::SUM);
    SetAllBefore(agreement, {0, 1, 2, 3});
    SetAllAfter(agreement, {0, 1, 2, 3});
    ExpectAgreement(agreement, latent_reference::AGREEMENT);
    EXPECT_EQ(agreement.Get(), agreement.Get(AgreementRule::SUM));
}

TEST(Agreement, IsThatOfThoseThatAreKnown)
{
    SystemAgreement agreement(latent_reference::DEVICES, AgreementRule::RATIO_OF_MEANS);
    EXPECT_EQ(agreement.Get(), 0);
    SetAllBefore(agreement, {3});
    EXPECT_EQ(agreement.Get(), 0);
    SetAllBefore(agreement, {0, 1});
    EXPECT_EQ(agreement.Get(), 0) << "nothing has changed";
    EXPECT_EQ(agreement.Get(AgreementRule::MEAN_RATIO), 1);
    SetAllAfter(agreement, {1, 3, 0});
    ExpectAgreement(agreement, latent_reference::AGREEMENT_THREE);
}

TEST(Agreement, ChangesOfOneDeviceGiveWhatAllAnewGive)
{
    SystemAgreement changed(latent_reference::DEVICES, AgreementRule::RATIO_OF_MEANS);
    SetAllBefore(changed, {3, 2, 1, 0});
    SetAllAfter(changed, {1, 2, 3});
    changed.SetAfter(1, GetClusters(latent_reference::SYSTEM_BEFORE, 1));
    changed.SetAfter(3, GetClusters(latent_reference::SYSTEM_BEFORE, 3));
    SetAllAfter(changed, {0});
    ExpectAgreement(changed, latent_reference::AGREEMENT_CHANGED);

    SystemAgreement anew(latent_reference::DEVICES, AgreementRule::RATIO_OF_MEANS);
    SetAllBefore(anew, {0, 1, 2, 3});
    SetAllAfter(anew, {0, 2});
    for (const AgreementRule rule :
         {AgreementRule::RATIO_OF_MEANS, AgreementRule::SUM, AgreementRule::MEAN_RATIO})
    {
        EXPECT_EQ(changed.Get(rule), anew.Get(rule)) << "to the last bit";
    }
}

TEST(Agreement, WhatWasBeforeMayChangeToo)
{
    SystemAgreement agreement(latent_reference::DEVICES, AgreementRule::RATIO_OF_MEANS);
    for (const uint32_t device : {0, 1, 2, 3})
    {
        agreement.SetBefore(device, GetClusters(latent_reference::SYSTEM_AFTER, device));
    }
    SetAllBefore(agreement, {0, 1, 2, 3}); // the next edge begins
    SetAllAfter(agreement, {0, 1, 2, 3});
    ExpectAgreement(agreement, latent_reference::AGREEMENT);
}

TEST(Agreement, EqualClustersGiveFiniteRatios)
{
    SystemAgreement agreement(2, AgreementRule::SUM);
    const auto same = GetClusters(latent_reference::SYSTEM_BEFORE, 0);
    agreement.SetBefore(0, same);
    agreement.SetBefore(1, GetClusters(latent_reference::SYSTEM_BEFORE, 1));
    agreement.SetAfter(1, same);
    EXPECT_TRUE(std::isfinite(agreement.Get()));
    EXPECT_GT(agreement.Get(), 1e6);
}

TEST(Agreement, RefusesWhatHasNoDivergence)
{
    SystemAgreement agreement(2, AgreementRule::SUM);
    auto clusters = GetClusters(latent_reference::SYSTEM_BEFORE, 0);
    agreement.SetBefore(0, clusters);
    EXPECT_THROW(agreement.SetBefore(2, clusters), std::invalid_argument);
    EXPECT_THROW(agreement.SetAfter(2, clusters), std::invalid_argument);
    EXPECT_THROW(agreement.SetAfter(0, {clusters[0]}), std::invalid_argument);
    EXPECT_THROW(agreement.SetAfter(1, clusters), std::invalid_argument) << "unknown before";
    clusters[1].covariance(0, 0) = -1;
    EXPECT_THROW(agreement.SetAfter(0, clusters), std::invalid_argument);
    GaussianCluster narrow;
    narrow.mean = {1};
    narrow.covariance = Matrix<double>(1, 1, 1.0);
    EXPECT_THROW(agreement.SetBefore(1, {narrow}), std::invalid_argument);
}

} // namespace
