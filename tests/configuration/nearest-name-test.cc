/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-error.h"
#include "ns3/collab-nearest-name.h"
#include "ns3/collab-scenario-arguments.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-phy.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

using namespace ns3::collab;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace
{

using Names = std::vector<std::string>;

TEST(NearestNameTest, EachKindOfErrorIsOne)
{
    const Names names = {"alpha", "devices", "rounds", "samples", "testSamples"};
    for (const std::string given :
         {"deivces", "device", "devicess", "devizes", "DEVICES", "dEivces"})
    {
        EXPECT_THAT(FindNearest(given, names), ElementsAre("devices")) << given;
    }
}

TEST(NearestNameTest, NoMoreThanAThirdIsWrong)
{
    EXPECT_THAT(FindNearest("bet", {"beta", "alpha"}), ElementsAre("beta"));
    EXPECT_THAT(FindNearest("ta", {"tau"}), IsEmpty());
    EXPECT_THAT(FindNearest("dexxces", {"devices"}), ElementsAre("devices"));
    EXPECT_THAT(FindNearest("dexxxes", {"devices"}), IsEmpty());
    EXPECT_THAT(FindNearest("", {"a"}), IsEmpty());
    EXPECT_THAT(FindNearest(std::string(100000, 'a'), {"a"}), IsEmpty());
    // The letters of a namespace count for nothing, and it may be left out
    EXPECT_THAT(FindNearest("ns3::collab::Abx", {"ns3::collab::Xyz"}), IsEmpty());
    EXPECT_THAT(FindNearest("d2dPhy", {"ns3::collab::D2dPhy", "ns3::OwnD2dPhy"}),
                ElementsAre("ns3::collab::D2dPhy"));
}

TEST(NearestNameTest, TheNearestInTheirOrder)
{
    EXPECT_THAT(FindNearest("rato", {"rats", "rate", "ratio", "far"}),
                ElementsAre("rate", "ratio", "rats"));
    EXPECT_THAT(FindNearest("rate", {"rats", "rate", "ratio"}), ElementsAre("rate"));
    EXPECT_THAT(FindNearest("aaaa", {"aaae", "aaad", "aaac", "aaab"}),
                ElementsAre("aaab", "aaac", "aaad"));
}

TEST(NearestNameTest, AMistakenArgumentIsAnsweredInOneLine)
{
    D2dPhy::GetTypeId(); // links the types in
    D2dChannel::GetTypeId();
    const std::string ns = "ns3::collab::";
    const std::string outage = "--" + ns + "D2dChannel::OutageModel=" + ns;
    const std::vector<std::pair<std::string, std::string>> answers = {
        {"--deivces=6", "unknown argument '--deivces=6'; did you mean --devices? --help lists all"},
        {"-devices-=6", "did you mean --devices?"},
        {"devices=6", "unknown argument 'devices=6'; did you mean --devices?"},
        {"--quite", "did you mean --quiet?"},
        {"--RngRum=2", "did you mean --RngRun?"},
        {"--PrintHlep", "did you mean --PrintHelp?"},
        {"--" + ns + "D2dPhy::TxPowr=3",
         "did you mean --" + ns + "D2dPhy::TxPower? --PrintAttributes=" + ns + "D2dPhy lists all"},
        {"--" + ns + "D2dPyh::TxPower=3",
         "did you mean " + ns + "D2dPhy? --PrintTypeIds lists them"},
        {"--D2dPhy::TxPower=3", "did you mean " + ns + "D2dPhy? --PrintTypeIds lists them"},
        {outage + "D2dFixdOutageModel", "did you mean " + ns + "D2dFixedOutageModel?"}};
    for (auto [given, answer] : answers)
    {
        uint32_t devices = 0;
        bool quiet = false;
        ParameterList list;
        list.Add("devices", devices, "how many");
        list.Add("rounds", devices, "how many");
        list.Add("quiet", quiet, "print nothing");
        char program[] = "program";
        char* argv[] = {program, given.data()};
        try
        {
            ScenarioArguments(__FILE__, "A program.", list).Parse(2, argv);
            ADD_FAILURE() << given;
        }
        catch (const UserError& error)
        {
            EXPECT_THAT(error.what(), HasSubstr(answer));
            EXPECT_THAT(error.what(), Not(HasSubstr("rounds")));
            EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
        }
    }
}

} // namespace
