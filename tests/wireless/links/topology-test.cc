/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/links/counted-loss.h"
#include "wireless/wireless-bench.h"

#include "ns3/cost231-propagation-loss-model.h"
#include "ns3/d2d-audience.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/d2d-model-knowledge.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/random-waypoint-mobility-model.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double LIGHT_SPEED = 299792458; //!< [m/s]
const std::string LOG_DISTANCE = "ns3::LogDistancePropagationLossModel";
const std::string FIXED_RSS = "ns3::FixedRssLossModel[Rss=0]";
const std::string RANGE_100_M = "ns3::RangePropagationLossModel[MaxRange=100]";

/// @return the delay model of the channel
Ptr<PropagationDelayModel>
DelayModel(const TestNetwork& network)
{
    PointerValue delays;
    network.Channel()->GetAttribute("PropagationDelayModel", delays);
    return delays.Get<PropagationDelayModel>();
}

/// @return power of a radio at another one now, by the chain of models [W]
double
ModelRssW(const TestNetwork& network, uint32_t from, uint32_t to)
{
    const double dbm = network.LossModel()->CalcRxPower(
        network.Phy(from)->GetTxPowerDbm(), network.Place(from), network.Place(to));
    return std::pow(10.0, (dbm - 30) / 10);
}

/// @return number of links that the channel gives, which it compares with all pairs computed anew
std::size_t
ExpectLinksAsComputedAnew(const TestNetwork& network)
{
    std::size_t count = 0;
    for (uint32_t from = 0; from < network.Size(); ++from)
    {
        const std::vector<D2dLink>& links = network.Channel()->GetLinks(network.Device(from));
        std::size_t found = 0;
        for (uint32_t to = 0; to < network.Size(); ++to)
        {
            const double rssW = ModelRssW(network, from, to);
            const double sensitivityW =
                std::pow(10.0, (network.Phy(to)->GetRxSensitivityDbm() - 30) / 10);
            if (to == from || rssW < sensitivityW)
            {
                continue;
            }
            if (found == links.size() || links[found].receiver != PeekPointer(network.Phy(to)))
            {
                ADD_FAILURE() << "no link from " << from << " to " << to;
                return count;
            }
            const D2dLink& link = links[found++];
            const double returnRssW = ModelRssW(network, to, from);
            EXPECT_EQ(link.rssW, rssW);
            EXPECT_EQ(link.returnRssW, returnRssW);
            EXPECT_EQ(link.returnInRange, returnRssW >= network.Phy(from)->GetRxSensitivityW());
            EXPECT_EQ(link.delay,
                      DelayModel(network)->GetDelay(network.Place(from), network.Place(to)));
            EXPECT_EQ(link.receiverIndex, to);
            EXPECT_EQ(link.receiverNode, network.NodeId(to));
        }
        EXPECT_EQ(found, links.size()) << "links of " << from << " to radios out of range";
        count += found;
    }
    return count;
}

/// The links from each radio to a group of every third of the others, as computed anew
class GroupLinks
{
  public:
    /// Compares them; the groups stay the same, so that their links are kept.
    void
    ExpectAsComputedAnew(const TestNetwork& network)
    {
        for (uint32_t from = 0; from < network.Size(); ++from)
        {
            if (from == m_bursts.size())
            {
                m_bursts.push_back(MakeBurst(network, from));
            }
            const auto audience = network.Channel()->GetMedium()->Links().GetAudience(
                *network.Phy(from), m_bursts[from]);
            ASSERT_EQ(audience->links.size(), m_bursts[from].group->size());
            for (std::size_t i = 0; i < audience->links.size(); ++i)
            {
                const D2dLink& link = audience->links[i];
                const uint32_t to = link.receiverIndex;
                EXPECT_EQ(link.receiverNode, m_bursts[from].group->at(i));
                EXPECT_EQ(link.receiver, PeekPointer(network.Phy(to)));
                EXPECT_EQ(link.rssW, ModelRssW(network, from, to));
                EXPECT_EQ(link.inRange, link.rssW >= network.Phy(to)->GetRxSensitivityW());
                EXPECT_EQ(link.returnRssW, ModelRssW(network, to, from));
            }
        }
    }

