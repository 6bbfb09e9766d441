/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Who waits for receivers, and that nobody waits longer than if all tried whenever something ends.
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-admission.h"
#include "ns3/d2d-index-set.h"

namespace ns3::collab::tests
{
namespace
{

TEST(IndexSetTest, HoldsEachMemberOnce)
{
    D2dIndexSet set;
    for (const uint32_t index : {7, 2, 9, 2, 4})
    {
        set.Insert(index);
    }
    EXPECT_THAT(set.GetMembers(), UnorderedElementsAre(2, 4, 7, 9));
    set.Erase(7);
    set.Erase(7);
    set.Erase(100);
    EXPECT_THAT(set.GetMembers(), UnorderedElementsAre(2, 4, 9));
    EXPECT_FALSE(set.Contains(7));
    EXPECT_FALSE(set.Contains(100));
    EXPECT_TRUE(set.Contains(9));
    set.Erase(4); // the last one or not
    set.Erase(9);
    set.Insert(7);
    EXPECT_THAT(set.GetMembers(), UnorderedElementsAre(2, 7));
}

/// Who waits, of ten devices
class AdmissionTest : public SimulatorTest
{
  protected:
    AdmissionTest()
    {
        for (uint32_t i = 0; i < m_network.Size(); ++i)
        {
            m_admission.AddReceiver(m_receiver);
        }
    }

    static std::shared_ptr<const D2dAudience>
    MakeAudience(const std::vector<uint32_t>& indices)
    {
        std::vector<D2dLink> links(indices.size());
        for (std::size_t i = 0; i < indices.size(); ++i)
        {
            links[i].receiverIndex = indices[i];
        }
        return std::make_shared<const D2dAudience>(std::move(links));
    }

    TestNetwork m_network{10};
    const Ptr<D2dPhy> m_phy = m_network.Phy(0);
    const Ptr<D2dMedium> m_medium = m_network.Channel()->GetMedium();
    D2dBurstQueue m_queue{[](uint32_t, D2dLossReason) {}};
    const D2dReceiverAccess m_receiver{m_phy, m_medium, m_queue};
    D2dAdmission m_admission; //!< under test
};

TEST_F(AdmissionTest, WhoWaitsIsFoundByTheReceiver)
{
    m_admission.Await(8, {1, 2});
    m_admission.Await(3, {2});
    m_admission.Await(5, {6});
    EXPECT_THAT(m_admission.TakeWaiting(4), IsEmpty());
    EXPECT_THAT(m_admission.TakeWaiting(2), ElementsAre(3, 8));
    EXPECT_THAT(m_admission.TakeWaiting(2), IsEmpty());
    EXPECT_THAT(m_admission.TakeWaiting(1), IsEmpty()) << "8 does not wait any more";
    EXPECT_THAT(m_admission.TakeAllWaiting(), ElementsAre(5));
    EXPECT_THAT(m_admission.TakeWaiting(6), IsEmpty());
}

TEST_F(AdmissionTest, WhoWaitsAnewWaitsForOthers)
{
    m_admission.Await(8, {1, 1, 2});
    m_admission.Await(8, {3});
    EXPECT_THAT(m_admission.TakeWaiting(1), IsEmpty());
    EXPECT_THAT(m_admission.TakeWaiting(2), IsEmpty());
    EXPECT_THAT(m_admission.TakeWaiting(3), ElementsAre(8));
}

TEST_F(AdmissionTest, WhoWaitsForAnythingIsFoundByAny)
{
    m_admission.Await(8, {1});
    m_admission.Await(4, {});
    m_admission.Await(6, {1});
    m_admission.Loosen(6);
    m_admission.Loosen(7); // does not wait
    EXPECT_THAT(m_admission.TakeWaiting(9), ElementsAre(4, 6));
    EXPECT_THAT(m_admission.TakeWaiting(1), ElementsAre(8));
}

TEST_F(AdmissionTest, AClaimThatIsReplacedLetsOthersTryAtTheNextChange)
{
    m_admission.Claim(0, MakeAudience({1, 2}));
    EXPECT_TRUE(m_admission.IsClaimed(1, 5));
    EXPECT_FALSE(m_admission.IsClaimed(1, 0)) << "by itself alone";
    m_admission.Await(5, {1});
    const auto next = MakeAudience({2, 3});
    m_admission.Claim(0, next);
    m_admission.Claim(0, next);
    EXPECT_FALSE(m_admission.IsClaimed(1, 5));
    EXPECT_TRUE(m_admission.IsClaimed(2, 5));
    EXPECT_THAT(m_admission.TakeWaiting(9), ElementsAre(5));
    m_admission.Claim(4, MakeAudience({3}));
    EXPECT_EQ(m_admission.Release(0), next);
    EXPECT_EQ(m_admission.Release(0), nullptr);
    EXPECT_FALSE(m_admission.IsClaimed(2, 5));
    EXPECT_TRUE(m_admission.IsClaimed(3, 5));
}

/// Random traffic on a grid, over links that are kept or found anew at each send
class WaitingSendersTest : public WithParameter<std::string>
{
  protected:
    static constexpr uint32_t DEVICES = 49;
    static constexpr double STEP = 50; //!< between neighbors [m]

