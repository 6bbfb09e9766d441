/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-compression.h"

#include "ns3/collab-byte-reader.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-float16.h"
#include "ns3/collab-random.h"
#include "ns3/collab-specification.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>

namespace ns3::collab
{

namespace
{

static_assert(sizeof(float) == 4, "the wire format is IEEE 754 single precision");

/// First byte of an encoding
enum class Format : uint8_t
{
    FLOAT32 = 1,
    FLOAT16,
    INT8,
    TOP_K,
    RANDOM_K,
};

constexpr uint64_t HEADER_BYTES = 1 + 4; //!< format, d
constexpr double LARGEST_INT8 = 127;     //!< greatest multiple of a scale
constexpr uint32_t DEFAULT_BLOCK = 1024; //!< elements of one scale

/// @param[in,out] bytes buffer to append the value to
/// @param value value to write
void
PutFloat(std::vector<uint8_t>& bytes, float value)
{
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    PutLittle(bits, bytes);
}

/// Takes values from the front of an encoding
class Reader : public ByteReader<CompressionError>
{
  public:
    using ByteReader::ByteReader;

    /// @param size number of bytes that must be left, exactly
    void
    CheckLeft(uint64_t size) const
    {
        Require<CompressionError>(
            GetLeft() == size, "encoded vector with {} more bytes, expected {}", GetLeft(), size);
    }

    /// @return the next value, which must be finite
    float
    GetFloat()
    {
        const auto bits = TakeNumber<uint32_t>();
        float value;
        std::memcpy(&value, &bits, sizeof(value));
        Require<CompressionError>(std::isfinite(value), "encoded vector holds {}", value);
        return value;
    }
};

/// @param dimension d
/// @throws std::invalid_argument if it does not fit in the header
void
CheckDimension(std::size_t dimension)
{
    CheckArgument(dimension != 0 && dimension <= std::numeric_limits<uint32_t>::max(),
                  "vector of {} elements to compress, allowed are 1 to 4294967295",
                  dimension);
}

/// @param[in,out] bytes buffer to append the header to
/// @param format first byte
/// @param dimension d
void
PutHeader(std::vector<uint8_t>& bytes, Format format, std::size_t dimension)
{
    bytes.push_back(static_cast<uint8_t>(format));
    PutLittle(static_cast<uint32_t>(dimension), bytes);
}

// --- Whole vectors -------------------------------------------------------------------------------

/// @param[out] bytes buffer to append the encoding "float32" to
/// @param values d elements
/// @param dimension d
void
PutFloat32(std::vector<uint8_t>& bytes, const float* values, std::size_t dimension)
{
    PutHeader(bytes, Format::FLOAT32, dimension);
    std::for_each(values, values + dimension, [&](float value) { PutFloat(bytes, value); });
}

/// "float32"
class Float32Compressor : public Compressor
{
  public:
    uint64_t
    EncodedSize(std::size_t dimension) const override
    {
        CheckDimension(dimension);
        return HEADER_BYTES + dimension * sizeof(float);
    }

    bool
    IsExact() const override
    {
        return true;
    }

  protected:
    void
    DoEncode(const float* values,
             std::size_t dimension,
             uint64_t /*seed*/,
             std::vector<uint8_t>& bytes) const override
    {
        PutFloat32(bytes, values, dimension);
    }
};

/// "float16"
class Float16Compressor : public Compressor
{
  public:
    uint64_t
    EncodedSize(std::size_t dimension) const override
    {
        CheckDimension(dimension);
        return HEADER_BYTES + dimension * sizeof(uint16_t);
    }

