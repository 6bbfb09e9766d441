/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/models/multiply-add-counter.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <string>

namespace tests
{

namespace
{

thread_local uint64_t g_products = 0; //!< counted so far

/**
 * @param weight of a convolution
 * @return products for each number of its output
 */
uint64_t
KernelSize(const at::Tensor& weight)
{
    return static_cast<uint64_t>(weight.numel() / weight.size(0));
}

/**
 * @brief Count the products of an operator that has run.
 * @param function the operator with its inputs and outputs
 */
void
Count(const at::RecordFunction& function, at::ObserverContext* /* context */)
{
    const std::string name = function.name();
    const auto inputs = function.inputs();
    const auto outputs = function.outputs();
    const auto product = [&](std::size_t left, std::size_t right) {
        const at::Tensor& a = inputs[left].toTensor();
        const at::Tensor& b = inputs[right].toTensor();
        return static_cast<uint64_t>(a.numel() * b.size(-1));
    };
    if (name == "aten::mm" || name == "aten::bmm")
    {
        g_products += product(0, 1);
    }
    else if (name == "aten::addmm")
    {
        g_products += product(1, 2);
    }
    else if (name == "aten::convolution")
    {
        g_products +=
            static_cast<uint64_t>(outputs[0].toTensor().numel()) * KernelSize(inputs[1].toTensor());
    }
    else if (name == "aten::convolution_backward")
    {
        const auto isComputed = [&](std::size_t output) {
            return outputs[output].toTensor().defined() ? uint64_t{1} : uint64_t{0};
        };
        const uint64_t wanted = isComputed(0) + isComputed(1); // of the input and of the weights
        g_products += wanted * static_cast<uint64_t>(inputs[0].toTensor().numel()) *
                      KernelSize(inputs[2].toTensor());
    }
}

} // namespace

uint64_t
CountMultiplyAdds(const std::function<void()>& work)
{
    g_products = 0;
    const auto handle = at::addThreadLocalCallback(
        at::RecordFunctionCallback(nullptr, Count).needsInputs(true).needsOutputs(true));
    work();
    at::removeCallback(handle);
    return g_products;
}

} // namespace tests
