// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// A chart of any outcome of a sweep over any parameter or outcome.

const NONE = "(none)";
const ALL = "(all, averaged)";

const isNumber = (text) => text.trim() !== "" && Number.isFinite(Number(text));

// Mean and half width of the 95 % confidence interval (Student's t); null with one value
const meanAndBand = (values, quantiles) => {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, count < 2 ? null : quantiles[count - 2] * Math.sqrt(squares / (count - 1) / count)];
};

class Explorer {
  /** @param {Object} data parameters (name, order, values) and outcomes (name, values) of runs */
  constructor(data) {
    const byName = (entries) => new Map(entries.map((entry) => [entry.name, entry]));
    this.parameters = byName(data.parameters);
    this.outcomes = byName(data.outcomes);
    this.quantiles = data.quantiles;
    const names = [...this.parameters.keys()];
    const [first, second] = [...this.outcomes.keys()];
    const isNumeric = (name) => this.parameters.get(name).order.every(isNumber);
    this.x = names.find(isNumeric) ?? names[0] ?? second ?? first;
    this.y = first;
    this.hue = names.find((name) => name !== this.x) ?? NONE;
    this.fixed = new Map(data.parameters.map(({ name, order }) => [name, order[0]]));
    this.chart = new ChartCard(this.spec());
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
    const choice = (id, label, names, chosen, choose) =>
      select(label, names.map((name) => ({ key: name, label: name })), chosen, (value) => {
        choose(value);
        this.chart.setSpec(this.spec());
        this.drawChoices();
        document.getElementById(`explore-${id}`)?.focus();
      }, { id: `explore-${id}` });
    const [parameters, outcomes] = [[...this.parameters.keys()], [...this.outcomes.keys()]];
    this.choices.replaceChildren(
      choice("y", "Vertical (y)", outcomes, this.y, (name) => { this.y = name; }),
      choice("x", "Horizontal (x)", [...parameters, ...outcomes], this.x,
        (name) => { this.x = name; }),
      choice("hue", "Lines (hue)", [NONE, ...parameters], this.hue, (name) => { this.hue = name; }),
      ...this.others().map((name, place) =>
        choice(`fixed-${place}`, name, [...this.parameters.get(name).order, ALL],
          this.fixed.get(name), (value) => { this.fixed.set(name, value); })));
  }

  /** Numbers of the runs that the choices leave. */
  runs() {
    const all = this.outcomes.get(this.y).values.map((_, run) => run);
    return all.filter((run) => this.others().every((name) =>
      [ALL, this.parameters.get(name).values[run]].includes(this.fixed.get(name))));
  }

  spec() {
    const hue = this.hue !== this.x && this.parameters.get(this.hue);
    const parameter = this.parameters.get(this.x);
    const x = (parameter ?? this.outcomes.get(this.x)).values;
    const y = this.outcomes.get(this.y).values;
    const chosen = this.runs();
    const told = chosen.filter((run) => y[run] !== null && x[run] !== null);
    const lines = hue
      ? hue.order.map((value) =>
        [`${hue.name}=${value}`, told.filter((run) => hue.values[run] === value)])
      : [["all runs", told]];
    const labels = parameter?.order.every(isNumber) ? null : parameter?.order;
    const series = lines.filter(([, runs]) => runs.length).map(([name, runs]) =>
      ({ name, ...(parameter ? this.means(parameter, labels, runs, y) : scatter(runs, x, y)) }));
    return {
      type: "line", title: `${this.y} over ${this.x}`, scatter: !parameter, series,
      caption: this.caption(parameter, chosen.length - told.length),
      x: [{ key: "x", label: this.x, labels }],
      y: [{ key: "y", label: this.y }],
    };
  }

  means(parameter, labels, runs, y) {
    const result = { x: { x: [] }, y: { y: [] }, low: { y: [] }, high: { y: [] } };
    parameter.order.forEach((value, place) => {
      const values = runs.filter((run) => parameter.values[run] === value).map((run) => y[run]);
      if (values.length) {
        const [mean, band] = meanAndBand(values, this.quantiles);
        result.x.x.push(labels ? place : Number(value));
        result.y.y.push(mean);
        result.low.y.push(band === null ? null : mean - band);
        result.high.y.push(band === null ? null : mean + band);
      }
    });
    return result;
  }

  caption(isMean, without) {
    const fixed = this.others().map((name) => `${name}: ${this.fixed.get(name)}`).join("; ");
    const what = isMean
      ? "Means over the runs of a point; the band is the 95 % confidence interval of the mean " +
        "(Student's t), where there is more than one run."
      : "A mark is a run.";
    return [what, without ? `Runs without such a number, which are not in it: ${without}.` : "",
      fixed ? `Other parameters: ${fixed}.` : ""].filter(Boolean).join(" ");
  }
}

const scatter = (runs, x, y) =>
  ({ x: { x: runs.map((run) => x[run]) }, y: { y: runs.map((run) => y[run]) } });
