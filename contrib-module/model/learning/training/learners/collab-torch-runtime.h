/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_RUNTIME_H
#define COLLAB_TORCH_RUNTIME_H

#include <string>

namespace ns3::collab
{

/**
 * @brief Set up LibTorch for many learners side by side; call once before any other use of it.
 *
 * One intra-op thread, one BLAS thread, and an allocator that keeps its memory: a learner's threads
 * would only fight with those of the others.
 */
void ConfigureTorchProcess();

/**
 * @brief Set up the calling thread for learners; call at the start of every worker thread.
 *
 * The number of OpenMP threads is a property of each thread, so the process-wide setting is not
 * enough.
 */
void ConfigureTorchThread();

/// @return LibTorch's version, e.g. "1.13.1"
std::string GetTorchVersion();

/// @return the BLAS that LibTorch's matrix products use, as far as can be told, e.g.
/// "OpenBLAS 0.3.21 (SkylakeX)"; "unknown" if it is not OpenBLAS
std::string GetBlasDescription();

} // namespace ns3::collab

#endif /* COLLAB_TORCH_RUNTIME_H */
