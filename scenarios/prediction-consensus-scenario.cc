/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-scenario.h"

#include "ns3/collab-changed-attributes.h"
#include "ns3/collab-data-set.h"
#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-partition.h"
#include "ns3/collab-random.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-progress.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/core-module.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-net-device.h"
#include "ns3/device-profile-helper.h"
#include "ns3/mobility-module.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/prediction-consensus-recorder.h"
#include "ns3/propagation-loss-model.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @param name of an argument
 * @param value as given
 * @param allowed values that it may have
 */
void
RequireOneOf(const std::string& name,
             const std::string& value,
             const std::vector<std::string>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    {
        throw UserError(fmt::format("argument --{}={} is not allowed; allowed are {}",
                                    name,
                                    value,
                                    fmt::join(allowed, ", ")));
    }
}

/**
 * @param name of the model, as given
 * @param check throws std::invalid_argument if it cannot be used
 */
void
CheckModel(const std::string& name, const std::function<void()>& check)
{
    try
    {
        check();
    }
    catch (const std::invalid_argument& error)
    {
        throw UserError(fmt::format("argument --model={} is not allowed: {}", name, error.what()));
    }
}

/**
 * @param fulfilled whether an argument is allowed
 * @param name of the argument
 * @param value as given
 * @param allowed what it may be
 */
template <typename T>
void
Require(bool fulfilled, const std::string& name, const T& value, const std::string& allowed)
{
    if (!fulfilled)
    {
        throw UserError(
            fmt::format("argument --{}={} is not allowed; it must be {}", name, value, allowed));
    }
}

/// The samples of all agents
struct Samples
{
    std::shared_ptr<const DataView> reference; //!< X*
    std::shared_ptr<const DataView> global;    //!< the global test set
    std::vector<DataView> train;               //!< by device, with the labels that it believes in
    std::vector<DataView> test;                //!< by device, with true labels
    std::string description;                   //!< table of the partition
};

/**
 * @param purpose what the generator is for
 * @param device whose it is
 * @return seed of the generator in this run
 */
uint64_t
SeedFor(RandomPurpose purpose, uint64_t device = 0)
{
    return DeriveSeed(RngSeedManager::GetSeed(), RngSeedManager::GetRun(), device, purpose);
}

/**
 * @brief Take X* and the devices' samples out of the training set.
 *
 * @param p parameters of the run
 * @param data the training set
 * @param[out] samples receives X* and its partition's description
 * @return who holds which samples
 */
Partition
Distribute(const PredictionConsensusParameters& p,
           const std::shared_ptr<const DataSet>& data,
           Samples& samples)
{
    std::vector<uint32_t> pool(data->Size());
    std::iota(pool.begin(), pool.end(), 0);
    const uint64_t needed = uint64_t{p.samples} * p.devices + p.referenceSamples;
    Require(needed <= pool.size(),
            "samples",
            p.samples,
            fmt::format("at most {} for {} devices beside an X* of {} out of {} samples",
                        (pool.size() - std::min<std::size_t>(p.referenceSamples, pool.size())) /
                            p.devices,
                        p.devices,
                        p.referenceSamples,
                        pool.size()));
    auto reference = DrawBalanced(
        data->labels, pool, data->classes, p.referenceSamples, SeedFor(RandomPurpose::REFERENCE));
    samples.reference = std::make_shared<const DataView>(MakeView(data, reference));

    std::sort(reference.begin(), reference.end());
    std::vector<uint32_t> rest;
    std::set_difference(
        pool.begin(), pool.end(), reference.begin(), reference.end(), std::back_inserter(rest));
    RandomGenerator generator(SeedFor(RandomPurpose::SUBSET));
    const auto order = DrawPermutation(static_cast<uint32_t>(rest.size()), generator);
    std::vector<uint32_t> candidates;
    for (std::size_t i = 0; i < std::size_t{p.samples} * p.devices; ++i)
    {
        candidates.push_back(rest[order[i]]);
    }

    const uint64_t seed = SeedFor(RandomPurpose::PARTITION);
    Partition partition = p.partition == "iid" ? PartitionIid(candidates, p.devices, seed)
                                               : PartitionDirichlet(data->labels,
                                                                    candidates,
                                                                    data->classes,
                                                                    p.devices,
                                                                    p.alpha,
                                                                    p.minimumSamples,
                                                                    seed);
    samples.description = DescribePartition(data->labels, partition, data->classes);
    return partition;
}

/**
 * @param p parameters of the run
 * @return the samples of all agents
 */
