/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-application-helper.h"
#include "ns3/collab-build-versions.h"
#include "ns3/collab-error.h"
#include "ns3/collab-recorded-run.h"
#include "ns3/collab-run-radios.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/double.h"
#include "ns3/mobility-model.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// A protocol of one round, at whose end it knows a number
class NumberApplication : public CollaborationApplication
{
  public:
    explicit NumberApplication(double number)
        : m_number(number)
    {
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        return {{"number", "", "what it knows"}};
    }

  private:
    void
    DoStart() override
    {
    }

    Process
    Round() override
    {
        const auto nothing = []() { return 0; };
        co_await Compute("", 1000, nothing);
        Report({{"number", m_number}});
    }

    double m_number; //!< what it knows
};

/// A terminal in the place of standard error while it lives
class ErrorTerminal
{
  public:
    ErrorTerminal()
        : m_master(posix_openpt(O_RDWR | O_NOCTTY)),
          m_before(dup(STDERR_FILENO))
    {
        if (m_master >= 0 && grantpt(m_master) == 0 && unlockpt(m_master) == 0)
        {
            m_terminal = open(ptsname(m_master), O_RDWR | O_NOCTTY);
            dup2(m_terminal, STDERR_FILENO);
        }
    }

    ~ErrorTerminal()
    {
        dup2(m_before, STDERR_FILENO);
        for (const int file : {m_before, m_terminal, m_master})
        {
            close(file);
        }
    }

    ErrorTerminal(const ErrorTerminal&) = delete;
    ErrorTerminal& operator=(const ErrorTerminal&) = delete;

    /// @return whether the system has given one
    bool
    IsThere() const
    {
        return isatty(STDERR_FILENO) == 1;
    }

    /// @return what has been written on it to the end of a line, which the system passes on bit by
    /// bit; without one, what there is when nothing more has come for two seconds
    std::string
    Read() const
    {
        constexpr int PATIENCE_MS = 2000;
        std::string text;
        pollfd waiting = {m_master, POLLIN, 0};
        while ((text.empty() || text.back() != '\n') && poll(&waiting, 1, PATIENCE_MS) > 0)
        {
            std::array<char, 4096> part = {};
            const ssize_t size = read(m_master, part.data(), part.size());
            if (size <= 0)
            {
                break;
            }
            text.append(part.data(), static_cast<std::size_t>(size));
        }
        return text;
    }

  private:
    int m_master;        //!< the terminal's other side
    int m_before;        //!< what standard error was
    int m_terminal = -1; //!< the terminal
};

class RecordedRunTest : public ::tests::DeviceNetwork
{
  protected:
    void
    SetUp() override
    {
        MakeDevices({});
        m_applications = InstallApplications(m_nodes, [](uint32_t i) {
            const auto application = CreateObject<NumberApplication>(i + 0.5);
            application->SetAttribute("Rounds", UintegerValue(1));
            return application;
        });
    }

    /// @return run.json
    nlohmann::json
    ReadJson() const
    {
        return nlohmann::json::parse(::tests::ReadFile(m_run / "run.json"));
    }

    const ::tests::OwnFolder m_folder;
    const std::filesystem::path m_run = m_folder.path / "run"; //!< of the run
};

} // namespace

TEST_F(RecordedRunTest, FolderHasWhatTheAnalysisReads)
{
    RecordedRun run(m_run, "numbers", "number");
    const auto side = [](const std::string& coin) { return coin; };
    const auto coins = run.GetTables().Add(
        TableColumns<std::string>{"coins", "a coin", {{"side", "", "what is up", side}}});
    coins.Write("heads");
    run.Play(m_applications);
    EXPECT_FALSE(std::filesystem::exists(m_folder.path / "run.partial"));
    for (const char* table : {"rounds", "latency", "energy", "messages", "columns", "coins"})
    {
        EXPECT_TRUE(std::filesystem::exists(m_run / (std::string(table) + ".csv")));
    }
    const auto rounds = ::tests::ReadCsvRows(m_run / "rounds.csv");
    const std::vector<std::string> first(rounds.at(0).begin(), rounds.at(0).begin() + 5);
    EXPECT_THAT(first, ::testing::ElementsAre("round", "device", "start_s", "end_s", "number"));
    EXPECT_EQ(rounds.size(), 1 + m_nodes.GetN());
}

