/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-agreement-scenario.h"

#include "common/scenario-run.h"
#include "inputs/scenario-checks.h"

#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-distributed-pca.h"
#include "ns3/collab-number.h"
#include "ns3/collab-parallel-for.h"
#include "ns3/collab-partition.h"
#include "ns3/collab-random.h"
#include "ns3/graph-discovery-agreement-table.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// All samples as their owners see them
struct LatentSamples
{
    Matrix<float> points;        //!< samples x d
    std::vector<int64_t> labels; //!< true ones
    uint32_t classes = 0;        //!< of the labels
};

/// @return the numbers in --alphas
/// @throws UserError if it is no list of numbers that a Dirichlet distribution can have
std::vector<double>
ParseAlphas(const std::string& given)
{
    std::vector<double> alphas;
    for (const std::string& entry : SplitList(given))
    {
        const double alpha = ParseNumber(entry).value_or(0);
        Require(alpha >= 1e-6 && alpha <= 1e6,
                "alphas",
                given,
                "numbers from 1e-6 to 1e6, with commas between them");
        alphas.push_back(alpha);
    }
    Require(!alphas.empty(), "alphas", given, "at least one number");
    return alphas;
}

/// @return host threads
unsigned
CountThreads(const GraphDiscoveryAgreementParameters& p)
{
    const auto threads = p.Get<uint32_t>("threads");
    return threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

/// @return the data set's samples that are used
/// @throws UserError if there are not as many, or they cannot be used
DataView
ChooseSamples(const GraphDiscoveryAgreementParameters& p)
{
    DataSetOptions options;
    options.folder = p.dataDir;
    options.seed = RngSeedManager::GetSeed();
    const std::shared_ptr<const DataSet> data = LoadDataSet(p.dataSet, options);
    p.Require(data->classes > 0 && data->kind != FeatureKind::TOKENS,
              "dataSet",
              "one with classes, of bytes or numbers");
    const std::size_t most = data->Size() / p.devices;
    p.Require(
        p.samples <= most, "samples", fmt::format("{} or less, for {} devices", most, p.devices));
    p.Require(p.components <= data->SampleSize(),
              "components",
              fmt::format("{} or less, the features of a sample", data->SampleSize()));
    RandomGenerator generator(SeedFor(RandomPurpose::SUBSET));
    std::vector<uint32_t> chosen = DrawPermutation(static_cast<uint32_t>(data->Size()), generator);
    chosen.resize(std::size_t{p.samples} * p.devices);
    return MakeView(data, chosen);
}

/// @brief Project samples into the subspace that devices find if each has a part like any other.
/// @return all samples
LatentSamples
PrepareLatent(const GraphDiscoveryAgreementParameters& p)
{
    const DataView view = ChooseSamples(p);
    const Partition parts =
        PartitionIid(view.indices, p.devices, SeedFor(RandomPurpose::PARTITION));
    std::vector<PrincipalComponents> components(parts.size());
    ParallelFor(CountThreads(p), parts.size(), [&](std::size_t device) {
        components[device] = FindPrincipalComponents(
            DecodeSamples(MakeView(view.data, parts[device])), p.components);
    });
    std::vector<const PrincipalComponents*> sent;
    for (const PrincipalComponents& part : components)
    {
        sent.push_back(&part);
    }
    const Matrix<float> subspace = CombinePrincipalComponents(sent, p.components);
    return {Project(DecodeSamples(view), subspace), view.labels, view.data->classes};
}

/// @return the agreement by this rule
double
GetValue(const AgreementCell& cell, const std::string& rule)
{
    if (rule == "sum")
    {
        return cell.sum;
    }
    return rule == "mean-ratio" ? cell.meanRatio : cell.ratioOfMeans;
}

/// A draw and pair of alphas
struct AgreementRow
{
    uint64_t round;     //!< number of the draw
    AgreementCell cell; //!< of the draw

    /// @return the table agreement
    static TableColumns<AgreementRow>
    GetTable()
    {
        const auto of = [](double AgreementCell::*member) {
            return Within(&AgreementRow::cell, member);
        };
        return {
            "agreement",
            "a draw and pair of alphas",
            {{"round", "", "number of the draw, from 0", &AgreementRow::round},
             {"alpha_before",
              "1",
              "of the samples before the exchange",
              of(&AgreementCell::alphaBefore)},
             {"alpha_after", "1", "of the samples after it", of(&AgreementCell::alphaAfter)},
             {"ratio_of_means", "1", "mean(hB) / mean(hA) - 1", of(&AgreementCell::ratioOfMeans)},
             {"sum", "1", "sum of hB / hA", of(&AgreementCell::sum)},
             {"mean_ratio", "1", "mean of hB / hA", of(&AgreementCell::meanRatio)}}};
    }
};

/// @return how the table is measured
AgreementTableOptions
MakeOptions(const GraphDiscoveryAgreementParameters& p)
{
    AgreementTableOptions options;
    options.devices = p.devices;
    options.alphas = ParseAlphas(p.alphas);
    options.clusters.clusters = p.clusters;
    options.clusters.restarts = p.restarts;
    options.minimumSamples = p.minimumSamples;
    options.threads = CountThreads(p);
    return options;
}

/// @return the table of this draw
/// @throws UserError if samples cannot be dealt out like this
std::vector<AgreementCell>
Measure(const GraphDiscoveryAgreementParameters& p, const LatentSamples& samples, uint32_t round)
{
    std::vector<AgreementCell> cells;
    CheckArgument("minimumSamples", p.minimumSamples, [&]() {
        cells = MeasureAgreementTable(samples.points,
                                      samples.labels,
                                      samples.classes,
                                      MakeOptions(p),
                                      SeedFor(RandomPurpose::PARTITION, round));
    });
    return cells;
}

} // namespace

