/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-scenario.h"

#include "common/scenario.h"

#include "ns3/distillation-client-application.h"
#include "ns3/distillation-helper.h"

using namespace ns3;
using namespace ns3::collab;

namespace
{

using Client = DistillationClientApplication;

/// What devices and server have in common
constexpr const char* BOTH = "ns3::collab::DistillationApplication";

/// @return what each device learns with
std::vector<DistillationAgent>
MakeAgents(const DistillationParameters& p, const ScenarioSamples& samples)
{
    std::vector<DistillationAgent> agents;
    FlatVector given; // weights of a file
    for (uint32_t device = 0; device < p.devices; ++device)
    {
        TorchLearnerConfig config = MakeLearnerConfig(p, samples, device);
        config.referenceBatchSize = p.referenceBatchSize;
        if (!p.initialWeights.empty() && !given)
        {
            given = DrawWeights(p, config);
        }
        const auto evaluate = [](const std::string& name, std::shared_ptr<const DataView> view) {
            return std::make_shared<SharedEvaluation>(name, std::move(view), 0);
        };
        DistillationAgent agent;
        agent.learner = MakeLearner(config, given);
        agent.reference = samples.reference;
        agent.own = std::make_shared<const DataView>(samples.train[device]);
        agent.seed = SeedFor(RandomPurpose::PROTOCOL, device);
        agent.evaluations = {
            evaluate("reference", samples.reference),
            evaluate("local", std::make_shared<const DataView>(samples.test[device])),
            evaluate("global", samples.global)};
        agents.push_back(std::move(agent));
    }
    return agents;
}

/// @brief Let all wait for each other as long as --roundDeadline says, and in the first exchange
/// for those that are slow in pretraining.
/// @param p parameters of the run; gets the deadline that is in force
void
SetDeadlines(DistillationParameters& p,
             Ptr<DistillationServerApplication> server,
             const ApplicationContainer& clients)
{
    const WorstLinks worst(p);
    const WaitEstimator waits = MakeWaitEstimator(clients);
    const uint64_t bytes = server->GetMessageSize();
    const uint32_t sharing = std::min(waits.CountSharing(), p.devices);
    const Time down = std::max(waits.Unicast(bytes, server->GetNode(), 1),
                               waits.BroadcastFrom(bytes, server->GetNode(), p.devices));
    const Time once = down + server->GetComputingDuration();
    const auto round = [&](const Client& client, Time computing) {
        return computing + once +
               waits.Unicast(bytes, client.GetNode(), sharing, server->GetNode()->GetId());
    };
    ApplicationContainer all = clients;
    all.Add(server);
    double first = p.roundDeadline;
    SetWait("RoundDeadline",
            WaitEstimator::Longest<Client>(
                clients,
                Seconds(5),
                [&](const Client& client) { return round(client, client.GetComputingDuration()); }),
            p.roundDeadline,
            all);
    if (!IsAttributeGiven(std::string(BOTH) + "::FirstDeadline"))
    {
        SetWait("FirstDeadline",
                WaitEstimator::Longest<Client>(clients,
                                               Seconds(5),
                                               [&](const Client& client) {
                                                   return round(client,
                                                                client.GetPretrainingDuration());
                                               }),
                first,
                all);
    }
}

} // namespace

DistillationParameters::DistillationParameters()
{
    runDir = "runs/distillation";
    const std::string both = std::string(BOTH) + "::";
    const std::string client = "ns3::collab::DistillationClientApplication::";
    DeclareSamples();
    DeclareModel();
    DeclareWeights();
    DeclareTraining();
    Add("referenceBatchSize", referenceBatchSize, "X* samples a step").AtLeast(1);
    Take("algorithm", both + "Algorithm")
        .Choices({{"fedmd", "FedMd"}, {"ds-fl", "DsFl"}, {"selective-fd", "SelectiveFd"}});
    Take("labelAggregation", both + "LabelAggregation")
        .Choices({{"era", "EntropyReduction"}, {"sa", "Simple"}})
        .For("algorithm", {"ds-fl"});
    Take("temperature", both + "Temperature")
        .For("algorithm", {"ds-fl"})
        .For("labelAggregation", {"era"});
    Take("clientThreshold", client + "ClientThreshold").For("algorithm", {"selective-fd"});
    Take("serverThreshold", both + "ServerThreshold").For("algorithm", {"selective-fd"});
    Take("cacheDuration", both + "CacheDuration");
    Take("rounds", "ns3::collab::CollaborationApplication::Rounds").Default(20);
    Take("pretrainingRounds", both + "PretrainingRounds");
    Take("localEpochs", client + "LocalEpochs");
    Take("digestEpochs", client + "DigestEpochs");
    Take("loss", both + "LossPolicy");
    AddWait("roundDeadline",
            roundDeadline,
            "longest wait of the server for predictions; devices wait twice as long for labels; 0 "
            "for a quarter longer than the slowest device computes and a round's messages are on "
            "air, and 5 s at least")
        .Follows(both + "RoundDeadline");
    DeclareServerLinks(serverOutage, []() { return true; });
    DeclareNetwork();
    DeclareRun();
}

void
DistillationParameters::Validate() const
{
    ValidateCommon(true);
    ValidateTraining();
    Require(Get<uint32_t>("rounds") > Get<uint32_t>("pretrainingRounds"),
            "rounds",
            fmt::format("more than the {} of --pretrainingRounds: nothing would be exchanged",
                        Get<uint32_t>("pretrainingRounds")));
    ::Require(!IsStub(model), "model", model, "one that predicts, not a stub");
    Require(Get("algorithm") != "selective-fd" || dpSgd.empty(),
            "dpSgd",
            "empty with selective-fd, whose devices tell by their choice of samples what their "
            "own ones look like");
}

void
RunDistillation(DistillationParameters& p, std::ostream& output)
{
    PrepareParameters(p);
    const ScenarioSamples samples = LoadSamples(p);
    p.Require(samples.reference->data->kind != FeatureKind::TOKENS ||
                  p.Get("algorithm") != "selective-fd",
              "algorithm",
              "fedmd or ds-fl with --dataSet=" + p.dataSet +
                  ", whose samples are texts: selective-fd needs numbers to measure distances of");
    p.Require(p.Get("algorithm") != "selective-fd" ||
                  std::all_of(samples.train.begin(),
                              samples.train.end(),
                              [](const DataView& own) { return own.Size() >= 2; }),
              "minimumSamples",
              "such that each device has 2 samples to learn from, with selective-fd");
    SimulatorGuard guard;
    const ScenarioNetwork network = MakeNetwork(p, {false, {}, p.serverOutage});
    const auto agents = MakeAgents(p, samples);
    DistillationHelper helper(MakePool(p));
    SetAttributes(p, "ns3::collab::DistillationClientApplication", helper);
    const ApplicationContainer applications = helper.Install(network.server, network.nodes, agents);
    SetDeadlines(p, helper.GetServer(), applications);

    RunResults results(
        p, {"distillation", "algorithm", "accuracy_reference"}, samples, network, output);
    results.WritePartition(samples);
    RunRecorder recorder(*results.tables, applications);
    recorder.AddSender(network.server->GetObject<Transport>());
    recorder.SetDeadline(Seconds(p.roundDeadline), "--roundDeadline");
    results.Play(p, recorder, applications, ApplicationContainer(helper.GetServer()));
    WriteLearners(p, results, samples, GetLearners(agents));
    results.Finish();
}
