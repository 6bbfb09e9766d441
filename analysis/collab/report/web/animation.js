// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// The animated device graph with its controls.

const SPEEDS = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000, 10000]
  .map((speed) => ({ speed, key: String(speed), label: `${speed} ×` }));
const LONGEST_SHOW = 90; // seconds that the whole run takes at the speed chosen at first
const SLIDER_STEPS = 2000;
const NO_LINKS = { key: "none", label: "none", unit: "", frames: [] };
const STILL_STEP = 1000; // milliseconds from picture to picture where little motion is wanted

const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const animationCaption = ({ fills }) =>
  "Devices where they are; the ring is what is left in the battery, as last recorded: at the end " +
  "of a round, when it went off, or at the end of the run. A square is a node that run.json does " +
  `not list, such as a server; its place is not known. ${fills.length > 1
    ? "A device is colored once it has ended a round. " : ""}A dot is a message on its way to a ` +
  "receiver, from when it went on air until it was received whole; a cross is one that will be " +
  "lost. The tables below say the same in words.";

// Key of a color scale
const ramp = ({ label, low, high, unit, colors }) => {
  const scale = make("span", { class: "ramp", "aria-hidden": "true" });
  const ends = [0, 1].map((share) => between(colors, share));
  scale.style.background = `linear-gradient(to right, ${ends.join(", ")})`;
  return make("li", {}, `${label}: ${format(low, 3)}`, scale, `to ${format(high, 3)} ${unit}`);
};

const headingOf = ({ label, unit }) => (unit ? `${label} [${unit}]` : label);

