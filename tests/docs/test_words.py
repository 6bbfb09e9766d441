# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests the words of pages: what can be counted of the rules in CONTRIBUTING.md, section Words.

Each finding is a line FILE:LINE: what was found and what to write. Literals, formulas, code and references
are not looked at. Spelling is checked by codespell where it is installed (Debian: codespell).

Usage: test_words.py [PAGE...] lists the findings of some pages instead; exit code 1 if there are any.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "contrib-module" / "doc"
CODESPELL = shutil.which("codespell")

_AMOUNTS = (
    r"(?:joules?|seconds?|microseconds?|bytes|bits?|J|s|kB|MB|GB|operations?|numbers?|samples?|messages?|rows?|"
    r"steps?|packets?|fragments?|events?|lines?|weights|points|files?|\d[\d .]*)"
)
_UNITS = (
    r"(?:device|round|second|client|sample|message|parameter|weight|number|token|label|pixel|element|output|"
    r"class|image|cycle|line|file|row|step|core|user|peer|batch|link|fragment|run|thread|node|hour|minute|slot|"
    r"turn|receiver|pair|method|group|core|burst|channel|table)"
)
# Pattern: what to write instead
PATTERNS = {
    rf"\b{_AMOUNTS} an? {_UNITS}\b": "'per', not 'a'",
    r"\b(?:is|are|was|were|be|been|being) told\b": "name the actor: receives, learns, is notified",
    r"\b(?:tell|tells|telling|told)\b": "say, report, send, show, print",
    r"\bdo(?:es)? not tell\b": "not significant with N seeds",
    r"\b(?:hears?|heard)\b": "receive, received",
    r"(?<!at)(?<!At)(?<!\s)\s+least\b(?! squares)": "minimum, fewest, lowest",
    r"\bgreatest\b(?! (?:eigenvalue|singular|modulus|magnitude|common))": "maximum, largest",
    r"\bdear(?:er|est)?\b": "expensive",
    r"\bby turns\b": "alternately, or who does what when",
    r"\b(?:what|What) (?:was|were) (?:asked|sent|said|heard|lost|given|done)\b": "a noun: the request, the loss",
    r"\bNobody is\b": "an active verb: no callback fires",
    r"\b(?:repeated|repetitions?) (?:fragments?|messages?|datagrams?)\b": "retransmitted, retransmission",
}
# British spelling: American
SPELLINGS = {
    r"\w*(?:avi|ol|eighb|av)our\w*": "-or",
    r"\w*(?:ptim|nitial|ormal|inim|axim|erial|ummar|rgan|ecogn|tandard|eneral|ynchron|pecial|tabil|uthor)"
    r"is(?:e[ds]?|ing|ation\w*)\b": "-iz-",
    r"\b(?:[Uu]n)?labell(?:ed|ing)\b": "labeled, labeling",
    r"\bmodell(?:ed|ing|er)\b": "modeled, modeling",
    r"\bcancell(?:ed|ing)\b": "canceled, canceling",
    r"\btravell(?:ed|ing|er)\b": "traveled",
    r"\banalys(?:e[ds]?|ing)\b": "analyze",
    r"\b(?:centre|metre|fibre)s?\b": "-er",
    r"\b(?:whilst|amongst|grey|artefacts?|catalogues?|programmes?|defence|licence)\b": "American spelling",
}
_RULES = [(re.compile(pattern), advice) for pattern, advice in {**PATTERNS, **SPELLINGS}.items()]
# Directives whose contents are prose
_PROSE = re.compile(r"\.\. (?:list-table|figure|note|warning|only)::")
_IGNORED_WORDS = "ans,crate,fo,ois,mu,nd,te,hist,som,Ein,mot,mis-,ist,ro,iff,fpr,alie,AtLeast,hel"  # for codespell


def blank(text):
    """The text with blanks in place of all but its line breaks."""
    return re.sub(r"[^\n]", " ", text)


def prose(text):
    """The text of a page with blanks in place of what is not prose; lines keep their numbers."""
    text = re.sub(r"^(References)\n([-~#=^])\2+\n.*", lambda m: blank(m[0]), text, flags=re.S | re.M)
    lines, indent, skips = text.split("\n"), None, False
    for i, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        if skips and line.strip():
            if depth > indent:
                lines[i] = ""
                continue
            skips = False
        if re.match(r"\s*\.\. ", line):
            if not _PROSE.match(line.strip()):
                skips, indent, lines[i] = True, depth, ""
        elif line.rstrip().endswith("::") and not skips:
            skips, indent = True, depth
    text = "\n".join(lines)
    if text.startswith("# "):  # Markdown, where code is indented
        text = re.sub(r"^    .*$", lambda m: blank(m[0]), text, flags=re.M)
    literals = r"```.*?```|``.+?``|:\w+:`[^`]*`|(?<!`)`[^`]+`_{0,2}|https?://\S+"
    return re.sub(literals, lambda m: blank(m[0]), text, flags=re.S)


def findings(file):
    """Lines FILE:LINE: what was found and what to write."""
    text = prose(file.read_text(encoding="utf-8"))
    found = []
    for rule, advice in _RULES:
        for match in rule.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            words = " ".join(match[0].split())
            found.append((line, f"{file.relative_to(ROOT)}:{line}: '{words}': {advice}"))
    return [text for _, text in sorted(found)]


def pages():
    """All pages."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOC.glob("*.rst"))]


class WordsTest(unittest.TestCase):
    def test_pages_keep_the_rules(self):
        found = [line for file in pages() for line in findings(file)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    @unittest.skipUnless(CODESPELL, "codespell is not installed")
    def test_spelling(self):
        with tempfile.TemporaryDirectory() as folder:
            for file in pages():
                (Path(folder) / file.name).write_text(prose(file.read_text(encoding="utf-8")), encoding="utf-8")
            result = subprocess.run(
                [CODESPELL, "--builtin", "clear,rare,en-GB_to_en-US", "-L", _IGNORED_WORDS, "."],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, "\n" + result.stdout)


class RulesTest(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory(dir=ROOT) as folder:
            file = Path(folder) / "page.rst"
            file.write_text(text, encoding="utf-8")
            return [line.partition(":")[2] for line in findings(file)]

    def test_a_finding_names_its_line(self):
        (found,) = self.check("A page.\n\nIt takes 63 joules a device.\n")
        self.assertTrue(found.startswith("3: 'joules a device'"), found)
        self.assertEqual(len(self.check("A round is told.\nUnlabelled behaviour.\nThe least value.\n")), 5)
        self.assertEqual(self.check("At\nleast one, by least squares.\n"), [])

    def test_literals_code_and_references_are_not_read(self):
        text = ("``labelled`` and :math:`told` at least.\n\n.. sourcecode:: cpp\n\n   // told\n\nTable::\n\n"
                "   heard\n\nReferences\n----------\n\nHow behaviour is told.\n")  # fmt: skip
        self.assertEqual(self.check(text), [])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        lines = [line for name in sys.argv[1:] for line in findings(Path(name).resolve())]
        print("\n".join(lines))
        sys.exit(1 if lines else 0)
    unittest.main()
