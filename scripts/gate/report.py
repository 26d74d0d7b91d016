"""The table at the end of a run, and what was not checked."""

import os

from .counts import Counts
from .needs import NEEDS


def print_report(results, seconds, is_strict):
    """Returns whether the run has failed. `is_strict`: what was not checked is a failure."""
    print(f"\n  {'part':10} {'checks':>6} {'passed':>8} {'failed':>7} {'seconds':>8}")
    total = Counts()
    for part in dict.fromkeys(result.check.part for result in results):
        own = [result for result in results if result.check.part == part]
        counts = sum((result.counts for result in own), Counts())
        total += counts
        spent = sum(result.seconds for result in own)
        print(f"  {part:10} {len(own):6} {counts.passed:8,} {counts.failed:7,} {spent:8.0f}")
    print(f"  Seconds are those of checks that ran side by side; the whole run took {minutes(seconds)}.\n")

    if not os.environ.get("UNFRAME_CORPORA"):
        print("Without pages of real sites; UNFRAME_CORPORA=DIR adds tests with those in DIR/SET/SITE/pages.\n")
    unchecked = [result for result in results if not result.is_checked]
    skipped = [result for result in results if result.counts.skipped]
    if unchecked or skipped:
        print("NOT CHECKED:")
    for result in unchecked:
        print(f"  {result.check.name}: {result.why}")
    for result in skipped:
        print(f"  {result.counts.skipped} tests of `{result.check.name}` were skipped")
    missing = {need for result in unchecked for need in result.check.needs if not NEEDS[need].find()}
    for need in sorted(missing):
        print(f"  To have {need}: {NEEDS[need].how}")
    if any(NEEDS[need].package or NEEDS[need].command.startswith("rustup ") for need in missing):
        print("  `scripts/test --install …` does that.")

    failed = total.failed
    if is_strict:
        failed += len(unchecked) + sum(result.counts.skipped for result in skipped)
    print(f"{total.passed} passed, {failed} failed")
    return failed > 0


def minutes(seconds):
    return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
