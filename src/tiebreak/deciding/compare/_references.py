"""The papers behind each choice, as a result cites them."""

from __future__ import annotations

from tiebreak.deciding.compare._plan import Plan

PAPERS = {
    "friedman": "Friedman (1937), doi:10.1080/01621459.1937.10503522",
    "iman-davenport": "Iman and Davenport (1980), doi:10.1080/03610928008827904",
    "demsar": "Demsar (2006), JMLR 7:1-30",
    "aligned-ranks": "Hodges and Lehmann (1962), doi:10.1214/aoms/1177704575",
    "quade": "Quade (1979), doi:10.1080/01621459.1979.10481670",
    "skillings-mack": "Skillings and Mack (1981), doi:10.1080/00401706.1981.10486261",
    "rm-anova": "Girden (1992), ANOVA: Repeated measures, Sage",
    "paired-t": "Student (1908), doi:10.1093/biomet/6.1.1",
    "sign": "Dixon and Mood (1946), doi:10.1080/01621459.1946.10501898",
    "greenhouse-geisser": "Greenhouse and Geisser (1959), doi:10.1007/BF02289823",
    "wilcoxon": "Wilcoxon (1945), doi:10.2307/3001968",
    "conover": "Conover (1999), Practical nonparametric statistics, 3rd ed., section 5.8",
    "nemenyi": "Nemenyi (1963), Distribution-free multiple comparisons, Princeton",
    "bonferroni-dunn": "Dunn (1961), doi:10.1080/01621459.1961.10482090",
    "dunn": "Neave and Worthington (1988), Distribution-free tests",
    "tukey": "Tukey (1949), doi:10.2307/3001913",
    "dunnett": "Dunnett (1955), doi:10.1080/01621459.1955.10501294",
    "bergmann-hommel": "Bergmann and Hommel (1988), doi:10.1007/978-3-642-52307-6_8",
    "shaffer": "Shaffer (1986), doi:10.1080/01621459.1986.10478341",
    "holm": "Holm (1979), Scandinavian Journal of Statistics 6:65-70",
    "hochberg": "Hochberg (1988), doi:10.1093/biomet/75.4.800",
    "hommel": "Hommel (1988), doi:10.1093/biomet/75.2.383",
    "holland": "Holland and Copenhaver (1987), doi:10.2307/2531823",
    "rom": "Rom (1990), doi:10.1093/biomet/77.3.663",
    "finner": "Finner (1993), doi:10.1080/01621459.1993.10476358",
    "li": "Li (2008), Journal of Statistical Planning and Inference 138:1521-1527",
    "bonferroni": "Dunn (1961), doi:10.1080/01621459.1961.10482090",
    "sidak": "Sidak (1967), doi:10.1080/01621459.1967.10482935",
    "benjamini-hochberg": "Benjamini and Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x",
    "benjamini-yekutieli": "Benjamini and Yekutieli (2001), doi:10.1214/aos/1013699998",
}


def papers(plan: Plan) -> tuple[str, ...]:
    """Name the papers of the tests and corrections that a plan uses, each once.

    Examples
    --------
    >>> papers(Plan(omnibus="quade", pairwise="ranks", posthoc="holm", control=None, missing="refuse",
    ...             tie_correction=True))[1]
    'Holm (1979), Scandinavian Journal of Statistics 6:65-70'
    """
    keys = [plan.omnibus, plan.sphericity, plan.pairwise, plan.posthoc]
    if plan.omnibus in ("friedman", "friedman-chi2"):
        keys = ["friedman", *(["iman-davenport"] if plan.omnibus == "friedman" else []), "demsar", *keys[2:]]
    return tuple(dict.fromkeys(PAPERS[key] for key in keys if key in PAPERS))