  protected:
    void
    DoEncode(const float* values,
             std::size_t dimension,
             uint64_t /*seed*/,
             std::vector<uint8_t>& bytes) const override
    {
        PutHeader(bytes, Format::FLOAT16, dimension);
        std::for_each(
            values, values + dimension, [&](float value) { PutLittle(FloatToHalf(value), bytes); });
    }
};

/// @param reader after the header
/// @param[out] values values to read
void
DecodeFloat32(Reader& reader, std::vector<float>& values)
{
    reader.CheckLeft(values.size() * sizeof(float));
    std::generate(values.begin(), values.end(), [&] { return reader.GetFloat(); });
}

/// @param reader after the header
/// @param[out] values values to read
void
DecodeFloat16(Reader& reader, std::vector<float>& values)
{
    reader.CheckLeft(values.size() * sizeof(uint16_t));
    for (float& value : values)
    {
        value = HalfToFloat(reader.TakeNumber<uint16_t>());
        Require<CompressionError>(std::isfinite(value), "encoded vector holds {}", value);
    }
}

// --- Multiples of a scale ------------------------------------------------------------------------

/// "int8"
class Int8Compressor : public Compressor
{
  public:
    /// @param specification specification with block and stochastic
    explicit Int8Compressor(Specification& specification)
        : m_block(specification.GetCount("block", DEFAULT_BLOCK)),
          m_stochastic(specification.GetCount("stochastic", 0, 0, 1) == 1)
    {
        specification.CheckKeys();
    }

    uint64_t
    EncodedSize(std::size_t dimension) const override
    {
        CheckDimension(dimension);
        const uint64_t block = Block(dimension);
        const uint64_t blocks = (dimension + block - 1) / block;
        return HEADER_BYTES + sizeof(uint32_t) + blocks * sizeof(float) + dimension;
    }

  protected:
    void
    DoEncode(const float* values,
             std::size_t dimension,
             uint64_t seed,
             std::vector<uint8_t>& bytes) const override
    {
        PutHeader(bytes, Format::INT8, dimension);
        const uint32_t block = Block(dimension);
        PutLittle(block, bytes);
        RandomGenerator generator(seed);
        for (std::size_t begin = 0; begin < dimension; begin += block)
        {
            EncodeBlock(
                values + begin, std::min<std::size_t>(block, dimension - begin), generator, bytes);
        }
    }

  private:
    /// @param dimension d
    /// @return elements of one scale
    uint32_t
    Block(std::size_t dimension) const
    {
        return static_cast<uint32_t>(m_block == 0 ? dimension : m_block);
    }

    /// @param values values of the block
    /// @param size number of elements
    /// @param generator generator to round with
    /// @param[out] bytes buffer to append the block to
    void
    EncodeBlock(const float* values,
                std::size_t size,
                RandomGenerator& generator,
                std::vector<uint8_t>& bytes) const
    {
        boost::random::uniform_01<double> draw;
        float greatest = 0;
        for (std::size_t k = 0; k < size; ++k)
        {
            greatest = std::max(greatest, std::abs(values[k]));
        }
        const auto scale = static_cast<float>(greatest / LARGEST_INT8);
        PutFloat(bytes, scale);
        for (std::size_t k = 0; k < size; ++k)
        {
            const double multiple = scale > 0 ? static_cast<double>(values[k]) / scale : 0;
            const double whole =
                m_stochastic ? std::floor(multiple + draw(generator)) : std::nearbyint(multiple);
            const double limited = std::min(std::max(whole, -LARGEST_INT8), LARGEST_INT8);
            bytes.push_back(static_cast<uint8_t>(static_cast<int8_t>(limited)));
        }
    }

