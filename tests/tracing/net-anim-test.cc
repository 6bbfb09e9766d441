/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/collab-net-anim-file.h"
#include "ns3/collab-net-anim-recorder.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/energy-source-container.h"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <filesystem>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::tests::ReadFile;
namespace fs = std::filesystem;

namespace
{

constexpr uint16_t KIND = 7;

/// An element of the animation: its name and its attributes
struct Element
{
    std::string name;
    std::map<std::string, std::string> attributes;

    std::string
    At(const std::string& attribute) const
    {
        return attributes.at(attribute);
    }

    double
    Number(const std::string& attribute) const
    {
        return std::stod(attributes.at(attribute));
    }
};

/// A protocol that ends a round every second
class IdleApplication : public CollaborationApplication
{
    void
    DoStart() override
    {
    }

    Process
    Round() override
    {
        co_await Delay(Seconds(1));
    }
};

class NetAnimTest : public tests::DeviceNetwork
{
  protected:
    NetAnimTest()
    {
        fs::create_directories(m_folder.path);
    }

    /// Let all devices take part in messages.
    void
    Listen(const std::string& kind = "count")
    {
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            GetTransport(i)->RegisterKind(KIND, kind, nullptr, [](const Message&) {});
        }
        WatchTransports();
    }

    /// Broadcast a message from each device in turn, one every 100 ms.
    void
    Chat(uint32_t messages)
    {
        for (uint32_t i = 0; i < messages; ++i)
        {
            Simulator::Schedule(MilliSeconds(100 * i), [this, i]() {
                GetTransport(i % m_nodes.GetN())->Broadcast({KIND, i, nullptr});
            });
        }
    }

    /// Record the nodes in the file for some time [s].
    void
    Record(double seconds, const NetAnimOptions& options = {}) const
    {
        NetAnimRecorder recorder(m_path, m_nodes, options);
        ::tests::RunFor(Seconds(seconds));
    }

    /// @return all elements of the animation, or those of one name
    std::vector<Element>
    Read(const std::string& name = "") const
    {
        boost::property_tree::ptree tree;
        boost::property_tree::read_xml(m_path.string(), tree);
        EXPECT_EQ(tree.get<std::string>("anim.<xmlattr>.ver"), "netanim-3.108");
        EXPECT_EQ(tree.get<std::string>("anim.<xmlattr>.filetype"), "animation");
        std::vector<Element> elements;
        for (const auto& [tag, child] : tree.get_child("anim"))
        {
            if (tag == "<xmlattr>" || (!name.empty() && tag != name))
            {
                continue;
            }
            Element element{tag, {}};
            for (const auto& [attribute, value] : child.get_child("<xmlattr>"))
            {
                element.attributes[attribute] = value.get_value<std::string>();
            }
            elements.push_back(element);
        }
        return elements;
    }

    /// @return updates of nodes of one kind: p, c or d
    std::vector<Element>
    Updates(const std::string& kind) const
    {
        std::vector<Element> updates;
        for (const auto& element : Read("nu"))
        {
            if (element.At("p") == kind)
            {
                updates.push_back(element);
            }
        }
        return updates;
    }

    const ::tests::OwnFolder m_folder;
    const fs::path m_path = m_folder.path / "run.xml";
};

} // namespace

TEST_F(NetAnimTest, EveryMessageIsAPacketToEachDeviceThatItWasMeantFor)
{
    Options options;
    options.outage = 0.4;
    MakeDevices(options);
    Listen();
    Chat(40);
    Record(10);
    const std::vector<Element> packets = Read("p");
    ASSERT_EQ(m_outcomes.size(), 80U);
    ASSERT_EQ(packets.size(), 80U);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        const MessageOutcome& outcome = m_outcomes[i];
        EXPECT_EQ(packets[i].Number("fId"), outcome.sender);
        EXPECT_EQ(packets[i].Number("tId"), outcome.receiver);
        EXPECT_NEAR(packets[i].Number("fbTx"), outcome.start.GetSeconds(), 1e-9);
        EXPECT_NEAR(
            packets[i].Number("lbTx"), (outcome.start + outcome.airtime).GetSeconds(), 1e-9);
        EXPECT_NEAR(packets[i].Number("fbRx"), outcome.end.GetSeconds(), 1e-9);
        EXPECT_EQ(packets[i].At("fbRx"), packets[i].At("lbRx"));
        EXPECT_LE(packets[i].Number("lbTx"), packets[i].Number("fbRx"));
        EXPECT_THAT(packets[i].At("meta-info"),
                    HasSubstr("count round " + std::to_string(outcome.round) + " "));
        if (!outcome.delivered)
        {
            ++lost;
            EXPECT_THAT(packets[i].At("meta-info"), HasSubstr("lost: outage"));
        }
        else
        {
            EXPECT_THAT(packets[i].At("meta-info"), Not(HasSubstr("lost")));
        }
    }
    EXPECT_GT(lost, 10U);
    EXPECT_LT(lost, 60U);
}

