/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MANY_RUNS_H
#define COLLAB_MANY_RUNS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// A scenario's program, as PlayRuns() calls it
struct RunProgram
{
    /// Read the arguments and check them, without a trace; a mistake is a UserError
    using Check = std::function<void(int argc, char* argv[])>;
    /// Read the arguments and play the run, in a folder of this name below --runDir unless it is
    /// empty
    using Play = std::function<void(int argc, char* argv[], const std::string& folder)>;

    std::string name; //!< in errors
    Check check;      //!< before the first of several runs
    Play play;        //!< a run
};

/**
 * @ingroup collab-helper
 * @brief Play a run, or with --runs several ones that load the program's libraries once.
 *
 * Each of several runs is a child of this process, forked before anything has happened in it: so a
 * run writes the bytes that a process of its own would write. One run follows the other.
 *
 * With --runs=1..3,7 run N is that of the other arguments with --RngRun=N, in the folder N of
 * --runDir. Arguments are checked before the first one. All runs are played; one that is killed is
 * reported in a line.
 *
 * With --runs=- another program tells what to play. Each line of standard input is an object of
 * JSON with "arguments", a list of all that the run is given, and "output", a file to which it
 * appends what it prints. At a run's end {"code":N} is printed in a line, with its exit status, or
 * a negative number for the signal that has killed it. Standard output stays open as long as this
 * process or a run of it lives.
 *
 * @param program what to call
 * @param argc number of arguments
 * @param argv arguments
 * @return the exit status of a run, as RunScenario() has it. With --runs this does not return: the
 * process ends with the status of the first run that failed, 128 and the signal's number for one
 * that was killed.
 */
int PlayRuns(const RunProgram& program, int argc, char* argv[]);

/// @param text numbers and ranges of runs with commas between, such as 1..3,7
/// @return the numbers, as given
/// @throws UserError if it is anything else, or has a number twice
std::vector<uint64_t> ParseRuns(const std::string& text);

} // namespace ns3::collab

#endif /* COLLAB_MANY_RUNS_H */
