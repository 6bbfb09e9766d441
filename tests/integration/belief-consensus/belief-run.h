/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_RUN_H
#define BELIEF_RUN_H

#include "belief-consensus/belief-consensus-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"

#include <map>
#include <string>

namespace tests
{

/// Whole runs of four users for six instants
class BeliefRun : public ScenarioTest
{
  protected:
    PlayedRun
    Run(const std::string& arguments)
    {
        return Play(RunBeliefConsensus, SMALL + arguments);
    }

    /// @return values of a quantity of the table theory, of all users, by hypothesis
    static std::map<double, double>
    ReadTheory(const PlayedRun& run, const std::string& quantity)
    {
        std::map<double, double> values;
        for (const auto& cells : ReadCsvRows(run.folder / "theory.csv"))
        {
            if (cells.at(0) == quantity && cells.at(1) == "-1")
            {
                values[std::stod(cells.at(2))] = std::stod(cells.at(3));
            }
        }
        return values;
    }

    /// @return the mean of the last values of a column, as many as there are users
    static double
    Last(const PlayedRun& run, const std::string& column, uint32_t users = 4)
    {
        const auto values = run.Read("rounds", column);
        return std::accumulate(values.end() - users, values.end(), 0.0) / users;
    }

    const std::string SMALL = "devices=4 instants=6 beliefInterval=2 family=discrete ";
    const std::string GAUSSIAN = "family=gaussian ";
    const std::string NETWORKS = tests::SmallFashion::Argument() +
                                 "family=mean-field samples=80 minimumSamples=16 testSamples=100 "
                                 "model=mlp:8 interval=2 ";
};

} // namespace tests

#endif /* BELIEF_RUN_H */
