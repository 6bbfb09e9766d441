/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "contract/contract-test-case.h"

#include "support/round-metrics.h"

#include <map>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

namespace
{

constexpr double LIMIT = 1000; //!< of simulated time, which no run needs [s]

/// A message at a receiver: sender, sequence and receiver
using Reception = std::tuple<uint32_t, uint32_t, uint32_t>;

} // namespace

void
ContractTest::Make(const ContractSetting& setting)
{
    m_bench.m_setting = setting;
    m_bench.m_learners.clear();
    DeviceOptions options = setting.devices;
    options.devices = GetParam().devices;
    if (!setting.transport.empty())
    {
        options.devices += GetParam().hasBaseStation ? 1 : 0; // on the same network
        m_bench.MakeIpDevices(options, setting.transport);
    }
    else
    {
        m_bench.MakeDevices(options);
        if (GetParam().hasBaseStation)
        {
            m_bench.AddServer();
        }
    }
    m_bench.MakePool(setting.threads);
    m_bench.Watch(GetParam().install(m_bench, setting.attributes));
    m_bench.WatchMessages();
}

void
ContractTest::Run()
{
    m_bench.Run(Seconds(LIMIT));
    EXPECT_LT(Simulator::Now(), Seconds(LIMIT)) << "some application never ends";
    for (const uint32_t device : m_bench.Ids())
    {
        EXPECT_FALSE(m_bench.GetProcessor(device)->IsBusy()) << device;
    }
    for (const auto& record : m_bench.m_rounds)
    {
        const auto [heard, expected] = CountMessages(record);
        EXPECT_LE(heard, expected) << record.device << " in round " << record.round;
    }
}

void
ContractTest::ExpectAllDone(std::optional<uint32_t> gone) const
{
    const bool isServed = !gone || gone != GetParam().server;
    for (uint32_t device = 0; device < CountNodes(); ++device)
    {
        if (gone != device)
        {
            const auto end = m_bench.m_ends.find(device);
            ASSERT_NE(end, m_bench.m_ends.end()) << device;
            EXPECT_TRUE(end->second || !isServed) << device;
            EXPECT_EQ(m_bench.MetricOf(device, "messages_heard").size(), GetParam().rounds)
                << device;
        }
    }
    if (GetParam().endsAlike && isServed && m_bench.m_setting.devices.outage == 0)
    {
        std::set<double> models;
        for (uint32_t device = 0; device < GetParam().devices; ++device)
        {
            const auto scores = m_bench.MetricOf(device, "accuracy_all");
            if (gone != device && !scores.empty()) // a server has none
            {
                models.insert(scores.back());
            }
        }
        EXPECT_EQ(models.size(), 1U) << ::testing::PrintToString(models);
    }
}

void
ContractTest::ExpectSoundBooks() const
{
    std::map<Reception, bool> outcomes;
    for (const auto& outcome : m_bench.m_outcomes)
    {
        const Reception where{outcome.sender, outcome.sequence, outcome.receiver};
        EXPECT_TRUE(outcomes.emplace(where, outcome.delivered).second) << "two outcomes of one";
        EXPECT_TRUE(outcome.delivered ? outcome.reason.empty() || outcome.lostUnits > 0
                                      : !outcome.reason.empty());
        EXPECT_LE(outcome.bytesSent, outcome.bytes);
    }
    std::map<Reception, uint64_t> received;
    for (const auto& [device, time, message, bytes] : m_bench.m_received)
    {
        EXPECT_TRUE(
            received.emplace(Reception{message.sender, message.sequence, device}, bytes).second)
            << "received twice";
    }
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent;
    for (const auto& [device, time, message, bytes] : m_bench.m_sent)
    {
        EXPECT_TRUE(sent.emplace(std::pair(device, message.sequence), bytes).second);
        const auto row = outcomes.lower_bound({device, message.sequence, 0});
        EXPECT_TRUE(row != outcomes.end() && std::get<0>(row->first) == device &&
                    std::get<1>(row->first) == message.sequence)
            << "a message of " << device << " without a row";
    }
    for (const auto& [where, delivered] : outcomes)
    {
        EXPECT_EQ(sent.count({std::get<0>(where), std::get<1>(where)}), 1U) << "never sent";
        EXPECT_EQ(received.count(where), delivered ? 1U : 0U)
            << std::get<1>(where) << " of " << std::get<0>(where) << " to " << std::get<2>(where);
    }
    EXPECT_EQ(
        std::count_if(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.second; }),
        static_cast<std::ptrdiff_t>(received.size()))
        << "every reception has a row";
    for (const auto& [where, bytes] : received)
    {
        EXPECT_EQ(bytes, sent.at({std::get<0>(where), std::get<1>(where)}));
    }
}

void
ContractTest::ExpectSoundEnergy() const
{
    for (const uint32_t device : m_bench.Ids())
    {
        const double lost = m_bench.GetLostJoules(device);
        EXPECT_GT(lost, 0) << device;
        EXPECT_NEAR(GetTotal(m_bench.GetJoules(device)), lost, 1e-9 * lost + 1e-9) << device;
    }
}

void
ContractTest::ExpectSilence(uint32_t device, Time from, Time to) const
{
    const auto isWithin = [&](uint32_t who, Time when) {
        return who == device && when > from && when < to;
    };
    for (const auto& sent : m_bench.m_sent)
    {
        EXPECT_FALSE(isWithin(sent.device, sent.time)) << "sends at " << sent.time;
    }
    for (const auto& record : m_bench.m_rounds)
    {
        EXPECT_FALSE(isWithin(record.device, record.end)) << "ends a round at " << record.end;
    }
    for (const auto& record : m_bench.m_phases)
    {
        EXPECT_FALSE(isWithin(record.device, record.end)) << "is busy until " << record.end;
    }
}

uint32_t
ContractTest::CountNodes()
{
    return GetParam().devices + (GetParam().hasBaseStation ? 1 : 0);
}

std::vector<ProtocolForm>
ContractTest::GetForms()
{
    std::vector<ProtocolForm> forms = GetParam().forms;
    forms.insert(forms.begin(), {"Usual", {}});
    return forms;
}

INSTANTIATE_TEST_SUITE_P(Protocols,
                         ContractTest,
                         ::testing::ValuesIn(GetProtocols()),
                         [](const auto& info) { return info.param.name; });

} // namespace tests