  private:
    /// @return a burst for every third of the others
    static D2dBurst
    MakeBurst(const TestNetwork& network, uint32_t from)
    {
        std::vector<uint32_t> members;
        for (uint32_t to = from % 3; to < network.Size(); to += 3)
        {
            if (to != from)
            {
                members.push_back(to);
            }
        }
        return network.GroupBurst(members, 0);
    }

    std::vector<D2dBurst> m_bursts; //!< by sender
};

/// A chain of models, and an attribute that changes while it is used
struct ChangingChain
{
    std::vector<std::string> models;  //!< TypeId names, with attributes in brackets
    uint32_t model;                   //!< which of them changes
    std::string attribute;            //!< what of it
    std::pair<double, double> values; //!< between which values
};

void
PrintTo(const ChangingChain& chain, std::ostream* out)
{
    *out << testing::PrintToString(chain.models) << ' ' << chain.attribute;
}

class ChangingLinksTest : public WithParameter<ChangingChain>
{
  protected:
    ChangingLinksTest()
    {
        m_random->SetStream(1);
        std::vector<Ptr<MobilityModel>> places(12);
        std::generate(places.begin(), places.end(), [this] { return DrawPlace(); });
        m_network = std::make_unique<TestNetwork>(places, GetParam().models);
    }

    double
    Draw(double minimum, double maximum)
    {
        return m_random->GetValue(minimum, maximum);
    }

    /// @return somewhere to stand in a box of 1 km
    Ptr<MobilityModel>
    DrawPlace()
    {
        const double x = Draw(0, 1000);
        const double y = Draw(0, 1000);
        return Standing(x, y, Draw(0, 10));
    }

    /// Changes something at random.
    void
    Change(bool moving)
    {
        const uint32_t radio = m_random->GetInteger(0, m_network->Size() - 1);
        const Ptr<MobilityModel> place = DrawPlace();
        const auto [minimum, maximum] = GetParam().values;
        switch (m_random->GetInteger(0, 7))
        {
        case 0:
            m_network->Place(radio)->SetPosition(place->GetPosition());
            break;
        case 1:
            m_network->Phy(radio)->SetAttribute("TxPower", DoubleValue(Draw(0, 30)));
            break;
        case 2:
            m_network->Phy(radio)->SetAttribute("RxSensitivity", DoubleValue(Draw(-110, -80)));
            break;
        case 3:
            m_network->Join(moving ? Moving(place->GetPosition(),
                                            Vector(Draw(-50, 50), Draw(-50, 50), Draw(0, 5)))
                                   : place);
            break;
        case 4:
            m_network->LossModel(GetParam().model)
                ->SetAttribute(GetParam().attribute, DoubleValue(Draw(minimum, maximum)));
            break;
        case 5:
            DelayModel(*m_network)->SetAttribute("Speed", DoubleValue(Draw(1e8, 3e8)));
            break;
        case 6: // all, those of two or three radios, or none but the last
            m_network->SetChannel("KeptLinks",
                                  Draw(0, 1) < 0.5   ? "30"
                                  : Draw(0, 1) < 0.5 ? "0"
                                                     : "1000000");
            break;
        default: // nothing: what is kept must hold
            break;
        }
    }

    /// Changes things, and compares links after each change.
    void
    ChangeAndCompare(bool moving)
    {
        GroupLinks groups;
        std::size_t links = 0;
        const int changes = IsNightly() ? 120 : 60;
        for (int i = 0; i < changes && !HasFailure(); ++i)
        {
            // Whoever of the two is first finds out that what is kept no longer holds
            if (i % 2 == 0)
            {
                groups.ExpectAsComputedAnew(*m_network);
            }
            links += HasFailure() ? 0 : ExpectLinksAsComputedAnew(*m_network);
            if (!HasFailure())
            {
                groups.ExpectAsComputedAnew(*m_network);
            }
            Change(moving);
            RunFor(Seconds(1));
        }
        EXPECT_GT(links, 120U);
    }

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of changes
    std::unique_ptr<TestNetwork> m_network;                                      //!< the radios
};

