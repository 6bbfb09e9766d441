/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/test-data.h"

#include "ns3/collab-error.h"
#include "ns3/collab-torch-weights.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <string>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

const std::string MODULE = GetTestData("weights/linear.pt");

/// @return what the model reads
ModelInput
MakeInput(uint32_t outputs)
{
    ModelInput input;
    input.sampleShape = {1, 2, 2};
    input.outputs = outputs;
    return input;
}

/**
 * @param path of a file
 * @param text that the error must contain
 * @param outputs of the model
 */
void
ExpectRefused(const std::string& path, const std::string& text, uint32_t outputs = 3)
{
    try
    {
        LoadWeights(path, "linear", MakeInput(outputs));
        ADD_FAILURE() << path << " was accepted";
    }
    catch (const DataFileError& error)
    {
        EXPECT_THAT(error.what(), HasSubstr(path));
        EXPECT_THAT(error.what(), HasSubstr(text));
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
}

TEST(TorchScriptTest, GivesTheWeightsThatPyTorchSaved)
{
    const FlatVector weights = LoadWeights(MODULE, "linear", MakeInput(3));
    ASSERT_EQ(weights->size(), 15);
    for (int i = 0; i < 12; ++i)
    {
        EXPECT_EQ((*weights)[i], static_cast<float>(i) / 8);
    }
    EXPECT_EQ((*weights)[12], -1);
    EXPECT_EQ((*weights)[14], 1);
}

TEST(TorchScriptTest, RefusesWhatIsNoModuleOfTheModel)
{
    ExpectRefused(MODULE, "of shape (3, 4), model linear has (2, 4)", 2);
    ExpectRefused(testing::TempDir() + "no-such-file.pt", "is no TorchScript module");
    const std::string damaged = testing::TempDir() + "collab-damaged.pt";
    std::ifstream file(MODULE, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (const std::size_t size : {std::size_t{0}, std::size_t{100}, bytes.size() - 30})
    {
        std::ofstream(damaged, std::ios::binary) << bytes.substr(0, size);
        ExpectRefused(damaged, "is no TorchScript module");
    }
    std::ofstream(damaged, std::ios::binary) << std::string(1000, 'x');
    ExpectRefused(damaged, "is no TorchScript module");
    std::filesystem::remove(damaged);
}

} // namespace
