/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-scenario.h"
#include "integration/committee/committee-run.h"
#include "support/refusals.h"

#include "ns3/collab-error.h"

#include <boost/algorithm/string/erase.hpp>
#include <gmock/gmock.h>
#include <vector>

using namespace ns3::collab;

namespace tests
{

namespace
{

class CommitteeSizeTest : public CommitteeRun
{
  protected:
    /// @return why arguments are refused; empty if they are not
    static std::string
    FindRefusal(const std::string& arguments)
    {
        return ErrorOf<UserError>(
            [&] { CheckCommitteeSize(*Parse<CommitteeParameters>(arguments)); });
    }

    /// @return the arguments that each way out consists of which a refusal names
    static std::vector<std::string>
    FindWays(const std::string& refusal)
    {
        std::vector<std::string> ways;
        std::string text = refusal.substr(refusal.rfind("these would do: ") + 16);
        for (std::size_t end = 0; end != std::string::npos;)
        {
            end = text.find(", or ");
            ways.push_back(text.substr(0, end));
            text = end == std::string::npos ? "" : text.substr(end + 5);
            EXPECT_THAT(ways.back(), ::testing::StartsWith("--"));
            boost::erase_all(ways.back(), "--");
        }
        return ways;
    }
};

TEST_F(CommitteeSizeTest, EveryWayOutThatARefusalNamesIsOne)
{
    for (const std::string devices : {"2", "4", "5", "6", "7", "10", "13", "30"})
    {
        for (const std::string active : {"1", "30", "50", "100"})
        {
            for (const std::string committee : {"1", "25", "40", "50", "51", "90"})
            {
                const std::string arguments = "devices=" + devices + " activePercent=" + active +
                                              " committeePercent=" + committee + " ";
                const std::string refusal = FindRefusal(arguments);
                if (refusal.empty())
                {
                    continue;
                }
                for (const auto& way : FindWays(refusal))
                {
                    EXPECT_EQ(FindRefusal(arguments + way), "") << refusal << "\n" << way;
                }
            }
        }
    }
}

TEST_F(CommitteeSizeTest, FewDevicesRunEachWay)
{
    const std::string few = SMALL + "devices=10 activePercent=50 committeePercent=40 rounds=1 ";
    const std::string refusal = FindRefusal(few);
    EXPECT_THAT(refusal,
                ::testing::AllOf(::testing::HasSubstr("--devices=10 --activePercent=50 "
                                                      "--committeePercent=40"),
                                 ::testing::EndsWith("these would do: --activePercent=65, or "
                                                     "--devices=13, or --primaryVotes=true")));
    for (const auto& way : FindWays(refusal))
    {
        EXPECT_THAT(Run(few + way).printed, ::testing::HasSubstr("wrote")) << way;
    }
}

} // namespace

} // namespace tests
