/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TENSOR_FILE_H
#define COLLAB_TENSOR_FILE_H

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief A tensor as the header of a safetensors file describes it.
struct TensorEntry
{
    std::string name;           //!< unique in the file
    std::string type;           //!< dtype: F64, F32, F16, BF16, I64, I32, I16, I8, U32, U16 or U8
    std::vector<int64_t> sizes; //!< of its dimensions; none for a single number
    uint64_t begin = 0;         //!< its first byte, in the data
    uint64_t end = 0;           //!< one past its last byte

    /// @return whether its numbers are whole ones
    bool IsInteger() const;
    /// @return how many numbers it has
    uint64_t Count() const;
};

/**
 * @ingroup collab-learning
 * @brief A safetensors file to read from, piece by piece.
 *
 * The format: the length of the header in bytes, as an unsigned little-endian number of 8 bytes;
 * the header in JSON, which gives for each name its dtype, shape and data_offsets, and perhaps a
 * map of strings under "__metadata__"; then the data, little-endian, without gaps.
 */
class TensorFile
{
  public:
    /// @param path path of the file, of which the header is read and checked against the file's
    /// size
    /// @throws DataFileError if it cannot be read or is of another format; the text names the file
    /// and the place
    explicit TensorFile(const std::string& path);

    /// @return path of the file
    const std::string& GetPath() const;
    /// @return its size in bytes
    uint64_t GetSize() const;
    /// @return the tensors in the order of their data
    const std::vector<TensorEntry>& GetTensors() const;
    /// @param name name of a tensor
    /// @return that tensor; null if there is none
    const TensorEntry* Find(const std::string& name) const;
    /// @param key key of "__metadata__"
    /// @return its text; empty if there is none
    std::string GetMetadata(const std::string& key) const;
    /// @return all of "__metadata__", by key
    const std::map<std::string, std::string>& GetMetadata() const;

    /// @brief Read some numbers of a tensor, row-major.
    /// @tparam Value float, into which all numbers are converted; uint8_t, int32_t or int64_t, into
    /// which whole ones are
    /// @param entry entry of GetTensors()
    /// @param first number to read
    /// @param count how many
    /// @param values where to put them
    /// @throws DataFileError if they cannot be read, are not finite, or do not fit into Value
    template <typename Value>
    void Read(const TensorEntry& entry, uint64_t first, uint64_t count, Value* values);

    /// @param offset offset in the file
    /// @param problem what was found and what was expected
    /// @throws DataFileError always
    [[noreturn]] void FailAtByte(uint64_t offset, const std::string& problem) const;
    /// @param name name of a tensor
    /// @param problem what was found and what was expected
    /// @throws DataFileError always
    [[noreturn]] void FailAtTensor(const std::string& name, const std::string& problem) const;

  private:
    /// @param bytes where to put what is read
    /// @param size number of bytes
    /// @param offset offset of the first one
    void ReadBytes(void* bytes, uint64_t size, uint64_t offset);
    /// Read and check the header.
    void ReadHeader();
    /// Check that the tensors fill the data.
    void CheckTensors() const;

    std::string m_path;                            //!< of the file
    std::ifstream m_file;                          //!< the file
    uint64_t m_size = 0;                           //!< of the file in bytes
    uint64_t m_data = 0;                           //!< offset of the data
    std::vector<TensorEntry> m_tensors;            //!< in the order of their data
    std::map<std::string, std::string> m_metadata; //!< "__metadata__"
};

} // namespace ns3::collab

#endif /* COLLAB_TENSOR_FILE_H */
