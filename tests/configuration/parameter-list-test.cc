/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-parameter-list.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/d2d-net-device.h"
#include "ns3/double.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/string.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace
{

const std::string APPLICATION = "ns3::collab::PredictionConsensusApplication::";
const std::string POWER = "ns3::collab::D2dPhy::TxPower";
const std::string OUTAGE_MODEL = "ns3::collab::D2dPartitionOutageModel::OutageModel";

/// Parameters of each kind
struct SomeParameters : ParameterList
{
    SomeParameters()
    {
        Take("trust", APPLICATION + "TrustMode");
        Take("epochs", APPLICATION + "LocalEpochs").Default(3);
        Take("lambda", APPLICATION + "Lambda");
        Take("deadline", APPLICATION + "RoundDeadline").Default(2).Below(1e6);
        Take("weighs", APPLICATION + "ConfidenceWeighting").Default(false);
        Add("outage", outage, "decides on the power").Above(0).Below(1).DecidedBy(POWER);
        Add("cuts", cuts, "puts an outage model around another one").ExcludedBy(OUTAGE_MODEL);
        Add("interval", interval, "rounds between").For("trust", {"dynamic"});
        Add("threads", threads, "of the host").ChangesNoResult();
    }

    double outage = 0.1;   //!< what an attribute can decide
    uint32_t cuts = 0;     //!< what an attribute excludes
    uint32_t interval = 1; //!< of one choice
    uint32_t threads = 0;  //!< not of the results
};

/// The parameters, and no attribute given
struct ParameterListTest : public testing::Test
{
    ParameterListTest()
    {
        Config::Reset();
    }

    ~ParameterListTest() override
    {
        Config::Reset();
        unsetenv("NS_ATTRIBUTE_DEFAULT");
    }

    /// @return all attributes that are set
    std::map<std::string, std::string>
    Apply() const
    {
        std::map<std::string, std::string> values;
        const TypeId type = PredictionConsensusApplication::GetTypeId();
        list.Apply(type, [&](const std::string& name, const AttributeValue& value) {
            TypeId::AttributeInformation info;
            type.LookupAttributeByName(name, &info);
            values[name] = value.SerializeToString(info.checker);
        });
        return values;
    }

    /// @return what is wrong when a function is called; empty if nothing is
    template <typename F>
    static std::string
    FindError(const F& function)
    {
        return tests::ErrorOf<UserError>(function);
    }

    SomeParameters list; //!< under test
};

TEST_F(ParameterListTest, SetsAttributesThatAreNotGiven)
{
    list.Set("trust", "static");
    list.Set("deadline", 0.1);
    const std::map<std::string, std::string> all = {{"TrustMode", "Static"},
                                                    {"LocalEpochs", "3"},
                                                    {"Lambda", "0.5"},
                                                    {"RoundDeadline", "+1e+08ns"},
                                                    {"ConfidenceWeighting", "false"}};
    EXPECT_EQ(Apply(), all);
    Config::SetDefault(APPLICATION + "Lambda", StringValue("0.5"));
    Config::SetDefault(APPLICATION + "TrustMode", StringValue("Static"));
    EXPECT_EQ(Apply().size(), 3U);
    EXPECT_EQ(Apply().count("Lambda"), 0U) << "given, though by its own default";
}

TEST_F(ParameterListTest, TakesTheValuesOfGivenAttributes)
{
    Config::SetDefault(APPLICATION + "TrustMode", StringValue("Static"));
    Config::SetDefault(APPLICATION + "LocalEpochs", StringValue("7"));
    Config::SetDefault(APPLICATION + "Lambda", StringValue("0.123456789"));
    Config::SetDefault(APPLICATION + "RoundDeadline", StringValue("250ms"));
    Config::SetDefault(APPLICATION + "ConfidenceWeighting", StringValue("true"));
    list.AdoptGivenAttributes();
    list.Check();
    EXPECT_EQ(list.Get("trust"), "static");
    EXPECT_EQ(list.Get<uint32_t>("epochs"), 7U);
    EXPECT_EQ(list.Get<double>("lambda"), 0.123456789);
    EXPECT_EQ(list.Get<double>("deadline"), 0.25);
    EXPECT_TRUE(list.Get<bool>("weighs"));
}

TEST_F(ParameterListTest, WhatAnAttributeExcludesIsRefusedBesideIt)
{
    Config::SetDefault(OUTAGE_MODEL, StringValue("ns3::collab::D2dThresholdOutageModel"));
    list.AdoptGivenAttributes();
    list.Find("cuts")->Give();
    EXPECT_THAT(FindError([this]() { list.AdoptGivenAttributes(); }),
                HasSubstr("--cuts=0 and attribute --" + OUTAGE_MODEL +
                          "=ns3::collab::D2dThresholdOutageModel are both given"));
}

TEST_F(ParameterListTest, AGivenTimeIsTheSecondsThatItWasMadeFrom)
{
    for (const double seconds : {7.3, 0.1, 1.7, 12345.678, 0.033, 2.0, 1e-9, 5e-9})
    {
        Config::SetDefault(APPLICATION + "RoundDeadline", StringValue(fmt::format("{}s", seconds)));
        SomeParameters given;
        given.AdoptGivenAttributes();
        EXPECT_EQ(given.Get<double>("deadline"), seconds);
        SomeParameters twice; // as if it were the argument, too
        twice.Set("deadline", seconds);
        EXPECT_EQ(FindError([&]() { twice.AdoptGivenAttributes(); }), "");
        EXPECT_EQ(twice.Get<double>("deadline"), seconds);
    }
}

TEST_F(ParameterListTest, ObeysAGivenValueThatIsNoChoiceOfTheParameter)
{
    list.Find("trust")->Choices({{"own", "Local"}, {"adaptive", "Dynamic"}});
    EXPECT_EQ(list.GetDefaults().at("trust"), "adaptive");
    Config::SetDefault(APPLICATION + "TrustMode", StringValue("Naive"));
    list.AdoptGivenAttributes();
    list.Check();
    EXPECT_EQ(list.GetValues().at("trust"), "Naive");
    EXPECT_EQ(Apply().count("TrustMode"), 0U);
}

TEST_F(ParameterListTest, RefusesTwoValues)
{
    Config::SetDefault(APPLICATION + "Lambda", StringValue("0.9"));
    list.Set("lambda", 0.25);
    EXPECT_THAT(FindError([this]() { list.AdoptGivenAttributes(); }),
                AllOf(HasSubstr("--lambda=0.25"), HasSubstr("--" + APPLICATION + "Lambda=0.9")));
    list.Set("lambda", 0.9);
    list.AdoptGivenAttributes();
}

TEST_F(ParameterListTest, RefusesWhatAnAttributeDecides)
{
    EXPECT_EQ(list.GetValues().at("outage"), 0.1);
    Config::SetDefault(POWER, StringValue("20"));
    list.AdoptGivenAttributes();
    EXPECT_TRUE(list.GetValues().at("outage").is_null());
    EXPECT_EQ(list.GetDefaults().at("outage"), 0.1);
    list.Find("outage")->Give();
    EXPECT_THAT(FindError([this]() { list.AdoptGivenAttributes(); }),
                AllOf(HasSubstr("--outage=0.1"), HasSubstr("--" + POWER + "=20")));
}

TEST_F(ParameterListTest, ChecksRangesAndChoices)
{
    list.Check();
    const auto check = [this]() { list.Check(); };
    list.Set("trust", "blind");
    EXPECT_EQ(FindError(check),
              "argument --trust=blind is not allowed; allowed are dynamic, static, naive, ideal, "
              "local, oracle");
    list.Set("trust", "static");
    list.Set("epochs", 0);
    EXPECT_EQ(FindError(check), "argument --epochs=0 is not allowed; it must be at least 1");
    list.Set("epochs", 1);
    list.Set("lambda", -0.1);
    EXPECT_EQ(FindError(check),
              "argument --lambda=-0.1 is not allowed; it must be 0 to 3.40282e38");
    list.Set("lambda", std::nan(""));
    EXPECT_NE(FindError(check), "");
    list.Set("lambda", 0);
    list.Set("deadline", 1e6);
    EXPECT_THAT(FindError(check), HasSubstr("it must be 1e-9 or greater, and below 1e6 s"));
    list.Set("deadline", 1);
    list.outage = 1;
    EXPECT_THAT(FindError(check), HasSubstr("it must be between 0 and 1, both excluded"));
}

TEST_F(ParameterListTest, AllowsZeroForWhatIsComputed)
{
    double wait = 0;
    list.Add("wait", wait, "a wait").Unit("s").AtLeast(1e-9).OrComputed().Below(1e6);
    for (const double allowed : {0.0, 1e-9, 999999.0})
    {
        wait = allowed;
        EXPECT_EQ(FindError([this]() { list.Check(); }), "");
    }
    for (const double refused : {-1.0, 1e-10, 1e6, std::nan("")})
    {
        wait = refused;
        EXPECT_THAT(
            FindError([this]() { list.Check(); }),
            AllOf(HasSubstr("--wait="), HasSubstr("0, or 1e-9 or greater, and below 1e6 s")));
    }
    EXPECT_EQ(list.Find("wait")->GetDescription().range.GetLimits(), std::make_pair(0.0, 1e6));
}

TEST_F(ParameterListTest, TellsWhatChangesResultsInTheOrderOfDeclaration)
{
    list.Set("epochs", 4);
    EXPECT_EQ(list.GetValues().dump(),
              R"({"trust":"dynamic","epochs":4,"lambda":0.5,"deadline":2.0,"weighs":false,)"
              R"("outage":0.1,"cuts":0,"interval":1})");
    EXPECT_EQ(list.GetDefaults().at("epochs"), 3);
}

TEST_F(ParameterListTest, TellsWhatWasGivenInVain)
{
    EXPECT_EQ(list.Find("interval")->GetDescription().help, "dynamic: rounds between");
    list.Set("trust", "static");
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    list.interval = 4;
    list.Find("epochs")->OnlyIf([this] { return list.Get<bool>("weighs"); }, "confidence");
    EXPECT_THAT(list.FindIdle(),
                testing::ElementsAre("--interval=4 has no effect in this run; it is for "
                                     "--trust=dynamic"));
    list.Set("trust", "dynamic");
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    list.Set("epochs", 5);
    EXPECT_THAT(list.FindIdle(), testing::ElementsAre(HasSubstr("it is for confidence")));
    list.Set("weighs", true);
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    list.Find("epochs")->OnlyIf([this] { return list.Get<double>("lambda") > 0; }, "a weight");
    list.Set("lambda", 0);
    EXPECT_THAT(list.FindIdle(), testing::ElementsAre(HasSubstr("it is for a weight")));
    list.Set("lambda", 0.5);
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    list.Set("weighs", false);
    EXPECT_THAT(list.FindIdle(), testing::ElementsAre(HasSubstr("it is for confidence")));
    list.Set("epochs", 3);
    list.KeepAsked();
    list.Set("epochs", 5); // follows from something else
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
}

TEST_F(ParameterListTest, DescribesEachParameter)
{
    const auto all = list.Describe();
    EXPECT_EQ(all.at(2).dump(),
              R"({"name":"epochs","type":"unsigned integer","default":"3",)"
              R"("help":"Passes over the local samples in a training","range":"at least 1",)"
              R"("minimum":1.0,)"
              R"("attributes":["ns3::collab::PredictionConsensusApplication::LocalEpochs"]})");
    EXPECT_EQ(all.at(7).at("choices").dump(),
              R"(["dynamic","static","naive","ideal","local","oracle"])");
    EXPECT_EQ(all.at(6).at("changesResults"), false);
    EXPECT_EQ(all.at(1).at("unit"), "s");
    EXPECT_EQ(all.at(5).at("computes").at(0), POWER);
}

TEST_F(ParameterListTest, TakesHelpDefaultRangeChoicesAndUnitFromAnyAttribute)
{
    // In ns3::collab unless there are colons before
    // type | default | unit | range | choices | other value | what is set then | value refused
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"CommitteeApplication::MaxAttempts", "unsigned integer|4||at least 1||7|7|0"},
        {"LearnerPool::Threads", "unsigned integer|0||0 to 1024||8|8|1025"},
        {"BeliefUserApplication::BeliefInterval", "unsigned integer|0||||5|5|"},
        {"CommitteeApplication::Alpha", "number|40|%|1e-9 to 100 %||12.5|12.5|100.5"},
        {"FederatedApplication::Mu", "number|0.01||0 or greater||0.123456789|0.123457|-1"},
        {"BeliefConsensusApplication::Interval", "number|0|s|0 or greater s||0.25|+2.5e+08ns|-1"},
        {"FederatedClientApplication::ErrorFeedback", "flag|false||||true|true|"},
        {"BeliefUserApplication::Pooling",
         R"(text|logarithmic|||["logarithmic","clipped","moment","wasserstein",)"
         R"("covariance-intersection"]|covariance-intersection|CovarianceIntersection|)"
         "CovarianceIntersection"},
        {"CommitteeApplication::Selection", R"(text|I|||["I","II"]|II|II|ii)"},
        {"FederatedServerApplication::AggregationRule", "text|mean||||median:f=1|median:f=1|"},
        {"::ns3::UniformRandomVariable::Min", "number|0||||-7.5|-7.5|"}};
    for (const auto& [attribute, expected] : cases)
    {
        const bool isOther = attribute.rfind("::", 0) == 0;
        const std::string name = isOther ? attribute.substr(2) : "ns3::collab::" + attribute;
        SCOPED_TRACE(name);
        std::vector<std::string> cells;
        std::istringstream text(expected);
        for (std::string cell; std::getline(text, cell, '|');)
        {
            cells.push_back(cell);
        }
        cells.resize(8);
        ParameterList taken;
        Parameter& parameter = taken.Take("it", name);
        const auto info = GetAttributeInformation(name);
        EXPECT_THAT(info.help, HasSubstr(parameter.GetDescription().help.substr(0, 10)));
        const auto described = taken.Describe().at(0);
        EXPECT_EQ(described.at("type"), cells[0]);
        EXPECT_EQ(described.at("default"), cells[1]);
        EXPECT_EQ(parameter.GetDescription().unit, cells[2]);
        EXPECT_EQ(parameter.GetRange(), cells[3]);
        EXPECT_EQ(described.contains("choices") ? described.at("choices").dump() : "", cells[4]);
        const auto give = [&](const std::string& value) {
            ns3::CommandLine reader;
            taken.AddTo(reader);
            reader.Parse({"program", "--it=" + value});
        };
        give(cells[5]);
        EXPECT_EQ(FindError([&]() { taken.Check(); }), "");
        std::map<std::string, std::string> set;
        taken.Apply(TypeId::LookupByName(name.substr(0, name.rfind("::"))),
                    [&](const std::string& which, const AttributeValue& value) {
                        set[which] = value.SerializeToString(info.checker);
                    });
        EXPECT_THAT(set, testing::ElementsAre(testing::Pair(info.name, cells[6])));
        if (!cells[7].empty())
        {
            give(cells[7]);
            EXPECT_THAT(FindError([&]() { taken.Check(); }),
                        AllOf(HasSubstr("--it=" + cells[7] + " is not allowed"),
                              testing::Not(HasSubstr("\n"))));
        }
    }
    ParameterList none;
    EXPECT_THAT(FindError([&]() { none.Take("it", "ns3::MobilityHelper::None"); }),
                HasSubstr("unknown type"));
}

