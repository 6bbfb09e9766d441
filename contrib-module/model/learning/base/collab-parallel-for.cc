/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parallel-for.h"

#include "collab-check-argument.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

namespace ns3::collab
{

void
ParallelFor(unsigned threads, std::size_t count, const std::function<void(std::size_t index)>& call)
{
    CheckArgument(threads != 0, "0 threads, but at least 1 is needed");
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures(count);
    const auto work = [&] {
        for (std::size_t index = next++; index < count; index = next++)
        {
            try
            {
                call(index);
            }
            catch (...)
            {
                failures[index] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i)
    {
        try
        {
            helpers.emplace_back(work);
        }
        catch (const std::system_error&)
        {
            break; // the machine gives no more threads: fewer do the same
        }
    }
    work();
    for (std::thread& helper : helpers)
    {
        helper.join();
    }
    for (const std::exception_ptr& failure : failures)
    {
        if (failure)
        {
            std::rethrow_exception(failure);
        }
    }
}

std::vector<IndexRange>
SplitRange(std::size_t size, std::size_t least, std::size_t most)
{
    const std::size_t units = (size + least - 1) / least;
    const std::size_t step = (units + most - 1) / most * least;
    std::vector<IndexRange> ranges;
    for (std::size_t begin = 0; begin < size; begin += step)
    {
        ranges.push_back({begin, std::min(begin + step, size)});
    }
    return ranges;
}

} // namespace ns3::collab
