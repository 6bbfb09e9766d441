// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What was known of devices, links and messages at a simulated time.

class AnimationState {
  constructor(data) {
    this.data = data;
  }

  /**
   * @returns {Object} a device at a time: capacity, left and share of its battery, what is spent,
   * round, value and phase; null is unknown
   */
  device(number, time) {
    const known = {};
    for (const { [number]: { time: times, ...columns } } of this.data.tracks) {
      const last = times.findLastIndex((one) => one <= time);
      for (const [name, values] of Object.entries(columns)) {
        known[name] = values[last] ?? null;
      }
    }
    return known;
  }

  /** @returns {number[]} numbers of the messages that are under way */
  messages(time) {
    const { start, end } = this.data.messages;
    return [...start.keys()].filter((i) => start[i] <= time && time <= end[i]);
  }

  /** @returns {?Object} the links by a measure: from, to and value; null if none is known yet */
  links(measure, time) {
    return measure?.frames.findLast((frame) => frame.time <= time) ?? null;
  }

  /** @returns {number} the time at which the next (step 1) or previous (-1) round begins */
  nextRound(time, step) {
    const { roundStarts, end } = this.data;
    return step > 0 ? roundStarts.find((start) => start > time) ?? end
      : roundStarts.findLast((start) => start < time) ?? 0;
  }
}
