/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Links from a file: what it may say, and which link a burst finds at which time

#include "wireless/wireless-bench.h"

#include "ns3/d2d-link-trace.h"
#include "ns3/d2d-trace-loss-model.h"

#include <limits>

namespace ns3::collab::tests
{
namespace
{

constexpr uint32_t SERVER = D2dLinkTrace::SERVER;
constexpr double NONE = D2dLinkTrace::OUT_OF_RANGE;

class LinkTraceTest : public FileTest
{
  protected:
    /// @return what a trace of these rows says
    D2dLinkTrace
    Read(const std::string& rows, const std::string& header = "time,from,to,gain") const
    {
        return D2dLinkTrace(Write(header + "\n" + rows));
    }
};

TEST_F(LinkTraceTest, ARowHoldsUntilTheNextOneOfItsLink)
{
    const auto trace = Read("# seconds, dB\n"
                            "1,0,1,-60\n"
                            "1, 1 ,2,-70\r\n\n"
                            "3,0,1,-80\n"
                            "3,2,1,-75\n"
                            "4,0,2,-65\n"
                            "5,0,1,\n"
                            "6,0,server,-50\n");
    const auto get = [&trace](uint32_t from, uint32_t to, double seconds, bool linear = false) {
        return trace.GetDb(from, to, Seconds(seconds), linear);
    };
    EXPECT_EQ(get(0, 1, 0), -60) << "before the first time of the file";
    EXPECT_EQ(get(1, 0, 2.999), -60) << "both ways";
    EXPECT_EQ(get(0, 1, 3), -80);
    EXPECT_EQ(get(0, 1, 2, true), -70);
    EXPECT_EQ(get(0, 1, 4, true), -80) << "out of range next";
    EXPECT_EQ(get(0, 1, 5), NONE);
    EXPECT_EQ(get(1, 2, 100, true), -70) << "after its last row";
    EXPECT_EQ(get(2, 1, 2), NONE) << "rows of its own, none of which has come";
    EXPECT_EQ(get(2, 1, 3), -75);
    EXPECT_EQ(get(0, 2, 3.9, true), NONE);
    EXPECT_EQ(get(0, 3, 4), NONE) << "no row";
    EXPECT_EQ(get(SERVER, 0, 6), -50);
    EXPECT_THAT(trace.GetTimes(),
                ElementsAre(Seconds(1), Seconds(3), Seconds(4), Seconds(5), Seconds(6)));
    EXPECT_TRUE(trace.HasGains() && trace.HasPairs() && trace.HasServer());
    EXPECT_FALSE(Read("0,0,1,20", "time,from,to,rss").HasGains());
    EXPECT_FALSE(Read("0,server,1,-20").HasPairs());
}

TEST_F(LinkTraceTest, AFileThatIsWrongIsRefusedWithItsLine)
{
    const std::string header = "time,from,to,gain\n";
    for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
             {"", "line 0: the file ends before its first row"},
             {header, "line 1: the file ends before its first row"},
             {"t,from,to,gain\n", "line 1: found 't,from,to,gain', expected time,from,to,gain or"},
             {header + "0,0,1\n", "line 2: found 3 cells, expected 4"},
             {header + "0,0,1,-60,\n", "line 2: found 5 cells, expected 4"},
             {header + "x,0,1,-60\n", "line 2: found time 'x', expected 0 to 1e+09 seconds"},
             {header + "-1,0,1,-60\n", "line 2: found time '-1'"},
             {header + "nan,0,1,-60\n", "line 2: found time 'nan'"},
             {header + "2,0,1,-60\n1,0,1,-60\n", "line 3: time goes back from 2 to 1 s"},
             {header + "0,0,1,-60\n\n0,0,1,-61\n", "line 4: a second row of the link from 0 to 1"},
             {header + "0,0,0,-60\n", "line 2: a link from device 0 to itself"},
             {header + "0,a,0,-60\n", "line 2: found device 'a', expected its number or server"},
             {header + "0,-1,0,-60\n", "line 2: found device '-1'"},
             {header + "0,0,1,nan\n", "line 2: found 'nan', expected a number, or nothing"},
             {header + "0,0,1,inf\n", "line 2: found 'inf'"},
             {header + "0,0,1,loud\n", "line 2: found 'loud'"},
             {header + "0,0,1,0.1\n", "line 2: a path gain of 0.1 dB, expected 0 dB or less"}})
    {
        const std::string told = ErrorOf<DataFileError>([&] { D2dLinkTrace{Write(text)}; });
        EXPECT_THAT(told, HasSubstr(m_path + ": " + error)) << text;
    }
    EXPECT_THAT(ErrorOf<DataFileError>([] { D2dLinkTrace{"/nowhere.csv"}; }),
                HasSubstr("/nowhere.csv: cannot be opened"));
    const auto three = Read("0,0,1,-60\n0,0,3,-60\n");
    EXPECT_THAT(ErrorOf<DataFileError>([&] { three.CheckDevices(3); }),
                HasSubstr("line 3: there is no device 3; devices are numbered from 0 to 2"));
    EXPECT_THAT(ErrorOf<DataFileError>([&] { three.CheckDevices(4); }),
                HasSubstr("there is no row of device 2"));
    EXPECT_NO_THROW(Read("0,0,1,-60\n0,2,0,\n0,2,server,-60\n").CheckDevices(3));
}

