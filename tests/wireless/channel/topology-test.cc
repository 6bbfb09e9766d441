/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/constant-position-mobility-model.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/cost231-propagation-loss-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/d2d-model-knowledge.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/random-variable-stream.h"
#include "ns3/random-waypoint-mobility-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <set>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::IsEmpty;

constexpr double LIGHT_SPEED = 299792458; //!< [m/s]

/// Radios over any chain of loss models, at given places
class PlacedRadios
{
  public:
    /// @param models TypeId names of the chain, with attributes in brackets
    explicit PlacedRadios(const std::vector<std::string>& models)
    {
        for (const auto& model : models)
        {
            PointerValue made;
            made.DeserializeFromString(model, MakePointerChecker<PropagationLossModel>());
            Ptr<PropagationLossModel> next = made.Get<PropagationLossModel>();
            if (!chain.empty())
            {
                chain.back()->SetNext(next);
            }
            chain.push_back(next);
        }
        channel->SetPropagationLossModel(chain.front());
        for (auto& model : chain)
        {
            streams += model->AssignStreams(streams);
        }
    }

    /**
     * @param mobility where it is
     * @return a new radio there
     */
    Ptr<D2dNetDevice>
    Add(Ptr<MobilityModel> mobility)
    {
        Ptr<Node> node = CreateObject<Node>();
        node->AggregateObject(mobility);
        Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
        device->GetMac()->SetAttribute("ContentionWindow", StringValue("1"));
        node->AddDevice(device);
        device->SetChannel(channel);
        streams += device->AssignStreams(streams);
        device->GetMac()->TraceConnectWithoutContext("BurstEnd",
                                                     MakeCallback(&PlacedRadios::Record, this));
        radios.push_back(device);
        places.push_back(mobility);
        return device;
    }

    /**
     * @param position where it stands
     * @return a new radio there
     */
    Ptr<D2dNetDevice>
    AddStill(const Vector& position)
    {
        Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
        mobility->SetPosition(position);
        return Add(mobility);
    }

    /**
     * @param position where it is now
     * @param velocity where it goes [m/s]
     * @return a new radio there
     */
    Ptr<D2dNetDevice>
    AddMoving(const Vector& position, const Vector& velocity)
    {
        Ptr<ConstantVelocityMobilityModel> mobility = CreateObject<ConstantVelocityMobilityModel>();
        mobility->SetPosition(position);
        mobility->SetVelocity(velocity);
        return Add(mobility);
    }

    /**
     * @param from index of a radio
     * @param to index of another one, or all
     * @param bytes size of the packet
     */
    void
    Send(uint32_t from, uint32_t to, uint32_t bytes = 100)
    {
        const Mac48Address receiver = to == TestNetwork::BROADCAST
                                          ? Mac48Address::GetBroadcast()
                                          : radios[to]->GetMac()->GetAddress();
        radios[from]->GetMac()->SendBurst({Create<Packet>(bytes), receiver, TestNetwork::PROTOCOL});
    }

    /**
     * @param from index of a radio
     * @param to index of another one
     * @return power of the one at the other now [W]
     */
    double
    RssW(std::size_t from, std::size_t to) const
    {
        const double dbm = chain.front()->CalcRxPower(
            radios[from]->GetPhy()->GetTxPowerDbm(), places[from], places[to]);
        return std::pow(10.0, (dbm - 30) / 10);
    }

    /**
     * @brief Compare the links that the channel gives with those of all pairs computed anew.
     *
     * @return number of links
     */
    std::size_t
    ExpectAsComputedAnew() const
    {
        PointerValue delays;
        channel->GetAttribute("PropagationDelayModel", delays);
        std::size_t count = 0;
        for (std::size_t from = 0; from < radios.size(); ++from)
        {
            const std::vector<D2dLink>& links = channel->GetLinks(radios[from]);
            std::size_t found = 0;
            for (std::size_t to = 0; to < radios.size(); ++to)
            {
                const double rssW = RssW(from, to);
                const double sensitivityW =
                    std::pow(10.0, (radios[to]->GetPhy()->GetRxSensitivityDbm() - 30) / 10);
                if (to == from || rssW < sensitivityW)
                {
                    continue;
                }
                if (found == links.size() ||
                    links[found].receiver != PeekPointer(radios[to]->GetPhy()))
                {
                    ADD_FAILURE() << "no link from " << from << " to " << to;
                    return count;
                }
                const D2dLink& link = links[found++];
                EXPECT_EQ(link.rssW, rssW);
                EXPECT_EQ(link.returnRssW, RssW(to, from));
                EXPECT_EQ(link.returnInRange,
                          RssW(to, from) >= radios[from]->GetPhy()->GetRxSensitivityW());
                EXPECT_EQ(link.delay,
                          delays.Get<PropagationDelayModel>()->GetDelay(places[from], places[to]));
                EXPECT_EQ(link.receiverIndex, to);
                EXPECT_EQ(link.receiverNode, radios[to]->GetNode()->GetId());
            }
            EXPECT_EQ(found, links.size()) << "links of " << from << " to radios out of range";
            count += found;
        }
        return count;
    }

