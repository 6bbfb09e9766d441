/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_ARCHIVE_H
#define COLLAB_RANK_ARCHIVE_H

#include "collab-rank-members.h"
#include "collab-rank-shelf.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// Kinds of types that are written and read in ways of their own
namespace rank_archive
{

/// Of a type: which of them it is
template <typename T>
struct Kind
{
    static constexpr bool IS_VECTOR = false;   //!< std::vector
    static constexpr bool IS_OPTIONAL = false; //!< std::optional
    static constexpr bool IS_PAIR = false;     //!< std::pair
    static constexpr bool IS_MAP = false;      //!< std::map
    static constexpr bool IS_SHARED = false;   //!< std::shared_ptr
};

/// @cond
template <typename T>
struct Kind<std::vector<T>> : Kind<void>
{
    static constexpr bool IS_VECTOR = true;
};

template <typename T>
struct Kind<std::optional<T>> : Kind<void>
{
    static constexpr bool IS_OPTIONAL = true;
};

template <typename K, typename V>
struct Kind<std::pair<K, V>> : Kind<void>
{
    static constexpr bool IS_PAIR = true;
};

template <typename K, typename V>
struct Kind<std::map<K, V>> : Kind<void>
{
    static constexpr bool IS_MAP = true;
};

template <typename T>
struct Kind<std::shared_ptr<const T>> : Kind<void>
{
    static constexpr bool IS_SHARED = true;
    using Object = T;
};

/// @endcond

/// Whether a type's bytes are its value, on machines of the same kind
template <typename T>
constexpr bool IS_PLAIN = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Types whose contents differ even if their bytes are the same
template <typename T>
constexpr char TAG = 0;
/// @cond
template <>
inline constexpr char TAG<std::vector<float>> = 'v';
template <>
inline constexpr char TAG<Matrix<float>> = 'm';
template <>
inline constexpr char TAG<DataSet> = 'd';
template <>
inline constexpr char TAG<RankSamples> = 's';
template <>
inline constexpr char TAG<GraphInput> = 'g';
template <>
inline constexpr char TAG<DataView> = 'w';
template <>
inline constexpr char TAG<SampleTransform> = 't';
/// @endcond

/// Size of what comes before a content: its digest, and whether the content follows [byte]
constexpr std::size_t HEADER = sizeof(RankDigest) + sizeof(bool);

} // namespace rank_archive

/**
 * @brief Writes values for another rank.
 *
 * What is shared goes along once, and by its digest as long as the receiver has it.
 */
class RankWriter
{
  public:
    /// All in full
    RankWriter() = default;

    /// @param shelf what the receiver has
    /// @param digests of shared objects
    RankWriter(RankShelf& shelf, RankDigests& digests)
        : m_shelf(&shelf),
          m_digests(&digests)
    {
    }

    /// @param value any value of which ListMembers() knows the type
    /// @return this
    template <typename T>
    RankWriter&
    operator<<(const T& value)
    {
        using Kind = rank_archive::Kind<T>;
        if constexpr (rank_archive::IS_PLAIN<T>)
        {
            Append(&value, sizeof(T));
        }
        else if constexpr (std::is_same_v<T, std::string>)
        {
            *this << value.size();
            Append(value.data(), value.size());
        }
        else if constexpr (Kind::IS_VECTOR || Kind::IS_MAP)
        {
            WriteAll(value);
        }
        else if constexpr (Kind::IS_OPTIONAL)
        {
            *this << value.has_value();
            if (value)
            {
                *this << *value;
            }
        }
        else if constexpr (Kind::IS_PAIR)
        {
            *this << value.first << value.second;
        }
        else if constexpr (Kind::IS_SHARED)
        {
            WriteShared(value);
        }
        else if constexpr (std::is_same_v<T, DataView>)
        {
            *this << value.data << RankSamples{value.indices, value.labels, value.transform};
        }
        else
        {
            WriteMembers(value);
        }
        return *this;
    }

    /// @return how much of it is data sets [byte]
    std::size_t
    CountData() const
    {
        return m_dataBytes;
    }

    /// @return all that was written
    std::string
    Take()
    {
        return std::move(m_bytes);
    }

