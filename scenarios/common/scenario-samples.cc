/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-samples.h"

#include "inputs/scenario-checks.h"

#include "ns3/collab-added-views.h"
#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-number.h"
#include "ns3/collab-partition-skew.h"
#include "ns3/collab-partition.h"
#include "ns3/collab-random.h"
#include "ns3/collab-standardization.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Samples that a device must have when X* was taken from it: some to train with, and one to test
constexpr std::size_t LEAST_LEFT = 4;

/// Partition in which devices share samples
constexpr const char* RESAMPLED = "resampled";

/// @param partition who holds which of them
/// @return the samples that nobody holds
std::vector<uint32_t>
FindLeft(const std::vector<uint32_t>& pool, const Partition& partition)
{
    std::set<uint32_t> taken;
    for (const auto& part : partition)
    {
        taken.insert(part.begin(), part.end());
    }
    std::vector<uint32_t> left;
    std::copy_if(pool.begin(), pool.end(), std::back_inserter(left), [&](uint32_t sample) {
        return taken.count(sample) == 0;
    });
    return left;
}

/// @return how devices write, if the partition is "writers"
WriterOptions
GetWriters(const CommonParameters& p)
{
    WriterOptions writers;
    writers.writers = p.devices;
    writers.meanSize = p.samples;
    writers.minimumSize = p.minimumSamples;
    writers.concentration = p.alpha;
    return writers;
}

/// @brief Deal out a few classes to each device, in equal parts.
/// @return who holds which samples
/// @throws UserError if a class has not enough
Partition
DealLabels(const CommonParameters& p, const DataSet& data, const std::vector<uint32_t>& pool)
{
    const uint64_t seed = SeedFor(RandomPurpose::PARTITION);
    const std::pair<uint32_t, uint32_t> counts = p.GetLabelCounts(); // of the first and the others
    ShardOptions options;
    options.samplesPerDevice = p.samples;
    const auto deal = [&](uint32_t devices, uint32_t labels, const auto& candidates) {
        options.devices = devices;
        options.proportions.assign(labels, 1.0 / labels);
        return PartitionShards(data.labels, candidates, data.classes, options, seed + devices);
    };
    Partition partition;
    CheckArgument("labels", p.labels, [&]() {
        const bool areAlike = counts.first == counts.second;
        partition = deal(areAlike ? p.devices : 1, counts.first, pool);
        if (!areAlike)
        {
            const Partition edges = deal(p.devices - 1, counts.second, FindLeft(pool, partition));
            partition.insert(partition.end(), edges.begin(), edges.end());
        }
    });
    return partition;
}

/// @brief Deal samples out with a few classes a device in given parts.
/// @return who holds which samples
/// @throws UserError if that cannot be done
Partition
DealShares(const CommonParameters& p, const DataSet& data, const std::vector<uint32_t>& pool)
{
    ShardOptions options;
    options.devices = p.devices;
    options.proportions = p.GetShares();
    options.samplesPerDevice = p.samples;
    try
    {
        return PartitionShards(
            data.labels, pool, data.classes, options, SeedFor(RandomPurpose::PARTITION));
    }
    catch (const std::invalid_argument& error)
    {
        throw UserError(fmt::format("arguments --shares={} --samples={} are not allowed: {}",
                                    p.shares,
                                    p.samples,
                                    error.what()));
    }
}

/// @param classes number of classes of the data set, or of groups of targets
/// @return those of the target domain, ascending
std::vector<uint32_t>
GetDomain(const CommonParameters& p, uint32_t classes)
{
    std::set<uint32_t> domain;
    for (const std::string& item : SplitList(p.domainClasses))
    {
        domain.insert(ParseWholeNumber(item).value_or(classes));
    }
    p.Require(domain.empty() || *domain.rbegin() < classes,
              "domainClasses",
              fmt::format("classes from 0 to {} with commas between", classes - 1));
    std::vector<uint32_t> all(classes);
    std::iota(all.begin(), all.end(), 0);
    return domain.empty() ? all : std::vector<uint32_t>(domain.begin(), domain.end());
}

