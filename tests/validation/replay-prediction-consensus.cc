/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Plays a run of prediction consensus that another program has recorded: the same initial
 * parameters, samples and batches, but learners in applications that exchange predictions over a
 * simulated network of perfect links. Compares trust matrices and accuracies. Exit status 1 if they
 * differ by more than is allowed.
 */

#include "replay-run.h"

#include "ns3/collab-error.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/command-line.h"

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// What may differ, and how far
struct Limits
{
    double trust = 1e-6;    //!< a weight of the trust matrix, from recorded predictions
    double runTrust = 0.01; //!< a weight of the trust matrix, of the predictions in the replay
    double images = 1;      //!< images of a client after pretraining, by any measure
    /// images of a client after any round, by any measure
    double anyImages = std::numeric_limits<double>::infinity();
    double points = 0.5;     //!< mean over the clients after the last round, by any measure [%]
    bool isExceeded = false; //!< whether something differs by more

    /// @param what was compared
    /// @param difference that was found
    /// @param limit that is allowed
    void
    Check(const std::string& what, double difference, double limit)
    {
        const bool exceeds = !(difference <= limit);
        isExceeded |= exceeds;
        std::cout << fmt::format(
            "{}: {:.3g}, allowed {:.3g}{}\n", what, difference, limit, exceeds ? ": EXCEEDED" : "");
    }
};

/// Differences by one measure after one round
struct Deviation
{
    double ours = 0;         //!< mean accuracy over the clients
    double recorded = 0;     //!< the same
    double meanAbsolute = 0; //!< mean over the clients of the difference's absolute value
    double mostImages = 0;   //!< greatest difference of a client, in images

    /// @return difference of the means
    double
    Mean() const
    {
        return ours - recorded;
    }
};

/// @param ours a row of W
/// @param recorded the same
/// @return greatest difference of a weight; infinite if they differ in length
double
CompareRows(const std::vector<double>& ours, const std::vector<double>& recorded)
{
    if (ours.size() != recorded.size())
    {
        return std::numeric_limits<double>::infinity();
    }
    double greatest = 0;
    for (std::size_t j = 0; j < ours.size(); ++j)
    {
        greatest = std::max(greatest, std::abs(ours[j] - recorded[j]));
    }
    return greatest;
}

/// @param data of the recorded run
/// @param limits what may differ
void
CompareTrust(const ReplayData& data, Limits& limits)
{
    for (const ReplayTrust& trust : data.trust)
    {
        if (trust.predictions.empty())
        {
            continue;
        }
        const auto matrix = ComputeTrustMatrix(trust.predictions);
        double greatest = 0;
        for (std::size_t i = 0; i < matrix.size(); ++i)
        {
            greatest = std::max(greatest, CompareRows(matrix[i], trust.expected[i]));
        }
        limits.Check(
            fmt::format("trust matrix of round {} from recorded predictions, greatest difference",
                        trust.round),
            greatest,
            limits.trust);
    }
}

/// A replay beside the recorded run
class RunComparison
{
  public:
    /// @param data of the recorded run
    /// @param options how it was made
    /// @param kind of trust
    RunComparison(const ReplayData& data, const ReplayOptions& options, const std::string& kind)
        : m_data(data),
          m_kind(kind),
          m_recorded(data.runs.at(kind)),
          m_result(Replay(data, options, kind)),
          m_last(m_result.accuracies.rbegin()->first.first),
          m_pretrained(std::min(std::max(options.pretrainingRounds, 1U) - 1, m_last)),
          m_isPretrained(options.pretrainingRounds > 0)
    {
    }

    /// @brief Print accuracies beside the recorded ones.
    void
    Print() const
    {
        PrintRounds();
        PrintClients(m_pretrained);
        PrintClients(m_last);
    }

    /// @brief Write a row a client, round and measure.
    void
    WriteRows(std::ostream& csv) const
    {
        for (const auto& [key, accuracies] : m_result.accuracies)
        {
            const ReplayAccuracies& recorded = m_recorded.at(key);
            for (std::size_t measure = 0; measure < recorded.size(); ++measure)
            {
                const double ours = accuracies[measure];
                const std::size_t images = m_data.CountImages(key.second, measure);
                csv << fmt::format("{},{},{},{},{},{:.6f},{:.6f},{:.0f}\n",
                                   m_kind,
                                   key.first,
                                   key.second,
                                   REPLAY_MEASURES[measure],
                                   images,
                                   ours,
                                   recorded[measure],
                                   (ours - recorded[measure]) * static_cast<double>(images));
            }
        }
    }

