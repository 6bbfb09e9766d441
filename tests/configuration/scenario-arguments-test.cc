/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"

#include "ns3/collab-build-versions.h"
#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/config.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/double.h"

#include <gmock/gmock.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Arguments of each type, with their defaults
struct ScenarioArgumentsTest : public testing::Test
{
    ScenarioArgumentsTest()
    {
        list.Add("rounds", rounds, "how many");
        list.Add("offset", offset, "may be negative");
        list.Add("alpha", alpha, "concentration");
        list.Add("trust", trust, "kind of trust");
        list.Add("quiet", quiet, "print nothing");
    }

    /// @return what the program prints for --PrintArguments=json
    nlohmann::json
    Print() const
    {
        std::ostringstream output;
        arguments.PrintArguments(output);
        return nlohmann::json::parse(output.str());
    }

    /// @return the entry
    static nlohmann::json
    Find(const nlohmann::json& list, const std::string& name)
    {
        for (const auto& entry : list)
        {
            if (entry.at("name") == name)
            {
                return entry;
            }
        }
        ADD_FAILURE() << "no entry " << name;
        return {};
    }

    void
    Parse(std::vector<std::string> given)
    {
        std::vector<char*> pointers;
        given.insert(given.begin(), "program");
        for (auto& text : given)
        {
            pointers.push_back(text.data());
        }
        arguments.Parse(static_cast<int>(pointers.size()), pointers.data());
    }

    uint32_t rounds = 20;                                      //!< argument
    int32_t offset = -3;                                       //!< argument
    double alpha = 0.5;                                        //!< argument
    std::string trust = "dynamic";                             //!< argument
    bool quiet = false;                                        //!< argument
    ParameterList list;                                        //!< of the arguments
    ScenarioArguments arguments{__FILE__, "A program.", list}; //!< under test
};

TEST_F(ScenarioArgumentsTest, PrintsTheScenariosArguments)
{
    const auto expected = nlohmann::json::parse(R"([
        {"name": "alpha", "type": "number", "default": "0.5", "help": "concentration"},
        {"name": "offset", "type": "integer", "default": "-3", "help": "may be negative"},
        {"name": "quiet", "type": "flag", "default": "false", "help": "print nothing"},
        {"name": "rounds", "type": "unsigned integer", "default": "20", "help": "how many"},
        {"name": "trust", "type": "text", "default": "dynamic", "help": "kind of trust"}
    ])");
    const auto all = Print();
    EXPECT_EQ(all.at("schema"), 1);
    EXPECT_EQ(all.at("arguments"), expected);
    EXPECT_EQ(all.at("versions"), nlohmann::json(GetBuildVersions()));
}

TEST_F(ScenarioArgumentsTest, PrintsAttributesAndGlobalValues)
{
    D2dPhy::GetTypeId(); // links the type in
    const auto all = Print();
    const auto bandwidth = Find(all.at("attributes"), "ns3::collab::D2dPhy::Bandwidth");
    EXPECT_EQ(bandwidth.at("type"), "ns3::DoubleValue");
    EXPECT_FALSE(bandwidth.at("help").get<std::string>().empty());
    const auto fidelity = Find(all.at("attributes"), "ns3::collab::D2dChannel::Fidelity");
    EXPECT_EQ(fidelity.at("values"), "Burst|Packet");
    EXPECT_EQ(Find(all.at("globals"), "RngRun").at("default"), "1");
}

TEST_F(ScenarioArgumentsTest, PrintingLooksAtTheOtherArguments)
{
    EXPECT_THROW(Parse({"--PrintArguments=json", "--alpha=1", "--alpha=much"}), UserError);
    EXPECT_THROW(Parse({"--PrintArguments=yaml"}), UserError);
    const auto print = [this]() {
        std::cout.setstate(std::ios::failbit); // the list is long
        Parse({"--PrintArguments=json", "--alpha=1"});
    };
    EXPECT_EXIT(print(), testing::ExitedWithCode(0), "");
}

