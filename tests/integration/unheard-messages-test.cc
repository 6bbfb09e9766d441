/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A deadline that is too short for all devices to take turns: no message is without a trace.

#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <gmock/gmock.h>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

namespace tests
{

namespace
{

constexpr uint32_t DEVICES = 12;
constexpr uint32_t EXCHANGES = 2; //!< rounds in which everybody broadcasts once

class UnheardMessagesTest : public TemporaryFolder
{
  protected:
    /// @return what the run prints
    std::string
    Play()
    {
        ns3::Config::Reset();
        ns3::RngSeedManager::SetSeed(1);
        ns3::RngSeedManager::SetRun(1);
        PredictionConsensusParameters p;
        p.devices = DEVICES;
        p.samples = 40;
        p.minimumSamples = 4;
        p.testSamples = 50;
        p.model = "linear";
        p.lowQuality = "none";
        p.pretrainingRounds = 1;
        p.rounds = 1 + EXCHANGES;
        p.localEpochs = 1;
        p.deadline = 0.2;
        p.threads = 1;
        p.runDir = m_folder.string();
        std::ostringstream output;
        RunPredictionConsensus(p, output);
        return output.str();
    }

    /// @return a column of the table messages
    std::vector<double>
    Read(const std::string& column) const
    {
        return ReadColumn(m_folder, "messages", column);
    }
};

TEST_F(UnheardMessagesTest, EndInOneRowForEachDeviceTheyWereMeantFor)
{
    Play();
    const auto senders = Read("sender");
    const auto sequences = Read("sequence");
    const auto receivers = Read("receiver");
    std::map<std::pair<double, double>, std::set<double>> meant;
    for (std::size_t i = 0; i < senders.size(); ++i)
    {
        EXPECT_NE(senders[i], receivers[i]);
        EXPECT_TRUE(meant[std::make_pair(senders[i], sequences[i])].insert(receivers[i]).second);
    }
    EXPECT_EQ(meant.size(), DEVICES * EXCHANGES);
    for (const auto& [message, devices] : meant)
    {
        EXPECT_EQ(devices.size(), DEVICES - 1);
    }
}

TEST_F(UnheardMessagesTest, CountAsExpectedAndNotAsHeardOrSent)
{
    Play();
    const auto total = [](const std::vector<double>& column) {
        return std::accumulate(column.begin(), column.end(), 0.0);
    };
    const double heard = total(ReadColumn(m_folder, "rounds", "messages_heard"));
    EXPECT_EQ(total(ReadColumn(m_folder, "rounds", "messages_expected")),
              DEVICES * EXCHANGES * (DEVICES - 1));
    EXPECT_LE(heard, total(Read("delivered")));
    EXPECT_LT(heard, DEVICES * EXCHANGES * (DEVICES - 1) / 2.0);

    const auto attempts = Read("attempts");
    const auto delivered = Read("delivered");
    const auto airtime = Read("airtime_s");
    std::size_t unsent = 0;
    for (std::size_t i = 0; i < attempts.size(); ++i)
    {
        if (attempts[i] == 0)
        {
            ++unsent;
            EXPECT_EQ(delivered[i], 0);
            EXPECT_EQ(airtime[i], 0);
        }
    }
    EXPECT_GT(unsent, 0U);
}

TEST_F(UnheardMessagesTest, AreToldWhenTheRunEnds)
{
    const std::string printed = Play();
    EXPECT_THAT(printed, ::testing::HasSubstr("not heard, since never on air: run-ended "));
    EXPECT_THAT(printed, ::testing::HasSubstr("warning: a device heard "));
    EXPECT_THAT(printed, ::testing::HasSubstr("(--deadline 0.2 s)"));
}

} // namespace

} // namespace tests
