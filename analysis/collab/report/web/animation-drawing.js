// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Draws the device graph at a simulated time.

const MARGIN = 46; // pixels
const LABEL_SPACE = 14; // pixels below a device
const LOW_BATTERY = 0.2;
const KIND_COLORS = ["blue", "purple", "ink", "sky", "yellow", "orange"];

const extent = (values) => values.reduce(([low, high], value) =>
  [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);

const radiusFor = (count) => (count <= 12 ? 18 : count <= 30 ? 15 : count <= 120 ? 8 : 4);

// A round length of at most a quarter of the width
const scaleLength = (width, pixelsPerMeter) => {
  const most = width / 4 / pixelsPerMeter;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].find((factor) => factor * power <= most) * power;
};

class AnimationDrawing {
  constructor(canvas, data, state) {
    Object.assign(this, { canvas, data, state, context: canvas.getContext("2d"), places: null });
    this.values = extent(data.rounds.devices.flatMap(({ value }) =>
      value.filter((one) => one !== null)));
    this.mostSpent = Math.max(...data.batteries.map(({ spent }) => spent.at(-1) ?? 0), 1e-9);
  }

  /** Fits the drawing to the size of its canvas. */
  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { x, y } = this.data.devices;
    const [[left, right], [low, high]] = [extent(x), extent(y)];
    this.scale = Math.min((width - 2 * MARGIN) / (right - left || 1),
      (height - 2 * MARGIN - LABEL_SPACE) / (high - low || 1));
    this.places = x.map((position, i) => [
      width / 2 + (position - (left + right) / 2) * this.scale,
      height / 2 - 6 - (y[i] - (low + high) / 2) * this.scale,
    ]);
    this.radius = Math.min(radiusFor(x.length), Math.max(4, width / 28));
    [this.width, this.height] = [width, height];
  }

  /** @returns {number} the device at a place of the canvas, or -1 */
  deviceAt(x, y) {
    const distances = this.places.map(([left, top]) => Math.hypot(left - x, top - y));
    const nearest = distances.indexOf(Math.min(...distances));
    return distances[nearest] <= this.radius + 8 ? nearest : -1;
  }

  /** Draws everything: links by a measure, and devices filled by value or by what they spent. */
  draw(time, measure, fill) {
    this.context.clearRect(0, 0, this.width, this.height);
    this.drawLinks(time, measure);
    this.drawMessages(time);
    this.places.forEach((_, device) => this.drawDevice(device, time, fill));
    if (this.data.devices.inMeters) {
      this.drawScale();
    }
  }

  // --- Shapes ------------------------------------------------------------------------------------

  stroke(stroke, width, dash = []) {
    Object.assign(this.context, { strokeStyle: stroke, lineWidth: width });
    this.context.setLineDash(dash);
    this.context.stroke();
  }

  line(x0, y0, x1, y1, ...look) {
    this.context.beginPath();
    this.context.moveTo(x0, y0);
    this.context.lineTo(x1, y1);
    this.stroke(...look);
  }

  // A part of a circle, clockwise from its top
  circle(x, y, radius, part = 1) {
    this.context.beginPath();
    this.context.arc(x, y, radius, -Math.PI / 2, (2 * part - 0.5) * Math.PI);
  }

  fill(fillStyle) {
    this.context.fillStyle = fillStyle;
    this.context.fill();
  }

  write(text, x, y, fillStyle, font, textAlign = "center") {
    const { context } = this;
    Object.assign(context, { fillStyle, textAlign, textBaseline: "middle",
      font: `${font} ${getComputedStyle(document.body).fontFamily}` });
    context.fillText(text, x, y);
  }

  // A small text that can be read above lines
  note(text, x, y, align) {
    const { context } = this;
    this.write("", x, y, color("text"), "11px", align);
    Object.assign(context, { strokeStyle: color("surface"), lineWidth: 3 });
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }

  // --- Links and messages ------------------------------------------------------------------------

  drawLinks(time, measure) {
    const { from, to, value } = this.state.links(measure, time) ?? { value: [] };
    const order = value.map((_, i) => i).sort((a, b) => value[a] - value[b]);
    for (const i of order) {
      const range = measure.high - measure.low;
      const share = range > 0 ? (value[i] - measure.low) / range : 0.5;
      this.context.globalAlpha = 0.3 + 0.4 * share;
      this.line(...this.lane(from[i], to[i]),
        between("bad-low", measure.worse ? "bad-high" : "green", share), 0.7 + 1.6 * share);
    }
    this.context.globalAlpha = 1;
  }

  // The line from a device to another one, a little to its right so that both ways are seen
  lane(from, to) {
    const [[x0, y0], [x1, y1]] = [this.places[from], this.places[to]];
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const shift = Math.min(2.5, this.radius / 3) / length;
    const [aside, ahead] = [(y1 - y0) * shift, (x1 - x0) * shift];
    return [x0 - aside, y0 + ahead, x1 - aside, y1 + ahead];
  }

  drawMessages(time) {
    const { start, end, sender, receiver, kind, delivered } = this.data.messages;
    const still = reducedMotion();
    for (const i of this.state.messages(time)) {
      const [x0, y0, x1, y1] = this.lane(sender[i], receiver[i]);
      const share = still || end[i] === start[i] ? 1 : (time - start[i]) / (end[i] - start[i]);
      const [x, y] = [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
      const name = delivered[i] ? KIND_COLORS[kind[i] % KIND_COLORS.length] : "vermillion";
      this.line(x0, y0, x, y, translucent(name, 0.85), 2, delivered[i] ? [] : [4, 3]);
      if (!still) {
        this.drawDot(x, y, color(name), delivered[i]);
      }
    }
  }

  // A message that will be lost is a cross
  drawDot(x, y, fill, delivered) {
    if (delivered) {
      this.circle(x, y, 5.5);
      this.fill(fill);
      this.stroke(color("surface"), 1.5);
    } else {
      this.line(x - 5, y - 5, x + 5, y + 5, fill, 2.5);
      this.line(x - 5, y + 5, x + 5, y - 5, fill, 2.5);
    }
  }

  // --- Devices -----------------------------------------------------------------------------------

  // Share of the way from pale to strong color; null if there is nothing to show
  fillShare({ spent, value }, fill) {
    const [low, high] = fill === "spent" ? [0, this.mostSpent] : this.values;
    const shown = fill === "spent" ? spent : value;
    return shown === null ? null : (shown - low) / (high - low || 1);
  }

  drawDevice(device, time, fill) {
    const { radius } = this;
    const { id, lowQuality, listed } = this.data.devices;
    const [x, y] = this.places[device];
    const known = this.state.device(device, time);
    const share = this.fillShare(known, fill);
    this.circle(x, y, radius);
    if (!listed[device]) {
      this.context.beginPath();
      this.context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    }
    this.fill(share === null ? color("raised") : between("scale-low", "scale-high", share));
    if (known.share === null) {
      this.stroke(color("muted"), 2);
    } else {
      this.drawBattery(x, y, known.share);
    }
    if (radius >= 11) {
      const label = `${id[device]}${lowQuality[device] ? "*" : ""}`;
      // Readable on the pale and on the strong end of the color scale
      const ink = color(share > 0.45 ? "surface" : "text");
      this.write(label, x, y, ink, `600 ${radius * 0.75}px`);
      this.note(known.phase ?? "", x, y + radius + 13);
    }
  }

  // A ring, of which as much is strong as is left in the battery
  drawBattery(x, y, share) {
    const width = this.radius >= 11 ? 4 : 2;
    this.circle(x, y, this.radius + width / 2);
    this.stroke(color("line"), width);
    this.circle(x, y, this.radius + width / 2, share);
    this.stroke(color(share < LOW_BATTERY ? "vermillion" : "green"), width);
  }

  drawScale() {
    const length = scaleLength(this.width, this.scale);
    const [left, right, bottom] = [14, 14 + length * this.scale, this.height - 12];
    this.line(left, bottom, right, bottom, color("muted"), 2);
    [left, right].forEach((x) => this.line(x, bottom - 4, x, bottom + 4, color("muted"), 2));
    this.note(`${format(length)} m`, right + 8, bottom, "left");
  }
}
