"""Let schemathesis ask a server whatever its description allows, and much that it does not; no answer may be a 5xx.

Starts a server of its own with small limits. Background runs are left out: each would start an hour of work.

    python tools/fuzz_api.py --examples 30
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PORT = 8766
TOKEN = "the-token-of-the-fuzzing-run"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def main() -> int:
    """Start the server, ask it, and return what schemathesis says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=30, help="questions for each route")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = _started(Path(folder))
        try:
            return _asked(told.examples, told.seed)
        finally:
            server.terminate()
            server.wait()


def _started(folder: Path) -> subprocess.Popen[bytes]:
    limits = ["--limit-upload", "1MB", "--limit-seconds", "5", "--limit-run", "1s"]
    place = ["--store", str(folder / "r.db"), "--folder", str(folder / "state"), "--token", TOKEN]
    command = [sys.executable, "-m", "tiebreak", "serve", "--port", str(PORT), *place, *limits]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stderr=log, env=dict(os.environ))
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5).close()
            return server
        except OSError:
            time.sleep(0.2)
    raise SystemExit((folder / "log").read_text())


def _asked(examples: int, seed: int) -> int:
    program = str(Path(sys.executable).parent / "schemathesis")
    options = ["--max-examples", str(examples), "--seed", str(seed), "--checks", CHECKS, "--request-timeout", "60"]
    options += ["--workers", "2"]  # the questions take longer to think of than to answer
    token = ["-H", f"Authorization: Bearer {TOKEN}"]
    url = f"http://127.0.0.1:{PORT}/api/openapi.json"
    return subprocess.run([program, "run", url, *options, *token], check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