TEST_F(NetAnimTest, NodesAreWhereTheyAreAndTimesAscend)
{
    MakeDevices({});
    Ptr<ConstantVelocityMobilityModel> moving = CreateObject<ConstantVelocityMobilityModel>();
    Ptr<Node> walker = CreateObject<Node>();
    walker->AggregateObject(moving);
    moving->SetPosition(Vector(10, 20, 0));
    moving->SetVelocity(Vector(2, -4, 0));
    m_nodes.Add(walker);
    Record(2.1, {MilliSeconds(500)});
    const std::vector<Element> nodes = Read("node");
    ASSERT_EQ(nodes.size(), 4U);
    EXPECT_EQ(nodes[3].Number("id"), walker->GetId());
    EXPECT_EQ(nodes[3].Number("locX"), 10);
    EXPECT_EQ(nodes[3].Number("locY"), 20);
    const std::vector<Element> moves = Updates("p");
    ASSERT_EQ(moves.size(), 4U) << "only one node moves";
    for (std::size_t i = 0; i < moves.size(); ++i)
    {
        const double time = 0.5 * (static_cast<double>(i) + 1);
        EXPECT_EQ(moves[i].Number("id"), walker->GetId());
        EXPECT_NEAR(moves[i].Number("t"), time, 1e-9);
        EXPECT_NEAR(moves[i].Number("x"), 10 + 2 * time, 1e-9);
        EXPECT_NEAR(moves[i].Number("y"), 20 - 4 * time, 1e-9);
    }
    double last = 0;
    for (const auto& element : Read())
    {
        const bool timed = element.attributes.count("t") > 0 && element.name != "ncs";
        const double time = timed ? element.Number("t") : last;
        EXPECT_GE(time, last);
        last = time;
    }
    EXPECT_NEAR(last, 2.0, 1e-9);
}

TEST_F(NetAnimTest, BatteriesAreCountedAndColored)
{
    Options options;
    options.batteryJ = 0.3;
    MakeDevices(options);
    Record(5);
    EXPECT_EQ(Read("ncs").at(0).At("n"), "RemainingEnergy [J]");
    std::vector<double> joules;
    for (const auto& element : Read("nc"))
    {
        if (element.At("i") == "0")
        {
            joules.push_back(element.Number("v"));
        }
    }
    ASSERT_GT(joules.size(), 2U);
    EXPECT_NEAR(joules.front(), 0.3, 1e-12);
    EXPECT_TRUE(std::is_sorted(joules.rbegin(), joules.rend()));
    EXPECT_NEAR(joules.back(), 0, 1e-6);
    const std::vector<Element> colors = Updates("c");
    EXPECT_EQ(colors.at(0).At("g"), "255");
    EXPECT_EQ(colors.at(0).At("r"), "0");
    EXPECT_EQ(colors.at(3).At("id"), "0");
    EXPECT_LT(colors.at(3).Number("g"), 255);
    EXPECT_EQ(colors.at(3).Number("r"), 255 - colors.at(3).Number("g"));
}

TEST_F(NetAnimTest, TheRunIsTheSameWithARecorder)
{
    std::vector<std::vector<MessageOutcome>> outcomes;
    std::vector<double> joules;
    for (const bool recorded : {false, true})
    {
        Options options;
        options.outage = 0.4;
        MakeDevices(options);
        Listen();
        std::unique_ptr<NetAnimRecorder> recorder;
        if (recorded)
        {
            recorder = std::make_unique<NetAnimRecorder>(
                m_path, m_nodes, NetAnimOptions{MilliSeconds(7), true});
        }
        Chat(20);
        ::tests::RunFor(Seconds(4));
        outcomes.push_back(m_outcomes);
        Ptr<EnergySource> battery = m_nodes.Get(0)->GetObject<EnergySourceContainer>()->Get(0);
        // BasicEnergySource rounds at each of its updates, and whoever asks it makes it update
        joules.push_back(battery->GetRemainingEnergy());
        recorder.reset();
        DeviceNetwork::TearDown();
    }
    EXPECT_EQ(joules[0], joules[1]);
    ASSERT_EQ(outcomes[0].size(), outcomes[1].size());
    for (std::size_t i = 0; i < outcomes[0].size(); ++i)
    {
        EXPECT_EQ(outcomes[0][i].end, outcomes[1][i].end);
        EXPECT_EQ(outcomes[0][i].delivered, outcomes[1][i].delivered);
    }
}

