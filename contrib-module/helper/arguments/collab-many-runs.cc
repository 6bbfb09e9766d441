/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-many-runs.h"

#include "collab-scenario-arguments.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-number.h"
#include "ns3/collab-rank-session.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::collab
{

namespace
{

const std::string RUNS = "runs"; //!< the argument of several runs
const std::string LINES = "-";   //!< its value for runs that standard input tells
constexpr uint64_t MOST_RUNS = 10000;
/// Exit status of a child that has checked the arguments; 0 is that of --help
constexpr int ARE_CHECKED = 64;

/// @param argument an argument as given
/// @param name a name
/// @return whether it is of this name, with any number of dashes as CommandLine allows
bool
IsNamed(const std::string& argument, const std::string& name)
{
    const std::size_t start = argument.find_first_not_of('-');
    return start != std::string::npos && start > 0 &&
           argument.compare(start, name.size() + 1, name + "=") == 0;
}

/// @brief End this process, with all that is printed. It frees nothing: in each child LibTorch
/// would take a quarter of a second to unregister what its parent has registered.
/// @param status the exit status
[[noreturn]] void
Leave(int status)
{
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    _exit(status);
}

/// @return a child of this process, with which it ends; 0 in the child
/// @throws std::runtime_error if there can be none
pid_t
Fork()
{
    std::cout.flush(); // else the child would print it again
    const pid_t parent = getpid();
    const pid_t child = fork();
    Require<std::runtime_error>(child >= 0, "a process cannot be begun: {}", std::strerror(errno));
#ifdef __linux__
    if (child == 0)
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) // it has ended before
        {
            _exit(EXIT_FAILURE);
        }
    }
#endif
    return child;
}

/// @param child a child of this process
/// @return its exit status, or the negative number of the signal that has killed it
int
Wait(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// @param code what Wait() returns
/// @return the exit status, as shells have it
int
ToStatus(int code)
{
    return code < 0 ? 128 - code : code;
}

/// @param arguments name of the program and arguments
/// @param call called with them, as main() is
void
CallWith(std::vector<std::string> arguments, const RunProgram::Check& call)
{
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
    {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    call(static_cast<int>(arguments.size()), pointers.data());
}

/// @brief Give a child a file to print to. What this process prints to stays open in it, so that
/// a reader of that sees by its end that no run is left.
/// @param output path of the file
/// @throws std::runtime_error if it cannot be opened
void
Redirect(const std::string& output)
{
    const int nothing = open("/dev/null", O_RDONLY);
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    Require<std::runtime_error>(nothing >= 0 && file >= 0 && dup(STDOUT_FILENO) >= 0,
                                "{}: {}",
                                output,
                                std::strerror(errno));
    dup2(nothing, STDIN_FILENO); // the lines are for the parent
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
}

/// @param program what to call
/// @param self name of the program as it was called
/// @return the exit status
int
PlayLines(const RunProgram& program, const std::string& self)
{
    for (std::string line; std::getline(std::cin, line);)
    {
        const auto told = nlohmann::json::parse(line);
        auto arguments = told.at("arguments").get<std::vector<std::string>>();
        const auto output = told.at("output").get<std::string>();
        arguments.insert(arguments.begin(), self);
        const pid_t child = Fork();
        if (child == 0)
        {
            Leave(RunScenario(program.name, [&]() {
                Redirect(output);
                CallWith(arguments, [&](int argc, char* argv[]) { program.play(argc, argv, ""); });
            }));
        }
        std::cout << nlohmann::json{{"code", Wait(child)}} << std::endl;
    }
    return EXIT_SUCCESS;
}

/// @param program what to call
/// @param runs numbers of runs
/// @param arguments all others, behind the program's name
/// @return the exit status
int
PlayListed(const RunProgram& program,
           const std::vector<uint64_t>& runs,
           const std::vector<std::string>& arguments)
{
    const pid_t checking = Fork(); // what is checked here would be no fresh process any more
    if (checking == 0)
    {
        const int code = RunScenario(program.name, [&]() { CallWith(arguments, program.check); });
        Leave(code == EXIT_SUCCESS ? ARE_CHECKED : code);
    }
    if (const int code = Wait(checking); code != ARE_CHECKED)
    {
        return ToStatus(code);
    }
    int first = EXIT_SUCCESS;
    for (const uint64_t run : runs)
    {
        const pid_t child = Fork();
        if (child == 0)
        {
            auto given = arguments;
            given.push_back(fmt::format("--RngRun={}", run));
            Leave(RunScenario(program.name, [&]() {
                CallWith(given, [&](int argc, char* argv[]) {
                    program.play(argc, argv, std::to_string(run));
                });
            }));
        }
        const int code = Wait(child);
        if (code < 0)
        {
            std::cerr << fmt::format("{}: run {} was killed by signal {} ({})\n",
                                     program.name,
                                     run,
                                     -code,
                                     strsignal(-code));
        }
        first = first == EXIT_SUCCESS ? ToStatus(code) : first;
    }
    return first;
}

} // namespace

std::vector<uint64_t>
ParseRuns(const std::string& text)
{
    const auto check = [&](bool isAllowed) {
        Require<UserError>(isAllowed,
                           "argument '--{}={}' is not allowed; allowed are up to {} different run "
                           "numbers with commas between, as 1..20 or 1..3,7, or {} alone",
                           RUNS,
                           text,
                           MOST_RUNS,
                           LINES);
    };
    check(!text.empty() && text.back() != ',');
    std::vector<uint64_t> runs;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');)
    {
        const std::size_t dots = item.find("..");
        const std::string_view whole = item;
        const auto first = ParseWholeNumber<uint64_t>(whole.substr(0, dots));
        const auto last =
            dots == std::string::npos ? first : ParseWholeNumber<uint64_t>(whole.substr(dots + 2));
        check(first && last && *first <= *last && *last - *first < MOST_RUNS - runs.size());
        for (uint64_t i = 0; i <= *last - *first; ++i)
        {
            runs.push_back(*first + i);
        }
    }
    check(std::set<uint64_t>(runs.begin(), runs.end()).size() == runs.size());
    return runs;
}

int
PlayRuns(const RunProgram& program, int argc, char* argv[])
{
    const RankSession session(program.name);
    if (const auto ended = session.GetStatus())
    {
        return *ended;
    }
    std::vector<std::string> arguments(argv, argv + argc);
    const auto isRuns = [&](const std::string& argument) { return IsNamed(argument, RUNS); };
    auto found = std::find_if(arguments.begin(), arguments.end(), isRuns);
    if (found == arguments.end())
    {
        return RunScenario(program.name, [&]() { program.play(argc, argv, ""); });
    }
    int status = EXIT_SUCCESS;
    const int failed = RunScenario(program.name, [&]() {
        Require<UserError>(!RankSession::HasRanks(),
                           "--{} plays each run in a process of its own; with mpirun or srun give "
                           "one run (--RngRun)",
                           RUNS);
        const std::string list = found->substr(found->find('=') + 1);
        arguments.erase(found);
        const bool isOther =
            std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
                return isRuns(argument) || IsNamed(argument, "RngRun");
            });
        Require<UserError>(
            !isOther, "--{} says which runs to play; give it once, without --RngRun", RUNS);
        Require<UserError>(list != LINES || arguments.size() == 1,
                           "--{}={} takes all other arguments from standard input",
                           RUNS,
                           LINES);
        status = list == LINES ? PlayLines(program, arguments.front())
                               : PlayListed(program, ParseRuns(list), arguments);
    });
    Leave(failed ? failed : status);
}

} // namespace ns3::collab
