/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_IDX_FILE_H
#define COLLAB_IDX_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief Contents of an IDX file of unsigned bytes (element type 0x08).
struct IdxFile
{
    std::vector<uint32_t> dimensions; //!< outermost first; at least one
    std::vector<uint8_t> bytes;       //!< product(dimensions) elements, row-major
};

/**
 * @brief Read an IDX file, plain or compressed by gzip (told by content, not by name).
 *
 * @param path of the file
 * @return its contents
 * @throws DataFileError if it cannot be opened, is not IDX, holds another element type, is shorter
 * or longer than its header says, or if its compressed stream is damaged
 */
IdxFile ReadIdxFile(const std::string& path);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_IDX_FILE_H */
