/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-device.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <algorithm>
#include <c10/core/Device.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <torch/version.h>

namespace ns3::collab
{

namespace
{

/// @return number of GPUs that LibTorch can use
int
CountGpus()
{
    return at::globalContext().hasCUDA() ? at::detail::getCUDAHooks().getNumGPUs() : 0;
}

/// @param name name of a device
/// @return the device; none if LibTorch knows no such device, or has none
std::optional<c10::Device>
FindDevice(const std::string& name)
{
    if (name == "host" || name == "cpu")
    {
        return c10::kCPU;
    }
    try
    {
        c10::Device device(name);
        // LibTorch cuts numbers to 8 bits
        const bool isNamed = name == "cuda" || name == device.str();
        device.set_index(std::max<c10::DeviceIndex>(device.index(), 0));
        return device.is_cuda() && isNamed && device.index() < CountGpus() ? std::optional(device)
                                                                           : std::nullopt;
    }
    catch (const c10::Error&)
    {
        return std::nullopt;
    }
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

#if TORCH_VERSION_MAJOR < 2
namespace warnings = c10::Warning;
#else
namespace warnings = c10::WarningUtils;
#endif

/// Passes on all warnings but that of weights of recurrent layers that are not one piece of memory.
class WarningFilter : public c10::WarningHandler
{
  public:
#if TORCH_VERSION_MAJOR < 2
    void
    process(const c10::SourceLocation& source, const std::string& text, const bool isPlain) override
    {
        if (!IsOfWeights(text))
        {
            c10::WarningHandler::process(source, text, isPlain);
        }
    }
#else
    void
    process(const c10::Warning& warning) override
    {
        if (!IsOfWeights(warning.msg()))
        {
            c10::WarningHandler::process(warning);
        }
    }
#endif

  private:
    /// @param text text of a warning
    /// @return whether it is about the weights of a recurrent layer
    static bool
    IsOfWeights(const std::string& text)
    {
        return text.find("flatten_parameters") != std::string::npos;
    }
};

} // namespace

void
CheckTorchDevice(const std::string& name)
{
    if (!FindDevice(name))
    {
        const int gpus = CountGpus();
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
    const c10::Device device = *FindDevice(name);
    if (device.is_cuda())
    {
        static std::once_flag once;
        std::call_once(once, BeDeterministic);
    }
    return device;
}

struct DeviceScope::Warnings
{
    WarningFilter filter;                         //!< takes them
    warnings::WarningHandlerGuard guard{&filter}; //!< puts back what took them before
};

DeviceScope::DeviceScope(const c10::Device& device)
    : m_warnings(std::make_unique<Warnings>())
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

} // namespace ns3::collab
