/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RATE_SCHEDULE_H
#define COLLAB_RATE_SCHEDULE_H

#include <cstdint>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief How a learning rate changes with the steps that a learner takes.
enum class RateScheduleKind : uint8_t
{
    CONSTANT, //!< not
    STEP,     //!< times gamma every so many steps
    COSINE,   //!< half a cosine down to a floor, which is kept (Loshchilov, Hutter, ICLR 2017)
};

/// @ingroup collab-learning
/// @brief A schedule of learning rates, by the number of steps that a learner took in all its jobs.
struct RateSchedule
{
    RateScheduleKind kind = RateScheduleKind::CONSTANT; //!< which one
    uint64_t warmup = 0; //!< steps before it, in which the rate rises linearly to the full one
    uint64_t every = 1;  //!< STEP: so many steps; at least 1
    double gamma = 0.1;  //!< STEP: above 0, at most 1
    uint64_t steps = 1;  //!< COSINE: steps until the floor; at least 1
    double floor = 0;    //!< COSINE: 0 to 1, of the full rate
};

/// @param schedule schedule to check
/// @throws std::invalid_argument if a value is not allowed
void CheckRateSchedule(const RateSchedule& schedule);

/// @param schedule a schedule, already checked
/// @param step number of a step, from 0 on
/// @return what the learning rate is multiplied by in this step
double GetRateFactor(const RateSchedule& schedule, uint64_t step);

/**
 * @brief Make a schedule from its name and parameters.
 *
 * - "constant:warmup=W"
 * - "step:every=N,gamma=G,warmup=W"; N must be given
 * - "cosine:steps=N,floor=F,warmup=W"; N must be given
 *
 * @param specification name, or name and parameters
 * @return the schedule
 * @throws std::invalid_argument that names what is not allowed, and what is
 */
RateSchedule MakeRateSchedule(const std::string& specification);

} // namespace ns3::collab

#endif /* COLLAB_RATE_SCHEDULE_H */
