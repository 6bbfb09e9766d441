/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-scenario.h"

#include "belief-links.h"
#include "belief-losses.h"
#include "belief-rates.h"
#include "belief-theory.h"
#include "belief-users.h"
#include "belief-watch.h"
#include "common/scenario-network.h"
#include "common/scenario-run.h"
#include "common/scenario-samples.h"
#include "inputs/scenario-checks.h"

#include "ns3/belief-consensus-gossip-application.h"
#include "ns3/belief-consensus-helper.h"
#include "ns3/belief-consensus-recorder.h"
#include "ns3/belief-consensus-user-application.h"
#include "ns3/boolean.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-run-summary.h"
#include "ns3/collab-table-formats.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/collab-transport.h"
#include "ns3/core-module.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// What is set up before users are
struct BeliefSetting
{
    ScenarioSamples samples;                         //!< of networks
    BeliefLinks links;                               //!< who hears whom
    BeliefLosses losses;                             //!< p_ij
    Matrix<double> w;                                //!< W; empty if users learn alone
    MixingReport mixing;                             //!< of W; no influence if it has no unique one
    double clipRadius = 0;                           //!< of clipped pools; 0: the attribute's
    std::vector<BeliefTheoryRow> theory;             //!< what is known beforehand
    std::vector<std::unique_ptr<BeliefModel>> users; //!< the users' models
    std::vector<std::string> hints;                  //!< what limits the result
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

/// @return power of each user's likelihoods
std::vector<double>
GetPowers(const BeliefTheoryInputs& inputs)
{
    std::vector<double> powers;
    RequireSpecification("evidencePower", inputs.p.evidencePower, [&](const std::string&) {
        powers = ComputeNetworkPowers(inputs);
    });
    for (std::size_t user = 0; user < powers.size(); ++user)
    {
        inputs.p.Require(std::isfinite(powers[user]),
                         "evidencePower",
                         fmt::format("paper, as W gives user {} no influence", user));
    }
    return powers;
}

/// Refuse instants in which no belief can come in time
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

/// @brief Make W, and what is known of it.
/// @param[in,out] setting with links; gets the rest but for users
void
PrepareTrust(const BeliefParameters& p,
             const NodeContainer& nodes,
             uint64_t bytes,
             BeliefSetting& setting)
{
    const auto radio = GetRadio(nodes.Get(0));
    StringValue control;
    radio->GetPhy()->GetAttribute("RateControl", control);
    p.Require(p.weights != "reliability" || control.Get() == "Fixed",
              "weights",
              "another one with ns3::collab::D2dPhy::RateControl=" + control.Get() +
                  ", as radios know links at the rates that suit each alone, and beliefs are told "
                  "to all at one");
    const Matrix<double> outages = GetOutageProbabilities(setting.links, nodes);
    setting.w = MakeTrustMatrix(p, setting.links, outages);
    setting.losses = FindBeliefLosses(p, setting.w, nodes, bytes);
    RequireSuitableGraph(p, setting.w);
    try
    {
        setting.mixing = AnalyzeMixing(setting.w);
    }
    catch (const std::invalid_argument&) // nobody influences all, which has been told
    {
        setting.mixing.mixingSum = std::numeric_limits<double>::infinity();
    }
}

/// @return r of clipped pools
/// @throws UserError if it is not given and there is none by default
double
GetClipRadius(const BeliefParameters& p, const BeliefSetting& setting)
{
    const double radius = p.clipRadius > 0
                              ? p.clipRadius
                              : ComputeHonestRadius({p, setting.w, setting.losses, setting.mixing});
    p.Require(std::isfinite(radius),
              "clipRadius",
              "positive with this W, for which honest users are as far apart as they like");
    return radius;
}

/// @brief Prepare what users need that tell each other what they believe.
/// @param[in,out] setting with users and links; gets the rest
/// @return power of each user's likelihoods
std::vector<double>
PrepareExchange(const BeliefParameters& p, const NodeContainer& nodes, BeliefSetting& setting)
{
    const BeliefModel& model = *setting.users[0];
    const bool isDouble =
        p.Get("precision") == "float64" || (p.Get("precision") == "family" && model.IsDouble());
    const uint64_t bytes = MessageHeader().GetSerializedSize() + (p.TellsDegrees() ? 4 : 0) +
                           model.GetWireCount() * (isDouble ? 8 : 4);
    RequireTime(p, nodes.Get(0), bytes);
    PrepareTrust(p, nodes, bytes, setting);
    if (p.Get("pooling") == "clipped" &&
        !IsAttributeGiven("ns3::collab::BeliefUserApplication::ClipRadius"))
    {
        setting.clipRadius = GetClipRadius(p, setting);
    }
    const BeliefTheoryInputs inputs = {p, setting.w, setting.losses, setting.mixing};
    setting.theory = ComputeBeliefTheory(inputs);
    if (p.evidencePower != "network")
    {
        return std::vector<double>(p.CountUsers(), 1.0);
    }
    const std::vector<double> powers = GetPowers(inputs);
    setting.users = MakeUsers(p, setting.samples, powers);
    return powers;
}

/// @return all that users need
BeliefSetting
Prepare(const BeliefParameters& p, const NodeContainer& nodes)
{
    BeliefSetting setting;
    if (p.IsNetwork())
    {
        ConfigureTorchProcess();
        setting.samples = PrepareSamples(p);
        CheckModel(p.model, [&]() {
            DescribeModel(p.model, MakeModelInput(*setting.samples.reference->data));
        });
    }
    setting.links = InstallBeliefLinks(p, nodes);
    setting.hints = CollectHints(p, setting.links.hints);
    std::vector<double> powers(p.CountUsers(), 1.0);
    setting.users = MakeUsers(p, setting.samples, powers);
    if (p.IsTogether())
    {
        powers = PrepareExchange(p, nodes, setting);
    }
    const std::string hint = FindStepHint(p, setting.samples, powers);
    if (!hint.empty())
    {
        setting.hints.push_back(hint);
    }
    return setting;
}

/// @param setting of the run; its users are moved
/// @return their applications
ApplicationContainer
InstallUsers(const BeliefParameters& p, BeliefSetting& setting, const NodeContainer& nodes)
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
    const ApplicationContainer users = helper.Install(nodes, std::move(setting.users), setting.w);
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
std::string
Describe(const BeliefParameters& p, const RunDescription& description, const BeliefSetting& setting)
{
    if (p.IsNetwork() && !p.IsCentral())
    {
        return DescribeRun(description, p, setting.samples, setting.links.positions);
    }
    auto run = BeginDescription(description);
    AddEnvironment(run);
    AddNetwork(description, run);
    for (uint32_t user = 0; user < p.CountUsers(); ++user)
    {
        const auto& malicious = description.malicious;
        run["devices"].push_back(
            {{"device", user},
             {"malicious", std::binary_search(malicious.begin(), malicious.end(), user)},
             {"x_m", setting.links.positions[user].x},
             {"y_m", setting.links.positions[user].y}});
    }
    return run.dump(2) + "\n";
}

/// @brief Warn of beliefs that were undone.
/// @param p parameters of the run, which is over
void
WarnOfUndone(const BeliefParameters& p, const ApplicationContainer& users, std::ostream& output)
{
    uint32_t undone = 0;
    for (auto it = users.Begin(); it != users.End(); ++it)
    {
        undone += DynamicCast<BeliefUserApplication>(*it)->CountUndone();
    }
    const double all = static_cast<double>(users.GetN()) * p.Get<uint32_t>("instants");
    if (!p.quiet && AreMany(undone, all))
    {
        output << fmt::format("warning: in {:.0f} % of users' instants what came out of an update "
                              "or a pool was no belief, and was undone (column diverged){}\n",
                              100 * undone / all,
                              p.IsNetwork() ? "; --learningRate may be too great" : "");
    }
}

} // namespace

