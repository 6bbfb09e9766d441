/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_WATCH_H
#define BELIEF_WATCH_H

#include "ns3/application-container.h"
#include "ns3/belief-consensus-user-application.h"
#include "ns3/belief-consensus-weight-moments.h"
#include "ns3/collab-application.h"

#include <cstdint>
#include <map>

/// What was seen of a run in instants: the weights that were in force, and how fast users learned
class BeliefWatch
{
  public:
    /// @param instants that they have
    BeliefWatch(const ns3::ApplicationContainer& users, uint32_t instants);

    BeliefWatch(const BeliefWatch&) = delete;
    BeliefWatch& operator=(const BeliefWatch&) = delete;

    /// @return slope of log_ratio over the second half of instants, by least squares, mean over
    /// users that tell the truth [nat per instant]; NaN if it was not measured twice
    double GetRate() const;

    ns3::collab::WeightMoments moments; //!< of all W_t

  private:
    /// Sums of a straight line
    struct Line
    {
        double count = 0;    //!< of points
        double x = 0;        //!< sum of instants
        double y = 0;        //!< sum of log ratios
        double squares = 0;  //!< sum of squares of instants
        double products = 0; //!< sum of instants times log ratios
    };

    void HandleWeights(const ns3::collab::BeliefWeightsRecord& record);
    /// @param record an instant that a user has ended
    void HandleRound(const ns3::collab::RoundRecord& record);

    uint32_t m_instants;                  //!< that users have
    std::map<uint32_t, uint32_t> m_users; //!< numbers of users, by their devices'
    std::map<uint32_t, Line> m_lines;     //!< by device that tells the truth
};

#endif /* BELIEF_WATCH_H */
