"""Errors whose fix works: what a message suggests is applied literally, and must lead to an answer in one step.

A case is a command line on the files that `write_files` makes; `fixing.mended` reads the message. To add a case, add a
line to CASES.
"""

from __future__ import annotations

import contextlib
import io
import random
import shlex
from pathlib import Path

import pytest

from tiebreak.cli import main

from .fixing import mended

GOAL = 0.95
ANSWERS = (0, 1, 3)
MOST_TRIED = 25
CASES = """
compare long.csv --score acuracy
order long.csv --score acuracy
multivariate long.csv --scores acuracy,auc
report long.csv --score acuracy -o out.html
board long.csv --score acuracy -o out
gate base.csv new.csv --margin 0.05 --score acuracy
battles long.csv --score acuracy
order long.csv --score accuracy --cost trian_time
report long.csv --score accuracy --cost trian_time -o out.html
board long.csv --score accuracy --cost trian_time -o out
order long.csv --score accuracy --cost prise=1% --cost train_time=1%
gate base.csv new.csv --margin 0.05 --cost prise
battles votes.csv --prices prices.csv --cost prise
order long.csv --score accuracy --cost accuracy
order wide.csv --score accuracy --cost train_time
multivariate long.csv --scores accuracy,auc --cost trian_time
compare long.csv
multivariate long.csv
report long.csv -o out.html
board long.csv -o out
order long.csv
compare wide.csv
order wide.csv
report wide.csv -o out.html
compare quality.csv
order quality.csv
battles quality.csv --score quality
compare quality.csv --score quality
gate quality.csv --base svm --candidate tree --margin 0.01
multivariate quality2.csv --scores quality,taste
order twocosts.csv --score accuracy
board quality.csv -o out
compare long.csv --score accuracy --control smv
compare long.csv --score accuracy --where "algorithm in smv,tree"
compare long.csv --score accuracy --where "dataset in d1,dd2"
compare long.csv --score accuracy --scale normalized
order long.csv --score accuracy --explain smv,tree
order long.csv --score accuracy --dataset dd1
gate long.csv --score accuracy --base smv --candidate tree --margin 0.01
gate long.csv --score accuracy --base svm --candidate treex --margin 0.01
gate long.csv --score accuracy --margin 0.01
multivariate long.csv --scores accuracy,auc --dataset dd1
compare long.csv --score accuracy --column dataset=datasetx
compare long.csv --score accuracy --column datasetx=dataset
compare long.csv --score accuracy --where datasetx=d1
compare items.csv --cluster documentx --score accuracy --column epoch=answer
compare long.csv --score accuracy --omnibus freidman
compare long.csv --score accuracy --pairwise wilcoxn
compare long.csv --score accuracy --posthoc holmes
compare long.csv --score accuracy --missing drop-dataset
compare long.csv --score accuracy --scale distances
order long.csv --score accuracy --cost train_time --rule multi-test
order long.csv --score accuracy --cost train_time --missing drop-dataset
order long.csv --score accuracy --cost train_time --rule worht
order long.csv --score accuracy --cost train_time --posthoc holmes
order long.csv --score accuracy --cost train_time --pairwise wilcoxn
order long.csv --score accuracy --cost train_time --variant 2011
order long.csv --score accuracy --cost train_time --trade 1
order long.csv --score accuracy --cost train_time --trade x
order long.csv --score accuracy --cost train_time --accd -1
order long.csv --score accuracy --cost train_time --alpha 5
order long.csv --score accuracy --cost train_time --missing-costs cheapest
order long.csv --score accuracy --cost train_time --inner-adjust holmes
compare long.csv --score accuracy --alpha 5
compare long.csv --score accuracy --alpha 0
compare long.csv --score accuracy --posthoc nemenyi --pairwise sign
compare long.csv --score accuracy --where fold=0 --pairwise signs
compare long.csv --score accuracy --rope -1
compare "long.csv?plane=yes" --score accuracy
compare long.csv --score accuracy --figure x.jpg
figure long.csv cdd --score accuracy -o x.svg
compare long.csv --score accuracy --test-share 0.5
compare long.csv --score accuracy --control svm --posthoc nemenyi
compare long.csv --score accuracy --control svm --posthoc shaffer
compare long.csv --score accuracy --posthoc dunnett
compare long.csv --score accuracy --omnibus rm-anova --pairwise conover
compare long.csv --score accuracy --direction accuracy
compare long.csv --score accuracy --column dataset
compare "long.csv?decimal=x" --score accuracy
compare "long.csv?table=3" --score accuracy
compare long.csv --score accuracy --store results.db
compare "long.csv?resampling=cv" --score accuracy
compare "long.csv?seed=1" --score accuracy
compare "long.csv?transpos=yes" --score accuracy
figure long.csv cd --score acuracy -o x.svg
compare long.csv --score accuracy --higher-is-better --lower-is-better
gate base.csv new.csv
gate base.csv new.csv --margin x
gate base.csv new.csv --margin -1
gate base.csv new.csv --margin 5
gate base.csv new.csv --margin 0.05 --alpha 7
gate base.csv new.csv --margin 0.05 --power 7
gate base.csv new.csv --margin 0.05 --max-cost-ratio 1.2
gate base.csv new.csv --margin 0.05 --bound 1
gate base.csv new.csv --margin 0.05 --unanswered skip
gate long.csv --score accuracy --base svm --candidate svm --margin 0.1
gate wide.csv --score accuracy --base svm --candidate tree --margin 1%  --anytime
compare gaps.csv --score accuracy --missing refuse
order gaps.csv --score accuracy --missing refuse
multivariate gaps.csv --scores accuracy,auc --missing refuse
report gaps.csv --score accuracy -o out.html --missing refuse
compare uneven.csv --score accuracy
order costgaps.csv --score accuracy --cost price
order negcost.csv --score accuracy --cost price
compare one.csv --score accuracy
order zero.csv --score accuracy --cost price --missing worst
compare holdout.csv --score accuracy
compare onefold.csv --score accuracy --pairwise wilcoxon
compare cv.csv --score accuracy --omnibus friedman
compare cv.csv --score accuracy --posthoc nemenyi
compare cv.csv --score accuracy --pairwise 5x2cv-f
figure long.csv frontier --score accuracy --cost trian_time -o x.svg
compare cv.csv --score accuracy --scale distance
compare cv.csv --score acuracy --full
compare cv.csv --score accuracy --rope 0.01
compare cv.csv --score accuracy --control x
compare cv.csv --score accuracy --missing worst-rank
figure cv.csv cd --score accuracy -o x.svg
compare lon.csv --score accuracy
order lon.csv --score accuracy
gate bas.csv new.csv --margin 0.1
battles vote.csv
check papr.md
recommend dta.csv --pilot 0
run pln.toml
read lon.csv
compar long.csv --score accuracy
long.cv
board lon.csv --score accuracy -o out
power items22.csv
report lon.csv --score accuracy -o out.html
multivariate lon.csv --scores accuracy,auc
compare long.csv --scroe accuracy
order long.csv --score accuracy --cots train_time
gate base.csv new.csv --margn 0.05
compare long.csv --score accuracy --figre x.svg
recommend data.csv --tagret class --pilot 0
run plan.toml --dry-rn
battles votes.csv --price prices.csv --csot price
compare long.csv --score accuracy --contrl svm
board long.csv --score accuracy --ot out
report long.csv --score accuracy --outt x.html
read long.csv --lng
check paper.md --clam svm
power items2.csv --scoer accuracy
recommend data.csv --target clas --pilot 0
recommend data.csv --drop x9 --pilot 0
recommend data.csv --measure acuracy --pilot 0
recommend --known irs
battles votes2.csv
battles votes.csv --column winner=winer
battles votes.csv --label model_a=lft
battles votes.csv --prices price.csv --cost price
battles votes.csv --column voter=votr
battles votes.csv --explain elm,frr
battles votes.csv --cost price
study error-rtes --algorithms 3 --repetitions 5 --noise normal
completion bsh
multivariate long.csv --scores accuracy,auc --test hotelling2
check paper.md --claim svm --score accuracy --table 7
check published:demsar2006
compare published:demsar --score auc
compare published:demsar2006 --score acu
read long.csv wide.csv
power items2.csv --score accuracy --column item=itm
compare items2.csv --score accuracy --omnibus friedman
compare items2.csv --score accuracy --posthoc holmes
compare long.csv --score accuracy --item foldx
"""