TEST_F(NetAnimTest, LinksAreThoseInRangeWithTheirQuality)
{
    NodeContainer nodes(3);
    const double places[] = {0, 100, 1e7};
    for (uint32_t i = 0; i < 3; ++i)
    {
        Ptr<ConstantVelocityMobilityModel> mobility = CreateObject<ConstantVelocityMobilityModel>();
        mobility->SetPosition(Vector(places[i], 0, 0));
        nodes.Get(i)->AggregateObject(mobility);
    }
    D2dHelper d2d;
    // -50 dBm up to 1000 m, nothing beyond
    d2d.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", DoubleValue(-50));
    d2d.AddPropagationLossModel("ns3::RangePropagationLossModel", "MaxRange", DoubleValue(1000));
    d2d.SetChannelAttribute("OutageModel",
                            StringValue("ns3::collab::D2dFixedOutageModel[Probability=0.25]"));
    d2d.Install(nodes);
    nodes.Get(1)->GetObject<ConstantVelocityMobilityModel>()->SetVelocity(Vector(1000, 0, 0));
    {
        NetAnimRecorder recorder(m_path, nodes, {Seconds(1), true});
        ::tests::RunFor(Seconds(3.5));
    }
    const std::vector<Element> links = Read("link");
    ASSERT_EQ(links.size(), 1U);
    EXPECT_EQ(links[0].At("fromId"), "0");
    EXPECT_EQ(links[0].At("toId"), "1");
    std::vector<std::string> texts;
    for (const auto& update : Read("linkupdate"))
    {
        EXPECT_EQ(update.At("fromId") + update.At("toId"), "01");
        texts.push_back(update.At("t") + " " + update.At("ld"));
    }
    EXPECT_THAT(texts,
                ElementsAre("0.000000000 -50.0 dBm, outage 0.25", "1.000000000 out of range"));
}

TEST_F(NetAnimTest, LinksAreNotAskedForUnlessWanted)
{
    MakeDevices({});
    Record(1);
    EXPECT_THAT(Read("link"), IsEmpty());
}

TEST_F(NetAnimTest, NodesTellTheirRound)
{
    MakeDevices({});
    Ptr<IdleApplication> application = CreateObject<IdleApplication>();
    application->SetLearnerPool(CreateObject<LearnerPool>());
    m_nodes.Get(1)->AddApplication(application);
    Record(2.5);
    std::vector<std::string> texts;
    for (const auto& update : Updates("d"))
    {
        texts.push_back(update.At("t").substr(0, 3) + " " + update.At("descr"));
    }
    EXPECT_THAT(texts, ElementsAre("0.0 0", "0.0 1", "0.0 2", "1.0 1, round 1", "2.0 1, round 2"));
}

TEST_F(NetAnimTest, TextsOfAnyKindAreXml)
{
    MakeDevices({});
    Listen("a<b> & \"c\" 'd' \x01");
    Chat(1);
    Record(1);
    EXPECT_THAT(Read("p").at(0).At("meta-info"), HasSubstr("a<b> & \"c\" 'd' ? round 0"));
    EXPECT_THAT(ReadFile(m_path), HasSubstr("\"a&lt;b&gt; &amp; &quot;c&quot; 'd' ? round 0"));
}

TEST_F(NetAnimTest, AKilledRunLeavesWholeLinesUpToItsLastLook)
{
    MakeDevices({});
    Listen();
    NetAnimRecorder recorder(m_path, m_nodes);
    Chat(20);
    ::tests::RunFor(Seconds(1.9));
    const std::string written = ReadFile(m_path);
    EXPECT_THAT(written, Not(HasSubstr("</anim>")));
    EXPECT_EQ(written.substr(written.size() - 3), "/>\n");
    // 1.75 s, the last look, is behind 18 broadcasts
    std::size_t packets = 0;
    for (auto at = written.find("<p "); at != std::string::npos; at = written.find("<p ", at + 1))
    {
        ++packets;
    }
    EXPECT_EQ(packets, 36U);
}

TEST_F(NetAnimTest, TheRecorderEndsWithTheRun)
{
    NodeContainer nodes(2);
    MobilityHelper().Install(nodes);
    NetAnimRecorder recorder(m_path, nodes);
    Simulator::Schedule(Seconds(1), []() {});
    Simulator::Run(); // would not return
    EXPECT_LE(Simulator::Now(), Seconds(1.25));
}

TEST_F(NetAnimTest, AFileThatCannotBeMadeIsAnError)
{
    MakeDevices({});
    EXPECT_THROW(NetAnimRecorder("/nowhere/at/all.xml", m_nodes), UserError);
}

TEST(NetAnimColorsTest, AreTheSameInAllComponentsOnly)
{
    const NetAnimFile::Color color{10, 20, 30};
    EXPECT_TRUE(color == (NetAnimFile::Color{10, 20, 30}));
    EXPECT_FALSE(color == (NetAnimFile::Color{11, 20, 30}));
    EXPECT_FALSE(color == (NetAnimFile::Color{10, 21, 30}));
    EXPECT_FALSE(color == (NetAnimFile::Color{10, 20, 31}));
}
