/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-script-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"

#include <cmath>
#include <fmt/format.h>
#include <torch/csrc/jit/serialization/import.h>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param path path of the file, for errors
/// @param name name of the tensor
/// @param tensor its values
/// @return the same as numbers
NamedTensor
Convert(const std::string& path, const std::string& name, const at::Tensor& tensor)
{
    const at::Tensor values = tensor.detach().to(at::kFloat).contiguous();
    NamedTensor named;
    named.name = name;
    named.sizes = values.sizes().vec();
    named.values.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
    for (std::size_t i = 0; i < named.values.size(); ++i)
    {
        Require<DataFileError>(std::isfinite(named.values[i]),
                               "{}: tensor \"{}\", element {}: found {}, expected a finite number",
                               path,
                               name,
                               i,
                               named.values[i]);
    }
    return named;
}

} // namespace

std::vector<NamedTensor>
ReadTorchScript(const std::string& path)
{
    std::vector<NamedTensor> tensors;
    try
    {
        const torch::jit::Module module = torch::jit::load(path, at::kCPU);
        for (const auto& parameter : module.named_parameters())
        {
            tensors.push_back(Convert(path, parameter.name, parameter.value));
        }
        for (const auto& buffer : module.named_buffers())
        {
            constexpr char COUNTER[] = "num_batches_tracked";
            if (buffer.name.find(COUNTER) == std::string::npos)
            {
                tensors.push_back(Convert(path, buffer.name, buffer.value));
            }
        }
    }
    catch (const c10::Error& error)
    {
        const std::string text = error.what_without_backtrace();
        throw DataFileError(
            fmt::format("{}: is no TorchScript module: {}", path, text.substr(0, text.find('\n'))));
    }
    return tensors;
}

} // namespace ns3::collab