def write_files(place: Path) -> None:
    """Write the files that the cases name: results, votes, answers to items, a data set, a plan, a paper."""
    r = random.Random(1)

    def w(n, t):
        (place / n).write_text(t)

    A = ("svm", "tree", "forest", "knn")
    q = {"svm": 0.85, "tree": 0.8, "forest": 0.9, "knn": 0.75}
    D = [f"d{i}" for i in range(12)]
    base = {d: r.uniform(-0.05, 0.05) for d in D}

    def sc(d, a):
        return f"{q[a] + base[d] + r.uniform(-0.02, 0.02):.4f}"

    w(
        "long.csv",
        "dataset,algorithm,fold,accuracy,auc,train_time\n"
        + "".join(f"{d},{a},{k},{sc(d, a)},{sc(d, a)},{r.uniform(1, 9):.2f}\n" for d in D for a in A for k in range(3)),
    )
    w("long.txt", (place / "long.csv").read_text())
    w("wide.csv", "dataset," + ",".join(A) + "\n" + "".join(d + "," + ",".join(sc(d, a) for a in A) + "\n" for d in D))
    w("quality.csv", "dataset,algorithm,quality\n" + "".join(f"{d},{a},{sc(d, a)}\n" for d in D for a in A))
    w(
        "quality2.csv",
        "dataset,algorithm,fold,quality,taste\n"
        + "".join(f"{d},{a},{k},{sc(d, a)},{sc(d, a)}\n" for d in D for a in A for k in range(5)),
    )
    w(
        "twocosts.csv",
        "dataset,algorithm,accuracy,price,train_time\n"
        + "".join(f"{d},{a},{sc(d, a)},{r.uniform(1, 9):.2f},{r.uniform(1, 9):.2f}\n" for d in D for a in A),
    )
    w(
        "gaps.csv",
        "dataset,algorithm,fold,accuracy,auc\n"
        + "".join(
            f"{d},{a},{k},{'' if (d, a) == ('d3', 'svm') else sc(d, a)},{sc(d, a)}\n"
            for d in D
            for a in A
            for k in range(4)
        ),
    )
    w(
        "costgaps.csv",
        "dataset,algorithm,accuracy,price\n"
        + "".join(f"{d},{a},{sc(d, a)},{'' if (d, a) == ('d3', 'svm') else r.uniform(1, 9)}\n" for d in D for a in A),
    )
    w(
        "negcost.csv",
        "dataset,algorithm,accuracy,price\n"
        + "".join(f"{d},{a},{sc(d, a)},{-1 if (d, a) == ('d3', 'svm') else r.uniform(1, 9)}\n" for d in D for a in A),
    )
    w(
        "zero.csv",
        "dataset,algorithm,accuracy,price\n"
        + "".join(f"{d},{a},{sc(d, a)},{0 if a == 'svm' else r.uniform(1, 9)}\n" for d in D for a in A),
    )
    w(
        "dup.csv",
        "dataset,algorithm,accuracy\n" + "".join(f"{d},{a},{sc(d, a)}\n" for d in D for a in A for _ in range(2)),
    )
    w("one.csv", "dataset,algorithm,accuracy\n" + "".join(f"d,{a},{sc('d1', a)}\n" for a in A))
    w(
        "onefold.csv",
        "dataset,algorithm,fold,accuracy\n" + "".join(f"d,{a},{k},{sc('d1', a)}\n" for a in A for k in range(10)),
    )
    w("cv.csv", (place / "onefold.csv").read_text())
    w(
        "uneven.csv",
        "dataset,algorithm,fold,accuracy\n"
        + "".join(f"d,{a},{k},{sc('d1', a)}\n" for a in A for k in range(10) if not (a == "svm" and k > 6)),
    )
    w(
        "holdout.csv",
        "dataset,algorithm,replication,accuracy\n"
        + "".join(f"d,{a},{k},{sc('d1', a)}\n" for a in A for k in range(10)),
    )
    for n, m, x in (("base.csv", "old", 0.7), ("new.csv", "new", 0.75)):
        w(
            n,
            "model,item,accuracy,price\n"
            + "".join(f"{m},q{i},{int(r.random() < x)},{r.uniform(0.1, 0.2):.3f}\n" for i in range(300)),
        )
    w(
        "items.csv",
        "model,item,document,answer,accuracy,price\n"
        + "".join(
            f"{m},q{i},t{i // 4},{k},{int(r.random() < x)},{r.uniform(0.1, 0.2):.3f}\n"
            for m, x in (("large", 0.8), ("small", 0.6))
            for i in range(80)
            for k in (1, 2)
        ),
    )
    w(
        "items2.csv",
        "model,item,accuracy\n"
        + "".join(
            f"{m},q{i},{int(r.random() < x)}\n"
            for m, x in (("large", 0.8), ("small", 0.6), ("mid", 0.7))
            for i in range(80)
        ),
    )
    M = ("elm", "fir", "oak")
    w(
        "votes.csv",
        "prompt,voter,model_a,model_b,winner\n"
        + "".join(
            f"p{i % 40},v{i % 9},{','.join(r.sample(M, 2))},{r.choice(['model_a', 'model_b', 'tie'])}\n"
            for i in range(200)
        ),
    )
    w(
        "votes2.csv",
        "prompt,first,second,best\n"
        + "".join(f"p{i % 40},{','.join(r.sample(M, 2))},{r.choice(['first', 'second'])}\n" for i in range(200)),
    )
    w("prices.csv", "model,price\nelm,1\nfir,2\noak,3\n")
    w(
        "data.csv",
        "x1,x2,class\n"
        + "".join(f"{r.gauss(i % 2, 1):.2f},{r.uniform(1, 100):.1f},{'ab'[i % 2]}\n" for i in range(80)),
    )
    w("plan.toml", 'datasets = ["builtin:iris"]\nalgorithms = ["nb", "lda"]\n')
    w("plan2.toml", 'datasets = ["builtin:irs"]\nalgorithms = ["nb", "lda"]\n')
    w("plan3.toml", 'datasets = ["builtin:iris"]\nalgorithm = ["nb", "lda"]\n')
    rows = "\n".join(
        f"| {d} | " + " | ".join((f"**{sc(d, a)}**" if a == "forest" else sc(d, a)) for a in A) + " |" for d in D
    )
    w(
        "paper.md",
        "Accuracy of four methods.\n\n| dataset | " + " | ".join(A) + " |\n|" + "---|" * 5 + "\n" + rows + "\n",
    )
    w(
        "nodir.md",
        "Quality of four methods.\n\n| dataset | "
        + " | ".join(A)
        + " |\n|"
        + "---|" * 5
        + "\n"
        + rows.replace("**", "")
        + "\n",
    )


