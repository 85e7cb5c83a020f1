"""Which data sets of a published base are one and the same, or made of one another: they are left out together."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

FAMILIES = {
    "analcatdata-boxing": r"analcatdata_?boxing",
    "autouniv": r"autouniv",
    "breast-wisconsin": r"wdbc|wpbc|breast_?w$|breast_?(cancer_?)?wisconsin|^breast$",
    "cardiotocography": r"cardiotocography",
    "cleveland": r"^cleve|heart_?c$|heart_?statlog|^heart$",
    "cloud": r"^cloud",
    "colic": r"colic|^horse$",
    "credit-approval": r"credit_?a(pproval)?$|^crx$|buggycrx|^australian|credit_?approval",
    "credit-german": r"credit_?g$|^german",
    "electricity": r"electricity|elec2",
    "flare": r"flare",
    "friedman": r"^fri_",
    "gametes": r"^gametes",
    "glass": r"^glass|prnn_?fglass",
    "hill-valley": r"hill_?valley",
    "hungarian": r"heart_?h$|hungarian",
    "jungle-chess": r"jungle_?chess",
    "led": r"^led\d*",
    "mfeat": r"^mfeat",
    "monks": r"^monk",
    "nasa-defects": r"^(kc|pc|mc|cm|jm|mw|ar)\d+(_req)?$",
    "pima": r"^pima|^diabetes$",
    "robot": r"^wall_?robot",
    "spect": r"^spect",
    "thyroid": r"thyroid|^allbp|^allhyp|^allrep|^dis$|^sick|^ann$",
    "tic-tac-toe": r"tic_?tac_?toe",
    "vertebral": r"column[_ ]?\dc|vertebra",
    "vote": r"^vote|votes",
    "waveform": r"^waveform",
    "wine-quality": r"wine_?quality",
}
"""Families of data sets by their names, in lower case with _ for every other sign."""
_KNOWN = {family: re.compile(pattern) for family, pattern in FAMILIES.items()}
_NUMBERED = re.compile(r"openml(-task)?:\d+")
_COPY = re.compile(r"_(bin|binary|binarized|nominal|seed_\d+.*)$|_v?\d+$")


def family_of(name: str) -> str:
    """Return what data sets that are versions of one another share.

    Examples
    --------
    >>> family_of("solar-flare_2") == family_of("flare"), family_of("abalone_v2"), family_of("fri_c3_100_5")
    (True, 'abalone', 'friedman')
    """
    if _NUMBERED.fullmatch(name):
        return name
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    for family, pattern in _KNOWN.items():
        if pattern.search(plain):
            return family
    return _COPY.sub("", plain) or plain


def origin_labels(
    names: Sequence[str], numbers: Sequence[int | None], sizes: Sequence[tuple[float, ...] | None]
) -> tuple[str, ...]:
    """Label data sets so that those of one origin share a label.

    One origin have data sets of one family by name, of one number at OpenML, or of one size (rows and columns): copies
    with another class, or two of the classes made one, keep their size. Sizes that agree by chance make an origin too
    large, which costs little. The label is the smallest number at OpenML, or the family.

    Examples
    --------
    >>> origin_labels(["monks-1", "monks-2", "adult"], [None, 334, 1590], [None, None, None])
    ('openml:334', 'openml:334', 'openml:1590')
    """
    parent = list(range(len(names)))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    seen: dict[Hashable, int] = {}
    families = [family_of(name) for name in names]
    for i, (family, number, size) in enumerate(zip(families, numbers, sizes, strict=True)):
        for mark in (("family", family), number and ("openml", number), size and ("size", size)):
            if mark and mark in seen:
                parent[root(i)] = root(seen[mark])
            elif mark:
                seen[mark] = i
    groups: dict[int, list[int]] = {}
    for i in range(len(names)):
        groups.setdefault(root(i), []).append(i)
    labels = {}
    for key, members in groups.items():
        known = [number for i in members if (number := numbers[i]) is not None]
        labels[key] = f"openml:{min(known)}" if known else families[members[0]]
    return tuple(labels[root(i)] for i in range(len(names)))