const messageKey = (kind, place) => {
  const dot = make("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = `var(--${KIND_COLORS[place % KIND_COLORS.length]})`;
  return make("li", {}, dot, `message: ${kind}`);
};

class Player {
  constructor(data) {
    this.data = data;
    this.time = 0;
    this.playing = false;
    this.speed = SPEEDS.find(({ speed }) => data.end / speed <= LONGEST_SHOW) ?? SPEEDS.at(-1);
    this.measure = data.links[0] ?? NO_LINKS;
    [this.fill] = data.fills;
    this.makeElements();
    this.drawing = new AnimationDrawing(this.graph, data, (device) => this.tell(device));
    new ResizeObserver(() => { this.drawing.resize(); this.goTo(this.time); }).observe(this.stage);
  }

  makeElements() {
    this.graph = make("svg", { role: "img" });
    this.tip = make("div", { class: "tip framed", hidden: true });
    this.stage = make("div", { class: "stage framed" }, this.graph, this.tip);
    this.keys = make("ul", { class: "keys line beside", "aria-label": "Key" });
    const words = (title, table) => tableBelow([title], () => (this.playing ? null : table()));
    this.words = [words("Devices at this time", () => this.deviceTable()),
      words("Links at this time", () => this.linkTable())];
    this.element = make("div", { class: "card framed" }, this.makeChoices(),
      make("figure", {}, this.stage, make("figcaption", {}, animationCaption(this.data))),
      this.makeTimeline(), this.keys, ...this.words);
  }

  makeChoices() {
    const choice = (label, name, choices) => select(label, choices, this[name].key, (chosen) => {
      this[name] = choices.find(({ key }) => key === chosen);
      this.goTo(this.time);
    });
    return make("div", { class: "controls line" },
      choice("Links", "measure", [...this.data.links, NO_LINKS]),
      choice("Color of devices", "fill", this.data.fills), choice("Speed", "speed", SPEEDS));
  }

  makeTimeline() {
    const jump = (step) => () => this.pause(nextRound(this.data, this.time, step));
    this.play = button("Play", () => (this.playing ? this.pause() : this.start()),
      { id: "play" });
    this.slider = make("input", { type: "range", id: "scrubber", min: "0", max: SLIDER_STEPS,
      value: "0", "aria-label": "Simulated time",
      oninput: () => this.pause((this.slider.value / SLIDER_STEPS) * this.data.end) });
    this.output = make("output", { for: "scrubber" });
    return make("div", { class: "timeline line" }, this.play, button("Previous round", jump(-1)),
      button("Next round", jump(1)), this.slider, this.output);
  }

  // --- Time --------------------------------------------------------------------------------------

  start() {
    this.time = this.time < this.data.end ? this.time : 0;
    this.playing = true;
    this.play.textContent = "Pause";
    this.before = performance.now();
    this.schedule();
  }

  pause(time = this.time) {
    this.playing = false;
    this.play.textContent = "Play";
    this.goTo(time);
  }

  schedule() {
    const next = () => this.playing && this.advance((performance.now() - this.before) / 1000);
    if (reducedMotion()) {
      setTimeout(next, STILL_STEP);
    } else {
      requestAnimationFrame(next);
    }
  }

  advance(seconds) {
    this.before += 1000 * seconds;
    const time = this.time + seconds * this.speed.speed;
    if (time < this.data.end) {
      this.goTo(time);
      this.schedule();
    } else {
      this.pause(this.data.end);
    }
  }

  goTo(time) {
    this.time = time;
    this.drawing.draw(time, this.measure, this.fill);
    const { devices, end, messages } = this.data;
    const round = Math.max(...devices.id.map((_, i) => deviceAt(this.data, i, time).round));
    const text = `${time.toFixed(2)} s of ${end.toFixed(2)} s, round ${round}`;
    this.output.textContent = text;
    this.slider.value = String(Math.round((time / end) * SLIDER_STEPS));
    this.slider.setAttribute("aria-valuetext", text);
    if (!this.playing) {
      this.graph.setAttribute("aria-label",
        `Graph of ${devices.listed.filter(Boolean).length} devices after ${text}; ` +
        `${messagesAt(this.data, time).length} messages on their way. The tables “Devices at ` +
        "this time” and “Links at this time” below say the same in words.");
      const scales = [this.fill, this.measure].filter((one) => one !== NO_LINKS);
      this.keys.replaceChildren(...scales.map(ramp), ...messages.kinds.map(messageKey));
      this.words.forEach((details) => details.refresh());
    }
  }

  // --- Words -------------------------------------------------------------------------------------

  tell(device) {
    this.tip.hidden = device === null;
    if (device !== null) {
      this.tip.textContent = this.describe(device);
      const [left, top] = this.drawing.places[device];
      this.tip.style.left = `min(${left + 14}px, 100% - 16rem)`;
      this.tip.style.top = `min(${top + 14}px, 100% - 9rem)`;
    }
  }

  describe(device) {
    const { id, lowQuality, listed } = this.data.devices;
    const { round, phase, share, capacity, ...known } = deviceAt(this.data, device, this.time);
    return [
      listed[device] ? `Device ${id[device]}${lowQuality[device] ? ", low quality" : ""}`
        : `Node ${id[device]}, which run.json does not list`,
      round !== null && `round ${round}${phase ? `, ${phase}` : ""}`,
      share !== null && `battery: ${format(100 * share, 4)} % of ${format(capacity, 4)} J`,
      ...this.data.fills.map(({ key, label, unit }) =>
        `${label}: ${known[key] === null ? "unknown" : `${format(known[key], 4)} ${unit}`}`),
    ].filter(Boolean).join("\n");
  }

  table(name, columns) {
    const title = `${name} at ${this.time.toFixed(2)} s`;
    return { name: title, caption: `${title} of simulated time.`,
      columns: columns.map(([heading, values]) => ({ name: heading, values })) };
  }

  deviceTable() {
    const { id, lowQuality, listed, inMeters } = this.data.devices;
    const [x, y] = [0, 1].map((axis) =>
      id.map((_, device) => placeAt(this.data, device, this.time)[axis]));
    const ofListed = (values) => values.map((value, device) => (listed[device] ? value : null));
    const known = id.map((_, device) => deviceAt(this.data, device, this.time));
    const senders = messagesAt(this.data, this.time).map((i) => this.data.messages.sender[i]);
    return this.table("devices", [
      ["device", id],
      ["low quality", ofListed(lowQuality.map((low) => (low ? "yes" : "no")))],
      ...(inMeters ? [["x [m]", ofListed(x)], ["y [m]", ofListed(y)]] : []),
      ["round", known.map(({ round }) => round)],
      ["phase", known.map(({ phase }) => phase)],
      ["battery left [J]", known.map(({ left }) => left)],
      ...this.data.fills.map((fill) => [headingOf(fill), known.map((one) => one[fill.key])]),
      ["messages under way", id.map((_, i) => senders.filter((sender) => sender === i).length)],
    ]);
  }

  linkTable() {
    const { id } = this.data.devices;
    const frame = linksAt(this.measure, this.time) ?? { from: [], to: [], value: [] };
    return this.table("links", [["from", frame.from.map((device) => id[device])],
      ["to", frame.to.map((device) => id[device])],
      [headingOf(this.measure), frame.value]]);
  }
}
