"""Runs checks, several at a time, and says how each ended."""

import contextlib
import os
import signal
import subprocess
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from .counts import Counts, counts_of
from .plan import Check

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "target" / "test"
# Only against checks that hang: on an idle machine none takes more than a few minutes.
MOST_SECONDS = 3600
# Lines that are shown of a check that has failed.
SHOWN = 60


class Result(NamedTuple):
    check: Check
    # Empty if it has passed.
    why: str = ""
    counts: Counts = Counts()
    seconds: float = 0.0
    is_checked: bool = True


def run_checks(checks, environment, missing, lanes):
    """Runs each check as soon as those before it have passed, in the order given. Returns a result for each.

    `missing` returns what a check needs and this machine does not have.
    """
    waiting, running, results = list(checks), {}, {}
    names = {check.name for check in checks}
    processes = set()
    # Whoever ends the run ends the checks.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ThreadPoolExecutor(lanes) as pool:
            try:
                while waiting or running:
                    for check in list(waiting):
                        before = [name for name in check.after if name in names]
                        ended = [results[name] for name in before if name in results]
                        if why := hindrance(missing(check), ended):
                            waiting.remove(check)
                            results[check.name] = tell(Result(check, why, is_checked=False))
                        elif len(ended) == len(before) and len(running) < lanes:
                            waiting.remove(check)
                            running[pool.submit(attempt, check, environment, processes)] = check
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        check = running.pop(future)
                        results[check.name] = tell(future.result())
            except BaseException:
                for process in list(processes):
                    end_group(process)
                raise
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    return [results[check.name] for check in checks]


def hindrance(missing, before):
    """Why a check cannot be made, if so."""
    if missing:
        return f"needs {', '.join(missing)}"
    return next((f"needs `{result.check.name}`" for result in before if result.why), "")


def attempt(check, environment, processes):
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{check.name.replace(' ', '-')}.log"
    began = time.monotonic()
    with log.open("wb") as out:
        # A group of its own, so that nothing of it is left behind.
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", check.command], cwd=ROOT, env=environment,
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
        processes.add(process)
        try:
            code = process.wait(MOST_SECONDS)
            why = f"exit code {code}" if code else ""
        except subprocess.TimeoutExpired:
            why = f"still running after {MOST_SECONDS // 60} minutes"
        end_group(process)
        processes.discard(process)
    counts = counts_of(log.read_text(errors="replace")) or Counts(passed=int(not why))
    if counts.failed and not why:
        why = "exit code 0 in spite of failures"
    if why:
        counts = counts._replace(failed=max(1, counts.failed))
    return Result(check, why, counts, time.monotonic() - began)


def end_group(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def tell(result):
    """Prints how a check has ended, and what it said if it has failed."""
    check, counts = result.check, result.counts
    if not result.is_checked:
        print(f"  not checked  {check.name}: {result.why}", flush=True)
        return result
    tests = f"{counts.passed:,} passed" if counts.passed > 1 else ""
    if result.why:
        log = LOGS / f"{check.name.replace(' ', '-')}.log"
        lines = log.read_text(errors="replace").splitlines()
        print(f"  FAILED       {check.name}  ({result.seconds:.1f} s): {result.why}\n    $ {check.command}")
        print("\n".join(f"    {line}" for line in lines[-SHOWN:]))
        print(f"    All that it said: {log.relative_to(ROOT)}", flush=True)
    else:
        print(f"  ok           {check.name:24} {result.seconds:6.1f} s  {tests}", flush=True)
    return result