/// @param domain classes, ascending
/// @param label of a sample
/// @return whether it is one of them
bool
IsWithin(const std::vector<uint32_t>& domain, int64_t label)
{
    return std::binary_search(domain.begin(), domain.end(), static_cast<uint32_t>(label));
}

/**
 * @brief Draw what is dealt out evenly, or by classes.
 *
 * As long as enough is left of each class for X*, its size changes nothing.
 *
 * @return samples of all devices
 */
std::vector<uint32_t>
DrawCandidates(const CommonParameters& p, const DataSet& data, const std::vector<uint32_t>& pool)
{
    std::vector<int64_t> spare(data.classes, 0);
    const std::vector<uint32_t> domain = GetDomain(p, data.classes);
    for (const uint32_t label : domain)
    {
        spare[label] -= p.referenceSource == "balanced" ? p.referenceSamples / domain.size() : 0;
    }
    for (const uint32_t sample : pool)
    {
        ++spare[static_cast<std::size_t>(data.labels[sample])];
    }
    RandomGenerator generator(SeedFor(RandomPurpose::SUBSET));
    const std::size_t size = std::size_t{p.samples} * p.devices;
    std::vector<uint32_t> candidates;
    for (const uint32_t position : DrawPermutation(static_cast<uint32_t>(pool.size()), generator))
    {
        int64_t& left = spare[static_cast<std::size_t>(data.labels[pool[position]])];
        if (candidates.size() < size && left > 0)
        {
            --left;
            candidates.push_back(pool[position]);
        }
    }
    return candidates;
}

/// @brief Keep a device's samples from standing in an order, of which the last ones are its test
/// set.
/// @param partition who holds which samples, in the order of the set
/// @return the partition in random order, if samples of a user are not in such an order already
Partition
MixParts(const DataSet& data, Partition partition)
{
    for (std::size_t device = 0; device < partition.size() && !data.isMixed; ++device)
    {
        RandomGenerator generator(SeedFor(RandomPurpose::PARTITION, 1 + device));
        partition[device] = Shuffled(partition[device], generator);
    }
    return partition;
}

/// @brief Deal samples out.
/// @return who holds which samples
/// @throws UserError if its samples are not of users who are enough
/// @throws std::invalid_argument if it cannot be done otherwise
Partition
Deal(const CommonParameters& p, const DataSet& data, const std::vector<uint32_t>& pool)
{
    const uint64_t seed = SeedFor(RandomPurpose::PARTITION);
    if (p.partition == "users")
    {
        p.Require(!data.users.empty(),
                  "partition",
                  "dirichlet, iid or writers for data set " + p.dataSet + ", which has no users");
        Partition partition;
        CheckArgument("devices", p.devices, [&]() {
            partition = PartitionByUser(data.users, pool, p.devices, 1, p.minimumSamples, seed);
        });
        return MixParts(data, std::move(partition));
    }
    if (p.partition == "labels")
    {
        return DealLabels(p, data, pool);
    }
    if (p.partition == "shares")
    {
        return DealShares(p, data, pool);
    }
    if (p.partition == "writers")
    {
        return PartitionWriters(data.labels, pool, data.classes, GetWriters(p), seed);
    }
    DirichletOptions options;
    options.devices = p.devices;
    options.alpha = p.alpha;
    if (p.partition == RESAMPLED)
    {
        options.minimumSize = p.samples;
        return PartitionResampled(data.labels, pool, data.classes, options, seed);
    }
    const std::vector<uint32_t> candidates = DrawCandidates(p, data, pool);
    if (p.partition == "quantity")
    {
        const auto sizes = MakePowerLawProportions(p.devices, p.sizeExponent);
        return PartitionQuantity(candidates, sizes, p.minimumSamples, seed);
    }
    if (p.partition == "iid")
    {
        return PartitionIid(candidates, p.devices, seed);
    }
    options.minimumSize = p.minimumSamples;
    return PartitionDirichlet(data.labels, candidates, data.classes, options, seed);
}

