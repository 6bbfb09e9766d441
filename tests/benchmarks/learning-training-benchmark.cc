/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What training costs: learners beside plain LibTorch loops of the same steps, and rounds through
 * the LearnerPool beside the same learners called one after the other.
 */

#include "benchmark-memory.h"
#include "benchmark-samples.h"
#include "plain-models.h"

#include "ns3/collab-learner-pool.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>
#include <string>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

constexpr int64_t BATCH = 64; //!< local samples of a step

/// Settings of the whole process, as a scenario has them
const bool g_isConfigured = [] {
    ConfigureTorchProcess();
    return true;
}();

/// @param model name with options
/// @param samples of the learner
/// @param kind of the optimizer
/// @return what makes the learner
TorchLearnerConfig
MakeConfig(const std::string& model, DataView samples, OptimizerKind kind)
{
    TorchLearnerConfig config;
    config.model = model;
    config.trainData = std::move(samples);
    config.batchSize = BATCH;
    config.learningRate = 0.01;
    config.optimizer.kind = kind;
    return config;
}

/// @param steps number of them
/// @return a job of so many steps
TrainTask
MakeTask(uint32_t steps)
{
    TrainTask task;
    task.steps = steps;
    return task;
}

/// Steps of many learners with the model 2-5-10-4, one after the other.
void
TrainSmall(benchmark::State& state, bool isNative)
{
    constexpr uint32_t STEPS = 10;
    const auto count = static_cast<std::size_t>(state.range(0));
    TorchLearnerConfig config =
        MakeConfig("mlp:5-10", MakeSamples({2}, 4, STEPS * BATCH), OptimizerKind::SGD);
    config.nativeSmallNetworks = isNative;
    std::vector<std::unique_ptr<Learner>> learners(count);
    std::generate(learners.begin(), learners.end(), [&] { return MakeTorchLearner(config); });
    for (auto _ : state)
    {
        for (const auto& learner : learners)
        {
            learner->Train(MakeTask(STEPS));
        }
    }
    state.counters["client_steps"] = benchmark::Counter(
        static_cast<double>(state.iterations() * count * STEPS), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(TrainSmall, native, true)->Arg(25)->Arg(100)->Arg(1000);
BENCHMARK_CAPTURE(TrainSmall, libtorch, false)->Arg(25)->Arg(100)->Arg(1000);

/// Steps of a learner with the model 784-200-10.
void
TrainMlpLearner(benchmark::State& state)
{
    const auto learner =
        MakeTorchLearner(MakeConfig("mlp", MakeSamples({1, 28, 28}, 10, 640), OptimizerKind::SGD));
    for (auto _ : state)
    {
        learner->Train(MakeTask(10));
    }
    state.SetItemsProcessed(10 * state.iterations());
}

BENCHMARK(TrainMlpLearner);

/// @return a model as a LibTorch program has it
PlainModel
MakePlainModel(const std::string& name)
{
    const auto& models = ListModels();
    return std::find_if(models.begin(),
                        models.end(),
                        [&](const ModelCase& model) { return model.name == name; })
        ->make();
}

/// The same steps as a LibTorch program has them, on tensors that are there already.
void
TrainMlpLibTorch(benchmark::State& state)
{
    const PlainModel model = MakePlainModel("mlp");
    torch::optim::SGD optimizer(model.module->parameters(), torch::optim::SGDOptions(0.01));
    const at::Tensor samples = torch::randn({BATCH, 784});
    const at::Tensor labels = torch::randint(10, {BATCH}, at::kLong);
    for (auto _ : state)
    {
        for (int step = 0; step < 10; ++step)
        {
            optimizer.zero_grad();
            at::cross_entropy_loss(model.forward(samples), labels).backward();
            optimizer.step();
        }
    }
    state.SetItemsProcessed(10 * state.iterations());
}

BENCHMARK(TrainMlpLibTorch);

/// Steps of a learner with NetCNN on 64 local and 256 shared samples.
void
TrainNetCnnLearner(benchmark::State& state)
{
    const auto learner = MakeTorchLearner(
        MakeConfig("netcnn", MakeSamples({1, 28, 28}, 10, BATCH), OptimizerKind::ADAM));
    TrainTask task = MakeTask(1);
    task.distillation.inputs = std::make_shared<DataView>(MakeSamples({1, 28, 28}, 10, 256));
    task.distillation.targets = std::make_shared<const Matrix<float>>(256, 10, 0.1F);
    for (auto _ : state)
    {
        learner->Train(task);
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(TrainNetCnnLearner)->Unit(benchmark::kMillisecond);

/// The same steps as a LibTorch program has them, on tensors that are there already.
void
TrainNetCnnLibTorch(benchmark::State& state)
{
    const PlainModel model = MakePlainModel("netcnn");
    torch::optim::Adam optimizer(model.module->parameters(), torch::optim::AdamOptions(0.005));
    const at::Tensor samples = torch::randn({BATCH + 256, 1, 28, 28});
    const at::Tensor labels = torch::randint(10, {BATCH}, at::kLong);
    const at::Tensor targets = torch::full({256, 10}, 0.1);
    for (auto _ : state)
    {
        optimizer.zero_grad();
        const auto logits = model.forward(samples);
        const auto shared = at::softmax(logits.narrow(0, BATCH, 256), 1);
        const auto pull = -(targets * (shared + 1e-8).log()).sum() / 256;
        (at::cross_entropy_loss(logits.narrow(0, 0, BATCH), labels) + 0.5 * pull).backward();
        optimizer.step();
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(TrainNetCnnLibTorch)->Unit(benchmark::kMillisecond);

/// A round of learners through the pool by a number of threads; 0: without the pool.
void
TrainRound(benchmark::State& state, const std::string& model, uint32_t count, uint32_t samples)
{
    const auto threads = static_cast<uint32_t>(state.range(0));
    TorchLearnerConfig config =
        MakeConfig(model, MakeSamples({1, 28, 28}, 10, samples), OptimizerKind::SGD);
    const FlatVector weights = DrawInitialWeights(config);
    std::vector<std::unique_ptr<Learner>> learners(count);
    std::generate(
        learners.begin(), learners.end(), [&] { return MakeTorchLearner(config, weights); });
    auto pool = CreateObject<LearnerPool>();
    pool->SetAttribute("Threads", UintegerValue(std::max(1U, threads)));
    pool->SetThreadInitializer(ConfigureTorchThread);
    const TrainTask task;
    for (auto _ : state)
    {
        for (const auto& learner : learners)
        {
            const auto work = [&learner, &task]() { learner->Train(task); };
            if (threads == 0)
            {
                work();
            }
            else
            {
                pool->Submit(Seconds(1), work, []() {});
            }
        }
        Simulator::Run();
    }
    state.SetItemsProcessed(count * state.iterations());
    pool->Dispose();
    Simulator::Destroy();
}

BENCHMARK_CAPTURE(TrainRound, netcnn, "netcnn", 10, 128)
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainRound, mlp, "mlp", 10, 640)
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

/// A first round of many devices that share the initial weights of a model of 100 000. The argument
/// is the number of devices.
/// @param kind optimizer
/// @param federated whether devices keep nothing but what they have changed, as for a server
void
TrainManyDevices(benchmark::State& state, OptimizerKind kind, bool federated)
{
    const auto count = static_cast<std::size_t>(state.range(0));
    const TorchLearnerConfig config =
        MakeConfig("mlp:126", MakeSamples({1, 28, 28}, 10, BATCH), kind);
    TrainTask task = MakeTask(1);
    task.dropsOptimizer = federated;
    for (auto _ : state)
    {
        state.PauseTiming();
        const double before = GetResidentBytes();
        const FlatVector weights = DrawInitialWeights(config);
        std::vector<std::unique_ptr<Learner>> learners(count);
        state.ResumeTiming();
        std::generate(
            learners.begin(), learners.end(), [&] { return MakeTorchLearner(config, weights); });
        const double made = GetResidentBytes();
        std::vector<FlatVector> uploads;
        for (const auto& learner : learners)
        {
            learner->Train(task);
            if (federated)
            {
                uploads.push_back(learner->GetWeights());
                learner->SetWeights(weights);
            }
        }
        state.counters["made_bytes/device"] = (made - before) / static_cast<double>(count);
        state.counters["trained_bytes/device"] =
            (GetResidentBytes() - before) / static_cast<double>(count);
    }
    state.SetItemsProcessed(static_cast<int64_t>(count) * state.iterations());
}

BENCHMARK_CAPTURE(TrainManyDevices, sgd, OptimizerKind::SGD, false)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainManyDevices, adam, OptimizerKind::ADAM, false)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainManyDevices, adam_federated, OptimizerKind::ADAM, true)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
