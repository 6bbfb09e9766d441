/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-network.h"
#include "support/memory-store.h"

#include "ns3/belief-consensus-recorder.h"
#include "ns3/collab-processor.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tests::BeliefEvent;
using tests::BeliefUsers;
using tests::MakeBitUsers;
using tests::MakeUniformWeights;

namespace
{

constexpr uint32_t RECORDED_ROUNDS = 6;

class BeliefRecorderTest : public tests::BeliefNetworkTest
{
  protected:
    /// @brief A run of three users with their recorder.
    /// @param own attributes of some
    /// @param gone device whose processor goes off in the third instant; none if there is no such
    /// @param weightsInterval of the recorder
    void
    Play(const std::map<uint32_t, tests::BeliefAttributes>& own = {},
         uint32_t gone = ~0U,
         uint32_t weightsInterval = 1)
    {
        BeliefUsers users = MakeBitUsers(MakeUniformWeights(3),
                                         {{"Rounds", std::to_string(RECORDED_ROUNDS)},
                                          {"Interval", "20ms"},
                                          {"BeliefInterval", "3"},
                                          {"EvaluationInterval", "4"}});
        users.own = own;
        Make(std::move(users));
        BeliefConsensusRecorder recorder(m_store, m_applications, weightsInterval);
        recorder.WriteTheory({{"lambda", -1, -1, 0.5, "1", "second modulus"},
                              {"v", 1, -1, 0.25, "1", "influence"},
                              {"bound", -1, 3, NAN, "", "none"}});
        Simulator::Schedule(MilliSeconds(50), [this, gone]() {
            if (gone < 3)
            {
                GetProcessor(gone)->SwitchOff();
            }
        });
        Run();
    }

    /// @return rows of the table network of a metric
    std::vector<std::map<std::string, std::string>>
    GetNetwork(const std::string& metric) const
    {
        std::vector<std::map<std::string, std::string>> rows;
        for (const auto& row : m_store.tables.at("network")->texts)
        {
            if (row.at("metric") == metric)
            {
                rows.push_back(row);
            }
        }
        return rows;
    }

    tests::MemoryStore m_store; //!< what was written
};

} // namespace

TEST_F(BeliefRecorderTest, NetworkHasWhatAllHonestUsersMeasure)
{
    Play({{2, {{"Lie", "Wrong"}}}});
    for (const std::string metric : {"log_ratio", "belief_true"})
    {
        const auto rows = GetNetwork(metric);
        ASSERT_THAT(rows, SizeIs(2)) << "what is NaN in other instants is left out";
        EXPECT_EQ(rows[0].at("round"), "3");
        EXPECT_EQ(rows[1].at("round"), "5");
        const double first = MetricOf(0, metric)[3];
        const double second = MetricOf(1, metric)[3];
        EXPECT_NE(first, MetricOf(2, metric)[3]);
        EXPECT_EQ(rows[0].at("users"), "2");
        EXPECT_EQ(rows[0].at("mean"), fmt::format("{}", (first + second) / 2));
        EXPECT_EQ(rows[0].at("least"), fmt::format("{}", std::min(first, second)));
        EXPECT_EQ(rows[0].at("greatest"), fmt::format("{}", std::max(first, second)));
        const auto end = std::max(GetEvents(BeliefEvent::ROUND, 0)[3].time,
                                  GetEvents(BeliefEvent::ROUND, 1)[3].time);
        EXPECT_EQ(rows[0].at("time_s"), fmt::format("{}", end.GetSeconds()));
    }
    EXPECT_THAT(GetNetwork("self_weight"), SizeIs(RECORDED_ROUNDS));
}

TEST_F(BeliefRecorderTest, WhoHasEndedHoldsUpNoInstant)
{
    Play({}, 1);
    const auto rows = GetNetwork("self_weight");
    ASSERT_THAT(rows, SizeIs(RECORDED_ROUNDS));
    for (uint32_t k = 0; k < RECORDED_ROUNDS; ++k)
    {
        EXPECT_EQ(rows[k].at("round"), std::to_string(k));
        EXPECT_EQ(rows[k].at("users"), k < 3 ? "3" : "2") << "it went off in the pause after 2";
    }
}

