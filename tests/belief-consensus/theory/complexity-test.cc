/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "support/test-data.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-sample-bound.h"
#include "ns3/belief-consensus-weights.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::collab;

namespace
{

/// @return rows of the table that tests/reference/make-belief-complexity-reference.py made
std::vector<std::vector<std::string>>
ReadRows()
{
    std::ifstream file(GetTestData("belief-complexity.csv"));
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(file, line); // the header
    while (std::getline(file, line))
    {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
        {
            rows.back().push_back(cell);
        }
    }
    return rows;
}

/// @param graph its name in the table; not that of a random one
/// @param rule its name in the table
/// @param users N
/// @return W
Matrix<double>
MakeTableWeights(const std::string& graph, const std::string& rule, uint32_t users)
{
    using Maker = Neighborhoods (*)(uint32_t);
    const std::map<std::string, Maker> makers{{"complete", MakeCompleteNeighborhoods},
                                              {"grid", MakeGridNeighborhoods},
                                              {"ring", MakeRingNeighborhoods},
                                              {"star", MakeStarNeighborhoods}};
    WeightSettings settings;
    settings.rule = rule == "uniform" ? WeightRule::UNIFORM : WeightRule::METROPOLIS;
    return MakeWeights(makers.at(graph)(users), settings);
}

/// @param design its name in the table
/// @param users N
/// @return which bit each user sees
std::vector<uint32_t>
GetBits(const std::string& design, uint32_t users)
{
    std::vector<uint32_t> bits;
    for (uint32_t i = 0; i < users; ++i)
    {
        bits.push_back(design == "witness" ? (i == 0 ? 1 : 0) : i % 2);
    }
    return bits;
}

/// @param design its name in the table
/// @param w W
/// @return what the bounds depend on
SampleBoundInputs
MakeInputs(const std::string& design, const Matrix<double>& w)
{
    const auto tables = MakeBitTables(GetBits(design, static_cast<uint32_t>(w.rows)));
    const MixingReport mixing = AnalyzeMixing(w);
    const auto divergences = ComputeDivergences(tables);
    const auto learnable = FindLearnable(divergences, mixing.influence);
    const auto rates = ComputeLearningRates(ComputeInformation(divergences, 0), mixing.influence);
    SampleBoundInputs inputs;
    inputs.users = w.rows;
    inputs.hypotheses = 4;
    inputs.delta = .05;
    inputs.speed = FindLearningSpeed(rates, learnable).rate;
    inputs.range = ComputeLikelihoodRange(tables);
    inputs.lambda = mixing.eigenvalues.secondModulus;
    inputs.mixingSum = mixing.mixingSum;
    inputs.varianceShare = design == "common" ? 1 : mixing.sumOfSquares;
    return inputs;
}

} // namespace

TEST(BeliefComplexity, BoundsHoldOfWhatWasMeasured)
{
    std::size_t count = 0;
    for (const auto& row : ReadRows())
    {
        if (row[1] == "geometric" || row[3] == "256")
        {
            continue; // random, or long
        }
        const auto w = MakeTableWeights(row[1], row[2], static_cast<uint32_t>(std::stoul(row[3])));
        const SampleBoundInputs inputs = MakeInputs(row[0], w);
        const double measured = std::stod(row.at(8));
        const double sharper = ComputeSharperBound(inputs).instants;
        EXPECT_LT(measured, sharper) << row[0] << " " << row[1] << " " << row[3];
        EXPECT_LT(sharper, ComputePaperBound(inputs).instants) << row[0] << " " << row[1];
        // Without chance, a rival at speed K is below 1 / (2M) = 1/8 only after this
        EXPECT_GT(measured, std::log(7) / inputs.speed) << row[0] << " " << row[1];
        ++count;
    }
    EXPECT_GE(count, 54U);
}
