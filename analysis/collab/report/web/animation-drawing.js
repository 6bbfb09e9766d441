// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Draws the device graph at a simulated time.

collab.AnimationDrawing = (() => {
  const { color, between, translucent } = collab.theme;
  const MARGIN = 46; // pixels
  const LOW_BATTERY = 0.2;
  const KIND_COLORS = ["blue", "purple", "ink", "sky", "yellow", "orange"];

  const radiusFor = (count) => (count <= 12 ? 18 : count <= 30 ? 15 : count <= 120 ? 8 : 4);

  // A round length of at most a quarter of the width
  const scaleLength = (width, pixelsPerMeter) => {
    const most = width / 4 / pixelsPerMeter;
    const power = 10 ** Math.floor(Math.log10(most));
    return [5, 2, 1].find((factor) => factor * power <= most) * power;
  };

  class AnimationDrawing {
    constructor(canvas, data, state) {
      this.canvas = canvas;
      this.data = data;
      this.state = state;
      const values = data.rounds.devices.flatMap(({ value }) => value.filter((v) => v !== null));
      this.values = values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)],
        [Infinity, -Infinity]);
      this.mostSpent = Math.max(...data.batteries.flatMap(({ spent }) => spent.slice(-1)), 1e-9);
    }

    /** Fits the drawing to the size of its canvas. */
    resize() {
      const ratio = window.devicePixelRatio || 1;
      const { clientWidth: width, clientHeight: height } = this.canvas;
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.context = this.canvas.getContext("2d");
      this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
      [this.width, this.height] = [width, height];
      this.radius = Math.min(radiusFor(this.data.devices.id.length), Math.max(4, width / 28));
      const { x, y } = this.data.devices;
      const [left, right] = [Math.min(...x), Math.max(...x)];
      const [low, high] = [Math.min(...y), Math.max(...y)];
      const scale = Math.min((width - 2 * MARGIN) / (right - left || 1),
        (height - 2 * MARGIN - 14) / (high - low || 1));
      this.scale = scale;
      this.places = x.map((position, i) => [
        width / 2 + (position - (left + right) / 2) * scale,
        height / 2 - 6 - (y[i] - (low + high) / 2) * scale,
      ]);
    }

    /** @returns {number} the device at a place of the canvas, or -1 */
    deviceAt(x, y) {
      const distances = this.places.map(([left, top]) => Math.hypot(left - x, top - y));
      const nearest = distances.indexOf(Math.min(...distances));
      return distances[nearest] <= this.radius + 8 ? nearest : -1;
    }

    /** Draws everything; shown has links (key of a measure) and fill (value, spent or none). */
    draw(time, shown) {
      const { context } = this;
      context.clearRect(0, 0, this.width, this.height);
      this.drawLinks(time, shown.links);
      this.drawMessages(time);
      this.places.forEach((_, device) => this.drawDevice(device, time, shown.fill));
      if (this.data.devices.inMeters) {
        this.drawScale();
      }
    }

    drawLinks(time, key) {
      const { context } = this;
      const frame = this.state.links(key, time);
      if (!frame) {
        return;
      }
      const measure = this.data.links.find((entry) => entry.key === key);
      const range = measure.high - measure.low;
      const order = frame.value.map((_, i) => i).sort((a, b) => frame.value[a] - frame.value[b]);
      for (const i of order) {
        const share = range > 0 ? (frame.value[i] - measure.low) / range : 0.5;
        const strong = measure.worse ? "bad-high" : "green";
        context.globalAlpha = 0.3 + 0.4 * share;
        this.line(...this.lane(frame.from[i], frame.to[i]), between("bad-low", strong, share),
          0.7 + 1.6 * share);
      }
      context.globalAlpha = 1;
    }

    // The line from a device to another one, a little to its right so that both ways are seen
    lane(from, to) {
      const [[x0, y0], [x1, y1]] = [this.places[from], this.places[to]];
      const length = Math.hypot(x1 - x0, y1 - y0) || 1;
      const [aside, ahead] = [(y1 - y0) / length, (x1 - x0) / length];
      const shift = Math.min(2.5, this.radius / 3);
      return [x0 - aside * shift, y0 + ahead * shift, x1 - aside * shift, y1 + ahead * shift];
    }

    line(x0, y0, x1, y1, stroke, width, dash = []) {
      const { context } = this;
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      context.stroke();
      context.setLineDash([]);
    }

    drawMessages(time) {
      const { messages } = this.data;
      const still = collab.reducedMotion();
      for (const i of this.state.messages(time)) {
        const [x0, y0, x1, y1] = this.lane(messages.sender[i], messages.receiver[i]);
        const duration = messages.end[i] - messages.start[i];
        const share = still || !duration ? 1 : (time - messages.start[i]) / duration;
        const delivered = messages.delivered[i];
        const name = delivered ? KIND_COLORS[messages.kind[i] % KIND_COLORS.length] : "vermillion";
        const [x, y] = [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
        this.line(x0, y0, x, y, translucent(name, 0.85), 2, delivered ? [] : [4, 3]);
        if (!still) {
          this.drawDot(x, y, color(name), delivered);
        }
      }
    }

    // A message that will be lost is a cross
    drawDot(x, y, fill, delivered) {
      const { context } = this;
      if (!delivered) {
        this.line(x - 5, y - 5, x + 5, y + 5, fill, 2.5);
        this.line(x - 5, y + 5, x + 5, y - 5, fill, 2.5);
        return;
      }
      context.fillStyle = fill;
      context.strokeStyle = color("surface");
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(x, y, 5.5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }

    // Share of the way from pale to strong color; null if there is nothing to show
    fillShare({ spent, value }, fill) {
      const [low, high] = fill === "spent" ? [0, this.mostSpent] : this.values;
      const shown = fill === "spent" ? spent : value;
      return shown === null ? null : (shown - low) / (high - low || 1);
    }

    drawDevice(device, time, fill) {
      const { context, radius } = this;
      const [x, y] = this.places[device];
      const known = this.state.device(device, time);
      const share = this.fillShare(known, fill);
      context.beginPath();
      if (this.data.devices.listed[device]) {
        context.arc(x, y, radius, 0, 2 * Math.PI);
      } else {
        context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      }
      context.fillStyle = share === null ? color("raised")
        : between("scale-low", "scale-high", share);
      context.fill();
      if (known.share === null) {
        context.strokeStyle = color("muted");
        context.lineWidth = 2;
        context.stroke();
      } else {
        this.drawBattery(x, y, known.share);
      }
      if (radius >= 11) {
        this.write(this.labelOf(device), x, y, this.inkOn(share), `600 ${radius * 0.75}px`);
        this.write(known.phase ?? "", x, y + radius + 13, color("text"), "11px");
      }
    }

    labelOf(device) {
      const { id, lowQuality } = this.data.devices;
      return `${id[device]}${lowQuality[device] ? "*" : ""}`;
    }

    // Readable on the pale and on the strong end of the color scale
    inkOn(share) {
      return color(share > 0.45 ? "surface" : "text");
    }

    // A ring, of which as much is strong as is left in the battery
    drawBattery(x, y, share) {
      const { context } = this;
      const ring = (part, stroke, width) => {
        context.beginPath();
        context.arc(x, y, this.radius + width / 2, -Math.PI / 2, (2 * part - 0.5) * Math.PI);
        context.strokeStyle = stroke;
        context.lineWidth = width;
        context.stroke();
      };
      const width = this.radius >= 11 ? 4 : 2;
      ring(1, color("line"), width);
      if (share > 0) {
        ring(Math.min(1, share), color(share < LOW_BATTERY ? "vermillion" : "green"), width);
      }
    }

    write(text, x, y, fill, font, align = "center") {
      const { context } = this;
      context.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
      context.textAlign = align;
      context.textBaseline = "middle";
      if (font === "11px") {
        context.strokeStyle = color("surface");
        context.lineWidth = 3;
        context.strokeText(text, x, y);
      }
      context.fillStyle = fill;
      context.fillText(text, x, y);
    }

    drawScale() {
      const length = scaleLength(this.width, this.scale);
      const pixels = length * this.scale;
      const bottom = this.height - 12;
      this.line(14, bottom, 14 + pixels, bottom, color("muted"), 2);
      [14, 14 + pixels].forEach((x) => this.line(x, bottom - 4, x, bottom + 4, color("muted"), 2));
      this.write(`${collab.format(length)} m`, 22 + pixels, bottom, color("text"), "11px", "left");
    }
  }

  AnimationDrawing.KIND_COLORS = KIND_COLORS;
  return AnimationDrawing;
})();
