/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-trace-helper.h"
#include "ns3/pcap-file.h"

#include <filesystem>
#include <numeric>

namespace ns3::collab::tests
{
namespace
{

namespace fs = std::filesystem;

/// One record of a pcap file
struct PcapRecord
{
    uint64_t microseconds = 0;  //!< time stamp
    uint32_t length = 0;        //!< bytes of the frame
    std::vector<uint8_t> bytes; //!< those that the file has
};

/// @return records of a pcap file
std::vector<PcapRecord>
ReadPcap(const std::string& path)
{
    PcapFile file;
    file.Open(path, std::ios::in);
    EXPECT_FALSE(file.Fail()) << path;
    EXPECT_EQ(file.GetDataLinkType(), 147U);
    EXPECT_EQ(file.GetSnapLen(), 65535U);
    std::vector<PcapRecord> records;
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
            return records;
        }
        EXPECT_EQ(read, included);
        records.push_back({seconds * 1000000ULL + microseconds,
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

/// @return time stamps of records [us]
std::vector<uint64_t>
TimesOf(const std::vector<PcapRecord>& records)
{
    std::vector<uint64_t> times;
    for (const auto& record : records)
    {
        times.push_back(record.microseconds);
    }
    return times;
}

/// @return first character of each line
std::string
EventsOf(const std::vector<std::string>& lines)
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
    {
        fs::create_directories(m_folder.path);
    }

    void
    MakeNetwork(const std::string& fidelity)
    {
        Finish();
        m_network = std::make_unique<TestNetwork>(
            2,
            Settings{{"ContentionWindow", "1"},
                     {"FragmentSize", "300"},
                     {"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=2p]"}},
            Settings{{"Fidelity", fidelity}});
        m_prefix = m_folder.path / fidelity;
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_helper.EnablePcap(m_prefix, m_network->Device(i));
            m_helper.EnableAscii(m_prefix, m_network->Device(i));
        }
    }

    /// Sends bytes that count up from 0 to the other device.
    void
    Send(uint32_t size)
    {
        std::vector<uint8_t> bytes(size);
        std::iota(bytes.begin(), bytes.end(), 0);
        m_network->SendBurst(0,
                             {Create<Packet>(bytes.data(), size), m_network->Address(1), 0x0800});
    }

    /// Ends the run, so that all files are written out.
    void
    Finish()
    {
        Simulator::Run();
        m_network.reset();
    }

    /// @return a file of the last network
    std::string
    File(uint32_t node, const std::string& suffix) const
    {
        return m_prefix + "-" + std::to_string(node) + "-0." + suffix;
    }

    const ::tests::OwnFolder m_folder;
    std::string m_prefix;
    D2dTraceHelper m_helper;
    std::unique_ptr<TestNetwork> m_network;
};

/// @return a frame of @a length bytes from the first device of a network to the second one, which
/// carries bytes that count up
std::vector<uint8_t>
WireFrame(uint8_t fragment, uint8_t fragments, uint32_t first, uint32_t last, uint32_t length)
{
    // To, from, protocol, burst, fragment, fragments of the burst, bytes of the packet, 700
    const std::string header("\0\0\0\0\0\2"
                             "\0\0\0\0\0\1"
                             "\x08\0"
                             "\0\0\0\1"
                             "\0\0\0f"
                             "\0\0\0n"
                             "\0\0\x02\xbc",
                             30);
    std::vector<uint8_t> frame(header.begin(), header.end());
    frame[21] = fragment;
    frame[25] = fragments;
    for (uint32_t byte = first; byte < last; ++byte)
    {
        frame.push_back(static_cast<uint8_t>(byte));
    }
    frame.resize(length, 0); // padding of the last one, check sequence
    return frame;
}

TEST_F(TraceHelperTest, PcapHasEveryFragmentOnTheAirAsItIs)
{
    MakeNetwork("Packet");
    Send(700);
    Finish();
    // 3 fragments of 234 + 34 bytes at 1 Mbit/s
    const auto sent = ReadPcap(File(0, "pcap"));
    EXPECT_THAT(TimesOf(sent), ElementsAre(0, 2144, 4288));
    const auto received = ReadPcap(File(1, "pcap"));
    EXPECT_THAT(TimesOf(received), ElementsAre(2144, 4288, 6432)); // 100 m take 0.33 us
    for (uint8_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(sent.at(i).length, 268U);
        EXPECT_EQ(sent[i].bytes, WireFrame(i, 3, 234 * i, std::min(700, 234 * (i + 1)), 268));
        EXPECT_EQ(received.at(i).bytes, sent[i].bytes);
    }
}

TEST_F(TraceHelperTest, PcapHasABurstAsOneFrame)
{
    MakeNetwork("Burst");
    Send(700);
    Finish();
    for (const uint32_t node : {0, 1})
    {
        const auto records = ReadPcap(File(node, "pcap"));
        ASSERT_THAT(TimesOf(records), ElementsAre(node == 0 ? 0 : 6432));
        EXPECT_EQ(records[0].length, 734U);
        EXPECT_EQ(records[0].bytes, WireFrame(0, 1, 0, 700, 734));
    }
}

TEST_F(TraceHelperTest, PcapHasTheTrueLengthOfFramesThatItCuts)
{
    MakeNetwork("Burst");
    Send(100000);
    Finish();
    for (const uint32_t node : {0, 1})
    {
        const auto records = ReadPcap(File(node, "pcap"));
        ASSERT_THAT(records, SizeIs(1));
        EXPECT_EQ(records[0].length, 100034U);
        EXPECT_EQ(records[0].bytes.size(), 65535U);
        EXPECT_EQ(records[0].bytes.back(), static_cast<uint8_t>(65534 - 30));
    }
}

TEST_F(TraceHelperTest, PcapOfTheReceiverLacksWhatWasLost)
{
    for (const std::string fidelity : {"Packet", "Burst"})
    {
        MakeNetwork(fidelity);
        m_network->SetOutage(0, 1, LOST);
        Send(700);
        Finish();
        EXPECT_THAT(ReadPcap(File(0, "pcap")), testing::Not(IsEmpty())) << fidelity;
        EXPECT_THAT(ReadPcap(File(1, "pcap")), IsEmpty()) << fidelity;
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
    const std::vector<std::string> sent = ReadLines(File(0, "tr"));
    EXPECT_EQ(EventsOf(sent), "++d-ttt-ttt");
    EXPECT_EQ(sent.at(4).find("t 0 ns3::collab::D2dMacHeader (00:00:00:00:00:01 > "
                              "00:00:00:00:00:02 protocol=0x800 burst=1 fragment=1/3 bytes=700)"),
              0U)
        << sent.at(4);
    EXPECT_THAT(sent.at(5), testing::StartsWith("t 0.002144 "));
    const std::vector<std::string> received = ReadLines(File(1, "tr"));
    EXPECT_EQ(EventsOf(received), "rr");
    EXPECT_THAT(received.at(0), testing::StartsWith("r 0.00643233 Payload (size=700)"));

    MakeNetwork("Burst");
    m_network->SetOutage(0, 1, LOST);
    Send(700);
    Finish();
    EXPECT_EQ(EventsOf(ReadLines(File(0, "tr"))), "+-t");
    EXPECT_EQ(EventsOf(ReadLines(File(1, "tr"))), "d");
}

TEST_F(TraceHelperTest, AsciiFileOfManyDevicesHasThePathsOfTheEvents)
{
    MakeNetwork("Burst");
    const std::string path = m_folder.path / "all.tr";
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
    EXPECT_EQ(EventsOf(lines), "++d-t-trr");
    const auto path0 = std::string(" /NodeList/0/DeviceList/0/$ns3::collab::D2dNetDevice/");
    const auto path1 = std::string(" /NodeList/1/DeviceList/0/$ns3::collab::D2dNetDevice/");
    EXPECT_THAT(lines.at(0), testing::StartsWith("+ 0" + path0 + "Mac/TxQueue/Enqueue Payload"));
    EXPECT_THAT(lines.at(2), testing::StartsWith("d 0" + path0 + "Mac/MacTxDrop Payload"));
    EXPECT_THAT(lines.at(3), testing::StartsWith("- 0" + path0 + "Mac/TxQueue/Dequeue Payload"));
    EXPECT_THAT(lines.at(4), testing::StartsWith("t 0" + path0 + "Phy/PhyTxBegin Payload"));
    EXPECT_THAT(lines.at(7), testing::StartsWith("r 0.000352334" + path1 + "Mac/MacRx Payload"));
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
                At(MilliSeconds(20 * i), [this] { Send(500); });
            }
            Finish();
            run = ReadLines(File(1, "tr"));
            const auto pcap = ReadLines(File(1, "pcap"));
            run.insert(run.end(), pcap.begin(), pcap.end());
        }
        EXPECT_GT(runs[0].size(), 10U);
        EXPECT_EQ(runs[0], runs[1]) << fidelity;
    }
}

} // namespace
} // namespace ns3::collab::tests
