/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARAMETER_DESCRIPTION_H
#define COLLAB_PARAMETER_DESCRIPTION_H

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A value of a parameter.
using ParameterValue =
    std::variant<bool, int32_t, uint32_t, int64_t, uint64_t, double, std::string>;

/// @ingroup collab
/// @brief A value that a parameter may have, and what it is called in its attribute.
struct ParameterChoice
{
    /// @param choice the same in both places
    ParameterChoice(const char* choice)
        : text(choice),
          attributeText(choice)
    {
    }

    /// @param choice the same in both places
    ParameterChoice(std::string choice)
        : text(choice),
          attributeText(std::move(choice))
    {
    }

    /// @param choice what a user gives
    /// @param attribute what the attribute is then set to
    ParameterChoice(std::string choice, std::string attribute)
        : text(std::move(choice)),
          attributeText(std::move(attribute))
    {
    }

    std::string text;          //!< what a user gives
    std::string attributeText; //!< what the attribute is then set to
};

/// @ingroup collab
/// @brief The numbers that a parameter may be.
class ParameterRange
{
  public:
    /// @param least allowed, or what all allowed ones are above
    /// @param isOpen whether it is not allowed itself
    void SetMin(double least, bool isOpen);
    /// @param greatest allowed, or what all allowed ones are below
    /// @param isOpen whether it is not allowed itself
    void SetMax(double greatest, bool isOpen);
    /// Allow 0, too
    void AddZero();

    /// @param number some number
    /// @return whether it is allowed
    bool Contains(double number) const;
    /// @return least number, 0 if it was added, and greatest one; infinite if there is none
    std::pair<double, double> GetLimits() const;
    /// @param unit of the numbers; may be empty
    /// @param isWhole whether they are integers
    /// @return what is allowed, in words; empty if all numbers are
    std::string ToText(const std::string& unit, bool isWhole) const;

  private:
    /// @param unit with a blank before; may be empty
    /// @param isWhole whether numbers are integers
    /// @return the range in words, without the 0 that was added
    std::string GetBoundsText(const std::string& unit, bool isWhole) const;

    double m_min = -std::numeric_limits<double>::infinity(); //!< lower bound
    double m_max = std::numeric_limits<double>::infinity();  //!< upper bound
    bool m_isMinOpen = false;                                //!< whether it is not allowed itself
    bool m_isMaxOpen = false;                                //!< whether it is not allowed itself
    bool m_hasZero = false;                                  //!< whether 0 is allowed, too
};

/// @ingroup collab
/// @brief What there is to say about a parameter, but for its name.
struct ParameterDescription
{
    std::string help;                     //!< its meaning
    std::string unit;                     //!< of a number; empty if there is none
    ParameterValue initial;               //!< if nothing is given
    ParameterRange range;                 //!< of a number
    std::vector<ParameterChoice> choices; //!< values that can be listed
    bool isClosed = false;                //!< whether they are all
    bool isChangingResults = true;        //!< whether results depend on it
};

/// @ingroup collab
/// @tparam To a type of values
/// @tparam From a type of values: a text if To is one, else any but a text
/// @param[out] to gets the value
/// @param from a value
/// @return whether it could: a text is no number
template <typename To, typename From>
bool
AssignValue(To& to, const From& from)
{
    if constexpr (std::is_arithmetic_v<To> && std::is_arithmetic_v<From>)
    {
        to = static_cast<To>(from);
        return true;
    }
    else if constexpr (std::is_constructible_v<std::string, From> && !std::is_arithmetic_v<To>)
    {
        to = from;
        return true;
    }
    return false;
}

/// @ingroup collab
/// @param value of a parameter
/// @return the value as text, as a command line has it
std::string ToText(const ParameterValue& value);

/// @ingroup collab
/// @param value of a parameter
/// @return the value in JSON
nlohmann::ordered_json ToJson(const ParameterValue& value);

/// @ingroup collab
/// @param value of a parameter
/// @return the same as double; 0 for what is no number
double ToNumber(const ParameterValue& value);

/// @ingroup collab
/// @param value of a parameter
/// @return text, integer, unsigned integer, number or flag
const char* GetTypeName(const ParameterValue& value);

/// @ingroup collab
/// @param text as given
/// @param value of a parameter
/// @return whether the text is a value of the same type
bool IsReadable(const std::string& text, const ParameterValue& value);

} // namespace ns3::collab

#endif /* COLLAB_PARAMETER_DESCRIPTION_H */
