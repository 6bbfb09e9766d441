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
#include "ns3/string.h"

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

TEST_F(ConsensusToyTest, TrustInTheBadAgentIsThatOfTheMode)
{
    for (uint32_t run = 1; run <= 3; ++run)
    {
        std::map<std::string, std::vector<double>> bad; // what agent 3 receives, by mode and round
        std::vector<double> first; // what each receives in the first collaborative round, dynamic
        for (const std::string trust : {"dynamic", "static", "naive"})
        {
            for (const auto& row : Read(Run("boundaries", trust, run), "influence"))
            {
                if (trust == "dynamic" && first.size() < 4)
                {
                    first.push_back(std::stod(row.at("column_sum")));
                }
                if (row.at("device") == "3")
                {
                    bad[trust].push_back(std::stod(row.at("column_sum")));
                }
            }
            ASSERT_GT(bad[trust].size(), 5U);
        }
        const auto& dynamic = bad.at("dynamic");
        EXPECT_LT(dynamic.front(), 0.95) << run;
        EXPECT_GT(dynamic.back(), dynamic.front()) << run << ": it repeats what the others say";
        for (std::size_t round = 0; round < dynamic.size(); ++round)
        {
            EXPECT_EQ(bad.at("static").at(round), dynamic.front()) << run << " " << round;
            EXPECT_NEAR(bad.at("naive").at(round), 1, 1e-12) << run << " " << round;
        }
        for (std::size_t device = 0; device < 3; ++device)
        {
            EXPECT_LT(dynamic.front(), first.at(device)) << run << " " << device;
        }
    }
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
    for (const auto& [name, value] :
         {std::pair{"ConsensusMode", "MajorityVote"}, {"LabelTopK", "2"}})
    {
        Config::SetDefault(std::string("ns3::collab::PredictionConsensusApplication::") + name,
                           StringValue(value));
        EXPECT_THROW(Run("regression", "dynamic"), UserError) << name;
        Config::Reset();
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder));
}
