/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-scenario.h"

#include "belief-links.h"
#include "belief-rates.h"
#include "belief-theory.h"
#include "belief-users.h"
#include "common/scenario.h"

#include "ns3/belief-consensus-gossip-application.h"
#include "ns3/belief-consensus-helper.h"
#include "ns3/belief-consensus-user-application.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-run-summary.h"
#include "ns3/d2d-phy.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// What is set up before users are
struct BeliefSetting
{
    BeliefSamples samples;                           //!< of networks
    ScenarioNetwork network;                         //!< the users, and what limits the result
    Neighborhoods neighborhoods;                     //!< who hears whom
    BeliefTrust trust;                               //!< W; empty if users learn alone
    double clipRadius = 0;                           //!< of clipped pools; 0: the attribute's
    std::vector<BeliefTheoryRow> theory;             //!< what is known beforehand
    std::vector<std::unique_ptr<BeliefModel>> users; //!< the users' models
};

/// @return the column of the table rounds that tells how good a belief is
std::string
GetMeasure(const BeliefParameters& p)
{
    if (p.family == "discrete")
    {
        return "belief_true";
    }
    return p.family == "gaussian" ? "excess_mse" : "accuracy";
}

/// @return how much each user's samples count
/// @throws UserError if W gives somebody no influence, without which they cannot
std::vector<EvidenceShare>
GetShares(const BeliefParameters& p, const BeliefTrust& trust)
{
    std::vector<EvidenceShare> shares(p.CountUsers());
    if (p.evidencePower == "network")
    {
        std::vector<double> powers;
        CheckArgument(
            "evidencePower", p.evidencePower, [&]() { powers = ComputeNetworkPowers(p, trust); });
        for (std::size_t user = 0; user < powers.size(); ++user)
        {
            p.Require(std::isfinite(powers[user]),
                      "evidencePower",
                      fmt::format("paper, as W gives user {} no influence", user));
            shares[user].power = powers[user];
        }
    }
    for (std::size_t user = 0; user < shares.size() && p.IsCavity() && !p.EstimatesInfluence(); ++user)
    {
        const auto& v = trust.mixing.influence;
        shares[user].influence = v.empty() ? 0 : v[user];
        p.Require(shares[user].influence > 0,
                  "dataUse",
                  fmt::format("replay or stream, as W gives user {} no influence", user));
    }
    return shares;
}

/// @brief Refuse instants in which no belief can come in time.
/// @param bytes of a message
void
RequireTime(const BeliefParameters& p, Ptr<Node> node, uint64_t bytes)
{
    const double airtime = node->GetObject<Transport>()->GetAirtime(bytes).GetSeconds();
    const auto allowed = fmt::format(
        "more than {:.4g}, which a belief of {} bytes takes on the air", airtime, bytes);
    const bool isSlotted = p.method != "gossip" && p.Get<double>("interval") > 0;
    p.Require(!isSlotted || p.Get<double>("interval") > airtime, "interval", allowed + ", or 0");
    p.Require(p.method == "gossip" || p.Get<double>("deadline") > airtime, "deadline", allowed);
}

/// @brief Make W, and find what is known of it.
/// @param bytes of a message
BeliefTrust
MakeTrust(const BeliefParameters& p, const BeliefSetting& setting, uint64_t bytes)
{
    const NodeContainer& nodes = setting.network.nodes;
    StringValue control;
    GetRadio(nodes.Get(0))->GetPhy()->GetAttribute("RateControl", control);
    p.Require(p.weights != "reliability" || control.Get() == "Fixed",
              "weights",
              "another one with ns3::collab::D2dPhy::RateControl=" + control.Get() +
                  ", as radios know links at the rates that suit each alone, and beliefs are told "
                  "to all at one");
    BeliefTrust trust;
    trust.w = MakeTrustMatrix(
        p, setting.neighborhoods, GetOutageProbabilities(setting.neighborhoods, nodes));
    trust.losses = FindBeliefLosses(p, trust.w, nodes, bytes);
    RequireSuitableGraph(p, trust.w);
    try
    {
        trust.mixing = AnalyzeMixing(trust.w);
    }
    catch (const std::invalid_argument&) // nobody influences all, which has been told
    {
        trust.mixing.mixingSum = std::numeric_limits<double>::infinity();
    }
    return trust;
}

