/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARAMETER_H
#define COLLAB_PARAMETER_H

#include "ns3/attribute.h"
#include "ns3/command-line.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab-helper
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

    /**
     * @param choice what a user gives
     * @param attribute what the attribute is then set to
     */
    ParameterChoice(std::string choice, std::string attribute)
        : text(std::move(choice)),
          attributeText(std::move(attribute))
    {
    }

    std::string text;          //!< what a user gives
    std::string attributeText; //!< what the attribute is then set to
};

class ParameterList;

/**
 * @ingroup collab-helper
 * @brief One parameter of a program, declared once: all that there is to say about it.
 *
 * Made by ParameterList::Add(); the methods that say more give the parameter back, so that a
 * declaration is one expression:
 *
 *     list.Add("deadline", deadline, "longest wait for predictions")
 *         .Unit("s")
 *         .Above(0)
 *         .Below(1e6)
 *         .Sets("ns3::collab::PredictionConsensusApplication::RoundDeadline");
 */
class Parameter
{
  public:
    /// What holds the value
    using Field =
        std::variant<bool*, int32_t*, uint32_t*, int64_t*, uint64_t*, double*, std::string*>;
    /// A value
    using Value = std::variant<bool, int32_t, uint32_t, int64_t, uint64_t, double, std::string>;
    /// Whether something holds, asked when it matters
    using Condition = std::function<bool()>;

    /// What an attribute is to a parameter
    enum class Role
    {
        SET,      //!< the parameter's value is set, and a given value is the parameter's
        FOLLOWED, //!< a given value is the parameter's; the program sets it by other means
        EXCLUDED, //!< the program works the parameter into it; not both can be given
        DECIDING  //!< the same, and if it is given, the parameter has no value
    };

    /// An attribute that has to do with the parameter
    struct Binding
    {
        std::string attribute; //!< name with the type that declares it
        Role role;             //!< what it is to the parameter
        Condition when;        //!< whether it has to do with it in this run; empty for always

        /// @return whether it has to do with the parameter in this run
        bool IsActive() const;
    };

    /**
     * @param name name of the parameter
     * @param field variable that holds the default, and receives the value
     * @param help its meaning
     */
    Parameter(std::string name, Field field, std::string help);

    /// @param unit unit of the number
    Parameter& Unit(std::string unit);
    /// @param least value that is allowed
    Parameter& AtLeast(double least);
    /// @param bound lower bound, below all allowed values
    Parameter& Above(double bound);
    /// @param greatest value that is allowed
    Parameter& AtMost(double greatest);
    /// @param bound upper bound, above all allowed values
    Parameter& Below(double bound);
    /// Allow 0 beside all that is above the least value: the program then computes the value
    Parameter& OrComputed();
    /// @param choices all that is allowed
    Parameter& Choices(std::vector<ParameterChoice> choices);
    /// @param choices some of what is allowed; the program checks others itself
    Parameter& Suggestions(std::vector<ParameterChoice> choices);
    /**
     * @brief Name the attribute that is set to the parameter's value; a time gets it in seconds.
     *
     * @param attribute name with the type that declares it
     * @param when whether it has to do with the parameter; empty for always
     */
    Parameter& Sets(std::string attribute, Condition when = {});
    /**
     * @brief Name an attribute whose given value is the parameter's, and that the program sets by
     * other means.
     *
     * @param attribute name with the type that declares it
     * @param when whether it has to do with the parameter; empty for always
     */
    Parameter& Follows(std::string attribute, Condition when = {});
    /**
     * @brief Name an attribute that is computed from the parameter. If it is given, the parameter
     * cannot be; the program then computes the parameter, if anybody asks for it.
     *
     * @param attribute name with the type that declares it
     */
    Parameter& ExcludedBy(std::string attribute);
    /**
     * @brief Name an attribute that is computed from the parameter. If it is given, the parameter
     * cannot be, and has no value.
     *
     * @param attribute name with the type that declares it
     */
    Parameter& DecidedBy(std::string attribute);
    /**
     * @brief Say that it has an effect only if another parameter has one of some values, with which
     * the meaning then begins: see ParameterList::FindIdle().
     *
     * @param parameter name of a text in the same list
     * @param values values of it
     */
    Parameter& For(std::string parameter, const std::vector<std::string>& values);
    /**
     * @brief Say when it has an effect: see ParameterList::FindIdle(). Said more than once, all
     * must hold.
     *
     * @param when whether it has one in this run
     * @param use what it is for, e.g. "steps of Adam"
     */
    Parameter& OnlyIf(Condition when, std::string use);
    /// Say that it changes no result: it is about the host, or about what is printed
    Parameter& ChangesNoResult();

