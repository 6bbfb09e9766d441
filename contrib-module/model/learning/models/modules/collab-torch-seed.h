/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_SEED_H
#define COLLAB_TORCH_SEED_H

#include <cstdint>
#include <memory>

namespace at
{
class Tensor; // LibTorch's headers would cost every script that includes this one seconds
}

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief As long as it lives, what LibTorch draws follows a seed, and no other thread's does.
 *
 * LibTorch's layers draw their first weights and dropout its masks from one generator of the whole
 * process, which afterwards is as it was before.
 */
class TorchSeed
{
  public:
    /// @param seed seed of the draws on the processor
    explicit TorchSeed(uint64_t seed);
    /// @param seed seed of the draws
    /// @param tensor tensor on the device whose draws these are
    TorchSeed(uint64_t seed, const at::Tensor& tensor);
    ~TorchSeed();
    TorchSeed(const TorchSeed&) = delete;
    TorchSeed& operator=(const TorchSeed&) = delete;

    /// @return whether anything has been drawn since
    bool HasDrawn() const;

  private:
    struct State;
    std::unique_ptr<State> m_state; //!< what the generator was before, and the right to change it
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_SEED_H */
