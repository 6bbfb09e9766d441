# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What Sphinx draws of results, which are CSV files that programs write: a directive for tables, and roles for numbers
of them in running text, which are explained in collab_numbers.py.

.. results-table:: NAME draws the file results/NAME.csv beside the page. Beneath it are a link to the file and
its lines that begin with #, which say where its numbers are from. Options: rows, of which the first so many are
shown, and widths, as of csv-table.
"""

from pathlib import Path

from collab_numbers import tables_of, text_of
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective, SphinxRole


class ResultsTable(SphinxDirective):
    """Draws a CSV file."""

    required_arguments = 1
    option_spec = {"rows": directives.positive_int, "widths": directives.unchanged}

    def run(self):
        """The nodes of table and line beneath it."""
        name = f"results/{self.arguments[0]}.csv"
        page, file = self.env.relfn2path(name)
        self.env.note_dependency(page)
        try:
            lines = Path(file).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise self.error(str(error)) from None
        notes = [line[1:].strip() for line in lines if line.startswith("#")]
        rows = [line for line in lines if not line.startswith("#")]
        count = self.options.get("rows", len(rows) - 1)
        if count < len(rows) - 1:
            notes.insert(0, f"the first {count} of {len(rows) - 1} rows")
        options = [f"   :widths: {self.options['widths']}"] if "widths" in self.options else []
        table = [".. csv-table::", "   :header-rows: 1", *options, ""]
        table += [f"   {row}" for row in rows[: count + 1]]
        link = f":download:`{self.arguments[0]}.csv <{name}>`"
        drawn = nodes.Element()
        self.state.nested_parse(StringList([*table, "", link], source=file), self.content_offset, drawn)
        small = [nodes.raw("", tag, format="html") for tag in ("<small>", "</small>")]
        beneath = drawn.children[-1]
        beneath.insert(0, small[0])
        beneath += [nodes.Text("".join(f"; {note}" for note in notes)), small[1]]
        return drawn.children


class ResultsNumber(SphinxRole):
    """Prints a number, or one with its interval."""

    def run(self):
        """The node of the text, and what is wrong about it."""
        try:
            for table in tables_of(self.text):
                self.env.note_dependency(self.env.relfn2path(f"results/{table}.csv")[0])
            return [nodes.Text(text_of(self.name, self.text))], []
        except (KeyError, OSError, SyntaxError, TypeError, ValueError) as error:
            message = self.inliner.reporter.error(f"{self.rawtext}: {error}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]


def setup(app):
    """What Sphinx calls before it builds."""
    app.add_directive("results-table", ResultsTable)
    for role in ("number", "interval"):
        app.add_role(role, ResultsNumber())
    return {"parallel_read_safe": True}
