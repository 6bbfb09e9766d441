/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARAMETER_LIST_H
#define COLLAB_PARAMETER_LIST_H

#include "collab-parameter.h"

#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <deque>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

class RecordedRun;

/**
 * @ingroup collab-helper
 * @brief The parameters of a program, each of them declared once.
 *
 * From here come a program's help, the check of what is given, what a run's description says of
 * its parameters, the attributes that are set, and the tables of the documentation.
 *
 * Who wins: an attribute that the user has given (see IsAttributeGiven()) is never set. A parameter
 * that sets it takes its value, so that the program follows it; if the parameter is given too, and
 * differs, that is a UserError.
 */
class ParameterList
{
  public:
    ParameterList() = default;
    ParameterList(const ParameterList&) = delete; // parameters have their places
    ParameterList& operator=(const ParameterList&) = delete;

    /**
     * @brief Declare a parameter by the attribute that is set to its value.
     *
     * Help, unit, default, range and choices are the attribute's.
     *
     * @param name what it is called
     * @param attribute name with the type that declares it
     * @param when whether the attribute has to do with the parameter; empty for always
     * @return the parameter, to say what is different in this program
     * @throws UserError if there is no such attribute
     */
    Parameter& Take(std::string name, std::string attribute, Parameter::Condition when = {});

    /// @brief Declare a parameter that sets no attribute, or several in its own way.
    /// @param name what it is called
    /// @param field variable that holds the default and receives the value; must live as long as
    /// the list
    /// @param help its meaning, without the unit
    /// @return the parameter, to say more about it
    template <typename T>
    Parameter&
    Add(std::string name, T& field, std::string help)
    {
        return m_parameters.emplace_back(std::move(name), &field, std::move(help));
    }

    /// @tparam T what is wanted: a number, a flag or a text
    /// @param name of a parameter
    /// @return its value
    template <typename T = std::string>
    T
    Get(const std::string& name) const
    {
        return FindOrAbort(name).Get<T>();
    }

    /// @tparam T a type of values
    /// @param name of a parameter
    /// @param value that follows from something else
    template <typename T>
    void
    Set(const std::string& name, const T& value)
    {
        const_cast<Parameter&>(FindOrAbort(name)).Set(value);
    }

    /// @return all parameters, as declared
    const std::deque<Parameter>& GetAll() const;
    /// @param name name of a parameter
    /// @return the parameter; null if there is none
    Parameter* Find(const std::string& name);
    /// @param name name of a parameter
    /// @return the parameter; null if there is none
    const Parameter* Find(const std::string& name) const;

    /// @param commandLine command line that gets an option for each parameter
    void AddTo(CommandLine& commandLine);
    /// @param run run that is told the values of all parameters that change results
    void AddTo(RecordedRun& run) const;
    /// @brief Take the values of all attributes that the user has given.
    /// @throws UserError if a parameter is given, too, and differs
    void AdoptGivenAttributes();
    /// @throws UserError if a value is not allowed
    void Check() const;
    /// @brief Remember the values: what follows from others, and is set from now on, is computed.
    void KeepAsked();

    /// @return a line for each parameter that was given and has no effect in this run
    std::vector<std::string> FindIdle() const;

    /// @brief Set the attributes of a type that parameters stand for, but none that is given.
    /// @param type type of objects; what it inherits is set too
    /// @param set function to call with the name and the value of each attribute
    /// @throws UserError if an attribute cannot have a parameter's value
    void Apply(TypeId type,
               const std::function<void(const std::string&, const AttributeValue&)>& set) const;

    /// @brief Set the attributes of an object that parameters stand for, but none that is given.
    /// @param object an object, such as an application
    /// @throws UserError if an attribute cannot have a parameter's value
    void Apply(ObjectBase& object) const;

    /// @return the values of all parameters that change results, by name; null for one without
    nlohmann::ordered_json GetValues() const;
    /// @return the defaults of all parameters that change results, by name
    nlohmann::ordered_json GetDefaults() const;
    /// @return what was asked for, by the names of parameters that have other values since
    /// KeepAsked(); those that change results
    nlohmann::ordered_json GetComputed() const;
    /// @return all that is known of each parameter, by name: see ScenarioArguments
    nlohmann::ordered_json Describe() const;

  private:
    /// @param name of a parameter
    /// @return the parameter
    const Parameter& FindOrAbort(const std::string& name) const;

    std::deque<Parameter> m_parameters;  //!< as declared
    std::vector<ParameterValue> m_asked; //!< of each, at KeepAsked()
};

} // namespace ns3::collab

#endif /* COLLAB_PARAMETER_LIST_H */