/// @return outage probability at a path gain of a link of 1 bit/s/Hz, 1 MHz and 20 dBm
double
OutageOf(double gainDb)
{
    const double noiseW = 1.380649e-23 * 290 * 1e6 * FromDb(7);
    return gainDb < -140 ? 1 : -std::expm1(-noiseW / FromDb(20 + gainDb - 30));
}

class LinkTraceFidelityTest : public FidelitiesTest
{
  protected:
    /// @return two radios whose links a file says
    std::unique_ptr<TestNetwork>
    Make(const std::string& rows, const std::string& attributes = "") const
    {
        m_file.Write("time,from,to,gain\n" + rows);
        return std::make_unique<TestNetwork>(
            std::vector<Ptr<MobilityModel>>{Standing(0), Standing(100)},
            std::vector<std::string>{"ns3::collab::D2dTraceLossModel[FileName=" + m_file.path +
                                     attributes + "]"},
            Settings{{"ContentionWindow", "1"}},
            m_channel);
    }

    const ::tests::OwnFile m_file; //!< the file
};

INSTANTIATE_TEST_SUITE_P(Fidelities, LinkTraceFidelityTest, FIDELITIES);

constexpr double FRAGMENT_S = 12.272e-3; // 1534 bytes at 1 Mbit/s
constexpr uint32_t FRAGMENTS = 2000;

TEST_P(LinkTraceFidelityTest, ASenderFindsTheOutageOfThatTime)
{
    const auto network = Make("0,0,1,-100\n2,0,1,-120\n3,0,1,\n4,0,1,-110\n4,1,0,-90\n");
    for (const auto& [time, gain] : std::vector<std::pair<double, double>>{
             {0, -100}, {1.999999999, -100}, {2, -120}, {3.5, -200}, {4, -110}, {99, -110}})
    {
        At(Seconds(time), [&, gain = gain] {
            EXPECT_NEAR(network->Outage(0, 1), OutageOf(gain), 1e-12) << Simulator::Now();
            const auto inRange = network->Device(0)->GetD2dChannel()->GetLinks(network->Device(0));
            EXPECT_EQ(inRange.size(), gain > -140 ? 1U : 0U) << Simulator::Now();
        });
    }
    At(Seconds(5), [&] { EXPECT_NEAR(network->Outage(1, 0), OutageOf(-90), 1e-12); });
    Simulator::Run();
}

TEST_P(LinkTraceFidelityTest, ABurstTakesTheLinksOfItsTimes)
{
    for (const bool linear : {false, true})
    {
        const std::string rows = "0,0,1,-113\n10.5,0,1,-119\n20.25,0,1,-116\n";
        const std::string attributes = linear ? "|Interpolation=Linear|Resolution=50ms" : "";
        std::vector<double> lost;
        for (uint32_t run = 1; run <= 12; ++run)
        {
            RngSeedManager::SetRun(run);
            const auto network = Make(rows, attributes);
            network->Send(0, 1, 1500 * FRAGMENTS);
            Simulator::Run();
            lost.push_back(network->Outcome().lostFragments);
        }
        double expected = 0;
        for (uint32_t i = 1; i <= FRAGMENTS; ++i)
        {
            const double end = i * FRAGMENT_S;
            double gain = end < 10.5 ? -113 : end < 20.25 ? -119 : -116;
            if (linear && end < 20.25)
            {
                const double at = std::floor(end / 0.05) * 0.05;
                gain = at < 10.5 ? -113 - 6 * at / 10.5 : -119 + 3 * (at - 10.5) / 9.75;
            }
            expected += OutageOf(gain);
        }
        ExpectMean(lost, expected, 4);
        EXPECT_GT(std::abs(expected - FRAGMENTS * OutageOf(-113)), 90) << "not as at the start";
    }
}

TEST_P(LinkTraceFidelityTest, WithoutFadingALinkLosesAllOrNothing)
{
    const auto network = Make("0,0,1,-110\n12,0,1,-130\n");
    network->SetChannel("OutageModel", "ns3::collab::D2dThresholdOutageModel");
    network->Send(0, 1, 1500 * FRAGMENTS);
    Simulator::Run();
    const auto before = static_cast<uint32_t>(12 / FRAGMENT_S);
    EXPECT_NEAR(network->Outcome().lostFragments, FRAGMENTS - before, 1);
}

TEST_F(LinkTraceTest, ThePowersOfAFileReplaceThatOfTheSender)
{
    Ptr<D2dTraceLossModel> model = CreateObject<D2dTraceLossModel>();
    EXPECT_THAT(ErrorOf<UserError>([&] { model->GetTimeToChange(); }), HasSubstr("FileName"));
    Write("time,from,to,rss\n0,0,server,-50\n0,0,1,-60\n");
    model->SetTrace(std::make_shared<const D2dLinkTrace>(m_path));
    TestNetwork network(3);
    model->SetServer(network.NodeId(2));
    const auto power = [&](uint32_t to) {
        return model->CalcRxPower(33, network.Place(0), network.Place(to));
    };
    EXPECT_EQ(power(1), -60);
    EXPECT_EQ(power(2), -50);
    EXPECT_EQ(model->GetTimeToChange(), Time());
}

} // namespace
} // namespace ns3::collab::tests
