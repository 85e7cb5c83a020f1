"""The outside of a page: head, styles, data and scripts, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from tiebreak.documents.words import safe
from tiebreak.reporting.security import with_policy

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
