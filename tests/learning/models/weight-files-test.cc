/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/test-files.h"
#include "support/test-data.h"

#include "ns3/collab-error.h"
#include "ns3/collab-safetensors-file.h"
#include "ns3/collab-torch-weights.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <numeric>
#include <stdexcept>

namespace weight_files_test
{

using namespace ns3::collab;
using namespace tests;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SafetensorsTest : public TestFiles
{
  protected:
    /// @return path of the test's file
    std::string
    Path() const
    {
        return Folder() + "/weights.safetensors";
    }

    /// Write a file that says of its header, in JSON, that it has a length; -1 for the right one.
    void
    Write(const std::string& header, const std::string& data, int64_t length = -1) const
    {
        std::ofstream file(Path(), std::ios::binary);
        const auto size = length < 0 ? header.size() : static_cast<uint64_t>(length);
        for (int i = 0; i < 8; ++i)
        {
            file.put(static_cast<char>(size >> (8 * i) & 255));
        }
        file << header << data;
    }

    /// Expect that the test's file is refused with a text.
    void
    ExpectRefused(const std::string& text) const
    {
        EXPECT_THAT(ErrorOf<DataFileError>([this] { ReadSafetensors(Path()); }),
                    AllOf(HasSubstr(Path()), HasSubstr(text)));
    }
};

TEST_F(SafetensorsTest, ReadsWhatItWrote)
{
    WriteSafetensors(Path(),
                     {{"b", {2, 3}, {1, -2, 3, 4, 5, 6.5F}}, {"a", {}, {7}}, {"c", {0}, {}}});
    const std::vector<NamedTensor> tensors = ReadSafetensors(Path());
    ASSERT_EQ(tensors.size(), 3U);
    EXPECT_EQ(tensors[0].name, "b");
    EXPECT_THAT(tensors[0].sizes, ElementsAre(2, 3));
    EXPECT_THAT(tensors[0].values, ElementsAre(1, -2, 3, 4, 5, 6.5F));
    EXPECT_EQ(tensors[1].name, "a");
    EXPECT_THAT(tensors[1].sizes, ElementsAre());
    EXPECT_THAT(tensors[1].values, ElementsAre(7));
    EXPECT_TRUE(tensors[2].values.empty());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(Folder()), {}), 1);
    EXPECT_THROW(WriteSafetensors(Folder() + "/none/x", tensors), DataFileError);
    EXPECT_THROW(WriteSafetensors(Path(), {{"a", {2}, {1}}}), std::invalid_argument);
    EXPECT_THROW(WriteSafetensors(Path(), {{"a", {}, {1}}, {"a", {}, {1}}}), std::invalid_argument);
}

TEST_F(SafetensorsTest, ReadsEveryPrecision)
{
    // 1.5, -2, and the least subnormal or normal: as each format has them
    using namespace std::string_literals;
    Write(R"({"__metadata__":{"by":"hand"},)"
          R"("h":{"dtype":"F16","shape":[3],"data_offsets":[0,6]},)"
          R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[6,10]},)"
          R"("d":{"dtype":"F64","shape":[1,1],"data_offsets":[10,18]}})",
          "\x00\x3e\x00\xc0\x01\x00"s + "\xc0\x3f\x00\xc0"s + "\x00\x00\x00\x00\x00\x00\xf8\x3f"s);
    const std::vector<NamedTensor> tensors = ReadSafetensors(Path());
    ASSERT_EQ(tensors.size(), 3U);
    EXPECT_THAT(tensors[0].values, ElementsAre(1.5F, -2.0F, 5.9604645e-8F));
    EXPECT_THAT(tensors[1].values, ElementsAre(1.5F, -2.0F));
    EXPECT_THAT(tensors[2].values, ElementsAre(1.5F));
}