TEST_F(ScenarioArgumentsTest, ObjectsAreCheckedWithAllThatIsInThem)
{
    const std::string name = "ns3::collab::D2dChannel::OutageModel";
    const std::string collab = "ns3::collab::";
    D2dChannel::GetTypeId(); // links the type in
    const auto findError = [&](const std::string& text) {
        return tests::ErrorOf<UserError>([&] { CheckGivenAttribute(name, text); });
    };
    for (const std::string text : {"D2dFixedOutageModel",
                                   "D2dFixedOutageModel[]",
                                   "D2dFixedOutageModel[Probability=0.5|CoherenceTime=1s]",
                                   "D2dPartitionOutageModel[OutageModel=ns3::collab::"
                                   "D2dThresholdOutageModel|CoherenceTime=1s]"})
    {
        EXPECT_EQ(findError(collab + text), "");
    }
    const std::map<std::string, std::string> wrong = {
        {"D2dFixedOutageModel[Probability=1.5]",
         "attribute 'Probability' of 'ns3::collab::D2dFixedOutageModel' cannot be '1.5'"},
        {"D2dFixedOutageModel[Probability=50%]", "cannot be '50%'; it is of type ns3::DoubleValue"},
        {"D2dFixedOutageModel[CoherenceTime=1m]", "cannot be '1m'"},
        {"D2dFixedOutageModel[Chance=1]", "'Chance=1' is no attribute"},
        {"D2dFixedOutageModel[Probability]", "'Probability' is no attribute"},
        {"D2dFixedOutageModel[Probability=1", "Type[Name=value|Name=value]"},
        {"D2dFixedOutageModel[", "Type[Name=value|Name=value]"},
        {"D2dFixedOutageModel[Probability=1 ]", "without brackets or spaces"},
        {"D2dPartitionOutageModel[OutageModel=ns3::collab::D2dFixedOutageModel[Probability=1]"
         "]",
         "without brackets or spaces"},
        {"D2dPartitionOutageModel[OutageModel=ns3::UniformRandomVariable]",
         "is no type of objects that are a ns3::collab::D2dOutageModel"},
        {"D2dOutageModel", "is no type of objects that are a ns3::collab::D2dOutageModel"},
        {"D2dPhy", "is no type of objects that are a ns3::collab::D2dOutageModel"},
        {"Nothing", "'ns3::collab::Nothing' is no type"}};
    for (const auto& [text, error] : wrong)
    {
        EXPECT_THAT(findError(collab + text),
                    testing::AllOf(testing::StartsWith("attribute 'OutageModel' of 'ns3::collab::"
                                                       "D2dChannel' cannot be '" +
                                                       collab + text),
                                   testing::HasSubstr(error)));
    }
    EXPECT_THAT(findError("0"), testing::HasSubstr("'0' is no type"));
    EXPECT_THAT(findError(""), testing::HasSubstr("'' is no type"));
}

TEST_F(ScenarioArgumentsTest, OnlyFlagsMayLackAValue)
{
    Parse({"--quiet", "--rounds=7"});
    EXPECT_TRUE(quiet);
    EXPECT_EQ(rounds, 7);
    EXPECT_THROW(Parse({"--rounds"}), UserError);
    EXPECT_THROW(Parse({"--quiet=perhaps"}), UserError);
}

TEST_F(ScenarioArgumentsTest, RangesHoldOnceArgumentsAreRead)
{
    uint32_t packets = 5;
    list.Add("packets", packets, "how many at once").AtLeast(1);
    EXPECT_THROW(Parse({"--packets=0"}), UserError);
    Parse({"--packets=1"});
    EXPECT_EQ(packets, 1);
}

TEST_F(ScenarioArgumentsTest, WhatAProgramSetsGivesWayToWhatIsGiven)
{
    const std::string given = "ns3::collab::D2dPhy::Bandwidth";
    const std::string other = "ns3::collab::D2dPhy::TxPower";
    Parse({"--" + given + "=5e5"});
    SetDefaultUnlessGiven(given, DoubleValue(2e6));
    SetDefaultUnlessGiven(other, DoubleValue(7));
    const Ptr<D2dPhy> phy = CreateObject<D2dPhy>();
    DoubleValue bandwidth;
    phy->GetAttribute("Bandwidth", bandwidth);
    EXPECT_EQ(bandwidth.Get(), 5e5);
    EXPECT_EQ(phy->GetTxPowerDbm(), 7);
    Config::Reset();
}

} // namespace
