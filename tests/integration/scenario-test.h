/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTEGRATION_SCENARIO_TEST_H
#define INTEGRATION_SCENARIO_TEST_H

#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// A row of a table: its cells by column
using Row = std::map<std::string, std::string>;

/// What a run has written and printed
struct PlayedRun
{
    std::filesystem::path folder; //!< of the run
    std::string printed;          //!< on standard output

    /// @return contents of a file; nothing if it is not there
    std::string
    Text(const std::string& file) const
    {
        return ReadFile(folder / file);
    }

    /// @return a column of a table, as numbers
    std::vector<double>
    Read(const std::string& table, const std::string& column) const
    {
        return ReadColumn(folder, table, column);
    }

    /// @return sum of a column of a table
    double
    Sum(const std::string& table, const std::string& column) const
    {
        const auto values = Read(table, column);
        return std::accumulate(values.begin(), values.end(), 0.0);
    }

    /// @return mean of a column of the table rounds over the rows of the last round
    double
    Final(const std::string& column) const
    {
        const auto rounds = Read("rounds", "round");
        const auto values = Read("rounds", column);
        const double last = *std::max_element(rounds.begin(), rounds.end());
        double sum = 0;
        for (std::size_t i = 0; i < rounds.size(); ++i)
        {
            sum += rounds[i] == last ? values[i] : 0;
        }
        return sum / static_cast<double>(std::count(rounds.begin(), rounds.end(), last));
    }

    /// @return all rows of a table
    std::vector<Row>
    Rows(const std::string& table) const
    {
        const auto cells = ReadCsvRows(folder / (table + ".csv"));
        std::vector<Row> rows;
        for (std::size_t i = 1; i < cells.size(); ++i)
        {
            rows.emplace_back();
            for (std::size_t column = 0; column < cells[0].size(); ++column)
            {
                rows.back()[cells[0][column]] = cells[i].at(column);
            }
        }
        return rows;
    }

    /// @return different values of a column of a table
    std::set<std::string>
    Values(const std::string& table, const std::string& column) const
    {
        std::set<std::string> values;
        for (const auto& row : Rows(table))
        {
            values.insert(row.at(column));
        }
        return values;
    }

    /// @return run.json
    nlohmann::json
    Json() const
    {
        return nlohmann::json::parse(Text("run.json"));
    }

    /// @return a parameter that was in force, by run.json
    nlohmann::json
    Parameter(const std::string& name) const
    {
        return Json().at("parameters").at(name);
    }

    /// @return what limits the result, by run.json
    std::vector<std::string>
    Hints() const
    {
        return Json().at("hints");
    }

    /// @return contents of all files by path
    std::map<std::string, std::string>
    Files() const
    {
        std::map<std::string, std::string> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        {
            if (entry.is_regular_file())
            {
                files[entry.path().lexically_relative(folder)] = ReadFile(entry.path());
            }
        }
        return files;
    }
};

/// @return paths of the files that two runs do not have alike
inline std::set<std::string>
FindDifferentFiles(const PlayedRun& one, const PlayedRun& other)
{
    const auto files = one.Files();
    const auto others = other.Files();
    std::vector<std::pair<std::string, std::string>> different;
    std::set_symmetric_difference(
        files.begin(), files.end(), others.begin(), others.end(), std::back_inserter(different));
    std::set<std::string> names;
    for (const auto& file : different)
    {
        names.insert(file.first);
    }
    return names;
}

/// Arguments of a scenario that must be refused, and what the error must say
struct Refusal
{
    std::string arguments; //!< beside those of a run that works
    std::string text;      //!< in the error
};