    uint64_t m_block;  //!< elements of one scale; 0 for all
    bool m_stochastic; //!< whether to round at random
};

/// @param reader after the header
/// @param[out] values values to read
void
DecodeInt8(Reader& reader, std::vector<float>& values)
{
    const std::size_t block = reader.TakeNumber<uint32_t>();
    Require<CompressionError>(block != 0, "encoded vector in blocks of 0 elements");
    const uint64_t blocks = (values.size() + block - 1) / block;
    reader.CheckLeft(blocks * sizeof(float) + values.size());
    float scale = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
    {
        if (k % block == 0)
        {
            scale = reader.GetFloat();
        }
        const auto multiple = static_cast<int8_t>(reader.TakeNumber<uint8_t>());
        Require<CompressionError>(scale >= 0 && multiple >= -LARGEST_INT8,
                                  "encoded vector holds {} times the scale {}",
                                  multiple,
                                  scale);
        constexpr double LIMIT = std::numeric_limits<float>::max();
        const double value = static_cast<double>(multiple) * scale;
        values[k] = static_cast<float>(std::min(std::max(value, -LIMIT), LIMIT));
    }
}

// --- Some of the elements ------------------------------------------------------------------------

/// How many elements are sent
class KeptCount
{
  public:
    /// @param specification specification with k or fraction
    explicit KeptCount(Specification& specification)
        : m_isFraction(specification.Has("fraction")),
          m_count(specification.GetCount("k", 1, 1)),
          m_fraction(specification.GetNumber("fraction", 1, 0, 1))
    {
        CheckArgument(specification.Has("k") != m_isFraction,
                      "compressor {} needs either k=COUNT or fraction=FRACTION",
                      specification.GetName());
    }

    /// @param dimension d
    /// @return k
    /// @throws std::invalid_argument if k > d
    uint32_t
    Of(std::size_t dimension) const
    {
        CheckDimension(dimension);
        CheckArgument(m_isFraction || m_count <= dimension,
                      "k = {} of a vector of {} elements",
                      m_count,
                      dimension);
        const double rounded = std::round(m_fraction * static_cast<double>(dimension));
        return static_cast<uint32_t>(m_isFraction ? std::max(1.0, rounded)
                                                  : static_cast<double>(m_count));
    }

  private:
    bool m_isFraction; //!< whether a fraction was given
    uint64_t m_count;  //!< k, if it was not
    double m_fraction; //!< k / d, if it was
};

/// @brief The indices on the wire: a bit for each element, or packed numbers, whichever is shorter.
class IndexCoding
{
  public:
    /// @param dimension d
    /// @param count k
    IndexCoding(std::size_t dimension, uint32_t count)
        : m_dimension(dimension),
          m_count(count)
    {
        while (m_bits < 32 && (uint64_t{1} << m_bits) < dimension)
        {
            ++m_bits;
        }
    }

    /// @return number of bytes
    uint64_t
    Size() const
    {
        return std::min(MaskBytes(), PackedBytes());
    }

    /// @param indices k of them, ascending
    /// @param[out] bytes buffer to append them to
    void
    Put(const std::vector<uint32_t>& indices, std::vector<uint8_t>& bytes) const
    {
        const std::size_t begin = bytes.size();
        bytes.resize(begin + Size(), 0);
        uint64_t position = 0;
        for (const uint32_t index : indices)
        {
            if (IsMask())
            {
                SetBit(bytes.data() + begin, index);
                continue;
            }
            for (uint32_t bit = 0; bit < m_bits; ++bit, ++position)
            {
                if (index >> bit & 1U)
                {
                    SetBit(bytes.data() + begin, position);
                }
            }
        }
    }

    /// @param reader reader that has Size() bytes
    /// @return k indices, ascending
    /// @throws CompressionError if they are not
    std::vector<uint32_t>
    Get(Reader& reader) const
    {
        std::vector<uint8_t> bytes(Size());
        std::generate(bytes.begin(), bytes.end(), [&] { return reader.TakeNumber<uint8_t>(); });
        std::vector<uint32_t> indices = IsMask() ? GetMask(bytes) : GetPacked(bytes);
        const bool ascending =
            std::adjacent_find(indices.begin(), indices.end(), std::greater_equal<>()) ==
            indices.end();
        std::vector<uint8_t> again;
        if (indices.size() == m_count && ascending && indices.back() < m_dimension)
        {
            Put(indices, again);
        }
        Require<CompressionError>(again == bytes,
                                  "encoded vector whose indices are not {} ascending ones of {}",
                                  m_count,
                                  m_dimension);
        return indices;
    }