    /**
     * @brief Compare the links to groups, of every third of the others, with those computed anew.
     *
     * The groups stay the same, so that their links are kept.
     */
    void
    ExpectGroupsAsComputedAnew()
    {
        for (std::size_t from = 0; from < radios.size(); ++from)
        {
            if (from == groups.size())
            {
                groups.push_back(MakeGroup(from));
            }
            D2dBurst burst(nullptr, D2dMac::GetGroupAddress(), 0);
            burst.group = groups[from];
            const auto audience = channel->GetAudience(*radios[from]->GetPhy(), burst);
            const std::vector<D2dLink>& links = audience->links;
            ASSERT_EQ(links.size(), groups[from]->size());
            for (std::size_t i = 0; i < links.size(); ++i)
            {
                const std::size_t to = links[i].receiverIndex;
                EXPECT_EQ(links[i].receiverNode, groups[from]->at(i));
                EXPECT_EQ(links[i].receiver, PeekPointer(radios[to]->GetPhy()));
                EXPECT_EQ(links[i].rssW, RssW(from, to));
                EXPECT_EQ(links[i].inRange,
                          RssW(from, to) >= radios[to]->GetPhy()->GetRxSensitivityW());
                EXPECT_EQ(links[i].returnRssW, RssW(to, from));
            }
        }
    }

    std::vector<Ptr<PropagationLossModel>> chain;         //!< the models
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>(); //!< the channel
    std::vector<Ptr<D2dNetDevice>> radios;                //!< in the order of adding
    std::vector<Ptr<MobilityModel>> places;               //!< where they are
    std::vector<D2dBurstReport> reports;                  //!< bursts that are over
    std::vector<D2dGroup> groups;                         //!< by sender
    int64_t streams = 100;                                //!< next stream of random numbers

  private:
    /**
     * @param from index of a radio
     * @return every third of the others
     */
    D2dGroup
    MakeGroup(std::size_t from) const
    {
        std::vector<uint32_t> nodes;
        for (std::size_t to = from % 3; to < radios.size(); to += 3)
        {
            if (to != from)
            {
                nodes.push_back(radios[to]->GetNode()->GetId());
            }
        }
        return std::make_shared<const std::vector<uint32_t>>(std::move(nodes));
    }

    /// @param report of a burst that is over
    void
    Record(const D2dBurstReport& report)
    {
        reports.push_back(report);
    }
};

/// A chain of models, and attributes that change while it is used
struct ChangingChain
{
    std::vector<std::string> models;  //!< TypeId names, with attributes in brackets
    std::size_t model;                //!< which of them changes
    std::string attribute;            //!< what of it
    std::pair<double, double> values; //!< between which values
};

/// @param out where to print a chain to
void
PrintTo(const ChangingChain& chain, std::ostream* out)
{
    for (const auto& model : chain.models)
    {
        *out << model << ' ';
    }
    *out << chain.attribute;
}

const std::string LOG_DISTANCE = "ns3::LogDistancePropagationLossModel";

class ChangingLinksTest : public SimulatorTest, public testing::WithParamInterface<ChangingChain>
{
  protected:
    ChangingLinksTest()
        : m_radios(GetParam().models)
    {
        m_random->SetStream(1);
    }

    /**
     * @param least a number
     * @param greatest another
     * @return a number between them
     */
    double
    Draw(double least, double greatest)
    {
        return m_random->GetValue(least, greatest);
    }

