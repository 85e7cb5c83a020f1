"""Let schemathesis ask a server whatever its description allows, and much that it does not; no answer may be a 5xx.

Starts a server of its own with small limits. Three requests of four become a question that can be answered, with one
option changed: most of what is made from a schema alone is refused before anything is computed. Uploads are asked
about under the keys that the server gives them, by the links of its description. The server's log says how many
requests there were, and how they ended; less than half answered fails as well. Background runs are left out: each
would start work that goes on.

    python tools/fuzz_api.py --seconds 600
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

PORT = 8766
TOKEN = "the-token-of-the-fuzzing-run"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
TABLE = "dataset,algorithm,auc,seconds\n" + "".join(
    f"d{k},{name},0.{70 + (5 * k + 7 * place) % 20},{1 + place}\n"
    for k in range(12)
    for place, name in enumerate("abc")
)
VOTES = "model_a,model_b,winner\n" + "a,b,a\nb,c,tie\nc,a,c\na,b,b\nb,c,b\n" * 9
_ULAS = {"file": "published:ulas2012", "score": "accuracy"}
QUESTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "read": ({"file": "published:demsar2006"}, {"text": TABLE, "score": "auc"}),
    "compare": (_ULAS, {"text": TABLE, "score": "auc"}, {"file": "published:demsar2006", "score": "auc"}),
    "order": (_ULAS | {"cost": ["train_time"]}, {"text": TABLE, "score": "auc"}),
    "multivariate": ({"file": "published:ulas2012", "scores": "accuracy,train_time", "dataset": "pima"},),
    "battles": ({"text": VOTES},),
    "power": ({"items": 500, "discordant": 0.2}, {"difference": 0.02, "discordant": 0.1}),
    "gate": (_ULAS | {"base": "svr", "candidate": "svl", "margin": "5%"},),
    "board": (_ULAS | {"cost": ["train_time"]}, {"text": TABLE, "score": "auc"}),
    "report": ({"text": TABLE, "score": "auc"}, {"file": "published:demsar2006", "score": "auc"}),
    "recommend": ({"known": "wine"}, {"file": "builtin:iris"}),
    "uploads": ({"text": TABLE},),
    "import": ({"text": TABLE, "score": "auc", "origin": "fuzzing"},),
}
"""What can be answered, by the last word of the route."""
OF_UPLOADS = {"gate": {"score": "auc", "base": "a", "candidate": "b", "margin": 0.1}, "recommend": {}, "read": {}}
"""What can be answered of an upload; the score alone of others."""
CHANGES: tuple[dict[str, Any], ...] = (
    {"alpha": 0.1}, {"alpha": 0.5}, {"seed": 3}, {"trade": "0.5%"}, {"trade": "2pt"}, {"full": True},
    {"format": "text"}, {"format": "markdown"}, {"format": "page"}, {"figure": "svg"}, {"missing": "drop-datasets"},
    {"higher_is_better": True}, {"rule": "multitest"}, {"rule": "multi2test"}, {"pairwise": "sign"},
    {"posthoc": "holm"}, {"title": "Fuzzed"},
    {"method": "arr"}, {"neighbours": "3"}, {"power": 0.9}, {"margin": 1}, {"clean": "csv"}, {"accd": 0.01},
)  # fmt: skip
"""Options and values that most verbs that have them can answer."""


def ask_what_can_be_answered(case: Any) -> None:
    """Put a question to a route in place of what was made of its schema, three times of four."""
    path, made = case.operation.path, case.body if isinstance(case.body, dict) else {}
    chance = random.Random(f"{path} {case.body} {case.query} {case.path_parameters}")
    if chance.random() < 1 / 4:
        return
    if "key" in (case.path_parameters or {}) and not case.path_parameters["key"].startswith("upload:"):
        case.path_parameters["key"] = _sent("uploads")["upload"]
    elif (verb := path.rpartition("/")[2]) in QUESTIONS and case.operation.method == "post":
        question = dict(chance.choice(QUESTIONS[verb]))
        if str(made.get("file", "")).startswith("upload:"):  # what an earlier request of this scenario kept
            question = {"file": made["file"], **OF_UPLOADS.get(verb, {"score": "auc"})}
        known = set().union(*(item.definition["schema"]["properties"] for item in case.operation.body))
        changes = [change for change in CHANGES if set(change) <= known]
        case.body = question | (chance.choice(changes) if changes else {})
        case.media_type = "application/json"
        case.headers["Content-Type"] = case.media_type


if "schemathesis" in sys.modules:  # loaded by schemathesis, as its hooks
    import schemathesis

    @schemathesis.hook
    def before_call(_: Any, case: Any, __: Any) -> None:
        """Change what is about to be sent."""
        ask_what_can_be_answered(case)


def main() -> int:
    """Start the server, ask it, and say how it answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=600, help="how long it is asked")
    parser.add_argument("--examples", type=int, default=100, help="questions for each route and round")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = _started(folder)
        try:
            _sent("store/import")  # the store can be asked about then
            code = _asked(given.seconds, given.examples, given.seed)
        finally:
            server.terminate()
            server.wait()
        return _judged(folder / "log") or code


