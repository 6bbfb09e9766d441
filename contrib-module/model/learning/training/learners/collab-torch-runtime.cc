/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-runtime.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <limits>
#include <malloc.h>
#include <sstream>
#include <torch/version.h>

namespace ns3::collab
{

namespace
{

/// @tparam Function type of a C function
/// @param name name of a function that some loaded library may have
/// @return the function, or null
template <typename Function>
Function*
FindFunction(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/**
 * @brief Let freed memory stay in the process.
 *
 * A training step frees its activations and asks for the same again. By default glibc would return
 * them to the system every time, and page faults would take a third of a small network's step.
 */
void
KeepFreedMemory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, 256 * 1024 * 1024);
#endif
}

} // namespace

void
ConfigureTorchProcess()
{
    // LibTorch counts only its own threads; OpenBLAS would start more behind its back.
    if (auto* setBlasThreads = FindFunction<void(int)>("openblas_set_num_threads"))
    {
        setBlasThreads(1);
    }
    KeepFreedMemory();
    ConfigureTorchThread();
}

void
ConfigureTorchThread()
{
    at::set_num_threads(1); // calls omp_set_num_threads() too
}

std::string
GetTorchVersion()
{
    return TORCH_VERSION;
}

std::string
GetBlasDescription()
{
    auto* getConfiguration = FindFunction<char*()>("openblas_get_config");
    auto* getCoreName = FindFunction<char*()>("openblas_get_corename");
    if (!getConfiguration || !getCoreName)
    {
        return "unknown";
    }
    std::istringstream configuration(getConfiguration());
    std::string name;
    std::string version;
    configuration >> name >> version;
    return fmt::format("{} {} ({})", name, version, getCoreName());
}

} // namespace ns3::collab
