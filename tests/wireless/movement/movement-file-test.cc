/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/boolean.h"
#include "ns3/d2d-movement-file.h"
#include "ns3/waypoint-mobility-model.h"

#include <cmath>

namespace ns3::collab::tests
{
namespace
{

class MovementFileTest : public FileTest
{
  protected:
    /// @return a way as text: time x y z, points with commas between
    static std::string
    Tell(const D2dWay& way)
    {
        std::ostringstream text;
        for (const auto& [time, place] : way)
        {
            text << (text.str().empty() ? "" : ", ") << time.GetSeconds() << " " << place.x << " "
                 << place.y << " " << place.z;
        }
        return text.str();
    }

    /// @return the ways of two devices and a server in a file of this text
    D2dMovement
    Read(const std::string& text) const
    {
        return ReadD2dMovementFile(Write(text), {2, true});
    }
};

TEST_F(MovementFileTest, ReadsWaysOfDevicesInAnyOrder)
{
    const auto [devices, server] = Read("# two walkers\ntime,device,x,y\n0,1,-4,2\n0,0,1,2\r\n\n"
                                        "2.5,1,1e1,2\n1,0,+3,2\n0,server,5,5\n");
    EXPECT_EQ(Tell(devices[0]), "0 1 2 1.5, 1 3 2 1.5");
    EXPECT_EQ(Tell(devices[1]), "0 -4 2 1.5, 2.5 10 2 1.5");
    EXPECT_EQ(Tell(server), "0 5 5 1.5");
    EXPECT_EQ(Tell(Read("time_s,device,x_m,y_m,z_m\n0,0,1,2,3\n0,1,4,5,6\n").devices[1]),
              "0 4 5 6");
}

TEST_F(MovementFileTest, ReadsSetdest)
{
    const auto [devices, server] = Read("# SUMO\n$node_(0) set X_ 10\n$node_(0) set Y_ 0.0\n"
                                        "$node_(0) set Z_ 2\n$node_(1) set Y_ 7\n"
                                        "$node_(1) set X_ 3\n$god_ set-dist 0 1 1\n"
                                        "$ns_ at 5.0 \"$node_(0) setdest 40 40 10\"\n"
                                        "$ns_ at 1 \"$node_(1) setdest 3 17 2.0\"\n"
                                        "$ns_ at 3 \"$node_(1) setdest 13 11 1\"\n"
                                        "$ns_ at 9 \"$node_(1) setdest 0 0 0\"\n"
                                        "$ns_ at 10 \"$node_(0) setdest 40 40 3\"\n");
    // 50 m in 5 s; it is there when it shall go there
    EXPECT_EQ(Tell(devices[0]), "0 10 0 2, 5 10 0 2, 10 40 40 2");
    // 4 m of 10, then straight on in another direction until it shall stop
    EXPECT_EQ(Tell(devices[1]), "0 3 7 1.5, 1 3 7 1.5, 3 3 11 1.5, 9 9 11 1.5");
    EXPECT_TRUE(server.empty());
}

TEST_F(MovementFileTest, RefusesWithTheLine)
{
    const std::string head = "time,device,x,y\n0,0,1,2\n0,1,3,4\n";
    const std::string start = "$node_(0) set X_ 1\n$node_(0) set Y_ 1\n$node_(1) set X_ 1\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "expected a header time,device,x,y"},
        {"t,device,x,y\n", "line 1: found 't,device,x,y', expected the header time,device,x,y,z"},
        {"time,device,x,y\n0,0,1,2\n", ": device 1 has no position at time 0"},
        {"time,device,x,y\n1,0,1,2\n", "line 2: found '1,0,1,2', expected a position of device 0"},
        {head + "0,1,5,6\n",
         "line 4: found '0,1,5,6', expected one position of device 1 at time 0"},
        {head + "2,1,5,6\n1,1,5,6\n",
         "line 5: found '1,1,5,6', expected a time of device 1 after 2"},
        {head + "1,2,5,6\n",
         "line 4: found '2', expected a device from 0 to 1 (--devices), or ser"},
        {head + "1,-1,5,6\n", "line 4: found '-1', expected a device from 0 to 1"},
        {head + "1,1,5\n", "line 4: found '1,1,5', expected 4 numbers, as in the header"},
        {head + "1,1,5,nan\n", "line 4: found 'nan', expected a finite number"},
        {head + "1,1,five,6\n", "line 4: found 'five', expected a finite number"},
        {head + "-1,1,5,6\n", "line 4: found '-1', expected a time from 0 to 1e+09 s"},
        {start, ": device 1 has no position at time 0"},
        {start + "$node_(1) set X_ 2\n",
         "line 4: found '$node_(1) set X_ 2', expected X_ of a node"},
        {start + "$node_(0) set W_ 2\n", "line 4: found 'W_', expected X_, Y_ or Z_"},
        {start + "$node(0) set Z_ 2\n", "line 4: found '$node(0)', expected $node_(N)"},
        {start + "$ns_ at 1 \"$node_(1) setdest 1 1 1\"\n",
         "expected X_ and Y_ of device 1 before"},
        {start + "$ns_ at 1 \"$node_(0) setdest 1 1 -1\"\n",
         "line 4: found '-1', expected a speed"},
        {start + "$ns_ at 2 \"$node_(0) setdest 1 1 1\"\n$ns_ at 1 \"$node_(0) setdest 1 1 1\"\n",
         "line 5: found '1', expected a time of device 0 from 2 s on"},
        {start + "$ns_ at 1 \"$node_(0) jump 1 1 1\"\n",
         "line 4: found '$ns_ at 1 \"$node_(0) jum"},
    };
    for (const auto& [text, error] : cases)
    {
        EXPECT_THAT(ErrorOf<DataFileError>([&, &text = text] { Read(text); }), HasSubstr(error))
            << text;
    }
    EXPECT_THAT(ErrorOf<DataFileError>([&] {
                    ReadD2dMovementFile(m_path + ".none", {2, false});
                }),
                HasSubstr("cannot be opened"));
}

TEST_F(MovementFileTest, ReadsPositions)
{
    const auto read = [this](const std::string& text) {
        return ReadD2dPositionFile(Write(text), {2, false});
    };
    EXPECT_EQ(Tell(read("device,x,y,z\n1,3,4,5\n0,1,2,3\n").devices[1]), "0 3 4 5");
    for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
             {"device,x,y\n0,1,2\n0,1,2\n", "line 3: found '0,1,2', expected one position of devi"},
             {"device,x,y\n0,1,2\nserver,1,2\n", "line 3: found 'server', expected a device from"},
             {"time,device,x,y\n",
              "line 1: found 'time,device,x,y', expected the header device,x"}})
    {
        EXPECT_THAT(ErrorOf<DataFileError>([&, &text = text] { read(text); }), HasSubstr(error));
    }
}