def run(argv: list[str]) -> tuple[int, str]:
    """Run a command line; return its exit code and what it wrote to standard error."""
    text = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(text):
        try:
            code = main(argv)
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, text.getvalue()


def is_mended(argv: list[str], message: str) -> bool:
    """Whether something that the message suggests leads to an answer."""
    tried = [item for item in mended(argv, message) if item != argv][:MOST_TRIED]
    return any(run(item)[0] in ANSWERS for item in tried)


def test_what_a_message_suggests_leads_to_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    commands = CASES.strip().splitlines()
    assert len(commands) >= 120
    failed = []
    for command in commands:
        argv = shlex.split(command)
        code, message = run(argv)
        assert code == 2, f"{command}: no error any more; replace the case"
        if not is_mended(argv, message):
            failed.append(f"{command}\n    {message.strip()}")
    share = 1 - len(failed) / len(commands)
    assert share >= GOAL, f"{len(failed)} of {len(commands)} are not mended in one step:\n" + "\n".join(failed)


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("order long.csv --score accuracy --cost trian_time", "Did you mean --cost train_time?"),
        ("compare lon.csv --score accuracy", "Did you mean long.csv?"),
        ("compare long.csv --scroe accuracy", "Did you mean --score?"),
        ("compar long.csv --score accuracy", "Did you mean tiebreak compare long.csv --score accuracy?"),
        ("order wide.csv --score accuracy --cost price", "The file has no cost: leave --cost out"),
    ],
)
def test_typos_are_answered_with_the_name_that_was_meant(
    command: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    code, message = run(shlex.split(command))
    assert code == 2
    assert meant in message