const auto CHANGING_CHAINS = testing::Values(
    ChangingChain{{LOG_DISTANCE}, 0, "Exponent", {2.5, 4}},
    ChangingChain{{LOG_DISTANCE}, 0, "ReferenceLoss", {30, 60}},
    ChangingChain{
        {LOG_DISTANCE, "ns3::RangePropagationLossModel[MaxRange=250]"}, 1, "MaxRange", {50, 800}},
    ChangingChain{{"ns3::FriisPropagationLossModel"}, 0, "Frequency", {1e9, 3e11}},
    ChangingChain{{"ns3::ThreeLogDistancePropagationLossModel"}, 0, "Distance2", {250, 490}},
    ChangingChain{{"ns3::TwoRayGroundPropagationLossModel"}, 0, "HeightAboveZ", {0.5, 3}},
    ChangingChain{
        {LOG_DISTANCE, "ns3::collab::D2dShadowingModel"}, 1, "StandardDeviation", {0, 12}},
    ChangingChain{
        {"ns3::Cost231PropagationLossModel[MinDistance=1]"}, 0, "BSAntennaHeight", {10, 60}});

INSTANTIATE_TEST_SUITE_P(Chains, ChangingLinksTest, CHANGING_CHAINS);
INSTANTIATE_TEST_SUITE_P(NightlyChains, ChangingLinksTest, CHANGING_CHAINS);

TEST_P(ChangingLinksTest, OfRadiosThatStand)
{
    ChangeAndCompare(false);
}

TEST_P(ChangingLinksTest, OfRadiosThatMove)
{
    ChangeAndCompare(true);
}

using TopologyTest = SimulatorTest;

/// @return number of links of a radio
std::size_t
CountLinks(const TestNetwork& network, uint32_t radio = 0)
{
    return network.Channel()->GetLinks(network.Device(radio)).size();
}

TEST_F(TopologyTest, WhoHeardNobodyNoticesThatTheModelChanged)
{
    for (const double speed : {0, 1})
    {
        TestNetwork network(
            {Standing(0), Standing(100), Moving(Vector(200, 0, 0), Vector(speed, 0, 0))},
            {LOG_DISTANCE, "ns3::RangePropagationLossModel[MaxRange=50]"});
        EXPECT_EQ(CountLinks(network), 0U);
        for (const auto& [range, links] : {std::pair(150, 1), std::pair(250, 2), std::pair(150, 1)})
        {
            network.LossModel(1)->SetAttribute("MaxRange", DoubleValue(range));
            EXPECT_EQ(CountLinks(network), links);
        }
    }
}

TEST_F(TopologyTest, KeptLinksOfAMatrixEndWhenAScriptSetsIt)
{
    TestNetwork network({Standing(0), Standing(0), Standing(0)},
                        {"ns3::collab::D2dMatrixRssModel"});
    const auto node = [&](uint32_t i) { return NodeContainer(network.Device(i)->GetNode()); };
    const auto matrix = DynamicCast<D2dMatrixRssModel>(network.LossModel());
    constexpr double HEARD = 1e-9;
    constexpr double NOT = 1e-30;
    matrix->SetNodes(NodeContainer(node(0), node(1), node(2)));
    matrix->SetMatrix({{NOT, NOT, NOT}, {HEARD, NOT, NOT}, {NOT, NOT, NOT}});
    EXPECT_EQ(CountLinks(network, 0), 1U); // the column is the transmitter
    EXPECT_EQ(CountLinks(network, 1), 0U);
    matrix->SetMatrix({{NOT, NOT, NOT}, {HEARD, NOT, NOT}, {HEARD, HEARD, NOT}});
    EXPECT_EQ(CountLinks(network, 0), 2U);
    EXPECT_EQ(CountLinks(network, 1), 1U);
    matrix->SetNodes(NodeContainer(node(1), node(0), node(2)));
    EXPECT_EQ(CountLinks(network, 0), 1U);
    EXPECT_EQ(CountLinks(network, 1), 2U);
}

