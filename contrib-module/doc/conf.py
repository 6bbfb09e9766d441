# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How Sphinx builds these pages on their own: ./collab docs, or sphinx-build of this folder.

ns-3's model library has a conf.py of its own, to which collab.rst says what to add.
"""

import importlib.util
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

project = "ns-3 collab"
author = "ns-3 collab authors"
copyright = "2026, ns-3 collab authors"
html_title = project
html_theme = "furo" if importlib.util.find_spec("furo") else "alabaster"
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
highlight_language = "none"  # what prints tables or trees is no program
extensions = ["sphinx.ext.mathjax", "collab_tables"]
if importlib.util.find_spec("sphinx_copybutton"):  # a button at each block of code, which copies commands without $
    extensions.append("sphinx_copybutton")
copybutton_prompt_text = "$ "


def _appendix(app, page):
    """The file that a program has written for a page, or None; see tests/configuration/write_appendices.py."""
    file = Path(app.config.collab_appendices) / f"{page}.rst"
    return file if app.config.collab_appendices and file.is_file() else None


def _append(app, page, source):
    """Appends what a program has printed for a page."""
    if file := _appendix(app, page):
        source[0] += "\n" + file.read_text(encoding="utf-8")


def _find_appended(app, env, added, changed, removed):
    """The pages with an appendix, which Sphinx reads again: it knows the times of its own files only."""
    return [page for page in env.found_docs if _appendix(app, page)]


def _mend_furo(app, error):
    """Makes what Debian's furo copies beside the pages work from a disk, without a web server.

    Its script is a module that imports another one, which a browser refuses where a page is a file;
    and its style sheet imports one that only a web server with Debian's files has, and lacks the rule
    that pages are dark where the system is.
    """
    static = Path(app.outdir) / "_static"
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    if error or not (script.is_file() and style.is_file()):
        return
    text = script.read_text(encoding="utf-8")
    for line, name in re.findall(r'^(import \w+ from "\./([\w.-]+)";)$', text, re.MULTILINE):
        text = text.replace(line, script.with_name(name).read_text(encoding="utf-8"))
    script.write_text(text, encoding="utf-8")
    rules = style.read_text(encoding="utf-8")
    for line, path in re.findall(r"(@import url\((/javascript/[^)]*)\);)", rules):
        file = Path("/usr/share") / path[1:]
        rules = rules.replace(line, file.read_text(encoding="utf-8") if file.is_file() else "")
    dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*\})', rules)
    if dark and "prefers-color-scheme" not in rules:
        rules += f"@media (prefers-color-scheme: dark) {{ body:not([data-theme=light]) {dark[1]} }}\n"
    style.write_text(rules, encoding="utf-8")


def setup(app):
    """What Sphinx calls before it builds."""
    app.add_config_value("collab_appendices", "", "env")
    app.connect("source-read", _append)
    app.connect("env-get-outdated", _find_appended)
    app.connect("build-finished", _mend_furo)
