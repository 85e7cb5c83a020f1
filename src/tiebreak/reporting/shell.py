"""The outside of a page: head, styles, data and scripts, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tiebreak.documents.words import safe

PAGE = Path(__file__).with_name("page")
STYLES = (Path(__file__).parent.parent / "documents" / "style.css", PAGE / "style.css")
"""The style of every page, and what reports and boards add."""


def whole_page(
    title: str,
    body: str,
    *,
    styles: Sequence[Path],
    scripts: Sequence[Path],
    blocks: Mapping[str, str],
    made_by: str = "",
) -> str:
    r"""Put a page together; `blocks` are texts of JSON by the id under which scripts find them.

    Examples
    --------
    >>> whole_page("A & B", "<main></main>", styles=[], scripts=[], blocks={}).split("\n")[5]
    '<title>A &amp; B</title>'
    """
    style = "".join(f"<style>\n{path.read_text(encoding='utf-8')}</style>\n" for path in styles)
    run = "".join(f"<script>\n{path.read_text(encoding='utf-8')}</script>\n" for path in scripts)
    data = "".join(f'<script type="application/json" id="{key}">{text}</script>\n' for key, text in blocks.items())
    mark = f"<!-- made by {made_by} -->\n" if made_by else ""
    return with_policy(
        f'<!doctype html>\n{mark}<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{safe(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{style}</head>\n<body>\n'
        f"{body}{data}{run}</body>\n</html>"
    )


def for_script(data: object) -> str:
    """Write JSON that no name can end: a page looks for the end of a script before anything reads what is in it."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c").replace("&", "\\u0026")


def packed(data: object) -> str:
    """Write data that are read only when they are asked for: JSON, deflated, as a text of JSON."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    encode = json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    return f'"{base64.b64encode(squeezer.compress(encode) + squeezer.flush()).decode()}"'


_STYLE = re.compile(r"<style>(.*?)</style>", re.S)
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_CHARSET = '<meta charset="utf-8">\n'


def with_policy(page: str) -> str:
    r"""Put the policy into the head of a page, behind the line that names its letters.

    Only elements without attributes are allowed by their hash: all that a page of ours has. Blocks of JSON are data,
    and run under no policy. Pictures may come from the page itself, which draws a figure to make a PNG of it.

    Examples
    --------
    >>> page = with_policy('<meta charset="utf-8">\n<style>p { color: red }</style><script>"use strict"</script>')
    >>> page.split('"')[5].split(";")[0]
    "default-src 'none'"
    """
    options = {
        "default-src": "'none'",
        "style-src": _hashes(_STYLE.findall(page)),
        "script-src": _hashes(_SCRIPT.findall(page)),
        "img-src": "blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy = "; ".join(f"{name} {value}" for name, value in options.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    return page.replace(_CHARSET, f"{_CHARSET}{meta}", 1)


def _hashes(texts: Iterable[str]) -> str:
    digests = (hashlib.sha256(text.encode("utf-8")).digest() for text in dict.fromkeys(texts))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"
