/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "support/test-data.h"

#include "ns3/collab-random.h"
#include "ns3/collab-torch-runtime.h"

#include <boost/random/normal_distribution.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

namespace tests
{

using namespace ns3::collab;

namespace
{

/// Sets LibTorch up once, as a simulation does.
class TorchEnvironment : public testing::Environment
{
  public:
    void
    SetUp() override
    {
        ConfigureTorchProcess();
    }
};

/// @return lists of tests/data/reference/FILE.json
const nlohmann::json&
ReadReference(const std::string& file)
{
    static std::map<std::string, nlohmann::json> files;
    auto [found, isNew] = files.try_emplace(file);
    if (isNew)
    {
        std::ifstream stream(GetTestData("reference/" + file + ".json"));
        found->second = nlohmann::json::parse(stream);
    }
    return found->second;
}

const auto* const TORCH_ENVIRONMENT = testing::AddGlobalTestEnvironment(new TorchEnvironment);

} // namespace

const std::vector<double>&
GetReference(const std::string& file, const std::string& name)
{
    static std::map<std::string, std::vector<double>> lists;
    auto [list, isNew] = lists.try_emplace(file + '/' + name);
    if (isNew)
    {
        list->second = ReadReference(file).at(name).get<std::vector<double>>();
    }
    return list->second;
}

std::vector<std::string>
GetReferenceNames(const std::string& file, const std::string& name)
{
    return ReadReference(file).at(name).get<std::vector<std::string>>();
}

std::vector<uint32_t>
Range(uint32_t begin, uint32_t end)
{
    std::vector<uint32_t> range(end - begin);
    std::iota(range.begin(), range.end(), begin);
    return range;
}

std::vector<uint32_t>
Range(uint32_t end)
{
    return Range(0, end);
}

FlatVector
Constant(std::size_t size, float value)
{
    return std::make_shared<const std::vector<float>>(size, value);
}

Matrix<float>
MakeMatrix(std::size_t columns, std::vector<float> values)
{
    Matrix<float> matrix(values.size() / columns, columns);
    matrix.values = std::move(values);
    return matrix;
}

Matrix<float>
MakeRandomVectors(std::size_t n, std::size_t d, uint64_t seed)
{
    RandomGenerator generator(seed);
    boost::random::normal_distribution<double> draw;
    Matrix<float> vectors(n, d);
    for (float& value : vectors.values)
    {
        value = static_cast<float>(draw(generator));
    }
    return vectors;
}

Matrix<float>
MakeUniformVectors(std::size_t n, std::size_t d, uint64_t seed)
{
    Matrix<float> vectors(n, d);
    uint64_t next = seed << 32;
    for (float& value : vectors.values)
    {
        value = static_cast<float>(SplitMix64(next++) >> 40) / 16777216.0F;
    }
    return vectors;
}

Matrix<float>
MakeBlobs(std::size_t n, std::size_t d, std::size_t clusters, float spread, uint64_t seed)
{
    const auto centers = MakeUniformVectors(clusters, d, seed);
    const auto first = MakeUniformVectors(n, d, seed + 1);
    const auto second = MakeUniformVectors(n, d, seed + 2);
    const auto third = MakeUniformVectors(n, d, seed + 3);
    Matrix<float> vectors(n, d);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = 0; j < d; ++j)
        {
            const float noise = first(i, j) + second(i, j) + third(i, j) - 1.5F;
            vectors(i, j) = 4 * centers(i % clusters, j) + spread * noise;
        }
    }
    return vectors;
}

std::shared_ptr<DataSet>
MakeDataSet(FeatureKind kind,
            const std::vector<int64_t>& shape,
            uint32_t samples,
            uint32_t classes,
            const FeatureFormula& feature)
{
    auto data = std::make_shared<DataSet>();
    data->kind = kind;
    data->sampleShape = shape;
    data->classes = classes;
    for (uint64_t i = 0; i < samples; ++i)
    {
        data->labels.push_back(static_cast<int64_t>(i % classes));
        for (uint64_t j = 0; j < data->SampleSize(); ++j)
        {
            const double value = feature(i, j);
            switch (kind)
            {
            case FeatureKind::BYTES:
                data->features.push_back(static_cast<uint8_t>(value));
                break;
            case FeatureKind::NUMBERS:
                data->numbers.push_back(static_cast<float>(value));
                break;
            case FeatureKind::TOKENS:
                data->tokens.push_back(static_cast<int32_t>(value));
                break;
            }
        }
    }
    return data;
}

double
FormulaByte(uint64_t i, uint64_t j)
{
    return static_cast<double>((37 * i + 101 * j + 13 * i * j) % 256);
}

DataView
ViewAll(const std::shared_ptr<const DataSet>& data)
{
    return MakeView(data, Range(static_cast<uint32_t>(data->Size())));
}

void
CallOnThreads(std::size_t count, const std::function<void(std::size_t)>& call)
{
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i)
    {
        threads.emplace_back([&call, i] {
            ConfigureTorchThread();
            call(i);
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
}

} // namespace tests
