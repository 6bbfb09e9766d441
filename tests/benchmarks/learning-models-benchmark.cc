/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A step of every model in the list, by a learner and by LibTorch's modules.
 */

#include "benchmark-samples.h"
#include "plain-models.h"

#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>
#include <torch/optim/sgd.h>
#include <torch/types.h>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

constexpr uint32_t SAMPLES = 8; //!< of a step: few, so that what a learner does besides is seen

/// @return random samples of a case
DataView
MakeSamplesOf(const ModelCase& model)
{
    if (model.vocabulary == 0)
    {
        return MakeSamples(model.shape, model.classes, SAMPLES);
    }
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::TOKENS;
    data->sampleShape = model.shape;
    data->classes = model.classes;
    data->vocabulary = model.vocabulary;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        indices.push_back(i);
        data->labels.push_back(i % model.classes);
        for (int64_t step = 0; step < model.shape[0]; ++step)
        {
            data->tokens.push_back(static_cast<int32_t>((7 * i + 5 * step) % model.vocabulary));
        }
    }
    return MakeView(data, indices);
}

/// @return rows of 50 numbers, one for each token
Matrix<float>
MakeRows(uint32_t tokens)
{
    Matrix<float> rows(tokens, 50);
    for (std::size_t i = 0; i < rows.values.size(); ++i)
    {
        rows.values[i] = std::sin(static_cast<float>(i));
    }
    return rows;
}

/// Steps of a learner.
void
TrainModelLearner(benchmark::State& state, const ModelCase& model)
{
    TorchLearnerConfig config;
    config.model = model.name;
    config.trainData = MakeSamplesOf(model);
    config.batchSize = SAMPLES;
    config.learningRate = 0.001;
    config.optimizer.kind = OptimizerKind::SGD;
    if (model.name == "sentiment-lstm")
    {
        config.embedding = std::make_shared<const Matrix<float>>(MakeRows(model.vocabulary));
    }
    if (model.name == "gcn")
    {
        auto graph = std::make_shared<GraphInput>();
        graph->features = MakeRows(model.vocabulary);
        for (uint32_t node = 1; node < model.vocabulary; ++node)
        {
            graph->edges.emplace_back(node / 2, node);
        }
        config.graph = graph;
    }
    const auto learner = MakeTorchLearner(config);
    TrainTask task;
    task.steps = 1;
    for (auto _ : state)
    {
        learner->Train(task);
    }
}

/// The same steps on tensors that are there already.
void
TrainModelLibTorch(benchmark::State& state, const ModelCase& model)
{
    const PlainModel plain = model.make();
    std::vector<at::Tensor> trained;
    for (const at::Tensor& parameter : plain.module->parameters())
    {
        if (parameter.requires_grad())
        {
            trained.push_back(parameter);
        }
    }
    torch::optim::SGD optimizer(trained, torch::optim::SGDOptions(0.001));
    std::vector<int64_t> sizes = model.shape;
    sizes.insert(sizes.begin(), SAMPLES);
    const at::Tensor samples = model.vocabulary > 0
                                   ? torch::randint(model.vocabulary, sizes, at::kLong)
                                   : torch::randn(sizes);
    const at::Tensor labels = torch::randint(model.classes, {SAMPLES}, at::kLong);
    for (auto _ : state)
    {
        optimizer.zero_grad();
        at::cross_entropy_loss(plain.forward(samples), labels).backward();
        optimizer.step();
    }
}

/// All models of the list by both
const bool g_areRegistered = [] {
    ConfigureTorchProcess();
    for (const ModelCase& model : ListModels())
    {
        const auto add = [&model](const char* by, auto run) {
            benchmark::RegisterBenchmark(
                (std::string(by) + "/" + model.name).c_str(),
                [run, &model](benchmark::State& state) { run(state, model); })
                ->Unit(benchmark::kMillisecond);
        };
        add("TrainModelLearner", TrainModelLearner);
        add("TrainModelLibTorch", TrainModelLibTorch);
    }
    return true;
}();

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