/// Ten radios that stand, over a chain of models
class KeepingTest : public SimulatorTest
{
  protected:
    static std::unique_ptr<TestNetwork>
    Make(const std::vector<std::string>& models)
    {
        std::vector<Ptr<MobilityModel>> places;
        for (int i = 0; i < 10; ++i)
        {
            places.push_back(Standing(i));
        }
        return std::make_unique<TestNetwork>(places, models);
    }

    /// @return how often the first model is asked at a send when all is known from one before
    static uint64_t
    CountAsked(const TestNetwork& network)
    {
        const auto model = DynamicCast<CountedLoss>(network.LossModel());
        CountLinks(network);
        const uint64_t before = model->asked;
        EXPECT_EQ(CountLinks(network), network.Size() - 1);
        return model->asked - before;
    }

    /// @return power of the first radio at the fourth, by its links [W]
    static double
    LinkRssW(const TestNetwork& network)
    {
        return network.Channel()->GetLinks(network.Device(0))[3].rssW;
    }

    static constexpr uint64_t ALL = 2 * 9; //!< powers of all links of a radio, both ways
    static constexpr uint64_t ONE = 1;     //!< power of the one that is looked at again
    static constexpr uint64_t NONE = 0;    //!< where each change can be read
};

TEST_F(KeepingTest, AUsersModelIsKeptIfItOrTheScriptSaysSo)
{
    const auto silent = Make({"CountedLoss"});
    EXPECT_EQ(CountAsked(*silent), ALL);
    EXPECT_THAT(silent->Channel()->ExplainUnkeptLinks(), HasSubstr("CountedLoss"));
    silent->SetChannel("KeepLinks", "Always");
    EXPECT_EQ(CountAsked(*silent), ONE);
    EXPECT_EQ(silent->Channel()->ExplainUnkeptLinks(), "");

    const auto telling = Make({"TellingLoss"});
    EXPECT_EQ(CountAsked(*telling), NONE);
    EXPECT_EQ(telling->Channel()->ExplainUnkeptLinks(), "");
    const double before = LinkRssW(*telling);
    DynamicCast<TellingLoss>(telling->LossModel())->SetLossDb(110);
    EXPECT_NEAR(LinkRssW(*telling), before / 10, before * 1e-9);
    telling->SetChannel("KeepLinks", "Never");
    EXPECT_EQ(CountAsked(*telling), ALL);
    EXPECT_EQ(telling->Channel()->ExplainUnkeptLinks(), "KeepLinks is Never");
}

TEST_F(KeepingTest, ARandomModelIsNeverKeptOfItself)
{
    const auto network = Make({"TellingLoss", "ns3::NakagamiPropagationLossModel"});
    EXPECT_EQ(CountAsked(*network), ALL);
    EXPECT_THAT(network->Channel()->ExplainUnkeptLinks(), HasSubstr("Nakagami"));
    const double before = LinkRssW(*network);
    EXPECT_NE(LinkRssW(*network), before);
}

TEST_F(KeepingTest, ShadowingIsKeptUntilItsStreamIsSet)
{
    const auto network =
        Make({"TellingLoss", "ns3::collab::D2dShadowingModel[StandardDeviation=2]"});
    EXPECT_EQ(CountAsked(*network), NONE);
    const double before = LinkRssW(*network);
    network->LossModel(1)->AssignStreams(77);
    EXPECT_NE(LinkRssW(*network), before);
}

TEST_F(KeepingTest, AModelThatIsAppendedOrRemovedIsNoticed)
{
    const auto network = Make({"TellingLoss", "ns3::collab::D2dShadowingModel"});
    const Ptr<PropagationLossModel> shadowing = network->LossModel(1);
    const double shadowed = LinkRssW(*network);
    network->LossModel()->SetNext(nullptr);
    EXPECT_NE(LinkRssW(*network), shadowed);
    network->LossModel()->SetNext(shadowing);
    EXPECT_EQ(LinkRssW(*network), shadowed);
}