    /// @return a place in a box of 1 km
    Vector
    DrawPlace()
    {
        const double x = Draw(0, 1000);
        const double y = Draw(0, 1000);
        return Vector(x, y, Draw(0, 10));
    }

    /**
     * @brief Change something at random.
     * @param moving whether radios are added that move by themselves
     */
    void
    Change(bool moving)
    {
        const uint32_t radio = m_random->GetInteger(0, m_radios.radios.size() - 1);
        switch (m_random->GetInteger(0, 6))
        {
        case 0:
            m_radios.places[radio]->SetPosition(DrawPlace());
            break;
        case 1:
            m_radios.radios[radio]->GetPhy()->SetAttribute("TxPower", DoubleValue(Draw(0, 30)));
            break;
        case 2:
            m_radios.radios[radio]->GetPhy()->SetAttribute("RxSensitivity",
                                                           DoubleValue(Draw(-110, -80)));
            break;
        case 3:
            if (moving)
            {
                m_radios.AddMoving(DrawPlace(), Vector(Draw(-50, 50), Draw(-50, 50), Draw(0, 5)));
            }
            else
            {
                m_radios.AddStill(DrawPlace());
            }
            break;
        case 4:
            m_radios.chain[GetParam().model]->SetAttribute(
                GetParam().attribute,
                DoubleValue(Draw(GetParam().values.first, GetParam().values.second)));
            break;
        case 5:
        {
            PointerValue delays;
            m_radios.channel->GetAttribute("PropagationDelayModel", delays);
            delays.GetObject()->SetAttribute("Speed", DoubleValue(Draw(1e8, 3e8)));
            break;
        }
        default: // nothing: what is kept must hold
            break;
        }
    }

    /**
     * @brief Change things, and compare links after each change.
     * @param moving whether radios are added that move by themselves
     */
    void
    ChangeAndCompare(bool moving)
    {
        for (int i = 0; i < 12; ++i)
        {
            m_radios.AddStill(DrawPlace());
        }
        std::size_t links = 0;
        for (int i = 0; i < 120; ++i)
        {
            Simulator::Schedule(Seconds(i), [&, i]() {
                // Whoever of the two is first finds out that what is kept no longer holds
                if (!HasFailure() && i % 2 == 0)
                {
                    m_radios.ExpectGroupsAsComputedAnew();
                }
                links += HasFailure() ? 0 : m_radios.ExpectAsComputedAnew();
                if (!HasFailure())
                {
                    m_radios.ExpectGroupsAsComputedAnew();
                }
                Change(moving);
            });
        }
        Simulator::Run();
        EXPECT_GT(links, 120U);
    }

    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); //!< of changes
    PlacedRadios m_radios;                                                       //!< the radios
};

INSTANTIATE_TEST_SUITE_P(
    Chains,
    ChangingLinksTest,
    testing::Values(
        ChangingChain{{LOG_DISTANCE}, 0, "Exponent", {2.5, 4}},
        ChangingChain{{LOG_DISTANCE}, 0, "ReferenceLoss", {30, 60}},
        ChangingChain{{LOG_DISTANCE, "ns3::RangePropagationLossModel[MaxRange=250]"},
                      1,
                      "MaxRange",
                      {50, 800}},
        ChangingChain{{"ns3::FriisPropagationLossModel"}, 0, "Frequency", {1e9, 3e11}},
        ChangingChain{{"ns3::ThreeLogDistancePropagationLossModel"}, 0, "Distance2", {250, 490}},
        ChangingChain{{"ns3::TwoRayGroundPropagationLossModel"}, 0, "HeightAboveZ", {0.5, 3}},
        ChangingChain{
            {LOG_DISTANCE, "ns3::collab::D2dShadowingModel"}, 1, "StandardDeviation", {0, 12}},
        ChangingChain{
            {"ns3::Cost231PropagationLossModel[MinDistance=1]"}, 0, "BSAntennaHeight", {10, 60}}));

TEST_P(ChangingLinksTest, OfRadiosThatStand)
{
    ChangeAndCompare(false);
}

TEST_P(ChangingLinksTest, OfRadiosThatMove)
{
    ChangeAndCompare(true);
}

class TopologyTest : public SimulatorTest
{
};

