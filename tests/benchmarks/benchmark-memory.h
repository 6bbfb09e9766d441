/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCHMARK_MEMORY_H
#define BENCHMARK_MEMORY_H

#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace ns3::collab
{
namespace benchmarks
{

/// @return memory of this process that is resident [byte]; 0 where the system does not tell
inline double
GetResidentBytes()
{
#ifdef __GLIBC__
    malloc_trim(0); // what earlier benchmarks have left
#endif
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    double residentPages = 0;
    file >> pages >> residentPages;
    return residentPages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

} // namespace benchmarks
} // namespace ns3::collab

#endif /* BENCHMARK_MEMORY_H */
