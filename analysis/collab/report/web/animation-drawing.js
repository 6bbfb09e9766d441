// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What was known of devices, links and messages at a simulated time, and the graph that shows it.

const MARGIN = 46; // pixels
const LABEL_SPACE = 14; // pixels below a device
const LOW_BATTERY = 0.2;
const LEAST_RADIUS = 11; // pixels of a device that has room for texts
const KIND_COLORS = ["blue", "purple", "ink", "sky", "yellow", "orange"];

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

/** @returns {number[]} where a device is at a time, [x, y] */
const placeAt = ({ devices, ways }, number, time) => {
  const { time: times, x, y } = ways[number];
  const last = times.findLastIndex((one) => one <= time);
  if (last < 0) {
    return [devices.x[number], devices.y[number]];
  }
  const next = Math.min(last + 1, times.length - 1);
  const share = next > last ? (time - times[last]) / (times[next] - times[last]) : 0;
  return [x, y].map((all) => all[last] + (all[next] - all[last]) * share);
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

// How far a value is on the way from low to high, from 0 to 1
const shareOf = (value, { low, high }) => (high > low ? (value - low) / (high - low) : 0.5);

const radiusFor = (count) => (count <= 12 ? 18 : count <= 30 ? 15 : count <= 120 ? 8 : 4);

class AnimationDrawing {
  /** @param {function(?number)} point is told the device that the pointer is at, or null */
  constructor(svg, data, point) {
    Object.assign(this, { svg, data, point });
  }

  /** Fits the drawing to the size of its element. */
  resize() {
    const { width, height } = this.svg.getBoundingClientRect();
    const { ways, devices } = this.data;
    this.moves = ways.some(({ time }) => time.length > 0);
    const [x, y] = ["x", "y"].map((axis) => [...devices[axis], ...ways.flatMap((way) => way[axis])]);
    const [[left, right], [low, high]] = [x, y].map((all) =>
      all.reduce(([least, most], one) => [Math.min(least, one), Math.max(most, one)], [all[0], all[0]]));
    const scale = Math.min((width - 2 * MARGIN) / (right - left || 1),
      (height - 2 * MARGIN - LABEL_SPACE) / (high - low || 1));
    this.pixelsOf = ([across, up]) => [
      width / 2 + (across - (left + right) / 2) * scale,
      height / 2 - 6 - (up - (low + high) / 2) * scale,
    ];
    this.places = devices.x.map((_, i) => this.pixelsOf(placeAt(this.data, i, 0)));
    this.radius = Math.min(radiusFor(devices.x.length), Math.max(4, width / 28));
    [this.links, this.messages] = [make("g"), make("g")];
    this.frame = null;
    this.devices = this.places.map((_, device) => this.makeDevice(device));
    this.svg.replaceChildren(this.links, this.messages, ...this.devices.map(({ whole }) => whole),
      ...(this.data.devices.inMeters ? this.makeScale(width, height, scale) : []));
  }

  makeScale(width, height, pixelsPerMeter) {
    const length = Number((width / 4 / pixelsPerMeter).toPrecision(1));
    const [right, bottom] = [14 + length * pixelsPerMeter, height - 12];
    return [make("path", { class: "scale", d: `M14 ${bottom - 4}v8v-4H${right}v-4v8` }),
      make("text", { x: right + 8, y: bottom, class: "small" }, `${format(length)} m`)];
  }

  makeDevice(device) {
    const { radius } = this;
    const { id, lowQuality, listed } = this.data.devices;
    const ring = { r: radius + (radius >= LEAST_RADIUS ? 2 : 1), fill: "none",
      "stroke-width": radius >= LEAST_RADIUS ? 4 : 2 };
    const shape = listed[device] ? make("circle", { r: radius })
      : make("rect", { x: -radius, y: -radius, width: 2 * radius, height: 2 * radius });
    const battery = make("g", {}, make("circle", { ...ring, stroke: "var(--line)" }),
      make("circle", { ...ring, pathLength: 1, transform: "rotate(-90)" }));
    const label = make("text", { "font-size": radius * 0.75, "font-weight": 600 },
      `${id[device]}${lowQuality[device] ? "*" : ""}`);
    const phase = make("text", { y: radius + 13, class: "small" });
    const whole = make("g", { class: "device", transform: `translate(${this.places[device]})`,
      onpointerenter: () => this.point(device), onpointerleave: () => this.point(null) },
    shape, battery, ...(radius >= LEAST_RADIUS ? [label, phase] : []),
    make("circle", { r: radius + 8, class: "target" }));
    return { whole, shape, battery, left: battery.lastChild, label, phase };
  }

  /** Draws everything: links by a measure, and devices by what their color says. */
  draw(time, measure, fill) {
    if (this.moves) {
      this.places = this.places.map((_, i) => this.pixelsOf(placeAt(this.data, i, time)));
      this.devices.forEach(({ whole }, i) =>
        whole.setAttribute("transform", `translate(${this.places[i]})`));
    }
    const frame = linksAt(measure, time);
    if (frame !== this.frame || this.moves) {
      this.frame = frame;
      this.links.replaceChildren(...(frame ? this.linesOf(frame, measure) : []));
    }
    this.messages.replaceChildren(
      ...messagesAt(this.data, time).flatMap((message) => this.drawMessage(message, time)));
    this.devices.forEach((parts, device) =>
      this.drawDevice(parts, deviceAt(this.data, device, time), fill));
  }

  linesOf({ from, to, value }, measure) {
    return value.map((one, i) => {
      const share = shareOf(one, measure);
      const [x1, y1, x2, y2] = this.lane(from[i], to[i]);
      return make("line", { x1, y1, x2, y2, opacity: 0.3 + 0.4 * share,
        stroke: between(measure.colors, share),
        "stroke-width": 0.7 + 1.6 * share });
    });
  }

  // The line from a device to another one, a little to its right so that both ways are seen
  lane(from, to) {
    const [[x0, y0], [x1, y1]] = [this.places[from], this.places[to]];
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const shift = Math.min(2.5, this.radius / 3) / length;
    const [aside, ahead] = [(y1 - y0) * shift, (x1 - x0) * shift];
    return [x0 - aside, y0 + ahead, x1 - aside, y1 + ahead];
  }

  // The way so far, and a dot where it is; a cross if it will be lost
  drawMessage(i, time) {
    const { start, end, sender, receiver, kind, delivered } = this.data.messages;
    const still = reducedMotion();
    const [x0, y0, x1, y1] = this.lane(sender[i], receiver[i]);
    const share = still || end[i] === start[i] ? 1 : (time - start[i]) / (end[i] - start[i]);
    const [x, y] = [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
    const name = delivered[i] ? KIND_COLORS[kind[i] % KIND_COLORS.length] : "vermillion";
    const stroke = `var(--${name})`;
    const way = make("line", { x1: x0, y1: y0, x2: x, y2: y, stroke, "stroke-width": 2,
      opacity: 0.85, "stroke-dasharray": delivered[i] ? null : "4 3" });
    const mark = delivered[i]
      ? make("circle", { cx: x, cy: y, r: 5.5, fill: stroke, stroke: "var(--surface)" })
      : make("path", { d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, stroke, "stroke-width": 2.5 });
    return still ? [way] : [way, mark];
  }

  drawDevice({ shape, battery, left, label, phase }, known, fill) {
    const isKnown = known[fill.key] !== null;
    const share = isKnown ? shareOf(known[fill.key], fill) : 0;
    shape.style.fill = isKnown ? between(fill.colors, share) : "var(--raised)";
    // Readable on the pale and on the strong end of the color scale
    label.style.fill = share > 0.45 ? "var(--surface)" : "var(--ink)";
    phase.textContent = known.phase ?? "";
    // A ring, of which as much is strong as is left in the battery
    battery.style.display = known.share === null ? "none" : "";
    shape.style.stroke = known.share === null ? "var(--muted)" : "";
    left.style.strokeDasharray = `${known.share} 1`;
    left.style.stroke = known.share < LOW_BATTERY ? "var(--vermillion)" : "var(--green)";
  }
}