TEST_F(RecordedRunTest, RunJsonSaysWhatWasRun)
{
    RecordedRun run(m_run, "numbers", "number");
    run.AddParameter("devices", 3U)
        .AddParameter("share", 0.1)
        .AddParameter("loud", true)
        .AddParameter("limit", std::nan(""))
        .AddParameter("place", "a \"here\"")
        .AddParameter("digits", std::string("12"));
    run.Play(m_applications);
    const auto json = ReadJson();
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["scenario"], "numbers");
    EXPECT_EQ(json["display"]["measure"], "number");
    const nlohmann::json parameters = {{"devices", 3},
                                       {"share", 0.1},
                                       {"loud", true},
                                       {"limit", "nan"},
                                       {"place", "a \"here\""},
                                       {"digits", "12"}};
    EXPECT_EQ(json["parameters"], parameters);
    EXPECT_TRUE(json["seed"].is_number_unsigned());
    EXPECT_TRUE(json["run"].is_number_unsigned());
    std::map<std::string, std::string> versions = GetBuildVersions();
    EXPECT_EQ(json["versions"], nlohmann::json(versions));
    EXPECT_FALSE(versions.at("ns3").empty());
    EXPECT_THAT(versions.at("collab"), ::testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
    EXPECT_THAT(versions.at("commit"), ::testing::MatchesRegex("unknown|[0-9a-f]{12}(-dirty)?"));
    EXPECT_THAT(versions.at("sources"), ::testing::MatchesRegex("[0-9a-f]{16}"));
    ASSERT_EQ(json["devices"].size(), m_nodes.GetN());
    const Vector place = m_nodes.Get(1)->GetObject<MobilityModel>()->GetPosition();
    EXPECT_EQ(json["devices"][1]["device"], 1);
    EXPECT_EQ(json["devices"][1]["x_m"], place.x);
    EXPECT_EQ(json["devices"][1]["y_m"], place.y);
}

TEST_F(RecordedRunTest, RunJsonSaysHowRadiosAreSet)
{
    ASSERT_EQ(m_nodes.GetN(), 3U);
    GetRadio(1)->GetPhy()->SetAttribute("TxPower", DoubleValue(7));
    RecordedRun run(m_run, "numbers", "number");
    run.Play(m_applications);
    const auto radios = ReadJson()["radios"];
    ASSERT_EQ(radios.size(), 2U) << radios;
    const Ptr<D2dPhy> phy = GetRadio(0)->GetPhy();
    EXPECT_EQ(radios[0],
              nlohmann::json({{"channel", 0},
                              {"nodes", "0 2"},
                              {"tx_power_dbm", phy->GetTxPowerDbm()},
                              {"bandwidth_hz", phy->GetBandwidthHz()},
                              {"spectral_efficiency", phy->GetSpectralEfficiency()},
                              {"rx_sensitivity_dbm", phy->GetRxSensitivityDbm()},
                              {"duplex", "Half"}}));
    EXPECT_EQ(radios[1]["nodes"], "1");
    EXPECT_EQ(radios[1]["tx_power_dbm"], 7);
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        GetRadio(i)->GetPhy()->SetAttribute("TxPower", DoubleValue(7));
        GetRadio(i)->GetPhy()->SetAttribute("RateControl", StringValue("Adaptive"));
    }
    const nlohmann::json alike = DescribeRadios();
    ASSERT_EQ(alike.size(), 1U);
    EXPECT_EQ(alike[0]["nodes"], "0-2");
    EXPECT_EQ(alike[0]["spectral_efficiency"], "adaptive");
}

TEST_F(RecordedRunTest, RunJsonSaysWhatWasToldOfDevices)
{
    RecordedRun run(m_run, "numbers", "number");
    std::vector<double> samples;
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        samples.push_back(100 + i);
    }
    run.AddDeviceValues("train_samples", samples);
    run.Play(m_applications);
    const auto json = ReadJson();
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        EXPECT_EQ(json["devices"][i]["train_samples"], 100 + i);
    }
}

TEST_F(RecordedRunTest, RefusesValuesOfMoreDevicesThanThereAre)
{
    RecordedRun run(m_run, "numbers", "number");
    run.AddDeviceValues("train_samples", std::vector<double>(m_nodes.GetN() + 1, 100));
    EXPECT_THROW(run.Play(m_applications), std::invalid_argument);
}

TEST_F(RecordedRunTest, ShowsOnATerminalHowFarItIs)
{
    std::string shown;
    {
        const ErrorTerminal terminal;
        if (!terminal.IsThere())
        {
            GTEST_SKIP() << "there is no pseudo-terminal";
        }
        RecordedRun(m_run, "numbers", "number").Play(m_applications);
        shown = terminal.Read();
    }
    EXPECT_THAT(shown, ::testing::HasSubstr("numbers [####################] round 1/1"));
    EXPECT_THAT(shown, ::testing::HasSubstr(fmt::format("number {:.3f}", m_nodes.GetN() / 2.0)));
    EXPECT_THAT(shown, ::testing::EndsWith("\n"));
}

TEST_F(RecordedRunTest, ShowsNothingElsewhere)
{
    ::testing::internal::CaptureStderr();
    RecordedRun(m_run, "numbers", "number").Play(m_applications);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(RecordedRunTest, RefusesAnotherFormatBeforeItMakesTheFolder)
{
    EXPECT_THROW(RecordedRun(m_run, "numbers", "number", "parquet"), UserError);
    EXPECT_FALSE(std::filesystem::exists(m_folder.path / "run.partial"));
}
