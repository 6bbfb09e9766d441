/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_SCRIPT_FILE_H
#define COLLAB_TORCH_SCRIPT_FILE_H

#include "collab-safetensors-file.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Read the parameters and buffers of a TorchScript module.
 *
 * The file is one that torch.jit.save() writes. Its code is loaded and not run. Counters that
 * PyTorch keeps with batch normalization (num_batches_tracked) are left out.
 *
 * @param path path of the file
 * @return the tensors as float32, by PyTorch's names
 * @throws DataFileError if the file is no TorchScript module, or has numbers that are not finite
 */
std::vector<NamedTensor> ReadTorchScript(const std::string& path);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_SCRIPT_FILE_H */