Samples
PrepareSamples(const PredictionConsensusParameters& p)
{
    const auto data = LoadIdxDataSet(p.dataDir, true);
    const auto testData = LoadIdxDataSet(p.dataDir, false);
    Samples samples;
    const Partition partition = Distribute(p, data, samples);

    Require(p.testSamples >= 1 && p.testSamples <= testData->Size(),
            "testSamples",
            p.testSamples,
            fmt::format("1 to {}", testData->Size()));
    std::vector<uint32_t> testIndices(p.testSamples);
    std::iota(testIndices.begin(), testIndices.end(), 0);
    samples.global = std::make_shared<const DataView>(MakeView(testData, testIndices));

    const auto lowQuality = p.GetLowQualityDevices();
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        const auto& part = partition[device];
        const auto split =
            part.begin() + static_cast<std::ptrdiff_t>(part.size() - part.size() / 4);
        DataView train = MakeView(data, std::vector<uint32_t>(part.begin(), split));
        samples.test.push_back(MakeView(data, std::vector<uint32_t>(split, part.end())));
        if (std::binary_search(lowQuality.begin(), lowQuality.end(), device))
        {
            const uint64_t seed = SeedFor(RandomPurpose::LABEL_CORRUPTION, device);
            if (p.labelNoise == "permute")
            {
                PermuteLabels(train, seed);
            }
            else
            {
                RandomGenerator generator(seed);
                boost::random::uniform_int_distribution<uint32_t> shift(1, data->classes - 1);
                ShiftLabels(train, shift(generator));
            }
        }
        samples.train.push_back(std::move(train));
    }
    return samples;
}

/**
 * @brief Distance at which a link of default devices has a given outage probability.
 *
 * The inverse of eq. (18) of Wagle et al. and of log-distance path loss, which D2dHelper installs
 * unless the channel's attributes name another model.
 *
 * @param outage the outage probability
 * @return the distance [m]
 */
double
DistanceForOutage(double outage)
{
    Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>();
    const double noiseW = channel->GetNoiseW(device->GetBandwidth());
    const double threshold = std::exp2(device->GetSpectralEfficiency()) - 1;
    const double rssW = threshold * noiseW / -std::log1p(-outage);
    const double lossDb = device->GetTxPowerDbm() - (10 * std::log10(rssW) + 30);
    Ptr<PropagationLossModel> pathLoss = CreateObject<LogDistancePropagationLossModel>();
    DoubleValue exponent;
    DoubleValue referenceLossDb;
    pathLoss->GetAttribute("Exponent", exponent);
    pathLoss->GetAttribute("ReferenceLoss", referenceLossDb);
    return std::pow(10.0, (lossDb - referenceLossDb.Get()) / (10 * exponent.Get()));
}

/**
 * @brief Scatter the devices in a disc, scaled so that the two farthest apart have the outage asked
 * for.
 *
 * @param p parameters of the run
 * @param nodes the devices
 * @return their positions
 */
std::vector<Vector>
PlaceDevices(const PredictionConsensusParameters& p, const NodeContainer& nodes)
{
    constexpr double TWO_PI = 6.283185307179586;
    RandomGenerator generator(SeedFor(RandomPurpose::PLACEMENT));
    boost::random::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<Vector> positions;
    double farthest = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double r = std::sqrt(uniform(generator));
        const double angle = TWO_PI * uniform(generator);
        const Vector position(r * std::cos(angle), r * std::sin(angle), 0);
        for (const auto& other : positions)
        {
            farthest = std::max(farthest, CalculateDistance(position, other));
        }
        positions.push_back(position);
    }
    const double scale = DistanceForOutage(p.maxOutage) / farthest;
    Ptr<ListPositionAllocator> allocator = CreateObject<ListPositionAllocator>();
    for (auto& position : positions)
    {
        position = Vector(position.x * scale, position.y * scale, 1.5);
        allocator->Add(position);
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(allocator);
    mobility.Install(nodes);
    return positions;
}

/**
 * @param p parameters of the run
 * @param nodes the devices, in place
 */
void
InstallNetwork(const PredictionConsensusParameters& p, const NodeContainer& nodes)
{
    D2dHelper d2d;
    const NetDeviceContainer devices = d2d.Install(nodes);
    D2dHelper::AssignStreams(devices, 0);
    D2dHelper::CheckLinks(devices);
    DeviceProfileHelper profile;
    profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(p.battery));
    profile.Install(devices);
}

/**
 * @param p parameters of the run
 * @param samples the samples of all agents
 * @return what each agent learns with
 */