/// @brief Draw X* of samples that no device has.
/// @return as many of each class of the target domain
/// @throws UserError if a class has not enough
std::vector<uint32_t>
DrawReference(const CommonParameters& p, const DataSet& data, const std::vector<uint32_t>& left)
{
    const std::vector<uint32_t> domain = GetDomain(p, data.classes);
    std::vector<uint32_t> within;
    std::copy_if(left.begin(), left.end(), std::back_inserter(within), [&](uint32_t sample) {
        return IsWithin(domain, data.labels[sample]);
    });
    std::vector<int64_t> places(data.labels); // of a class among those of the domain
    for (int64_t& label : places)
    {
        label = std::lower_bound(domain.begin(), domain.end(), static_cast<uint32_t>(label)) -
                domain.begin();
    }
    try
    {
        return DrawBalanced(places,
                            within,
                            static_cast<uint32_t>(domain.size()),
                            p.referenceSamples,
                            SeedFor(RandomPurpose::REFERENCE));
    }
    catch (const std::invalid_argument& error)
    {
        throw UserError(fmt::format(
            "argument --referenceSamples={} is not allowed: beside those of the devices "
            "{}; 0 is for none, --referenceSource=clients or equal for samples of theirs",
            p.referenceSamples,
            error.what()));
    }
}

/// @brief Take X* from the devices, of each in proportion to its samples or as many.
/// @param[in,out] partition who holds which samples
/// @return the samples of X*
/// @throws UserError if a device would have too few left
std::vector<uint32_t>
TakeReference(const CommonParameters& p, Partition& partition)
{
    const auto weigh = [isEqual = p.referenceSource == "equal"](const auto& part) {
        return isEqual ? uint64_t{1} : uint64_t{part.size()};
    };
    const auto total = std::accumulate(
        partition.begin(), partition.end(), uint64_t{0}, [&](uint64_t sum, const auto& part) {
            return sum + weigh(part);
        });
    std::vector<uint32_t> reference;
    uint64_t before = 0; // weight of the devices before
    for (uint32_t device = 0; device < partition.size(); ++device)
    {
        auto& part = partition[device];
        const uint64_t until = before + weigh(part);
        const std::size_t share =
            until * p.referenceSamples / total - before * p.referenceSamples / total;
        before = until;
        p.Require(
            part.size() >= share + LEAST_LEFT,
            "referenceSamples",
            fmt::format("less with --referenceSource={}: of {} samples device {} would have {} "
                        "left, not {}",
                        p.referenceSource,
                        part.size(),
                        device,
                        part.size() - std::min(part.size(), share),
                        LEAST_LEFT));
        RandomGenerator generator(SeedFor(RandomPurpose::REFERENCE, device));
        std::vector<uint32_t> taken = Shuffled(part, generator);
        taken.resize(share);
        reference.insert(reference.end(), taken.begin(), taken.end());
        part = FindLeft(part, {taken});
    }
    RandomGenerator generator(SeedFor(RandomPurpose::REFERENCE, p.devices));
    return Shuffled(reference, generator);
}

