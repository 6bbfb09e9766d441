/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay-data.h"

#include "ns3/collab-data-file.h"
#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-error.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-number.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace ns3::collab
{
namespace tests
{

namespace
{

/// Reads the rows of a text file one by one.
class RowReader
{
  public:
    /// @param path of the file
    /// @param separator between cells
    RowReader(const std::string& path, char separator)
        : m_file(path),
          m_separator(separator)
    {
    }

    /// @return whether there was another row
    bool
    Next()
    {
        std::string line;
        if (!m_file.ReadLine(line))
        {
            return false;
        }
        boost::split(m_cells, line, [this](char c) { return c == m_separator; });
        return true;
    }

    /// @param least number of cells that the row must have
    /// @return cells of the row
    const std::vector<std::string>&
    Cells(std::size_t least) const
    {
        if (m_cells.size() < least)
        {
            m_file.FailAtLine(fmt::format("{} cells, expected {}", m_cells.size(), least));
        }
        return m_cells;
    }

    /// @param column of the row
    /// @return the number there
    double
    Number(std::size_t column) const
    {
        const std::string& cell = Cells(column + 1)[column];
        const auto number = ParseNumber(cell);
        if (!number)
        {
            m_file.FailAtLine(fmt::format("'{}' is no number", Shortened(cell)));
        }
        return *number;
    }

    /// @param column of the row
    /// @param end one past the greatest allowed
    /// @return the whole number there
    uint32_t
    Index(std::size_t column, std::size_t end) const
    {
        const double number = Number(column);
        if (!(number >= 0) || number >= static_cast<double>(end) || number != std::trunc(number))
        {
            m_file.FailAtLine(fmt::format("{} is no whole number below {}", number, end));
        }
        return static_cast<uint32_t>(number);
    }

    /// @return number of cells of the row
    std::size_t
    Size() const
    {
        return m_cells.size();
    }

    /// @param problem of the row that was read last
    [[noreturn]] void
    Fail(const std::string& problem) const
    {
        m_file.FailAtLine(problem);
    }

  private:
    DataFile m_file;                  //!< the file
    char m_separator;                 //!< between cells
    std::vector<std::string> m_cells; //!< of the present row
};

constexpr std::size_t MOST_CLIENTS = 1000; //!< of a recorded run

/// @param source where split.csv is: role, client, order, index, label
/// @param data that the indices are of
/// @param[out] replay receives clients, their samples and X*
void
LoadSplit(const ReplaySource& source,
          const std::shared_ptr<const DataSet>& data,
          ReplayData& replay)
{
    // Settings have the same samples, but not the same labels
    const std::string own = fmt::format("{}/split_{}.csv", source.folder, source.setting);
    RowReader rows(std::filesystem::exists(own) ? own : source.folder + "/split.csv", ',');
    rows.Next(); // names of columns
    const DataView none{data, {}, {}, nullptr};
    DataView reference = none;
    while (rows.Next())
    {
        const std::string& role = rows.Cells(5)[0];
        if (role != "train" && role != "test" && role != "ref")
        {
            rows.Fail(fmt::format("role '{}', allowed: train, test, ref", Shortened(role)));
        }
        const uint32_t client = rows.Index(1, MOST_CLIENTS);
        replay.clients.resize(std::max<std::size_t>(replay.clients.size(), client + 1),
                              ReplayClient{none, none, nullptr, {}});
        DataView& view = role == "ref"    ? reference
                         : role == "test" ? replay.clients[client].test
                                          : replay.clients[client].train;
        if (role != "ref" && rows.Index(2, data->Size()) != view.Size())
        {
            rows.Fail(fmt::format("expected order {}", view.Size()));
        }
        view.indices.push_back(rows.Index(3, data->Size()));
        view.labels.push_back(rows.Index(4, data->classes));
    }
    replay.reference = std::make_shared<const DataView>(std::move(reference));
}

/// @param path of a file of float32, little endian
/// @param count numbers to read
/// @return the numbers
std::vector<float>
LoadFloats(const std::string& path, std::size_t count)
{
    static_assert(sizeof(float) == 4);
    DataFile file(path);
    std::vector<uint8_t> bytes;
    file.Append(bytes, 4 * count + 1);
    if (bytes.size() != 4 * count)
    {
        file.FailAtByte(bytes.size(), fmt::format("expected {} numbers of 4 bytes", count));
    }
    std::vector<float> numbers(count);
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

/// @param source where the run is
/// @param[in,out] replay whose clients get their initial weights
void
LoadWeights(const ReplaySource& source, ReplayData& replay)
{
    const ModelInput input = MakeModelInput(*replay.reference->data);
    const std::size_t count = DescribeModel(source.model, input).CountParameters();
    const std::string path =
        FindDataFile(source.folder, fmt::format("initial_parameters_{}.f32", source.setting));
    const std::vector<float> all = LoadFloats(path, count * replay.clients.size());
    auto next = all.begin();
    for (ReplayClient& client : replay.clients)
    {
        const auto end = next + static_cast<std::ptrdiff_t>(count);
        client.weights = std::make_shared<const std::vector<float>>(next, end);
        next = end;
    }
}

/// @param source where the run is
/// @param rounds of the run
/// @param[in,out] replay whose clients get the orders of their passes
void
LoadOrders(const ReplaySource& source, uint32_t rounds, ReplayData& replay)
{
    const std::string path = fmt::format("{}/batch_order_{}.txt", source.folder, source.setting);
    RowReader rows(path, ' ');
    std::vector<std::vector<std::vector<uint32_t>>> passes(replay.clients.size());
    while (rows.Next())
    {
        const uint32_t client = rows.Index(0, passes.size());
        const std::size_t samples = replay.clients[client].train.Size();
        if (rows.Number(1) != static_cast<double>(passes[client].size()))
        {
            rows.Fail(fmt::format("expected iteration {}", passes[client].size()));
        }
        std::vector<uint32_t> order;
        for (std::size_t column = 2; column < rows.Size(); ++column)
        {
            order.push_back(rows.Index(column, samples));
        }
        passes[client].push_back(std::move(order));
    }
    for (std::size_t i = 0; i < passes.size(); ++i)
    {
        const std::size_t perRound = passes[i].size() / rounds;
        if (perRound < source.epochs)
        {
            throw DataFileError(fmt::format("{}: client {} has {} passes, too few for {} rounds",
                                            path,
                                            i,
                                            passes[i].size(),
                                            rounds));
        }
        for (std::size_t pass = 0; pass < perRound * rounds; ++pass)
        {
            if (pass % perRound < source.epochs)
            {
                replay.clients[i].orders.push_back(std::move(passes[i][pass]));
            }
        }
    }
}

/// @param source where the run is
/// @param clients number of clients
/// @return accuracies by kind of trust, and the number of images in the held-out set
std::pair<std::map<std::string, ReplayTable>, uint32_t>
LoadAccuracies(const ReplaySource& source, std::size_t clients)
{
    const std::string path = fmt::format("{}/accuracy_{}.csv", source.folder, source.setting);
    RowReader rows(path, ',');
    rows.Next();
    unsigned heldout = 0;
    const std::string& name = rows.Cells(8)[7];
    if (std::sscanf(name.c_str(), "heldout%u_acc", &heldout) != 1)
    {
        rows.Fail(fmt::format("column '{}', expected heldout<N>_acc", Shortened(name)));
    }
    std::map<std::string, ReplayTable> runs;
    while (rows.Next())
    {
        const auto key = std::make_pair(rows.Index(2, 100000), rows.Index(3, clients));
        const std::string& kind = rows.Cells(8)[1];
        if (std::find(REPLAY_KINDS.begin(), REPLAY_KINDS.end(), kind) == REPLAY_KINDS.end())
        {
            rows.Fail(fmt::format(
                "trust '{}', allowed: {}", Shortened(kind), fmt::join(REPLAY_KINDS, ", ")));
        }
        ReplayAccuracies& accuracies = runs[kind][key];
        for (std::size_t measure = 0; measure < accuracies.size(); ++measure)
        {
            accuracies[measure] = rows.Number(4 + measure);
        }
    }
    if (runs.empty())
    {
        rows.Fail("no accuracies");
    }
    for (const auto& [kind, table] : runs)
    {
        const std::size_t rounds = table.rbegin()->first.first + 1;
        if (table.size() != rounds * clients)
        {
            throw DataFileError(fmt::format("{}: {} rows of {} trust, expected {} clients in each "
                                            "of {} rounds",
                                            path,
                                            table.size(),
                                            kind,
                                            clients,
                                            rounds));
        }
    }
    return {runs, heldout};
}

/// @param path of a file with a row of W a line
/// @param clients number of clients
/// @return the matrix
std::vector<std::vector<double>>
LoadMatrix(const std::string& path, std::size_t clients)
{
    std::vector<std::vector<double>> matrix;
    RowReader rows(path, ',');
    while (rows.Next())
    {
        matrix.emplace_back();
        for (std::size_t j = 0; j < clients; ++j)
        {
            matrix.back().push_back(rows.Number(j));
        }
    }
    if (matrix.size() != clients)
    {
        rows.Fail(fmt::format("the last one of {}, expected {}", matrix.size(), clients));
    }
    return matrix;
}

/// @param path of a file of predictions
/// @param replay whose clients and X* they are of
/// @return the predictions by client
std::vector<Matrix<float>>
LoadPredictions(const std::string& path, const ReplayData& replay)
{
    const std::size_t clients = replay.clients.size();
    const Matrix<float> empty(replay.reference->Size(), replay.reference->data->classes);
    std::vector<Matrix<float>> predictions(clients, empty);
    const std::vector<float> all = LoadFloats(path, clients * empty.values.size());
    auto next = all.begin();
    for (Matrix<float>& one : predictions)
    {
        std::copy_n(next, one.values.size(), one.values.begin());
        next += static_cast<std::ptrdiff_t>(one.values.size());
    }
    return predictions;
}

/// @param source where the run is
/// @param[in,out] replay receives the trust matrices that there are
void
LoadTrust(const ReplaySource& source, ReplayData& replay)
{
    for (const auto& [kind, table] : replay.runs)
    {
        for (uint32_t round = 0; round <= table.rbegin()->first.first; ++round)
        {
            const std::string path = fmt::format(
                "{}/trust_{}_{}_round{}.csv", source.folder, source.setting, kind, round);
            if (!std::filesystem::exists(path))
            {
                continue;
            }
            ReplayTrust trust{kind, round, {}, LoadMatrix(path, replay.clients.size())};
            const std::string labels = fmt::format(
                "{}/soft_labels_{}_round{}.f32", source.folder, source.setting, round - 1);
            if (kind == "dynamic" && std::filesystem::exists(labels))
            {
                trust.predictions = LoadPredictions(labels, replay);
            }
            replay.trust.push_back(std::move(trust));
        }
    }
}

} // namespace

std::size_t
ReplayData::CountImages(uint32_t client, std::size_t measure) const
{
    const std::array<std::size_t, REPLAY_MEASURES.size()> sizes = {clients[client].test.Size(),
                                                                   reference->Size(),
                                                                   clients[client].train.Size(),
                                                                   heldout->Size()};
    return sizes[measure];
}

ReplayData
LoadReplay(const ReplaySource& source)
{
    ReplayData replay;
    LoadSplit(source, LoadDataSet("fashion-mnist"), replay);
    auto [runs, heldout] = LoadAccuracies(source, replay.clients.size());
    replay.runs = std::move(runs);
    uint32_t rounds = 0;
    for (const auto& run : replay.runs)
    {
        rounds = std::max(rounds, run.second.rbegin()->first.first + 1);
    }
    DataSetOptions options;
    options.train = false;
    std::vector<uint32_t> first(heldout);
    std::iota(first.begin(), first.end(), 0U);
    replay.heldout =
        std::make_shared<const DataView>(MakeView(LoadDataSet("fashion-mnist", options), first));
    LoadWeights(source, replay);
    LoadOrders(source, rounds, replay);
    LoadTrust(source, replay);
    return replay;
}

} // namespace tests
} // namespace ns3::collab