  private:
    /// @return bytes of one bit an element
    uint64_t
    MaskBytes() const
    {
        return (m_dimension + 7) / 8;
    }

    /// @return bytes of the packed numbers
    uint64_t
    PackedBytes() const
    {
        return (uint64_t{m_count} * m_bits + 7) / 8;
    }

    /// @return whether there is a bit for each element
    bool
    IsMask() const
    {
        return MaskBytes() <= PackedBytes();
    }

    /// @param bytes bytes to change
    /// @param position position of a bit; the least significant of a byte comes first
    static void
    SetBit(uint8_t* bytes, uint64_t position)
    {
        bytes[position / 8] |= static_cast<uint8_t>(1U << position % 8);
    }

    /// @param bytes bytes to read
    /// @param position position of a bit
    /// @return the bit
    static uint32_t
    GetBit(const std::vector<uint8_t>& bytes, uint64_t position)
    {
        return bytes[position / 8] >> position % 8 & 1U;
    }

    /// @param bytes one bit an element
    /// @return positions of the bits that are set
    static std::vector<uint32_t>
    GetMask(const std::vector<uint8_t>& bytes)
    {
        std::vector<uint32_t> indices;
        for (uint64_t position = 0; position < bytes.size() * 8; ++position)
        {
            if (GetBit(bytes, position))
            {
                indices.push_back(static_cast<uint32_t>(position));
            }
        }
        return indices;
    }

    /// @param bytes packed numbers
    /// @return the numbers
    std::vector<uint32_t>
    GetPacked(const std::vector<uint8_t>& bytes) const
    {
        std::vector<uint32_t> indices(m_count, 0);
        uint64_t position = 0;
        for (uint32_t& index : indices)
        {
            for (uint32_t bit = 0; bit < m_bits; ++bit, ++position)
            {
                index |= GetBit(bytes, position) << bit;
            }
        }
        return indices;
    }

    std::size_t m_dimension; //!< d
    uint32_t m_count;        //!< k
    uint32_t m_bits = 0;     //!< of a packed number: d <= 2^bits
};

/// "top-k"
class TopKCompressor : public Compressor
{
  public:
    /// @param specification specification with k or fraction
    explicit TopKCompressor(Specification& specification)
        : m_kept(specification)
    {
        specification.CheckKeys();
    }

    uint64_t
    EncodedSize(std::size_t dimension) const override
    {
        const uint32_t k = m_kept.Of(dimension);
        return HEADER_BYTES + sizeof(k) + IndexCoding(dimension, k).Size() +
               uint64_t{k} * sizeof(float);
    }

  protected:
    void
    DoEncode(const float* values,
             std::size_t dimension,
             uint64_t /*seed*/,
             std::vector<uint8_t>& bytes) const override
    {
        const uint32_t k = m_kept.Of(dimension);
        std::vector<uint32_t> indices(dimension);
        std::iota(indices.begin(), indices.end(), 0U);
        const auto isGreater = [&](uint32_t a, uint32_t b) {
            const float first = std::abs(values[a]);
            const float second = std::abs(values[b]);
            return first > second || (first == second && a < b);
        };
        std::nth_element(indices.begin(), indices.begin() + (k - 1), indices.end(), isGreater);
        indices.resize(k);
        std::sort(indices.begin(), indices.end());
        PutHeader(bytes, Format::TOP_K, dimension);
        PutLittle(k, bytes);
        IndexCoding(dimension, k).Put(indices, bytes);
        for (const uint32_t index : indices)
        {
            PutFloat(bytes, values[index]);
        }
    }

  private:
    KeptCount m_kept; //!< k
};

/// "random-k"
class RandomKCompressor : public Compressor
{
  public:
    /// @param specification specification with k or fraction, and unbiased
    explicit RandomKCompressor(Specification& specification)
        : m_kept(specification),
          m_unbiased(specification.GetCount("unbiased", 0, 0, 1) == 1)
    {
        specification.CheckKeys();
    }

