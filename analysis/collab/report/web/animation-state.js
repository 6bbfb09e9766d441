// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What was known of devices, links and messages at a simulated time.

// Place of the last entry of an ascending list that is at most value; -1 if there is none
const lastUpTo = (list, value) => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    [low, high] = list[middle] <= value ? [middle + 1, high] : [low, middle];
  }
  return low - 1;
};

class AnimationState {
  constructor(data) {
    this.data = data;
    const { start, end } = data.messages;
    this.longest = start.reduce((most, time, i) => Math.max(most, end[i] - time), 0);
    this.lastRound = Math.max(0, ...data.rounds.devices.map(({ round }) => round.at(-1) ?? 0));
    // Rounds begin at zero, and when a device has ended the one before
    const first = new Map();
    data.rounds.devices.forEach(({ time, round }) => round.forEach((number, i) =>
      first.set(number, Math.min(first.get(number) ?? Infinity, time[i]))));
    this.roundStarts = [0, ...[...first.values()].sort((a, b) => a - b)];
  }

  /** @returns {Object} a device at a time: what it has, and what it does; null is unknown */
  device(number, time) {
    const { batteries, rounds, phases } = this.data;
    const battery = batteries[number];
    const recorded = lastUpTo(battery.time, time);
    const done = rounds.devices[number];
    const ended = lastUpTo(done.time, time);
    const { start, end, phase } = phases.devices[number];
    const begun = lastUpTo(start, time);
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
    for (let i = lastUpTo(start, time); i >= 0 && start[i] >= time - this.longest; --i) {
      if (end[i] >= time) {
        result.push(i);
      }
    }
    return result.reverse();
  }

  /** @returns {?Object} the links by a measure: from, to and value; null if none is known yet */
  links(measure, time) {
    return measure?.frames[lastUpTo(measure.frames.map((frame) => frame.time), time)] ?? null;
  }

  /** @returns {number} the time at which the next (step 1) or previous (-1) round begins */
  nextRound(time, step) {
    const place = lastUpTo(this.roundStarts, time);
    if (step > 0) {
      return this.roundStarts[place + 1] ?? this.data.end;
    }
    return this.roundStarts[this.roundStarts[place] < time ? place : place - 1] ?? 0;
  }
}
