"""In CI a test that drives a browser, a server, a database or a run is tried once more, and reported as flaky.

Everywhere else, and for every other test, a failure is a failure: the retry is for machines that other work slows down.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

FOLDERS = frozenset({"web", "store", "lab", "tryout"})
FILES = frozenset({"test_progress"})
FIXTURES = frozenset({"browser", "server", "database_folder"})
FLAKY = "flaky"
"""The property of a report whose test passed at the second attempt; workers send it with the report."""


def may_be_flaky(item: pytest.Item) -> bool:
    """Whether a test drives what a busy machine can disturb: by its folder, its file or a fixture."""
    if item.path.parent.name in FOLDERS or item.path.stem in FILES:
        return True
    return not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test, and once more with new fixtures if it failed; only the reports of the last attempt count."""
    if not os.environ.get("CI") or not may_be_flaky(item):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports):
        with suppress(Exception):  # what broke may not end well either
            item.session._setupstate.teardown_exact(None)
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        if not any(report.failed for report in reports):
            reports[-1].user_properties.append((FLAKY, True))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name the tests that passed only at the second attempt."""
    reports = [report for stat in terminalreporter.stats.values() for report in stat]
    for report in reports:
        if (FLAKY, True) in map(tuple, getattr(report, "user_properties", ())):
            terminalreporter.write_line(f"flaky: {report.nodeid}")
