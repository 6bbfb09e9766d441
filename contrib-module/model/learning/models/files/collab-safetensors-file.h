/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SAFETENSORS_FILE_H
#define COLLAB_SAFETENSORS_FILE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief One tensor of a file.
struct NamedTensor
{
    std::string name;           //!< unique in the file
    std::vector<int64_t> sizes; //!< of its dimensions; none for a single number
    std::vector<float> values;  //!< row-major
};

/**
 * @ingroup collab-learning
 * @brief Read a safetensors file.
 *
 * Of the format see TensorFile. Numbers may be F64, F32, F16 or BF16 and become float.
 *
 * @param path path of the file
 * @return the tensors in the order of their data
 * @throws DataFileError if it cannot be read, is of another format, or has a number that is not
 * finite; the text names the file and the place
 */
std::vector<NamedTensor> ReadSafetensors(const std::string& path);

/// @brief Read what a safetensors file says of itself.
/// @param path path of the file
/// @return the strings under "__metadata__", by name; none if there are none
/// @throws DataFileError if the header cannot be read, or they are not strings
std::map<std::string, std::string> ReadSafetensorsMetadata(const std::string& path);

/// @brief Write a safetensors file of F32 tensors; the file appears under its name when it is
/// complete.
/// @param path path of the file
/// @param tensors tensors to write, in this order
/// @param metadata what the file shall say of itself, by name
/// @throws DataFileError if it cannot be written
/// @throws std::invalid_argument if a name comes twice or a tensor does not have as many values as
/// its sizes say
void WriteSafetensors(const std::string& path,
                      const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

} // namespace ns3::collab

#endif /* COLLAB_SAFETENSORS_FILE_H */