/// @brief Deal the training set out to the devices, and draw X*.
/// @param[out] samples X* and what tells of its partition
/// @return who holds which samples
Partition
Distribute(const CommonParameters& p,
           const std::shared_ptr<const DataSet>& data,
           ScenarioSamples& samples)
{
    std::vector<uint32_t> pool(data->Size());
    std::iota(pool.begin(), pool.end(), 0);
    const bool isOfClients = p.referenceSource != "balanced";
    const bool isResampled = p.partition == RESAMPLED;
    p.Require(!isOfClients || !isResampled,
              "referenceSource",
              "balanced with --partition=resampled, since devices share their samples");
    const uint64_t beside = isOfClients ? 0 : p.referenceSamples;
    const uint64_t needed =
        p.partition == "users" || isResampled ? beside : uint64_t{p.samples} * p.devices + beside;
    p.Require(needed <= pool.size(),
              "samples",
              fmt::format("at most {} for {} devices beside an X* of {} out of {} samples",
                          (pool.size() - std::min<std::size_t>(beside, pool.size())) / p.devices,
                          p.devices,
                          beside,
                          pool.size()));
    std::vector<uint32_t> reference;
    if (isResampled)
    {
        reference = DrawReference(p, *data, pool);
        pool = FindLeft(pool, {reference});
    }
    Partition partition;
    CheckArgument("partition", p.partition, [&]() { partition = Deal(p, *data, pool); });
    if (!isResampled)
    {
        reference = isOfClients ? TakeReference(p, partition)
                                : DrawReference(p, *data, FindLeft(pool, partition));
    }
    samples.reference = std::make_shared<const DataView>(MakeView(data, reference));
    samples.description = DescribePartition(data->labels, partition, data->classes);
    samples.classes = CountPartition(data->labels, partition, data->classes);
    return partition;
}

/// @param groups number of groups of targets in regression; 0 if there must be classes
/// @return the set, or in regression one with equal groups of ascending targets, of the first one
/// if there are several, as labels, with users and nothing else
/// @throws UserError if there are no classes where there must be some
std::shared_ptr<const DataSet>
LabelForDealing(const CommonParameters& p,
                const std::shared_ptr<const DataSet>& data,
                uint32_t groups)
{
    if (groups == 0 || data->outputs == 0)
    {
        p.Require(data->classes > 1, "dataSet", "one with classes");
        return data;
    }
    auto labeled = std::make_shared<DataSet>();
    labeled->name = data->name;
    labeled->classes = groups;
    labeled->users = data->users;
    labeled->userNames = data->userNames;
    labeled->isMixed = data->isMixed;
    labeled->labels.resize(data->Size());
    std::vector<uint32_t> order(data->Size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&data](uint32_t a, uint32_t b) {
        return data->targets[std::size_t{a} * data->outputs] <
               data->targets[std::size_t{b} * data->outputs];
    });
    for (std::size_t rank = 0; rank < order.size(); ++rank)
    {
        labeled->labels[order[rank]] = static_cast<int64_t>(rank * groups / order.size());
    }
    return labeled;
}

/// @return the training part of the data set, with views of its images if they are asked for
std::shared_ptr<const DataSet>
LoadTrainingData(const CommonParameters& p, const DataSetOptions& options)
{
    const auto data = LoadDataSet(p.dataSet, options);
    if (!p.addedViews)
    {
        return data;
    }
    p.Require(data->sampleShape.size() == 3,
              "addedViews",
              "false with --dataSet=" + p.dataSet + ", whose samples are no images");
    AddedViews views;
    if (!data->numbers.empty())
    {
        views.outside = *std::min_element(data->numbers.begin(), data->numbers.end()); // ground
    }
    return std::make_shared<const DataSet>(AddViews(*data, views, options.seed));
}

/// @return samples of the test set in the order in which they are used
std::vector<uint32_t>
OrderTests(const CommonParameters& p, const DataSet& data)
{
    const auto size = static_cast<uint32_t>(data.Size());
    if (data.isMixed && data.users.empty()) // else files are in the order of users, or any other
    {
        std::vector<uint32_t> order(size);
        std::iota(order.begin(), order.end(), 0);
        return order;
    }
    RandomGenerator generator(SeedFor(RandomPurpose::SUBSET, p.devices));
    return DrawPermutation(size, generator);
}

