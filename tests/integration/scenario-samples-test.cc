/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"
#include "support/refusals.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Parameters of three devices with samples of several classes each
struct ThreeDevices : CommonParameters
{
    ThreeDevices()
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        devices = 3;
        dataSet = "gaussian-classes";
        samples = 40;
        minimumSamples = 30;
        referenceSamples = 4;
        testSamples = 10;
        alpha = 100;
        lowQuality = "none";
    }
};

/// @brief Write a set of users, each of whose samples stand class by class.
/// @param path of the file
void
WriteOrderedUsers(const std::string& path)
{
    constexpr uint32_t USERS = 6;
    constexpr uint32_t CLASSES = 4;
    constexpr uint32_t OF_CLASS = 40; // of each user
    std::string labels;
    std::string users;
    for (uint32_t i = 0; i < USERS * CLASSES * OF_CLASS; ++i)
    {
        users += static_cast<char>(i / (CLASSES * OF_CLASS));
        labels += static_cast<char>(i / OF_CLASS % CLASSES);
    }
    const std::size_t size = labels.size();
    nlohmann::ordered_json header;
    const auto add = [&](const std::string& name, std::vector<std::size_t> shape, std::size_t at) {
        header[name] = {{"dtype", "U8"}, {"shape", shape}, {"data_offsets", {at, at + size}}};
    };
    header["__metadata__"] = {{"user_names", R"(["a","b","c","d","e","f"])"}};
    add("features", {size, 1, 1}, 0);
    add("labels", {size}, size);
    add("users", {size}, 2 * size);
    const std::string text = header.dump();
    const uint64_t length = text.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof(length));
    file << text << labels << labels << users; // a sample's feature is its label
}

/// @return the samples of three devices, of which the last one has bad labels of some kind
ScenarioSamples
Prepare(const std::string& labelNoise, const std::string& lowQuality)
{
    ThreeDevices p;
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

/// Samples of files
using SampleFilesTest = tests::TemporaryFolder;

/// @return the classes of some samples
std::set<int64_t>
FindClasses(const DataView& view)
{
    return {view.labels.begin(), view.labels.end()};
}

} // namespace

TEST(ScenarioSamplesTest, TheGlobalTestSetIsDrawnFromFilesThatAreNotMixed)
{
    const ThreeDevices p;
    const auto samples = PrepareSamples(p);
    const DataSet& all = *samples.global->data;
    ASSERT_TRUE(std::all_of(all.labels.begin(), all.labels.begin() + 8, [&](int64_t label) {
        return label == all.labels[0]; // they stand class by class
    }));
    EXPECT_GT(FindClasses(*samples.global).size(), 2U);
    auto order = samples.testOrder;
    EXPECT_TRUE(
        std::equal(samples.global->indices.begin(), samples.global->indices.end(), order.begin()));
    EXPECT_EQ(PrepareSamples(p).testOrder, order) << "the same for the same seed";
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> each(all.Size());
    std::iota(each.begin(), each.end(), 0);
    EXPECT_EQ(order, each);
}

TEST_F(SampleFilesTest, OwnTestSetsOfUsersAreDrawn)
{
    std::filesystem::create_directories(m_folder);
    WriteOrderedUsers(m_folder / "users.safetensors");
    ThreeDevices p;
    p.dataSet = "file:" + (m_folder / "users.safetensors").string();
    p.partition = "users";
    const auto samples = PrepareSamples(p);
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        EXPECT_EQ(FindClasses(samples.train[device]).size(), 4U) << device;
        EXPECT_EQ(FindClasses(samples.test[device]).size(), 4U) << device;
    }
}

TEST(ScenarioSamplesTest, PartitionsThatCannotBeMadeAreNamed)
{
    ThreeDevices p;
    p.alpha = 0.01;
    p.minimumSamples = 39;
    tests::ExpectRefused<UserError>("--partition=dirichlet is not allowed",
                                    [&] { PrepareSamples(p); });
}

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
