/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-device.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/Device.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/// @return number of GPUs that LibTorch can use
int
CountGpus()
{
    return at::globalContext().hasCUDA() ? at::detail::getCUDAHooks().getNumGPUs() : 0;
}

/**
 * @param name of a device
 * @return its GPU's number, -1 for the processor, -2 if it is no name of a device
 */
int
ReadDevice(const std::string& name)
{
    if (name == "host" || name == "cpu")
    {
        return -1;
    }
    const std::string prefix = "cuda:";
    if (name == "cuda")
    {
        return 0;
    }
    int number = -2;
    const char* end = name.data() + name.size();
    if (name.compare(0, prefix.size(), prefix) != 0 || name.size() == prefix.size() ||
        name.find_first_not_of("0123456789", prefix.size()) != std::string::npos ||
        std::from_chars(name.data() + prefix.size(), end, number).ptr != end)
    {
        return -2;
    }
    return number;
}

/// Let LibTorch compute the same whenever it computes, as PyTorch's notes on reproducibility say.
void
BeDeterministic()
{
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0); // cuBLAS needs it to be deterministic
    auto& context = at::globalContext();
    context.setDeterministicAlgorithms(true, false);
    context.setDeterministicCuDNN(true);
    context.setBenchmarkCuDNN(false);
    context.setAllowTF32CuBLAS(false);
    context.setAllowTF32CuDNN(false);
}

} // namespace

void
CheckTorchDevice(const std::string& name)
{
    const int number = ReadDevice(name);
    const int gpus = CountGpus();
    if (number == -2 || number >= gpus)
    {
        throw std::invalid_argument(
            fmt::format("device {} is not there; allowed are {}",
                        name,
                        gpus > 0 ? fmt::format("host, cpu, and cuda:0 to cuda:{}", gpus - 1)
                                 : "host and cpu, as LibTorch finds no GPU"));
    }
}

c10::Device
OpenTorchDevice(const std::string& name)
{
    CheckTorchDevice(name);
    const int number = ReadDevice(name);
    if (number < 0)
    {
        return {c10::kCPU};
    }
    static std::once_flag once;
    std::call_once(once, BeDeterministic);
    return {c10::kCUDA, static_cast<c10::DeviceIndex>(number)};
}

DeviceScope::DeviceScope(const c10::Device& device)
{
    if (device.is_cpu())
    {
        return;
    }
    // One for each of the pool's threads, for good: what a job frees, the thread's next one uses
    thread_local std::unique_ptr<c10::Stream> stream;
    if (!stream || stream->device() != device)
    {
        const c10::impl::VirtualGuardImpl guard(device.type());
        stream = std::make_unique<c10::Stream>(guard.getStreamFromGlobalPool(device));
    }
    m_stream = std::make_unique<c10::OptionalStreamGuard>(*stream);
}

DeviceScope::~DeviceScope() = default;

} // namespace collab
} // namespace ns3