TEST_F(ParameterListTest, OneParameterMaySetSeveralAttributes)
{
    bool isLabel = true;
    ParameterList several;
    several.Take("share", "ns3::collab::LabelDiscoveryApplication::ThresholdShare")
        .Also("ns3::collab::FederatedApplication::Mu")
        .Also(APPLICATION + "Lambda", [&isLabel]() { return !isLabel; });
    several.Set("share", 0.25);
    const auto apply = [&](const std::string& type) {
        std::string set;
        several.Apply(
            TypeId::LookupByName(type), [&](const std::string& name, const AttributeValue& value) {
                set += name + "=" + value.SerializeToString(MakeDoubleChecker<double>()) + " ";
            });
        return set;
    };
    EXPECT_EQ(apply("ns3::collab::LabelDiscoveryApplication"), "ThresholdShare=0.25 ");
    EXPECT_EQ(apply("ns3::collab::FederatedApplication"), "Mu=0.25 ");
    EXPECT_EQ(apply("ns3::collab::PredictionConsensusApplication"), "");
    isLabel = false;
    EXPECT_EQ(apply("ns3::collab::PredictionConsensusApplication"), "Lambda=0.25 ");
    Config::SetDefault("ns3::collab::FederatedApplication::Mu", DoubleValue(0.5));
    EXPECT_THAT(FindError([&]() { several.AdoptGivenAttributes(); }),
                AllOf(HasSubstr("--share=0.25"), HasSubstr("FederatedApplication::Mu=0.5")));
}

