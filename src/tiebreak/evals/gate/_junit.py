"""A gate as JUnit XML, which most servers of continuous integration show."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tiebreak.documents import number, one_line
from tiebreak.evals.gate._judging import PASS, UNDECIDED, WORSE
from tiebreak.evals.gate._result import Gate
from tiebreak.evals.gate._words import plans, too_dear

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def junit_of(found: Gate) -> str:
    """Return one suite with a case for the quality, and one for the cost where it is limited.

    Worse is a failure; undecided is a case that was skipped, as it neither passed nor failed.

    Examples
    --------
    >>> from tiebreak import gate
    >>> print(junit_of(gate({"model": ["a", "b"], "passed": [80, 82], "n": [225, 225]}, base_name="a", margin=0.1)))
    <?xml version='1.0' encoding='UTF-8'?>
    <testsuites>
      <testsuite name="tiebreak gate" tests="1" failures="0" errors="0" skipped="0">
        <testcase classname="tiebreak.gate" name="b beside a: pass_rate, margin 0.1" />
      </testsuite>
    </testsuites>
    """
    name = f"{found.candidate} beside {found.base}: {found.score.name}, margin {found.margin}"
    cases = [(name, found.quality, found.headline)]
    if found.cost is not None and found.cost.limit is not None:
        name = f"{found.candidate} beside {found.base}: {found.cost.name}, at most {number(found.cost.limit)} times"
        cases.append((name, WORSE if found.cost.too_high else PASS, too_dear(found.cost)))
    verdicts = [verdict for _, verdict, _ in cases]
    counts = {"tests": len(cases), "failures": verdicts.count(WORSE), "errors": 0, "skipped": verdicts.count(UNDECIDED)}
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", {"name": "tiebreak gate"} | {key: str(n) for key, n in counts.items()})
    for name, verdict, said in cases:
        case = SubElement(suite, "testcase", {"classname": "tiebreak.gate", "name": _clean(name)})
        if verdict != PASS:
            told = SubElement(case, "failure" if verdict == WORSE else "skipped", {"message": _clean(said)})
            more = plans(found) if said == found.headline else []
            told.text = "\n".join(map(_clean, [said, *more, *found.caveats]))
    indent(root)
    return str(tostring(root, encoding="UTF-8", xml_declaration=True), "utf-8")


def _clean(text: str) -> str:
    """Keep a name on its line, and as it is read: servers show what they are given."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", one_line(text))
