/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIDATION_COMPARISON_H
#define VALIDATION_COMPARISON_H

#include "wireless/wireless-test-support.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace ns3::collab
{
namespace tests
{

/// How well two samples of one quantity agree
struct Comparison
{
    Moments packet;    //!< of fidelity Packet
    Moments burst;     //!< of fidelity Burst
    bool exact = true; //!< whether both samples are one and the same constant
    double z = 0;      //!< difference of the means in combined standard errors
    double meanP = 1;  //!< two-sided probability of such a z
    double ksP = 1;    //!< of the two-sample Kolmogorov-Smirnov test
};

/// @param packet a sample of fidelity Packet
/// @param burst one of fidelity Burst
/// @return how well they agree
Comparison Compare(std::vector<double> packet, std::vector<double> burst);

/// What all comparisons say together
class ComparisonSummary
{
  public:
    /// @param comparison one more
    /// @param independent whether it is the one of its combination that is independent of the
    /// others
    void Add(const Comparison& comparison, bool independent);
    /**
     * @brief Say how many deviations are expected and seen.
     *
     * Three tests at a third of the level each: the least p of the means and that of the
     * Kolmogorov-Smirnov tests, both times their number (Bonferroni: right whatever their
     * dependence), and the sum of z^2 of the independent comparisons (chi-square).
     *
     * @param out where to say it
     * @param level probability at which a correct program may fail
     * @return whether the fidelities agree
     */
    bool Report(std::ostream& out, double level) const;

  private:
    std::vector<Comparison> m_all;         //!< all comparisons
    std::vector<Comparison> m_independent; //!< those that are independent of each other
};

} // namespace tests
} // namespace ns3::collab

#endif /* VALIDATION_COMPARISON_H */
