/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "toy-samples.h"

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-partition.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>

using namespace ns3::collab;

namespace
{

/// What the generators of an example's data sets are for, in the place of a device's number
enum Part : uint64_t
{
    TRAIN,
    REFERENCE,
    TEST
};

/// @return all of its samples
std::shared_ptr<const DataView>
ViewAll(std::shared_ptr<const DataSet> data)
{
    std::vector<uint32_t> indices(data->Size());
    std::iota(indices.begin(), indices.end(), 0);
    return std::make_shared<const DataView>(MakeView(std::move(data), std::move(indices)));
}

/// @param like data set that says how many classes there are
/// @return regular points of a square, all labeled 0
std::shared_ptr<const DataView>
MakeSquareGrid(float limit, uint32_t side, const DataSet& like)
{
    auto grid = std::make_shared<DataSet>();
    grid->name = "grid";
    grid->kind = FeatureKind::NUMBERS;
    grid->sampleShape = like.sampleShape;
    grid->classes = like.classes;
    const float step = 2 * limit / static_cast<float>(side - 1);
    for (uint32_t i = 0; i < side * side; ++i)
    {
        grid->numbers.push_back(static_cast<float>(i % side) * step - limit);
        grid->numbers.push_back(static_cast<float>(i / side) * step - limit);
        grid->labels.push_back(0);
    }
    return ViewAll(grid);
}

/// @brief Give agents the labels that they believe in.
/// @param[in,out] train samples of the agents 0 to 2, and of agent 3, which is all wrong
void
CorruptAgents(std::vector<DataView>& train)
{
    constexpr double WRONG = 0.1;
    for (std::size_t agent = 0; agent < train.size(); ++agent)
    {
        const uint64_t seed = SeedFor(RandomPurpose::LABEL_CORRUPTION, agent);
        if (agent + 1 < train.size())
        {
            CorruptLabels(train[agent], WRONG, seed);
            continue;
        }
        RandomGenerator generator(seed);
        boost::random::uniform_int_distribution<uint32_t> shift(1, train[agent].data->classes - 1);
        ShiftLabels(train[agent], shift(generator));
    }
}

} // namespace

ToySamples
MakeRegressionSamples(const ConsensusToyParameters& p)
{
    constexpr uint32_t REFERENCE_SAMPLES = 50;
    constexpr uint32_t REGION_SAMPLES = 201;
    constexpr uint32_t GRID_SAMPLES = 321;
    constexpr double REGION = 4; // two standard deviations beyond the outer centers
    constexpr double GRID = 8;
    const bool hasWeakAgent = p.experiment == "two-degrees";
    PolynomialOptions options;
    options.samplesPerUser = p.agentSamples;
    if (hasWeakAgent)
    {
        options.centers.push_back(3);
    }
    const auto data = GeneratePolynomial(options, SeedFor(RandomPurpose::DATA_SET, TRAIN));
    ToySamples samples;
    for (uint32_t agent = 0; agent < options.centers.size(); ++agent)
    {
        std::vector<uint32_t> indices(p.agentSamples);
        std::iota(indices.begin(), indices.end(), agent * p.agentSamples);
        samples.train.push_back(MakeView(data, std::move(indices)));
        samples.test.emplace_back();
    }
    const auto& c = options.coefficients;
    samples.reference = ViewAll(MakePolynomialGrid(c, -4, hasWeakAgent ? 6 : 4, REFERENCE_SAMPLES));
    samples.unionRegion = ViewAll(MakePolynomialGrid(c, -REGION, REGION, REGION_SAMPLES));
    samples.grid = ViewAll(MakePolynomialGrid(c, -GRID, GRID, GRID_SAMPLES));
    return samples;
}

ToySamples
MakeGaussianSamples(const ConsensusToyParameters& p)
{
    constexpr uint32_t REFERENCE_SAMPLES = 50; // a class
    constexpr uint32_t TEST_SAMPLES = 500;     // a class
    GaussianClassesOptions options;
    options.means = {{-2, 2}, {2, 2}, {-2, -2}, {2, -2}};
    options.samplesPerClass = p.agentSamples;
    const auto data = GenerateGaussianClasses(options, SeedFor(RandomPurpose::DATA_SET, TRAIN));
    ToySamples samples;
    DirichletOptions dealing;
    dealing.devices = p.devices;
    dealing.minimumSize = 10;
    const Partition partition = PartitionDirichlet(data->labels,
                                                   ViewAll(data)->indices,
                                                   data->classes,
                                                   dealing,
                                                   SeedFor(RandomPurpose::PARTITION));
    for (const auto& part : partition)
    {
        samples.train.push_back(MakeView(data, part));
        samples.test.emplace_back();
    }
    CorruptAgents(samples.train);
    samples.description = DescribePartition(data->labels, partition, data->classes);
    options.samplesPerClass = REFERENCE_SAMPLES;
    samples.reference =
        ViewAll(GenerateGaussianClasses(options, SeedFor(RandomPurpose::DATA_SET, REFERENCE)));
    options.samplesPerClass = TEST_SAMPLES;
    samples.global =
        ViewAll(GenerateGaussianClasses(options, SeedFor(RandomPurpose::DATA_SET, TEST)));
    samples.grid = MakeSquareGrid(5, 61, *data);
    return samples;
}