TEST_F(ParameterListTest, AScenarioSaysWhatIsDifferent)
{
    ParameterList own;
    own.Take("lambda", APPLICATION + "Lambda").Help("of the toy").Default(2).AtMost(3);
    EXPECT_EQ(own.Describe().at(0).dump(),
              R"({"name":"lambda","type":"number","default":"2","help":"of the toy",)"
              R"("range":"0 to 3","minimum":0.0,"maximum":3.0,)"
              R"("attributes":["ns3::collab::PredictionConsensusApplication::Lambda"]})");
    EXPECT_FALSE(own.Find("lambda")->IsGiven());
    own.Set("lambda", 3.5);
    EXPECT_THAT(FindError([&]() { own.Check(); }), HasSubstr("it must be 0 to 3"));
    // A value of the wrong type is a mistake in the program
    EXPECT_DEATH(own.Get("lambda"), "parameter lambda is a number");
    EXPECT_DEATH(own.Get<double>("lambd"), "there is no parameter lambd");
}

TEST_F(ParameterListTest, AHelpDoesNotSayTwiceWhatItIsFor)
{
    ParameterList own;
    own.Take("mu", "ns3::collab::FederatedApplication::Mu").For("algorithm", {"fedprox"});
    EXPECT_THAT(own.Find("mu")->GetDescription().help, testing::StartsWith("FedProx: weight"));
    own.Take("alpha", "ns3::collab::FederatedApplication::Alpha").For("algorithm", {"fedavg"});
    EXPECT_THAT(own.Find("alpha")->GetDescription().help,
                testing::StartsWith("fedavg: FedDyn: weight"));
}

