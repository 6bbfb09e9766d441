/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_RUN_H
#define BELIEF_RUN_H

#include "belief-consensus/belief-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

namespace tests
{

/// Whole runs of the scenario
class BeliefRun : public TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        ns3::RngSeedManager::SetSeed(1);
        ns3::RngSeedManager::SetRun(1);
        ns3::Config::Reset();
    }

    void
    TearDown() override
    {
        ns3::Config::Reset();
        TemporaryFolder::TearDown();
    }

    /// Make parameters of a small run
    BeliefParameters
    Small(const std::string& family, const std::string& name) const
    {
        BeliefParameters p;
        p.family = family;
        p.devices = 4;
        p.instants = 6;
        p.runDir = m_folder / name;
        p.quiet = true;
        p.beliefInterval = 2;
        if (family == "mean-field")
        {
            p.samples = 80;
            p.minimumSamples = 16;
            p.testSamples = 100;
            p.model = "mlp:8";
            p.interval = 2;
        }
        return p;
    }

    /// @return the folder of a run
    std::filesystem::path
    Run(const BeliefParameters& p) const
    {
        std::ostringstream output;
        RunBeliefConsensus(p, output);
        return p.runDir;
    }

    /// @return values of a quantity of the table theory, of all users, by hypothesis
    static std::map<double, double>
    ReadTheory(const std::filesystem::path& run, const std::string& quantity)
    {
        std::map<double, double> values;
        std::istringstream lines(ReadFile(run / "theory.csv"));
        for (std::string line; std::getline(lines, line);)
        {
            std::istringstream cells(line);
            std::string name;
            std::string user;
            std::string other;
            std::string value;
            std::getline(cells, name, ',');
            std::getline(cells, user, ',');
            std::getline(cells, other, ',');
            std::getline(cells, value, ',');
            if (name == quantity && user == "-1")
            {
                values[std::stod(other)] = std::stod(value);
            }
        }
        return values;
    }

    /// @return the mean of the last values of a column, as many as there are users
    static double
    Final(const std::filesystem::path& run, const std::string& column, uint32_t users)
    {
        const auto values = ReadColumn(run, "rounds", column);
        double sum = 0;
        for (uint32_t i = 0; i < users; ++i)
        {
            sum += values[values.size() - 1 - i];
        }
        return sum / users;
    }
};

} // namespace tests

#endif /* BELIEF_RUN_H */
