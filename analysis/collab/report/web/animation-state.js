// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What was known of devices, links and messages at a simulated time.

/**
 * @returns {Object} a device at a time: capacity, left and share of its battery, what is spent,
 * round, value and phase; null is unknown
 */
const deviceAt = ({ tracks }, number, time) => {
  const known = {};
  for (const { [number]: { time: times, ...columns } } of tracks) {
    const last = times.findLastIndex((one) => one <= time);
    for (const [name, values] of Object.entries(columns)) {
      known[name] = values[last] ?? null;
    }
  }
  return known;
};

/** @returns {number[]} numbers of the messages that are under way */
const messagesAt = ({ messages: { start, end } }, time) =>
  [...start.keys()].filter((i) => start[i] <= time && time <= end[i]);

/** @returns {?Object} the links by a measure: from, to and value; null if none is known yet */
const linksAt = ({ frames }, time) => frames.findLast((frame) => frame.time <= time) ?? null;

/** @returns {number} the time at which the next (step 1) or previous (-1) round begins */
const nextRound = ({ roundStarts, end }, time, step) =>
  (step > 0 ? roundStarts.find((start) => start > time) ?? end
    : roundStarts.findLast((start) => start < time) ?? 0);