std::vector<PredictionConsensusAgent>
MakeAgents(const PredictionConsensusParameters& p, const Samples& samples)
{
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        TorchLearnerConfig config;
        config.model = p.model;
        config.trainData = samples.train[device];
        config.learningRate = p.learningRate;
        config.batchSize = p.batchSize;
        config.referenceBatchSize = p.referenceBatchSize;
        config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION, device);
        config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, device);
        PredictionConsensusAgent agent;
        agent.learner = MakeTorchLearner(std::move(config));
        agent.reference = samples.reference;
        agent.evaluations = {{"reference", samples.reference},
                             {"local", std::make_shared<const DataView>(samples.test[device])},
                             {"global", samples.global}};
        agents.push_back(std::move(agent));
    }
    return agents;
}

/**
 * @param p parameters of the run
 * @param nodes the devices
 * @param agents what each of them learns with
 * @return the applications
 */
ApplicationContainer
InstallApplications(const PredictionConsensusParameters& p,
                    const NodeContainer& nodes,
                    const std::vector<PredictionConsensusAgent>& agents)
{
    static const std::map<std::string, std::string> names = {{"dynamic", "Dynamic"},
                                                             {"static", "Static"},
                                                             {"naive", "Naive"},
                                                             {"local", "Local"},
                                                             {"stale", "Stale"},
                                                             {"exclude", "Exclude"},
                                                             {"best-effort", "BestEffort"},
                                                             {"reliable", "Reliable"}};
    Ptr<LearnerPool> pool =
        CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(p.threads));
    PredictionConsensusHelper helper(pool);
    helper.SetAttribute("Rounds", UintegerValue(p.rounds));
    helper.SetAttribute("PretrainingRounds", UintegerValue(p.pretrainingRounds));
    helper.SetAttribute("LocalEpochs", UintegerValue(p.localEpochs));
    helper.SetAttribute("Lambda", DoubleValue(p.lambda));
    helper.SetAttribute("TrustMode", StringValue(names.at(p.trust)));
    helper.SetAttribute("MissingPolicy", StringValue(names.at(p.missing)));
    helper.SetAttribute("LossPolicy", StringValue(names.at(p.loss)));
    helper.SetAttribute("RoundDeadline", TimeValue(Seconds(p.deadline)));
    return helper.Install(nodes, agents);
}

/**
 * @param p parameters of a run
 * @return those that change its results, by name
 */
nlohmann::ordered_json
DescribeParameters(const PredictionConsensusParameters& p)
{
    return {{"devices", p.devices},
            {"dataDir", p.dataDir},
            {"samples", p.samples},
            {"referenceSamples", p.referenceSamples},
            {"testSamples", p.testSamples},
            {"partition", p.partition},
            {"alpha", p.alpha},
            {"minimumSamples", p.minimumSamples},
            {"lowQuality", p.lowQuality},
            {"labelNoise", p.labelNoise},
            {"model", p.model},
            {"learningRate", p.learningRate},
            {"batchSize", p.batchSize},
            {"referenceBatchSize", p.referenceBatchSize},
            {"trust", p.trust},
            {"rounds", p.rounds},
            {"pretrainingRounds", p.pretrainingRounds},
            {"localEpochs", p.localEpochs},
            {"lambda", p.lambda},
            {"missing", p.missing},
            {"loss", p.loss},
            {"deadline", p.deadline},
            {"maxOutage", p.maxOutage},
            {"battery", p.battery}};
}

/**
 * @param p parameters of the run
 * @param samples the samples of all agents
 * @param positions of all devices
 * @return the contents of run.json: all that defines the run, and nothing of the host
 */
std::string
DescribeRun(const PredictionConsensusParameters& p,
            const Samples& samples,
            const std::vector<Vector>& positions)
{
    const ModelDescription model = DescribeModel(
        p.model, samples.reference->data->sampleShape, samples.reference->data->classes);
    nlohmann::ordered_json run;
    run["schema"] = 1;
    run["scenario"] = "prediction-consensus";
    run["parameters"] = DescribeParameters(p);
    run["defaults"] = DescribeParameters(PredictionConsensusParameters());
    run["attributes"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : GetChangedAttributes())
    {
        run["attributes"][name] = value;
    }
    run["seed"] = RngSeedManager::GetSeed();
    run["run"] = RngSeedManager::GetRun();
    run["versions"] = {
        {"collab", COLLAB_VERSION}, {"ns3", COLLAB_NS3_VERSION}, {"torch", GetTorchVersion()}};
    run["model"] = {{"parameters", model.CountParameters()},
                    {"forward_flops_per_sample", model.CountForwardFlops()},
                    {"training_flops_per_sample", model.CountTrainingFlops()}};
    const auto lowQuality = p.GetLowQualityDevices();
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        run["devices"].push_back(
            {{"device", device},
             {"low_quality", std::binary_search(lowQuality.begin(), lowQuality.end(), device)},
             {"train_samples", samples.train[device].Size()},
             {"test_samples", samples.test[device].Size()},
             {"x_m", positions[device].x},
             {"y_m", positions[device].y}});
    }
    return run.dump(2) + "\n";
}

