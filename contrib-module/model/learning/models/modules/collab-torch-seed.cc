/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-seed.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <cstring>
#include <mutex>

namespace ns3::collab
{

struct TorchSeed::State
{
    /// @param seed seed of the draws
    /// @param device device whose generator draws
    State(uint64_t seed, const at::Device& device)
        : lock(One()),
          generator(at::globalContext().defaultGenerator(device)),
          before(generator.get_state())
    {
        generator.set_current_seed(seed);
        seeded = generator.get_state();
    }

    ~State()
    {
        generator.set_state(before);
    }

    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// @return what one at a time has
    static std::mutex&
    One()
    {
        static std::mutex one;
        return one;
    }

    std::lock_guard<std::mutex> lock; //!< held until the generator is as before
    at::Generator generator;          //!< of the whole process
    at::Tensor before;                //!< its state
    at::Tensor seeded;                //!< its state after the seed
};

TorchSeed::TorchSeed(uint64_t seed)
    : m_state(std::make_unique<State>(seed, at::Device(at::kCPU)))
{
}

TorchSeed::TorchSeed(uint64_t seed, const at::Tensor& tensor)
    : m_state(std::make_unique<State>(seed, tensor.device()))
{
}

TorchSeed::~TorchSeed() = default;

bool
TorchSeed::HasDrawn() const
{
    const at::Tensor now = m_state->generator.get_state(); // bytes in memory, on any device
    return std::memcmp(now.data_ptr(), m_state->seeded.data_ptr(), now.nbytes()) != 0;
}

} // namespace ns3::collab
