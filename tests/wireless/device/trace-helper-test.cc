/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-trace-helper.h"
#include "ns3/pcap-file.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <numeric>
#include <sstream>
#include <unistd.h>

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace ns3
{
namespace collab
{
namespace tests
{
namespace
{

namespace fs = std::filesystem;

/// One record of a pcap file
struct Record
{
    uint64_t microseconds = 0;  //!< time stamp
    uint32_t length = 0;        //!< bytes of the frame
    std::vector<uint8_t> bytes; //!< those that the file has
};

/// A pcap file that was read back
struct Capture
{
    uint32_t linkType = 0;       //!< of all frames
    uint32_t snapLength = 0;     //!< bytes that a record has at most
    std::vector<Record> records; //!< in the order of the file
};

Capture
ReadPcap(const std::string& path)
{
    PcapFile file;
    file.Open(path, std::ios::in);
    EXPECT_FALSE(file.Fail()) << path;
    Capture capture;
    capture.linkType = file.GetDataLinkType();
    capture.snapLength = file.GetSnapLen();
    std::vector<uint8_t> buffer(1 << 20);
    while (true)
    {
        uint32_t seconds;
        uint32_t microseconds;
        uint32_t included;
        uint32_t original;
        uint32_t read;
        file.Read(buffer.data(), buffer.size(), seconds, microseconds, included, original, read);
        if (file.Fail() || file.Eof())
        {
            return capture;
        }
        EXPECT_EQ(read, included);
        capture.records.push_back({seconds * 1000000ULL + microseconds,
                                   original,
                                   {buffer.begin(), buffer.begin() + read}});
    }
}

std::vector<std::string>
ReadLines(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

std::vector<uint64_t>
Times(const Capture& capture)
{
    std::vector<uint64_t> times;
    for (const auto& record : capture.records)
    {
        times.push_back(record.microseconds);
    }
    return times;
}

/// First character of each line
std::string
Events(const std::vector<std::string>& lines)
{
    std::string events;
    for (const auto& line : lines)
    {
        events += line.at(0);
    }
    return events;
}

/// Two devices without back-off, and a folder for what they write
class TraceHelperTest : public SimulatorTest
{
  protected:
    TraceHelperTest()
        : m_folder(fs::temp_directory_path() /
                   (std::string("collab-trace-helper-test-") +
                    ::testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
                    std::to_string(getpid()))) // tests run side by side
    {
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }

    ~TraceHelperTest() override
    {
        fs::remove_all(m_folder);
    }

    void
    MakeNetwork(const std::string& fidelity)
    {
        m_network.reset();
        Simulator::Destroy();
        m_network = std::make_unique<TestNetwork>(
            2,
            Settings{{"ContentionWindow", "1"}, {"FragmentSize", "300"}, {"TxQueue", QUEUE}},
            Settings{{"Fidelity", fidelity}});
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_helper.EnablePcap(m_folder / fidelity, m_network->Device(i));
            m_helper.EnableAscii(m_folder / fidelity, m_network->Device(i));
        }
    }

    /// Send bytes that count up from 0 to the other device.
    void
    Send(uint32_t size)
    {
        std::vector<uint8_t> bytes(size);
        std::iota(bytes.begin(), bytes.end(), 0);
        m_network->Device(0)->GetMac()->SendBurst({Create<Packet>(bytes.data(), size),
                                                   m_network->Address(1),
                                                   0x0800,
                                                   D2dReliability::BEST_EFFORT});
    }

    /// End the run, so that all files are written out.
    void
    Finish()
    {
        Simulator::Run();
        m_network.reset();
        Simulator::Destroy();
    }

    std::string
    File(const std::string& fidelity, uint32_t node, const std::string& suffix) const
    {
        return m_folder / (fidelity + "-" + std::to_string(node) + "-0." + suffix);
    }

    static constexpr auto QUEUE = "ns3::DropTailQueue<Packet>[MaxSize=2p]";

    fs::path m_folder;
    D2dTraceHelper m_helper;
    std::unique_ptr<TestNetwork> m_network;
};

/// Header of a frame from the first device of a network to the second one
std::vector<uint8_t>
WireHeader(uint8_t fragment, uint8_t fragments, uint16_t packetBytes)
{
    return {0,
            0,
            0,
            0,
            0,
            2, // to
            0,
            0,
            0,
            0,
            0,
            1, // from
            0x08,
            0x00, // protocol
            0,
            0,
            0,
            1, // burst
            0,
            0,
            0,
            fragment, // number of the fragment
            0,
            0,
            0,
            fragments, // fragments of the burst
            0,
            0,
            uint8_t(packetBytes >> 8),
            uint8_t(packetBytes)};
}

} // namespace

TEST_F(TraceHelperTest, PcapHasEveryFragmentOnTheAirAsItIs)
{
    MakeNetwork("Packet");
    Send(700);
    Finish();
    // 3 fragments of 234 + 34 bytes at 1 Mbit/s
    const Capture sent = ReadPcap(File("Packet", 0, "pcap"));
    EXPECT_EQ(sent.linkType, 147U);
    EXPECT_EQ(sent.snapLength, 65535U);
    EXPECT_THAT(Times(sent), ElementsAre(0, 2144, 4288));
    for (uint8_t i = 0; i < 3; ++i)
    {
        const Record& record = sent.records.at(i);
        EXPECT_EQ(record.length, 268U);
        std::vector<uint8_t> frame = WireHeader(i, 3, 700);
        for (uint32_t byte = i * 234U; byte < std::min(700U, (i + 1) * 234U); ++byte)
        {
            frame.push_back(static_cast<uint8_t>(byte));
        }
        frame.resize(268, 0); // padding of the last one, check sequence
        EXPECT_EQ(record.bytes, frame) << "fragment " << +i;
    }
    // 100 m take 0.33 us
    const Capture received = ReadPcap(File("Packet", 1, "pcap"));
    EXPECT_THAT(Times(received), ElementsAre(2144, 4288, 6432));
    for (uint8_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(received.records.at(i).bytes, sent.records.at(i).bytes);
    }
}

TEST_F(TraceHelperTest, PcapHasABurstAsOneFrame)
{
    MakeNetwork("Burst");
    Send(700);
    Finish();
    const Capture sent = ReadPcap(File("Burst", 0, "pcap"));
    EXPECT_EQ(sent.linkType, 147U);
    ASSERT_THAT(Times(sent), ElementsAre(0));
    EXPECT_EQ(sent.records[0].length, 734U);
    std::vector<uint8_t> frame = WireHeader(0, 1, 700);
    for (uint32_t byte = 0; byte < 700; ++byte)
    {
        frame.push_back(static_cast<uint8_t>(byte));
    }
    frame.resize(734, 0);
    EXPECT_EQ(sent.records[0].bytes, frame);
    const Capture received = ReadPcap(File("Burst", 1, "pcap"));
    EXPECT_THAT(Times(received), ElementsAre(6432));
    EXPECT_EQ(received.records.at(0).bytes, frame);
}

TEST_F(TraceHelperTest, PcapHasTheTrueLengthOfFramesThatItCuts)
{
    MakeNetwork("Burst");
    Send(100000);
    Finish();
    for (uint32_t node = 0; node < 2; ++node)
    {
        const Capture capture = ReadPcap(File("Burst", node, "pcap"));
        ASSERT_EQ(capture.records.size(), 1U);
        EXPECT_EQ(capture.records[0].length, 100034U);
        EXPECT_EQ(capture.records[0].bytes.size(), 65535U);
        EXPECT_EQ(capture.records[0].bytes.back(), static_cast<uint8_t>(65534 - 30));
    }
}

TEST_F(TraceHelperTest, PcapOfTheReceiverLacksWhatWasLost)
{
    for (const std::string fidelity : {"Packet", "Burst"})
    {
        MakeNetwork(fidelity);
        m_network->SetOutage(0, 1, 0.999999);
        Send(700);
        Finish();
        EXPECT_THAT(ReadPcap(File(fidelity, 0, "pcap")).records, Not(IsEmpty())) << fidelity;
        EXPECT_THAT(ReadPcap(File(fidelity, 1, "pcap")).records, IsEmpty()) << fidelity;
    }
}

TEST_F(TraceHelperTest, AsciiHasALineForEveryEvent)
{
    MakeNetwork("Packet");
    for (uint32_t i = 0; i < 3; ++i)
    {
        Send(700); // the queue has place for two
    }
    Finish();
    const std::vector<std::string> sent = ReadLines(File("Packet", 0, "tr"));
    EXPECT_EQ(Events(sent), "++d-ttt-ttt");
    EXPECT_EQ(sent.at(4).find("t 0 ns3::collab::D2dMacHeader (00:00:00:00:00:01 > "
                              "00:00:00:00:00:02 protocol=0x800 burst=1 fragment=1/3 bytes=700)"),
              0U)
        << sent.at(4);
    EXPECT_EQ(sent.at(5).find("t 0.002144 "), 0U) << sent.at(5);
    const std::vector<std::string> received = ReadLines(File("Packet", 1, "tr"));
    EXPECT_EQ(Events(received), "rr");
    EXPECT_EQ(received.at(0).find("r 0.00643233 Payload (size=700)"), 0U) << received.at(0);

    MakeNetwork("Burst");
    m_network->SetOutage(0, 1, 0.999999);
    Send(700);
    Finish();
    EXPECT_EQ(Events(ReadLines(File("Burst", 0, "tr"))), "+-t");
    EXPECT_EQ(Events(ReadLines(File("Burst", 1, "tr"))), "d");
}

TEST_F(TraceHelperTest, AsciiFileOfManyDevicesHasThePathsOfTheEvents)
{
    MakeNetwork("Burst");
    const std::string path = m_folder / "all.tr";
    {
        Ptr<OutputStreamWrapper> stream = AsciiTraceHelper().CreateFileStream(path);
        m_helper.EnableAscii(stream, m_network->Device(0));
        m_helper.EnableAscii(stream, m_network->Device(1));
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        Send(10);
    }
    Finish();
    const std::vector<std::string> lines = ReadLines(path);
    EXPECT_EQ(Events(lines), "++d-t-trr");
    const auto path0 = std::string(" /NodeList/0/DeviceList/0/$ns3::collab::D2dNetDevice/");
    const auto path1 = std::string(" /NodeList/1/DeviceList/0/$ns3::collab::D2dNetDevice/");
    EXPECT_EQ(lines.at(0).find("+ 0" + path0 + "Mac/TxQueue/Enqueue Payload"), 0U) << lines.at(0);
    EXPECT_EQ(lines.at(2).find("d 0" + path0 + "Mac/MacTxDrop Payload"), 0U) << lines.at(2);
    EXPECT_EQ(lines.at(3).find("- 0" + path0 + "Mac/TxQueue/Dequeue Payload"), 0U) << lines.at(3);
    EXPECT_EQ(lines.at(4).find("t 0" + path0 + "Phy/PhyTxBegin Payload"), 0U) << lines.at(4);
    EXPECT_EQ(lines.at(7).find("r 0.000352334" + path1 + "Mac/MacRx Payload"), 0U) << lines.at(7);
}

TEST_F(TraceHelperTest, TheSameRunWritesTheSameBytes)
{
    for (const std::string fidelity : {"Packet", "Burst"})
    {
        std::vector<std::string> runs[2];
        for (auto& run : runs)
        {
            MakeNetwork(fidelity);
            m_network->SetOutage(0, 1, 0.5);
            for (uint32_t i = 0; i < 10; ++i)
            {
                Simulator::Schedule(MilliSeconds(20 * i), [this]() { Send(500); });
            }
            Finish();
            for (const std::string suffix : {"tr", "pcap"})
            {
                for (const auto& line : ReadLines(File(fidelity, 1, suffix)))
                {
                    run.push_back(line);
                }
            }
        }
        EXPECT_GT(runs[0].size(), 10U);
        EXPECT_TRUE(runs[0] == runs[1]) << fidelity;
    }
}

} // namespace tests
} // namespace collab
} // namespace ns3
