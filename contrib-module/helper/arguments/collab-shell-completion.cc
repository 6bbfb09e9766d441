/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-shell-completion.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"

#include <fmt/format.h>

namespace ns3::collab
{

namespace
{

/// @param parameter some parameter
/// @return what can stand behind its equals sign, with blanks between; empty if that is open
std::string
ListValues(const Parameter& parameter)
{
    if (parameter.GetTypeName() == std::string("flag"))
    {
        return "true false";
    }
    std::string values;
    for (const auto& choice : parameter.GetDescription().choices)
    {
        values += (values.empty() ? "" : " ") + choice.text;
    }
    return values;
}

} // namespace

void
PrintCompletion(const std::string& shell,
                const std::string& program,
                const ParameterList& parameters,
                std::ostream& output)
{
    Require<UserError>(shell == "bash" || shell == "zsh",
                       "argument '--PrintCompletion={}' is not allowed; allowed are bash, zsh",
                       shell);
    std::string function = "_" + program;
    for (char& letter : function)
    {
        letter = letter == '-' ? '_' : letter;
    }
    std::string names;
    std::string cases;
    for (const auto& parameter : parameters.GetAll())
    {
        names += fmt::format(" --{}=", parameter.GetName());
        const std::string values = ListValues(parameter);
        if (!values.empty())
        {
            cases += fmt::format("    --{}) words='{}' ;;\n", parameter.GetName(), values);
        }
    }
    if (shell == "zsh")
    {
        output << "autoload -U +X bashcompinit && bashcompinit\n";
    }
    // Bash takes the equals sign for a word of its own; zsh leaves --name=value whole
    output << fmt::format(R"({0}()
{{
    local current=${{COMP_WORDS[COMP_CWORD]}} name= before= words=
    if [[ $current == --*=* ]]; then
        name=${{current%%=*}} before=$name= current=${{current#*=}}
    elif [[ $current == = ]]; then
        name=${{COMP_WORDS[COMP_CWORD - 1]}} current=
    elif [[ ${{COMP_WORDS[COMP_CWORD - 1]}} == = ]]; then
        name=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case $name in
    '') words='{1}' ;;
{2}    *) COMPREPLY=($(compgen -P "$before" -f -- "$current")); return ;;
    esac
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "$current"))
}}
complete -o nospace -F {0} {3}
)",
                          function,
                          names.substr(1),
                          cases,
                          program);
}

} // namespace ns3::collab