TEST_F(MovementFileTest, LinksAreThoseOfTheMomentOfSending)
{
    const auto walker = CreateObject<WaypointMobilityModel>();
    walker->SetAttribute("LazyNotify", BooleanValue(true));
    const auto movement = Read("time,device,x,y\n0,0,0,0\n0,1,10,0\n9,1,100,0\n10,1,100,0\n");
    for (const D2dWaypoint& point : movement.devices[1])
    {
        walker->AddWaypoint(Waypoint(point.time, point.position));
    }
    TestNetwork network({Standing(0, 0, 1.5), walker},
                        {"ns3::LogDistancePropagationLossModel[Exponent=3|ReferenceLoss=40]"},
                        {{"TxPower", "20"}});
    std::vector<double> seenDbm;
    // 10 m/s from 10 m on: 10, 20 and 50 m, and 100 m from 9 s on
    for (const double second : {0.0, 1.0, 4.0, 9.0, 20.0})
    {
        At(Seconds(second), [&] { seenDbm.push_back(10 * std::log10(network.RssW(0, 1)) + 30); });
    }
    RunFor(Seconds(30));
    const std::vector<double> expectedDbm = {-50, -59.0309, -70.9691, -80, -80};
    ASSERT_EQ(seenDbm.size(), expectedDbm.size());
    for (std::size_t i = 0; i < seenDbm.size(); ++i)
    {
        EXPECT_NEAR(seenDbm[i], expectedDbm[i], 1e-3) << i;
    }
}

} // namespace
} // namespace ns3::collab::tests