/// Runs scenarios by their arguments: "devices=4 model=linear D2dPhy::Duplex=Half". A later
/// argument of the same name replaces an earlier one. Attributes of ns3::collab need no namespace.
class ScenarioTest : public TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        // Names of tests with parameters have slashes
        m_folder = std::filesystem::temp_directory_path() /
                   ("collab-integration-" + std::to_string(getpid()));
        std::filesystem::remove_all(m_folder);
        Restart();
    }

    void
    TearDown() override
    {
        ns3::Config::Reset();
        TemporaryFolder::TearDown();
    }

    /// Take every attribute, the seed and the run number back to the usual ones
    static void
    Restart()
    {
        ns3::Config::Reset();
        ns3::RngSeedManager::SetSeed(1);
        ns3::RngSeedManager::SetRun(1);
    }

    /// @return parameters of a run with some arguments; attributes and run number are in force
    template <typename P>
    static std::unique_ptr<P>
    Parse(const std::string& arguments)
    {
        Restart();
        auto p = std::make_unique<P>();
        std::map<std::string, std::string> given;
        std::istringstream words(arguments);
        for (std::string word; words >> word;)
        {
            const std::string name = word.substr(0, word.find('='));
            const bool isShort = name.find("::") != std::string::npos && name.find("ns3::") != 0;
            given[(isShort ? "ns3::collab::" : "") + name] = word.substr(name.size());
        }
        std::vector<std::string> options = {"scenario"};
        for (const auto& [name, value] : given)
        {
            options.push_back("--" + name + value);
            if (auto* parameter = p->Find(name))
            {
                parameter->Give();
            }
        }
        ns3::CommandLine reader;
        p->AddTo(reader);
        reader.Parse(options);
        return p;
    }

    /// Run a scenario with parameters, in a folder of its own unless they name one of this test
    template <typename P>
    PlayedRun
    PlayWith(void (*run)(P&, std::ostream&), P& p)
    {
        if (std::filesystem::path(p.runDir).is_relative()) // the scenario's default
        {
            p.runDir = m_folder / std::to_string(m_runs++);
        }
        std::ostringstream output;
        run(p, output);
        return {p.runDir, output.str()};
    }

    /// Run a scenario with arguments, in a folder of its own
    template <typename P>
    PlayedRun
    Play(void (*run)(P&, std::ostream&), const std::string& arguments)
    {
        return PlayWith(run, *Parse<P>(arguments));
    }

    /// @brief Expect that the number of threads, or attributes too, changes no file of a run.
    /// @param run a scenario
    /// @param arguments of it
    /// @param changed arguments of the other run
    /// @param files that must have contents
    /// @return the run
    template <typename P>
    PlayedRun
    ExpectSameFiles(void (*run)(P&, std::ostream&),
                    const std::string& arguments,
                    const std::string& changed,
                    const std::vector<std::string>& files)
    {
        SCOPED_TRACE(arguments);
        const auto one = Play(run, arguments + " threads=1");
        auto different = FindDifferentFiles(one, Play(run, arguments + " " + changed));
        if (changed.find("::") != std::string::npos)
        {
            EXPECT_EQ(different.erase("run.json"), 1U) << "given attributes are reported";
        }
        EXPECT_THAT(different, ::testing::IsEmpty());
        for (const std::string& file : files)
        {
            EXPECT_GT(one.Text(file).size(), 100U) << file;
        }
        return one;
    }

    /// @brief Run a scenario that must be refused in one line, before anything is written.
    /// @param run a scenario
    /// @param arguments of it
    /// @return the error; nothing if there was none
    template <typename P>
    std::string
    FindError(void (*run)(P&, std::ostream&), const std::string& arguments)
    {
        std::string error;
        try
        {
            Play(run, arguments);
        }
        catch (const ns3::collab::UserError& caught)
        {
            error = caught.what();
        }
        catch (const ns3::collab::DataFileError& caught)
        {
            error = caught.what();
        }
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0);
        const std::string folder = m_folder / std::to_string(m_runs - 1);
        EXPECT_FALSE(std::filesystem::exists(folder));
        EXPECT_FALSE(std::filesystem::exists(folder + ".partial"));
        return error;
    }

    /// @param run a scenario
    /// @param arguments of a run that works
    /// @param refusals what it must not be given
    template <typename P>
    void
    ExpectRefusals(void (*run)(P&, std::ostream&),
                   const std::string& arguments,
                   const std::vector<Refusal>& refusals)
    {
        for (const auto& [refused, text] : refusals)
        {
            EXPECT_THAT(FindError(run, arguments + " " + refused), ::testing::HasSubstr(text))
                << refused;
        }
    }

  private:
    int m_runs = 0; //!< so far
};

} // namespace tests

#endif /* INTEGRATION_SCENARIO_TEST_H */
