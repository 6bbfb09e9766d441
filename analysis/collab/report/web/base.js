// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

"use strict";

// What the scripts of a report share: each adds its own subject.
const collab = {};

// --- Elements, numbers and downloads -------------------------------------------------------------

{
  const DRAWN = new Set(["svg", "line", "rect"]);

  /**
   * Makes an element. Texts become text nodes and never markup, since they may come from a run.
   *
   * @param {string} tag name of the element
   * @param {Object} properties attributes; "on..." are listeners, true and false set and omit
   * @param {...(Node|string|null)} children what is in it
   * @returns {Element} the element
   */
  collab.make = (tag, properties = {}, ...children) => {
    const element = DRAWN.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag)
      : document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith("on")) {
        element.addEventListener(name.slice(2), value);
      } else if (![null, undefined, false].includes(value)) {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };

  /** @returns {HTMLElement} a button */
  collab.button = (text, action, properties = {}) =>
    collab.make("button", { type: "button", onclick: action, ...properties }, text);

  /** @returns {HTMLElement} a select with its label; choices are {key, label} */
  collab.select = (label, choices, chosen, change) => {
    const options = choices.map(({ key, label: text }) =>
      collab.make("option", { value: key, selected: key === chosen }, text));
    const select = collab.make("select", { onchange: () => change(select.value) }, ...options);
    return collab.make("label", {}, collab.make("span", {}, label), select);
  };

  /** @returns {HTMLElement} a box to tick, with its label */
  collab.checkbox = (label, checked, change) => {
    const box = collab.make("input", { type: "checkbox", checked,
      onchange: () => change(box.checked) });
    return collab.make("label", {}, box, collab.make("span", {}, label));
  };

  /** @returns {HTMLElement} terms and what is said of each */
  collab.facts = (rows) =>
    collab.make("dl", { class: "facts" }, ...rows.flatMap(([term, text]) =>
      [collab.make("dt", {}, term), collab.make("dd", {}, text)]));

  /** @returns {string} a number with six significant digits, for people; a dash for none */
  collab.format = (value, digits = 6) => {
    if (value === null || value === undefined || value === "") {
      return "–";
    }
    const size = Math.abs(value);
    if (typeof value !== "number" || (Number.isInteger(value) && size < 1e15)) {
      return String(value);
    }
    return size < 1e-4 || size >= 1e9
      ? value.toExponential(digits - 1).replace(/\.?0+e/, "e")
      : String(Number(value.toPrecision(digits)));
  };

  /** Gives rows to the user as a file of CSV (RFC 4180); nothing for null. */
  collab.download = (name, rows) => {
    const cell = (value) => {
      const text = String(value ?? "");
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const text = rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const file = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
    collab.make("a", { href: address, download: `${file}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };

  /** Whether the user wants little motion. */
  collab.reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
}
