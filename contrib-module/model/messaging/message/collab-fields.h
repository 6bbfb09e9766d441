/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_FIELDS_H
#define COLLAB_FIELDS_H

#include "collab-wire-format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @defgroup collab-fields Messages as structs
 * @ingroup collab
 *
 * A message is a struct with the list of its fields, in their order on the wire. Size, writing,
 * reading and checks come from that list:
 *
 *     struct Weights
 *     {
 *         static constexpr const char* NAME = "weights"; // in traces
 *         uint32_t samples = 0;
 *         FlatVector values;
 *         std::size_t dimension = 0; // known to all, not sent
 *
 *         template <typename V>
 *         void
 *         Fields(V& fields)
 *         {
 *             fields.Shape(dimension, "weights");
 *             fields.Within(samples, 1, 1000000, "samples");
 *             fields.Floats(values, dimension, "weights");
 *         }
 *     };
 *
 * Numbers travel little-endian with the size of their type, floating-point numbers as IEEE 754,
 * lists with their length before them (4 bytes). A list calls on its visitor:
 *
 * - `fields(a, b, ...)`: numbers, enumerations, arrays of these, structs with lists of their own,
 *   vectors of all that, and what writes itself: WireSize(), Write(std::vector<uint8_t>&) and
 *   Read(WireReader&);
 * - `fields.List(vector, visit)`: its length, and what `visit(element)` says of each element; only
 *   its struct's Check() looks at them;
 * - `fields.Derive(follow)`: what is not sent: calls `follow()` when all before it has been read;
 * - `fields.Coded(*this)`: a message that writes itself so;
 * - `fields.Within(number, least, most, name)`: a number that must lie between others;
 * - `fields.Vector(vector, count, name)`: so many elements, whose number is not sent;
 * - `fields.Floats(vector, count, name, repeats)`: the same of a shared vector, of which each
 *   element stands for so many numbers, see Learner::GetMultiplicity();
 * - `fields.Constant(number)`: always the same 4 bytes;
 * - `fields.Shape(number, name)`: what all devices know beforehand, not sent; receivers refuse a
 *   message of another shape.
 *
 * A receiver refuses what is not finite, and whatever the struct's own `void Check() const` or
 * `void Check(const T& expected) const` throws a PayloadError for. A struct with KIND has that
 * number on the wire, another one a number that follows from its name. A class of messages that is
 * not one kind has `uint16_t GetKind() const` and `std::string GetName() const` instead of NAME.
 *
 * A message of independent units, of which some may arrive without the others, also has
 * `uint32_t CountUnits() const`, `uint32_t GetUnitSize() const` and
 * `T Select(const std::vector<uint32_t>& units) const`; see DivisiblePayload. Instead of the latter
 * it may have `void Keep(const std::vector<uint32_t>& units)` and a member `Arrival arrived`, where
 * a receiver finds which ones came. Of a vector of floats each element is a unit, if its struct is
 * derived from `FlatUnits` and its list ends with `fields.Units(values, count, name, arrived)`.
 */

/// @ingroup collab-fields
/// @brief Which units of a message have come.
struct Arrival
{
    std::vector<uint32_t> units; //!< numbers of those that came, ascending; none if all did
    uint32_t sent = 0;           //!< how many were sent; 0 if all came

    /// @return whether all came
    bool
    IsWhole() const
    {
        return sent == 0;
    }
};

/// @ingroup collab-fields
/// @brief Keep some elements of a vector.
/// @param[in,out] vector that may be shared with others, who keep all
/// @param units numbers of those that are kept, ascending
inline void
KeepElements(std::shared_ptr<const std::vector<float>>& vector, const std::vector<uint32_t>& units)
{
    std::vector<float> kept(units.size());
    std::transform(
        units.begin(), units.end(), kept.begin(), [&](uint32_t unit) { return (*vector)[unit]; });
    vector = std::make_shared<const std::vector<float>>(std::move(kept));
}

/// @ingroup collab-fields
/// @brief A vector whose elements may arrive one without the others.
struct FlatUnits
{
    std::shared_ptr<const std::vector<float>> values; //!< those that have come, in their order
    Arrival arrived;                                  //!< which ones