  private:
    /// @param data bytes to append
    /// @param size number of them
    void
    Append(const void* data, std::size_t size)
    {
        const std::size_t needed = m_bytes.size() + size;
        if (needed > m_bytes.capacity()) // a data set has much, then little: copied once, not twice
        {
            m_bytes.reserve(std::max(2 * m_bytes.capacity(), needed + needed / 8));
        }
        m_bytes.append(static_cast<const char*>(data), size);
    }

    /// @param values vector or map
    template <typename T>
    void
    WriteAll(const T& values)
    {
        *this << values.size();
        if constexpr (rank_archive::IS_PLAIN<typename T::value_type>)
        {
            Append(values.data(), values.size() * sizeof(typename T::value_type));
        }
        else
        {
            for (const auto& value : values)
            {
                *this << value;
            }
        }
    }

    /// @param value a struct
    template <typename T>
    void
    WriteMembers(const T& value)
    {
        if constexpr (std::is_same_v<T, RankSamples>)
        {
            if (m_shelf) // no object of its own to remember a digest by
            {
                WriteContent(value);
                return;
            }
        }
        std::apply([this](const auto&... members) { (*this << ... << members); },
                   ListMembers(value));
    }

    /// @param object an object that nobody changes; may be null
    template <typename T>
    void
    WriteShared(const std::shared_ptr<const T>& object)
    {
        *this << static_cast<bool>(object);
        if (!object)
        {
            return;
        }
        if (!m_shelf || std::is_same_v<T, DataView>) // whose parts are shared by themselves
        {
            *this << *object;
            return;
        }
        if (const auto known = m_digests->Find(object); known && m_shelf->Find(*known))
        {
            *this << *known << false;
            return;
        }
        m_digests->Add(object, WriteContent(*object));
    }

    /// @brief Write the digest of a content, and the content if the receiver does not have it.
    /// @param value the content
    /// @return the digest
    template <typename T>
    RankDigest
    WriteContent(const T& value)
    {
        static_assert(rank_archive::TAG<T> != 0, "contents of this type need a tag");
        const std::size_t begin = m_bytes.size() + rank_archive::HEADER;
        RankShelf* const shelf = std::exchange(m_shelf, nullptr); // its parts are written in full
        m_bytes.resize(begin);
        *this << value;
        m_shelf = shelf;
        const std::size_t size = m_bytes.size() - begin;
        m_bytes.push_back(rank_archive::TAG<T>);
        const RankDigest digest = ComputeRankDigest(std::string_view(m_bytes).substr(begin));
        const bool isNew = !m_shelf->Find(digest);
        m_bytes.resize(isNew ? begin + size : begin);
        std::memcpy(&m_bytes[begin - rank_archive::HEADER], digest.data(), digest.size());
        std::memcpy(&m_bytes[begin - sizeof(isNew)], &isNew, sizeof(isNew));
        if (isNew)
        {
            constexpr bool IS_DATA = std::is_same_v<T, DataSet>;
            m_shelf->Add(digest, size, IS_DATA, nullptr);
            m_dataBytes += IS_DATA ? size : 0;
        }
        return digest;
    }

    /// @param digest a digest
    /// @return this
    RankWriter&
    operator<<(const RankDigest& digest)
    {
        Append(digest.data(), digest.size());
        return *this;
    }

    std::string m_bytes;              //!< what was written
    std::size_t m_dataBytes = 0;      //!< see CountData()
    RankShelf* m_shelf = nullptr;     //!< what the receiver has; null: it gets all in full
    RankDigests* m_digests = nullptr; //!< of shared objects
};

/// Reads what a RankWriter has written
class RankReader
{
  public:
    /// @param bytes what was written
    /// @param shelf what this rank has; null if all was written in full
    explicit RankReader(std::string bytes, RankShelf* shelf = nullptr)
        : m_bytes(std::move(bytes)),
          m_shelf(shelf)
    {
    }