TEST_F(TopologyTest, WhoHeardNobodyNoticesThatTheModelChanged)
{
    for (const bool moving : {false, true})
    {
        PlacedRadios radios({LOG_DISTANCE, "ns3::RangePropagationLossModel[MaxRange=50]"});
        radios.AddStill(Vector(0, 0, 0));
        radios.AddStill(Vector(100, 0, 0));
        radios.AddMoving(Vector(200, 0, 0), Vector(moving ? 1 : 0, 0, 0));
        EXPECT_THAT(radios.channel->GetLinks(radios.radios[0]), IsEmpty());
        radios.chain[1]->SetAttribute("MaxRange", DoubleValue(150));
        EXPECT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), 1U);
        radios.chain[1]->SetAttribute("MaxRange", DoubleValue(250));
        EXPECT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), 2U);
        radios.chain[1]->SetAttribute("MaxRange", DoubleValue(150));
        EXPECT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), 1U);
    }
}

TEST_F(TopologyTest, KeptLinksOfAMatrixEndWhenAScriptSetsIt)
{
    PlacedRadios radios({"ns3::collab::D2dMatrixRssModel"});
    NodeContainer nodes;
    for (uint32_t i = 0; i < 3; ++i)
    {
        nodes.Add(radios.AddStill(Vector(0, 0, 0))->GetNode());
    }
    const auto matrix = DynamicCast<D2dMatrixRssModel>(radios.chain[0]);
    constexpr double HEARD = 1e-9;
    constexpr double NOT = 1e-30;
    matrix->SetNodes(nodes);
    matrix->SetMatrix({{NOT, NOT, NOT}, {HEARD, NOT, NOT}, {NOT, NOT, NOT}});
    const auto count = [&radios](uint32_t radio) {
        return radios.channel->GetLinks(radios.radios[radio]).size();
    };
    EXPECT_EQ(count(0), 1U); // the column is the transmitter
    EXPECT_EQ(count(1), 0U);
    matrix->SetMatrix({{NOT, NOT, NOT}, {HEARD, NOT, NOT}, {HEARD, HEARD, NOT}});
    EXPECT_EQ(count(0), 2U);
    EXPECT_EQ(count(1), 1U);
    matrix->SetNodes(NodeContainer(NodeContainer(nodes.Get(1), nodes.Get(0)), nodes.Get(2)));
    EXPECT_EQ(count(0), 1U);
    EXPECT_EQ(count(1), 2U);
}

/// A model of a user: 100 dB, however far; it counts how often it is asked
class CountedModel : public PropagationLossModel
{
  public:
    /// @return the object TypeId
    static TypeId
    GetTypeId()
    {
        static TypeId tid =
            TypeId("CountedModel").SetParent<PropagationLossModel>().AddConstructor<CountedModel>();
        return tid;
    }

    mutable uint32_t asked = 0; //!< powers that were computed
    double lossDb = 100;        //!< what it takes away [dB]

  private:
    double
    DoCalcRxPower(double txPowerDbm, Ptr<MobilityModel>, Ptr<MobilityModel>) const override
    {
        ++asked;
        return txPowerDbm - lossDb;
    }

    int64_t
    DoAssignStreams(int64_t) override
    {
        return 0;
    }
};

/// The same, which tells of its changes
class TellingModel : public CountedModel
{
  public:
    /// @return the object TypeId
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("TellingModel")
                                .SetParent<CountedModel>()
                                .AddConstructor<TellingModel>()
                                .AddAttribute("Changes",
                                              "How often it has changed.",
                                              TypeId::ATTR_GET,
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&TellingModel::m_changes),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    /// @param loss what it takes away from now on [dB]
    void
    SetLossDb(double loss)
    {
        lossDb = loss;
        ++m_changes;
    }

  private:
    uint32_t m_changes = 0; //!< see SetLossDb()
};

NS_OBJECT_ENSURE_REGISTERED(CountedModel);
NS_OBJECT_ENSURE_REGISTERED(TellingModel);

/**
 * @param radios radios over a chain that begins with a CountedModel
 * @return how often the model is asked at a send when all was known from one before
 */
uint32_t
CountAsked(const PlacedRadios& radios)
{
    const auto model = DynamicCast<CountedModel>(radios.chain[0]);
    radios.channel->GetLinks(radios.radios[0]);
    const uint32_t before = model->asked;
    EXPECT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), radios.radios.size() - 1);
    return model->asked - before;
}

