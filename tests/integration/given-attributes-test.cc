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
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "prediction-consensus/prediction-consensus-toy-scenario.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/device-profile-presets.h"
#include "ns3/integer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <cmath>
#include <functional>
#include <iomanip>
#include <optional>

using namespace ns3;
using namespace ns3::collab;
using tests::ObjectWalk;

namespace
{

/// Ends a run that is set up
struct SetUpDone
{
};

/// Values by the names of attributes
using Texts = std::map<std::string, std::string>;

/// A scenario, and what is special about its attributes
struct Case
{
    std::string name;      //!< of the test
    std::string scenario;  //!< which one
    std::string arguments; //!< of it
    std::size_t least;     //!< number of attributes that there are at least
    /// Attributes that cannot hold in this case and are refused, and why
    Texts refused = {};
    /// Other values of attributes, that no rule finds in this case
    Texts values = {};
};

/// What shows in messages of the test
std::ostream&
operator<<(std::ostream& os, const Case& shown)
{
    return os << shown.name;
}

/// @return two maps as one
Texts
Join(Texts one, const Texts& other)
{
    one.insert(other.begin(), other.end());
    return one;
}

/// As many passes as four devices can have
const Texts PASSES = {{"ns3::collab::CollaborationApplication::Rounds", "3"}};
/// Steps with which devices of sets exchange models, the one as well as the other if given alone
const Texts STEPS_IN_SETS = {{"ns3::collab::FederatedClientApplication::LocalSteps", "10"},
                             {"ns3::collab::SemiDecentralizedClientApplication::SetSteps", "4"}};
const Texts NOT_PRIVATE = {{"ns3::collab::PredictionConsensusApplication::PredictionPrivacy",
                            "nobody tells what is spent"}};
const Texts NO_CLASSES = {
    {"ns3::collab::PredictionConsensusApplication::ConsensusMode", "the case has no classes"},
    {"ns3::collab::PredictionConsensusApplication::LabelTopK", "the case has no classes"}};
const Texts OTHER_ALGORITHM = {
    {"ns3::collab::FederatedApplication::Algorithm", "the case has another algorithm"}};
const Texts NO_MEAN = {
    {"ns3::collab::FederatedApplication::Uplink", "more than a mean of changes is needed"}};
const Texts MORE_THAN_UPDATES = {
    {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "more than updates is sent"}};
const Texts ALL_TAKE_PART = {
    {"ns3::collab::FederatedSynchronousServerApplication::Participation", "all devices do"}};
const Texts PERCENTAGES = {
    {"ns3::collab::CommitteeApplication::CommitteeSize", "a percentage is given and decides"},
    {"ns3::collab::CommitteeApplication::TrainingClients", "a percentage is given and decides"}};
const Texts PARTITIONS = {
    {"ns3::collab::D2dPartitionOutageModel::OutageModel", "the case has partitions"}};
/// Attributes that a graph of links decides
const Texts GRAPH = {
    {"ns3::collab::D2dChannel::OutageModel", "the case has links of a graph"},
    {"ns3::collab::D2dChannel::PropagationLossModel", "the case has links of a graph"},
    {"ns3::collab::D2dMatrixOutageModel::FileName", "the case has links of a graph"},
    {"ns3::collab::D2dMatrixRssModel::FileName", "the case has links of a graph"}};
/// An attribute that is worked out of a parameter
const Texts RADIUS = {{"ns3::collab::BeliefUserApplication::ClipRadius", "the case has a radius"}};
const Texts TWO_FEATURES = {
    {"ns3::collab::LatentDiscoveryApplication::Components", "the case has two features"}};
/// Attributes that graph discovery on a dynamic channel decides
const Texts DYNAMIC = {
    {"ns3::Application::StartTime", "slots begin with the channel"},
    {"ns3::collab::D2dChannel::PropagationLossModel", "the case has a dynamic channel"},
    {"ns3::collab::D2dDynamicRssModel::Interval", "the channel changes with the slots"},
    {"ns3::collab::D2dDynamicRssModel::HoldStart", "until datapoints are exchanged"},
    {"ns3::collab::D2dDynamicRssModel::HoldEnd", "until they have been"}};
const Texts ON_DYNAMIC = {{"ns3::collab::CollaborationApplication::Rounds", "1"}, // the only one
                          {"ns3::collab::D2dDynamicRssModel::Minimum", "0.06"}};
/// Attributes that graph discovery and the learning after it do not share
const Texts LEARNING = {
    {"ns3::Application::StartTime", "one is after the other"},
    {"ns3::collab::CollaborationApplication::Rounds", "each has its own"},
    {"ns3::collab::FederatedClientApplication::GradientAttack", "nobody is malicious"},
    {"ns3::collab::FederatedApplication::Uplink", "it has no argument for that"},
    {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "nobody tells what is spent"}};
const Texts REPLICAS = {
    {"ns3::collab::SegmentedGossipApplication::Replicas", "the case has another number"}};
const Texts THREE_REPLICAS = {{"ns3::collab::SegmentedGossipApplication::Replicas", "3"}};

/// @return all scenarios, with all kinds of applications
std::vector<Case>
MakeCases()
{
    const std::string learning = "peers=2 setSize=2 downstream=";
    const std::string committee = "devices=8 samples=10 activePercent=100 committeePercent=37.5 ";
    const auto other = Join(OTHER_ALGORITHM, NO_MEAN);
    const auto sets = Join(Join(other, MORE_THAN_UPDATES), ALL_TAKE_PART);
    return {
        {"PredictionConsensus", "prediction-consensus", "", 75},
        {"Regression", "toy", "", 75, Join(NO_CLASSES, NOT_PRIVATE)},
        {"Boundaries", "toy", "experiment=boundaries", 75, NOT_PRIVATE},
        {"Federated", "federated", "", 75},
        {"Scaffold", "federated", "algorithm=scaffold", 75, Join(other, MORE_THAN_UPDATES)},
        {"FedBuff", "federated", "algorithm=fedbuff", 75, other},
        {"SemiDecentralized", "federated", "algorithm=semi-decentralized", 80, sets, STEPS_IN_SETS},
        {"CommitteeSizes", "committee", "devices=16 samples=8", 75},
        {"Partitions",
         "committee",
         committee + "partitions=1-2:0",
         75,
         Join(PERCENTAGES, PARTITIONS)},
        {"BrainTorrent", "gossip", "algorithm=braintorrent", 75},
        {"GossipFl", "gossip", "algorithm=gossipfl", 75},
        {"Segmented", "gossip", "algorithm=segmented", 75},
        {"Beliefs", "beliefs", "family=discrete links=radio", 75},
        {"BeliefsOfNetworks", "beliefs", "family=mean-field links=radio clipRadius=5", 75, RADIUS},
        {"BeliefGossip",
         "beliefs",
         "family=gaussian method=gossip links=radio clipRadius=5",
         70,
         RADIUS},
        {"BeliefGraph", "beliefs", "family=discrete links=graph", 75, GRAPH},
        {"GraphDiscovery", "discovery", "downstream=none", 75, {}, PASSES},
        {"ClusterDiscovery",
         "discovery",
         "paradigm=unsupervised components=2 clusters=3 downstream=none",
         75,
         TWO_FEATURES,
         PASSES},
        {"DiscoveryOnDynamicChannel",
         "discovery",
         "channel=dynamic downstream=none",
         75,
         DYNAMIC,
         ON_DYNAMIC},
        {"DiscoveryAndFedAvg", "discovery", learning + "fedavg", 90, LEARNING},
        {"DiscoveryAndSets",
         "discovery",
         learning + "semi-decentralized",
         90,
         Join(LEARNING, OTHER_ALGORITHM),
         STEPS_IN_SETS},
        {"DiscoveryAndGossip",
         "discovery",
         learning + "decentralized",
         85,
         Join(LEARNING, REPLICAS),
         THREE_REPLICAS},
    };
}

/// Attributes that cannot hold in any case and are refused, and why
const Texts REFUSED = {
    {"ns3::collab::BeliefUserApplication::Lie", "liars are named by --malicious"},
    {"ns3::collab::PredictionConsensusApplication::PredictionAttack",
     "liars are named by --malicious"},
    {"ns3::collab::D2dMac::TxQueue", "a default would be one queue for all radios"}};

/// Values of attributes that no rule can find: texts with a meaning, objects, and numbers that
/// must fit others
const Texts VALUES = {
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
    {"ns3::collab::DecentralizedFedAvgmApplication::Defense", "nearest:f=1"},
    {"ns3::collab::DecentralizedFedAvgmApplication::GradientAttack", "scaling"},
    {"ns3::collab::FederatedApplication::Compression", "int8"},
    {"ns3::collab::FederatedApplication::LocalMomentum", "0.5"},
    {"ns3::collab::NeighborGossipApplication::Compression", "top-k:fraction=0.2"},
    {"ns3::collab::FederatedClientApplication::GradientAttack", "scaling"},
    {"ns3::collab::FederatedClientApplication::UpdatePrivacy", "clip=1,sigma=0.5"},
    {"ns3::collab::FederatedServerApplication::AggregationRule", "median"},
    {"ns3::collab::PredictionConsensusApplication::PredictionPrivacy", "sigma=0.5"},
    {"ns3::collab::Processor::Frequencies", "1GHz 2GHz"},
};

/// @param name of an attribute
/// @param info the attribute
/// @param held values that objects hold when it is not given
/// @return a value as on a command line, which none of them holds, or not all of them; nothing if
/// no rule finds one
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
        const bool isWhole = type == "ns3::UintegerValue" || type == "ns3::IntegerValue";
        for (const double other : {*number + 1, *number * 0.75, *number - 1, 1.0, 0.0})
        {
            if (isWhole && other != std::floor(other)) // which ns-3 aborts at
            {
                continue;
            }
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

/// @param object an object
/// @return its type and its attributes, which are no objects
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

/// @param value held by an object
/// @param given the value that was given
/// @param info the attribute
/// @return whether they are the same; an object may be in a wrapper of the scenario, or a random
/// variable a copy, as each of several has to have its own
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

/// @param name of an attribute
/// @param value of an object
/// @param info the attribute
/// @return whether a base station has it, whatever is given for devices
bool
IsOfStation(const std::string& name,
            const AttributeValue& value,
            const TypeId::AttributeInformation& info)
{
    const DeviceProfilePreset& station = FindDeviceProfilePreset("base-station");
    const std::string source = BasicEnergySource::GetTypeId().GetName();
    Texts texts = {{source + "::BasicEnergySourceInitialEnergyJ", std::to_string(station.batteryJ)},
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

/// Attributes by name
using Attributes = std::map<std::string, TypeId::AttributeInformation>;

/// One scenario
class GivenAttributesTest : public tests::ScenarioTest, public testing::WithParamInterface<Case>
{
  protected:
    /// @brief Set the scenario up, and end it.
    /// @param given attributes
    /// @param inspect called with each attribute of each object that there is then
    template <typename Inspect>
    void
    SetScenarioUp(const Texts& given, const Inspect& inspect)
    {
        const std::string samples = "dataSet=gaussian-classes samples=20 testSamples=10 ";
        const std::string learners =
            samples + "minimumSamples=4 referenceSamples=8 lowQuality=none ";
        const auto play = [&](auto run, const std::string& arguments) {
            PlaySetUp(
                run, arguments + "devices=4 model=linear " + GetParam().arguments, given, inspect);
        };
        const std::string& scenario = GetParam().scenario;
        scenario == "prediction-consensus" ? play(RunPredictionConsensus, learners)
        : scenario == "federated"          ? play(RunFederated, learners)
        : scenario == "committee"          ? play(RunCommittee, learners)
        : scenario == "gossip"             ? play(RunGossip, learners)
        : scenario == "beliefs"            ? play(RunBeliefConsensus, learners)
        : scenario == "discovery"
            ? play(RunGraphDiscovery, samples)
            : PlaySetUp(RunConsensusToy, "model=linear " + GetParam().arguments, given, inspect);
    }

    /// @return all attributes that objects can be given, and their values there if none is
    std::pair<Attributes, std::map<std::string, std::set<std::string>>>
    FindAttributes()
    {
        Attributes attributes;
        std::map<std::string, std::set<std::string>> held;
        SetScenarioUp({}, [&](const auto& object, const auto& name, const auto& info) {
            if ((info.flags & TypeId::ATTR_CONSTRUCT) && info.accessor->HasSetter())
            {
                attributes[name] = info;
                const auto value = ObjectWalk::Read(object, info);
                ASSERT_TRUE(value) << name << " cannot be read";
                held[name].insert(value->SerializeToString(info.checker));
            }
        });
        return {attributes, held};
    }

    /// @return what is wrong with objects that do not hold what is given; a line each
    std::vector<std::string>
    FindFaults(const Texts& given)
    {
        std::vector<std::string> faults;
        std::map<std::string, std::size_t> counts;
        SetScenarioUp(given, [&](const auto& object, const auto& name, const auto& info) {
            const auto found = given.find(name);
            if (found == given.end())
            {
                return;
            }
            const auto value = ObjectWalk::Read(object, info);
            const bool isSame = IsSame(*value, *GetAttributeInformation(name).initialValue, info);
            counts[name] += isSame ? 1 : 0;
            if (!isSame && !IsOfStation(name, *value, info))
            {
                faults.push_back(name + "=" + found->second + " is not what " +
                                 object->GetInstanceTypeId().GetName() + " holds");
            }
        });
        for (const auto& [name, text] : given)
        {
            if (counts[name] == 0)
            {
                faults.push_back(name + " is held by nothing");
            }
        }
        return faults;
    }

    /// @return whether an attribute must be refused
    static bool
    IsRefused(const std::string& name)
    {
        return GetParam().refused.count(name) + REFUSED.count(name) > 0;
    }

    /// Expect that what is given is held, or that it is refused if it must be
    void
    ExpectHeldOrRefused(const std::string& name, const std::string& text)
    {
        try
        {
            EXPECT_THAT(FindFaults({{name, text}}), testing::IsEmpty());
            EXPECT_FALSE(IsRefused(name)) << name << "=" << text << " is not refused";
        }
        catch (const UserError& error)
        {
            EXPECT_TRUE(IsRefused(name)) << name << "=" << text << ": " << error.what();
            // Arguments have the same names, but for the first letter
            EXPECT_THAT(error.what(), testing::HasSubstr(name.substr(name.rfind("::") + 3)));
        }
    }

    /// Expect that all that is given at once is held; what does not fit together is given alone
    void
    ExpectHeldTogether(const Texts& given)
    {
        bool fits = false;
        try
        {
            fits = FindFaults(given).empty();
        }
        catch (const UserError&)
        {
        }
        for (auto one = given.begin(); !fits && one != given.end(); ++one)
        {
            ExpectHeldOrRefused(one->first, one->second);
        }
    }

    /// @return another value of each attribute that objects can be given
    Texts
    FindOthers()
    {
        auto [attributes, held] = FindAttributes();
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
        const bool isOther = IsRefused("ns3::collab::D2dChannel::PropagationLossModel");
        EXPECT_EQ(attributes.count("ns3::LogDistancePropagationLossModel::Exponent"),
                  isOther ? 0 : 1);
        Texts others = GetParam().values;
        for (const auto& [name, info] : attributes)
        {
            const auto other = FindOther(name, info, held[name]);
            EXPECT_TRUE(other || others.count(name) > 0)
                << name << " of " << info.checker->GetValueTypeName() << ": no other value than "
                << *held[name].begin() << " is known; add one to VALUES";
            others.emplace(name, other.value_or(""));
        }
        return others;
    }

  private:
    /// The same as SetScenarioUp(), of a scenario with arguments
    template <typename P, typename Inspect>
    void
    PlaySetUp(void (*run)(P&, std::ostream&),
              const std::string& arguments,
              const Texts& given,
              const Inspect& inspect)
    {
        const auto p = Parse<P>(arguments);
        for (const auto& parameter : p->GetAll()) // as if these were defaults of the scenario
        {
            p->Find(parameter.GetName())->Give(false);
        }
        for (const auto& [name, text] : given)
        {
            Config::SetDefault(name, StringValue(text));
        }
        p->quiet = true;
        p->beforeRun = [&inspect]() {
            const ObjectWalk walk;
            for (const auto& object : walk.GetObjects())
            {
                ObjectWalk::ForEachAttribute(object, [&](const auto& name, const auto& info) {
                    inspect(object, name, info);
                });
            }
            throw SetUpDone();
        };
        try
        {
            PlayWith(run, *p);
            ADD_FAILURE() << "the run went on";
        }
        catch (const SetUpDone&)
        {
        }
    }
};

/// The same with each attribute alone
class GivenAttributesNightlyTest : public GivenAttributesTest
{
};

} // namespace

TEST_P(GivenAttributesTest, AreWhatObjectsHold)
{
    constexpr std::size_t AT_ONCE = 12;
    Texts together;
    for (const auto& [name, text] : FindOthers())
    {
        // An object in the place of another one has other attributes
        const auto info = GetAttributeInformation(name);
        if (IsRefused(name) || info.checker->GetValueTypeName() == "ns3::PointerValue")
        {
            ExpectHeldOrRefused(name, text);
            continue;
        }
        together.emplace(name, text);
        if (together.size() == AT_ONCE)
        {
            ExpectHeldTogether(together);
            together.clear();
        }
    }
    ExpectHeldTogether(together);
}

TEST_P(GivenAttributesNightlyTest, EachAloneIsWhatObjectsHold)
{
    for (const auto& [name, text] : FindOthers())
    {
        ExpectHeldOrRefused(name, text);
    }
}

INSTANTIATE_TEST_SUITE_P(Scenarios,
                         GivenAttributesTest,
                         testing::ValuesIn(MakeCases()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Scenarios,
                         GivenAttributesNightlyTest,
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
    const TypeParam p;
    for (const auto& parameter : p.GetAll())
    {
        for (const auto& binding : parameter.GetBindings())
        {
            const auto info = GetAttributeInformation(binding.attribute); // which throws if unknown
            std::set<std::string> texts;
            for (const auto& choice : parameter.GetDescription().choices)
            {
                texts.insert(choice.attributeText);
                EXPECT_TRUE(binding.role != Parameter::Role::SET ||
                            info.checker->CreateValidValue(StringValue(choice.attributeText)))
                    << parameter.GetName() << " " << choice.text;
            }
            std::istringstream names(info.checker->GetUnderlyingTypeInformation());
            const bool isEnum = info.checker->GetValueTypeName().rfind("ns3::EnumValue", 0) == 0;
            if (parameter.GetName() == "downstream")
            {
                texts.insert("FedDf");    // which needs an X* that graph discovery does not have
                texts.insert("FedKSeed"); // whose learners it does not make
            }
            for (std::string one; isEnum && std::getline(names, one, '|');)
            {
                EXPECT_EQ(texts.count(one), 1U) << parameter.GetName() << " cannot be " << one;
            }
        }
    }
}

TYPED_TEST(ParametersTest, AreRefusedBesideAnotherValueOfTheirAttribute)
{
    const TypeParam initial;
    for (const auto& one : initial.GetAll())
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
            Ptr<const AttributeValue> own = info.initialValue;
            if (binding.role == Parameter::Role::SET)
            {
                try
                {
                    own = one.GetAttributeValue(binding);
                }
                catch (const UserError&)
                {
                }
            }
            std::set<std::string> held = {own->SerializeToString(info.checker)};
            const auto other = FindOther(binding.attribute, info, held);
            ASSERT_TRUE(other) << binding.attribute;
            Config::SetDefault(binding.attribute, StringValue(*other));
            TypeParam p;
            p.Find(one.GetName())->Give(); // even the default
            try
            {
                p.AdoptGivenAttributes();
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