TEST_F(SafetensorsTest, RefusesBadFiles)
{
    ExpectRefused("cannot be opened");
    std::ofstream(Path()).close();
    ExpectRefused("byte 0: found the end of the file, expected 8 bytes");
    Write("{}", "", 3);
    ExpectRefused("byte 10: found the end of the file, expected 3 bytes from byte 8");
    Write("{}", "", int64_t{1} << 40);
    ExpectRefused("byte 0: found a header of 1099511627776 bytes");
    Write("{\"a\":!", "");
    ExpectRefused("byte 14: found a header that is not JSON");
    Write("[]", "");
    ExpectRefused("not a JSON object");
    Write(R"({"a":{"shape":[1],"data_offsets":[0,4]}})", "1234");
    ExpectRefused("\"a\" lacks a dtype");
    Write(R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", "12345678");
    ExpectRefused("dtype I64, expected F64, F32, F16 or BF16");
    for (const char* entry : {R"("shape":[2],"data_offsets":[0,4])",
                              R"("shape":[-1],"data_offsets":[0,4])",
                              R"("shape":[4611686018427387905],"data_offsets":[0,4])",
                              R"("shape":[1],"data_offsets":[4,0])",
                              R"("shape":[2],"data_offsets":[0,8])"})
    {
        Write(fmt::format(R"({{"a":{{"dtype":"F32",{}}}}})", entry), "1234");
        ExpectRefused("which its shape does not fill");
    }
    Write(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "12341234");
    ExpectRefused("\"a\" begins at byte 4 of the data, expected 0");
    Write(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "12345");
    ExpectRefused("byte 66: found more bytes");
    const std::string nan("\x00\x00\x80\x3f\x00\x00\xc0\x7f", 8);
    Write(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", nan);
    ExpectRefused("byte 66: found nan in tensor \"a\"");
}

TEST_F(SafetensorsTest, HoldsAModelsWeights)
{
    ModelInput input;
    input.sampleShape = {3, 8, 8};
    input.outputs = 10;
    std::vector<float> weights(DescribeModel("resnet20", input).CountWeights());
    EXPECT_EQ(weights.size(), 269722U + 1376U);
    std::iota(weights.begin(), weights.end(), 0.0F);
    SaveWeights(Path(), "resnet20", input, weights);
    EXPECT_EQ(*LoadWeights(Path(), "resnet20", input), weights);
    EXPECT_EQ(ReadSafetensors(Path()).front().name, "conv1.weight");
    EXPECT_EQ(ReadSafetensors(Path()).back().name, "layer3.2.bn2.running_var");
    weights.pop_back();
    EXPECT_THROW(SaveWeights(Path(), "resnet20", input, weights), std::invalid_argument);

    const auto refused = [&](const std::string& model, const char* text) {
        tests::ExpectRefused<DataFileError>(text, [&] { LoadWeights(Path(), model, input); });
    };
    refused("mlp", "tensor \"fc1.weight\" of model mlp is missing");
    refused("resnet20:gn", "tensor \"bn1.running_mean\" is none of model resnet20:gn");
    input.outputs = 9;
    refused("resnet20", "tensor \"fc.weight\" of shape (10, 64), model resnet20 has (9, 64)");
}

TEST_F(SafetensorsTest, ModulesOfTorchScriptHaveWeightsToo)
{
    const std::string path = GetTestData("weights/linear.pt");
    ModelInput input;
    input.sampleShape = {1, 2, 2};
    input.outputs = 3;
    const FlatVector weights = LoadWeights(path, "linear", input);
    ASSERT_EQ(weights->size(), 15);
    for (int i = 0; i < 12; ++i)
    {
        EXPECT_EQ((*weights)[i], static_cast<float>(i) / 8);
    }
    EXPECT_EQ((*weights)[12], -1);
    EXPECT_EQ((*weights)[14], 1);

    const auto refused = [&](const std::string& file, const std::string& text) {
        const auto error = ErrorOf<DataFileError>([&] { LoadWeights(file, "linear", input); });
        EXPECT_THAT(error, AllOf(HasSubstr(file), HasSubstr(text), Not(HasSubstr("\n"))));
    };
    refused(Folder() + "/none.pt", "is no TorchScript module");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (const std::size_t size : {std::size_t{0}, std::size_t{100}, bytes.size() - 30})
    {
        refused(TestFiles::Write("damaged.pt", bytes.substr(0, size)), "is no TorchScript module");
    }
    refused(TestFiles::Write("x.pt", std::string(1000, 'x')), "is no TorchScript module");
    input.outputs = 2;
    refused(path, "of shape (3, 4), model linear has (2, 4)");
}

} // namespace weight_files_test