/// Frees what ns-3 holds, however the run ends
struct SimulatorGuard
{
    ~SimulatorGuard()
    {
        Simulator::Destroy();
    }
};

} // namespace

std::vector<uint32_t>
PredictionConsensusParameters::GetLowQualityDevices() const
{
    std::vector<uint32_t> result;
    if (lowQuality == "none" || lowQuality.empty())
    {
        return result;
    }
    std::istringstream list(lowQuality);
    for (std::string item; std::getline(list, item, ',');)
    {
        const bool isNumber =
            !item.empty() && item.size() < 9 &&
            std::all_of(item.begin(), item.end(), [](char c) { return c >= '0' && c <= '9'; });
        const uint32_t device = isNumber ? static_cast<uint32_t>(std::stoul(item)) : devices;
        Require(
            device < devices,
            "lowQuality",
            lowQuality,
            fmt::format("none, or device numbers from 0 to {} with commas between", devices - 1));
        result.push_back(device);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void
PredictionConsensusParameters::Validate() const
{
    Require(devices >= 2 && devices <= 10000, "devices", devices, "2 to 10000");
    Require(samples >= 8, "samples", samples, "at least 8");
    Require(referenceSamples >= 1, "referenceSamples", referenceSamples, "at least 1");
    RequireOneOf("partition", partition, {"dirichlet", "iid"});
    Require(std::isfinite(alpha) && alpha > 0, "alpha", alpha, "greater than 0");
    Require(minimumSamples >= 4 && minimumSamples <= samples,
            "minimumSamples",
            minimumSamples,
            fmt::format("4 to {} (--samples)", samples));
    RequireOneOf("labelNoise", labelNoise, {"shift", "permute"});
    CheckModel(model, [this]() { FindModel(model); });
    Require(std::isfinite(learningRate) && learningRate > 0,
            "learningRate",
            learningRate,
            "greater than 0");
    Require(batchSize >= 1, "batchSize", batchSize, "at least 1");
    Require(referenceBatchSize >= 1, "referenceBatchSize", referenceBatchSize, "at least 1");
    RequireOneOf("trust", trust, {"dynamic", "static", "naive", "local"});
    Require(rounds >= 1, "rounds", rounds, "at least 1");
    Require(localEpochs >= 1, "localEpochs", localEpochs, "at least 1");
    Require(std::isfinite(lambda) && lambda >= 0, "lambda", lambda, "0 or greater");
    RequireOneOf("missing", missing, {"stale", "exclude"});
    RequireOneOf("loss", loss, {"best-effort", "reliable"});
    Require(deadline > 0 && deadline < 1e6, "deadline", deadline, "greater than 0 and below 1e6 s");
    Require(
        maxOutage > 0 && maxOutage < 1, "maxOutage", maxOutage, "between 0 and 1, both excluded");
    Require(battery > 0 && std::isfinite(battery), "battery", battery, "greater than 0 J");
    Require(threads <= 1024, "threads", threads, "0 to 1024");
    RequireTableFormat(recorder);
    GetLowQualityDevices();
}

void
RunPredictionConsensus(const PredictionConsensusParameters& p, std::ostream& output)
{
    p.Validate();
    ConfigureTorchProcess();
    Samples samples = PrepareSamples(p);
    CheckModel(p.model,
               [&]() { DescribeModel(p.model, MakeModelInput(*samples.reference->data)); });
    SimulatorGuard guard;

    NodeContainer nodes;
    nodes.Create(p.devices);
    const auto positions = PlaceDevices(p, nodes);
    InstallNetwork(p, nodes);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    ApplicationContainer applications = InstallApplications(p, nodes, MakeAgents(p, samples));
    folder.WriteFile("run.json", DescribeRun(p, samples, positions));
    folder.WriteFile("partition.txt", samples.description);
    if (!p.quiet)
    {
        output << samples.description << std::flush;
    }

    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder);
    RunRecorder recorder(*tables, applications);
    PredictionConsensusRecorder trustRecorder(*tables, applications);
    recorder.Flush();
    std::optional<RunProgress> progress;
    if (!p.quiet && RunProgress::IsTerminal())
    {
        progress.emplace(std::cerr, p.trust, "accuracy_reference", applications);
    }
    StopWhenAllEnd(applications);
    Simulator::Run();
    recorder.Flush();
    progress.reset();
    tables.reset();
    folder.Finish();
    if (!p.quiet)
    {
        output << "wrote " << folder.GetPath() << std::endl;
    }
}
