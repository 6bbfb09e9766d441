/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Prints the table of models of the documentation: see tests/configuration/write_appendices.py.

#include "ns3/collab-model-description.h"

#include <fmt/format.h>
#include <iostream>
#include <sstream>

namespace
{

using namespace ns3::collab;

/// A model with what it reads in a usual case.
struct Row
{
    std::string model;   //!< name with options
    std::string samples; //!< in words
    ModelInput input;    //!< what it reads
};

/// @return what a model reads
ModelInput
MakeInput(std::vector<int64_t> shape, uint32_t outputs, uint32_t vocabulary = 0)
{
    ModelInput input;
    input.sampleShape = std::move(shape);
    input.outputs = outputs;
    input.vocabulary = vocabulary;
    return input;
}

/// @return the models in the order of the table
std::vector<Row>
MakeRows()
{
    ModelInput words = MakeInput({25}, 2, 1000);
    words.embedding = std::make_shared<Matrix<float>>(1000, 300);
    ModelInput nodes = MakeInput({1}, 7, 2708); // Cora, the citation network of the paper
    auto graph = std::make_shared<GraphInput>();
    graph->features = Matrix<float>(2708, 1433);
    for (uint32_t i = 0; i < 5278; ++i)
    {
        const uint32_t from = i % 2708;
        graph->edges.emplace_back(from, (from + 1 + i / 2708) % 2708); // only their number counts
    }
    nodes.graph = graph;
    const ModelInput gray = MakeInput({1, 28, 28}, 10);
    const ModelInput color = MakeInput({3, 32, 32}, 10);
    return {{"linear", "1x28x28, 10 classes", gray},
            {"polynomial:4", "1 number, 1 output", MakeInput({1}, 1)},
            {"mlp", "1x28x28, 10 classes", gray},
            {"mlp:5-10", "2 numbers, 4 classes", MakeInput({2}, 4)},
            {"netcnn", "1x28x28, 10 classes", gray},
            {"lenet", "1x28x28, 10 classes", gray},
            {"lenet", "1x32x32, 10 classes", MakeInput({1, 32, 32}, 10)},
            {"alexnet", "1x28x28, 62 classes", MakeInput({1, 28, 28}, 62)},
            {"alexnet", "3x32x32, 10 classes", color},
            {"alexnet", "1x2x128, 11 classes", MakeInput({1, 2, 128}, 11)},
            {"resnet20", "3x32x32, 10 classes", color},
            {"resnet20:gn", "3x32x32, 10 classes", color},
            {"conv4", "1x28x28", gray},
            {"fc3", "1x28x28", gray},
            {"char-lstm", "80 of 80 characters, 80 classes", MakeInput({80}, 80, 80)},
            {"sentiment-lstm", "25 words of 300 numbers, 2 classes", words},
            {"efficientnet-b0", "3x224x224, 1000 classes", MakeInput({3, 224, 224}, 1000)},
            {"efficientnet-b0", "3x224x224, 8 classes", MakeInput({3, 224, 224}, 8)},
            {"gcn", "2708 nodes of 1433 numbers, 5278 edges, 7 classes; all nodes", nodes}};
}

/// @return the table
std::string
Print()
{
    std::ostringstream os;
    os << ".. list-table::\n   :header-rows: 1\n   :widths: 18 30 14 14 18 18 18\n\n"
          "   * - Model\n     - Samples\n     - Parameters\n     - Bytes\n"
          "     - Multiply-adds forward\n     - FLOPs forward\n     - FLOPs training\n";
    for (const Row& row : MakeRows())
    {
        const ModelDescription model = DescribeModel(row.model, row.input);
        os << fmt::format("   * - ``{}``\n     - {}\n     - {}\n     - {}\n     - {}\n     - {}\n"
                          "     - {}\n",
                          row.model,
                          row.samples,
                          model.CountParameters(),
                          model.CountBytes(),
                          model.CountMultiplyAdds(),
                          model.CountForwardFlops(),
                          model.CountTrainingFlops());
    }
    return os.str();
}

} // namespace

int
main()
{
    std::cout << Print();
    return 0;
}
