/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus/prediction-consensus-toy-scenario.h"
#include "support/table-rows.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// A table: one map from column to cell a row
using Rows = std::vector<std::map<std::string, std::string>>;

/// Whole runs of the examples
class ConsensusToyTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::Reset();
    }

    std::filesystem::path
    Run(const std::string& experiment, const std::string& trust, uint32_t run = 1)
    {
        RngSeedManager::SetRun(run);
        ConsensusToyParameters p;
        p.experiment = experiment;
        p.trust = trust;
        p.quiet = true;
        p.runDir = m_folder / (experiment + "-" + trust + "-" + std::to_string(run));
        std::ostringstream output;
        RunConsensusToy(p, output);
        return p.runDir;
    }

    static Rows
    Read(const std::filesystem::path& run, const std::string& table)
    {
        const auto cells = tests::ReadCsvRows((run / (table + ".csv")).string());
        Rows rows;
        for (std::size_t i = 1; i < cells.size(); ++i)
        {
            rows.emplace_back();
            for (std::size_t k = 0; k < cells[0].size(); ++k)
            {
                rows.back()[cells[0][k]] = cells[i].at(k);
            }
        }
        return rows;
    }

    /// A number at the end of the last round, mean over the agents 0 to 2
    static double
    FinalMean(const std::filesystem::path& run, const std::string& column)
    {
        std::map<std::string, double> last;
        for (const auto& row : Read(run, "rounds"))
        {
            last[row.at("device")] = std::stod(row.at(column));
        }
        return (last.at("0") + last.at("1") + last.at("2")) / 3;
    }
};

} // namespace

TEST_F(ConsensusToyTest, PredictionsAgreeByRoundTwentyWhileParametersDiffer)
{
    const auto run = Run("regression", "naive");
    const auto consensus = Read(run, "consensus");
    ASSERT_EQ(consensus.size(), 21U) << "a round of local training and 20 of collaboration";
    const double before = std::stod(consensus[0].at("distance_mean"));
    const double after = std::stod(consensus[20].at("distance_mean"));
    EXPECT_GT(before, 5) << "extrapolations of local fits are far apart";
    EXPECT_LT(after, 0.25) << "a quarter of the noise's standard deviation";
    // Outside of X* the curves go apart again: the polynomials are not the same
    std::map<std::string, double> outside;
    for (const auto& row : Read(run, "curves"))
    {
        if (row.at("round") == "20" && row.at("x1") == "8")
        {
            outside[row.at("device")] = std::stod(row.at("y"));
        }
    }
    ASSERT_EQ(outside.size(), 3U);
    EXPECT_GT(std::abs(outside.at("0") - outside.at("2")), 5);
}

TEST_F(ConsensusToyTest, StrongAgentsFitTheirRegionBetterWithDynamicTrust)
{
    for (uint32_t run = 1; run <= 5; ++run)
    {
        const double dynamic = FinalMean(Run("two-degrees", "dynamic", run), "squared_error_union");
        const double naive = FinalMean(Run("two-degrees", "naive", run), "squared_error_union");
        EXPECT_LT(dynamic, 0.8 * naive) << run;
        EXPECT_LT(naive, FinalMean(Run("two-degrees", "local", run), "squared_error_union")) << run;
    }
}

TEST_F(ConsensusToyTest, GoodAgentsDrawBetterBoundariesWithDynamicTrust)
{
    double dynamic = 0;
    double naive = 0;
    for (uint32_t run = 1; run <= 5; ++run)
    {
        const auto folder = Run("boundaries", "dynamic", run);
        dynamic += FinalMean(folder, "accuracy_global") / 5;
        naive += FinalMean(Run("boundaries", "naive", run), "accuracy_global") / 5;
        // In the first collaborative round the bad agent is trusted least
        const auto influence = Read(folder, "influence");
        for (std::size_t device = 0; device < 3; ++device)
        {
            EXPECT_LT(std::stod(influence[3].at("column_sum")),
                      std::stod(influence[device].at("column_sum")))
                << run << " " << device;
        }
    }
    EXPECT_GT(dynamic, naive);
}

TEST_F(ConsensusToyTest, RunsRepeat)
{
    const auto first = Run("boundaries", "dynamic");
    const std::filesystem::path kept = m_folder / "kept";
    std::filesystem::rename(first, kept);
    const auto second = Run("boundaries", "dynamic");
    for (const std::string table : {"rounds", "consensus", "influence", "boundaries", "samples"})
    {
        EXPECT_EQ(Read(kept, table), Read(second, table)) << table;
        EXPECT_GT(Read(kept, table).size(), 10U) << table;
    }
}

TEST_F(ConsensusToyTest, RefusesWhatMakesNoSense)
{
    EXPECT_THROW(Run("quartic", "dynamic"), UserError);
    EXPECT_THROW(Run("regression", "blind"), UserError);
    EXPECT_FALSE(std::filesystem::exists(m_folder));
}
