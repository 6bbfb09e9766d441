// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// A chart of any outcome of a sweep over any parameter or outcome.

collab.sweep = (() => {
  const { make } = collab;
  const COLORS = ["blue", "vermillion", "green", "purple", "orange", "sky", "ink"];
  const NONE = "(none)";
  const ALL = "(all, averaged)";

  const isNumber = (text) => text.trim() !== "" && Number.isFinite(Number(text));

  // Mean and half width of the 95 % confidence interval (Student's t); null with one value
  const meanAndBand = (values, quantiles) => {
    const count = values.length;
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    if (count < 2) {
      return [mean, null];
    }
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const quantile = quantiles[Math.min(count - 1, quantiles.length) - 1];
    return [mean, quantile * Math.sqrt(squares / (count - 1) / count)];
  };

  class Explorer {
    constructor(data) {
      this.data = data;
      this.parameters = new Map(data.parameters.map((entry) => [entry.name, entry]));
      this.outcomes = new Map(data.outcomes.map((entry) => [entry.name, entry]));
      const names = [...this.parameters.keys()];
      const numeric = names.find((name) => this.parameters.get(name).order.every(isNumber));
      const [first, second] = [...this.outcomes.keys()];
      this.x = numeric ?? names[0] ?? second ?? first;
      this.y = first;
      this.hue = names.find((name) => name !== this.x) ?? NONE;
      this.fixed = new Map();
      this.chart = collab.chart.create(this.spec());
      this.choices = make("div", { class: "controls" });
      this.chart.title.after(this.choices);
      this.chart.element.classList.add("wide");
      this.drawChoices();
    }

    // The parameters that neither axis nor color shows
    others() {
      return [...this.parameters.keys()].filter((name) => name !== this.x && name !== this.hue);
    }

    drawChoices() {
      const entries = (names) => names.map((name) => ({ key: name, label: name }));
      const choose = (field) => (value) => {
        this[field] = value;
        this.update(field);
      };
      const names = [...this.parameters.keys()];
      const outcomes = [...this.outcomes.keys()];
      const fixed = this.others().map((name) =>
        collab.select(name, entries([...this.parameters.get(name).order, ALL]),
          this.valueOf(name), (value) => {
            this.fixed.set(name, value);
            this.update("fixed");
          }));
      this.choices.replaceChildren(
        collab.select("Vertical (y)", entries(outcomes), this.y, choose("y")),
        collab.select("Horizontal (x)", entries([...names, ...outcomes]), this.x, choose("x")),
        collab.select("Lines (hue)", entries([NONE, ...names]), this.hue, choose("hue")),
        ...fixed);
      [...this.choices.querySelectorAll("select")].forEach((select, i) => {
        select.id = `explore-${["y", "x", "hue"][i] ?? `fixed-${i - 3}`}`;
      });
    }

    update(field) {
      const before = document.activeElement?.id;
      this.chart.setSpec(this.spec());
      if (field !== "fixed") {
        this.drawChoices();
        document.getElementById(before)?.focus();
      }
    }

    valueOf(name) {
      return this.fixed.get(name) ?? this.parameters.get(name).order[0];
    }

    /** Numbers of the points that the choices leave. */
    chosen() {
      const count = this.data.outcomes.length ? this.data.outcomes[0].values.length : 0;
      return [...Array(count).keys()].filter((point) =>
        this.others().every((name) => this.valueOf(name) === ALL ||
          this.parameters.get(name).values[point] === this.valueOf(name)));
    }

    has(name, point) {
      const { values } = this.outcomes.get(name) ?? this.parameters.get(name) ?? { values: [] };
      return values[point] !== null && values[point] !== undefined;
    }

    spec() {
      const hue = this.hue !== this.x && this.parameters.get(this.hue);
      const chosen = this.chosen();
      const points = chosen.filter((point) => this.has(this.y, point) && this.has(this.x, point));
      const lines = hue
        ? hue.order.map((value) =>
          [`${hue.name}=${value}`, points.filter((point) => hue.values[point] === value)])
        : [["all runs", points]];
      const parameter = this.parameters.get(this.x);
      const without = chosen.length - points.length;
      const series = lines.filter(([, some]) => some.length).map(([name, some], place) => ({
        name,
        color: COLORS[place % COLORS.length],
        dash: Math.floor(place / COLORS.length),
        ...(parameter ? this.means(parameter, some) : this.scatter(some)),
      }));
      return {
        id: "explorer", type: "line", title: `${this.y ?? "outcome"} over ${this.x}`,
        caption: this.caption(!!parameter, without), scatter: !parameter, series,
        x: [{ key: "x", label: this.x, labels: parameter && this.labels(parameter) }],
        y: [{ key: "y", label: this.y ?? "outcome" }],
      };
    }

    labels(parameter) {
      return parameter.order.every(isNumber) ? null : parameter.order;
    }

    means(parameter, points) {
      const labels = this.labels(parameter);
      const result = { x: { x: [] }, y: { y: [] }, low: { y: [] }, high: { y: [] } };
      const y = this.outcomes.get(this.y).values;
      parameter.order.forEach((value, place) => {
        const values = points.filter((point) => parameter.values[point] === value)
          .map((point) => y[point]);
        if (values.length) {
          const [mean, band] = meanAndBand(values, this.data.quantiles);
          result.x.x.push(labels ? place : Number(value));
          result.y.y.push(mean);
          result.low.y.push(band === null ? null : mean - band);
          result.high.y.push(band === null ? null : mean + band);
        }
      });
      return result;
    }

    scatter(points) {
      const x = this.outcomes.get(this.x).values;
      const y = this.outcomes.get(this.y).values;
      return { x: { x: points.map((point) => x[point]) },
        y: { y: points.map((point) => y[point]) } };
    }

    caption(isMean, without) {
      const fixed = this.others().map((name) => `${name}: ${this.valueOf(name)}`).join("; ");
      const what = isMean
        ? "Means over the runs of a point; the band is the 95 % confidence interval of the mean " +
          "(Student's t), where there is more than one run."
        : "A mark is a run.";
      return [what, without ? `Runs without such a number, which are not in it: ${without}.` : "",
        fixed ? `Other parameters: ${fixed}.` : ""].filter(Boolean).join(" ");
    }
  }

  /** @returns {HTMLElement} the chart with its choices */
  return { create: (data) => new Explorer(data).chart.element };
})();