/// Ten radios that stand
class KeepingTest : public SimulatorTest
{
  protected:
    /**
     * @param models TypeId names of a chain
     * @return radios over it
     */
    static std::unique_ptr<PlacedRadios>
    Make(const std::vector<std::string>& models)
    {
        auto radios = std::make_unique<PlacedRadios>(models);
        for (int i = 0; i < 10; ++i)
        {
            radios->AddStill(Vector(i, 0, 0));
        }
        return radios;
    }

    static constexpr uint32_t ALL = 2 * 9; //!< powers of all links of a radio, both ways
    static constexpr uint32_t ONE = 1;     //!< power of the one that is looked at again
    static constexpr uint32_t NONE = 0;    //!< where each change can be read
};

TEST_F(KeepingTest, AUsersModelIsKeptIfItOrTheScriptSaysSo)
{
    const auto silent = Make({"CountedModel"});
    EXPECT_EQ(CountAsked(*silent), ALL);
    EXPECT_THAT(silent->channel->ExplainUnkeptLinks(), testing::HasSubstr("CountedModel"));
    silent->channel->SetAttribute("KeepLinks", StringValue("Always"));
    EXPECT_EQ(CountAsked(*silent), ONE);
    EXPECT_EQ(silent->channel->ExplainUnkeptLinks(), "");

    const auto telling = Make({"TellingModel"});
    EXPECT_EQ(CountAsked(*telling), NONE);
    EXPECT_EQ(telling->channel->ExplainUnkeptLinks(), "");
    const double before = telling->channel->GetLinks(telling->radios[0])[3].rssW;
    DynamicCast<TellingModel>(telling->chain[0])->SetLossDb(110);
    EXPECT_NEAR(telling->channel->GetLinks(telling->radios[0])[3].rssW, before / 10, before * 1e-9);
    telling->channel->SetAttribute("KeepLinks", StringValue("Never"));
    EXPECT_EQ(CountAsked(*telling), ALL);
    EXPECT_EQ(telling->channel->ExplainUnkeptLinks(), "KeepLinks is Never");
}

TEST_F(KeepingTest, ARandomModelIsNeverKeptOfItself)
{
    const auto radios = Make({"TellingModel", "ns3::NakagamiPropagationLossModel"});
    EXPECT_EQ(CountAsked(*radios), ALL);
    EXPECT_THAT(radios->channel->ExplainUnkeptLinks(), testing::HasSubstr("Nakagami"));
    const double before = radios->channel->GetLinks(radios->radios[0])[3].rssW;
    EXPECT_NE(radios->channel->GetLinks(radios->radios[0])[3].rssW, before);
}

TEST_F(KeepingTest, ShadowingIsKeptUntilItsStreamIsSet)
{
    const auto radios =
        Make({"TellingModel", "ns3::collab::D2dShadowingModel[StandardDeviation=2]"});
    EXPECT_EQ(CountAsked(*radios), NONE);
    const double before = radios->channel->GetLinks(radios->radios[0])[3].rssW;
    radios->chain[1]->AssignStreams(77);
    EXPECT_NE(radios->channel->GetLinks(radios->radios[0])[3].rssW, before);
}

TEST_F(KeepingTest, AModelThatIsAppendedOrTakenAwayIsNoticed)
{
    const auto radios = Make({"TellingModel", "ns3::collab::D2dShadowingModel"});
    const auto shadowed = radios->channel->GetLinks(radios->radios[0])[3].rssW;
    radios->chain[0]->SetNext(nullptr);
    const auto plain = radios->channel->GetLinks(radios->radios[0])[3].rssW;
    EXPECT_NE(shadowed, plain);
    radios->chain[0]->SetNext(radios->chain[1]);
    EXPECT_EQ(radios->channel->GetLinks(radios->radios[0])[3].rssW, shadowed);
}