TEST_F(KeepingTest, WhatNoAttributeShowsIsNoticed)
{
    const auto expectNoticed = [](const std::string& model, const auto& change) {
        TestNetwork network({Standing(0, 0, 25), Standing(100, 0, 1.5)}, {model});
        const auto& links = network.Channel()->GetLinks(network.Device(0));
        ASSERT_EQ(links.size(), 1U) << model;
        const double before = links[0].rssW;
        change(network.LossModel());
        EXPECT_EQ(CountLinks(network), 1U) << model;
        EXPECT_NE(network.Channel()->GetLinks(network.Device(0)).at(0).rssW, before) << model;
    };
    expectNoticed("ns3::Cost231PropagationLossModel", [](Ptr<PropagationLossModel> model) {
        DynamicCast<Cost231PropagationLossModel>(model)->SetShadowing(-20);
    });
    expectNoticed("ns3::ItuR1411LosPropagationLossModel", [](Ptr<PropagationLossModel> model) {
        model->SetAttribute("Frequency", DoubleValue(1e9));
    });
}

TEST_F(KeepingTest, WhatIsTrustedCanBeRead)
{
    const auto make = [](const std::string& name) {
        return ObjectFactory("ns3::" + name).Create<PropagationLossModel>();
    };
    for (const std::string name : {"FixedRssLossModel",
                                   "FriisPropagationLossModel",
                                   "Kun2600MhzPropagationLossModel",
                                   "LogDistancePropagationLossModel",
                                   "OkumuraHataPropagationLossModel",
                                   "RangePropagationLossModel",
                                   "ThreeLogDistancePropagationLossModel",
                                   "TwoRayGroundPropagationLossModel"})
    {
        EXPECT_TRUE(ShowD2dChanges(make(name))) << name;
        const TypeId type = make(name)->GetInstanceTypeId();
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            EXPECT_TRUE(type.GetAttribute(i).accessor->HasGetter())
                << name << "::" << type.GetAttribute(i).name;
        }
    }
    for (const std::string name : {"Cost231PropagationLossModel",
                                   "ItuR1411LosPropagationLossModel",
                                   "NakagamiPropagationLossModel"})
    {
        EXPECT_FALSE(ShowD2dChanges(make(name)));
    }
}

TEST_F(KeepingTest, HintsNameWhatTakesLonger)
{
    const auto hints = [](const TestNetwork& network, const Settings& settings) {
        for (const auto& [name, value] : settings)
        {
            network.SetChannel(name, value);
        }
        return network.Channel()->FindHints();
    };
    const auto fragments = ElementsAre(HasSubstr("Fidelity=Burst is not in use"));
    const auto network = Make({"TellingLoss"});
    EXPECT_THAT(hints(*network, {}), IsEmpty());
    EXPECT_THAT(hints(*network, {{"Access", "Shared"}}), IsEmpty()) << "streaks are drawn whole";
    const auto setAtAll = [&](const char* name, const char* value) {
        for (uint32_t i = 0; i < network->Size(); ++i)
        {
            network->Set(i, name, value);
        }
    };
    setAtAll("Combining", "Chase");
    EXPECT_THAT(hints(*network, {}), fragments);
    EXPECT_THAT(hints(*network, {{"Fidelity", "Packet"}}), IsEmpty());
    EXPECT_THAT(hints(*network, {{"Fidelity", "Burst"}, {"Access", "Ofdma"}}), IsEmpty());
    EXPECT_THAT(hints(*network, {{"Subchannels", "2"}}), fragments);
    setAtAll("Arq", "SelectiveRepeat");
    EXPECT_THAT(hints(*network, {}), IsEmpty()) << "rounds are drawn whole there";
    const auto silent = Make({"CountedLoss"});
    EXPECT_THAT(hints(*silent, {}),
                ElementsAre(testing::AllOf(HasSubstr("links are computed anew"),
                                           HasSubstr("CountedLoss"))));
    EXPECT_THAT(hints(*silent, {{"KeepLinks", "Always"}}), IsEmpty());
    EXPECT_THAT(hints(*silent, {{"KeepLinks", "Never"}}), IsEmpty()) << "as the script wants it";
}