TEST_F(ParameterListTest, TheEnvironmentGivesAttributesToo)
{
    setenv("NS_ATTRIBUTE_DEFAULT",
           (APPLICATION + "LocalEpochs=9;" + APPLICATION + "Lambda=0.75").c_str(),
           1);
    ImportAttributeEnvironment();
    list.AdoptGivenAttributes();
    EXPECT_EQ(list.Get<uint32_t>("epochs"), 9U);
    EXPECT_EQ(list.Get<double>("lambda"), 0.75);
    EXPECT_EQ(Apply().count("Lambda"), 0U);
    ImportAttributeEnvironment(); // the same once more
    Config::SetDefault(APPLICATION + "Lambda", StringValue("0.25"));
    EXPECT_THAT(FindError(ImportAttributeEnvironment),
                AllOf(HasSubstr("0.25"), HasSubstr("0.75"), HasSubstr("Lambda")));
    setenv("NS_ATTRIBUTE_DEFAULT", (APPLICATION + "Lambda=much").c_str(), 1);
    EXPECT_THAT(FindError(ImportAttributeEnvironment), HasSubstr("cannot be 'much'"));
}

TEST_F(ParameterListTest, AnInheritedAttributeIsRefusedByTheNameOfADerivedType)
{
    EXPECT_THAT(FindError([]() { GetAttributeInformation(APPLICATION + "Rounds"); }),
                HasSubstr("give it as --ns3::collab::CollaborationApplication::Rounds"));
    EXPECT_EQ(GetDeclaredName(PredictionConsensusApplication::GetTypeId(), "Rounds"),
              "ns3::collab::CollaborationApplication::Rounds");
    EXPECT_EQ(GetDeclaredName(PredictionConsensusApplication::GetTypeId(), "Circles"), "");
}

