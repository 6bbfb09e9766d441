/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/collab-many-runs.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3::collab;
using testing::ElementsAre;
using testing::ExitedWithCode;
using testing::HasSubstr;

namespace
{

/// A program that notes what it is called with; some run numbers make it fail. It is called in
/// processes of its own, which end with it.
struct ManyRunsTest : tests::TemporaryFolder
{
    ManyRunsTest()
    {
        std::filesystem::create_directories(m_folder);
    }

    /// Notes a call: what is given, and the run's folder
    void
    Note(int argc, char* argv[], const std::string& folder) const
    {
        std::ofstream notes(m_folder / "notes", std::ios::app);
        for (int i = 1; i < argc; ++i)
        {
            notes << argv[i] << " ";
        }
        notes << folder << std::endl;
    }

    /// @return what was noted
    std::string
    Notes() const
    {
        return tests::ReadFile(m_folder / "notes");
    }

    /// Plays; a child's run ends with this process, too
    [[noreturn]] void
    Play(std::vector<std::string> given)
    {
        RunProgram program{"program",
                           [](int argc, char* argv[]) {
                               for (int i = 1; i < argc; ++i)
                               {
                                   if (argv[i] == std::string("--help"))
                                   {
                                       std::exit(EXIT_SUCCESS);
                                   }
                                   if (argv[i] == std::string("--bad"))
                                   {
                                       throw UserError("it is bad");
                                   }
                               }
                           },
                           [this](int argc, char* argv[], const std::string& folder) {
                               Note(argc, argv, folder);
                               const std::string run = argv[argc - 1];
                               std::cout << "plays " << run << std::endl;
                               if (run == "--RngRun=3")
                               {
                                   std::raise(SIGTERM);
                               }
                               if (run == "--RngRun=4")
                               {
                                   throw std::runtime_error("it broke");
                               }
                           }};
        given.insert(given.begin(), "program");
        std::vector<char*> pointers;
        for (auto& text : given)
        {
            pointers.push_back(text.data());
        }
        std::exit(PlayRuns(program, static_cast<int>(pointers.size()), pointers.data()));
    }
};

TEST_F(ManyRunsTest, ReadsListsOfRuns)
{
    EXPECT_THAT(ParseRuns("1..3,7"), ElementsAre(1, 2, 3, 7));
    EXPECT_THAT(ParseRuns("5"), ElementsAre(5));
    EXPECT_EQ(ParseRuns("1..10000").size(), 10000U);
    for (const std::string text : {"",
                                   ",",
                                   "1,",
                                   ",1",
                                   "1..",
                                   "..3",
                                   "3..1",
                                   "1..3,2",
                                   "-1",
                                   "1.5",
                                   "1...3",
                                   "a",
                                   "1..10001",
                                   "0..18446744073709551615",
                                   "18446744073709551616"})
    {
        EXPECT_THAT(tests::ErrorOf<UserError>([&] { ParseRuns(text); }), HasSubstr("'--runs="))
            << text;
    }
}

TEST_F(ManyRunsTest, PlaysARunInThisProcess)
{
    EXPECT_EXIT(Play({"--a=1"}), ExitedWithCode(0), "");
    EXPECT_EQ(Notes(), "--a=1 \n");
}

TEST_F(ManyRunsTest, PlaysOneRunAfterTheOther)
{
    EXPECT_EXIT(Play({"--runs=1..2,7", "--a=1"}), ExitedWithCode(0), "");
    EXPECT_EQ(Notes(), "--a=1 --RngRun=1 1\n--a=1 --RngRun=2 2\n--a=1 --RngRun=7 7\n");
}

TEST_F(ManyRunsTest, TheFirstFailureDecidesAndTheOthersArePlayed)
{
    EXPECT_EXIT(Play({"--runs=3..5"}),
                ExitedWithCode(128 + SIGTERM),
                "^program: run 3 was killed by signal 15 .*\nprogram: it broke\n$");
    EXPECT_THAT(Notes(), HasSubstr("--RngRun=5 5\n"));
    EXPECT_EXIT(Play({"--runs=4,3"}), ExitedWithCode(1), "it broke\n.* run 3 was killed");
}

TEST_F(ManyRunsTest, MistakesAreReportedOnceBeforeAnyRun)
{
    EXPECT_EXIT(Play({"--runs=1..3", "--bad"}), ExitedWithCode(2), "^program: it is bad\n$");
    EXPECT_EXIT(
        Play({"--runs=1..x"}), ExitedWithCode(2), "^program: argument '--runs=1..x' is not");
    EXPECT_EXIT(Play({"--runs=1", "--RngRun=1"}), ExitedWithCode(2), "without --RngRun\n$");
    EXPECT_EXIT(Play({"--runs=1", "-runs=2"}), ExitedWithCode(2), "give it once");
    EXPECT_EXIT(
        Play({"--runs=-", "--a=1"}), ExitedWithCode(2), "all other arguments from standard");
    EXPECT_EXIT(Play({"--runs=1..3", "--help"}), ExitedWithCode(0), "^$");
    EXPECT_EQ(Notes(), "");
}

TEST_F(ManyRunsTest, PlaysWhatLinesTell)
{
    const std::string output = m_folder / "output";
    {
        std::ofstream lines(m_folder / "lines");
        for (const std::string run : {"1", "3", "4", "5"})
        {
            lines << R"({"arguments":["--b=)" << run << R"(","--RngRun=)" << run
                  << R"("],"output":")" << output << "\"}\n";
        }
    }
    const auto play = [&]() {
        std::freopen((m_folder / "lines").c_str(), "r", stdin);
        std::freopen((m_folder / "answers").c_str(), "w", stdout);
        Play({"--runs=-"});
    };
    EXPECT_EXIT(play(), ExitedWithCode(0), "^$");
    EXPECT_EQ(tests::ReadFile(m_folder / "answers"),
              "{\"code\":0}\n{\"code\":-15}\n{\"code\":1}\n{\"code\":0}\n");
    EXPECT_EQ(tests::ReadFile(output),
              "plays --RngRun=1\nplays --RngRun=3\nplays --RngRun=4\nprogram: it broke\n"
              "plays --RngRun=5\n");
    EXPECT_THAT(Notes(), HasSubstr("--b=5 --RngRun=5 \n"));
}

TEST_F(ManyRunsTest, LinesThatAreNoneAreRefused)
{
    std::ofstream(m_folder / "lines") << "{\"arguments\":[]}\n";
    const auto play = [&]() {
        std::freopen((m_folder / "lines").c_str(), "r", stdin);
        Play({"--runs=-"});
    };
    EXPECT_EXIT(play(), ExitedWithCode(1), "^program: .*output");
    EXPECT_EQ(Notes(), "");
}

} // namespace
