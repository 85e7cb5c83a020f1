"""The small changes that a test should notice: each mutant is one edit of one module's text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

Edit = tuple[int, int, str]
"""Replace the bytes from start to end by the text."""

COMPARE = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"), ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: (r"not\s+in", "in"),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: (r"\+", "-"), ast.Sub: ("-", "+"), ast.Mult: (r"\*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Pow: (r"\*\*", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: (r"\|", "&"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
NAMES = {
    "min": "max", "max": "min", "any": "all", "all": "any", "argmin": "argmax", "argmax": "argmin",
    "minimum": "maximum", "maximum": "minimum", "nanmin": "nanmax", "nanmax": "nanmin",
}  # fmt: skip
WORDS_OF_ERRORS = ("unknown_name", "refusal")
"""Functions that make an error; their arguments are its text."""
LEFT_OUT = ("strict", "stacklevel", "dtype", "kind", "maxsize")
"""Keyword arguments that guard against faults elsewhere, or say how numbers are stored, sorted or kept: with sound
input of a test's size nothing can tell them apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One edit of a module: where, what the line was and is, and the lines whose running reaches it."""

    function: str
    line: int
    original: str
    mutated: str
    edits: tuple[Edit, ...]
    reach: tuple[int, int]

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the mutant wherever its function moves to."""
        return self.function, self.original, self.mutated


def mutants_of(source: bytes) -> list[Mutant]:
    """List the mutants of a module that still compile, in the order of its lines."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    out: dict[tuple[object, ...], Mutant] = {}
    for mutant in finder.found:
        try:
            compile(mutated(source, mutant), "mutant", "exec")
        except SyntaxError:
            continue
        out.setdefault((mutant.line, *mutant.key), mutant)
    return sorted(out.values(), key=lambda item: (item.line, item.mutated))


def mutated(source: bytes, mutant: Mutant) -> bytes:
    """Return the module with the edit made."""
    return _edited(source, mutant.edits)


def _edited(source: bytes, edits: tuple[Edit, ...]) -> bytes:
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text.encode() + source[end:]
    return source


