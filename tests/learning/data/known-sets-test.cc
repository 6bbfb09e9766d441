/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/test-data.h"

#include "ns3/collab-data-set-catalog.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace known_sets_test
{

using namespace ns3::collab;
using Json = nlohmann::json;

/// Go on with a hash of features by FNV-1a.
void
Feed(const void* bytes, std::size_t size, uint64_t& hash)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ static_cast<const uint8_t*>(bytes)[i]) * 1099511628211U;
    }
}

/// @return FNV-1a of all its features
std::string
HashFeatures(const DataSet& data)
{
    uint64_t hash = 14695981039346656037U;
    Feed(data.features.data(), data.features.size(), hash);
    Feed(data.numbers.data(), data.numbers.size() * sizeof(float), hash);
    Feed(data.tokens.data(), data.tokens.size() * sizeof(int32_t), hash);
    return std::to_string(hash);
}

/// @return who each sample comes from
std::vector<std::string>
UsersOf(const DataSet& data)
{
    std::vector<std::string> users;
    for (const uint32_t user : data.users)
    {
        users.push_back(data.userNames.at(user));
    }
    return users;
}

/// @return the same of a part of known-sets.json
std::vector<std::string>
UsersOf(const Json& expected)
{
    std::vector<std::string> users;
    for (const std::size_t user : expected["users"])
    {
        users.push_back(expected["user_names"].at(user));
    }
    return users;
}

/// Expect a part of a converted set as the loader of its original files gave it.
void
ExpectSame(const DataSet& data, const Json& expected)
{
    EXPECT_EQ(ToString(data.kind), expected["kind"].get<std::string>());
    EXPECT_EQ(Json(data.sampleShape), expected["shape"]);
    EXPECT_EQ(data.classes, expected["classes"]);
    EXPECT_EQ(data.outputs, expected["outputs"]);
    EXPECT_EQ(data.vocabulary, expected["vocabulary"]);
    EXPECT_EQ(Json(data.offset), expected["offset"]);
    EXPECT_EQ(Json(data.scale), expected["scale"]);
    EXPECT_EQ(Json(data.labels), expected["labels"]);
    EXPECT_EQ(UsersOf(data), UsersOf(expected));
    EXPECT_EQ(data.CountFeatures(), expected["count"]);
    EXPECT_EQ(HashFeatures(data), expected["fnv1a"].get<std::string>());
    if (expected.contains("tokens"))
    {
        EXPECT_EQ(Json(data.tokens), expected["tokens"]);
    }
    ASSERT_EQ(data.tokenVectors != nullptr, expected.contains("vectors"));
    if (data.tokenVectors)
    {
        EXPECT_EQ(data.tokenVectors->rows, expected["vectors"]["rows"]);
        EXPECT_EQ(data.tokenVectors->columns, expected["vectors"]["columns"]);
        EXPECT_EQ(Json(data.tokenVectors->values), expected["vectors"]["values"]);
    }
}

// What is expected was printed when the module still read the original files by itself.
TEST(KnownSetsTest, ConvertedFilesGiveWhatTheOriginalsGave)
{
    std::ifstream file(GetTestData("known-sets.json"));
    const Json expected = Json::parse(file);
    for (const char* name : {"femnist", "radioml-2016.10a", "sentiment140", "shakespeare", "svhn"})
    {
        for (const bool train : {true, false})
        {
            SCOPED_TRACE(std::string(name) + (train ? " train" : " test"));
            DataSetOptions options;
            options.folder = GetTestData(std::string("sets/") + name);
            options.train = train;
            options.testFraction = 0.5; // of radioml-2016.10a alone
            ExpectSame(*LoadDataSet(name, options), expected[name][train ? "train" : "test"]);
        }
    }
}

} // namespace known_sets_test
