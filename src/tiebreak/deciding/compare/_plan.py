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
from tiebreak.documents import pvalue as show_p
from tiebreak.errors import OptionError
from tiebreak.methods import Method, choices, find, goes_with, listed, of_kind
from tiebreak.stats import anderson_darling, holm, rm_anova

VERB = "compare"
MOST_EXACT = 100
"""Up to so many algorithms Bergmann and Hommel's correction is the default; it takes about a second there."""
MOST_ANY_ORIGIN = 14
"""Up to so many where the p-values do not come from positions on a line."""
FEWEST_NORMAL = 30
CHECK_LEVEL = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every choice of one comparison, and the path that led there; what is not chosen yet is empty."""

    omnibus: str
    pairwise: str
    posthoc: str
    control: str | None
    missing: str
    tie_correction: bool
    sphericity: str = "none"
    path: tuple[str, ...] = ()

    @property
    def omnibus_method(self) -> Method:
        """The record of the omnibus test."""
        return find(self.omnibus, "omnibus")

    @property
    def test(self) -> Method:
        """The record of what tests the pairs: a post hoc test that brings its correction, or the pairwise test."""
        if self.posthoc in choices("posthoc", verb=VERB):
            return find(self.posthoc, "posthoc", after=self.omnibus, verb=VERB, what="post hoc test")
        return find(self.pairwise, "pairs", after=self.omnibus, verb=VERB, what="pairwise test")

    @property
    def correction(self) -> Method | None:
        """The record of the correction, None where the test of the pairs brings its own."""
        if not self.posthoc or self.test.kind == "posthoc":
            return None
        return find(self.posthoc, "correction")

    @property
    def methods(self) -> tuple[Method, ...]:
        """Every method that the plan uses, the omnibus test first."""
        used = (self.omnibus_method, self.test, self.correction)
        return tuple(each for each in used if each is not None)


def check_asked(asked: Plan) -> None:
    """Refuse names that are not known and combinations that no record allows, before anything is computed."""
    for kind, value, known in (
        ("omnibus test", asked.omnibus, choices("omnibus", verb=VERB)),
        ("pairwise test", asked.pairwise, choices("pairs", verb=VERB)),
        ("post hoc test", asked.posthoc, choices("posthoc", "correction", verb=VERB)),
    ):
        if value:
            check_choice(kind, value, known)
    if asked.pairwise and asked.posthoc in choices("posthoc", verb=VERB):
        raise OptionError(
            f"The post hoc test {asked.posthoc} takes no pairwise test.",
            why="It tests the pairs itself.",
            mend="Drop one of the two, or use a correction such as posthoc='holm'.",
        )
    plan = _completed(_started(asked), n_algorithms=3)
    _check_control(plan)
    _check_gaps(plan)


def _check_control(plan: Plan) -> None:
    """Refuse a control that the post hoc test cannot use, and the lack of one that it needs."""
    told = plan.correction or plan.test
    if not plan.posthoc or told.control == "either" or (told.control == "always") == (plan.control is not None):
        return
    wanted = "always" if plan.control is not None else "never"
    after = [each for each in of_kind("posthoc", verb=VERB) if plan.omnibus in each.follows]
    names = ["holm", *(each.name for each in after if each.control == wanted)]
    use = f"posthoc={listed([repr(name) for name in names])}"
    if told.control == "never":
        raise OptionError(
            f"The post hoc test {plan.posthoc} compares all pairs and takes no control.",
            why="Against a control fewer hypotheses are tested, which it could not use.",
            mend=f"Use {use}, or drop the control.",
        )
    raise OptionError(
        f"The post hoc test {plan.posthoc} needs a control.",
        why="It compares one algorithm with all others.",
        mend=f"Name it: control='...' (--control NAME), or use {use}.",
    )


def _check_gaps(plan: Plan) -> None:
    """Refuse tests that cannot take the gaps which the policy leaves in the table."""
    for method in plan.methods[:2]:
        if not goes_with(method, plan.missing):
            fits = [name for name in choices("omnibus", verb=VERB) if _takes(name, plan.missing)]
            pairs = [each.name for each in of_kind("pairs", verb=VERB) if plan.missing in each.gaps]
            raise OptionError(
                f"The policy {plan.missing} does not go with the test {method.name}.",
                why="It leaves gaps in the table, which can be ranked or left to a test that knows them.",
                mend=f"Use omnibus={listed([repr(name) for name in fits])} with pairwise="
                f"{listed([repr(name) for name in dict.fromkeys(pairs)])}, or another policy.",
            )


def _takes(omnibus: str, policy: str) -> bool:
    """Asked for the mending of an error: it names the tests that would take what the policy leaves."""
    return policy in find(omnibus, "omnibus").gaps


def choose(scores: FloatArray, asked: Plan) -> Plan:
    """Fill in what was not asked for, by the rules at the head of this module."""
    n_datasets, n_algorithms = scores.shape
    gaps = int(np.isnan(scores).sum())
    size = f"{n_algorithms} algorithms on {n_datasets} data sets, {gaps or 'no'} gap{'' if gaps == 1 else 's'}."
    start = replace(_started(asked), path=(size,))
    told = [name for name in (asked.omnibus, asked.pairwise, asked.posthoc) if name]
    if start.omnibus == "skillings-mack":
        plan = _said(_completed(start, n_algorithms), "Gaps are left to the Skillings-Mack test.")
    elif told:
        plan = _said(_completed(start, n_algorithms), f"Asked for: {', '.join(told)}.")
    else:
        plan = _by_rule(start, scores)
    return _with_correction(plan, n_algorithms)


def _started(asked: Plan) -> Plan:
    """Begin with what was asked for; gaps that are left to a test decide the test, and it the policy."""
    if "skillings-mack" not in (asked.missing, asked.omnibus) or asked.omnibus not in ("", "skillings-mack"):
        return asked
    missing = "skillings-mack" if asked.missing == "refuse" else asked.missing
    return replace(asked, omnibus="skillings-mack", missing=missing)


def _said(plan: Plan, sentence: str) -> Plan:
    return replace(plan, path=(*plan.path, sentence))


def _completed(plan: Plan, n_algorithms: int) -> Plan:
    """Complete a plan of which some part was asked for."""
    if not plan.omnibus:
        own = bool(plan.pairwise) and find(plan.pairwise, "pairs").on_own_scores
        single = plan.posthoc in choices("posthoc", verb=VERB)
        fits = find(plan.posthoc, "posthoc").follows if single else ()
        usual = "none" if own and n_algorithms == 2 else "rm-anova" if plan.pairwise == "paired-t" else "friedman"
        plan = replace(plan, omnibus=fits[0] if fits else usual)
    default = {"rm-anova": "paired-t", "none": "wilcoxon"}.get(plan.omnibus, "ranks")
    return replace(plan, pairwise=plan.pairwise or default)


def _by_rule(plan: Plan, scores: FloatArray) -> Plan:
    """The rule in its order: normality, then the number of algorithms, then sphericity; each step is said."""
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
    on_a_line = find(plan.pairwise, "pairs", after=plan.omnibus).on_a_line
    if n_algorithms <= (MOST_EXACT if on_a_line else MOST_ANY_ORIGIN):
        return _said(replace(plan, posthoc="bergmann-hommel"), "All pairs: Bergmann and Hommel's exact correction.")
    return _said(
        replace(plan, posthoc="shaffer"),
        f"{n_algorithms} algorithms are too many for Bergmann and Hommel's correction: Shaffer's.",
    )