/// @return r of clipped pools
/// @throws UserError if it is not given and there is none by default
double
GetClipRadius(const BeliefParameters& p, const BeliefTrust& trust)
{
    const double radius = p.clipRadius > 0 ? p.clipRadius : ComputeHonestRadius(p, trust);
    p.Require(std::isfinite(radius),
              "clipRadius",
              "positive with this W, for which honest users are as far apart as they like");
    return radius;
}

/// @brief Prepare what users need that tell each other what they believe.
/// @param[in,out] setting with users and links; gets the rest
/// @return how much each user's samples count
std::vector<EvidenceShare>
PrepareExchange(const BeliefParameters& p, BeliefSetting& setting)
{
    const BeliefModel& model = *setting.users[0];
    const bool isDouble =
        p.Get("precision") == "float64" || (p.Get("precision") == "family" && model.IsDouble());
    const uint64_t bytes = MessageHeader().GetSerializedSize() + (p.TellsDegrees() ? 4 : 0) +
                           (p.EstimatesInfluence() ? 4 * p.devices : 0) +
                           model.GetWireCount() * (isDouble ? 8 : 4);
    RequireTime(p, setting.network.nodes.Get(0), bytes);
    setting.trust = MakeTrust(p, setting, bytes);
    if (p.Get("pooling") == "clipped" &&
        !IsAttributeGiven("ns3::collab::BeliefUserApplication::ClipRadius"))
    {
        setting.clipRadius = GetClipRadius(p, setting.trust);
    }
    setting.theory = ComputeBeliefTheory(p, setting.trust);
    const std::vector<EvidenceShare> shares = GetShares(p, setting.trust);
    if (p.evidencePower == "network" || p.IsCavity())
    {
        setting.users = MakeUsers(p, setting.samples, shares);
    }
    return shares;
}

/// @return all that users need
BeliefSetting
Prepare(BeliefParameters& p)
{
    BeliefSetting setting;
    if (p.IsNetwork())
    {
        setting.samples = LoadBeliefSamples(p);
    }
    setting.network = InstallBeliefLinks(p, setting.neighborhoods);
    std::vector<EvidenceShare> shares(p.CountUsers());
    setting.users = MakeUsers(p, setting.samples, shares);
    if (p.IsTogether())
    {
        shares = PrepareExchange(p, setting);
    }
    const std::string hint = FindStepHint(p, setting.samples, shares);
    if (!hint.empty())
    {
        setting.network.hints.push_back(hint);
    }
    return setting;
}

/// @param setting of the run; its users are moved
/// @return the users' applications
ApplicationContainer
InstallUsers(const BeliefParameters& p, BeliefSetting& setting)
{
    const bool isGossip = p.method == "gossip";
    const std::string type = isGossip ? "ns3::collab::BeliefGossipApplication"
                                      : "ns3::collab::BeliefConsensusApplication";
    BeliefConsensusHelper helper(MakePool(p), type);
    SetAttributes(p, type, helper);
    if (setting.clipRadius > 0)
    {
        helper.SetAttribute("ClipRadius", DoubleValue(setting.clipRadius));
    }
    const auto liars = p.GetLiars();
    const Parameter* lie = p.Find("lie");
    for (const auto& choice : lie->GetDescription().choices)
    {
        if (choice.text == p.lie && p.IsTogether())
        {
            helper.SetLiars({liars.begin(), liars.end()}, choice.attributeText, p.lieStrength);
        }
    }
    if (p.weights == "reliability" && p.IsTogether())
    {
        helper.UseReliability();
    }
    if (p.TellsDegrees())
    {
        helper.SetAttribute("TellDegrees", BooleanValue(true));
    }
    if (p.EstimatesInfluence())
    {
        helper.SetAttribute("EstimatingUsers", UintegerValue(p.devices));
    }
    const ApplicationContainer users =
        helper.Install(setting.network.nodes, std::move(setting.users), setting.trust.w);
    if (isGossip && !IsAttributeGiven("ns3::collab::BeliefGossipApplication::UpdateRate"))
    {
        const auto rates = p.GetUpdateRates();
        const double fastest = *std::max_element(rates.begin(), rates.end());
        for (uint32_t user = 0; user < users.GetN(); ++user)
        {
            users.Get(user)->SetAttribute("UpdateRate", DoubleValue(rates[user]));
            // So that all end at about the same time: who is done tells the others nothing more
            const double rounds = std::round(p.Get<uint32_t>("instants") * rates[user] / fastest);
            users.Get(user)->SetAttribute(
                "Rounds", UintegerValue(std::max<uint64_t>(1, static_cast<uint64_t>(rounds))));
        }
    }
    BeliefGossipApplication::OwnUpdateIntervals(users);
    BeliefConsensusHelper::AssignStreams(users, 100000); // far from the radios' streams
    return users;
}

