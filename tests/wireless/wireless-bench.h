/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The words that tests of the radio share: TestNetwork, and names for what most of them set.
 */

#ifndef WIRELESS_BENCH_H
#define WIRELESS_BENCH_H

#include "support/temporary-folder.h"
#include "wireless/wireless-test-support.h"

#include "ns3/collab-error.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace ns3::collab::tests
{

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr uint32_t BROADCAST = TestNetwork::BROADCAST;
constexpr double LOST = 1 - 1e-6;          //!< outage of a link that is in range all the same
constexpr double LOSSLESS = 1e-9;          //!< outage of a link that loses nothing by itself
constexpr double OVERWHELMING = 1e-25;     //!< outage of a link whose signal destroys all others
constexpr uint32_t MILLISECOND = 125 - 34; //!< bytes that take 1 ms on the air at 1 Mbit/s
constexpr uint32_t TEN_MILLISECONDS = 1250 - 34; //!< bytes that take 10 ms

/// Data rate 1 Mbit/s, and no back-off, so that times can be computed by hand
inline const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};
inline const Time FRAGMENT_TIME = MicroSeconds(8 * 1534);     //!< of 1500 bytes at 1 Mbit/s
inline const Time ACKNOWLEDGMENT_TIME = MicroSeconds(8 * 14); //!< at 1 Mbit/s
inline const Time TURNAROUND = MicroSeconds(20);              //!< default AcknowledgmentTurnaround
/// A sender listens for an acknowledgment for so long, at 1 Mbit/s
inline const Time ACKNOWLEDGMENT_WINDOW = ACKNOWLEDGMENT_TIME + TURNAROUND;
inline const Time DELAY_100_M = NanoSeconds(334); //!< of propagation

/// @return attributes, and those of @a base that they do not have
inline Settings
With(Settings more, const Settings& base = EXACT)
{
    more.insert(base.begin(), base.end());
    return more;
}

/// @return an outage model of a type with attributes in brackets
inline Ptr<D2dOutageModel>
MakeOutageModel(const std::string& model)
{
    ObjectFactory factory;
    std::istringstream(model) >> factory;
    return factory.Create<D2dOutageModel>();
}

/// @return power ratio of decibels
inline double
FromDb(double db)
{
    return std::pow(10.0, db / 10);
}

/// @return whether the present test is of an instantiation of which only the nightly tests have
/// time, named Nightly...
inline bool
IsNightly()
{
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    return std::string(info->test_suite_name()).rfind("Nightly", 0) == 0;
}

/// Both ways of ARQ, by the attribute Arq
inline const std::vector<std::string> ARQS = {"StopAndWait", "SelectiveRepeat"};

/// The fidelities of the channel, as parameters of a test suite
inline const auto FIDELITIES = testing::Values("Packet", "Burst");

/// A test of a simulation with a parameter
template <typename Parameter, typename Base = SimulatorTest>
class WithParameter : public Base, public testing::WithParamInterface<Parameter>
{
};

/// A test that runs in both fidelities
class FidelitiesTest : public WithParameter<const char*>
{
  protected:
    const Settings m_channel = {{"Fidelity", GetParam()}};        //!< attributes of the channel
    const bool m_isPacket = m_channel.at("Fidelity") == "Packet"; //!< which it is

    /// @return attributes of the channel, and others
    Settings
    Channel(Settings more) const
    {
        return With(std::move(more), m_channel);
    }
};

/// A test that writes a file
class FileTest : public SimulatorTest
{
  protected:
    /// @return path of the file, which has this text from now on
    const std::string&
    Write(const std::string& text) const
    {
        return m_file.Write(text);
    }

    const ::tests::OwnFile m_file;           //!< the file
    const std::string& m_path = m_file.path; //!< of it
};

/// @return the message of the exception that an action throws, one line
template <typename E, typename F>
std::string
ErrorOf(F action)
{
    try
    {
        action();
    }
    catch (const E& error)
    {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

} // namespace ns3::collab::tests

#endif /* WIRELESS_BENCH_H */
