"""BibTeX of the papers that a result names, keyed as the method text cites them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tiebreak._show import latex
from tiebreak.reporting.bibtex_multivariate import MULTIVARIATE, article as _article

_JASA = "Journal of the American Statistical Association"


ENTRIES: dict[str, dict[str, str]] = {
    "alpaydin1999": _article(
        r"Alpayd{\i}n, Ethem",
        r"Combined 5 $\times$ 2 cv {F} test for comparing supervised classification learning algorithms",
        "Neural Computation",
        1999,
        "11(8)",
        "1885-1892",
        "10.1162/089976699300016007",
    ),
    "benjamini1995": _article(
        "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        "Journal of the Royal Statistical Society: Series B",
        1995,
        "57(1)",
        "289-300",
        "10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "benjamini2001": _article(
        "Benjamini, Yoav and Yekutieli, Daniel",
        "The control of the false discovery rate in multiple testing under dependency",
        "The Annals of Statistics",
        2001,
        "29(4)",
        "1165-1188",
        "10.1214/aos/1013699998",
    ),
    "bergmann1988": {
        "type": "incollection",
        "author": "Bergmann, B. and Hommel, G.",
        "title": "Improvements of general multiple test procedures for redundant systems of hypotheses",
        "booktitle": r"Multiple {H}ypothesenpr{\"u}fung / Multiple Hypotheses Testing",
        "editor": "Bauer, P. and Hommel, G. and Sonnemann, E.",
        "publisher": "Springer",
        "pages": "100--115",
        "year": "1988",
        "doi": "10.1007/978-3-642-52307-6_8",
    },
    "conover1999": {
        "type": "book",
        "author": "Conover, W. J.",
        "title": "Practical Nonparametric Statistics",
        "edition": "Third",
        "publisher": "Wiley",
        "year": "1999",
        "note": "Section 5.8",
    },
    "demsar2006": _article(
        r"Dem{\v{s}}ar, Janez",
        "Statistical comparisons of classifiers over multiple data sets",
        "Journal of Machine Learning Research",
        2006,
        "7",
        "1-30",
    ),
    "dietterich1998": _article(
        "Dietterich, Thomas G.",
        "Approximate statistical tests for comparing supervised classification learning algorithms",
        "Neural Computation",
        1998,
        "10(7)",
        "1895-1923",
        "10.1162/089976698300017197",
    ),
    "dunn1961": _article(
        "Dunn, Olive Jean",
        "Multiple comparisons among means",
        _JASA,
        1961,
        "56(293)",
        "52-64",
        "10.1080/01621459.1961.10482090",
    ),
    "dunnett1955": _article(
        "Dunnett, Charles W.",
        "A multiple comparison procedure for comparing several treatments with a control",
        _JASA,
        1955,
        "50(272)",
        "1096-1121",
        "10.1080/01621459.1955.10501294",
    ),
    "finner1993": _article(
        "Finner, H.",
        "On a monotonicity problem in step-down multiple test procedures",
        _JASA,
        1993,
        "88(423)",
        "920-923",
        "10.1080/01621459.1993.10476358",
    ),
    "friedman1937": _article(
        "Friedman, Milton",
        "The use of ranks to avoid the assumption of normality implicit in the analysis of variance",
        _JASA,
        1937,
        "32(200)",
        "675-701",
        "10.1080/01621459.1937.10503522",
    ),
    "dixon1946": _article(
        "Dixon, W. J. and Mood, A. M.",
        "The statistical sign test",
        _JASA,
        1946,
        "41(236)",
        "557-566",
        "10.1080/01621459.1946.10501898",
    ),
    "girden1992": {
        "type": "book",
        "author": "Girden, Ellen R.",
        "title": "{ANOVA}: Repeated Measures",
        "publisher": "Sage",
        "year": "1992",
    },
    "greenhouse1959": _article(
        "Greenhouse, Samuel W. and Geisser, Seymour",
        "On methods in the analysis of profile data",
        "Psychometrika",
        1959,
        "24(2)",
        "95-112",
        "10.1007/BF02289823",
    ),
    "hochberg1988": _article(
        "Hochberg, Yosef",
        "A sharper {B}onferroni procedure for multiple tests of significance",
        "Biometrika",
        1988,
        "75(4)",
        "800-802",
        "10.1093/biomet/75.4.800",
    ),
    "hodges1962": _article(
        "Hodges, J. L. and Lehmann, E. L.",
        "Rank methods for combination of independent experiments in analysis of variance",
        "The Annals of Mathematical Statistics",
        1962,
        "33(2)",
        "482-497",
        "10.1214/aoms/1177704575",
    ),
    "holland1987": _article(
        "Holland, Burt S. and Copenhaver, Margaret DiPonzio",
        "An improved sequentially rejective {B}onferroni test procedure",
        "Biometrics",
        1987,
        "43(2)",
        "417-423",
        "10.2307/2531823",
    ),
    "holm1979": _article(
        "Holm, Sture",
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics",
        1979,
        "6(2)",
        "65-70",
    ),
    "hommel1988": _article(
        "Hommel, G.",
        "A stagewise rejective multiple test procedure based on a modified {B}onferroni test",
        "Biometrika",
        1988,
        "75(2)",
        "383-386",
        "10.1093/biomet/75.2.383",
    ),
    "iman1980": _article(
        "Iman, Ronald L. and Davenport, James M.",
        "Approximations of the critical region of the {F}riedman statistic",
        "Communications in Statistics - Theory and Methods",
        1980,
        "9(6)",
        "571-595",
        "10.1080/03610928008827904",
    ),
    "li2008": _article(
        "Li, Jianjun",
        "A two-step rejection procedure for testing multiple hypotheses",
        "Journal of Statistical Planning and Inference",
        2008,
        "138(6)",
        "1521-1527",
    ),
    "nadeau2003": _article(
        "Nadeau, Claude and Bengio, Yoshua",
        "Inference for the generalization error",
        "Machine Learning",
        2003,
        "52(3)",
        "239-281",
        "10.1023/A:1024068626366",
    ),
    "neave1988": {
        "type": "book",
        "author": "Neave, H. R. and Worthington, P. L.",
        "title": "Distribution-Free Tests",
        "publisher": "Unwin Hyman",
        "year": "1988",
    },
    "nemenyi1963": {
        "type": "phdthesis",
        "author": "Nemenyi, Peter Bjorn",
        "title": "Distribution-free multiple comparisons",
        "school": "Princeton University",
        "year": "1963",
    },
    "quade1979": _article(
        "Quade, Dana",
        "Using weighted rankings in the analysis of complete blocks with additive block effects",
        _JASA,
        1979,
        "74(367)",
        "680-683",
        "10.1080/01621459.1979.10481670",
    ),
    "rom1990": _article(
        "Rom, Dror M.",
        "A sequentially rejective test procedure based on a modified {B}onferroni inequality",
        "Biometrika",
        1990,
        "77(3)",
        "663-665",
        "10.1093/biomet/77.3.663",
    ),
    "shaffer1986": _article(
        "Shaffer, Juliet Popper",
        "Modified sequentially rejective multiple test procedures",
        _JASA,
        1986,
        "81(395)",
        "826-831",
        "10.1080/01621459.1986.10478341",
    ),
    "sidak1967": _article(
        r"{\v{S}}id{\'a}k, Zbyn{\v{e}}k",
        "Rectangular confidence regions for the means of multivariate normal distributions",
        _JASA,
        1967,
        "62(318)",
        "626-633",
        "10.1080/01621459.1967.10482935",
    ),
    "skillings1981": _article(
        "Skillings, John H. and Mack, Gregory A.",
        "On the use of a {F}riedman-type statistic in balanced and unbalanced block designs",
        "Technometrics",
        1981,
        "23(2)",
        "171-177",
        "10.1080/00401706.1981.10486261",
    ),
    "student1908": _article(
        "Student", "The probable error of a mean", "Biometrika", 1908, "6(1)", "1-25", "10.1093/biomet/6.1.1"
    ),
    "tukey1949": _article(
        "Tukey, John W.",
        "Comparing individual means in the analysis of variance",
        "Biometrics",
        1949,
        "5(2)",
        "99-114",
        "10.2307/3001913",
    ),
    "ulas2012": _article(
        r"Ula{\c{s}}, Ayd{\i}n and Y{\i}ld{\i}z, Olcay Taner and Alpayd{\i}n, Ethem",
        "Cost-conscious comparison of supervised learning algorithms over multiple data sets",
        "Pattern Recognition",
        2012,
        "45",
        "1772-1781",
        "10.1016/j.patcog.2011.10.005",
    ),
    "wilcoxon1945": _article(
        "Wilcoxon, Frank",
        "Individual comparisons by ranking methods",
        "Biometrics Bulletin",
        1945,
        "1(6)",
        "80-83",
        "10.2307/3001968",
    ),
    "yildiz2006": _article(
        r"Y{\i}ld{\i}z, Olcay Taner and Alpayd{\i}n, Ethem",
        "Ordering and finding the best of {$K > 2$} supervised learning algorithms",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        2006,
        "28(3)",
        "392-402",
        "10.1109/TPAMI.2006.61",
    ),
    **MULTIVARIATE,
}
"""The papers by cite key: the kind of entry under `type`, then its fields in LaTeX."""


def cite_key(reference: str) -> str:
    """Make a key from a reference such as 'Iman and Davenport (1980), doi:...'.

    Examples
    --------
    >>> cite_key("Iman and Davenport (1980), doi:10.1080/03610928008827904"), cite_key("Demšar (2006), JMLR 7:1-30")
    ('iman1980', 'demsar2006')
    """
    first = unicodedata.normalize("NFKD", re.split(r"[ ,]", reference, maxsplit=1)[0].lower())
    year = re.search(r"\((\d{4})\)", reference)
    return f"{re.sub('[^a-z0-9-]', '', first)}{year[1] if year else ''}"


def bibtex(references: Iterable[str]) -> str:
    """Write one entry per reference; a paper that is not known by its key and DOI becomes a note.

    Examples
    --------
    >>> print(bibtex(["Student (1908), doi:10.1093/biomet/6.1.1", "Nobody (1901), nowhere"]))
    @article{student1908,
      author = {Student},
      title = {The probable error of a mean},
      journal = {Biometrika},
      volume = {6},
      number = {1},
      pages = {1--25},
      year = {1908},
      doi = {10.1093/biomet/6.1.1},
    }
    <BLANKLINE>
    @misc{nobody1901,
      note = {Nobody (1901), nowhere},
    }
    """
    return "\n\n".join(_entry(reference) for reference in references)


def _entry(reference: str) -> str:
    key = cite_key(reference)
    fields = ENTRIES.get(key)
    doi = re.search(r"doi:(\S+)", reference)
    if fields is None or (doi is not None and doi[1].casefold() != fields.get("doi", "").casefold()):
        fields = {"type": "misc", "note": latex(reference)}
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if name != "type"]
    return "\n".join([f"@{fields['type']}{{{key},", *lines, "}"])
