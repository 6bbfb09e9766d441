# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Mutants of C++ text: one small change each, and the text that holds original and change.

No parser of C++ is needed, since only whole simple statements of function bodies and conditions are
changed, and clang-format has spaces around binary operators only. What does not compile all the same
is left out by the build.
"""

import hashlib
import itertools
import re
from dataclasses import dataclass, field

KEYWORDS = r"(?:if|for|while|switch|return|case|default|break|continue|using|typedef|throw|goto|do|else)"
LOGGING = re.compile(r"^(NS_\w+|COLLAB_\w+|static|constexpr|namespace|template|friend|public|private)\b")
DECLARATION = re.compile(
    r"^(?:(?:const|static|constexpr|thread_local) )*[A-Za-z_][\w:]*(?:<.*>)?(?: const)?[&*]*(?: const)? [&*]*(\w+) = "
)
LONGEST = 600  # characters of a statement
OPERATORS = {
    "arithmetic": {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " % ": " * "},
    "assignment": {" += ": " -= ", " -= ": " += ", " *= ": " /= ", " /= ": " *= "},
    "comparison": {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ",
                   " != ": " == "},
    "logic": {" && ": " || ", " || ": " && "},
}  # fmt: skip
NUMBER = re.compile(r"(?<![\w.\"'])(\d+\.\d*(?:e[+-]?\d+)?|\d+)(?=[uUlLfF]*\b|\b)(?![\w.'])")
TRUTH = re.compile(r"\b(true|false)\b")
CALL = re.compile(r"[\w>]\(")


@dataclass(frozen=True)
class Change:
    """One change of a statement."""

    operator: str
    begin: int  # in the statement
    end: int
    text: str  # in place of what is there


@dataclass
class Mutant:
    """A change in its place."""

    file: str
    line: int
    operator: str
    original: str  # the statement
    changed: str
    begin: int  # of the statement in the file
    end: int
    kind: str  # of statement: expression, return, declaration or condition
    identity: str = field(default="")

    def woven(self, number: int) -> str:
        """The statement with its change behind a switch, in as many lines as before."""
        switch = f"collab_mutation::IsOn({number})"
        changed = re.sub(r"\s*\n\s*", " ", self.changed)
        if self.kind == "condition":
            return f"{switch} ? static_cast<bool>({changed}) : static_cast<bool>({self.original})"
        if self.kind == "declaration":
            head, old = self.original.split(" = ", 1)
            new = changed.split(" = ", 1)[1]
            return f"{head} = {switch} ? ({new[:-1]}) : ({old[:-1]});"
        if not changed:
            return f"if (!{switch}) {{ {self.original} }}"
        return f"{{ if ({switch}) {{ {changed} }} else {{ {self.original} }} }}"


def mask(text: str) -> str:
    """The text with comments, literals and lines of the preprocessor as blanks or x, of the same
    length."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
        r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
        re.DOTALL | re.MULTILINE,
    )

    def blank(match):
        found = match[0]
        if found[0] in "\"'R":
            return re.sub(r"[^\n]", "x", found)
        return re.sub(r"[^\n]", " ", found)

    return pattern.sub(blank, text)


def mutants_of(file: str, text: str) -> list:
    """All mutants of a source."""
    found = []
    seen: dict = {}
    masked = mask(text)
    for begin, end, kind in places(masked):
        original = text[begin:end]
        if len(original) > LONGEST or "#" in masked[begin:end] or "//" in original:
            continue
        for change in changes_of(original, masked[begin:end], kind):
            changed = original[: change.begin] + change.text + original[change.end :]
            key = (change.operator, " ".join(original.split()), " ".join(changed.split()))
            seen[key] = seen.get(key, 0) + 1
            code = "\0".join((file, *key, str(seen[key])))
            line = text.count("\n", 0, begin + change.begin) + 1
            identity = hashlib.sha1(code.encode()).hexdigest()[:12]
            found.append(Mutant(file, line, change.operator, original, changed.strip(), begin, end,
                                kind, identity))  # fmt: skip
    return found


