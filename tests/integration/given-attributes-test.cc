/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Whatever attribute a user gives is what objects hold when a scenario has set them up: over all
 * attributes of all objects that any scenario makes. And what a user gives twice, as a parameter
 * and as its attribute, is refused if it differs.
 */

#include "belief-consensus/belief-consensus-scenario.h"
#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "integration/object-walk.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"
#include "support/temporary-folder.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/config.h"
#include "ns3/device-profile-presets.h"
#include "ns3/integer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <functional>
#include <gtest/gtest.h>
#include <iomanip>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using tests::ObjectWalk;

namespace
{

/// Ends a run that is set up
struct SetUpDone
{
};

/// Sets a small run up, calls a function, and ends it: gets the run's folder and the function
using SetUpFunction = std::function<void(const std::string&, const std::function<void()>&)>;

/**
 * @param run a scenario
 * @param change makes its parameters those of the case
 * @return what sets it up
 */
template <typename P>
SetUpFunction
Prepare(void (*run)(P, std::ostream&), const std::function<void(P&)>& change)
{
    return [=](const std::string& folder, const std::function<void()>& inspect) {
        P p;
        p.dataSet = "gaussian-classes";
        p.devices = 4;
        p.samples = 20;
        p.minimumSamples = 4;
        p.referenceSamples = 8;
        p.testSamples = 10;
        p.lowQuality = "none";
        p.model = "linear";
        change(p);
        p.runDir = folder;
        p.quiet = true;
        p.beforeRun = [&inspect]() {
            inspect();
            throw SetUpDone();
        };
        std::ostringstream output;
        try
        {
            run(p, output);
            ADD_FAILURE() << "the run went on";
        }
        catch (const SetUpDone&)
        {
        }
    };
}

/// A scenario, and what is special about its attributes
struct Case
{
    std::string name;    //!< of the test
    SetUpFunction setUp; //!< the scenario
    std::size_t least;   //!< number of attributes that there are at least
    /// Attributes that cannot hold in this case and are refused, and why
    std::map<std::string, std::string> refused = {};
    /// Other values of attributes, that no rule finds in this case
    std::map<std::string, std::string> values = {};
};

/// What shows in messages of the test
std::ostream&
operator<<(std::ostream& os, const Case& shown)
{
    return os << shown.name;
}

/// As many passes as four devices can have
const std::map<std::string, std::string> PASSES = {
    {"ns3::collab::CollaborationApplication::Rounds", "3"}};

/// Steps with which devices of sets exchange models, the one as well as the other if given alone
const std::map<std::string, std::string> STEPS_IN_SETS = {
    {"ns3::collab::FederatedClientApplication::LocalSteps", "10"},
    {"ns3::collab::SemiDecentralizedClientApplication::SetSteps", "4"}};

/// @param algorithm of gossip
SetUpFunction
PrepareGossip(const std::string& algorithm)
{
    return Prepare<GossipParameters>(RunGossip,
                                     [=](GossipParameters& p) { p.algorithm = algorithm; });
}

/// Attributes that a graph of links decides
const std::map<std::string, std::string> GRAPH = {
    {"ns3::collab::D2dChannel::OutageModel", "the case has links of a graph"},
    {"ns3::collab::D2dChannel::PropagationLossModel", "the case has links of a graph"},
    {"ns3::collab::D2dMatrixOutageModel::FileName", "the case has links of a graph"},
    {"ns3::collab::D2dMatrixRssModel::FileName", "the case has links of a graph"}};

/// An attribute that is worked out of a parameter
const std::map<std::string, std::string> RADIUS = {
    {"ns3::collab::BeliefUserApplication::ClipRadius", "the case has a radius"}};

/**
 * @param family of beliefs
 * @param method of learning
 * @param links graph or radio
 */
SetUpFunction
PrepareBeliefs(const std::string& family, const std::string& method, const std::string& links)
{
    return Prepare<BeliefParameters>(RunBeliefConsensus, [=](BeliefParameters& p) {
        p.family = family;
        p.method = method;
        p.links = links;
        p.clipRadius = family == "discrete" ? 0 : 5;
    });
}

/// Attributes that graph discovery on a dynamic channel decides
const std::map<std::string, std::string> DYNAMIC = {
    {"ns3::Application::StartTime", "slots begin with the channel"},
    {"ns3::collab::D2dChannel::PropagationLossModel", "the case has a dynamic channel"},
    {"ns3::collab::D2dDynamicRssModel::Interval", "the channel changes with the slots"},
    {"ns3::collab::D2dDynamicRssModel::HoldStart", "until datapoints are exchanged"},
    {"ns3::collab::D2dDynamicRssModel::HoldEnd", "until they have been"}};

/// Attributes that graph discovery and the learning after it do not share
const std::map<std::string, std::string> LEARNING = {
    {"ns3::Application::StartTime", "one is after the other"},
    {"ns3::collab::CollaborationApplication::Rounds", "each has its own"},
    {"ns3::collab::FederatedClientApplication::GradientAttack", "nobody is malicious"},
    {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "nobody tells what is spent"}};

/// @param downstream how a model is learned after graph discovery
SetUpFunction
PrepareLearning(const std::string& downstream)
{
    return Prepare<GraphDiscoveryParameters>(RunGraphDiscovery, [=](GraphDiscoveryParameters& p) {
        p.downstream = downstream;
        p.peers = 2;
        p.setSize = 2;
    });
}

/// @return all scenarios, with all kinds of applications
std::vector<Case>
MakeCases()
{
    const auto nothing = [](auto&) {};
    const auto committee = [](CommitteeParameters& p) {
        p.devices = 8;
        p.samples = 10;
        p.activePercent = 100;
        p.committeePercent = 37.5;
    };
    const std::string percentages = "a percentage of the case is given and decides";
    const std::map<std::string, std::string> sizes = {
        {"ns3::collab::CommitteeApplication::CommitteeSize", percentages},
        {"ns3::collab::CommitteeApplication::TrainingClients", percentages}};
    auto sets = LEARNING;
    sets["ns3::collab::FederatedApplication::Algorithm"] = "the case has another algorithm";
    auto gossip = LEARNING;
    gossip["ns3::collab::SegmentedGossipApplication::Replicas"] = "the case has another number";
    auto cut = sizes;
    cut["ns3::collab::D2dPartitionOutageModel::OutageModel"] = "the case has partitions";
    return {
        {"PredictionConsensus",
         Prepare<PredictionConsensusParameters>(RunPredictionConsensus, nothing),
         75},
        {"Regression",
         Prepare<ConsensusToyParameters>(RunConsensusToy, nothing),
         75,
         {{"ns3::collab::PredictionConsensusApplication::ConsensusMode", "the case has no classes"},
          {"ns3::collab::PredictionConsensusApplication::LabelTopK", "the case has no classes"}}},
        {"Boundaries",
         Prepare<ConsensusToyParameters>(
             RunConsensusToy, [](ConsensusToyParameters& p) { p.experiment = "boundaries"; }),
         75},
        {"Federated", Prepare<FederatedParameters>(RunFederated, nothing), 75},
        {"Scaffold",
         Prepare<FederatedParameters>(RunFederated,
                                      [](FederatedParameters& p) { p.algorithm = "scaffold"; }),
         75,
         {{"ns3::collab::FederatedApplication::Algorithm", "the case has another algorithm"},
          {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "more than updates is sent"}}},
        {"FedBuff",
         Prepare<FederatedParameters>(RunFederated,
                                      [](FederatedParameters& p) { p.algorithm = "fedbuff"; }),
         75,
         {{"ns3::collab::FederatedApplication::Algorithm", "the case has another algorithm"}}},
        {"SemiDecentralized",
         Prepare<FederatedParameters>(
             RunFederated, [](FederatedParameters& p) { p.algorithm = "semi-decentralized"; }),
         80,
         {{"ns3::collab::FederatedApplication::Algorithm", "the case has another algorithm"},
          {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "more than updates is sent"},
          {"ns3::collab::FederatedSynchronousServerApplication::Participation",
           "all devices take part"}},
         STEPS_IN_SETS},
        {"CommitteeSizes",
         Prepare<CommitteeParameters>(RunCommittee,
                                      [](CommitteeParameters& p) {
                                          p.devices = 16;
                                          p.samples = 8;
                                      }),
         75},
        {"Partitions",
         Prepare<CommitteeParameters>(RunCommittee,
                                      [=](CommitteeParameters& p) {
                                          committee(p);
                                          p.partitions = "1-2:0";
                                      }),
         75,
         cut},
        {"BrainTorrent", PrepareGossip("braintorrent"), 75},
        {"GossipFl", PrepareGossip("gossipfl"), 75},
        {"Segmented", PrepareGossip("segmented"), 75},
        {"Beliefs", PrepareBeliefs("discrete", "consensus", "radio"), 75},
        {"BeliefsOfNetworks", PrepareBeliefs("mean-field", "consensus", "radio"), 75, RADIUS},
        {"BeliefGossip", PrepareBeliefs("gaussian", "gossip", "radio"), 70, RADIUS},
        {"GraphDiscovery",
         Prepare<GraphDiscoveryParameters>(
             RunGraphDiscovery, [](GraphDiscoveryParameters& p) { p.downstream = "none"; }),
         75,
         {},
         PASSES},
        {"ClusterDiscovery",
         Prepare<GraphDiscoveryParameters>(RunGraphDiscovery,
                                           [](GraphDiscoveryParameters& p) {
                                               p.paradigm = "unsupervised";
                                               p.components = 2;
                                               p.clusters = 3;
                                               p.downstream = "none";
                                           }),
         75,
         {{"ns3::collab::LatentDiscoveryApplication::Components", "the case has two features"}},
         PASSES},
        {"DiscoveryOnDynamicChannel",
         Prepare<GraphDiscoveryParameters>(RunGraphDiscovery,
                                           [](GraphDiscoveryParameters& p) {
                                               p.channel = "dynamic";
                                               p.downstream = "none";
                                           }),
         75,
         DYNAMIC,
         {{"ns3::collab::CollaborationApplication::Rounds", "1"}, // the only one
          {"ns3::collab::D2dDynamicRssModel::Minimum", "0.06"}}},
        {"DiscoveryAndFedAvg", PrepareLearning("fedavg"), 90, LEARNING},
        {"DiscoveryAndSets", PrepareLearning("semi-decentralized"), 90, sets, STEPS_IN_SETS},
        {"DiscoveryAndGossip",
         PrepareLearning("decentralized"),
         85,
         gossip,
         {{"ns3::collab::SegmentedGossipApplication::Replicas", "3"}}},
        {"BeliefGraph", PrepareBeliefs("discrete", "consensus", "graph"), 75, GRAPH},
    };
}

/// Attributes that cannot hold in any case and are refused, and why
const std::map<std::string, std::string> REFUSED = {
    {"ns3::collab::BeliefUserApplication::Lie", "liars are named by --malicious"},
    {"ns3::collab::D2dMac::TxQueue", "a default would be one queue for all radios"}};

/// Values of attributes that no rule can find: texts with a meaning, objects, and numbers that
/// must fit others
const std::map<std::string, std::string> VALUES = {
    {BasicEnergySource::GetTypeId().GetName() + "::BasicEnergyLowBatteryThreshold", "0.1"},
    {"ns3::collab::BeliefGossipApplication::UpdateInterval",
     "ns3::ExponentialRandomVariable[Mean=2]"},
    {"ns3::collab::CollaborationApplication::LearnerPool", "ns3::collab::LearnerPool[Threads=2]"},
    {"ns3::collab::CommitteeApplication::CommitteeSize", "4"},
    {"ns3::collab::CommitteeApplication::GradientAttack", "scaling"},
    {"ns3::collab::CommitteeApplication::Misbehavior", "equivocate"},
    {"ns3::collab::CommitteeApplication::TrainingClients", "6"},
    {"ns3::collab::D2dChannel::OutageModel", "ns3::collab::D2dNakagamiOutageModel[M=3]"},
    {"ns3::collab::D2dChannel::PropagationDelayModel",
     "ns3::ConstantSpeedPropagationDelayModel[Speed=2e8]"},
    {"ns3::collab::D2dChannel::PropagationLossModel", "ns3::FriisPropagationLossModel"},
    {"ns3::collab::D2dMatrixOutageModel::FileName", "matrix.csv"},
    {"ns3::collab::GraphDiscoveryApplication::CountBits", "16"},
    {"ns3::collab::D2dMatrixRssModel::FileName", "matrix.csv"},
    {"ns3::collab::D2dPhy::Subchannel", "1"},
    {"ns3::collab::D2dMac::TxQueue", "ns3::collab::D2dPriorityQueue[MaxSize=55p]"},
    {"ns3::collab::D2dPartitionOutageModel::OutageModel",
     "ns3::collab::D2dNakagamiOutageModel[M=3]"},
    {"ns3::collab::FederatedApplication::Compression", "int8"},
    {"ns3::collab::FederatedApplication::LocalMomentum", "0.5"},
    {"ns3::collab::FederatedClientApplication::GradientAttack", "scaling"},
    {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "clip=1,sigma=0.5"},
    {"ns3::collab::FederatedServerApplication::AggregationRule", "median"},
    {"ns3::collab::Processor::Frequencies", "1GHz 2GHz"},
};

/**
 * @param name of an attribute
 * @param info the attribute
 * @param held values that objects hold when it is not given
 * @return a value as on a command line, which none of them holds, or not all of them; nothing if no
 * rule finds one
 */
std::optional<std::string>
FindOther(const std::string& name,
          const TypeId::AttributeInformation& info,
          const std::set<std::string>& held)
{
    const auto known = VALUES.find(name);
    if (known != VALUES.end())
    {
        return known->second;
    }
    const std::string type = info.checker->GetValueTypeName();
    const std::string initial = info.originalInitialValue->SerializeToString(info.checker);
    std::vector<std::string> candidates;
    if (type.rfind("ns3::EnumValue", 0) == 0)
    {
        std::istringstream names(info.checker->GetUnderlyingTypeInformation());
        for (std::string one; std::getline(names, one, '|');)
        {
            candidates.push_back(one);
        }
    }
    else if (const auto number = ToNumber(*info.originalInitialValue))
    {
        const std::string unit = type == "ns3::TimeValue" ? "s" : "";
        for (const double other : {*number + 1, *number * 0.75, *number - 1, 1.0, 0.0})
        {
            std::ostringstream text;
            text << std::setprecision(12) << other << unit;
            candidates.push_back(text.str());
        }
    }
    // Newer versions of ns-3 name these two with their namespace
    else if (type == "QueueSizeValue" || type == "ns3::QueueSizeValue")
    {
        candidates = {"77p", "78p"};
    }
    else if (type == "DataRateValue" || type == "ns3::DataRateValue")
    {
        candidates = {"77kbps"};
    }
    for (const auto& candidate : candidates)
    {
        const Ptr<AttributeValue> value = info.checker->CreateValidValue(StringValue(candidate));
        if (value && held.count(value->SerializeToString(info.checker)) == 0)
        {
            return candidate;
        }
    }
    if (held.size() > 1 && !candidates.empty())
    {
        return candidates.front(); // objects differ: for some of them it is another one
    }
    return std::nullopt;
}

/**
 * @param object an object
 * @return its type and its attributes, which are no objects
 */
std::string
Describe(Ptr<Object> object)
{
    std::string text = object->GetInstanceTypeId().GetName();
    ObjectWalk::ForEachAttribute(object, [&](const std::string& name, const auto& info) {
        if (const auto value = ObjectWalk::Read(object, info))
        {
            text += "|" + name + "=" + value->SerializeToString(info.checker);
        }
    });
    return text;
}

/**
 * @param value held by an object
 * @param given the value that was given
 * @param info the attribute
 * @return whether they are the same; an object may be in a wrapper of the scenario, or a random
 * variable a copy, as each of several has to have its own
 */
bool
IsSame(const AttributeValue& value,
       const AttributeValue& given,
       const TypeId::AttributeInformation& info)
{
    const auto* pointer = dynamic_cast<const PointerValue*>(&value);
    if (!pointer)
    {
        return value.SerializeToString(info.checker) == given.SerializeToString(info.checker);
    }
    const Ptr<Object> expected = dynamic_cast<const PointerValue&>(given).GetObject();
    PointerValue inner;
    const Ptr<Object> held = pointer->GetObject();
    if (DynamicCast<RandomVariableStream>(held))
    {
        held->SetAttribute("Stream", IntegerValue(-1)); // it was assigned one
        return Describe(held) == Describe(expected);
    }
    return held == expected ||
           (held->GetInstanceTypeId().GetName() == "ns3::collab::D2dPartitionOutageModel" &&
            held->GetAttributeFailSafe("OutageModel", inner) && inner.GetObject() == expected);
}

/**
 * @param name of an attribute
 * @param value of an object
 * @param info the attribute
 * @return whether a base station has it, whatever is given for devices
 */
bool
IsOfStation(const std::string& name,
            const AttributeValue& value,
            const TypeId::AttributeInformation& info)
{
    const DeviceProfilePreset& station = FindDeviceProfilePreset("base-station");
    const std::string source = BasicEnergySource::GetTypeId().GetName();
    std::map<std::string, std::string> texts = {
        {source + "::BasicEnergySourceInitialEnergyJ", std::to_string(station.batteryJ)},
        {source + "::BasicEnergyLowBatteryThreshold", "0"}};
    for (const auto& [type, attributes] : {std::pair("Processor", station.processor),
                                           std::pair("D2dRadioEnergyModel", station.radio),
                                           std::pair("D2dPhy", station.device)})
    {
        for (const auto& [attribute, text] : attributes)
        {
            texts[std::string("ns3::collab::") + type + "::" + attribute] = text;
        }
    }
    const auto found = texts.find(name);
    return found != texts.end() &&
           IsSame(value, *info.checker->CreateValidValue(StringValue(found->second)), info);
}

/// One scenario
class GivenAttributesTest : public testing::TestWithParam<Case>
{
  protected:
    void
    SetUp() override
    {
        Config::Reset();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        m_folder = std::filesystem::temp_directory_path() / ("collab-given-" + GetParam().name);
    }