    /// @return the name
    const std::string& GetName() const;
    /// @return the meaning, without the unit
    const std::string& GetHelp() const;
    /// @return the unit; empty if there is none
    const std::string& GetUnit() const;
    /// @return text, integer, unsigned integer, number or flag
    const char* GetTypeName() const;
    /// @return the value now
    Value GetValue() const;
    /// @return the value if nothing is given
    const Value& GetDefault() const;
    /// @return the values, all of them or suggested ones; none if they are not listed
    const std::vector<ParameterChoice>& GetChoices() const;
    /// @return whether the choices are all that is allowed
    bool IsClosed() const;
    /// @return the attributes that have to do with it
    const std::vector<Binding>& GetBindings() const;
    /// @return whether results depend on it
    bool IsChangingResults() const;
    /**
     * @param list the list that it is of
     * @return what it is for, if it has no effect in this run; else empty
     */
    std::string FindUnusedUse(const ParameterList& list) const;
    /// @return what a value may be, in words, such as "unsigned integer, 1 to 9"
    std::string GetKind() const;
    /// @return what a number may be, in words; empty if it may be any
    std::string GetRange() const;
    /// @return least number, 0 if the value can be computed, and greatest one; infinite if none
    std::pair<double, double> GetLimits() const;

    /// @param value the value if nothing is given
    void SetDefault(Value value);
    /// Remember that the user has given the value
    void Give();
    /// @return whether the value was given, or is not the default
    bool IsGiven() const;

    /**
     * @param text a value as given
     * @return whether it is of the type
     */
    bool IsReadable(const std::string& text) const;
    /// @param commandLine command line that gets an option for it
    void AddTo(CommandLine& commandLine);
    /// @throws UserError if the value is not allowed
    void Check() const;
    /**
     * @brief Take the value that the user has given to an attribute.
     *
     * @param binding the attribute
     * @throws UserError if both are given and differ
     */
    void Adopt(const Binding& binding);
    /**
     * @param binding an attribute
     * @return the parameter's value for it; null if the attribute cannot have it
     */
    Ptr<AttributeValue> FindAttributeValue(const Binding& binding) const;
    /**
     * @param binding an attribute
     * @return the parameter's value for it
     * @throws UserError if the attribute cannot have it
     */
    Ptr<AttributeValue> MakeAttributeValue(const Binding& binding) const;
    /// @return whether an attribute that was given leaves it without a value
    bool IsDecidedElsewhere() const;
    /// @throws UserError if it is given beside an attribute that excludes it
    void CheckExclusion() const;

  private:
    /**
     * @param number a value
     * @return whether it is allowed
     */
    bool IsInRange(double number) const;
    /// @return what a number may be, in words, but that it can be computed
    std::string GetBoundsText() const;
    /**
     * @param attribute name of an attribute
     * @param role what it is to the parameter
     * @param when whether it has to do with it
     */
    Parameter& Bind(std::string attribute, Role role, Condition when);

    std::string m_name;                                      //!< what it is called
    Field m_field;                                           //!< where it is
    std::string m_help;                                      //!< its meaning
    std::string m_unit;                                      //!< of a number
    Value m_default;                                         //!< if nothing is given
    double m_min = -std::numeric_limits<double>::infinity(); //!< lower bound
    double m_max = std::numeric_limits<double>::infinity();  //!< upper bound
    bool m_isMinOpen = false;                                //!< whether it is not allowed itself
    bool m_isMaxOpen = false;                                //!< whether it is not allowed itself
    bool m_isOrComputed = false;                             //!< whether 0 is allowed, too
    std::vector<ParameterChoice> m_choices;                  //!< values that can be listed
    bool m_isClosed = false;                                 //!< whether they are all
    std::vector<Binding> m_bindings;                         //!< attributes
    bool m_isChangingResults = true;                         //!< whether results depend on it
    std::string m_user;                                      //!< see For(); empty for none
    std::vector<std::string> m_uses;                         //!< see For()
    std::vector<std::pair<Condition, std::string>> m_conditions; //!< see OnlyIf(), and the uses
    bool m_isGiven = false;                                      //!< by the user
    bool m_isAdopted = false; //!< whether the value is that of a given attribute
};

/**
 * @ingroup collab-helper
 * @param value value of a parameter
 * @return the value as text, as a command line has it
 */
std::string ToText(const Parameter::Value& value);

/**
 * @ingroup collab-helper
 * @param value value of a parameter
 * @return the value in JSON
 */
nlohmann::ordered_json ToJson(const Parameter::Value& value);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_PARAMETER_H */
