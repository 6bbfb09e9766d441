/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a run is made of: the same traces whatever the host does, books that add up, and an end on
 * every network.
 */

#include "contract/contract-test-case.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/string.h"

#include <set>
#include <string>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

TEST(ContractListTest, EveryApplicationOfTheModuleIsHeldToTheContract)
{
    std::set<std::string> all;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(CollaborationApplication::GetTypeId()) && type.HasConstructor())
        {
            all.insert(type.GetName());
        }
    }
    std::set<std::string> held;
    for (const auto& protocol : GetProtocols())
    {
        ContractBench bench;
        DeviceOptions options;
        options.devices = protocol.devices;
        bench.MakeDevices(options);
        if (protocol.hasBaseStation)
        {
            bench.AddServer();
        }
        bench.MakePool();
        const auto applications = protocol.install(bench, {});
        for (uint32_t i = 0; i < applications.GetN(); ++i)
        {
            held.insert(applications.Get(i)->GetInstanceTypeId().GetName());
        }
    }
    EXPECT_EQ(held, all);
}

TEST_P(ContractTest, BytesThreadsAndReferencesGiveTheSameTraces)
{
    for (const auto& form : GetForms())
    {
        SCOPED_TRACE(form.name);
        const auto play = [&](const std::string& mode, uint32_t threads) {
            ContractSetting setting;
            setting.devices.outage = 0.3;
            setting.devices.payloadMode = mode;
            setting.attributes = form.attributes;
            setting.threads = threads;
            Make(setting);
            Run();
            return m_bench.GetTrace();
        };
        const std::string expected = play("Reference", 1);
        EXPECT_GT(expected.size(), 1000U);
        EXPECT_EQ(play("Bytes", 1), expected);
        EXPECT_EQ(play("Reference", 3), expected);
        EXPECT_EQ(play("Bytes", 3), expected);
    }
}

TEST_P(ContractTest, LinksMayBeKnownByBeacons)
{
    const std::string attribute = "ns3::collab::D2dNeighborDiscovery::NeighborDiscovery";
    Config::SetDefault(attribute, StringValue("Beacons"));
    const auto play = [this](const std::string& mode, uint32_t threads) {
        ContractSetting setting;
        setting.devices.outage = 0.3;
        setting.devices.payloadMode = mode;
        setting.threads = threads;
        Make(setting);
        Run();
        ExpectSoundBooks();
        ExpectSoundEnergy();
        return m_bench.GetTrace();
    };
    EXPECT_EQ(play("Reference", 1), play("Bytes", 3));
    Config::SetDefault(attribute, StringValue("Ideal"));
}

TEST_P(ContractTest, BooksOfMessagesAndEnergyAddUp)
{
    for (const double outage : {0.0, 0.3, 0.9})
    {
        for (const std::string fidelity : {"Burst", "Packet"})
        {
            SCOPED_TRACE(fidelity + " " + std::to_string(outage));
            ContractSetting setting;
            setting.devices.outage = outage;
            setting.devices.fidelity = fidelity;
            setting.devices.duplex = outage > 0 ? "Half" : "Full";
            Make(setting);
            Run();
            EXPECT_EQ(m_bench.m_ends.size(), CountNodes());
            if (outage < 0.5) // or else they may give up
            {
                ExpectAllDone();
            }
            EXPECT_TRUE(outage > 0 || m_bench.m_refusals.empty()) << "nothing is late";
            ExpectSoundBooks();
            ExpectSoundEnergy();
        }
    }
}

TEST_P(ContractTest, RunsOverIp)
{
    for (const std::string transport : {"Udp", "Tcp"})
    {
        SCOPED_TRACE(transport);
        ContractSetting setting;
        setting.transport = transport;
        Make(setting);
        if (GetParam().isAnalog)
        {
            EXPECT_THROW(Run(), UserError);
            continue;
        }
        Run();
        ExpectAllDone();
        ExpectSoundBooks();
    }
}

} // namespace tests
