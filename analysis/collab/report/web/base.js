// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Elements, numbers and downloads. All scripts of a report are one module.

const DRAWN = new Set(["svg", "g", "line", "path", "rect", "circle", "text"]);

/**
 * Makes an element. Texts become text nodes and never markup, since they may come from a run.
 *
 * @param {string} tag name of the element
 * @param {Object} properties attributes; "on..." are listeners, true and false set and omit
 * @param {...(Node|string|null|false)} children what is in it
 * @returns {Element} the element
 */
const make = (tag, properties = {}, ...children) => {
  const element = DRAWN.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if ((value ?? false) !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter(Boolean));
  return element;
};

/** @returns {HTMLElement} a button */
const button = (text, action, properties = {}) =>
  make("button", { type: "button", onclick: action, ...properties }, text);

/** @returns {HTMLElement} a select with its label; choices are {key, label} */
const select = (label, choices, chosen, change, properties = {}) => {
  const element = make("select", { onchange: () => change(element.value), ...properties },
    ...choices.map(({ key, label: text }) =>
      make("option", { value: key, selected: key === chosen }, text)));
  return make("label", {}, make("span", {}, label), element);
};

/** @returns {HTMLElement} a box to tick, with its label */
const checkbox = (label, checked, change) => {
  const box = make("input", { type: "checkbox", checked, onchange: () => change(box.checked) });
  return make("label", {}, box, make("span", {}, label));
};

/** @returns {HTMLElement} terms and what is said of each */
const facts = (rows) => make("dl", { class: "facts" },
  ...rows.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));

const isMissing = (value) => value === null || value === undefined || value === "";

/** @returns {string} a number with six significant digits, for people; a dash for none */
const format = (value, digits = 6) => {
  if (isMissing(value)) {
    return "–";
  }
  return String(typeof value !== "number" || Number.isInteger(value) ? value
    : Number(value.toPrecision(digits)));
};

/** Gives rows to the user as a file of CSV (RFC 4180); nothing for null. */
const download = (name, rows) => {
  const cell = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const text = rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const file = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  make("a", { href: address, download: `${file}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};