TEST_F(KeepingTest, WhatNoAttributeShowsIsNoticed)
{
    const auto expectNoticed = [](const std::string& model, const auto& change) {
        PlacedRadios radios({model});
        radios.AddStill(Vector(0, 0, 25));
        radios.AddStill(Vector(100, 0, 1.5));
        ASSERT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), 1U) << model;
        const double before = radios.channel->GetLinks(radios.radios[0])[0].rssW;
        change(radios.chain[0]);
        ASSERT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), 1U) << model;
        EXPECT_NE(radios.channel->GetLinks(radios.radios[0])[0].rssW, before) << model;
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
    for (const std::string name : {"FixedRssLossModel",
                                   "FriisPropagationLossModel",
                                   "Kun2600MhzPropagationLossModel",
                                   "LogDistancePropagationLossModel",
                                   "OkumuraHataPropagationLossModel",
                                   "RangePropagationLossModel",
                                   "ThreeLogDistancePropagationLossModel",
                                   "TwoRayGroundPropagationLossModel"})
    {
        const auto model = ObjectFactory("ns3::" + name).Create<PropagationLossModel>();
        EXPECT_TRUE(ShowD2dChanges(model)) << name;
        const TypeId type = model->GetInstanceTypeId();
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
        EXPECT_FALSE(ShowD2dChanges(ObjectFactory("ns3::" + name).Create<PropagationLossModel>()));
    }
}

TEST_F(KeepingTest, HintsTellWhatTakesLonger)
{
    const auto hints = [](const PlacedRadios& radios, const Settings& settings) {
        for (const auto& [name, value] : settings)
        {
            radios.channel->SetAttribute(name, StringValue(value));
        }
        return radios.channel->FindHints();
    };
    const auto fragments = testing::ElementsAre(testing::HasSubstr("Fidelity=Burst is not in use"));
    const auto radios = Make({"TellingModel"});
    EXPECT_THAT(hints(*radios, {}), IsEmpty());
    EXPECT_THAT(hints(*radios, {{"Access", "Shared"}}), IsEmpty()) << "streaks are drawn whole";
    const auto setAtAll = [&radios](const char* name, const char* value) {
        for (std::size_t i = 0; i < radios->channel->GetNDevices(); ++i)
        {
            DynamicCast<D2dNetDevice>(radios->channel->GetDevice(i))
                ->GetMac()
                ->SetAttribute(name, StringValue(value));
        }
    };
    setAtAll("Combining", "Chase");
    EXPECT_THAT(hints(*radios, {}), fragments);
    EXPECT_THAT(hints(*radios, {{"Fidelity", "Packet"}}), IsEmpty());
    EXPECT_THAT(hints(*radios, {{"Fidelity", "Burst"}, {"Access", "Ofdma"}}), IsEmpty());
    EXPECT_THAT(hints(*radios, {{"Subchannels", "2"}}), fragments);
    setAtAll("Arq", "SelectiveRepeat");
    EXPECT_THAT(hints(*radios, {}), IsEmpty()) << "rounds are drawn whole there";
    const auto silent = Make({"CountedModel"});
    EXPECT_THAT(hints(*silent, {}),
                testing::ElementsAre(testing::AllOf(testing::HasSubstr("links are computed anew"),
                                                    testing::HasSubstr("CountedModel"))));
    EXPECT_THAT(hints(*silent, {{"KeepLinks", "Always"}}), IsEmpty());
    EXPECT_THAT(hints(*silent, {{"KeepLinks", "Never"}}), IsEmpty()) << "as the script wants it";
}

TEST_F(KeepingTest, AHintTellsWhoIsNoNeighborWhileItTrains)
{
    const auto radios = Make({"TellingModel"});
    const auto discovery = DynamicCast<D2dNetDevice>(radios->channel->GetDevice(0))->GetDiscovery();
    discovery->SetAttribute("BeaconInterval", StringValue("0s"));
    EXPECT_THAT(radios->channel->FindHints(), IsEmpty()) << "neighbors are known for nothing";
    discovery->SetAttribute("NeighborDiscovery", StringValue("Measured"));
    EXPECT_THAT(radios->channel->FindHints(),
                testing::ElementsAre(testing::HasSubstr("BeaconInterval above 0")));
    discovery->SetAttribute("BeaconInterval", StringValue("1s"));
    EXPECT_THAT(radios->channel->FindHints(), IsEmpty());
}