/// @return what each device's sensor does to its samples; null for nothing
/// @throws UserError if it cannot be done to such samples
std::vector<std::shared_ptr<const SampleTransform>>
MakeStyles(const CommonParameters& p, const DataSet& data)
{
    const uint64_t seed = SeedFor(RandomPurpose::FEATURE_NOISE);
    const bool areImages = data.sampleShape.size() == 3;
    if (p.partition == "writers" && areImages)
    {
        return MakeWriterStyles(GetWriters(p), seed);
    }
    FeatureSkewOptions skew;
    skew.rotations = p.GetRotations();
    skew.noise = p.featureNoise;
    p.Require(skew.rotations.empty() || areImages,
              "featureRotations",
              "empty with --dataSet=" + p.dataSet + ", whose samples are no images");
    p.Require(skew.noise == 0 || data.kind != FeatureKind::TOKENS,
              "featureNoise",
              "0 with --dataSet=" + p.dataSet + ", whose samples are tokens");
    if (skew.rotations.empty() && skew.noise == 0)
    {
        return std::vector<std::shared_ptr<const SampleTransform>>(p.devices);
    }
    return MakeFeatureSkew(p.devices, skew, seed);
}

/// @return what turns the images of the target domain; null for nothing
/// @throws UserError if samples are no images
std::shared_ptr<const SampleTransform>
MakeDomainTransform(const CommonParameters& p, const DataSet& data)
{
    if (p.domainRotation == 0)
    {
        return nullptr;
    }
    p.Require(data.sampleShape.size() == 3,
              "domainRotation",
              "0 with --dataSet=" + p.dataSet + ", whose samples are no images");
    FeatureSkewOptions turn;
    turn.rotations = {p.domainRotation};
    return MakeFeatureSkew(1, turn, 0).front();
}

/// @return for each output one to two standard deviations of its targets, up or down
std::vector<float>
DrawOffsets(const DataSet& data, RandomGenerator& generator)
{
    DataSet targets;
    targets.kind = FeatureKind::NUMBERS;
    targets.sampleShape = {int64_t{data.outputs}};
    targets.numbers = data.targets;
    std::vector<float> offsets = MeasureFeatures(targets).deviation;
    boost::random::uniform_real_distribution<float> size(1, 2);
    boost::random::uniform_int_distribution<int> sign(0, 1);
    for (float& offset : offsets)
    {
        offset *= size(generator);
        offset *= sign(generator) == 1 ? 1.0F : -1.0F;
    }
    return offsets;
}

/// Give a low-quality device wrong labels or targets
void
SpoilAnswers(const CommonParameters& p, uint64_t seed, DataView& view)
{
    const bool isRegression = view.data->outputs > 0;
    if (p.labelNoise == "permute")
    {
        (isRegression ? PermuteTargets : PermuteLabels)(view, seed);
        return;
    }
    RandomGenerator generator(seed);
    if (isRegression)
    {
        ShiftTargets(view, DrawOffsets(*view.data, generator));
        return;
    }
    boost::random::uniform_int_distribution<uint32_t> shift(1, view.data->classes - 1);
    ShiftLabels(view, shift(generator));
}

} // namespace

