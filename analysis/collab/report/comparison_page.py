# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The page of a comparison: guide, figures and tables in one HTML file that needs no other."""

import html
import re

import pandas as pd

from ..statistics.intervals import cells

_STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 0.6em 0 1.6em; }
th, td { border-bottom: 1px solid #ddd; padding: 0.15em 0.8em 0.15em 0; text-align: left; }
svg { max-width: 100%; height: auto; }
.note { color: #555; }
"""


def comparison_page(title, note, sentences, rule, figures, tables) -> str:
    """The HTML text; figures: {caption: SVG}, tables: {caption: data frame}."""
    parts = [f"<h1>{html.escape(title)}</h1>", f'<p class="note">{html.escape(note)}</p>']
    parts += ["<h2>Decision guide</h2>", f'<p class="note">{html.escape(rule)}</p>']
    items = "".join(f"<li>{_with_links(sentence)}</li>" for sentence in sentences)
    nothing = "<p>No difference is sure enough for a sentence.</p>"
    parts.append(f"<ul>{items}</ul>" if items else nothing)
    for number, (caption, svg) in enumerate(figures.items()):
        parts.append(f"<h2>{html.escape(caption)}</h2>{_own_names(svg, number)}")
    for caption, table in tables.items():
        parts.append(f"<h2>{html.escape(caption)}</h2>{_table(table)}")
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    body = "\n".join(parts)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def _with_links(sentence):
    """Names of rows lead to these."""
    return re.sub(r"\b([CE]\d+)\b", r'<a href="#\1">\1</a>', html.escape(sentence))


def _own_names(svg, number):
    """The drawing itself, whose inner names no other drawing of the page has."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'\bid="', f'id="f{number}-', svg)
    return re.sub(r'(href="|url\()#', rf"\1#f{number}-", svg)


def _table(table):
    """A table with the names of its rows as places to which links lead."""
    texts = cells(table).rename(columns=lambda name: name.replace("_", " "))
    with pd.option_context("display.max_colwidth", None):
        text = texts.to_html(index=False, border=0)
    return re.sub(r"<tr>(\s*<td>([CE]\d+)</td>)", r'<tr id="\2">\1', text)
