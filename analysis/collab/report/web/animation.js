// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// The animated device graph with its controls.

collab.animation = (() => {
  const { make, button, format } = collab;
  const { column } = collab.table;
  const SPEEDS = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000, 10000];
  const LONGEST_SHOW = 90; // seconds that the whole run takes at the speed chosen at first
  const SLIDER_STEPS = 2000;
  const STILL_STEP = 1000; // milliseconds from picture to picture where little motion is wanted

  class Player {
    constructor(data) {
      this.data = data;
      this.time = 0;
      this.playing = false;
      this.state = new collab.AnimationState(data);
      this.speed = SPEEDS.find((speed) => data.end / speed <= LONGEST_SHOW) ?? SPEEDS.at(-1);
      this.shown = { links: data.links.length ? data.links[0].key : "none",
        fill: data.rounds.metric ? "value" : "spent" };
      this.makeElements();
      this.drawing = new collab.AnimationDrawing(this.canvas, data, this.state);
      new ResizeObserver(() => { this.drawing.resize(); this.draw(); }).observe(this.stage);
      collab.theme.onChange(() => this.draw());
    }

    makeElements() {
      this.canvas = make("canvas", { role: "img" });
      this.tip = make("div", { class: "tip", hidden: true });
      const hover = (event) => this.hover(event);
      this.stage = make("div", { class: "stage", onpointermove: hover, onpointerdown: hover,
        onpointerleave: () => { this.tip.hidden = true; } }, this.canvas, this.tip);
      this.keys = make("ul", { class: "keys", "aria-label": "Key" });
      const words = (title, table) =>
        collab.table.below([title], () => (this.playing ? null : table()));
      this.words = [words("Devices at this time", () => this.deviceTable()),
        words("Links at this time", () => this.linkTable())];
      this.element = make("div", { class: "card" }, this.makeChoices(),
        make("figure", {}, this.stage, make("figcaption", {}, this.caption())),
        this.makeTimeline(), this.keys, ...this.words);
    }

    caption() {
      const { devices, messages, rounds } = this.data;
      const parts = ["Devices where they are; the ring is what is left in the battery, as " +
        "last recorded: at the end of a round, when it went off, or at the end of the run."];
      if (devices.listed.includes(false)) {
        parts.push("A square is a node that run.json does not list, such as a server; its place is " +
          "not known.");
      }
      if (rounds.metric) {
        parts.push("A device is colored once it has ended a round.");
      }
      if (messages.start.length) {
        parts.push("A dot is a message on its way to a receiver, from when it went on air until " +
          "it was received whole; a cross is one that will be lost.");
      }
      parts.push("The tables below say the same in words.");
      return parts.join(" ");
    }

    makeChoices() {
      const links = [...this.data.links, { key: "none", label: "none" }];
      const fills = [{ key: "spent", label: "energy spent" }];
      if (this.data.rounds.metric) {
        fills.unshift({ key: "value", label: this.data.rounds.metric });
      }
      const choose = (name) => (key) => {
        this.shown[name] = key;
        this.draw();
        this.fillTables();
      };
      return make("div", { class: "controls" },
        collab.select("Links", links, this.shown.links, choose("links")),
        collab.select("Color of devices", fills, this.shown.fill, choose("fill")),
        collab.select("Speed", SPEEDS.map((speed) => ({ key: String(speed), label: `${speed} ×` })),
          String(this.speed), (speed) => { this.speed = Number(speed); }));
    }

    makeTimeline() {
      const goTo = (time) => () => {
        this.pause();
        this.goTo(time());
      };
      const jump = (step) => goTo(() => this.state.nextRound(this.time, step));
      this.play = button("Play", () => (this.playing ? this.pause() : this.start()),
        { class: "primary", id: "play" });
      this.slider = make("input", { type: "range", id: "scrubber", min: "0",
        max: String(SLIDER_STEPS), value: "0", "aria-label": "Simulated time",
        oninput: goTo(() => (this.slider.value / SLIDER_STEPS) * this.data.end) });
      this.output = make("output", { for: "scrubber" });
      return make("div", { class: "timeline" }, this.play,
        button("Previous round", jump(-1)), button("Next round", jump(1)),
        this.slider, this.output);
    }

    // --- Time ------------------------------------------------------------------------------------

    start() {
      if (this.time >= this.data.end) {
        this.time = 0;
      }
      this.playing = true;
      this.play.textContent = "Pause";
      this.before = performance.now();
      this.schedule();
    }

    pause() {
      this.playing = false;
      this.play.textContent = "Play";
      this.fillTables();
    }

    schedule() {
      if (collab.reducedMotion()) {
        setTimeout(() => this.advance(performance.now()), STILL_STEP);
      } else {
        requestAnimationFrame((now) => this.advance(now));
      }
    }

    advance(now) {
      if (!this.playing) {
        return;
      }
      const passed = Math.max(0, (now - this.before) / 1000);
      this.before = now;
      this.goTo(Math.min(this.data.end, this.time + passed * this.speed));
      if (this.time >= this.data.end) {
        this.pause();
      } else {
        this.schedule();
      }
    }

    goTo(time) {
      this.time = time;
      this.draw();
      if (!this.playing) {
        this.fillTables();
      }
    }

    // --- Pictures and words ----------------------------------------------------------------------

    draw() {
      if (!this.drawing?.context) {
        return;
      }
      this.drawing.draw(this.time, this.shown);
      const round = this.data.devices.id.reduce(
        (most, _, device) => Math.max(most, this.state.device(device, this.time).round), 0);
      const text = `${this.time.toFixed(2)} s of ${this.data.end.toFixed(2)} s, round ${round}`;
      this.output.textContent = text;
      this.slider.value = String(Math.round((this.time / this.data.end) * SLIDER_STEPS));
      this.slider.setAttribute("aria-valuetext", text);
      if (!this.playing) {
        const count = this.data.devices.listed.filter(Boolean).length;
        this.canvas.setAttribute("aria-label", `Graph of ${count} devices ` +
          `after ${text}; ${this.state.messages(this.time).length} messages on their way. The ` +
          "tables “Devices at this time” and “Links at this time” below say the same in words.");
      }
      this.drawKeys();
    }

    drawKeys() {
      const key = `${this.shown.links} ${this.shown.fill}`;
      if (this.drawnKeys !== key) {
        this.drawnKeys = key;
        this.keys.replaceChildren(this.fillKey(), ...this.linkKey(), ...this.messageKey());
      }
    }

    ramp(kind, label, low, high, unit = "") {
      return make("li", {}, `${label}: ${format(low, 3)}`,
        make("span", { class: `ramp ${kind}`, "aria-hidden": "true" }),
        `to ${format(high, 3)}${unit ? ` ${unit}` : ""}`);
    }

    fillKey() {
      if (this.shown.fill === "spent" && !this.data.batteries.some(({ time }) => time.length)) {
        return make("li", {}, "energy spent: unknown");
      }
      return this.shown.fill === "spent"
        ? this.ramp("value", "energy spent", 0, this.drawing.mostSpent, "J")
        : this.ramp("value", this.data.rounds.metric, ...this.drawing.values);
    }

    get measure() {
      return this.data.links.find(({ key }) => key === this.shown.links);
    }

    linkKey() {
      return [this.measure].filter(Boolean).map(({ worse, label, low, high, unit }) =>
        this.ramp(worse ? "bad" : "good", label, low, high, unit));
    }

    messageKey() {
      const names = collab.AnimationDrawing.KIND_COLORS;
      return this.data.messages.kinds.map((kind, i) => {
        const dot = make("span", { class: "swatch", "aria-hidden": "true" });
        dot.style.background = `var(--${names[i % names.length]})`;
        return make("li", {}, dot, `message: ${kind}`);
      });
    }

    hover(event) {
      const bounds = this.stage.getBoundingClientRect();
      const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
      const device = this.drawing.deviceAt(x, y);
      this.tip.hidden = device < 0;
      if (device >= 0) {
        this.tip.textContent = this.describe(device);
        const place = (at, size, own) => `${Math.max(0, Math.min(at + 14, size - own - 4))}px`;
        this.tip.style.left = place(x, bounds.width, this.tip.offsetWidth);
        this.tip.style.top = place(y, bounds.height, this.tip.offsetHeight);
      }
    }

    describe(device) {
      const { id, lowQuality, listed } = this.data.devices;
      if (!listed[device]) {
        return `Node ${id[device]}, which run.json does not list`;
      }
      const known = this.state.device(device, this.time);
      const lines = [`Device ${id[device]}${lowQuality[device] ? ", low quality" : ""}`,
        `round ${known.round}${known.phase ? `, ${known.phase}` : ""}`];
      if (known.value !== null) {
        lines.push(`${this.data.rounds.metric}: ${format(known.value, 4)}`);
      }
      if (known.share !== null) {
        lines.push(`battery: ${format(100 * known.share, 4)} % of ${format(known.capacity, 4)} J`);
      }
      lines.push(known.spent === null ? "spent: unknown" : `spent: ${format(known.spent, 4)} J`);
      return lines.join("\n");
    }

    fillTables() {
      this.words.forEach((details) => details.refresh());
    }

    table(name, columns) {
      const title = `${name} at ${this.time.toFixed(2)} s`;
      return { name: title, caption: `${title} of simulated time.`, total: columns[0][1].length,
        columns: columns.map(([heading, values]) => column(heading, values)) };
    }

    deviceTable() {
      const { id, x, y, lowQuality, listed, inMeters } = this.data.devices;
      const ofListed = (values) => values.map((value, device) => (listed[device] ? value : null));
      const known = id.map((_, device) => this.state.device(device, this.time));
      const sending = id.map(() => 0);
      this.state.messages(this.time).forEach((i) => { ++sending[this.data.messages.sender[i]]; });
      return this.table("devices", [
        ["device", id],
        ["low quality", ofListed(lowQuality.map((low) => (low ? "yes" : "no")))],
        ...(inMeters ? [["x [m]", ofListed(x)], ["y [m]", ofListed(y)]] : []),
        ["round", ofListed(known.map(({ round }) => round))],
        ["phase", known.map(({ phase }) => phase ?? "")],
        ...(this.data.rounds.metric
          ? [[this.data.rounds.metric, known.map(({ value }) => value)]] : []),
        ["battery left [J]", known.map(({ left }) => left)],
        ["spent [J]", known.map(({ spent }) => spent)],
        ["messages under way", sending],
      ]);
    }

    linkTable() {
      const { id } = this.data.devices;
      const frame = this.state.links(this.shown.links, this.time);
      const { from, to, value } = frame ?? { from: [], to: [], value: [] };
      const { label = "value", unit } = this.measure ?? {};
      return this.table("links", [["from", from.map((device) => id[device])],
        ["to", to.map((device) => id[device])], [unit ? `${label} [${unit}]` : label, value]]);
    }
  }

  /** @returns {HTMLElement} the animation, which the user starts */
  return { create: (data) => new Player(data).element };
})();
