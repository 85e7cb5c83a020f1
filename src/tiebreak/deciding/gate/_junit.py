"""A gate as JUnit XML, which most servers of continuous integration show."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from tiebreak.deciding.gate._judging import UNDECIDED, WORSE
from tiebreak.deciding.gate._result import Gate
from tiebreak.deciding.gate._words import plans
from tiebreak.documents import number

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def junit_of(found: Gate) -> str:
    """Return one suite with a case for the quality, and one for the cost where it is limited.

    Worse is a failure; undecided is a case that was skipped, as it neither passed nor failed.

    Examples
    --------
    >>> from tiebreak import gate
    >>> print(junit_of(gate({"model": ["a", "b"], "passed": [80, 82], "n": [225, 225]}, base_name="a", margin=0.1)))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="tiebreak gate" tests="1" failures="0" errors="0" skipped="0">
        <testcase classname="tiebreak.gate" name="b beside a: pass_rate, margin 0.1"/>
      </testsuite>
    </testsuites>
    """
    cases = [(f"{found.candidate} beside {found.base}: {found.score.name}, margin {found.margin}", found.quality)]
    if found.cost is not None and found.cost.limit is not None:
        name = f"{found.candidate} beside {found.base}: {found.cost.name}, at most {number(found.cost.limit)} times"
        cases.append((name, WORSE if found.cost.too_high else "pass"))
    verdicts = [verdict for _, verdict in cases]
    said = "\n".join([found.headline, *plans(found), *found.caveats])
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<testsuites>",
        f'  <testsuite name="tiebreak gate" tests="{len(cases)}" failures="{verdicts.count(WORSE)}" errors="0"'
        f' skipped="{verdicts.count(UNDECIDED)}">',
        *(line for name, verdict in cases for line in _case(name, verdict, found.headline, said)),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines)


def _case(name: str, verdict: str, headline: str, said: str) -> list[str]:
    start = f'    <testcase classname="tiebreak.gate" name={_attribute(name)}'
    if verdict == WORSE:
        return [f"{start}>", f"      <failure message={_attribute(headline)}>{escape(_clean(said))}</failure>", _END]
    if verdict == UNDECIDED:
        return [f"{start}>", f"      <skipped message={_attribute(headline)}/>", _END]
    return [f"{start}/>"]


_END = "    </testcase>"


def _attribute(text: str) -> str:
    """Quote an attribute; line ends within one would be read as spaces."""
    return quoteattr(" ".join(_clean(text).split()))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
