// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// A chart of any outcome of a sweep over any parameter or outcome.

const NONE = { name: "(none)", order: [undefined], values: [] }; // of no run it has a value
const ALL = "(all, averaged)";

const isNumber = (text) => text.trim() !== "" && Number.isFinite(Number(text));

// Mean and the ends of its 95 % confidence interval (Student's t); null for ends of one value
const meanAndBand = (values, quantiles) => {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = quantiles[count - 2] * Math.sqrt(squares / (count - 1) / count);
  return count < 2 ? [mean, null, null] : [mean, mean - half, mean + half];
};

class Explorer {
  /** @param {Object} data parameters (name, order, values) and outcomes (name, values) of runs */
  constructor({ parameters, outcomes, quantiles }) {
    Object.assign(this, { parameters, outcomes, quantiles });
    const numeric = parameters.find(({ order }) => order.every(isNumber));
    [this.y] = outcomes;
    this.x = numeric ?? parameters[0] ?? outcomes[1] ?? this.y;
    this.hue = parameters.find((one) => one !== this.x) ?? NONE;
    this.fixed = new Map(parameters.map((one) => [one, one.order[0]]));
    this.chart = new ChartCard(this.spec());
    this.choices = make("div", { class: "controls line" });
    this.chart.title.after(this.choices);
    this.drawChoices();
  }

  // The parameters that neither axis nor color shows
  others() {
    return this.parameters.filter((one) => one !== this.x && one !== this.hue);
  }

  drawChoices() {
    const choice = (id, label, names, chosen, choose) =>
      select(label, names.map((name) => ({ key: name, label: name })), chosen, (name) => {
        choose(name);
        this.chart.setSpec(this.spec());
        this.drawChoices();
        document.getElementById(`explore-${id}`)?.focus();
      }, { id: `explore-${id}` });
    const axis = (id, label, columns) =>
      choice(id, label, columns.map(({ name }) => name), this[id].name,
        (chosen) => { this[id] = columns.find(({ name }) => name === chosen); });
    this.choices.replaceChildren(
      axis("y", "Vertical (y)", this.outcomes),
      axis("x", "Horizontal (x)", [...this.parameters, ...this.outcomes]),
      axis("hue", "Lines (hue)", [NONE, ...this.parameters]),
      ...this.others().map((one, place) => choice(`fixed-${place}`, one.name, [...one.order, ALL],
        this.fixed.get(one), (value) => this.fixed.set(one, value))));
  }

  spec() {
    const { x, y } = this;
    const hue = this.hue === x ? NONE : this.hue;
    const chosen = [...y.values.keys()].filter((run) => this.others().every((one) =>
      [ALL, one.values[run]].includes(this.fixed.get(one))));
    const told = chosen.filter((run) => y.values[run] !== null && x.values[run] !== null);
    const lines = hue.order.map((value) => ({
      name: hue === NONE ? "all runs" : `${hue.name}=${value}`,
      runs: told.filter((run) => hue.values[run] === value),
    }));
    const labels = x.order?.every(isNumber) ? null : x.order;
    return {
      type: "line", wide: true, title: `${y.name} over ${x.name}`, scatter: !x.order,
      series: lines.filter(({ runs }) => runs.length).map(({ name, runs }) =>
        ({ name, ...(x.order ? this.means(runs, labels) : this.marks(runs)) })),
      caption: this.caption(chosen.length - told.length),
      x: [{ key: "x", label: x.name, labels }],
      y: [{ key: "y", label: y.name }],
    };
  }

  marks(runs) {
    const valuesOf = ({ values }) => runs.map((run) => values[run]);
    return { x: { x: valuesOf(this.x) }, y: { y: valuesOf(this.y) } };
  }

  means(runs, labels) {
    const points = this.x.order.flatMap((value, place) => {
      const values = runs.filter((run) => this.x.values[run] === value)
        .map((run) => this.y.values[run]);
      return values.length
        ? [[labels ? place : Number(value), ...meanAndBand(values, this.quantiles)]] : [];
    });
    const [x, y, low, high] = [0, 1, 2, 3].map((i) => points.map((point) => point[i]));
    return { x: { x }, y: { y }, low: { y: low }, high: { y: high } };
  }

  caption(without) {
    const fixed = this.others().map((one) => `${one.name}: ${this.fixed.get(one)}`).join("; ");
    const what = this.x.order
      ? "Means over the runs of a point; the band is the 95 % confidence interval of the mean " +
        "(Student's t), where there is more than one run."
      : "A mark is a run.";
    return [what, without && `Runs without such a number, which are not in it: ${without}.`,
      fixed && `Other parameters: ${fixed}.`].filter(Boolean).join(" ");
  }
}