    /// @brief Look for differences that are not allowed.
    void
    Check(Limits& limits) const
    {
        double images = 0;
        double anyImages = 0;
        double points = 0;
        for (std::size_t measure = 0; measure < REPLAY_MEASURES.size(); ++measure)
        {
            for (uint32_t round = 0; round <= m_last; ++round)
            {
                anyImages = std::max(anyImages, Compare(round, measure).mostImages);
            }
            images = std::max(images, Compare(m_pretrained, measure).mostImages);
            points = std::max(points, 100 * std::abs(Compare(m_last, measure).Mean()));
        }
        if (m_isPretrained)
        {
            limits.Check(
                fmt::format("{} trust after {} rounds of pretraining, most images of a client",
                            m_kind,
                            m_pretrained + 1),
                images,
                limits.images);
        }
        limits.Check(fmt::format("{} trust after any round, most images of a client", m_kind),
                     anyImages,
                     limits.anyImages);
        CheckTrust(limits);
        limits.Check(fmt::format("{} trust after {} rounds, greatest difference of a mean [%]",
                                 m_kind,
                                 m_last + 1),
                     points,
                     limits.points);
        std::cout << fmt::format("{} trust: {:.1f} s of wall time, {:.1f} s of processor time\n",
                                 m_kind,
                                 m_result.wallSeconds,
                                 m_result.cpuSeconds);
    }

  private:
    /// @return how far accuracies differ by a measure of REPLAY_MEASURES after a round
    Deviation
    Compare(uint32_t round, std::size_t measure) const
    {
        Deviation deviation;
        const auto clients = static_cast<double>(m_data.clients.size());
        for (uint32_t client = 0; client < m_data.clients.size(); ++client)
        {
            const double a = m_result.accuracies.at({round, client})[measure];
            const double b = m_recorded.at({round, client})[measure];
            const auto images = static_cast<double>(m_data.CountImages(client, measure));
            deviation.ours += a / clients;
            deviation.recorded += b / clients;
            deviation.meanAbsolute += std::abs(a - b) / clients;
            deviation.mostImages =
                std::max(deviation.mostImages, std::round(std::abs(a - b) * images));
        }
        return deviation;
    }

    /// @brief Compare the matrices that the replay's own predictions led to.
    void
    CheckTrust(Limits& limits) const
    {
        for (const ReplayTrust& trust : m_data.trust)
        {
            if (trust.kind != m_kind || trust.round > m_last)
            {
                continue;
            }
            double greatest = 0;
            for (uint32_t i = 0; i < trust.expected.size(); ++i)
            {
                const auto ours = m_result.trust.find({trust.round, i});
                greatest = std::max(greatest,
                                    ours == m_result.trust.end()
                                        ? std::numeric_limits<double>::infinity()
                                        : CompareRows(ours->second, trust.expected[i]));
            }
            limits.Check(
                fmt::format("{} trust matrix of round {} in the replay, greatest difference",
                            m_kind,
                            trust.round),
                greatest,
                limits.runTrust);
        }
    }

    /// @brief Print means over clients after each round.
    void
    PrintRounds() const
    {
        std::cout << fmt::format("\n{} trust: mean accuracy over clients [%], ours / recorded "
                                 "(mean difference of a client; most images)\nround",
                                 m_kind);
        for (const char* name : REPLAY_MEASURES)
        {
            std::cout << fmt::format("  {:<30}", name);
        }
        for (uint32_t round = 0; round <= m_last; ++round)
        {
            std::cout << fmt::format("\n{:>5}", round);
            for (std::size_t measure = 0; measure < REPLAY_MEASURES.size(); ++measure)
            {
                const Deviation d = Compare(round, measure);
                std::cout << fmt::format("  {:<30}",
                                         fmt::format("{:.2f} / {:.2f} ({:.2f}; {:.0f})",
                                                     100 * d.ours,
                                                     100 * d.recorded,
                                                     100 * d.meanAbsolute,
                                                     d.mostImages));
            }
        }
        std::cout << '\n';
    }

    /// @brief Print accuracies of each client after a round.
    void
    PrintClients(uint32_t round) const
    {
        std::cout << fmt::format(
            "{} trust after round {}, by client, ours - recorded [images]\n", m_kind, round);
        for (uint32_t client = 0; client < m_data.clients.size(); ++client)
        {
            std::cout << fmt::format("{:>5}", client);
            for (std::size_t measure = 0; measure < REPLAY_MEASURES.size(); ++measure)
            {
                const double ours = m_result.accuracies.at({round, client})[measure];
                const double recorded = m_recorded.at({round, client})[measure];
                const auto images = static_cast<double>(m_data.CountImages(client, measure));
                std::cout << fmt::format(
                    "  {:<30}",
                    fmt::format("{:.4f} - {:.4f} = {:+.0f} of {}",
                                ours,
                                recorded,
                                std::round((ours - recorded) * images) + 0.0, // no -0
                                images));
            }
            std::cout << '\n';
        }
    }