TEST_F(BeliefRecorderTest, WhoNeverStartsHoldsUpNoInstant)
{
    Make(MakeBitUsers(MakeUniformWeights(3), {{"Rounds", "3"}, {"Interval", "20ms"}}));
    GetProcessor(0)->SwitchOff();
    BeliefConsensusRecorder recorder(m_store, m_applications, 0);
    Run();
    ASSERT_THAT(GetNetwork("log_ratio"), SizeIs(3));
    EXPECT_EQ(GetNetwork("log_ratio")[0].at("users"), "2");
    EXPECT_THAT(m_store.tables.at("weights")->texts, IsEmpty());
    EXPECT_THAT(m_store.tables.at("beliefs")->texts, IsEmpty());
}

TEST_F(BeliefRecorderTest, WeightsHaveARowForEachMemberOfAPool)
{
    Play({{2, {{"Lie", "Silence"}}}}, ~0U, 2);
    const auto& rows = m_store.tables.at("weights")->texts;
    ASSERT_THAT(rows, SizeIs(RECORDED_ROUNDS / 2 * 3 * 3));
    for (const auto& row : rows)
    {
        const bool isSelf = row.at("device") == row.at("peer");
        const bool isMissing = !isSelf && row.at("peer") == "2";
        const bool takes = isSelf && row.at("device") != "2";
        EXPECT_EQ(row.at("source"), isSelf ? "self" : isMissing ? "missing" : "fresh");
        EXPECT_NEAR(std::stod(row.at("weight")), isMissing ? 0 : (takes ? 2 : 1) / 3.0, 1e-12);
        EXPECT_EQ(std::stoi(row.at("round")) % 2, 1);
    }
}

TEST_F(BeliefRecorderTest, WeightsAreOfTheInstantsThatBeliefsAreOf)
{
    Play({}, ~0U, 3); // as BeliefInterval
    std::set<std::string> weights;
    std::set<std::string> beliefs;
    for (const auto& row : m_store.tables.at("weights")->texts)
    {
        weights.insert(row.at("round"));
    }
    for (const auto& row : m_store.tables.at("beliefs")->texts)
    {
        beliefs.insert(row.at("round"));
    }
    EXPECT_THAT(weights, ElementsAre("2", "5"));
    EXPECT_EQ(beliefs, weights);
}

TEST_F(BeliefRecorderTest, BeliefsAndTheoryAreWrittenAsTheyAre)
{
    Play();
    const auto& beliefs = m_store.tables.at("beliefs")->texts;
    ASSERT_THAT(beliefs, SizeIs(2 * 3 * 4));
    std::map<std::string, double> sums;
    for (const auto& row : beliefs)
    {
        const uint32_t device = std::stoul(row.at("device"));
        const uint32_t hypothesis = row.at("parameter").back() - '0';
        const double expected =
            std::exp(GetBeliefs(device)[std::stoul(row.at("round"))][hypothesis]);
        EXPECT_EQ(row.at("value"), fmt::format("{}", expected));
        sums[row.at("device") + " " + row.at("round")] += expected;
    }
    EXPECT_THAT(sums, SizeIs(6));
    for (const auto& [belief, sum] : sums)
    {
        EXPECT_NEAR(sum, 1, 1e-12);
    }
    const auto& theory = m_store.tables.at("theory")->texts;
    ASSERT_THAT(theory, SizeIs(3));
    EXPECT_EQ(theory[1].at("quantity"), "v");
    EXPECT_EQ(theory[1].at("user"), "1");
    EXPECT_EQ(theory[1].at("other"), "-1");
    EXPECT_EQ(theory[1].at("value"), "0.25");
    EXPECT_EQ(theory[2].at("value"), "nan");
    EXPECT_EQ(theory[0].at("meaning"), "second modulus");
}
