"""Reads from the output of a test runner how many tests passed, failed and were skipped."""

import re
from typing import NamedTuple


class Counts(NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Counts(*map(sum, zip(self, other)))


# The closing lines of the runners in use. Each gives (passed, failed, skipped); a runner may write several.
LINES = [
    # cargo test
    re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.MULTILINE),
    # node --test
    re.compile(r"^ℹ pass (\d+)\nℹ fail (\d+)\nℹ cancelled \d+\nℹ skipped (\d+)", re.MULTILINE),
    # The checks of this project: `lens: 83 passed, 0 failed`.
    re.compile(r"^(?:[\w-]+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\b", re.MULTILINE),
]
# pytest names only what there is: `2 failed, 1050 passed, 5 skipped in 470.13s`.
PYTEST = re.compile(r"^(?:=+ )?((?:\d+ \w+, )*\d+ \w+) in [\d.:]+", re.MULTILINE)
PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped)")
SCHEMATHESIS = re.compile(r"(\d+) generated, (\d+) passed(?:, (\d+) failed)?")


def counts_of(output):
    """The sum of all closing lines in the output, or None if there is none."""
    found = [Counts(*(int(number or 0) for number in match.groups())) for line in LINES for match in line.finditer(output)]
    for match in PYTEST.finditer(output):
        of = {word.removesuffix("s"): int(number) for number, word in PYTEST_COUNT.findall(match[1])}
        if of:
            found.append(Counts(of.get("passed", 0), of.get("failed", 0) + of.get("error", 0), of.get("skipped", 0)))
    for match in SCHEMATHESIS.finditer(output):
        found.append(Counts(int(match[2]), int(match[3] or 0)))
    return sum(found, Counts()) if found else None