def _started(folder: Path) -> subprocess.Popen[bytes]:
    limits = ["--limit=upload=1MB", "--limit=seconds=5", "--limit=run=1s"]
    place = ["--store", str(folder / "r.db"), "--folder", str(folder / "state"), "--token", TOKEN]
    command = [sys.executable, "-m", "tiebreak", "serve", "--port", str(PORT), *place, *limits]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stderr=log, env=dict(os.environ))
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5).close()
            return server
        except OSError:
            time.sleep(0.2)
    raise SystemExit((folder / "log").read_text())


def _sent(path: str) -> Any:
    """Send a question that can be answered, and return the answer."""
    body = json.dumps(QUESTIONS[path.rpartition("/")[2]][0]).encode()
    head = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}/api/{path}", data=body, headers=head)
    with urllib.request.urlopen(request, timeout=60) as urlopen:
        return json.load(urlopen)


def _asked(seconds: int, examples: int, seed: int) -> int:
    program = str(Path(sys.executable).parent / "schemathesis")
    options = ["--max-time", str(seconds), "--max-examples", str(examples), "--seed", str(seed), "--checks", CHECKS]
    options += ["--request-timeout", "60", "--phases", "fuzzing,stateful", "--continue-on-failure"]
    options += ["--workers", "2", "--suppress-health-check", "all"]  # questions take longer to think of than to answer
    options += ["--exclude-path-regex", "/api/runs", "-H", f"Authorization: Bearer {TOKEN}"]
    hooks = {"SCHEMATHESIS_HOOKS": "fuzz_api", "PYTHONPATH": str(Path(__file__).parent)}
    url = f"http://127.0.0.1:{PORT}/api/openapi.json"
    return subprocess.run([program, "run", url, *options], check=False, env=os.environ | hooks).returncode


def _judged(log: Path) -> int:
    """Count how the server answered; what it did not foresee, and too few answers, are failures."""
    statuses: Counter[int] = Counter()
    routes: dict[str, Counter[int]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line) if line.startswith("{") else {}
        if event.get("event") == "request" and event["route"].startswith("/api/"):
            statuses[event["status"]] += 1
            routes.setdefault(f"{event['method']} {event['route']}", Counter())[event["status"]] += 1
        elif event.get("event") in ("unforeseen", "child-died", "child-failed"):
            print(line)
    for route, item in sorted(routes.items()):
        print(f"{route}: {', '.join(f'{count} x {status}' for status, count in sorted(item.items()))}")
    total = sum(statuses.values())
    answered = sum(count for status, count in statuses.items() if status < 300)
    wrong = sum(count for status, count in statuses.items() if status >= 500 and status != 503)  # 503: come again
    print(f"{total} requests, {answered} answered ({answered / max(total, 1):.0%}), {wrong} server errors;", end=" ")
    print(", ".join(f"{count} x {status}" for status, count in sorted(statuses.items())))
    return int(wrong > 0 or 2 * answered < total)


if __name__ == "__main__":
    raise SystemExit(main())