def places(masked: str):
    """(begin, end, kind) of each simple statement and condition of function bodies."""
    stack = []  # per brace: (whether it is a body, statements' begin)
    start = 0
    depth = 0  # of parentheses, within the innermost brace
    depths = []
    for match in re.finditer(r"[{}();]", masked):
        position, sign = match.start(), match[0]
        if sign == "(":
            depth += 1
            if depth == 1 and in_body(stack):
                yield from condition(masked, position)
        elif sign == ")":
            depth -= 1
        elif sign == "{":
            kind = brace_kind(masked, start, position)
            stack.append((kind, start))
            depths.append(depth)
            depth = 0
            if kind != "list":
                start = position + 1
        elif sign == "}":
            if not stack:
                return
            kind, _ = stack.pop()
            depth = depths.pop()
            if kind != "list":
                start = position + 1
        elif sign == ";" and depth == 0:
            if in_body(stack):
                yield from statement(masked, start, position + 1)
            start = position + 1


def in_body(stack: list) -> bool:
    """Whether statements are executed here."""
    return bool(stack) and stack[-1][0] == "body"


def brace_kind(masked: str, start: int, position: int) -> str:
    """body, scope (of a namespace or class) or list (of initial values)."""
    before = masked[start:position].strip()
    if re.match(r"(?:inline )?(namespace|class|struct|union|enum|extern)\b", before):
        return "scope"
    if re.search(r"(\)|\b(else|do|try|const|noexcept|override|final|mutable))$", before):
        return "body"
    if not before or re.search(r"[\]:]$", before) and not re.search(r"[\w>]\[[^\]]*\]$", before):
        return "body"
    if re.search(r"\)[^()]*->\s*[\w:<>,&*\s]+$", before) or re.search(r"\}$", before):
        return "body"
    return "list"


def condition(masked: str, position: int):
    """The condition in parentheses that begin here."""
    word = re.search(r"\b(if|while|for)\s*$", masked[max(0, position - 12) : position])
    if not word:
        return
    end = closing(masked, position)
    inside = masked[position + 1 : end]
    if word[1] == "for":
        parts = inside.split(";")
        if len(parts) != 3 or not parts[1].strip():
            return
        after = position + 1 + len(parts[0]) + 1 + len(parts[1])
        yield after - len(parts[1].lstrip()), after, "condition"
    elif not re.search(r"(?<![=!<>])= |;|\{", inside):
        yield position + 1, end, "condition"


def closing(masked: str, position: int) -> int:
    """Where the parenthesis closes that opens at a position."""
    depth = 0
    for match in re.finditer(r"[()]", masked[position:]):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return position + match.start()
    return len(masked)


def statement(masked: str, start: int, end: int):
    """The statement between two positions, if it is one whose text may stand twice."""
    text = masked[start:end]
    begin = start + len(text) - len(text.lstrip())
    label = re.match(r"(?:case [^;?]*?|default):(?!:)\s*", masked[begin:end])
    if label:
        begin += label.end()
    text = masked[begin:end]
    if LOGGING.match(text) or not balanced(text):
        return
    if text.startswith("return "):
        yield begin, end, "return"
    elif re.match(KEYWORDS + r"\b", text):
        return
    elif DECLARATION.match(text):
        if not re.match(r".* = [{\[]", text, re.DOTALL) and "static " not in text:
            yield begin, end, "declaration"
    elif re.match(r"[\w:.\->\[\]()*+]+(?:<[^;=]*>)?(\(| [-+*/]?= |\+\+|--)", text) or re.match(
        r"(\+\+|--)", text
    ):
        if not re.match(r"(?:const )?[\w:]+(?:<.*>)?[&*]* \w+\(", text):  # T name(…)
            yield begin, end, "expression"


def balanced(text: str) -> bool:
    """Whether brackets close, and no body of a lambda is inside."""
    return all(text.count(a) == text.count(b) for a, b in ("()", "{}", "[]")) and text.count(";") == 1