    uint64_t
    EncodedSize(std::size_t dimension) const override
    {
        const uint32_t k = m_kept.Of(dimension);
        return HEADER_BYTES + sizeof(k) + sizeof(uint64_t) + uint64_t{k} * sizeof(float);
    }

    bool
    IsContraction() const override
    {
        return !m_unbiased;
    }

  protected:
    void
    DoEncode(const float* values,
             std::size_t dimension,
             uint64_t seed,
             std::vector<uint8_t>& bytes) const override
    {
        const uint32_t k = m_kept.Of(dimension);
        const double factor = m_unbiased ? static_cast<double>(dimension) / k : 1;
        constexpr double LIMIT = std::numeric_limits<float>::max();
        PutHeader(bytes, Format::RANDOM_K, dimension);
        PutLittle(k, bytes);
        PutLittle(seed, bytes);
        for (const uint32_t index : DrawIndices(dimension, k, seed))
        {
            const double value = factor * values[index];
            PutFloat(bytes, static_cast<float>(std::min(std::max(value, -LIMIT), LIMIT)));
        }
    }

  private:
    KeptCount m_kept; //!< k
    bool m_unbiased;  //!< whether to multiply by d / k
};

/// @param reader after the header
/// @param dimension d
/// @return k
uint32_t
GetKeptCount(Reader& reader, std::size_t dimension)
{
    const auto k = reader.TakeNumber<uint32_t>();
    Require<CompressionError>(
        k != 0 && k <= dimension, "encoded vector with {} of {} elements", k, dimension);
    return k;
}

/// @param reader after the header
/// @param[out] values values to read; 0 so far
void
DecodeTopK(Reader& reader, std::vector<float>& values)
{
    const uint32_t k = GetKeptCount(reader, values.size());
    const IndexCoding coding(values.size(), k);
    reader.CheckLeft(coding.Size() + uint64_t{k} * sizeof(float));
    for (const uint32_t index : coding.Get(reader))
    {
        values[index] = reader.GetFloat();
    }
}

/// @param reader after the header
/// @param[out] values values to read; 0 so far
void
DecodeRandomK(Reader& reader, std::vector<float>& values)
{
    const uint32_t k = GetKeptCount(reader, values.size());
    const auto seed = reader.TakeNumber<uint64_t>();
    reader.CheckLeft(uint64_t{k} * sizeof(float));
    for (const uint32_t index : DrawIndices(values.size(), k, seed))
    {
        values[index] = reader.GetFloat();
    }
}

using CompressorFactory = std::unique_ptr<const Compressor> (*)(Specification& specification);

/// @tparam T a compressor
/// @param specification specification whose parameters it takes
/// @return the compressor
template <typename T>
std::unique_ptr<const Compressor>
Make(Specification& specification)
{
    if constexpr (std::is_constructible_v<T, Specification&>)
    {
        return std::make_unique<T>(specification);
    }
    else
    {
        specification.CheckKeys(); // it takes none
        return std::make_unique<T>();
    }
}

/// @return all compressors by name
const std::map<std::string, CompressorFactory>&
GetCompressorFactories()
{
    static const std::map<std::string, CompressorFactory> factories = {
        {"float16", Make<Float16Compressor>},
        {"float32", Make<Float32Compressor>},
        {"int8", Make<Int8Compressor>},
        {"random-k", Make<RandomKCompressor>},
        {"top-k", Make<TopKCompressor>},
    };
    return factories;
}

} // namespace

std::vector<uint8_t>
Compressor::Encode(const float* values, std::size_t dimension, uint64_t seed) const
{
    std::vector<uint8_t> bytes;
    bytes.reserve(EncodedSize(dimension));
    VectorStack({values}, dimension).CheckFinite();
    DoEncode(values, dimension, seed, bytes);
    return bytes;
}

bool
Compressor::IsExact() const
{
    return false;
}

bool
Compressor::IsContraction() const
{
    return true;
}

std::vector<uint8_t>
EncodeUnchecked(const std::vector<float>& values)
{
    std::vector<uint8_t> bytes;
    bytes.reserve(Float32Compressor().EncodedSize(values.size()));
    PutFloat32(bytes, values.data(), values.size());
    return bytes;
}

bool
IsFloat32(const uint8_t* bytes, std::size_t size)
{
    return size > 0 && bytes[0] == static_cast<uint8_t>(Format::FLOAT32);
}

std::vector<float>
DecodeVector(const uint8_t* bytes, std::size_t size, std::size_t dimension)
{
    Reader reader(bytes, size);
    const auto format = reader.TakeNumber<uint8_t>();
    const auto found = reader.TakeNumber<uint32_t>();
    Require<CompressionError>(found != 0 && found == dimension,
                              "encoded vector of {} elements, expected {}",
                              found,
                              dimension);
    std::vector<float> values(dimension, 0);
    switch (static_cast<Format>(format))
    {
    case Format::FLOAT32:
        DecodeFloat32(reader, values);
        return values;
    case Format::FLOAT16:
        DecodeFloat16(reader, values);
        return values;
    case Format::INT8:
        DecodeInt8(reader, values);
        return values;
    case Format::TOP_K:
        DecodeTopK(reader, values);
        return values;
    case Format::RANDOM_K:
        DecodeRandomK(reader, values);
        return values;
    }
    throw CompressionError(fmt::format("encoded vector of format {}, allowed are 1 to 5", format));
}

std::vector<float>
DecodePart(const uint8_t* bytes, std::size_t size, std::size_t dimension)
{
    Reader reader(bytes, size);
    const auto format = reader.TakeNumber<uint8_t>();
    const auto found = reader.TakeNumber<uint32_t>();
    const std::size_t left = (size - sizeof(format) - sizeof(found)) / sizeof(float);
    Require<CompressionError>(static_cast<Format>(format) == Format::FLOAT32 &&
                                  found == dimension && left <= dimension,
                              "part of an encoded vector of {} elements, expected float32 of {}",
                              found,
                              dimension);
    std::vector<float> values(left);
    DecodeFloat32(reader, values);
    return values;
}

std::unique_ptr<const Compressor>
MakeCompressor(const std::string& specification)
{
    Specification parsed("compressor", specification);
    const auto factory = GetCompressorFactories().find(parsed.GetName());
    if (factory == GetCompressorFactories().end())
    {
        parsed.RefuseName(GetCompressorNames());
    }
    return factory->second(parsed);
}

std::vector<std::string>
GetCompressorNames()
{
    return GetNames(GetCompressorFactories());
}

ErrorFeedback::ErrorFeedback(std::shared_ptr<const Compressor> compressor)
    : m_compressor(std::move(compressor))
{
    CheckArgument(m_compressor->IsContraction(),
                  "error feedback with a compressor whose losses then grow from vector to vector, "
                  "random-k with unbiased=1; allowed: unbiased=0, and all other compressors");
}

std::vector<uint8_t>
ErrorFeedback::Encode(const float* values, std::size_t dimension, uint64_t seed)
{
    std::vector<float> wanted(values, values + dimension);
    if (!m_residual.empty())
    {
        CheckArgument(m_residual.size() == dimension,
                      "vector of {} elements after vectors of {}",
                      dimension,
                      m_residual.size());
        std::transform(
            wanted.begin(), wanted.end(), m_residual.begin(), wanted.begin(), std::plus<>());
    }
    std::vector<uint8_t> bytes = m_compressor->Encode(wanted.data(), dimension, seed);
    const std::vector<float> sent = DecodeVector(bytes.data(), bytes.size(), dimension);
    std::transform(wanted.begin(), wanted.end(), sent.begin(), wanted.begin(), std::minus<>());
    m_residual = std::move(wanted);
    return bytes;
}

} // namespace ns3::collab
