/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-rates.h"

#include "ns3/belief-consensus-loss-rates.h"
#include "ns3/collab-given-attributes.h"

#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return what users do about neighbors that were not heard
MissingBeliefPolicy
GetPolicy(const BeliefParameters& p)
{
    static const std::map<std::string, MissingBeliefPolicy> POLICIES = {
        {"self", MissingBeliefPolicy::SELF},
        {"renormalize", MissingBeliefPolicy::RENORMALIZE},
        {"stale", MissingBeliefPolicy::STALE}};
    return POLICIES.at(p.Get("missing"));
}

/// How often things happen by gossip, and how long they take
struct GossipRates
{
    Matrix<double> arrivals;     //!< a_ij: beliefs of j that i hears [1/s]
    std::vector<double> updates; //!< r_j [1/s]
    std::vector<double> samples; //!< r_j + q_j: updates whose samples others are told of [1/s]
    std::vector<double> ages;    //!< d_j of beliefs when they are heard [s]
};

/// @param w pairs' weights
/// @param losses p_ij
/// @param airtime of a belief [s]
/// @return how often users update and hear each other
/// @throws std::invalid_argument if times of updates are of any law, or radios cannot tell so much
GossipRates
MakeGossipRates(const BeliefParameters& p,
                const Matrix<double>& w,
                const Matrix<double>& losses,
                double airtime)
{
    const std::string gossip = "ns3::collab::BeliefGossipApplication::";
    if (IsAttributeGiven(gossip + "UpdateInterval") || IsAttributeGiven(gossip + "UpdateRate"))
    {
        throw std::invalid_argument("rates of updates are not those of --updateRate");
    }
    GossipRates rates = {
        Matrix<double>(w.rows, w.columns), p.GetUpdateRates(), p.GetUpdateRates(), {}};
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        rates.ages.push_back(ComputeToldAge(airtime, rates.updates[i]));
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            rates.arrivals(i, j) = i == j ? 0 : rates.updates[j] * (1 - losses(i, j));
            // What is told is a belief right after an update, with one sample more than it has on
            // average: the neighbor's pool takes in a share of that sample at once.
            rates.samples[i] += w(i, j) * rates.arrivals(i, j);
        }
    }
    return rates;
}

/// @param information I_j(theta*, psi)
/// @return how fast users learn by gossip
/// @throws std::invalid_argument if nobody is heard by all, or times of updates are of any law
PredictedRates
PredictGossip(const BeliefParameters& p,
              const BeliefTrust& trust,
              const Matrix<double>& information)
{
    const GossipRates rates =
        MakeGossipRates(p, trust.w, trust.losses.probabilities, trust.losses.airtime);
    PredictedRates predicted =
        PredictGossipRates(trust.w, rates.arrivals, rates.samples, information);
    const double slowdown =
        ComputeGossipSlowdown(trust.w, rates.arrivals, predicted.influence, rates.ages);
    for (double& rate : predicted.rates)
    {
        rate /= slowdown;
    }
    return predicted;
}

} // namespace

BeliefTheoryRow
MakeUnknown(const std::string& quantity, const std::string& reason)
{
    return {quantity, -1, -1, std::numeric_limits<double>::quiet_NaN(), "", reason};
}

void
AddRates(const BeliefParameters& p,
         const BeliefTrust& trust,
         const Matrix<double>& information,
         std::vector<BeliefTheoryRow>& rows)
{
    const bool isGossip = p.method == "gossip";
    if (!trust.losses.unknown.empty())
    {
        rows.push_back(MakeUnknown("predicted_rate", trust.losses.unknown));
        return;
    }
    PredictedRates predicted;
    try
    {
        predicted =
            isGossip ? PredictGossip(p, trust, information)
                     : PredictRates(trust.w, trust.losses.probabilities, GetPolicy(p), information);
    }
    catch (const std::invalid_argument& error)
    {
        rows.push_back(MakeUnknown("predicted_rate", error.what()));
        return;
    }
    const std::string unit = isGossip ? "nat/s" : "nat/instant";
    for (std::size_t psi = 0; psi < predicted.rates.size(); ++psi)
    {
        rows.push_back({"predicted_rate",
                        -1,
                        static_cast<int64_t>(psi),
                        predicted.rates[psi],
                        unit,
                        "rate at which the log belief in a hypothesis falls behind, with losses"});
    }
    for (std::size_t user = 0; user < predicted.influence.size(); ++user)
    {
        rows.push_back({"influence_with_losses",
                        static_cast<int64_t>(user),
                        -1,
                        predicted.influence[user],
                        "1",
                        isGossip ? "v-bar with v-bar Q = 0" : "v-bar of E[W_t]"});
    }
}

std::vector<double>
ComputeNetworkPowers(const BeliefParameters& p, const BeliefTrust& trust)
{
    std::vector<double> weights = trust.mixing.influence;
    if (p.method == "gossip")
    {
        const Matrix<double> none(trust.w.rows, trust.w.columns);
        const GossipRates rates = MakeGossipRates(p, trust.w, none, trust.losses.airtime);
        weights = PredictGossipRates(
                      trust.w, rates.arrivals, rates.samples, Matrix<double>(trust.w.rows, 1))
                      .influence;
        const double slowdown = ComputeGossipSlowdown(trust.w, rates.arrivals, weights, rates.ages);
        for (std::size_t user = 0; user < weights.size(); ++user)
        {
            weights[user] *= rates.samples[user] / rates.updates[user] / slowdown;
        }
    }
    if (weights.empty())
    {
        throw std::invalid_argument("W gives no user influence on all");
    }
    for (double& weight : weights)
    {
        weight = 1 / weight;
    }
    return weights;
}
