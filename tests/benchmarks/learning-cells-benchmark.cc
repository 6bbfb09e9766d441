/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What learning_cells.py compares with PyTorch: learners of one workload that train through the
// LearnerPool once, and the multiply-adds that the processor can do.

#include "benchmark-samples.h"

#include "ns3/collab-learner-pool.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

/// Learners that train once
struct Workload
{
    TorchLearnerConfig config; //!< of each learner
    TrainTask task;            //!< of each learner
    uint64_t samples = 0;      //!< of each learner's task
};

/// @param model name of the model
/// @param samples of the learner
/// @param batchSize samples of a step
/// @param optimizer kind of the optimizer
/// @return a learner's configuration
TorchLearnerConfig
MakeConfig(const std::string& model, DataView samples, uint32_t batchSize, OptimizerKind optimizer)
{
    TorchLearnerConfig config;
    config.model = model;
    config.trainData = std::move(samples);
    config.batchSize = batchSize;
    config.learningRate = 0.001;
    config.optimizer.kind = optimizer;
    return config;
}

/// @return an epoch of prediction consensus: 600 local samples, batches of 64, 256 of X* each step
Workload
MakeConsensus()
{
    constexpr uint32_t STEPS = 10;
    Workload work;
    work.config = MakeConfig("netcnn", MakeSamples({1, 28, 28}, 10, 600), 64, OptimizerKind::ADAM);
    work.task.epochs = 1;
    work.task.distillation.inputs = std::make_shared<DataView>(MakeSamples({1, 28, 28}, 10, 400));
    work.task.distillation.targets = std::make_shared<const Matrix<float>>(400, 10, 0.1F);
    work.samples = 600 + STEPS * work.config.referenceBatchSize;
    return work;
}

/// @param model name of the model
/// @param samples of a learner, of CIFAR-10's shape
/// @param batchSize samples of a step
/// @param epochs epochs of a round
/// @return a round of a client of FedAvg
Workload
MakeFederated(const std::string& model, uint32_t samples, uint32_t batchSize, uint32_t epochs)
{
    Workload work;
    work.config =
        MakeConfig(model, MakeSamples({3, 32, 32}, 10, samples), batchSize, OptimizerKind::SGD);
    work.task.epochs = epochs;
    work.samples = uint64_t{samples} * epochs;
    return work;
}

/// @param name name of a workload
/// @return the workload
Workload
MakeWorkload(const std::string& name)
{
    if (name == "consensus")
    {
        return MakeConsensus();
    }
    if (name == "blazefl")
    {
        return MakeFederated("lenet", 500, 50, 5);
    }
    if (name == "pfl")
    {
        return MakeFederated("netcnn", 50, 10, 1);
    }
    throw std::invalid_argument(name + " is not consensus, blazefl or pfl");
}

/// @param work what runs
/// @return seconds that it takes
template <typename Work>
double
Measure(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Print samples per second of learners through the pool, and operations per sample as they count.
void
Train(const std::string& name, uint32_t threads, uint32_t clients)
{
    ConfigureTorchProcess();
    Workload work = MakeWorkload(name);
    const FlatVector weights = DrawInitialWeights(work.config);
    std::vector<std::unique_ptr<Learner>> learners(clients);
    std::generate(
        learners.begin(), learners.end(), [&] { return MakeTorchLearner(work.config, weights); });
    auto pool = CreateObject<LearnerPool>();
    pool->SetAttribute("Threads", UintegerValue(threads));
    pool->SetThreadInitializer(ConfigureTorchThread);
    const double seconds = Measure([&] {
        for (const auto& learner : learners)
        {
            pool->Submit(
                Seconds(1), [&] { learner->Train(work.task); }, [] {});
        }
        Simulator::Run();
    });
    const double flops = static_cast<double>(learners.front()->CountTrainFlops(work.task));
    pool->Dispose();
    Simulator::Destroy();
    std::cout << static_cast<double>(clients * work.samples) / seconds << ' '
              << flops / static_cast<double>(work.samples) << '\n';
}

constexpr int64_t MULTIPLY_ADDS = 200'000'000; //!< of vectors, in each chain
constexpr int CHAINS = 12;                     //!< enough for the latency of both units

/// @tparam W number of floats
template <int W>
struct Lanes
{
    /// Vector of W floats
    typedef float Floats __attribute__((vector_size(W * sizeof(float))));
};

/// @tparam W floats of a vector
/// @param factor what to multiply by
/// @return something that depends on all multiply-adds
template <int W>
inline __attribute__((always_inline)) float
MultiplyAdd(float factor)
{
    using Floats = typename Lanes<W>::Floats;
    Floats sums[CHAINS] = {};
    const Floats factors = Floats{} + factor;
    for (int64_t i = 0; i < MULTIPLY_ADDS; ++i)
    {
#pragma GCC unroll 12
        for (Floats& sum : sums)
        {
            sum = sum * factors + factors;
        }
    }
    float all = 0;
    for (const Floats& sum : sums)
    {
        all += sum[0];
    }
    return all;
}

#if defined(__x86_64__)
__attribute__((target("avx512f,fma"))) float
MultiplyAddAvx512(float factor)
{
    return MultiplyAdd<16>(factor);
}

__attribute__((target("avx2,fma"))) float
MultiplyAddAvx2(float factor)
{
    return MultiplyAdd<8>(factor);
}
#endif

/// Print operations per second of multiply-adds in registers by so many threads.
void
MeasurePeak(uint32_t threads)
{
    float (*run)(float) = MultiplyAdd<4>;
    int lanes = 4;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
    {
        run = MultiplyAddAvx512;
        lanes = 16;
    }
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    {
        run = MultiplyAddAvx2;
        lanes = 8;
    }
#endif
    std::vector<float> results(threads);
    const double seconds = Measure([&] {
        std::vector<std::thread> all;
        for (float& result : results)
        {
            all.emplace_back([&result, run] { result = run(0.5F); });
        }
        for (std::thread& one : all)
        {
            one.join();
        }
    });
    volatile float used = results.front(); // so that the sums are computed
    static_cast<void>(used);
    std::cout << 2.0 * threads * lanes * CHAINS * MULTIPLY_ADDS / seconds << '\n';
}

} // namespace
} // namespace benchmarks
} // namespace ns3::collab

int
main(int argc, char* argv[])
{
    using namespace ns3::collab::benchmarks;
    if (argc < 3)
    {
        std::cerr << "usage: collab-bench-cells peak THREADS, or WORKLOAD THREADS CLIENTS\n";
        return 2;
    }
    const std::string name = argv[1];
    const auto threads = static_cast<uint32_t>(std::atoi(argv[2]));
    if (name == "peak")
    {
        MeasurePeak(threads);
    }
    else
    {
        Train(name, threads, static_cast<uint32_t>(std::atoi(argc > 3 ? argv[3] : "1")));
    }
    return 0;
}