    /// @param[out] value what was written
    /// @return this
    template <typename T>
    RankReader&
    operator>>(T& value)
    {
        using Kind = rank_archive::Kind<T>;
        if constexpr (rank_archive::IS_PLAIN<T>)
        {
            Extract(&value, sizeof(T));
        }
        else if constexpr (std::is_same_v<T, std::string>)
        {
            value.resize(Read<std::size_t>());
            Extract(value.data(), value.size());
        }
        else if constexpr (Kind::IS_VECTOR)
        {
            ReadVector(value);
        }
        else if constexpr (Kind::IS_MAP)
        {
            for (auto left = Read<std::size_t>(); left > 0; --left)
            {
                auto key = Read<typename T::key_type>();
                value[std::move(key)] = Read<typename T::mapped_type>();
            }
        }
        else if constexpr (Kind::IS_OPTIONAL)
        {
            value.reset();
            if (Read<bool>())
            {
                value = Read<typename T::value_type>();
            }
        }
        else if constexpr (Kind::IS_PAIR)
        {
            *this >> value.first >> value.second;
        }
        else if constexpr (Kind::IS_SHARED)
        {
            value = ReadShared<typename Kind::Object>();
        }
        else if constexpr (std::is_same_v<T, DataView>)
        {
            RankSamples samples;
            *this >> value.data >> samples;
            value.indices = std::move(samples.indices);
            value.labels = std::move(samples.labels);
            value.transform = std::move(samples.transform);
        }
        else
        {
            ReadMembers(value);
        }
        return *this;
    }

    /// @return the next value
    template <typename T>
    T
    Read()
    {
        T value{};
        *this >> value;
        return value;
    }

  private:
    /// @param[out] data where to put bytes
    /// @param size number of them
    /// @throws std::out_of_range if there are not so many
    void
    Extract(void* data, std::size_t size)
    {
        if (size > m_bytes.size() - m_next)
        {
            throw std::out_of_range("a message of another rank ends too early");
        }
        if (size > 0)
        {
            std::memcpy(data, m_bytes.data() + m_next, size);
        }
        m_next += size;
    }

    /// @param[out] values a vector
    template <typename T>
    void
    ReadVector(std::vector<T>& values)
    {
        values.resize(Read<std::size_t>());
        if constexpr (rank_archive::IS_PLAIN<T>)
        {
            Extract(values.data(), values.size() * sizeof(T));
        }
        else
        {
            for (T& value : values)
            {
                *this >> value;
            }
        }
    }

    /// @param[out] value a struct
    template <typename T>
    void
    ReadMembers(T& value)
    {
        if constexpr (std::is_same_v<T, RankSamples>)
        {
            if (m_shelf)
            {
                value = *ReadContent<T>();
                return;
            }
        }
        const auto read = [this](const auto&... members) {
            (*this >> ... >>
             const_cast<std::remove_const_t<std::remove_reference_t<decltype(members)>>&>(members));
        };
        std::apply(read, ListMembers(value));
    }

    /// @return an object, or null
    template <typename T>
    std::shared_ptr<const T>
    ReadShared()
    {
        if (!Read<bool>())
        {
            return nullptr;
        }
        if (!m_shelf || std::is_same_v<T, DataView>)
        {
            return std::make_shared<const T>(Read<T>());
        }
        return ReadContent<T>();
    }

    /// @return an object that is here, or comes along
    template <typename T>
    std::shared_ptr<const T>
    ReadContent()
    {
        RankDigest digest;
        Extract(digest.data(), digest.size());
        if (Read<bool>())
        {
            const std::size_t begin = m_next;
            RankShelf* const shelf = std::exchange(m_shelf, nullptr); // its parts come in full
            auto object = std::make_shared<T>();
            *this >> *object;
            m_shelf = shelf;
            m_shelf->Add(digest, m_next - begin, std::is_same_v<T, DataSet>, object);
            return object;
        }
        const auto* known = m_shelf->Find(digest);
        if (!known)
        {
            throw std::out_of_range("a message of another rank names a content that is not here");
        }
        return std::static_pointer_cast<const T>(*known);
    }

    std::string m_bytes;    //!< what was written
    std::size_t m_next = 0; //!< place in it
    RankShelf* m_shelf;     //!< what this rank has
};

} // namespace ns3::collab

#endif /* COLLAB_RANK_ARCHIVE_H */
