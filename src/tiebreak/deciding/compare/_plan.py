"""Which tests a comparison uses: as asked for, or by rules that are written down and printed with the result.

The rules, when nothing is asked for:

1. Gaps are refused unless a policy is named; `skillings-mack` leaves them to the test of that name.
2. The parametric tests are used only where nothing speaks against them: at least 30 data sets, no gap, and no
   algorithm whose scores (less the mean of their data set) differ from normal by the Anderson-Darling test,
   Holm-corrected at 0.10. Everything else goes to ranks, which assume the least.
3. Two algorithms: Wilcoxon signed ranks, or the paired t test.
4. More: the Friedman test decided by Iman and Davenport's F, or repeated-measures ANOVA, Greenhouse-Geisser corrected
   where Mauchly's test rejects sphericity at 0.10.
5. All pairs after Friedman: z tests on mean ranks with Bergmann and Hommel's correction, the sharpest there is, up to
   100 algorithms; Shaffer's beyond. After ANOVA: Tukey's paired test if sphericity stands; else paired t tests with
   Bergmann and Hommel's correction up to 14 algorithms, Shaffer's beyond.
6. Against a control: Holm's correction; Dunnett's paired test after ANOVA if sphericity stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak._show import pvalue as show_p
from tiebreak.errors import OptionError
from tiebreak.stats import CORRECTIONS, anderson_darling, holm, rm_anova
from tiebreak.stats.adjust import ALL_PAIRS

OMNIBUS = ("friedman", "friedman-chi2", "aligned-ranks", "quade", "skillings-mack", "rm-anova", "none")
PAIRWISE = ("ranks", "conover", "wilcoxon", "sign", "paired-t")
SINGLE_STEP = {
    "nemenyi": ("friedman", "friedman-chi2"),
    "bonferroni-dunn": ("friedman", "friedman-chi2"),
    "dunn": ("friedman", "friedman-chi2"),
    "tukey": ("rm-anova",),
    "dunnett": ("rm-anova",),
}
"""Post hoc tests that bring their own correction, with the omnibus tests they belong to."""
POSTHOC = (*SINGLE_STEP, *CORRECTIONS)
AGAINST_CONTROL = frozenset({"bonferroni-dunn", "dunnett"})
FOR_ALL_PAIRS = frozenset({"nemenyi", "dunn", "tukey", *ALL_PAIRS})
MOST_EXACT = 100
"""Up to so many algorithms Bergmann and Hommel's correction is the default; it takes about a second there."""
MOST_ANY_ORIGIN = 14
"""Up to so many where the p-values do not come from positions on a line."""
FEWEST_NORMAL = 30
CHECK_LEVEL = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the caller asked for; None where it is left to the rules."""

    omnibus: str | None = None
    pairwise: str | None = None
    posthoc: str | None = None
    control: str | None = None
    missing: str = "refuse"
    tie_correction: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every choice of one comparison, made, and the path that led there."""

    omnibus: str
    pairwise: str
    posthoc: str
    control: str | None
    missing: str
    tie_correction: bool
    sphericity: str = "none"
    path: tuple[str, ...] = ()


def check_asked(asked: Asked) -> None:
    """Refuse names that are not known and combinations that mean nothing, before anything is computed."""
    for kind, value, known in (
        ("omnibus test", asked.omnibus, OMNIBUS),
        ("pairwise test", asked.pairwise, PAIRWISE),
        ("post hoc test", asked.posthoc, POSTHOC),
    ):
        if value is not None:
            check_choice(kind, value, known)
    _check_control(asked)
    _check_omnibus(asked)
    _check_gaps(asked)


def _check_control(asked: Asked) -> None:
    if asked.control is not None and asked.posthoc in FOR_ALL_PAIRS:
        raise OptionError(
            f"The post hoc test {asked.posthoc} compares all pairs and takes no control.",
            why="Against a control fewer hypotheses are tested, which it could not use.",
            mend="Use posthoc='holm', 'bonferroni-dunn' or 'dunnett', or drop the control.",
        )
    if asked.control is None and asked.posthoc in AGAINST_CONTROL:
        raise OptionError(
            f"The post hoc test {asked.posthoc} needs a control.",
            why="It compares one algorithm with all others.",
            mend="Name it: control='...' (--control NAME), or use posthoc='nemenyi' or 'tukey'.",
        )


