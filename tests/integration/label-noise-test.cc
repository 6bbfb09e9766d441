/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"

#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return the samples of three devices, of which the last one has bad labels of some kind
ScenarioSamples
Prepare(const std::string& labelNoise, const std::string& lowQuality)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    CommonParameters p;
    p.devices = 3;
    p.dataSet = "gaussian-classes";
    p.samples = 40;
    p.minimumSamples = 30;
    p.referenceSamples = 4;
    p.testSamples = 10;
    p.alpha = 100; // several classes a device
    p.lowQuality = lowQuality;
    p.labelNoise = labelNoise;
    return PrepareSamples(p);
}

/// @return by which numbers labels differ, modulo the number of classes
std::set<int64_t>
FindShifts(const DataView& before, const DataView& after)
{
    const auto classes = static_cast<int64_t>(before.data->classes);
    std::set<int64_t> shifts;
    for (std::size_t i = 0; i < before.labels.size(); ++i)
    {
        shifts.insert((after.labels[i] - before.labels[i] + classes) % classes);
    }
    return shifts;
}

} // namespace

TEST(LabelNoiseTest, PermuteDealsADevicesLabelsOutAnew)
{
    const auto clean = Prepare("permute", "none");
    const auto noisy = Prepare("permute", "2");
    for (uint32_t device = 0; device < 3; ++device)
    {
        EXPECT_EQ(noisy.train[device].indices, clean.train[device].indices);
        EXPECT_EQ(noisy.test[device].labels, clean.test[device].labels) << "true ones";
    }
    EXPECT_EQ(noisy.train[0].labels, clean.train[0].labels);
    EXPECT_EQ(noisy.train[1].labels, clean.train[1].labels);
    EXPECT_GT(FindShifts(clean.train[2], noisy.train[2]).size(), 2U) << "no common shift";
    auto before = clean.train[2].labels;
    auto after = noisy.train[2].labels;
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(after, before) << "as many of each class as before";
}

TEST(LabelNoiseTest, ShiftIsOneNumberForAllLabels)
{
    const auto clean = Prepare("shift", "none");
    const auto noisy = Prepare("shift", "2");
    EXPECT_EQ(noisy.train[1].labels, clean.train[1].labels);
    const auto shifts = FindShifts(clean.train[2], noisy.train[2]);
    ASSERT_EQ(shifts.size(), 1U);
    EXPECT_NE(*shifts.begin(), 0);
}

TEST(LabelNoiseTest, AutomaticOnesAreTwoAndNineIfThereAreSoMany)
{
    using Devices = std::vector<uint32_t>;
    for (const auto& [devices, expected] : {std::pair(2U, Devices{}),
                                            std::pair(3U, Devices{2}),
                                            std::pair(9U, Devices{2}),
                                            std::pair(10U, Devices{2, 9})})
    {
        CommonParameters p;
        p.devices = devices;
        EXPECT_EQ(p.GetLowQualityDevices(), expected) << devices;
    }
}
