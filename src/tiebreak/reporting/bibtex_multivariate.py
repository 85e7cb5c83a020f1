"""BibTeX of the papers on comparing by several measures, and how an article is written down."""

from __future__ import annotations

import re


def article(author: str, title: str, journal: str, year: int, volume: str, pages: str, doi: str = "") -> dict[str, str]:
    """Name the fields of an article; `volume` is 32 or 32(200)."""
    number = re.fullmatch(r"(\d+)(?:\(([\d/]+)\))?", volume)
    assert number is not None
    fields = {"type": "article", "author": author, "title": title, "journal": journal, "volume": number[1]}
    fields |= {"number": number[2] or "", "pages": pages.replace("-", "--"), "year": str(year), "doi": doi}
    return {name: value for name, value in fields.items() if value}


MULTIVARIATE: dict[str, dict[str, str]] = {
    "fisher1936": article(
        "Fisher, Ronald A.",
        "The use of multiple measurements in taxonomic problems",
        "Annals of Eugenics",
        1936,
        "7(2)",
        "179-188",
        "10.1111/j.1469-1809.1936.tb02137.x",
    ),
    "hotelling1931": article(
        "Hotelling, Harold",
        "The generalization of {Student's} ratio",
        "The Annals of Mathematical Statistics",
        1931,
        "2(3)",
        "360-378",
        "10.1214/aoms/1177732979",
    ),
    "mardia1970": article(
        "Mardia, Kanti V.",
        "Measures of multivariate skewness and kurtosis with applications",
        "Biometrika",
        1970,
        "57(3)",
        "519-530",
        "10.1093/biomet/57.3.519",
    ),
    "wilks1932": article(
        "Wilks, Samuel S.",
        "Certain generalizations in the analysis of variance",
        "Biometrika",
        1932,
        "24(3/4)",
        "471-494",
        "10.1093/biomet/24.3-4.471",
    ),
    "yildiz2014": {
        "type": "misc",
        "author": r"Y{\i}ld{\i}z, Olcay Taner and Alpayd{\i}n, Ethem",
        "title": "Multivariate comparison of classification algorithms",
        "year": "2014",
        "eprint": "1409.4566",
        "archiveprefix": "arXiv",
        "doi": "10.48550/arXiv.1409.4566",
    },
}
"""Papers by cite key, as in `tiebreak.reporting.bibtex`."""