    /// @return number of elements
    uint32_t
    CountUnits() const
    {
        return values ? static_cast<uint32_t>(values->size()) : 0;
    }
    /// @return bytes of each
    uint32_t
    GetUnitSize() const
    {
        return WIRE_WORD;
    }
    /// @param units numbers of elements that have come, ascending
    void
    Keep(const std::vector<uint32_t>& units)
    {
        KeepElements(values, units);
    }
    /// @param others what stands in for elements that have not come
    /// @return all elements
    std::shared_ptr<const std::vector<float>>
    Complete(const std::vector<float>& others) const
    {
        if (arrived.IsWhole())
        {
            return values;
        }
        auto complete = std::make_shared<std::vector<float>>(others);
        for (std::size_t i = 0; i < arrived.units.size(); ++i)
        {
            (*complete)[arrived.units[i]] = (*values)[i];
        }
        return complete;
    }
};

namespace detail
{

template <typename T, typename = void>
struct HasFields : std::false_type
{
};

/// Anything that can be called as Fields() is
struct AnyVisitor
{
    template <typename... F>
    void operator()(F&...);
};

template <typename T>
struct HasFields<T, std::void_t<decltype(&T::template Fields<AnyVisitor>)>> : std::true_type
{
};

template <typename T, typename = void>
struct HasKind : std::false_type
{
};

template <typename T>
struct HasKind<T, std::void_t<decltype(T::KIND)>> : std::true_type
{
};

template <typename T, typename = void>
struct SaysKind : std::false_type
{
};

template <typename T>
struct SaysKind<T, std::void_t<decltype(std::declval<const T&>().GetKind())>> : std::true_type
{
};

template <typename T, typename = void>
struct HasUnits : std::false_type
{
};

template <typename T>
struct HasUnits<T, std::void_t<decltype(&T::CountUnits)>> : std::true_type
{
};

template <typename T, typename = void>
struct KnowsArrival : std::false_type
{
};

template <typename T>
struct KnowsArrival<T, std::void_t<decltype(std::declval<T&>().arrived)>> : std::true_type
{
};

template <typename T, typename = void>
struct ChecksItself : std::false_type
{
};

template <typename T>
struct ChecksItself<T, std::void_t<decltype(std::declval<const T&>().Check())>> : std::true_type
{
};

template <typename T, typename = void>
struct ChecksAgainst : std::false_type
{
};

template <typename T>
struct ChecksAgainst<
    T,
    std::void_t<decltype(std::declval<const T&>().Check(std::declval<const T&>()))>>
    : std::true_type
{
};

template <typename T>
struct IsVector : std::false_type
{
};

template <typename T>
struct IsVector<std::vector<T>> : std::true_type
{
};

template <typename T>
struct IsArray : std::false_type
{
};

template <typename T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type
{
};

template <typename T>
constexpr bool IS_NUMBER = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// @param parts what is said of a message that cannot be believed
/// @throws PayloadError that says them, one after the other
template <typename... P>
[[noreturn]] void
Refuse(const P&... parts)
{
    std::ostringstream text;
    (text << ... << parts);
    throw PayloadError(text.str());
}

/// The unsigned number as which a number of so many bytes is written
template <std::size_t SIZE>
using Bits = std::conditional_t<
    SIZE == 1,
    uint8_t,
    std::conditional_t<SIZE == 2, uint16_t, std::conditional_t<SIZE == 4, uint32_t, uint64_t>>>;

/// @param number to write, little-endian
/// @param[in,out] bytes gets it appended
template <typename N>
void
PutNumber(const N& number, std::vector<uint8_t>& bytes)
{
    Bits<sizeof(N)> bits;
    std::memcpy(&bits, &number, sizeof(bits));
    PutLittle(bits, bytes);
}

/// @param reader at a number
/// @return the number
/// @throws PayloadError if there are not enough bytes, or a bool is neither 0 nor 1
template <typename N>
N
TakeNumber(WireReader& reader)
{
    const auto bits = reader.TakeNumber<Bits<sizeof(N)>>();
    if constexpr (std::is_same_v<N, bool>)
    {
        if (bits > 1)
        {
            Refuse(+bits, ", expected 0 or 1");
        }
        return bits == 1;
    }
    else
    {
        N number;
        std::memcpy(&number, &bits, sizeof(number));
        return number;
    }
}

/// @param numbers that elements stand for
/// @param repeats how many each of them stands for, the last one perhaps for fewer
/// @return number of elements
inline std::size_t
CountElements(std::size_t numbers, uint32_t repeats)
{
    return (numbers + repeats - 1) / repeats;
}

/// What all visitors have in common: takes fields apart into numbers
template <typename Self>
class FieldVisitor
{
  public:
    template <typename... F>
    void
    operator()(F&... fields)
    {
        (Visit(fields), ...);
    }

    template <typename N, typename L, typename M>
    void
    Within(N& number, L, M, const char*)
    {
        Visit(number);
    }

    template <typename N>
    void
    Shape(const N&, const char*)
    {
    }

