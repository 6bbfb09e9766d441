/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_RUN_H
#define COMMITTEE_RUN_H

#include "committee/committee-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

namespace tests
{

/// Whole runs of the scenario on a small part of Fashion-MNIST
class CommitteeRun : public TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        std::filesystem::create_directories(m_folder);
        ns3::RngSeedManager::SetSeed(1);
        ns3::RngSeedManager::SetRun(1);
        ns3::Config::Reset();
    }

    void
    TearDown() override
    {
        TemporaryFolder::TearDown();
        ns3::Config::Reset();
    }

    CommitteeParameters
    MakeParameters(const std::string& name) const
    {
        CommitteeParameters p;
        p.devices = 12;
        p.activePercent = 100;
        p.samples = 60;
        p.referenceSamples = 20;
        p.testSamples = 50;
        p.minimumSamples = 4;
        p.model = "mlp:4";
        p.rounds = 4;
        p.quiet = true;
        p.runDir = (m_folder / name).string();
        return p;
    }

    /// Two rounds in which one member, and one device that trains, take minutes to train
    CommitteeParameters
    MakeSlowParameters(const std::string& name)
    {
        CommitteeParameters p = MakeParameters(name);
        p.committeePercent = 25;
        p.rounds = 2;
        p.localSteps = 20;
        p.maxOutage = 1e-9;
        if (m_slow.empty())
        {
            auto usual = p;
            usual.runDir = (m_folder / "usual").string();
            Run(usual);
            const auto members = ReadColumn(m_folder / "usual", "committee", "device");
            const std::set<double> first(members.begin(), members.begin() + 3); // of round 0
            uint32_t client = 0;
            while (first.count(client) > 0)
            {
                ++client;
            }
            m_slow = std::to_string(static_cast<int>(members[0])) + "," + std::to_string(client);
        }
        p.slowDevices = m_slow;
        p.slowdown = 40000;
        return p;
    }

    /// @return what a run prints
    static std::string
    Run(CommitteeParameters p)
    {
        p.quiet = false;
        std::ostringstream output;
        RunCommittee(p, output);
        return output.str();
    }

    /// @return the parameters that a run says were in force
    nlohmann::json
    Describe(const std::string& name) const
    {
        return nlohmann::json::parse(ReadFile(m_folder / name / "run.json")).at("parameters");
    }

    /// @return how a run's votes have ended, by member and round
    std::set<std::string>
    FindOutcomes(const std::string& name) const
    {
        std::set<std::string> outcomes;
        auto rows = ReadCsvRows(m_folder / name / "committee.csv");
        rows.erase(rows.begin());
        for (const auto& row : rows)
        {
            outcomes.insert(row.at(2));
        }
        return outcomes;
    }

    std::string m_slow; //!< devices
};

} // namespace tests

#endif /* COMMITTEE_RUN_H */