/// A program's arguments, as given
struct GivenArgumentsTest : public ParameterListTest
{
    /// @return lambda then
    static double
    Parse(std::vector<std::string> given)
    {
        SomeParameters p;
        given.insert(given.begin(), "program");
        std::vector<char*> pointers;
        for (auto& text : given)
        {
            pointers.push_back(text.data());
        }
        ScenarioArguments(__FILE__, "A program.", p)
            .Parse(static_cast<int>(pointers.size()), pointers.data());
        return p.Get<double>("lambda");
    }
};

TEST_F(GivenArgumentsTest, AGivenDefaultIsGiven)
{
    const std::string attribute = "--" + APPLICATION + "Lambda=0.9";
    EXPECT_THAT(FindError([&]() {
                    Parse({"--lambda=0.5", attribute});
                }),
                AllOf(HasSubstr("--lambda=0.5"), HasSubstr(attribute)));
    Config::Reset();
    EXPECT_EQ(Parse({attribute}), 0.9);
    EXPECT_EQ(Parse({"--lambda=0.9", attribute}), 0.9);
}

TEST_F(GivenArgumentsTest, AnAttributeWithoutADefaultIsRefused)
{
    EXPECT_THAT(FindError([]() { Parse({"--ns3::MobilityModel::Position=1:2:3"}); }),
                HasSubstr("cannot be given"));
    EXPECT_THAT(FindError([]() { Parse({"--" + APPLICATION + "Rounds=3"}); }),
                HasSubstr("give it as --ns3::collab::CollaborationApplication::Rounds"));
}

TEST_F(GivenArgumentsTest, ATextMayHaveSeveralWords)
{
    std::string text = "none";
    ParameterList words;
    words.Add("text", text, "any");
    std::string program = "program";
    std::string given = "--text=two words";
    char* arguments[] = {program.data(), given.data()};
    ScenarioArguments(__FILE__, "A program.", words).Parse(2, arguments);
    EXPECT_EQ(text, "two words");
}

} // namespace