    template <typename C>
    void
    Coded(C& field)
    {
        GetSelf().Code(field);
    }

    template <typename E>
    void
    Vector(std::vector<E>& vector, std::size_t, const char*)
    {
        for (E& element : vector)
        {
            Visit(element);
        }
    }

    template <typename E, typename V>
    void
    List(std::vector<E>& vector, V visit)
    {
        auto count = static_cast<uint32_t>(vector.size());
        GetSelf().Number(count);
        for (E& element : vector)
        {
            visit(element);
        }
    }

    template <typename F>
    void
    Derive(F)
    {
    }

    template <typename V>
    void
    Units(V& values, std::size_t count, const char* name, const Arrival&, uint32_t repeats = 1)
    {
        GetSelf().Floats(values, count, name, repeats);
    }

  protected:
    template <typename F>
    void
    Visit(F& field)
    {
        if constexpr (IS_NUMBER<F>)
        {
            GetSelf().Number(field);
        }
        else if constexpr (IsArray<F>::value)
        {
            for (auto& element : field)
            {
                GetSelf().Number(element);
            }
        }
        else if constexpr (HasFields<F>::value)
        {
            field.Fields(GetSelf());
        }
        else if constexpr (IsVector<F>::value)
        {
            auto count = static_cast<uint32_t>(field.size());
            GetSelf().Number(count);
            GetSelf().Elements(field, count);
        }
        else
        {
            GetSelf().Code(field);
        }
    }

    template <typename E>
    void
    Elements(std::vector<E>& vector, uint32_t)
    {
        for (E& element : vector)
        {
            Visit(element);
        }
    }

    Self&
    GetSelf()
    {
        return static_cast<Self&>(*this);
    }
};

/// Counts the bytes of fields
class FieldSizer : public FieldVisitor<FieldSizer>
{
  public:
    void
    Constant(uint32_t)
    {
        m_size += WIRE_WORD;
    }

    template <typename E>
    void
    Vector(std::vector<E>& vector, std::size_t count, const char* name)
    {
        if constexpr (IS_NUMBER<E>)
        {
            m_size += vector.size() * sizeof(E);
        }
        else
        {
            FieldVisitor::Vector(vector, count, name);
        }
    }

    void
    Floats(const std::shared_ptr<const std::vector<float>>&,
           std::size_t count,
           const char*,
           uint32_t = 1)
    {
        m_size += count * WIRE_WORD;
    }

    /// @return bytes so far
    uint64_t
    GetSize() const
    {
        return m_size;
    }

  private:
    friend class FieldVisitor<FieldSizer>;

    template <typename N>
    void
    Number(const N&)
    {
        m_size += sizeof(N);
    }

    template <typename E>
    void
    Elements(std::vector<E>& vector, uint32_t)
    {
        Vector(vector, vector.size(), "");
    }

    template <typename C>
    void
    Code(const C& field)
    {
        m_size += field.WireSize();
    }

    uint64_t m_size = 0; //!< bytes so far
};

/// Writes fields
class FieldWriter : public FieldVisitor<FieldWriter>
{
  public:
    /// @param[in,out] bytes gets them appended
    explicit FieldWriter(std::vector<uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    void
    Constant(uint32_t number)
    {
        PutWord(number, m_bytes);
    }

    void
    Floats(const std::shared_ptr<const std::vector<float>>& values,
           std::size_t count,
           const char*,
           uint32_t repeats = 1)
    {
        const std::size_t whole = count / repeats;
        PutFloats(values->data(), whole, repeats, m_bytes);
        if (const auto rest = static_cast<uint32_t>(count % repeats))
        {
            PutFloats(values->data() + whole, 1, rest, m_bytes);
        }
    }

  private:
    friend class FieldVisitor<FieldWriter>;

    template <typename N>
    void
    Number(const N& number)
    {
        PutNumber(number, m_bytes);
    }

    template <typename C>
    void
    Code(const C& field)
    {
        field.Write(m_bytes);
    }

    std::vector<uint8_t>& m_bytes; //!< what is written
};

/// Reads fields; what is too short or impossible is a PayloadError
class FieldReader : public FieldVisitor<FieldReader>
{
  public:
    /// @param reader at the first of them
    explicit FieldReader(WireReader& reader)
        : m_reader(reader)
    {
    }

    void
    Constant(uint32_t number)
    {
        const uint32_t read = m_reader.TakeWord();
        if (read != number)
        {
            Refuse(read, ", expected ", number);
        }
    }

