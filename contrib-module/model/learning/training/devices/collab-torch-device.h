/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_DEVICE_H
#define COLLAB_TORCH_DEVICE_H

#include <memory>
#include <string>

namespace c10
{
struct Device;
struct OptionalStreamGuard;
} // namespace c10

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Check that LibTorch can compute on a device.
/// @param name "cpu", "cuda" or "cuda:N"; "host" for the processor with what this module does
/// faster than LibTorch
/// @throws std::invalid_argument if it is none of these, or is not there; the text says what is
void CheckTorchDevice(const std::string& name);

/// @param name name as CheckTorchDevice() allows it; not "host"
/// @return the device; after a GPU the process computes by deterministic algorithms, and by none of
/// less than single precision
/// @throws std::invalid_argument as CheckTorchDevice() does
c10::Device OpenTorchDevice(const std::string& name);

/**
 * @brief Lets the calling thread's work on a device go to a stream of its own while it lives, so
 * that the jobs of several threads run side by side.
 *
 * Meanwhile LibTorch does not warn of the weights of recurrent layers: on a GPU it would do so in
 * each pass, for they are views into the weights of the whole model, which it copies.
 */
class DeviceScope
{
  public:
    /// @param device device to compute on; without streams nothing changes
    explicit DeviceScope(const c10::Device& device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

  private:
    struct Warnings; //!< keeps some of the thread's warnings off

    std::unique_ptr<c10::OptionalStreamGuard> m_stream; //!< of the thread; null on a processor
    std::unique_ptr<Warnings> m_warnings;               //!< of the thread
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_DEVICE_H */