class _Finder(ast.NodeVisitor):
    """Walks over a module and notes every edit; leaves out annotations, decorators and the words of errors."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.found: list[Mutant] = []
        self.names: list[str] = []
        self.reach = (0, 0)
        self.returns_bool = False
        self.starts = [0, 0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    # ---- places in the text

    def _start(self, node: ast.AST) -> int:
        return self.starts[node.lineno] + node.col_offset  # type: ignore[attr-defined]

    def _end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno] + node.end_col_offset  # type: ignore[attr-defined]

    def _line_of(self, offset: int) -> int:
        return next(n for n in range(1, len(self.starts)) if n == len(self.starts) - 1 or self.starts[n + 1] > offset)

    def _note(self, *edits: Edit) -> None:
        first, last = min(e[0] for e in edits), max(e[1] for e in edits)
        top, bottom = self._line_of(first), self._line_of(max(first, last - 1))
        begin, end = self.starts[top], self.starts[bottom + 1] if bottom + 1 < len(self.starts) else len(self.source)
        moved = tuple((a - begin, b - begin, text) for a, b, text in edits)
        was = self.source[begin:end]
        original, now = (" ".join(part.decode().split()) for part in (was, _edited(was, moved)))
        self.found.append(
            Mutant(
                function=".".join(self.names) or "module",
                line=top,
                original=original,
                mutated=now or "(removed)",
                edits=edits,
                reach=self.reach,
            )
        )

    def _operator(self, left: ast.AST, right: ast.AST, pattern: str, text: str) -> Edit | None:
        """Find an operator between two operands, whatever brackets stand around it."""
        begin, end = self._end(left), self._start(right)
        if re.fullmatch(r"[a-z]+", pattern):
            pattern = rf"\b{pattern}\b"
        match = re.search(pattern, self.source[begin:end].decode())
        return (begin + match.start(), begin + match.end(), text) if match else None

    # ---- the walk

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert) or _is_words(node):
            return
        before = self.reach
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.reach = _reach(node)
        super().visit(node)
        self.reach = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer = self.names, self.returns_bool, self.reach
        self.names, self.reach = [*self.names, node.name], (node.lineno, node.end_lineno or node.lineno)
        self.returns_bool = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        for item in node.body:
            self.visit(item)
        self.names, self.returns_bool, self.reach = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self.names = self.names, [*self.names, node.name]
        for item in node.body:
            self.visit(item)
        self.names = outer

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)
            return
        for item in node.orelse:
            self.visit(item)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if self.returns_bool and node.value is not None:
            self._note(
                (self._start(node.value), self._start(node.value), "not ("), (self._end(node.value),) * 2 + (")",)
            )
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for left, kind, right in zip(sides, node.ops, sides[1:], strict=False):
            edit = self._operator(left, right, *COMPARE[type(kind)])
            if edit:
                self._note(edit)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        kind = type(node.op)
        if kind in ARITHMETIC and not (kind is ast.Add and _has_text(node)):
            edit = self._operator(node.left, node.right, *ARITHMETIC[kind])
            if edit:
                self._note(edit)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        kind = type(node.op)
        if kind in ARITHMETIC and not _has_text(node.value):
            edit = self._operator(node.target, node.value, *ARITHMETIC[kind])
            if edit:
                self._note(edit)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        was, becomes = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        gaps = [self._operator(a, b, was, becomes) for a, b in zip(node.values, node.values[1:], strict=False)]
        edits = [edit for edit in gaps if edit]
        self._note((self._start(node),) * 2 + ("(",), *edits, (self._end(node),) * 2 + (")",))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            self._note((self._start(node), self._end(node), repr(1 - node.operand.value)))
            return  # -1 is most often the last of two axes, and 1 the same
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self._note((self._start(node), self._start(node.operand), ""))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._note((self._start(node), self._end(node), str(not value)))
        elif isinstance(value, int | float):
            self._note((self._start(node), self._end(node), repr(value + 1)))

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in NAMES and isinstance(node.ctx, ast.Load):
            self._note((self._start(node), self._end(node), NAMES[node.id]))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in NAMES:
            self._note((self._end(node) - len(node.attr), self._end(node), NAMES[node.attr]))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg not in LEFT_OUT and not _is_last_axis(keyword):
                self._note(self._without(keyword))
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self._visit_keyword(keyword)

    def _visit_keyword(self, keyword: ast.keyword) -> None:
        if keyword.arg in LEFT_OUT:
            return
        value = keyword.value
        if keyword.arg == "axis" and isinstance(value, ast.Constant) and value.value in (0, 1):
            self._note((self._start(value), self._end(value), str(1 - value.value)))
            return
        self.visit(value)

    def _without(self, keyword: ast.keyword) -> Edit:
        """Cut a keyword argument out, with the comma that follows it or goes before it."""
        start, end = self._start(keyword), self._end(keyword)
        after = re.match(rb"\s*,[ ]?", self.source[end:])
        if after:
            return start, end + after.end(), ""
        before = re.search(rb",\s*\Z", self.source[:start])
        return (before.start() if before else start), end, ""

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None and not isinstance(bound, ast.Constant):
                self._note((self._start(bound), self._start(bound), "("), (self._end(bound),) * 2 + (") + 1",))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        step = node.slice.step if isinstance(node.slice, ast.Slice) else None
        if isinstance(step, ast.UnaryOp) and node.slice.lower is node.slice.upper is None:  # type: ignore[attr-defined]
            self._note((self._end(node.value), self._end(node), ""))
            self.visit(node.value)
            return
        self.generic_visit(node)


def _is_last_axis(keyword: ast.keyword) -> bool:
    """Say whether an argument is axis=-1, which is what the functions that sort and take mean without it."""
    return keyword.arg == "axis" and ast.unparse(keyword.value) == "-1"


def _reach(node: ast.stmt) -> tuple[int, int]:
    """Return the lines that run when a statement does; of one that holds others, its head alone."""
    body = getattr(node, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
    return node.lineno, max(node.lineno, last or node.lineno)


def _is_words(node: ast.AST) -> bool:
    """Say whether a node makes an error: what is in it is text for a reader, matched whole by other tests."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name.endswith("Error") or name in WORDS_OF_ERRORS


def _has_text(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return _has_text(node.left) or _has_text(node.right)
    if isinstance(node, ast.IfExp):
        return _has_text(node.body)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