std::vector<uint32_t>
DrawStragglers(const std::string& given, uint32_t devices)
{
    if (given.empty() || given.find_first_not_of("0123456789") != std::string::npos)
    {
        const auto listed = ParseDevices("stragglers", given, devices);
        Require(listed.size() < devices, "stragglers", given, "not all devices");
        return listed;
    }
    const auto count = ParseNumber(given);
    Require(
        count && *count < devices, "stragglers", given, "less than --devices, or a list of them");
    // The draws of participants have the seed of no device
    RandomGenerator generator(SeedFor(RandomPurpose::PARTICIPATION, 1));
    auto drawn = DrawPermutation(devices, generator);
    drawn.resize(static_cast<std::size_t>(*count));
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

ScenarioSamples
PrepareSamples(const CommonParameters& p, uint32_t groups)
{
    DataSetOptions options;
    options.folder = p.dataDir;
    options.seed = SeedFor(RandomPurpose::DATA_SET);
    const auto data = LoadTrainingData(p, options);
    const auto dealt = LabelForDealing(p, data, groups);
    const std::vector<uint32_t> domain = GetDomain(p, dealt->classes);
    p.Require(p.referenceSource != "balanced" || p.referenceSamples % domain.size() == 0,
              "referenceSamples",
              fmt::format("a multiple of the {} {}",
                          domain.size(),
                          dealt == data ? "classes" : "groups of targets"));
    p.Require(p.domainClasses.empty() || dealt == data,
              "domainClasses",
              "empty with --dataSet=" + p.dataSet + ", which has targets and no classes");
    options.train = false;
    const auto testData = LoadDataSet(p.dataSet, options);
    ScenarioSamples samples;
    const Partition partition = Distribute(p, dealt, samples);
    const auto turn = MakeDomainTransform(p, *data);
    DataView reference = MakeView(data, samples.reference->indices);
    reference.transform = turn;
    samples.reference = std::make_shared<const DataView>(std::move(reference));
    samples.groups.assign(dealt->labels.begin(), dealt->labels.end());

    samples.testOrder = OrderTests(p, *testData);
    const auto tests = samples.testOrder.begin();
    const auto others =
        p.domainClasses.empty()
            ? samples.testOrder.end()
            : std::stable_partition(tests, samples.testOrder.end(), [&](uint32_t sample) {
                  return IsWithin(domain, testData->labels[sample]);
              });
    p.Require(p.testSamples >= 1 && p.testSamples <= others - tests,
              "testSamples",
              fmt::format("1 to {}", others - tests));
    DataView global = MakeView(testData, std::vector<uint32_t>(tests, tests + p.testSamples));
    global.transform = turn;
    samples.global = std::make_shared<const DataView>(std::move(global));

    const auto styles = MakeStyles(p, *data);
    const auto lowQuality = p.GetLowQualityDevices();
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const auto& part = partition[device];
        const auto split =
            part.end() - static_cast<std::ptrdiff_t>(p.testPart * static_cast<double>(part.size()));
        DataView train = MakeView(data, std::vector<uint32_t>(part.begin(), split));
        samples.test.push_back(MakeView(data, std::vector<uint32_t>(split, part.end())));
        train.transform = styles[device];
        samples.test.back().transform = styles[device];
        if (std::binary_search(lowQuality.begin(), lowQuality.end(), device))
        {
            SpoilAnswers(p, SeedFor(RandomPurpose::LABEL_CORRUPTION, device), train);
        }
        samples.train.push_back(std::move(train));
    }
    return samples;
}

DataView
JoinSamples(const ScenarioSamples& samples, const std::vector<uint32_t>& devices)
{
    DataView joined = samples.train[devices[0]];
    for (std::size_t i = 1; i < devices.size(); ++i)
    {
        const DataView& other = samples.train[devices[i]];
        joined.indices.insert(joined.indices.end(), other.indices.begin(), other.indices.end());
        joined.labels.insert(joined.labels.end(), other.labels.begin(), other.labels.end());
    }
    return joined;
}

bool
IsRegression(const ScenarioSamples& samples)
{
    return samples.global->data->outputs > 0;
}

std::string
GetMeasure(const ScenarioSamples& samples, const std::string& name)
{
    return (IsRegression(samples) ? "loss_" : "accuracy_") + name;
}

void
CheckRegression(const CommonParameters& p, const ScenarioSamples& samples)
{
    if (!IsRegression(samples))
    {
        return;
    }
    const std::string reason =
        " with --dataSet=" + p.dataSet + ", which has targets and no classes";
    p.Require(p.labelSmoothing == 0, "labelSmoothing", "0" + reason);
    p.Require(p.classWeights == "none", "classWeights", "none" + reason);
}
