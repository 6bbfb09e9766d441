/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/// @file
/// Writes for each test case how long it took and which mutants it reached, into the file
/// COLLAB_MUTATION_CASES. Linked into the test programs of a woven copy only.

#include "switch.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>

namespace
{

using Clock = std::chrono::steady_clock;

class ReachListener : public testing::EmptyTestEventListener
{
  public:
    explicit ReachListener(const char* path)
        : m_file(path)
    {
        WriteMarks("startup", 0, false); // by static objects, which every case has behind it
    }

  private:
    void OnTestStart(const testing::TestInfo&) override
    {
        m_begin = Clock::now();
    }

    void OnTestEnd(const testing::TestInfo& info) override
    {
        const std::chrono::duration<double> seconds = Clock::now() - m_begin;
        WriteMarks(std::string(info.test_suite_name()) + "." + info.name(),
                   seconds.count(),
                   info.result()->Failed());
    }

    void WriteMarks(const std::string& name, double seconds, bool failed)
    {
        m_file << name << '\t' << seconds << '\t' << failed << '\t';
        collab_mutation::State& state = collab_mutation::GetState();
        for (std::size_t mutant = 0; mutant < collab_mutation::MOST_MUTANTS; ++mutant)
        {
            if (state.marks[mutant])
            {
                m_file << mutant << ' ';
                state.marks[mutant] = 0;
            }
        }
        m_file << std::endl;
    }

    std::ofstream m_file;
    Clock::time_point m_begin;
};

[[maybe_unused]] const bool g_isListening = [] {
    if (const char* path = std::getenv("COLLAB_MUTATION_CASES"))
    {
        testing::UnitTest::GetInstance()->listeners().Append(new ReachListener(path));
        unsetenv("COLLAB_MUTATION_CASES"); // a death test runs this program again
    }
    return true;
}();

} // namespace
