/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/test-files.h"

#include "ns3/collab-data-set-file.h"
#include "ns3/collab-error.h"

#include <cmath>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>

namespace data_set_file_test
{

using namespace ns3::collab;
using namespace tests;
using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A tensor of a file that is made here.
struct Tensor
{
    std::string name;           //!< of the tensor
    std::string type;           //!< dtype
    std::vector<int64_t> sizes; //!< shape
    std::string bytes;          //!< its numbers
};

/// @return bytes of values
template <typename Value>
std::string
Bytes(const std::vector<Value>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// @return two bytes a sample of three samples
Tensor
Features()
{
    return {"features", "U8", {3, 1, 2}, Bytes<uint8_t>({1, 2, 3, 4, 5, 6})};
}

/// @return a tensor of labels
Tensor
Labels(const std::vector<uint8_t>& labels, const std::string& name = "labels")
{
    return {name, "U8", {static_cast<int64_t>(labels.size())}, Bytes(labels)};
}

/// @return a tensor of one number per sample
Tensor
Numbers(const std::vector<float>& numbers, const std::string& name = "features")
{
    return {name, "F32", {static_cast<int64_t>(numbers.size()), 1}, Bytes(numbers)};
}

class DataSetFileTest : public TestFiles
{
  protected:
    /// @return path of a file with tensors and metadata
    std::string
    WriteSet(const std::vector<Tensor>& tensors, const Json& metadata = Json::object()) const
    {
        Json header = {{"__metadata__", metadata}};
        std::string data;
        for (const Tensor& tensor : tensors)
        {
            header[tensor.name] = {
                {"dtype", tensor.type},
                {"shape", tensor.sizes},
                {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
            data += tensor.bytes;
        }
        const std::string text = header.dump();
        return Write("any.safetensors", Bytes<uint64_t>({text.size()}) + text + data);
    }

    /// @return training part of a file, of nearly all samples if it has no test part
    std::shared_ptr<const DataSet>
    Load(const std::vector<Tensor>& tensors, const Json& metadata = Json::object()) const
    {
        const auto data = LoadDataSetFile(WriteSet(tensors, metadata), true, {1e-9, 1});
        data->Validate();
        return data;
    }

    /// Expect that a file with tensors and metadata is refused with a problem.
    void
    ExpectRefused(const std::string& problem,
                  const std::vector<Tensor>& tensors,
                  const Json& metadata = Json::object()) const
    {
        const auto load = [&] { LoadDataSetFile(WriteSet(tensors, metadata), true, {1e-9, 1}); };
        EXPECT_THAT(ErrorOf<DataFileError>(load),
                    AllOf(HasSubstr("any.safetensors: "), HasSubstr(problem)));
    }
};

TEST_F(DataSetFileTest, BytesAndLabels)
{
    const auto data = Load({Features(), Labels({0, 2, 1})});
    EXPECT_EQ(data->name, "any train");
    EXPECT_EQ(data->kind, FeatureKind::BYTES);
    EXPECT_THAT(data->sampleShape, ElementsAre(1, 2));
    EXPECT_THAT(data->features, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(data->labels, ElementsAre(0, 2, 1));
    EXPECT_EQ(data->classes, 3U);
    EXPECT_THAT(data->offset, ElementsAre(0.5F));
    EXPECT_THAT(data->users, IsEmpty());
    EXPECT_EQ(Load({Features(), Labels({0, 0, 0})})->classes, 2U) << "at least";
}

TEST_F(DataSetFileTest, MetadataSaysWhatCannotBeSeen)
{
    const auto named = Load({Features(), Labels({0, 2, 1})},
                            {{"name", "pets"},
                             {"class_names", R"(["a", "b", "c", "d"])"},
                             {"offset", "[0.25]"},
                             {"scale", "[0.125]"}});
    EXPECT_EQ(named->name, "pets train");
    EXPECT_EQ(named->classes, 4U);
    EXPECT_THAT(named->offset, ElementsAre(0.25F));
    EXPECT_THAT(named->scale, ElementsAre(0.125F));
    EXPECT_EQ(Load({Features(), Labels({0, 2, 1})}, {{"classes", "7"}})->classes, 7U);
    const auto numbers = Load({Features(), Labels({0, 2, 1})}, {{"kind", "numbers"}});
    EXPECT_EQ(numbers->kind, FeatureKind::NUMBERS);
    EXPECT_THAT(numbers->numbers, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(DataSetFileTest, NumbersOfEveryPrecision)
{
    const auto numbers = [&](const std::string& type, const std::string& bytes) {
        return Load({{"features", type, {2, 1}, bytes}, Labels({0, 1})}, {{"kind", "numbers"}})
            ->numbers;
    };
    EXPECT_THAT(numbers("F64", Bytes<double>({1.5, -2})), ElementsAre(1.5F, -2));
    EXPECT_THAT(numbers("F32", Bytes<float>({1.5F, -2})), ElementsAre(1.5F, -2));
    EXPECT_THAT(numbers("F16", Bytes<uint16_t>({0x3e00, 0xc000})), ElementsAre(1.5F, -2));
    EXPECT_THAT(numbers("BF16", Bytes<uint16_t>({0x3fc0, 0xc000})), ElementsAre(1.5F, -2));
    EXPECT_THAT(numbers("I64", Bytes<int64_t>({3, -4})), ElementsAre(3, -4));
    EXPECT_THAT(numbers("I32", Bytes<int32_t>({3, -4})), ElementsAre(3, -4));
    EXPECT_THAT(numbers("I16", Bytes<int16_t>({3, -4})), ElementsAre(3, -4));
    EXPECT_THAT(numbers("I8", Bytes<int8_t>({3, -4})), ElementsAre(3, -4));
    EXPECT_THAT(numbers("U32", Bytes<uint32_t>({3, 4294967295U})), ElementsAre(3, 4294967296.0F));
    EXPECT_THAT(numbers("U16", Bytes<uint16_t>({3, 65535})), ElementsAre(3, 65535));
}

TEST_F(DataSetFileTest, Tokens)
{
    const Tensor tokens = {"features", "I64", {2, 3}, Bytes<int64_t>({0, 1, 2, 3, 4, 0})};
    const Tensor vectors = {"token_vectors", "F32", {5, 1}, Bytes<float>({0, 1, 2, 3, 4})};
    const auto data = Load({tokens, Labels({0, 1}), vectors}, {{"vocabulary", "5"}});
    EXPECT_EQ(data->kind, FeatureKind::TOKENS);
    EXPECT_EQ(data->vocabulary, 5U);
    EXPECT_THAT(data->tokens, ElementsAre(0, 1, 2, 3, 4, 0));
    EXPECT_EQ(data->tokenVectors->columns, 1U);
    EXPECT_THAT(data->tokenVectors->values, ElementsAre(0, 1, 2, 3, 4));
    ExpectRefused("metadata \"vocabulary\": not found", {tokens, Labels({0, 1})});
    ExpectRefused(
        "tokens[4] is 4, expected 0 to 3", {tokens, Labels({0, 1})}, {{"vocabulary", "4"}});
    ExpectRefused("5 vectors of tokens", {tokens, Labels({0, 1}), vectors}, {{"vocabulary", "6"}});
}

TEST_F(DataSetFileTest, TargetsAndUsers)
{
    const Tensor targets = {"targets", "F64", {3, 2}, Bytes<double>({1, 2, 3, 4, 5, 6})};
    const Tensor users = {"users", "I32", {3}, Bytes<int32_t>({1, 0, 1})};
    const auto data = Load({Numbers({7, 8, 9}), targets, users}, {{"user_names", R"(["x", "y"])"}});
    EXPECT_EQ(data->outputs, 2U);
    EXPECT_EQ(data->classes, 0U);
    EXPECT_THAT(data->targets, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(data->users, ElementsAre(1, 0, 1));
    EXPECT_THAT(data->userNames, ElementsAre("x", "y"));
    const auto nameless =
        Load({Numbers({7, 8, 9}), {"targets", "F32", {3}, Bytes<float>({1, 2, 3})}, users});
    EXPECT_EQ(nameless->outputs, 1U);
    EXPECT_THAT(nameless->userNames, ElementsAre("0", "1"));
}

TEST_F(DataSetFileTest, PublishedTestPart)
{
    const std::string path = WriteSet({Numbers({1, 3}),
                                       Labels({0, 1}),
                                       Numbers({5, 7, 9}, "test_features"),
                                       Labels({0, 3, 1}, "test_labels")},
                                      {{"standardize", "features"}});
    const auto train = LoadDataSetFile(path, true);
    const auto test = LoadDataSetFile(path, false);
    EXPECT_EQ(test->name, "any test");
    EXPECT_EQ(train->classes, 4U) << "of both parts";
    EXPECT_EQ(test->classes, 4U);
    EXPECT_THAT(train->numbers, ElementsAre(-1, 1));
    EXPECT_THAT(test->numbers, ElementsAre(3, 5, 7)) << "by the training part";
    EXPECT_THAT(test->labels, ElementsAre(0, 3, 1));
}

TEST_F(DataSetFileTest, PartsWithoutOneFollowTheSeed)
{
    constexpr std::size_t SAMPLES = 1000;
    std::vector<float> numbers(2 * SAMPLES);
    std::vector<uint8_t> labels(SAMPLES);
    for (std::size_t i = 0; i < SAMPLES; ++i)
    {
        numbers[2 * i] = static_cast<float>(i);
        numbers[2 * i + 1] = -1;
        labels[i] = static_cast<uint8_t>(i % 10);
    }
    const std::string path =
        WriteSet({{"features", "F32", {SAMPLES, 2}, Bytes(numbers)}, Labels(labels)});
    std::set<float> found;
    for (const bool train : {true, false})
    {
        const auto part = LoadDataSetFile(path, train, {0.3, 5});
        EXPECT_NEAR(static_cast<double>(part->Size()), train ? 700 : 300, 60);
        for (std::size_t i = 0; i < part->Size(); ++i)
        {
            found.insert(part->numbers[2 * i]);
            EXPECT_EQ(part->numbers[2 * i + 1], -1);
            EXPECT_EQ(part->labels[i], static_cast<int64_t>(part->numbers[2 * i]) % 10);
        }
    }
    EXPECT_EQ(found.size(), SAMPLES);
    EXPECT_NE(LoadDataSetFile(path, true, {0.3, 6})->numbers,
              LoadDataSetFile(path, true, {0.3, 5})->numbers);
}

TEST_F(DataSetFileTest, SamplesLargerThanAPieceAreLeftOutToo)
{
    constexpr int64_t SIZE = (1 << 18) + 5;
    std::vector<uint8_t> bytes(4 * SIZE);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        bytes[i] = static_cast<uint8_t>(i / SIZE);
    }
    const std::string path =
        WriteSet({{"features", "U8", {4, SIZE}, Bytes(bytes)}, Labels({0, 1, 2, 3})});
    for (const bool train : {true, false})
    {
        const auto part = LoadDataSetFile(path, train, {0.5, 1});
        EXPECT_LT(part->Size(), 4U);
        for (std::size_t i = 0; i < part->Size(); ++i)
        {
            EXPECT_EQ(part->features[i * SIZE], part->labels[i]);
            EXPECT_EQ(part->features[(i + 1) * SIZE - 1], part->labels[i]);
        }
    }
}

TEST_F(DataSetFileTest, StandardizesInEveryWay)
{
    const Tensor numbers = {"features", "F32", {2, 2}, Bytes<float>({1, 5, 3, 7})};
    const auto all = Load({numbers, Labels({0, 1})}, {{"standardize", "all"}});
    const float deviation = std::sqrt(5.0F); // of 1, 5, 3, 7 about 4
    EXPECT_FLOAT_EQ(all->numbers[0], -3 / deviation);
    EXPECT_FLOAT_EQ(all->numbers[3], 3 / deviation);
    EXPECT_THAT(Load({numbers, Labels({0, 1})}, {{"standardize", "features"}})->numbers,
                ElementsAre(-1, -1, 1, 1));
    EXPECT_THAT(Load({numbers, Labels({0, 1})}, {{"standardize", "none"}})->numbers,
                ElementsAre(1, 5, 3, 7));
    const Tensor bytes = {"features", "U8", {2, 1, 1}, Bytes<uint8_t>({0, 255})};
    const auto channels = Load({bytes, Labels({0, 1})}, {{"standardize", "channels"}});
    EXPECT_THAT(channels->offset, ElementsAre(0.5F));
    EXPECT_THAT(channels->scale, ElementsAre(0.5F));
    ExpectRefused("metadata \"standardize\": found 'all' with bytes",
                  {bytes, Labels({0, 1})},
                  {{"standardize", "all"}});
    ExpectRefused(
        "found 'channels' with NUMBERS", {numbers, Labels({0, 1})}, {{"standardize", "channels"}});
}

TEST_F(DataSetFileTest, RefusesWhatIsMissingOrUnknown)
{
    EXPECT_THROW(LoadDataSetFile(Folder() + "/none", true), DataFileError);
    ExpectRefused("tensor \"features\": not found", {Labels({0, 1})});
    ExpectRefused("tensor \"labels\": not found", {Features()});
    ExpectRefused("tensor \"label\": found a tensor of this name, expected only features, labels",
                  {Features(), Labels({0, 1, 1}, "label")});
    ExpectRefused("tensor \"test_token_vectors\": found a tensor of this name",
                  {Features(), Labels({0, 1, 1}), Labels({0}, "test_token_vectors")});
}

TEST_F(DataSetFileTest, RefusesShapes)
{
    ExpectRefused("tensor \"features\": found shape (2), expected some samples x shape",
                  {{"features", "U8", {2}, "ab"}, Labels({0, 1})});
    ExpectRefused("found shape (0, 2)", {{"features", "U8", {0, 2}, ""}, Labels({})});
    ExpectRefused("found shape (2, 0)", {{"features", "U8", {2, 0}, ""}, Labels({0, 1})});
    ExpectRefused("tensor \"labels\": found shape (2), expected 3 rows",
                  {Features(), Labels({0, 1})});
    ExpectRefused("more than one label",
                  {Features(), {"labels", "U8", {3, 2}, std::string(6, '\0')}});
    ExpectRefused("tensor \"targets\": found beside labels",
                  {Features(), Labels({0, 1, 1}), Numbers({1, 2, 3}, "targets")});
    ExpectRefused("token_vectors\": found shape (2)",
                  {Features(), Labels({0, 1, 1}), Labels({0, 1}, "token_vectors")});
    const auto path = WriteSet({Features(),
                                Labels({0, 1, 1}),
                                {"test_features", "U8", {1, 2, 1}, "ab"},
                                Labels({0}, "test_labels")});
    EXPECT_THAT([&]() { LoadDataSetFile(path, false); },
                testing::ThrowsMessage<DataFileError>(
                    HasSubstr("tensor \"test_features\": found shape (1, 2, 1) of U8, expected "
                              "samples as those of features, (3, 1, 2) of U8")));
}

TEST_F(DataSetFileTest, RefusesValues)
{
    ExpectRefused("tensor \"labels\": found label 3, expected 0 to 1",
                  {Features(), Labels({0, 3, 1})},
                  {{"classes", "2"}});
    ExpectRefused("labels[1] is -1",
                  {Features(), {"labels", "I8", {3}, Bytes<int8_t>({0, -1, 1})}});
    ExpectRefused("found label 1000000, expected 0 to 999999",
                  {Features(), {"labels", "I32", {3}, Bytes<int32_t>({0, 1000000, 1})}});
    ExpectRefused("tensor \"labels\": found dtype F32, expected whole numbers",
                  {Features(), {"labels", "F32", {3}, Bytes<float>({0, 1, 1})}});
    ExpectRefused("found nan in tensor \"features\", expected a finite number",
                  {Numbers({1, NAN}), Labels({0, 1})});
    ExpectRefused("found inf in tensor \"features\"",
                  {{"features", "F64", {1, 1}, Bytes<double>({1e300})}, Labels({0})});
    ExpectRefused("found inf in tensor \"targets\"",
                  {Numbers({1}), Numbers({INFINITY}, "targets")});
    ExpectRefused("found 4294967296 in tensor \"features\", expected a smaller whole number",
                  {{"features", "I64", {1, 1}, Bytes<int64_t>({int64_t{1} << 32})}, Labels({0})},
                  {{"vocabulary", "9"}});
    ExpectRefused("tensor \"users\": found user 2, expected one of 2 users",
                  {Features(), Labels({0, 1, 1}), Labels({0, 1, 2}, "users")},
                  {{"user_names", R"(["a", "b"])"}});
    const std::string path = WriteSet({Features(), Labels({0, 1, 1})});
    EXPECT_THAT(
        [&]() {
            LoadDataSetFile(path, false, {1e-9, 1});
        },
        testing::ThrowsMessage<DataFileError>(
            HasSubstr("tensor \"features\": found 3 samples, of which none is in the test "
                      "part with testFraction 1e-09")));
}

TEST_F(DataSetFileTest, RefusesMetadata)
{
    const std::vector<Tensor> tensors = {Features(), Labels({0, 1, 1})};
    for (const char* classes : {"0", "-1", "two", "1.5", "99999999999"})
    {
        ExpectRefused("metadata \"classes\": found '" + std::string(classes) +
                          "', expected a whole",
                      tensors,
                      {{"classes", classes}});
    }
    ExpectRefused("metadata \"class_names\": found 'a,b', expected a list of texts in JSON",
                  tensors,
                  {{"class_names", "a,b"}});
    ExpectRefused("metadata \"offset\": found '[\"a\"]', expected a list of numbers",
                  tensors,
                  {{"offset", R"(["a"])"}});
    ExpectRefused("2 offsets and 1 scales", tensors, {{"offset", "[0.5, 0.5]"}});
    ExpectRefused("positive scale", tensors, {{"scale", "[0]"}});
    ExpectRefused("metadata \"kind\": found 'tokens' with features of dtype F32, expected bytes",
                  {Numbers({1}), Labels({0})},
                  {{"kind", "tokens"}});
    ExpectRefused("found 'pictures'", tensors, {{"kind", "pictures"}});
}

} // namespace data_set_file_test