TEST_F(KeepingTest, AHintNamesWhoIsNoNeighborWhileItTrains)
{
    const auto network = Make({"TellingLoss"});
    network->Set(0, "BeaconInterval", "0s");
    EXPECT_THAT(network->Channel()->FindHints(), IsEmpty()) << "neighbors are known for nothing";
    network->Set(0, "NeighborDiscovery", "Measured");
    EXPECT_THAT(network->Channel()->FindHints(), ElementsAre(HasSubstr("BeaconInterval above 0")));
    network->Set(0, "BeaconInterval", "1s");
    EXPECT_THAT(network->Channel()->FindHints(), IsEmpty());
}

TEST_F(KeepingTest, RadiosThatMoveAreNamed)
{
    TestNetwork network({Standing(0)}, {"TellingLoss"});
    EXPECT_EQ(network.Channel()->ExplainUnkeptLinks(), "");
    network.Join(Moving(Vector(9, 0, 0), Vector(1, 0, 0)));
    EXPECT_EQ(network.Channel()->ExplainUnkeptLinks(),
              "node " + std::to_string(network.NodeId(1)) + " moves by itself");
}

TEST_F(TopologyTest, WhoClimbsIsHeardFarther)
{
    // 40 log10(5000) = 148 dB are too much for 20 dBm and -120 dBm; at 25 m it is in range
    TestNetwork network({Standing(0, 0, 1), Moving(Vector(5000, 0, 1), Vector(0, 0, 1))},
                        {"ns3::TwoRayGroundPropagationLossModel"});
    EXPECT_EQ(CountLinks(network), 0U);
    for (int second = 1; second < 200; second += 10)
    {
        At(Seconds(second), [&] { ExpectLinksAsComputedAnew(network); });
    }
    RunFor(Seconds(200));
    EXPECT_EQ(CountLinks(network), 1U);
}

TEST_F(TopologyTest, RandomWaypointsMeetTheLinksOfTheMoment)
{
    const StringValue side("ns3::UniformRandomVariable[Max=1000]");
    ObjectFactory allocators("ns3::RandomRectanglePositionAllocator", "X", side, "Y", side);
    Ptr<PositionAllocator> allocator = allocators.Create<PositionAllocator>();
    allocator->AssignStreams(50);
    std::vector<Ptr<MobilityModel>> walkers;
    for (int i = 0; i < 30; ++i)
    {
        Ptr<MobilityModel> walker = CreateObjectWithAttributes<RandomWaypointMobilityModel>(
            "PositionAllocator",
            PointerValue(allocator),
            "Speed",
            StringValue("ns3::UniformRandomVariable[Min=10|Max=50]"),
            "Pause",
            StringValue("ns3::ConstantRandomVariable[Constant=2]"));
        walker->AssignStreams(1000 + 10 * i);
        walker->SetPosition(allocator->GetNext());
        walkers.push_back(walker);
    }
    TestNetwork network(walkers, {LOG_DISTANCE}, {{"RxSensitivity", "-100"}});
    std::vector<std::size_t> counts;
    for (int second = 1; second < 100; ++second)
    {
        At(Seconds(second), [&] { counts.push_back(ExpectLinksAsComputedAnew(network)); });
    }
    RunFor(Seconds(100));
    EXPECT_NE(counts.front(), counts.back());
    EXPECT_THAT(counts, Each(testing::Gt(50U)));
}

/// Bursts of radios that move, or stand far apart
using MobilityTest = FidelitiesTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, MobilityTest, FIDELITIES);