def _check_omnibus(asked: Asked) -> None:
    fits = SINGLE_STEP.get(asked.posthoc or "")
    if fits and asked.omnibus not in (None, *fits):
        raise OptionError(
            f"The post hoc test {asked.posthoc} does not go with the omnibus test {asked.omnibus}.",
            why=f"It belongs to {fits[0]}, whose standard error it uses.",
            mend=f"Use omnibus='{fits[0]}', or a correction such as posthoc='holm'.",
        )
    if fits and asked.pairwise is not None:
        raise OptionError(
            f"The post hoc test {asked.posthoc} takes no pairwise test.",
            why="It tests the pairs itself.",
            mend="Drop one of the two, or use a correction such as posthoc='holm'.",
        )
    if asked.pairwise == "conover" and asked.omnibus not in (None, "friedman", "friedman-chi2"):
        raise OptionError(
            f"Conover's test does not go with the omnibus test {asked.omnibus}.",
            why="It uses the ranks and the statistic of the Friedman test.",
            mend="Use omnibus='friedman'.",
        )
    if asked.omnibus in ("rm-anova", "none") and asked.pairwise == "ranks":
        raise OptionError(
            f"There are no ranks to test pairs by after the omnibus test {asked.omnibus}.",
            why="The pairwise test 'ranks' uses the ranks of the omnibus test.",
            mend="Use pairwise='wilcoxon' or 'paired-t', or omnibus='friedman'.",
        )


def _check_gaps(asked: Asked) -> None:
    if asked.missing == "skillings-mack" and asked.omnibus not in (None, "skillings-mack"):
        raise OptionError(
            f"The policy skillings-mack does not go with the omnibus test {asked.omnibus}.",
            why="It leaves the gaps to the Skillings-Mack test.",
            mend="Use omnibus='skillings-mack', or another policy.",
        )
    if "skillings-mack" in (asked.missing, asked.omnibus) and (
        asked.posthoc in SINGLE_STEP or asked.pairwise not in (None, "ranks")
    ):
        raise OptionError(
            f"The post hoc test {asked.pairwise or asked.posthoc} does not go with the Skillings-Mack test.",
            why="With gaps the pairs have different standard errors, which only its own z tests know.",
            mend="Use posthoc='holm' and no pairwise test.",
        )
    ranked = asked.omnibus in (None, "friedman", "friedman-chi2") and asked.pairwise in (None, "ranks", "conover")
    if asked.missing == "worst-rank" and not (ranked and asked.posthoc not in ("tukey", "dunnett")):
        raise OptionError(
            "The policy worst-rank goes only with tests on ranks.",
            why="A gap can be given the worst rank, but not a score.",
            mend="Use omnibus='friedman' and no other pairwise test, or another policy.",
        )


def choose(scores: FloatArray, asked: Asked) -> Plan:
    """Fill in what was not asked for, by the rules at the head of this module."""
    n_datasets, n_algorithms = scores.shape
    gaps = int(np.isnan(scores).sum())
    size = f"{n_algorithms} algorithms on {n_datasets} data sets, {gaps or 'no'} gap{'' if gaps == 1 else 's'}."
    start = Plan(
        omnibus=asked.omnibus or "",
        pairwise=asked.pairwise or "",
        posthoc=asked.posthoc or "",
        control=asked.control,
        missing=asked.missing,
        tie_correction=asked.tie_correction,
        path=(size,),
    )
    if "skillings-mack" in (asked.missing, asked.omnibus):
        plan = replace(start, omnibus="skillings-mack", missing="skillings-mack", pairwise="ranks")
        plan = _said(plan, "Gaps are left to the Skillings-Mack test.")
    elif asked.omnibus or asked.pairwise or asked.posthoc:
        plan = _completed(start, n_algorithms)
    else:
        plan = _by_rule(start, scores)
    return _with_correction(plan, n_algorithms)


