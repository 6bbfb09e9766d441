/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-installation.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"
#include "tracing/bulk-payload.h"

#include "ns3/collab-phase-energy-recorder.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-table-formats.h"
#include "ns3/collab-transport.h"
#include "ns3/energy-source-container.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>
#include <map>
#include <memory>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using tests::BulkPayload;

namespace
{

/// Three devices: the first sends from 1 s on, the second computes from 2 s to 5 s, the third
/// sleeps
class PhaseEnergyRecorderTest : public tests::TemporaryFolder
{
  protected:
    /// Make the devices
    void
    MakeDevices(double batteryJ = 1e4)
    {
        tests::DeviceOptions options;
        options.batteryJ = batteryJ;
        m_nodes = NodeContainer(options.devices);
        m_devices = tests::InstallDevices(options, m_nodes);
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            m_nodes.Get(i)->GetObject<Transport>()->RegisterKind(
                1, "bulk", nullptr, [](const Message&) {});
        }
        Simulator::Schedule(Seconds(1), [this]() {
            m_nodes.Get(0)->GetObject<Transport>()->Broadcast(
                {1, 0, std::make_shared<BulkPayload>()});
        });
        for (const double second : {2.0, 5.0})
        {
            Simulator::Schedule(Seconds(second), [this, second]() {
                Ptr<Processor> processor = m_nodes.Get(1)->GetObject<Processor>();
                if (processor->IsOn())
                {
                    processor->SetBusy(second < 3);
                }
            });
        }
    }

    /// Run in the parts "setup" to 1.5 s, "exchange" to 4 s, and "training" to the end
    void
    Run(Time end)
    {
        RunFolder folder(m_folder.string());
        auto store = MakeTableStore("csv", folder);
        PhaseEnergyRecorder recorder(*store, m_nodes);
        recorder.Begin("setup"); // takes no time yet
        Simulator::Schedule(Seconds(1.5), &PhaseEnergyRecorder::Begin, &recorder, "exchange");
        Simulator::Schedule(Seconds(4), &PhaseEnergyRecorder::Begin, &recorder, "training");
        Simulator::Stop(end);
        Simulator::Run();
        recorder.Finish();
        store->Flush();
        store.reset();
        folder.Finish();
        m_rows = tests::ReadCsvRows(m_folder / "phase_energy.csv");
    }

    /// @return a column of the rows of a device, as numbers
    std::vector<double>
    Get(uint32_t device, const std::string& column) const
    {
        const auto devices = tests::ReadColumn(m_folder, "phase_energy", "device");
        const auto all = tests::ReadColumn(m_folder, "phase_energy", column);
        std::vector<double> some;
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            if (devices[i] == m_nodes.Get(device)->GetId())
            {
                some.push_back(all[i]);
            }
        }
        return some;
    }

    /// The rows of each device add up to what its source has lost, kind by kind and in all
    void
    ExpectSums() const
    {
        for (uint32_t device = 0; device < m_nodes.GetN(); ++device)
        {
            Ptr<DepletionWatch> watch =
                DepletionWatch::Of(m_nodes.Get(device)->GetObject<EnergySourceContainer>()->Get(0));
            const EnergyByKind spentJ = watch->GetEnergyByKindJ();
            double totalJ = 0;
            for (std::size_t i = 0; i < ENERGY_KIND_COUNT; ++i)
            {
                double sumJ = 0;
                for (const double joules : Get(device, ToString(static_cast<EnergyKind>(i)) + "_j"))
                {
                    EXPECT_GE(joules, 0);
                    sumJ += joules;
                }
                EXPECT_NEAR(sumJ, spentJ[i], 1e-9);
                totalJ += sumJ;
            }
            double sourceJ = 0;
            for (const double joules : Get(device, "source_j"))
            {
                sourceJ += joules;
            }
            EXPECT_NEAR(totalJ, watch->GetSourceLossJ(), 1e-6);
            EXPECT_NEAR(sourceJ, watch->GetSourceLossJ(), 1e-9);
        }
    }

    void
    TearDown() override
    {
        m_devices = NetDeviceContainer();
        m_nodes = NodeContainer();
        Simulator::Destroy();
        TemporaryFolder::TearDown();
    }

    NodeContainer m_nodes;        //!< the devices
    NetDeviceContainer m_devices; //!< their radios
    tests::TableRows m_rows;      //!< of the table
};

using PhaseEnergyRecorderDeathTest = PhaseEnergyRecorderTest;

} // namespace

TEST_F(PhaseEnergyRecorderTest, WritesWhatEachPartHasCost)
{
    MakeDevices();
    Run(Seconds(20));
    std::vector<std::string> parts;
    for (std::size_t i = 1; i < m_rows.size(); i += 3)
    {
        parts.push_back(m_rows[i][1]);
    }
    EXPECT_THAT(parts, ElementsAre("setup", "exchange", "training"));
    EXPECT_THAT(Get(1, "start_s"), ElementsAre(0, 1.5, 4));
    EXPECT_THAT(Get(1, "end_s"), ElementsAre(1.5, 4, 20));
    // The first one transmits for 8 s and what headers take from 1 s, and a back-off, on
    const auto txJ = Get(0, "tx_j");
    EXPECT_NEAR(txJ[1] / txJ[0], 2.5 / 0.5, 0.01);
    EXPECT_NEAR(txJ[2] / txJ[0], 5 / 0.5, 0.5);
    // The second one computes from 2 s to 5 s
    const auto computeJ = Get(1, "compute_j");
    EXPECT_EQ(computeJ[0], 0);
    EXPECT_NEAR(computeJ[1] / computeJ[2], 2, 1e-9);
    ExpectSums();
}

TEST_F(PhaseEnergyRecorderTest, DeviceThatDiesSpendsNoMore)
{
    MakeDevices(0.5);
    Run(Seconds(200));
    const Ptr<EnergySource> source = m_nodes.Get(0)->GetObject<EnergySourceContainer>()->Get(0);
    EXPECT_NEAR(source->GetRemainingEnergy(), 0, 1e-6); // it has died
    ExpectSums();
}

TEST_F(PhaseEnergyRecorderTest, PartsAfterDeathCostNothing)
{
    MakeDevices(0.1); // for less than a second of doing nothing
    Run(Seconds(20));
    for (uint32_t device = 0; device < 3; ++device)
    {
        const auto idleJ = Get(device, "idle_j");
        ASSERT_EQ(idleJ.size(), 3U);
        EXPECT_NEAR(idleJ[0], 0.1, 1e-6);
        EXPECT_EQ(idleJ[1], 0);
        EXPECT_EQ(idleJ[2], 0);
    }
    ExpectSums();
}

TEST_F(PhaseEnergyRecorderDeathTest, NothingFollowsTheLastPart)
{
    MakeDevices();
    RunFolder folder(m_folder.string());
    auto store = MakeTableStore("csv", folder);
    PhaseEnergyRecorder recorder(*store, m_nodes);
    recorder.Finish();
    EXPECT_DEATH(recorder.Begin("more"), "the last part has ended");
}