GraphDiscoveryAgreementParameters::GraphDiscoveryAgreementParameters()
{
    runDir = "runs/graph-discovery-agreement";
    Add("rule",
        rule,
        "how the divergences of clusters become one number: mean(hB) / mean(hA) - 1, the sum "
        "of hB / hA, or their mean; of the measure, all are in the table agreement")
        .Choices({"ratio-of-means", "sum", "mean-ratio"});
    Add("alphas",
        alphas,
        "concentrations of the Dirichlet distributions of classes, with commas between them");
    Add("rounds", rounds, "independent draws of who holds which samples").AtLeast(1).AtMost(100000);
    Add("devices", devices, "number of devices").AtLeast(2).AtMost(1000);
    DeclareDataSet(*this,
                   dataSet,
                   dataDir,
                   "name of a data set with classes, or file:PATH for one of your own");
    Add("samples", samples, "samples a device, on average").AtLeast(8);
    Add("minimumSamples", minimumSamples, "least number of samples of a device").AtLeast(1);
    Add("components", components, "d, of the principal component analysis").AtLeast(1);
    Add("clusters", clusters, "L, of each device").AtLeast(1).AtMost(1000);
    Add("restarts", restarts, "of k-means, of which the best result is kept")
        .AtLeast(1)
        .AtMost(1000);
    DeclareRun();
}

void
GraphDiscoveryAgreementParameters::Validate() const
{
    ParseAlphas(alphas);
    Require(minimumSamples >= clusters && minimumSamples <= samples,
            "minimumSamples",
            fmt::format("{} (--clusters) to {} (--samples)", clusters, samples));
    ValidateDataSet(dataSet);
    ValidateRun();
}

void
RunGraphDiscoveryAgreement(GraphDiscoveryAgreementParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    const LatentSamples samples = PrepareLatent(p);
    RunResults results(p, {"graph-discovery-agreement", "rule", "agreement"}, output);
    const auto rounds = results.tables->Add(
        TimelessRound::GetTable("draw",
                                "0: it is of the system",
                                {"agreement", "1", "by --rule, from the first alpha to the last"}));
    const auto agreements = results.tables->Add<AgreementRow>();
    for (uint32_t round = 0; round < p.rounds; ++round)
    {
        const auto cells = Measure(p, samples, round);
        for (const AgreementCell& cell : cells)
        {
            agreements.Write({round, cell});
        }
        const auto alphas = static_cast<std::size_t>(std::lround(std::sqrt(cells.size())));
        rounds.Write({round, GetValue(cells[alphas - 1], p.rule)});
    }
    results.Finish();
}