    /// @param keeps attribute KeepLinks; without kept links all try again at each change
    /// @return what became of all bursts
    static std::string
    Play(const std::string& keeps)
    {
        std::vector<Ptr<MobilityModel>> places;
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            places.push_back(Standing(i % 7 * STEP, i / 7 * STEP));
        }
        Settings device = {{"MaxAttempts", "3"}, {"RxSensitivity", "-95"}};
        Settings channel = {{"KeepLinks", keeps}};
        std::istringstream words(GetParam());
        words >> channel["Fidelity"];
        for (std::string word; words >> word;)
        {
            const std::size_t equals = word.find('=');
            device[word.substr(0, equals)] = word.substr(equals + 1);
        }
        TestNetwork network(places, {"ns3::LogDistancePropagationLossModel"}, device, channel);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        for (int i = 0; i < 600; ++i)
        {
            const Time time = MicroSeconds(random->GetInteger(0, 2000000));
            const uint32_t from = random->GetInteger(0, DEVICES - 1);
            const double kind = random->GetValue();
            const uint32_t other = (from + random->GetInteger(1, DEVICES - 1)) % DEVICES;
            const uint32_t bytes = random->GetInteger(100, 9000);
            const auto reliability = random->GetValue() < 0.7 ? ARQ : BEST_EFFORT;
            if (kind < 0.9)
            {
                D2dBurst burst = kind < 0.3   ? network.GroupBurst({other}, bytes, reliability)
                                 : kind < 0.6 ? network.Burst(BROADCAST, bytes, reliability)
                                              : network.Burst(other, bytes, reliability);
                burst.priority = random->GetInteger(0, 2);
                At(time, [&network, from, burst]() { network.SendBurst(from, burst); });
                const double end = random->GetValue();
                if (end < 0.2)
                {
                    network.CancelAt(time + MilliSeconds(30), from, 1 + i / DEVICES);
                }
            }
            else if (kind < 0.94)
            {
                network.SwitchOffAt(time, from);
                network.SwitchOnAt(time + MilliSeconds(20), from);
            }
            else if (kind < 0.97)
            {
                const std::string power = std::to_string(random->GetInteger(10, 20));
                At(time, [&network, from, power]() { network.Set(from, "TxPower", power); });
            }
            else
            {
                const Vector place(random->GetValue(0, 300), random->GetValue(0, 300), 0);
                At(time, [&network, from, place]() { network.Place(from)->SetPosition(place); });
            }
        }
        Simulator::Run();
        return network.DescribeBursts();
    }
};

INSTANTIATE_TEST_SUITE_P(Radios,
                         WaitingSendersTest,
                         testing::Values("Burst Duplex=Half",
                                         "Packet Duplex=Half",
                                         "Burst Duplex=Half ReceiverSensing=true",
                                         "Packet Duplex=Half ReceiverSensing=true",
                                         "Burst Duplex=Full MaxReceptions=2",
                                         "Burst Duplex=Half ReceiverSensing=true MaxReceptions=1",
                                         "Burst Duplex=Half ReceiverSensing=true "
                                         "TxQueue=ns3::DropTailQueue<Packet>[MaxSize=9p]"));

TEST_P(WaitingSendersTest, NobodyWaitsLongerThanIfAllTried)
{
    const std::string found = Play("Auto");
    EXPECT_GT(std::count(found.begin(), found.end(), '\n'), 300);
    EXPECT_EQ(found, Play("Never"));
}

} // namespace
} // namespace ns3::collab::tests