def changes_of(original: str, masked: str, kind: str) -> list:
    """All changes of a statement."""
    found = []
    first = masked.find(" = ") + 3 if kind == "declaration" else 0
    for operator, swaps in OPERATORS.items():
        for old, new in swaps.items():
            at = masked.find(old, first)
            while at >= 0:
                found.append(Change(operator, at, at + len(old), new))
                at = masked.find(old, at + 1)
    for match in NUMBER.finditer(masked, first):
        found.append(Change("constant", match.start(), match.end(), another_number(match[0])))
    for match in TRUTH.finditer(masked, first):
        new = "false" if match[0] == "true" else "true"
        found.append(Change("constant", match.start(), match.end(), new))
    if kind == "condition" and original.strip():
        found.append(Change("turned", 0, len(original), f"!({original.strip()})"))
    if kind == "expression":
        found.append(Change("dropped", 0, len(original), ""))
    found.extend(swapped_arguments(original, masked, first))
    return found


def another_number(text: str) -> str:
    """A number near to one: 0 becomes 1, n becomes n + 1; fractions double."""
    if "." in text or "e" in text:
        value = float(text)
        return repr(2 * value if value else 1.0)
    return str(int(text) + 1)


def swapped_arguments(original: str, masked: str, first: int) -> list:
    """Two neighbors of a call's arguments changed."""
    found = []
    for match in CALL.finditer(masked, first):
        if re.search(r"\b(max|min|Max|Min|swap|minmax)(<\w+>)?$", masked[: match.end() - 1]):
            continue  # the same either way round
        begin = match.end()
        end = closing(masked, begin - 1)
        spans = split_arguments(masked, begin, end)
        for (a, b), (c, d) in zip(spans, spans[1:]):
            left, right = original[a:b], original[c:d]
            if left != right and all(re.fullmatch(r"[\w.:\->()*\[\] +]+", x) for x in (left, right)):
                between = original[b:c]
                found.append(Change("swapped", a, d, right + between + left))
    return found


def split_arguments(masked: str, begin: int, end: int) -> list:
    """(begin, end) of each argument between two positions."""
    spans, depth, at = [], 0, begin
    for position in range(begin, end):
        sign = masked[position]
        if sign in "([{<" and not masked[position - 1] == " ":
            depth += 1
        elif sign in ")]}" or sign == ">" and masked[position - 1] not in "- ":
            depth -= 1
        elif sign == "," and depth == 0:
            spans.append((at, position))
            at = position + 1
    spans.append((at, end))
    return [
        (a + len(masked[a:b]) - len(masked[a:b].lstrip()), a + len(masked[a:b].rstrip()))
        for a, b in spans
    ]


def draw(candidates: list, seed: int, count: int, least: int, unfit: set, layer_of) -> list:
    """A number of mutants by a seed, layer by layer, each layer by its share and at least a few; not
    those that are unfit. The order is that of a hash, so that mutants of unchanged code are drawn again
    after changes elsewhere. At most one per statement."""

    def rank(mutant):
        return hashlib.sha1(f"{seed} {mutant.identity}".encode()).hexdigest()

    layers: dict = {}
    for mutant in candidates:
        layers.setdefault(layer_of(mutant.file), []).append(mutant)
    drawn = []
    for _, members in sorted(layers.items()):
        share = max(least, round(count * len(members) / len(candidates)))
        fit = (mutant for mutant in sorted(members, key=rank) if mutant.identity not in unfit)
        drawn.extend(itertools.islice(apart(fit), share))
    return drawn


def apart(mutants):
    """Of mutants whose statements overlap only the first."""
    taken: dict = {}
    for mutant in mutants:
        places_of_file = taken.setdefault(mutant.file, [])
        if all(mutant.end <= begin or end <= mutant.begin for begin, end in places_of_file):
            places_of_file.append((mutant.begin, mutant.end))
            yield mutant