void
RunBeliefConsensus(BeliefParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    SimulatorGuard guard;
    NodeContainer nodes;
    nodes.Create(p.CountUsers());
    BeliefSetting setting = Prepare(p, nodes);
    RunFolder folder(p.runDir); // once nothing can be wrong with the arguments any more
    const ApplicationContainer users = InstallUsers(p, setting, nodes);
    const RunDescription description = {
        "belief-consensus", "method", GetMeasure(p), p, p.GetLiars(), {}, setting.hints};
    folder.WriteFile("run.json", Describe(p, description, setting));
    if (p.IsNetwork())
    {
        WritePartition(p, folder, setting.samples, output);
    }
    if (!p.quiet)
    {
        PrintBeliefTheory(setting.theory, output);
    }
    std::unique_ptr<TableStore> tables = MakeTableStore(p.recorder, folder, p.GetOmitted());
    RunRecorder recorder(*tables, users);
    if (p.method != "gossip") // which waits for nobody
    {
        const bool isShorter =
            p.Get<double>("interval") > 0 && p.Get<double>("interval") < p.Get<double>("deadline");
        recorder.SetDeadline(
            Seconds(isShorter ? p.Get<double>("interval") : p.Get<double>("deadline")),
            isShorter ? "--interval" : "--deadline");
        recorder.SetAwaited([&w = setting.w](uint32_t sender, uint32_t receiver) {
            return w(receiver, sender) > 0; // a broadcast reaches others, too
        });
    }
    BeliefConsensusRecorder beliefs(*tables, users, p.weightsInterval);
    beliefs.WriteTheory(setting.theory);
    std::unique_ptr<BeliefWatch> watch;
    if (p.IsTogether() && p.method != "gossip" && !setting.losses.unknown.empty())
    {
        watch = std::make_unique<BeliefWatch>(users, p.Get<uint32_t>("instants"));
    }
    PlayRun(p, recorder, {p.method, GetMeasure(p), output, setting.hints}, users);
    if (watch)
    {
        const auto rows = ComputeMeanTheory({p, setting.w, setting.losses, setting.mixing}, *watch);
        beliefs.WriteTheory(rows);
        if (!p.quiet)
        {
            PrintBeliefTheory(rows, output);
        }
    }
    WarnOfUndone(p, users, output);
    FinishRun(std::move(tables), folder, p.quiet ? nullptr : &output);
}
