/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_COMPRESSION_H
#define COLLAB_COMPRESSION_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Bytes are not a vector that a Compressor has encoded; what() says why.
class CompressionError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup collab-learning
 * @brief A way to write a vector in few bytes, chosen by name.
 *
 * Immutable: any number of threads may use one. What it writes says how it is to be read, so that
 * DecodeVector() needs no compressor. The formats are given byte by byte in the documentation.
 */
class Compressor
{
  public:
    virtual ~Compressor() = default;

    /// @param dimension d, number of elements
    /// @return exact number of bytes of the encoding of any d elements
    /// @throws std::invalid_argument if d is 0, is above 2^32 - 1 or is too small for a parameter
    virtual uint64_t EncodedSize(std::size_t dimension) const = 0;

    /// @param values d elements
    /// @param dimension d
    /// @param seed seed of what is random: int8 with stochastic rounding, and random-k
    /// @return EncodedSize(d) bytes; equal arguments give equal bytes
    /// @throws std::invalid_argument as EncodedSize(), and if an element is not finite
    std::vector<uint8_t> Encode(const float* values, std::size_t dimension, uint64_t seed) const;

    /// @return whether a decoded vector is the encoded one, bit by bit
    virtual bool IsExact() const;
    /// @return whether what an encoding loses is no longer than the vector, so that losses that are
    /// added to the next vector do not grow without bound; see ErrorFeedback
    virtual bool IsContraction() const;

  protected:
    /// @param values d finite elements
    /// @param dimension d, which EncodedSize() takes
    /// @param seed seed of what is random
    /// @param[out] bytes buffer to append the encoding to
    virtual void DoEncode(const float* values,
                          std::size_t dimension,
                          uint64_t seed,
                          std::vector<uint8_t>& bytes) const = 0;
};

/**
 * @brief Write a vector as "float32" does, without refusing elements that are not finite.
 *
 * So the vector of a learner that has diverged can travel; DecodeVector() refuses it.
 *
 * @param values d elements
 * @return its bytes
 * @throws std::invalid_argument if d is 0 or above 2^32 - 1
 */
std::vector<uint8_t> EncodeUnchecked(const std::vector<float>& values);

/// @param bytes bytes that DecodeVector() reads
/// @param size number of bytes
/// @return whether they are what "float32" writes, so that EncodeUnchecked() makes them again
bool IsFloat32(const uint8_t* bytes, std::size_t size);

/// @param bytes of an encoding by "float32", of which some values are missing
/// @param size number of bytes
/// @param dimension of the whole vector
/// @return the values that there are, in their order
/// @throws CompressionError if they are no such bytes
std::vector<float> DecodePart(const uint8_t* bytes, std::size_t size, std::size_t dimension);

/// @brief Read what a Compressor has written.
/// @param bytes bytes to read
/// @param size number of bytes
/// @param dimension d, number of elements that the receiver expects
/// @return d finite elements
/// @throws CompressionError if the bytes are not exactly one encoding of d finite elements; memory
/// is taken for d elements only, whatever the bytes say
std::vector<float> DecodeVector(const uint8_t* bytes, std::size_t size, std::size_t dimension);

/**
 * @brief Make a compressor from its name and parameters.
 *
 * - "float32": as it is
 * - "float16": IEEE 754 half precision, rounded to nearest even; magnitudes above 65504 become that
 * - "int8:block=B,stochastic=S": whole multiples, -127 to 127, of a scale for each block of B
 *   elements (default 1024; 0 for one block), the block's greatest magnitude / 127; S = 0 (default)
 *   rounds to the nearest, S = 1 up or down at random so that the mean is right
 * - "top-k:k=K" or "top-k:fraction=X": the K elements of greatest magnitude, of equals those with
 *   the lowest index; with a fraction round(X d), at least 1
 * - "random-k:k=K,unbiased=U" or "random-k:fraction=X,unbiased=U": K elements at random; with U = 1
 *   times d / K, so that the mean is right (default 0)
 *
 * @param specification "name" or "name:key=value,key=value"
 * @return the compressor
 * @throws std::invalid_argument that lists the known names or keys, or what is allowed
 */
std::unique_ptr<const Compressor> MakeCompressor(const std::string& specification);

/// @return the names that MakeCompressor() knows, sorted
std::vector<std::string> GetCompressorNames();

/**
 * @ingroup collab-learning
 * @brief Remembers what compression has dropped and adds it to the next vector.
 *
 * Error feedback: Seide et al., Interspeech 2014; Karimireddy et al., ICML 2019, algorithm 2. One
 * object a sender and stream of vectors.
 */
class ErrorFeedback
{
  public:
    /// @param compressor what to encode with
    /// @throws std::invalid_argument if its losses would grow without bound, as those of random-k
    /// with unbiased=1: it loses d / K - 1 times what it sends
    explicit ErrorFeedback(std::shared_ptr<const Compressor> compressor);

    /// @brief Encode the vector plus the residual, and keep what that loses as the new residual.
    /// @param values d elements; d is that of the first call
    /// @param dimension d
    /// @param seed seed of what is random
    /// @return the encoding
    /// @throws std::invalid_argument as Compressor::Encode(), or if d has changed; the residual
    /// stays as it was
    std::vector<uint8_t> Encode(const float* values, std::size_t dimension, uint64_t seed);

  private:
    std::shared_ptr<const Compressor> m_compressor; //!< what to encode with
    std::vector<float> m_residual;                  //!< what was lost
};

} // namespace ns3::collab

#endif /* COLLAB_COMPRESSION_H */