    void
    TearDown() override
    {
        Config::Reset();
        std::filesystem::remove_all(m_folder);
    }

    /// @param inspect called when all is set up
    void
    Play(const std::function<void()>& inspect) const
    {
        std::filesystem::remove_all(m_folder);
        GetParam().setUp(m_folder / "run", inspect);
    }

    std::filesystem::path m_folder; //!< where runs are set up
};

} // namespace

TEST_P(GivenAttributesTest, AreWhatObjectsHold)
{
    std::map<std::string, TypeId::AttributeInformation> attributes;
    std::map<std::string, std::set<std::string>> held;
    Play([&]() {
        const ObjectWalk walk;
        for (const auto& object : walk.GetObjects())
        {
            ObjectWalk::ForEachAttribute(object, [&](const auto& name, const auto& info) {
                if ((info.flags & TypeId::ATTR_CONSTRUCT) && info.accessor->HasSetter())
                {
                    attributes[name] = info;
                    const auto value = ObjectWalk::Read(object, info);
                    ASSERT_TRUE(value) << name << " cannot be read";
                    held[name].insert(value->SerializeToString(info.checker));
                }
            });
        }
    });
    RecordProperty("attributes", static_cast<int>(attributes.size()));
    EXPECT_GE(attributes.size(), GetParam().least);
    for (const std::string& name :
         {BasicEnergySource::GetTypeId().GetName() + "::BasicEnergySourceInitialEnergyJ",
          std::string("ns3::collab::D2dPhy::TxPower"),
          std::string("ns3::collab::D2dRadioEnergyModel::Account"),
          std::string("ns3::collab::LearnerPool::Threads"),
          std::string("ns3::collab::Processor::FlopsPerCycle"),
          std::string("ns3::collab::Transport::PayloadMode")})
    {
        EXPECT_EQ(attributes.count(name), 1U) << name << " is not found";
    }
    const bool isOther =
        GetParam().refused.count("ns3::collab::D2dChannel::PropagationLossModel") > 0;
    EXPECT_EQ(attributes.count("ns3::LogDistancePropagationLossModel::Exponent"), isOther ? 0 : 1);
    for (const auto& [name, info] : attributes)
    {
        const auto known = GetParam().values.find(name);
        const auto other = known != GetParam().values.end() ? std::make_optional(known->second)
                                                            : FindOther(name, info, held[name]);
        if (!other)
        {
            ADD_FAILURE() << name << " of " << info.checker->GetValueTypeName()
                          << ": no other value than " << *held[name].begin()
                          << " is known; add one to VALUES";
            continue;
        }
        Config::Reset();
        Config::SetDefault(name, StringValue(*other));
        const auto given = GetAttributeInformation(name).initialValue;
        const bool isRefused = GetParam().refused.count(name) + REFUSED.count(name) > 0;
        std::size_t count = 0;
        try
        {
            Play([&, &name = name, &info = info]() {
                const ObjectWalk walk;
                for (const auto& object : walk.GetObjects())
                {
                    ObjectWalk::ForEachAttribute(object, [&](const auto& one, const auto&) {
                        if (one == name)
                        {
                            const auto value = ObjectWalk::Read(object, info);
                            const bool isSame = IsSame(*value, *given, info);
                            count += isSame ? 1 : 0;
                            EXPECT_TRUE(isSame || IsOfStation(name, *value, info))
                                << name << "=" << *other << " is not what "
                                << object->GetInstanceTypeId().GetName() << " holds";
                        }
                    });
                }
            });
            EXPECT_FALSE(isRefused) << name << "=" << *other << " is not refused";
            EXPECT_GT(count, 0U) << name;
        }
        catch (const UserError& error)
        {
            EXPECT_TRUE(isRefused) << name << "=" << *other << ": " << error.what();
            // Arguments have the same names, but for the first letter
            const std::string last = name.substr(name.rfind("::") + 3);
            EXPECT_NE(std::string(error.what()).find(last), std::string::npos) << error.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenarios,
                         GivenAttributesTest,
                         testing::ValuesIn(MakeCases()),
                         [](const auto& info) { return info.param.name; });

namespace
{

/// The parameters of one scenario
template <typename P>
class ParametersTest : public testing::Test
{
  protected:
    ParametersTest()
    {
        Config::Reset();
    }

    ~ParametersTest() override
    {
        Config::Reset();
    }
};

using Scenarios = testing::Types<PredictionConsensusParameters,
                                 ConsensusToyParameters,
                                 FederatedParameters,
                                 CommitteeParameters,
                                 GossipParameters,
                                 BeliefParameters,
                                 GraphDiscoveryParameters>;
TYPED_TEST_SUITE(ParametersTest, Scenarios);

} // namespace

TYPED_TEST(ParametersTest, NameEveryValueOfTheirAttributes)
{
    TypeParam p;
    ParameterList list;
    p.Declare(list);
    for (const auto& parameter : list.Get())
    {
        for (const auto& binding : parameter.GetBindings())
        {
            const auto info = GetAttributeInformation(binding.attribute); // which throws if unknown
            std::set<std::string> texts;
            for (const auto& choice : parameter.GetChoices())
            {
                texts.insert(choice.attributeText);
                EXPECT_TRUE(binding.role != Parameter::Role::SET ||
                            info.checker->CreateValidValue(StringValue(choice.attributeText)))
                    << parameter.GetName() << " " << choice.text;
            }
            std::istringstream names(info.checker->GetUnderlyingTypeInformation());
            const bool isEnum = info.checker->GetValueTypeName().rfind("ns3::EnumValue", 0) == 0;
            for (std::string one; isEnum && std::getline(names, one, '|');)
            {
                EXPECT_EQ(texts.count(one), 1U) << parameter.GetName() << " cannot be " << one;
            }
        }
    }
}

TYPED_TEST(ParametersTest, AreRefusedBesideAnotherValueOfTheirAttribute)
{
    TypeParam initial;
    ParameterList all;
    initial.Declare(all);
    for (const auto& one : all.Get())
    {
        for (const auto& binding : one.GetBindings())
        {
            if (!binding.IsActive())
            {
                continue;
            }
            Config::Reset();
            const auto info = GetAttributeInformation(binding.attribute);
            // A value that the attribute cannot have, such as 0 for "computed", is none of it
            Ptr<const AttributeValue> own;
            if (binding.role == Parameter::Role::SET)
            {
                own = one.FindAttributeValue(binding);
            }
            std::set<std::string> held = {
                (own ? own : info.initialValue)->SerializeToString(info.checker)};
            const auto other = FindOther(binding.attribute, info, held);
            ASSERT_TRUE(other) << binding.attribute;
            Config::SetDefault(binding.attribute, StringValue(*other));
            TypeParam p;
            ParameterList list;
            p.Declare(list);
            list.Find(one.GetName())->Give(); // even the default
            try
            {
                list.AdoptGivenAttributes();
                ADD_FAILURE() << one.GetName() << " and " << binding.attribute << "=" << *other;
            }
            catch (const UserError& error)
            {
                const std::string text = error.what();
                EXPECT_NE(text.find("--" + one.GetName() + "="), std::string::npos) << text;
                EXPECT_NE(text.find("--" + binding.attribute + "="), std::string::npos) << text;
            }
        }
    }
}