TEST_P(MobilityTest, WhoWalksOutOfRangeIsLost)
{
    // It leaves at 5 s
    TestNetwork network({Standing(0), Moving(Vector(50, 0, 0), Vector(10, 0, 0))},
                        {FIXED_RSS, RANGE_100_M},
                        EXACT,
                        m_channel);
    for (int second = 1; second < 10; ++second)
    {
        network.SendAt(Seconds(second - 0.5), 0, 1, 100);
        network.SendAt(Seconds(second - 0.5), 0, BROADCAST, 100);
    }
    RunFor(Seconds(20));
    ASSERT_EQ(network.Reports().size(), 18U);
    for (const auto& report : network.Reports())
    {
        if (report.start < Seconds(5))
        {
            EXPECT_THAT(network.Fates(report), ElementsAre("1 delivered"));
        }
        else if (report.burst->destination.IsGroup())
        {
            EXPECT_THAT(network.Fates(report), IsEmpty());
        }
        else
        {
            EXPECT_THAT(network.Fates(report), ElementsAre("1 out-of-range"));
        }
    }
}

TEST_P(MobilityTest, PositionsAreReadWhenABurstBegins)
{
    // It leaves at 1 s
    TestNetwork network({Standing(0), Moving(Vector(90, 0, 0), Vector(10, 0, 0))},
                        {FIXED_RSS, RANGE_100_M},
                        {{"ContentionWindow", "1"}},
                        m_channel);
    network.Send(0, 1, 500000); // on air from 0 s, for 4 s
    network.Send(0, 1, 500000); // queued until 4 s
    RunFor(Seconds(20));
    EXPECT_GT(network.Report(0).end, Seconds(4));
    EXPECT_THAT(network.Fates(0), ElementsAre("1 delivered"));
    const Time delay = network.Outcome(0).ended - network.Report(0).end;
    EXPECT_EQ(delay.GetNanoSeconds(), std::llround(90e9 / LIGHT_SPEED)) << "where it was then";
    EXPECT_THAT(network.Fates(1), ElementsAre("1 out-of-range"));
}

/// @return how long after the end of a broadcast of device 0 each other device has it
std::vector<Time>
BroadcastDelays(TestNetwork& network)
{
    network.Send(0, BROADCAST, 100);
    Simulator::Run();
    std::vector<Time> delays;
    for (const auto& outcome : network.Reports().back().outcomes)
    {
        delays.push_back(outcome.ended - network.Reports().back().end);
    }
    return delays;
}

TEST_P(MobilityTest, EveryReceiverHasItsOwnDelay)
{
    const auto expected = [](double distance) {
        return NanoSeconds(std::llround(distance * 1e9 / LIGHT_SPEED));
    };
    TestNetwork network(
        {Standing(0), Standing(300000), Standing(30), Standing(3000)}, {FIXED_RSS}, {}, m_channel);
    EXPECT_THAT(BroadcastDelays(network),
                ElementsAre(expected(300000), expected(30), expected(3000)));
    network.Channel()->SetPropagationDelayModel(nullptr);
    EXPECT_THAT(BroadcastDelays(network), ElementsAre(Time(), Time(), Time()));
}

TEST_P(MobilityTest, DelaysAreRoundedUpToTheResolution)
{
    TestNetwork network({Standing(0), Standing(0), Standing(30), Standing(290), Standing(300)},
                        {FIXED_RSS},
                        {},
                        Channel({{"DelayResolution", "1us"}}));
    EXPECT_THAT(BroadcastDelays(network),
                ElementsAre(Time(), MicroSeconds(1), MicroSeconds(1), MicroSeconds(2)));
    const auto audience = network.Channel()->GetMedium()->Links().GetAudience(
        *network.Phy(0), network.Burst(BROADCAST, 1));
    EXPECT_EQ(audience->groups.size(), 3U) << "those of one delay share events";
}

TEST_P(MobilityTest, RandomDelayIsDrawnForEveryBurst)
{
    TestNetwork network({Standing(0), Standing(100)}, {FIXED_RSS}, {}, m_channel);
    network.Channel()->SetPropagationDelayModel(
        CreateObjectWithAttributes<RandomPropagationDelayModel>(
            "Variable", StringValue("ns3::UniformRandomVariable[Min=1e-6|Max=1e-3|Stream=9]")));
    std::set<Time> delays;
    for (int i = 0; i < 10; ++i)
    {
        delays.insert(BroadcastDelays(network).at(0));
    }
    EXPECT_EQ(delays.size(), 10U);
}

} // namespace
} // namespace ns3::collab::tests