TEST_F(KeepingTest, RadiosThatMoveAreNamed)
{
    PlacedRadios radios({"TellingModel"});
    radios.AddStill(Vector(0, 0, 0));
    EXPECT_EQ(radios.channel->ExplainUnkeptLinks(), "");
    const auto device = radios.AddMoving(Vector(9, 0, 0), Vector(1, 0, 0));
    EXPECT_EQ(radios.channel->ExplainUnkeptLinks(),
              "node " + std::to_string(device->GetNode()->GetId()) + " moves by itself");
}

TEST_F(TopologyTest, WhoClimbsIsHeardFarther)
{
    PlacedRadios radios({"ns3::TwoRayGroundPropagationLossModel"});
    radios.AddStill(Vector(0, 0, 1));
    // 40 log10(5000) = 148 dB are too much for 20 dBm and -120 dBm; at 25 m it is in range
    radios.AddMoving(Vector(5000, 0, 1), Vector(0, 0, 1));
    EXPECT_THAT(radios.channel->GetLinks(radios.radios[0]), IsEmpty());
    for (int second = 1; second < 200; second += 10)
    {
        Simulator::Schedule(Seconds(second), [&radios]() { radios.ExpectAsComputedAnew(); });
    }
    Simulator::Stop(Seconds(200));
    Simulator::Run();
    EXPECT_EQ(radios.channel->GetLinks(radios.radios[0]).size(), 1U);
}

TEST_F(TopologyTest, RandomWaypointsMeetTheLinksOfTheMoment)
{
    PlacedRadios radios({LOG_DISTANCE});
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    ObjectFactory allocators("ns3::RandomRectanglePositionAllocator",
                             "X",
                             StringValue("ns3::UniformRandomVariable[Max=1000]"),
                             "Y",
                             StringValue("ns3::UniformRandomVariable[Max=1000]"));
    Ptr<PositionAllocator> allocator = allocators.Create<PositionAllocator>();
    allocator->AssignStreams(50);
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
        walker->SetPosition(Vector(random->GetValue(0, 1000), random->GetValue(0, 1000), 0));
        radios.Add(walker)->GetPhy()->SetAttribute("RxSensitivity", DoubleValue(-100));
    }
    std::vector<std::size_t> counts;
    for (int second = 1; second < 100; ++second)
    {
        Simulator::Schedule(Seconds(second),
                            [&]() { counts.push_back(radios.ExpectAsComputedAnew()); });
    }
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    EXPECT_NE(counts.front(), counts.back());
    EXPECT_THAT(counts, testing::Each(testing::Gt(50U)));
}

/// Bursts of radios that move, in both fidelities
class MobilityTest : public TopologyTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param models the chain
     * @return radios of this fidelity
     */
    static std::unique_ptr<PlacedRadios>
    Make(const std::vector<std::string>& models)
    {
        auto radios = std::make_unique<PlacedRadios>(models);
        radios->channel->SetAttribute("Fidelity", StringValue(GetParam()));
        return radios;
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, MobilityTest, testing::Values("Packet", "Burst"));

TEST_P(MobilityTest, WhoWalksOutOfRangeIsLost)
{
    const auto radios =
        Make({"ns3::FixedRssLossModel[Rss=0]", "ns3::RangePropagationLossModel[MaxRange=100]"});
    radios->AddStill(Vector(0, 0, 0));
    radios->AddMoving(Vector(50, 0, 0), Vector(10, 0, 0)); // leaves at 5 s
    for (int second = 1; second < 10; ++second)
    {
        Simulator::Schedule(Seconds(second - 0.5), [&radios]() {
            radios->Send(0, 1);
            radios->Send(0, TestNetwork::BROADCAST);
        });
    }
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    ASSERT_EQ(radios->reports.size(), 18U);
    for (const auto& report : radios->reports)
    {
        const bool inRange = report.start < Seconds(5);
        if (!report.burst->destination.IsGroup())
        {
            EXPECT_EQ(report.outcomes.at(0).reason,
                      inRange ? D2dLossReason::NONE : D2dLossReason::OUT_OF_RANGE);
            continue;
        }
        ASSERT_EQ(report.outcomes.size(), inRange ? 1U : 0U);
        EXPECT_TRUE(!inRange || report.outcomes[0].delivered);
    }
}

