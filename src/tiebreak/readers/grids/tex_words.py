"""What the commands of LaTeX mean inside a cell of a table, as far as text goes."""

from __future__ import annotations

BOLD = frozenset("textbf mathbf bm boldsymbol pmb mathbfit textbfit".split())
"""Commands that print their argument in bold."""
BOLD_ON = frozenset("bf bfseries boldmath fontseries".split())
"""Switches to bold up to the end of the group."""
BOLD_OFF = frozenset("mdseries normalfont unboldmath rm".split())

SWITCHES = frozenset(
    """tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge it itshape em sl slshape sc scshape sf
    sffamily tt ttfamily rmfamily upshape centering raggedright raggedleft arraybackslash xspace protect noindent
    displaystyle textstyle scriptstyle left right big Big bigg Bigg limits nolimits selectfont relax par hfill hss null
    strut mathstrut leavevmode ignorespaces unskip bgroup egroup begingroup endgroup newline linebreak allowbreak
    smallskip medskip bigskip hline toprule midrule bottomrule""".split()
)
"""Commands that change how the text looks and say nothing."""

DROPPED = {
    "cellcolor": 1, "color": 1, "rowcolor": 1, "columncolor": 1, "label": 1, "ref": 1, "eqref": 1, "autoref": 1,
    "cref": 1, "Cref": 1, "footnote": 1, "footnotemark": 0, "footnotetext": 1, "tnote": 1, "tablefootnote": 1,
    "phantom": 1, "hphantom": 1, "vphantom": 1, "hspace": 1, "vspace": 1, "rule": 2, "includegraphics": 1, "index": 1,
    "addlinespace": 0, "setlength": 2, "vskip": 0, "hskip": 0, "todo": 1, "hypertarget": 1, "phantomsection": 0,
    "rowfont": 1, "SetCell": 1, "SetRow": 1, "arraystretch": 0, "pgfplotstabletypeset": 1,
}  # fmt: skip
"""Commands that leave no text, with the number of their arguments."""

LAST = {
    "textcolor": 2, "colorbox": 2, "fcolorbox": 3, "rotatebox": 2, "resizebox": 3, "scalebox": 2, "raisebox": 2,
    "parbox": 2, "multicolumn": 3, "multirow": 3, "adjustbox": 2, "href": 2, "hyperlink": 2, "makebox": 1, "fbox": 1,
    "framebox": 1, "mbox": 1, "makecell": 1, "thead": 1, "shortstack": 1, "multirowcell": 2, "multirowthead": 2,
    "rot": 1, "rotcell": 1, "hyperref": 1, "reflectbox": 1, "texorpdfstring": 1,
}  # fmt: skip
"""Commands of several arguments of which the last is the text, with the number of them."""

DEVIATION = frozenset("std sd se stdev stddev stderr sderr sdev err pms error interval ci".split())
"""Names that authors give to the macro that prints a standard deviation behind its mean."""

SYMBOLS = {
    "pm": "±", "mp": "∓", "times": "×", "cdot": "·", "uparrow": "↑", "downarrow": "↓", "Uparrow": "↑",
    "Downarrow": "↓", "rightarrow": "→", "to": "→", "leftarrow": "←", "nearrow": "↗", "searrow": "↘",
    "checkmark": "✓", "cmark": "✓", "xmark": "✗", "dag": "†", "dagger": "†", "ddag": "‡", "ddagger": "‡", "star": "*",
    "ast": "*", "bigstar": "*", "bullet": "•", "textbullet": "•", "circ": "°", "degree": "°", "infty": "∞", "le": "≤",
    "leq": "≤", "ge": "≥", "geq": "≥", "approx": "≈", "sim": "~", "textasciitilde": "~", "neq": "≠", "ne": "≠",
    "lt": "<", "gt": ">", "textless": "<", "textgreater": ">", "textminus": "-", "textendash": "–", "textemdash": "—",
    "ldots": "…", "dots": "…", "cdots": "…", "textellipsis": "…", "textbackslash": "\\", "textunderscore": "_",
    "percent": "%", "textpercent": "%", "textpm": "±", "texttimes": "×", "quad": " ", "qquad": " ", "space": " ",
    "thinspace": " ", "enspace": " ", "nobreakspace": " ", "tabularnewline": " ", "S": "§", "P": "¶", "ell": "ℓ",
    "textdagger": "†", "textdaggerdbl": "‡", "textasteriskcentered": "*", "blacktriangle": "▲", "triangle": "△",
    "blacktriangledown": "▼", "triangledown": "▽", "diamond": "⋄", "square": "□", "blacksquare": "■", "dash": "-",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø",
    "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "LaTeX": "LaTeX", "TeX": "TeX", "&": "&", "%": "%", "_": "_", "#": "#",
    "$": "$", "{": "{", "}": "}", ",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "!": "", "-": "", "/": "",
    "\\": " ", "(": "", ")": "", "[": "", "]": "", "|": "|", "*": "",
}  # fmt: skip
"""Commands that stand for a character."""

ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a",
}  # fmt: skip
"""Commands that put an accent on the next letter, as the combining character."""

CITES = "cite"
"""Commands that begin so leave no text: a table's name does not change with the paper that it cites."""