/// @return the contents of run.json
nlohmann::ordered_json
Describe(const BeliefParameters& p, const RunDescription& description, const BeliefSetting& setting)
{
    const auto& positions = setting.network.positions;
    if (p.IsNetwork() && !p.IsCentral())
    {
        return DescribeRun(p, description, setting.samples, positions);
    }
    auto run = BeginDescription(p, description);
    AddEnvironment(description, run);
    for (uint32_t user = 0; user < p.CountUsers(); ++user)
    {
        const auto& malicious = description.malicious;
        run["devices"].push_back(
            {{"device", user},
             {"malicious", std::binary_search(malicious.begin(), malicious.end(), user)},
             {"x_m", positions[user].x},
             {"y_m", positions[user].y}});
    }
    return run;
}

/// @brief Warn of beliefs that were undone.
/// @return a warning of beliefs that were undone in the run; empty if they are few
std::string
FindUndone(const BeliefParameters& p, const ApplicationContainer& users)
{
    uint32_t undone = 0;
    for (auto it = users.Begin(); it != users.End(); ++it)
    {
        undone += DynamicCast<BeliefUserApplication>(*it)->CountUndone();
    }
    const double all = static_cast<double>(users.GetN()) * p.Get<uint32_t>("instants");
    return AreMany(undone, all)
               ? fmt::format("warning: in {:.0f} % of users' instants what came out of an update "
                             "or a pool was no belief, and was undone (column diverged){}\n",
                             100 * undone / all,
                             p.IsNetwork() ? "; --learningRate may be too great" : "")
               : "";
}

} // namespace

void
RunBeliefConsensus(BeliefParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    SimulatorGuard guard;
    BeliefSetting setting = Prepare(p);
    const ApplicationContainer users = InstallUsers(p, setting);
    const RunDescription description = {"belief-consensus",
                                        "method",
                                        GetMeasure(p),
                                        p.GetLiars(),
                                        {},
                                        CollectHints(p, setting.network.hints)};
    RunResults results(p, description, Describe(p, description, setting), output);
    if (p.IsNetwork())
    {
        results.WritePartition(setting.samples);
    }
    results.Print(FormatBeliefTheory(setting.theory));
    RunRecorder recorder(*results.tables, users);
    if (p.method != "gossip") // which waits for nobody
    {
        const auto interval = p.Get<double>("interval");
        const auto deadline = p.Get<double>("deadline");
        const bool isShorter = interval > 0 && interval < deadline;
        recorder.SetDeadline(Seconds(isShorter ? interval : deadline),
                             isShorter ? "--interval" : "--deadline");
        recorder.SetAwaited([&w = setting.trust.w](uint32_t sender, uint32_t receiver) {
            return w(receiver, sender) > 0; // a broadcast reaches others, too
        });
    }
    BeliefConsensusRecorder beliefs(*results.tables, users, p.weightsInterval);
    beliefs.WriteTheory(setting.theory);
    std::unique_ptr<BeliefWatch> watch;
    if (p.IsTogether() && p.method != "gossip" && !setting.trust.losses.unknown.empty())
    {
        watch = std::make_unique<BeliefWatch>(users, p.Get<uint32_t>("instants"));
    }
    results.Play(p, recorder, users);
    if (watch)
    {
        const auto rows = ComputeMeanTheory(p, *watch);
        beliefs.WriteTheory(rows);
        results.Print(FormatBeliefTheory(rows));
    }
    results.Print(FindUndone(p, users));
    results.Finish();
}
