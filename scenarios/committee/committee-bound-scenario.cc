/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-bound-scenario.h"

#include "common/scenario-run.h"
#include "ridge-committee.h"

#include "ns3/collab-random.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return how the mathematics runs
RidgeCommitteeOptions
MakeOptions(const CommitteeBoundParameters& p)
{
    RidgeCommitteeOptions options;
    options.selection =
        p.selection == "I" ? SelectionStrategy::SIMILAR : SelectionStrategy::DIFFERENT;
    options.rounds = p.rounds;
    options.clients = p.clients;
    options.training = p.training;
    options.committee = p.committee;
    options.acceptPercent = p.acceptPercent;
    options.localSteps = p.localSteps;
    options.spread = p.spread;
    options.problemSeed = SplitMix64(RngSeedManager::GetSeed());
    options.seed = options.problemSeed + RngSeedManager::GetRun();
    return options;
}

/// A round, and Theorem 1 after it
struct BoundRow
{
    uint64_t round;    //!< its number
    double error;      //!< F(w) - F* after it
    double bound;      //!< right side of the theorem
    double leastRatio; //!< of bound and error so far
    double gap;        //!< phi(S_a, w)
    double gapMin;     //!< phi_min
    double gapMax;     //!< phi_max

    /// @return the table bound
    static TableColumns<BoundRow>
    GetTable()
    {
        using Row = BoundRow;
        return {
            "bound",
            "a round: each of the first 99, then 90 a decade, and the last",
            {{"round", "", "number of the round, from 0", &Row::round},
             {"error", "1", "F(w) - F* after the round", &Row::error},
             {"bound", "1", "right side of Theorem 1 after the round", &Row::bound},
             {"least_ratio", "1", "the least bound / error of all rounds so far", &Row::leastRatio},
             {"gap", "1", "phi(S_a, w) at the round's first iteration", &Row::gap},
             {"phi_min", "1", "the least gap of the run, w* included", &Row::gapMin},
             {"phi_max", "1", "the greatest gap of the run at w*", &Row::gapMax}}};
    }
};

/// @return whether a number of rounds is written: all below 100, and 90 of each later decade
bool
IsWritten(std::size_t done)
{
    while (done >= 100 && done % 10 == 0)
    {
        done /= 10;
    }
    return done < 100;
}

/// Write the tables rounds and bound
void
WriteTables(TableStore& store, const RidgeCommitteeRun& run)
{
    const auto rounds =
        store.Add(TimelessRound::GetTable("round",
                                          "0: there is one model and no network",
                                          {"error", "1", "F(w) - F* after the round"}));
    const auto bounds = store.Add<BoundRow>();
    const auto localSteps = static_cast<std::size_t>(run.constants.localSteps);
    double leastRatio = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < run.errors.size(); ++i)
    {
        const double bound = ComputeConvergenceBound(run.constants, (i + 1) * localSteps);
        leastRatio = std::min(leastRatio, bound / run.errors[i]);
        if (!IsWritten(i + 1) && i + 1 < run.errors.size())
        {
            continue;
        }
        rounds.Write({i, run.errors[i]});
        bounds.Write({i,
                      run.errors[i],
                      bound,
                      leastRatio,
                      run.gaps[i * localSteps],
                      run.constants.gapMin,
                      run.constants.gapMax});
    }
}

} // namespace

CommitteeBoundParameters::CommitteeBoundParameters()
{
    runDir = "runs/committee-bound";
    Add("selection",
        selection,
        "which gradients are accepted: with the highest scores (I), or the lowest (II)")
        .Choices({"I", "II"});
    Add("rounds", rounds, "rounds").AtLeast(1).AtMost(1e7);
    Add("clients", clients, "K, all clients").AtLeast(2).AtMost(100000);
    Add("training", training, "n, clients that train in a round");
    Add("committee", committee, "C, members of the committee").AtLeast(1);
    Add("acceptPercent", acceptPercent, "alpha, gradients that are accepted")
        .Unit("%")
        .Above(0)
        .AtMost(100);
    Add("localSteps", localSteps, "tau, iterations of a client in a round")
        .AtLeast(1)
        .AtMost(10000);
    Add("spread", spread, "standard deviation of the clients' true models").AtLeast(0);
    DeclareRun();
}

void
CommitteeBoundParameters::Validate() const
{
    Require(committee <= training && uint64_t{training} + committee <= clients,
            "committee",
            fmt::format(
                "1 to {} (--training), both together at most {} (--clients)", training, clients));
    ValidateRun();
}

void
RunCommitteeBound(CommitteeBoundParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    RunResults results(p, {"committee-bound", "selection", "error"}, output);
    const RidgeCommitteeRun run = RunRidgeCommittee(MakeOptions(p));
    WriteTables(*results.tables, run);
    results.Print(
        fmt::format("after {} rounds: error {:.4g}, bound {:.4g}; phi_min {:.4g}, phi_max {:.4g}\n",
                    p.rounds,
                    run.errors.back(),
                    ComputeConvergenceBound(run.constants, uint64_t{p.rounds} * p.localSteps),
                    run.constants.gapMin,
                    run.constants.gapMax));
    results.Finish();
}