    const ReplayData& m_data;
    std::string m_kind;            //!< of trust
    const ReplayTable& m_recorded; //!< accuracies
    ReplayResult m_result;         //!< of the replay
    uint32_t m_last;               //!< round
    uint32_t m_pretrained;         //!< last round of pretraining, or the first round
    bool m_isPretrained;           //!< whether there was pretraining
};

/// @brief Play all runs asked for.
/// @param source where the recorded run is
/// @param options how it was made
/// @param kinds of trust, with commas between; empty for all recorded
/// @param path of the table to write; none if empty
/// @param limits what may differ
void
Run(const ReplaySource& source,
    const ReplayOptions& options,
    const std::string& kinds,
    const std::string& path,
    Limits& limits)
{
    const ReplayData data = LoadReplay(source);
    std::vector<std::string> chosen;
    boost::split(chosen, kinds, boost::is_any_of(","));
    if (kinds.empty())
    {
        chosen.clear();
        std::transform(data.runs.begin(),
                       data.runs.end(),
                       std::back_inserter(chosen),
                       [](const auto& run) { return run.first; });
    }
    for (const std::string& kind : chosen)
    {
        if (data.runs.count(kind) == 0)
        {
            throw UserError(fmt::format("--trust={}: no run with this trust is recorded", kind));
        }
    }
    std::ofstream csv;
    if (!path.empty())
    {
        csv.open(path);
        csv << "trust,round,client,measure,images,ours,recorded,difference_images\n";
    }
    CompareTrust(data, limits);
    for (const std::string& kind : chosen)
    {
        const RunComparison run(data, options, kind);
        run.Print();
        run.WriteRows(csv);
        run.Check(limits);
        std::cout << std::flush;
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    ReplaySource source;
    ReplayOptions options;
    Limits limits;
    std::string kinds;
    std::string path;
    CommandLine arguments(__FILE__);
    arguments.AddValue("folder", "folder of the recorded run", source.folder);
    arguments.AddValue("setting", "setting in the names of its files", source.setting);
    arguments.AddValue("trust", "kinds to play, with commas between; all if empty", kinds);
    arguments.AddValue("model", "model of all clients", options.model);
    arguments.AddValue("epochs", "local epochs of a round", options.epochs);
    arguments.AddValue("rounds", "rounds to play; 0 for all that are recorded", options.rounds);
    arguments.AddValue(
        "pretrainingRounds", "rounds before the first exchange", options.pretrainingRounds);
    arguments.AddValue("lambda", "weight of the distance to the pseudo-labels", options.lambda);
    arguments.AddValue("learningRate", "of Adam", options.learningRate);
    arguments.AddValue("batchSize", "local samples of a step", options.batchSize);
    arguments.AddValue("referenceBatchSize", "X* samples of a step", options.referenceBatchSize);
    arguments.AddValue(
        "joinsBatches", "whether a step makes one pass for both batches", options.joinsBatches);
    arguments.AddValue("channelsLast",
                       "whether convolutions keep images with their channels last",
                       options.channelsLast);
    arguments.AddValue("blasThreads", "threads of OpenBLAS", options.blasThreads);
    arguments.AddValue("threads", "host threads; 0 for one a core", options.threads);
    arguments.AddValue(
        "maxTrust", "greatest difference of a weight from recorded predictions", limits.trust);
    arguments.AddValue(
        "maxRunTrust", "greatest difference of a weight in the replay", limits.runTrust);
    arguments.AddValue(
        "maxImages", "greatest difference of a client after pretraining [images]", limits.images);
    arguments.AddValue("maxAnyImages",
                       "greatest difference of a client after any round [images]",
                       limits.anyImages);
    arguments.AddValue(
        "maxPoints", "greatest difference of a mean after the last round [%]", limits.points);
    arguments.AddValue("csv", "file to write a row a measurement to; none if empty", path);
    arguments.Parse(argc, argv);
    source.model = options.model;
    source.epochs = options.epochs;
    const int code = RunScenario("replay-prediction-consensus", [&]() {
        ConfigureTorchProcess();
        Run(source, options, kinds, path, limits);
    });
    return code == 0 && limits.isExceeded ? 1 : code;
}