TEST_P(MobilityTest, PositionsAreReadWhenABurstBegins)
{
    const auto radios =
        Make({"ns3::FixedRssLossModel[Rss=0]", "ns3::RangePropagationLossModel[MaxRange=100]"});
    radios->AddStill(Vector(0, 0, 0));
    radios->AddMoving(Vector(90, 0, 0), Vector(10, 0, 0)); // leaves at 1 s
    radios->Send(0, 1, 500000);                            // queued until 0 s, on air for 4 s
    radios->Send(0, 1, 500000);                            // queued until 4 s
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    ASSERT_EQ(radios->reports.size(), 2U);
    EXPECT_GT(radios->reports[0].end, Seconds(4));
    EXPECT_TRUE(radios->reports[0].outcomes.at(0).delivered);
    const Time delay = radios->reports[0].outcomes[0].ended - radios->reports[0].end;
    EXPECT_EQ(delay.GetNanoSeconds(), std::llround(90e9 / LIGHT_SPEED)) << "where it was then";
    EXPECT_EQ(radios->reports[1].outcomes.at(0).reason, D2dLossReason::OUT_OF_RANGE);
}

TEST_P(MobilityTest, EveryReceiverHasItsOwnDelay)
{
    const auto radios = Make({"ns3::FixedRssLossModel[Rss=0]"});
    const std::vector<double> distances = {300000, 30, 3000};
    radios->AddStill(Vector(0, 0, 0));
    for (const double distance : distances)
    {
        radios->AddStill(Vector(0, distance, 0));
    }
    radios->Send(0, TestNetwork::BROADCAST);
    Simulator::Run();
    radios->channel->SetPropagationDelayModel(nullptr);
    radios->Send(0, TestNetwork::BROADCAST);
    Simulator::Run();
    ASSERT_EQ(radios->reports.size(), 2U);
    for (std::size_t i = 0; i < distances.size(); ++i)
    {
        const Time delay = radios->reports[0].outcomes.at(i).ended - radios->reports[0].end;
        EXPECT_EQ(delay.GetNanoSeconds(), std::llround(distances[i] * 1e9 / LIGHT_SPEED));
        EXPECT_EQ(radios->reports[1].outcomes.at(i).ended, radios->reports[1].end)
            << "no model, no delay";
    }
}

TEST_P(MobilityTest, DelaysAreRoundedUpToTheResolution)
{
    const auto radios = Make({"ns3::FixedRssLossModel[Rss=0]"});
    radios->channel->SetAttribute("DelayResolution", TimeValue(MicroSeconds(1)));
    radios->AddStill(Vector(0, 0, 0));
    const std::vector<std::pair<double, int64_t>> delaysOf = {{0, 0}, {30, 1}, {290, 1}, {300, 2}};
    for (const auto& [distance, microseconds] : delaysOf)
    {
        radios->AddStill(Vector(0, distance, 0));
    }
    radios->Send(0, TestNetwork::BROADCAST);
    Simulator::Run();
    for (std::size_t i = 0; i < delaysOf.size(); ++i)
    {
        const Time delay = radios->reports.at(0).outcomes.at(i).ended - radios->reports[0].end;
        EXPECT_EQ(delay, MicroSeconds(delaysOf[i].second));
    }
    const D2dBurst broadcast{
        Create<Packet>(1), Mac48Address::GetBroadcast(), TestNetwork::PROTOCOL};
    EXPECT_EQ(radios->channel->GetAudience(*radios->radios[0]->GetPhy(), broadcast)->groups.size(),
              3U)
        << "those of one delay share events";
}

TEST_P(MobilityTest, RandomDelayIsDrawnForEveryBurst)
{
    const auto radios = Make({"ns3::FixedRssLossModel[Rss=0]"});
    radios->channel->SetAttribute(
        "PropagationDelayModel",
        PointerValue(CreateObjectWithAttributes<RandomPropagationDelayModel>(
            "Variable", StringValue("ns3::UniformRandomVariable[Min=1e-6|Max=1e-3|Stream=9]"))));
    radios->AddStill(Vector(0, 0, 0));
    radios->AddStill(Vector(100, 0, 0));
    std::set<Time> delays;
    for (int i = 0; i < 10; ++i)
    {
        radios->Send(0, TestNetwork::BROADCAST);
        Simulator::Run();
        delays.insert(radios->reports.back().outcomes.at(0).ended - radios->reports.back().end);
    }
    EXPECT_EQ(delays.size(), 10U);
}

} // namespace
