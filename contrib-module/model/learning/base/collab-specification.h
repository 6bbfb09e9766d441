/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SPECIFICATION_H
#define COLLAB_SPECIFICATION_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief A choice that a user writes as "name" or "name:key=value,key=value".
 *
 * The factories of aggregation rules, gradient attacks and compressors read their parameters from
 * it, and so refuse mistakes in the same words.
 */
class Specification
{
  public:
    /// @param kind what is chosen, for messages, e.g. "aggregation rule"
    /// @param text what the user wrote
    /// @throws std::invalid_argument if it has not that form or names a key twice
    Specification(std::string kind, const std::string& text);

    /// @return the name before the colon
    const std::string& GetName() const;

    /// @param key key of a parameter
    /// @return whether the user gave it
    bool Has(const std::string& key);

    /// @param key key of a parameter
    /// @param fallback value if it is not given
    /// @param least allowed value
    /// @param most allowed value
    /// @return the value
    /// @throws std::invalid_argument if it is no number from least to most
    double GetNumber(const std::string& key, double fallback, double least, double most);

    /// @param key key of a parameter
    /// @param fallback value if it is not given
    /// @param least allowed value
    /// @param most allowed value
    /// @return the value
    /// @throws std::invalid_argument if it is no whole number from least to most
    uint64_t GetCount(const std::string& key,
                      uint64_t fallback,
                      uint64_t least = 0,
                      uint64_t most = UINT32_MAX);

    /// @brief Refuse the keys that nobody has asked for; call it after the last Get.
    /// @throws std::invalid_argument that lists the known ones
    void CheckKeys() const;

    /// @param known names
    /// @throws std::invalid_argument always: the name is none of the known ones
    [[noreturn]] void RefuseName(const std::vector<std::string>& known) const;

  private:
    /// @param key key of a parameter
    /// @param value value that was given
    /// @param allowed values, in words
    [[noreturn]] void RefuseValue(const std::string& key,
                                  const std::string& value,
                                  const std::string& allowed) const;

    std::string m_kind;                          //!< what is chosen
    std::string m_name;                          //!< before the colon
    std::map<std::string, std::string> m_values; //!< as given
    std::set<std::string> m_known;               //!< keys that were asked for
};

/// @tparam Factories a map from names
/// @param factories factories to list
/// @return the names, in the map's order
template <typename Factories>
std::vector<std::string>
GetNames(const Factories& factories)
{
    std::vector<std::string> names;
    for (const auto& factory : factories)
    {
        names.push_back(factory.first);
    }
    return names;
}

} // namespace ns3::collab

#endif /* COLLAB_SPECIFICATION_H */
