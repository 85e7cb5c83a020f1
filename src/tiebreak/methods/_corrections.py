"""Corrections: what is left of many p-values when all of them are looked at."""

from typing import Any

from tiebreak.methods._record import Keeps, Method, Promise, recorded

_ANY = "any dependence of the tests"
_POSITIVE = "tests are independent or positively dependent"


def _correction(name: str, question: str, papers: str, keeps: Keeps, *, needs: str = "", **rest: Any) -> Method:
    """Write a record; a correction goes with every test of pairs, so that only its promise tells it from others."""
    promise = Promise(keeps=keeps, premises=needs or _ANY, partly=keeps == "any test", needs=needs)
    functions = rest.pop("functions", name.replace("-", "_"))
    about = {"kind": "correction", "takes": "p-values", "verbs": ("compare", "order", "multivariate")}
    return recorded(name, question, functions, promise, papers, **about | rest)


RECORDS = (
    _correction(
        "none", "Is this p-value small, whatever the others are?", "rothman1990", "nothing", functions="unadjusted"
    ),
    _correction("bonferroni", "Is p small enough for the number of tests?", "dunn1961", "any test"),
    _correction(
        "sidak", "Is p small enough for that number of independent tests?", "sidak1967", "any test", needs=_POSITIVE
    ),
    _correction("holm", "Is p small enough for the tests not decided yet, stepping down?", "holm1979", "any test"),
    _correction("hochberg", "The same stepping up?", "hochberg1988", "any test", needs=_POSITIVE),
    _correction(
        "hommel",
        "Is p small in every set of tests that holds it, by Simes' test of the set?",
        "hommel1988",
        "any test",
        needs=_POSITIVE,
    ),
    _correction(
        "holland",
        "Is p small enough, stepping down, for independent tests?",
        "holland1987",
        "any test",
        needs=_POSITIVE,
    ),
    _correction(
        "rom",
        "Is p small enough, stepping up, by levels that are exact for independent tests?",
        "rom1990",
        "any test",
        functions="rom rom_critical_values",
        needs=_POSITIVE,
    ),
    _correction(
        "finner", "Is p small for its place among all, stepping down?", "finner1993", "any test if none is real"
    ),
    _correction("li", "Is p small beside the largest one?", "li2008", "nothing"),
    _correction(
        "benjamini-hochberg",
        "How many of those found will be false, in the mean?",
        "benjamini1995",
        "share",
        needs=_POSITIVE,
    ),
    _correction("benjamini-yekutieli", "The same whatever the dependence of the tests?", "benjamini2001", "share"),
    _correction(
        "shaffer",
        "Is p small enough for the pairs that can still all be equal?",
        "shaffer1986",
        "any test",
        takes="p-values of all pairs",
        control="never",
    ),
    _correction(
        "bergmann-hommel",
        "Is p small in every set of pairs that can be equal together?",
        "bergmann1988",
        "any test",
        takes="p-values of all pairs",
        control="never",
        functions="bergmann_hommel bergmann_hommel_rows",
    ),
)
