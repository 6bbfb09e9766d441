/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_TAKEOVER_H
#define COMMITTEE_TAKEOVER_H

#include <cstdint>
#include <string>

namespace tests
{

/**
 * @brief Write how long committees last that an adversary who owns a part of all devices wants to
 * take over: the probability that one with more than f < C / 3 owned members has been elected by
 * round t.
 *
 * Each run plays elections with the functions that members elect by. Owned members report scores
 * that promote owned clients (PromoteScores), and owned clients upload gradients of a middling
 * length, which are ranked in the middle. Beside it stands what the hypergeometric distribution
 * says of committees that are drawn from all devices at random.
 *
 * @param runs of elections, for each combination
 * @param rounds elections of a run
 * @param largest federation to play
 * @param files what their names begin with: -drawn.csv has the distribution, .csv the probability
 * at the end and after a tenth of the rounds, -rounds.csv that of each round
 */
void PlayTakeover(uint32_t runs, uint32_t rounds, uint32_t largest, const std::string& files);

} // namespace tests

#endif /* COMMITTEE_TAKEOVER_H */