    template <typename E>
    void
    Vector(std::vector<E>& vector, std::size_t count, const char* name)
    {
        if constexpr (IS_NUMBER<E>)
        {
            if (count > m_reader.GetLeft() / sizeof(E))
            {
                Refuse(m_reader.GetLeft(), " bytes for ", count, " ", name);
            }
        }
        Elements(vector, count);
    }

    void
    Floats(std::shared_ptr<const std::vector<float>>& values,
           std::size_t count,
           const char*,
           uint32_t repeats = 1)
    {
        auto read = m_reader.TakeFloats(count / repeats, repeats);
        if (const auto rest = static_cast<uint32_t>(count % repeats))
        {
            read.push_back(m_reader.TakeFloats(1, rest).front());
        }
        values = std::make_shared<const std::vector<float>>(std::move(read));
    }

    void
    Units(std::shared_ptr<const std::vector<float>>& values,
          std::size_t count,
          const char* name,
          const Arrival& arrived,
          uint32_t repeats = 1)
    {
        const std::size_t come = arrived.units.size() * repeats;
        Floats(values, arrived.IsWhole() ? count : come, name, repeats);
    }

    template <typename E, typename V>
    void
    List(std::vector<E>& vector, V visit)
    {
        uint32_t count = 0;
        Number(count);
        vector.clear();
        for (uint32_t i = 0; i < count; ++i)
        {
            vector.emplace_back(); // which ends with the bytes, whatever the count says
            visit(vector.back());
        }
    }

    template <typename F>
    void
    Derive(F follow)
    {
        follow();
    }

  private:
    friend class FieldVisitor<FieldReader>;

    template <typename N>
    void
    Number(N& number)
    {
        number = TakeNumber<N>(m_reader);
    }

    template <typename E>
    void
    Elements(std::vector<E>& vector, std::size_t count)
    {
        vector.clear();
        if constexpr (IS_NUMBER<E>)
        {
            if (count > m_reader.GetLeft() / sizeof(E))
            {
                Refuse(count, " numbers in ", m_reader.GetLeft(), " bytes");
            }
            vector.reserve(count);
        }
        for (std::size_t i = 0; i < count; ++i)
        {
            vector.emplace_back(); // which ends with the bytes, whatever the count says
            Visit(vector.back());
        }
    }

    template <typename C>
    void
    Code(C& field)
    {
        field.Read(m_reader);
    }

    WireReader& m_reader; //!< at the next field
};

/// Collects shapes
class FieldShapes : public FieldVisitor<FieldShapes>
{
  public:
    template <typename N>
    void
    Shape(const N& number, const char*)
    {
        m_shapes.push_back(static_cast<uint64_t>(number));
    }

    void
    Constant(uint32_t)
    {
    }

    template <typename E>
    void
    Vector(std::vector<E>&, std::size_t, const char*)
    {
    }

    template <typename E, typename V>
    void
    List(std::vector<E>&, V)
    {
    }

    void
    Floats(const std::shared_ptr<const std::vector<float>>&, std::size_t, const char*, uint32_t = 1)
    {
    }

    /// @return in the order of the list
    const std::vector<uint64_t>&
    Get() const
    {
        return m_shapes;
    }

  private:
    friend class FieldVisitor<FieldShapes>;

    template <typename N>
    void
    Number(const N&)
    {
    }

    template <typename E>
    void
    Elements(std::vector<E>&, uint32_t)
    {
    }

    template <typename C>
    void
    Code(const C&)
    {
    }

    std::vector<uint64_t> m_shapes; //!< in the order of the list
};

/// Decides whether fields can be believed; what cannot is a PayloadError
class FieldChecker : public FieldVisitor<FieldChecker>
{
  public:
    /// @param shapes that are expected
    explicit FieldChecker(std::vector<uint64_t> shapes)
        : m_shapes(std::move(shapes))
    {
    }

    template <typename N>
    void
    Shape(const N& number, const char* name)
    {
        const uint64_t expected = m_shapes.at(m_next++);
        if (static_cast<uint64_t>(number) != expected)
        {
            Refuse(static_cast<uint64_t>(number), " ", name, ", expected ", expected);
        }
    }

    template <typename N, typename L, typename M>
    void
    Within(const N& number, L least, M most, const char* name)
    {
        if (!(number >= static_cast<N>(least) && number <= static_cast<N>(most)))
        {
            Refuse(+number, " ", name, ", expected ", least, " to ", most);
        }
    }

    void
    Constant(uint32_t)
    {
    }

    template <typename E, typename V>
    void
    List(std::vector<E>&, V)
    {
    }

