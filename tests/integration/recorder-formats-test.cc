/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-scenario.h"

#include "ns3/rng-seed-manager.h"

#include "support/table-rows.h"
#include "support/temporary-folder.h"
#include <set>
#include <sstream>
#include <string>

using namespace ns3;
namespace fs = std::filesystem;

namespace
{

/// Small runs of the scenario
class RecorderFormatsTest : public ::tests::TemporaryFolder
{
  protected:
    fs::path
    Run(const std::string& format) const
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        PredictionConsensusParameters p;
        p.devices = 4;
        p.samples = 64;
        p.minimumSamples = 16;
        p.referenceSamples = 50;
        p.testSamples = 100;
        p.rounds = 4;
        p.pretrainingRounds = 2;
        p.localEpochs = 1;
        p.model = "linear";
        p.lowQuality = "none";
        p.loss = "best-effort";
        p.recorder = format;
        p.runDir = m_folder / format;
        p.quiet = true;
        std::ostringstream output;
        RunPredictionConsensus(p, output);
        return p.runDir;
    }
};

} // namespace

TEST_F(RecorderFormatsTest, HoldTheSameRows)
{
    const fs::path csv = Run("csv");
    const fs::path sqlite = Run("sqlite");
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(csv))
    {
        if (entry.path().extension() == ".csv")
        {
            ++files;
            const std::string name = entry.path().stem();
            const auto rows = ::tests::ReadCsvRows(entry.path());
            EXPECT_GT(rows.size(), 4U) << name;
            EXPECT_EQ(::tests::ReadSqliteRows(sqlite / "run.sqlite", name), rows) << name;
        }
    }
    // rounds, latency, energy, messages, trust, consensus, influence, columns
    EXPECT_EQ(files, 8U);
    std::set<std::string> others;
    for (const auto& entry : fs::directory_iterator(sqlite))
    {
        others.insert(entry.path().filename());
    }
    EXPECT_EQ(others,
              (std::set<std::string>{"run.json", "partition.txt", "run.sqlite", "theory.txt"}));
}
