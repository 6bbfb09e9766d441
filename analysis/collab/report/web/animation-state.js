// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What was known of devices, links and messages at a simulated time.

collab.AnimationState = (() => {
  // Number of entries of an ascending list that are at most value
  const countUpTo = (list, value) => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };

  class AnimationState {
    constructor(data) {
      this.data = data;
      const { start, end } = data.messages;
      this.longest = start.reduce((most, time, i) => Math.max(most, end[i] - time), 0);
      const rounds = data.rounds.devices.flatMap(({ round }) => round.slice(-1));
      this.lastRound = Math.max(0, ...rounds);
      this.roundStarts = this.findRoundStarts();
    }

    /** When rounds began: the first at zero, others when a device had ended the one before. */
    findRoundStarts() {
      const first = new Map();
      for (const { time, round } of this.data.rounds.devices) {
        round.forEach((number, i) =>
          first.set(number, Math.min(first.get(number) ?? Infinity, time[i])));
      }
      return [0, ...[...first.values()].sort((a, b) => a - b)];
    }

    /** @returns {Object} a device at a time: what it has, and what it does; null is unknown */
    device(number, time) {
      const { batteries, rounds, phases } = this.data;
      const battery = batteries[number];
      const recorded = countUpTo(battery.time, time) - 1;
      const done = rounds.devices[number];
      const ended = countUpTo(done.time, time) - 1;
      const { start, end, phase } = phases.devices[number];
      const begun = countUpTo(start, time) - 1;
      const left = recorded < 0 ? battery.capacity : battery.left[recorded];
      return {
        capacity: battery.capacity,
        left,
        share: battery.capacity > 0 && left !== null ? left / battery.capacity : null,
        spent: recorded >= 0 ? battery.spent[recorded] : battery.time.length ? 0 : null,
        round: ended < 0 ? (done.round[0] ?? 0) : Math.min(this.lastRound, done.round[ended] + 1),
        value: ended < 0 ? null : done.value[ended],
        phase: begun >= 0 && time < end[begun] ? phases.names[phase[begun]] : null,
      };
    }

    /** @returns {number[]} numbers of the messages that are under way */
    messages(time) {
      const { start, end } = this.data.messages;
      const result = [];
      for (let i = countUpTo(start, time) - 1; i >= 0 && start[i] >= time - this.longest; --i) {
        if (end[i] >= time) {
          result.push(i);
        }
      }
      return result.reverse();
    }

    /** @returns {?Object} the links by a measure: from, to and value; null if none is known yet */
    links(key, time) {
      const measure = this.data.links.find((entry) => entry.key === key);
      const place = measure ? countUpTo(measure.frames.map((frame) => frame.time), time) - 1 : -1;
      return place < 0 ? null : measure.frames[place];
    }

    /** @returns {number} the time at which the next (step 1) or previous (-1) round begins */
    nextRound(time, step) {
      const place = countUpTo(this.roundStarts, time) - 1;
      if (step > 0) {
        return this.roundStarts[place + 1] ?? this.data.end;
      }
      return this.roundStarts[this.roundStarts[place] < time ? place : place - 1] ?? 0;
    }
  }

  return AnimationState;
})();
