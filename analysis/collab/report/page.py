# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Puts data, style, scripts and the charting library into one HTML file."""

import base64
import hashlib
import html
import json
import math
import os
import re
from pathlib import Path
from string import Template

from ..setup.probes import chart_file

_FOLDER = Path(__file__).parent / "web"

_LOWEST_CHART_VERSION = 3


class ChartLibraryError(Exception):
    """Chart.js is not there, or too old."""


def build_page(data: dict) -> str:
    """The HTML file of a report; the same data give the same text."""
    style, template = map(_read, ("page.css", "page.html"))
    # One module, of which page.js begins when all else is defined
    names = sorted(file.name for file in _FOLDER.glob("*.js"))
    files = map(_read, sorted(names, key=lambda name: name == "page.js"))
    library, script = map(_without_end_tag, (_chart_library(), "".join(files)))
    return Template(template).substitute(
        policy=_policy(style, library, script),
        title=html.escape(data["title"]),
        style=style,
        data=to_json(data),
        library=library,
        script=script,
    )


def _read(name):
    return (_FOLDER / name).read_text(encoding="utf-8")


def to_json(data) -> str:
    """JSON that is safe inside a script element; a number that is not finite becomes null."""
    text = json.dumps(_plain(data), allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _plain(data):
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if not isinstance(data, float):
        return data
    if not math.isfinite(data):
        return None
    # A whole number is shorter without a fraction
    return int(data) if data.is_integer() and abs(data) < 2**53 else data


def _policy(style, *scripts):
    """Allows what is in the file and nothing else: no network, no script that came with data."""
    allowed = " ".join(map(_digest, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_digest(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text):
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _without_end_tag(script):
    return re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE).replace("\r\n", "\n")


def _chart_library():
    file = chart_file()
    if not file:
        named = os.environ.get("COLLAB_CHART_JS")
        raise ChartLibraryError(
            "needs Chart.js: install the Debian package libjs-chart.js, or let COLLAB_CHART_JS name"
            " its chart.min.js" + (f"; {named} is not a file" if named else "")
        )
    text = Path(file).read_text(encoding="utf-8")
    found = re.search(r"Chart\.js v(\d+)", text[:500])
    if not found or int(found[1]) < _LOWEST_CHART_VERSION:
        what = f"version {found[1]} of Chart.js" if found else "no Chart.js"
        raise ChartLibraryError(f"{file} is {what}; needed: {_LOWEST_CHART_VERSION} or newer")
    return text