def _said(plan: Plan, sentence: str) -> Plan:
    return replace(plan, path=(*plan.path, sentence))


def _completed(plan: Plan, n_algorithms: int) -> Plan:
    """Complete a plan of which some part was asked for."""
    asked = ", ".join(name for name in (plan.omnibus, plan.pairwise, plan.posthoc) if name)
    fits = SINGLE_STEP.get(plan.posthoc)
    own_test = plan.pairwise in ("wilcoxon", "sign", "paired-t")
    default = "none" if own_test and n_algorithms == 2 else "rm-anova" if plan.pairwise == "paired-t" else "friedman"
    omnibus = plan.omnibus or (fits[0] if fits else default)
    without_ranks = {"rm-anova": "paired-t", "none": "wilcoxon"}
    return _said(
        replace(plan, omnibus=omnibus, pairwise=plan.pairwise or without_ranks.get(omnibus, "ranks")),
        f"Asked for: {asked}.",
    )


def _by_rule(plan: Plan, scores: FloatArray) -> Plan:
    normal, sentence = _normal(scores) if plan.missing != "worst-rank" else (False, "Gaps take the worst rank: ranks.")
    plan = _said(plan, sentence)
    if scores.shape[1] == 2:
        pairwise, name = ("paired-t", "the paired t test") if normal else ("wilcoxon", "Wilcoxon signed ranks")
        if plan.missing == "worst-rank":
            return _said(replace(plan, omnibus="friedman", pairwise="ranks"), "Two algorithms: ranks.")
        return _said(replace(plan, omnibus="none", pairwise=pairwise), f"Two algorithms: {name}.")
    if not normal:
        return _said(
            replace(plan, omnibus="friedman", pairwise="ranks"), "More than two algorithms: the Friedman test."
        )
    p = rm_anova(scores).mauchly_pvalue
    spherical = p > CHECK_LEVEL
    said = f"Mauchly's test {'does not reject' if spherical else 'rejects'} sphericity (p = {show_p(p)})"
    follow = "repeated-measures ANOVA" + ("" if spherical else " with Greenhouse and Geisser's correction")
    return _said(
        replace(
            plan,
            omnibus="rm-anova",
            pairwise="paired-t",
            posthoc=("tukey" if plan.control is None else "dunnett") if spherical else "",
            sphericity="none" if spherical else "greenhouse-geisser",
        ),
        f"{said}: {follow}.",
    )


def _normal(scores: FloatArray) -> tuple[bool, str]:
    """Say whether nothing speaks against normal scores, and why."""
    if len(scores) < FEWEST_NORMAL:
        return False, f"Fewer than {FEWEST_NORMAL} data sets: too few to see whether scores are normal, so ranks."
    p = anderson_darling(scores).pvalue
    if np.isnan(p).any():
        return False, "Some algorithm's scores do not vary about the mean of their data set: ranks."
    worst = float(holm(p).min())
    if worst <= CHECK_LEVEL:
        return False, f"Scores are not normal (Anderson-Darling, smallest adjusted p = {show_p(worst)}): ranks."
    return True, f"Nothing speaks against normal scores (Anderson-Darling, smallest adjusted p = {show_p(worst)})."


def _with_correction(plan: Plan, n_algorithms: int) -> Plan:
    """Choose the correction where none was asked for."""
    if plan.posthoc:
        return plan
    if plan.control is not None:
        return _said(replace(plan, posthoc="holm"), "Against a control: Holm's correction.")
    if n_algorithms == 2:
        return replace(plan, posthoc="none")
    on_a_line = plan.pairwise in ("ranks", "conover") and plan.omnibus != "skillings-mack"
    if n_algorithms <= (MOST_EXACT if on_a_line else MOST_ANY_ORIGIN):
        return _said(replace(plan, posthoc="bergmann-hommel"), "All pairs: Bergmann and Hommel's exact correction.")
    return _said(
        replace(plan, posthoc="shaffer"),
        f"{n_algorithms} algorithms are too many for Bergmann and Hommel's correction: Shaffer's.",
    )
