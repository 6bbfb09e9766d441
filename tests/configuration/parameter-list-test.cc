/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-parameter-list.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/config.h"
#include "ns3/d2d-net-device.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/string.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace
{

const std::string APPLICATION = "ns3::collab::PredictionConsensusApplication::";
const std::string POWER = "ns3::collab::D2dPhy::TxPower";

/// Parameters of each kind
struct SomeParameters
{
    /// @param list gets them all
    void
    Declare(ParameterList& list)
    {
        list.Add("trust", trust, "kind of trust")
            .Choices({{"dynamic", "Dynamic"}, {"static", "Static"}})
            .Sets(APPLICATION + "TrustMode");
        list.Add("epochs", epochs, "passes").AtLeast(1).Sets(APPLICATION + "LocalEpochs");
        list.Add("lambda", lambda, "a weight").AtLeast(0).Sets(APPLICATION + "Lambda");
        list.Add("deadline", deadline, "longest wait")
            .Unit("s")
            .Above(0)
            .Below(1e6)
            .Sets(APPLICATION + "RoundDeadline");
        list.Add("weighs", weighs, "by confidence").Sets(APPLICATION + "ConfidenceWeighting");
        list.Add("outage", outage, "decides on the power").Above(0).Below(1).DecidedBy(POWER);
        list.Add("interval", interval, "rounds between").For("trust", {"dynamic"});
        list.Add("threads", threads, "of the host").ChangesNoResult();
    }

    std::string trust = "dynamic"; //!< a choice
    uint32_t epochs = 3;           //!< a whole number
    double lambda = 0.5;           //!< a number
    double deadline = 2;           //!< a time [s]
    bool weighs = false;           //!< a flag
    double outage = 0.1;           //!< what an attribute can decide
    uint32_t interval = 1;         //!< of one choice
    uint32_t threads = 0;          //!< not of the results
};

/// The parameters and their list, and no attribute given
struct ParameterListTest : public testing::Test
{
    ParameterListTest()
    {
        Config::Reset();
        p.Declare(list);
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
        try
        {
            function();
        }
        catch (const UserError& error)
        {
            return error.what();
        }
        return "";
    }

    SomeParameters p;   //!< under test
    ParameterList list; //!< of them
};

TEST_F(ParameterListTest, SetsAttributesThatAreNotGiven)
{
    p.trust = "static";
    p.deadline = 0.1;
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
    EXPECT_EQ(p.trust, "static");
    EXPECT_EQ(p.epochs, 7U);
    EXPECT_EQ(p.lambda, 0.123456789);
    EXPECT_EQ(p.deadline, 0.25);
    EXPECT_TRUE(p.weighs);
}

TEST_F(ParameterListTest, AGivenTimeIsTheSecondsThatItWasMadeFrom)
{
    for (const double seconds : {7.3, 0.1, 1.7, 12345.678, 0.033, 2.0, 1e-9, 5e-9})
    {
        Config::SetDefault(APPLICATION + "RoundDeadline", StringValue(fmt::format("{}s", seconds)));
        p.deadline = 2;
        ParameterList once;
        p.Declare(once);
        once.AdoptGivenAttributes();
        EXPECT_EQ(p.deadline, seconds);
        ParameterList again; // as if it were the argument
        p.Declare(again);
        again.SetDefaults(list);
        again.AdoptGivenAttributes();
        EXPECT_EQ(p.deadline, seconds);
    }
}

TEST_F(ParameterListTest, ObeysAGivenValueThatIsNoChoiceOfTheParameter)
{
    Config::SetDefault(APPLICATION + "TrustMode", StringValue("Naive"));
    list.AdoptGivenAttributes();
    list.Check();
    EXPECT_EQ(list.GetValues().at("trust"), "Naive");
    EXPECT_EQ(Apply().count("TrustMode"), 0U);
}

TEST_F(ParameterListTest, RefusesTwoValues)
{
    Config::SetDefault(APPLICATION + "Lambda", StringValue("0.9"));
    p.lambda = 0.25;
    EXPECT_THAT(FindError([this]() { list.AdoptGivenAttributes(); }),
                AllOf(HasSubstr("--lambda=0.25"), HasSubstr("--" + APPLICATION + "Lambda=0.9")));
    p.lambda = 0.9;
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
    p.trust = "blind";
    EXPECT_EQ(FindError(check),
              "argument --trust=blind is not allowed; allowed are dynamic, static");
    p.trust = "static";
    p.epochs = 0;
    EXPECT_EQ(FindError(check), "argument --epochs=0 is not allowed; it must be at least 1");
    p.epochs = 1;
    p.lambda = -0.1;
    EXPECT_EQ(FindError(check), "argument --lambda=-0.1 is not allowed; it must be 0 or greater");
    p.lambda = std::nan("");
    EXPECT_NE(FindError(check), "");
    p.lambda = 0;
    p.deadline = 1e6;
    EXPECT_THAT(FindError(check), HasSubstr("it must be greater than 0 and below 1e6 s"));
    p.deadline = 1;
    p.outage = 1;
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
    EXPECT_EQ(list.Find("wait")->GetLimits(), std::make_pair(0.0, 1e6));
}

TEST_F(ParameterListTest, TellsWhatChangesResultsInTheOrderOfDeclaration)
{
    p.epochs = 4;
    EXPECT_EQ(list.GetValues().dump(),
              R"({"trust":"dynamic","epochs":4,"lambda":0.5,"deadline":2.0,"weighs":false,)"
              R"("outage":0.1,"interval":1})");
    EXPECT_EQ(list.GetDefaults().at("epochs"), 3);
}

TEST_F(ParameterListTest, TellsWhatWasGivenInVain)
{
    EXPECT_EQ(list.Find("interval")->GetHelp(), "dynamic: rounds between");
    p.trust = "static";
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    p.interval = 4;
    list.Find("epochs")->OnlyIf([this] { return p.weighs; }, "confidence");
    EXPECT_THAT(list.FindIdle(),
                testing::ElementsAre("--interval=4 has no effect in this run; it is for "
                                     "--trust=dynamic"));
    p.trust = "dynamic";
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    p.epochs = 5;
    EXPECT_THAT(list.FindIdle(), testing::ElementsAre(HasSubstr("it is for confidence")));
    p.weighs = true;
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    list.Find("epochs")->OnlyIf([this] { return p.lambda > 0; }, "a weight");
    p.lambda = 0;
    EXPECT_THAT(list.FindIdle(), testing::ElementsAre(HasSubstr("it is for a weight")));
    p.lambda = 0.5;
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
    p.weighs = false;
    EXPECT_THAT(list.FindIdle(), testing::ElementsAre(HasSubstr("it is for confidence")));
    p.epochs = 3;
    list.KeepAsked();
    p.epochs = 5; // follows from something else
    EXPECT_THAT(list.FindIdle(), testing::IsEmpty());
}

TEST_F(ParameterListTest, DescribesEachParameter)
{
    const auto all = list.Describe();
    EXPECT_EQ(all.at(1).dump(),
              R"({"name":"epochs","type":"unsigned integer","default":"3","help":"passes",)"
              R"("range":"at least 1","minimum":1.0,)"
              R"("attributes":["ns3::collab::PredictionConsensusApplication::LocalEpochs"]})");
    EXPECT_EQ(all.at(6).at("choices").dump(), R"(["dynamic","static"])");
    EXPECT_EQ(all.at(5).at("changesResults"), false);
    EXPECT_EQ(all.at(0).at("unit"), "s");
    EXPECT_EQ(all.at(4).at("computes").at(0), POWER);
}

TEST_F(ParameterListTest, TheEnvironmentGivesAttributesToo)
{
    setenv("NS_ATTRIBUTE_DEFAULT",
           (APPLICATION + "LocalEpochs=9;" + APPLICATION + "Lambda=0.75").c_str(),
           1);
    ImportAttributeEnvironment();
    list.AdoptGivenAttributes();
    EXPECT_EQ(p.epochs, 9U);
    EXPECT_EQ(p.lambda, 0.75);
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
    /// @param given the arguments
    void
    Parse(std::vector<std::string> given)
    {
        ScenarioArguments arguments(__FILE__, "A program.");
        p = SomeParameters();
        p.Declare(arguments.GetParameters());
        given.insert(given.begin(), "program");
        std::vector<char*> pointers;
        for (auto& text : given)
        {
            pointers.push_back(text.data());
        }
        arguments.Parse(static_cast<int>(pointers.size()), pointers.data());
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
    Parse({attribute});
    EXPECT_EQ(p.lambda, 0.9);
    Parse({"--lambda=0.9", attribute});
    EXPECT_EQ(p.lambda, 0.9);
}

TEST_F(GivenArgumentsTest, AnAttributeWithoutADefaultIsRefused)
{
    EXPECT_THAT(FindError([this]() { Parse({"--ns3::MobilityModel::Position=1:2:3"}); }),
                HasSubstr("cannot be given"));
    EXPECT_THAT(FindError([this]() { Parse({"--" + APPLICATION + "Rounds=3"}); }),
                HasSubstr("give it as --ns3::collab::CollaborationApplication::Rounds"));
}

TEST_F(GivenArgumentsTest, ATextMayHaveSeveralWords)
{
    std::string text = "none";
    ScenarioArguments arguments(__FILE__, "A program.");
    arguments.GetParameters().Add("text", text, "any");
    std::string program = "program";
    std::string given = "--text=two words";
    char* words[] = {program.data(), given.data()};
    arguments.Parse(2, words);
    EXPECT_EQ(text, "two words");
}

} // namespace
