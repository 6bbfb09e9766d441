/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARAMETER_RANGE_H
#define COLLAB_PARAMETER_RANGE_H

#include <limits>
#include <string>
#include <utility>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief The numbers that a parameter may be.
class ParameterRange
{
  public:
    /**
     * @param least allowed, or what all allowed ones are above
     * @param isOpen whether it is not allowed itself
     */
    void SetMin(double least, bool isOpen);
    /**
     * @param greatest allowed, or what all allowed ones are below
     * @param isOpen whether it is not allowed itself
     */
    void SetMax(double greatest, bool isOpen);
    /// Allow 0, too
    void AddZero();

    /**
     * @param number some number
     * @return whether it is allowed
     */
    bool Contains(double number) const;
    /// @return least number, 0 if it was added, and greatest one; infinite if there is none
    std::pair<double, double> GetLimits() const;
    /**
     * @param unit of the numbers; may be empty
     * @param isWhole whether they are integers
     * @return what is allowed, in words; empty if all numbers are
     */
    std::string ToText(const std::string& unit, bool isWhole) const;

  private:
    /**
     * @param unit with a blank before; may be empty
     * @param isWhole whether numbers are integers
     * @return the range in words, without the 0 that was added
     */
    std::string GetBoundsText(const std::string& unit, bool isWhole) const;

    double m_min = -std::numeric_limits<double>::infinity(); //!< lower bound
    double m_max = std::numeric_limits<double>::infinity();  //!< upper bound
    bool m_isMinOpen = false;                                //!< whether it is not allowed itself
    bool m_isMaxOpen = false;                                //!< whether it is not allowed itself
    bool m_hasZero = false;                                  //!< whether 0 is allowed, too
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_PARAMETER_RANGE_H */
