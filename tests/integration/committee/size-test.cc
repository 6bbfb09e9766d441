/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-run.h"
#include "committee/committee-size.h"

#include "ns3/collab-error.h"
#include "ns3/collab-scenario-arguments.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

using namespace ns3::collab;

namespace tests
{

namespace
{

class CommitteeSizeTest : public CommitteeRun
{
  protected:
    /// @return why parameters are refused; empty if they are not
    static std::string
    FindRefusal(const CommitteeParameters& p)
    {
        try
        {
            CheckCommitteeSize(p);
        }
        catch (const UserError& error)
        {
            return error.what();
        }
        return "";
    }

    /// @return the parameters with each way out that a refusal names, as text and as they are then
    static std::vector<std::pair<std::string, CommitteeParameters>>
    FollowWays(const CommitteeParameters& p, const std::string& refusal)
    {
        std::vector<std::pair<std::string, CommitteeParameters>> ways;
        std::string text = refusal.substr(refusal.rfind("these would do: ") + 16);
        for (std::size_t end = 0; end != std::string::npos;)
        {
            end = text.find(", or ");
            const std::string way = text.substr(0, end);
            text = end == std::string::npos ? "" : text.substr(end + 5);
            std::istringstream stream("committee " + way);
            std::vector<std::string> given(std::istream_iterator<std::string>(stream), {});
            std::vector<char*> arguments;
            std::transform(given.begin(),
                           given.end(),
                           std::back_inserter(arguments),
                           [](auto& one) { return one.data(); });
            ways.emplace_back(way, p);
            ScenarioArguments parser("committee.cc", "");
            ways.back().second.Declare(parser.GetParameters());
            parser.Parse(static_cast<int>(arguments.size()), arguments.data());
        }
        return ways;
    }
};

TEST_F(CommitteeSizeTest, EveryWayOutThatARefusalNamesIsOne)
{
    for (const uint32_t devices : {2, 4, 5, 6, 7, 10, 13, 30})
    {
        for (const double active : {1.0, 30.0, 50.0, 100.0})
        {
            for (const double committee : {1.0, 25.0, 40.0, 50.0, 51.0, 90.0})
            {
                CommitteeParameters p;
                p.devices = devices;
                p.activePercent = active;
                p.committeePercent = committee;
                const std::string refusal = FindRefusal(p);
                if (refusal.empty())
                {
                    continue;
                }
                for (const auto& [way, other] : FollowWays(p, refusal))
                {
                    EXPECT_EQ(FindRefusal(other), "") << refusal << "\n" << way;
                    EXPECT_THAT(way, ::testing::StartsWith("--"));
                }
            }
        }
    }
}

TEST_F(CommitteeSizeTest, FewDevicesRunEachWay)
{
    CommitteeParameters p;
    p.devices = 10;
    p.activePercent = 50;
    const std::string refusal = FindRefusal(p);
    EXPECT_THAT(refusal,
                ::testing::AllOf(::testing::HasSubstr("--devices=10 --activePercent=50 "
                                                      "--committeePercent=40"),
                                 ::testing::EndsWith("these would do: --activePercent=65, or "
                                                     "--devices=13, or --primaryVotes=true")));
    for (const auto& [way, other] : FollowWays(p, refusal))
    {
        const auto run = Run("devices=10 activePercent=50 rounds=1 " + way.substr(2));
        EXPECT_THAT(run.printed, ::testing::HasSubstr("wrote")) << way;
    }
}

} // namespace

} // namespace tests
