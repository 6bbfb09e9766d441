// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

"use strict";

// What the scripts of a report share: each adds its own subject.
const collab = {};

// --- Elements, numbers and downloads -------------------------------------------------------------

{
  let lastId = 0;

  /**
   * Makes an element. Texts become text nodes and never markup, since they may come from a run.
   *
   * @param {string} tag name of the element
   * @param {Object} properties attributes; "on..." are listeners, true and false set and omit
   * @param {...(Node|string|null)} children what is in it
   * @returns {HTMLElement} the element
   */
  collab.make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith("on")) {
        element.addEventListener(name.slice(2), value);
      } else if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };

  /** @returns {string} an id that no other element has */
  collab.newId = () => `collab-${++lastId}`;

  /** @returns {string} a number with six significant digits, for people; a dash for none */
  collab.format = (value, digits = 6) => {
    if (value === null || value === undefined || value === "") {
      return "–";
    }
    if (typeof value !== "number") {
      return String(value);
    }
    if (Number.isInteger(value) && Math.abs(value) < 1e15) {
      return String(value);
    }
    const size = Math.abs(value);
    return size < 1e-4 || size >= 1e9
      ? value.toExponential(digits - 1).replace(/\.?0+e/, "e")
      : String(Number(value.toPrecision(digits)));
  };

  /** @returns {HTMLElement} a select with its label; choices are {key, label} */
  collab.select = (label, choices, chosen, change) => {
    const options = choices.map(({ key, label: text }) =>
      collab.make("option", { value: key, selected: key === chosen }, text),
    );
    const select = collab.make("select", { onchange: () => change(select.value) }, ...options);
    return collab.make("label", {}, collab.make("span", {}, label), select);
  };

  /** Gives a text to the user as a file. */
  collab.download = (name, text, type = "text/csv") => {
    const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    const link = collab.make("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };

  /** @returns {string} rows as CSV (RFC 4180); nothing for null */
  collab.toCsv = (rows) => {
    const cell = (value) => {
      const text = value === null || value === undefined ? "" : String(value);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
  };

  /** @returns {string} a text as part of a file's name */
  collab.fileName = (text) => text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");

  /** Whether the user wants little motion. */
  collab.reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
}