    template <typename E>
    void
    Vector(std::vector<E>& vector, std::size_t count, const char* name)
    {
        if (vector.size() != count)
        {
            Refuse(vector.size(), " ", name, ", expected ", count);
        }
        Elements(vector, 0);
    }

    void
    Floats(const std::shared_ptr<const std::vector<float>>& values,
           std::size_t count,
           const char* name,
           uint32_t repeats = 1)
    {
        CheckFloats(values.get(), CountElements(count, repeats), name);
    }

    void
    Units(const std::shared_ptr<const std::vector<float>>& values,
          std::size_t count,
          const char* name,
          const Arrival& arrived,
          uint32_t repeats = 1)
    {
        const std::size_t elements = CountElements(count, repeats);
        if (!arrived.IsWhole() && arrived.sent != elements)
        {
            Refuse(arrived.sent, " ", name, ", expected ", elements);
        }
        CheckFloats(values.get(), arrived.IsWhole() ? elements : arrived.units.size(), name);
    }

  private:
    friend class FieldVisitor<FieldChecker>;

    template <typename N>
    void
    Number(const N& number)
    {
        if constexpr (std::is_floating_point_v<N>)
        {
            if (!std::isfinite(number))
            {
                Refuse(number, " is not finite");
            }
        }
    }

    template <typename E>
    void
    Elements(std::vector<E>& vector, uint32_t)
    {
        if constexpr (!std::is_integral_v<E> && !std::is_enum_v<E>)
        {
            for (E& element : vector)
            {
                Visit(element);
            }
        }
    }

    template <typename C>
    void
    Code(const C&)
    {
    }

    std::vector<uint64_t> m_shapes; //!< that are expected
    std::size_t m_next = 0;         //!< the next one
};

/// @brief Let a visitor that changes nothing see the fields of a message.
/// @param message with a list of fields
/// @param visitor of them
template <typename T, typename V>
void
VisitFields(const T& message, V& visitor)
{
    const_cast<T&>(message).Fields(visitor); // one list for those who read and those who write
}

} // namespace detail

/// @ingroup collab-fields
/// @param message with a list of fields
/// @return its bytes on the wire
template <typename T>
uint64_t
CountBytes(const T& message)
{
    detail::FieldSizer sizer;
    detail::VisitFields(message, sizer);
    return sizer.GetSize();
}

/// @ingroup collab-fields
/// @param message with a list of fields
/// @param[in,out] bytes gets it appended
template <typename T>
void
WriteFields(const T& message, std::vector<uint8_t>& bytes)
{
    detail::FieldWriter writer(bytes);
    detail::VisitFields(message, writer);
}

/// @ingroup collab-fields
/// @param name of a message
/// @return the number of its kind on the wire, if it has no KIND
constexpr uint16_t
MakeKind(std::string_view name)
{
    uint32_t hash = 2166136261U; // FNV-1a
    for (const char letter : name)
    {
        hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619U;
    }
    return static_cast<uint16_t>(0x8000U | (hash ^ (hash >> 16)));
}

/// @ingroup collab-fields
/// @tparam T a message
/// @return the number of its kind on the wire
template <typename T>
constexpr uint16_t
GetKind()
{
    if constexpr (detail::HasKind<T>::value)
    {
        return T::KIND;
    }
    else
    {
        return MakeKind(T::NAME);
    }
}

/// @ingroup collab-fields
/// @param message some message
/// @return the number of its kind on the wire
template <typename T>
uint16_t
GetKind(const T& message)
{
    if constexpr (detail::SaysKind<T>::value)
    {
        return message.GetKind();
    }
    else
    {
        return GetKind<T>();
    }
}

/// @ingroup collab-fields
/// @param message some message
/// @return its name in traces
template <typename T>
std::string
GetName(const T& message)
{
    if constexpr (detail::SaysKind<T>::value)
    {
        return message.GetName();
    }
    else
    {
        return T::NAME;
    }
}

/// @ingroup collab-fields
/// @brief Decide whether a message can be believed.
/// @param message that has arrived
/// @param expected one of the shape that all know
/// @throws PayloadError if its shape differs, a number is not finite or not within its limits, or
/// the message's own Check() finds something
template <typename T>
void
CheckMessage(const T& message, const T& expected = {})
{
    detail::FieldShapes shapes;
    detail::VisitFields(expected, shapes);
    detail::FieldChecker checker(shapes.Get());
    detail::VisitFields(message, checker);
    if constexpr (detail::ChecksItself<T>::value)
    {
        message.Check();
    }
    if constexpr (detail::ChecksAgainst<T>::value)
    {
        message.Check(expected);
    }
}

} // namespace ns3::collab

#endif /* COLLAB_FIELDS_H */
