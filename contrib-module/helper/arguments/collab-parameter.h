/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARAMETER_H
#define COLLAB_PARAMETER_H

#include "collab-parameter-description.h"

#include "ns3/attribute.h"
#include "ns3/command-line.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief One parameter of a program, declared once: all that there is to say about it.
 *
 * Made by ParameterList::Take() of an attribute, which says the rest, or by ParameterList::Add().
 * The methods that say more give the parameter back, so that a declaration is one expression:
 *
 *     list.Take("loss", "ns3::collab::PredictionConsensusApplication::LossPolicy")
 *         .Default("reliable");
 *     list.Add("maxOutage", maxOutage, "outage probability of the longest link")
 *         .Above(0)
 *         .Below(1);
 */
class Parameter
{
  public:
    /// What holds the value
    using Field =
        std::variant<bool*, int32_t*, uint32_t*, int64_t*, uint64_t*, double*, std::string*>;
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

    /// @param name name of the parameter
    /// @param field variable that holds the default, and receives the value
    /// @param help its meaning
    Parameter(std::string name, Field field, std::string help);
    /// @brief Take all from an attribute, which the value is set to; a time is in seconds.
    /// @param name of the parameter
    /// @param attribute name with the type that declares it
    /// @param when whether it has to do with the parameter; empty for always
    /// @throws UserError if there is no such attribute
    Parameter(std::string name, std::string attribute, Condition when);

    Parameter(const Parameter&) = delete; // it may hold its value itself
    Parameter& operator=(const Parameter&) = delete;

    /// @tparam T a type of values
    /// @param value the value if nothing is given
    template <typename T>
    Parameter&
    Default(const T& value)
    {
        Set(value);
        m_about.initial = GetValue();
        return *this;
    }

    /// @param help the meaning, where that of the attribute is another one
    Parameter& Help(std::string help);
    /// @param unit of the number
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
    /// @brief Name one more attribute that is set to the parameter's value; a time gets it in
    /// seconds.
    /// @param attribute name with the type that declares it
    /// @param when whether it has to do with the parameter; empty for always
    Parameter& Also(std::string attribute, Condition when = {});
    /// @brief Name an attribute whose given value is the parameter's, and that the program sets by
    /// other means.
    /// @param attribute name with the type that declares it
    /// @param when whether it has to do with the parameter; empty for always
    Parameter& Follows(std::string attribute, Condition when = {});
    /// @brief Name an attribute that is computed from the parameter. If it is given, the parameter
    /// cannot be; the program then computes the parameter, if anybody asks for it.
    /// @param attribute name with the type that declares it
    Parameter& ExcludedBy(std::string attribute);
    /// @brief Name an attribute that is computed from the parameter. If it is given, the parameter
    /// cannot be, and has no value.
    /// @param attribute name with the type that declares it
    Parameter& DecidedBy(std::string attribute);
    /// @brief Say that it has an effect only if another parameter has one of some values, with
    /// which the meaning then begins: see ParameterList::FindIdle().
    /// @param parameter name of a text in the same list
    /// @param values values of it
    Parameter& For(std::string parameter, const std::vector<std::string>& values);
    /// @brief Say when it has an effect: see ParameterList::FindIdle(). Said more than once, all
    /// must hold.
    /// @param when whether it has one in this run
    /// @param use what it is for, e.g. "steps of Adam"
    Parameter& OnlyIf(Condition when, std::string use);
    /// Say that it changes no result: it is about the host, or about what is printed
    Parameter& ChangesNoResult();

    /// @return the name
    const std::string& GetName() const;
    /// @return what there is to say about it
    const ParameterDescription& GetDescription() const;
    /// @return text, integer, unsigned integer, number or flag
    const char* GetTypeName() const;
    /// @return the value now
    ParameterValue GetValue() const;

    /// @tparam T what is wanted: a number, a flag or a text
    /// @return the value now
    template <typename T>
    T
    Get() const
    {
        T value = {};
        std::visit([&](const auto* field) { CheckType(AssignValue(value, *field)); }, m_field);
        return value;
    }

    /// @tparam T a type of values
    /// @param value that follows from something else
    template <typename T>
    void
    Set(const T& value)
    {
        std::visit([&](auto* field) { CheckType(AssignValue(*field, value)); }, m_field);
    }

    /// @return the attributes that have to do with it
    const std::vector<Binding>& GetBindings() const;
    /// @param getText tells the value of a parameter of the same list
    /// @return what it is for, if it has no effect in this run; else empty
    std::string FindUnusedUse(const std::function<std::string(const std::string&)>& getText) const;
    /// @return what a value may be, in words, such as "unsigned integer, 1 to 9"
    std::string GetKind() const;
    /// @return what a number may be, in words; empty if it may be any
    std::string GetRange() const;

    /// @param isGiven whether the user has given the value, be it the default
    void Give(bool isGiven = true);
    /// @return whether the value was given, or is not the default
    bool IsGiven() const;

    /// @param commandLine that gets an option for it
    void AddTo(CommandLine& commandLine);
    /// @throws UserError if the value is not allowed
    void Check() const;
    /// @brief Take the value that the user has given to an attribute.
    /// @param binding the attribute
    /// @throws UserError if both are given and differ
    void Adopt(const Binding& binding);
    /// @param binding an attribute
    /// @return the parameter's value for it
    /// @throws UserError if the attribute cannot have it
    Ptr<AttributeValue> GetAttributeValue(const Binding& binding) const;
    /// @return whether an attribute that was given leaves it without a value
    bool IsDecidedElsewhere() const;
    /// @throws UserError if it is given beside an attribute that excludes it
    void CheckExclusion() const;

  private:
    /// @param isRight whether the value is asked for, or set, as what it is
    void CheckType(bool isRight) const;
    /// @throws UserError if a text is not allowed
    void CheckText() const;
    /// @param attribute name of an attribute
    /// @param role what it is to the parameter
    /// @param when whether it has to do with it
    Parameter& Bind(std::string attribute, Role role, Condition when);

    std::string m_name;                                          //!< what it is called
    ParameterValue m_own;                                        //!< the value, if no field has it
    Field m_field;                                               //!< where the value is
    ParameterDescription m_about;                                //!< what there is to say about it
    std::vector<Binding> m_bindings;                             //!< attributes
    std::string m_user;                                          //!< see For(); empty for none
    std::vector<std::string> m_uses;                             //!< see For()
    std::vector<std::pair<Condition, std::string>> m_conditions; //!< see OnlyIf(), and the uses
    bool m_isGiven = false;                                      //!< by the user
    bool m_isAdopted = false; //!< whether the value is that of a given attribute
};

} // namespace ns3::collab

#endif /* COLLAB_PARAMETER_H */
