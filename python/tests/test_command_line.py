"""The command line of the package, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from threading import Timer

import pytest
import unframe

from conftest import HANG
from made_up_site import PAGE, run


class TestCommandLine:
    def test_exit_codes(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text(PAGE)
        good = run("clean", tmp_path / "a.html", "-o", tmp_path / "out.jsonl")
        assert (good.returncode, (tmp_path / "out.jsonl").exists()) == (0, True), good.stderr
        (tmp_path / "broken.jsonl").write_text('{"url": "https://a.example/1", "html": "<p>Tea."}\nnonsense\n')
        partly = run("clean", tmp_path / "broken.jsonl", "-o", tmp_path / "partly.jsonl")
        assert partly.returncode == 1, partly.stderr
        for arguments in [["nonsense"], ["clean"], ["clean", tmp_path / "missing"]]:
            wrong = run(*arguments)
            assert wrong.returncode == 2 and wrong.stderr

    def test_version(self) -> None:
        shown = run("--version")
        assert (shown.returncode, shown.stdout) == (0, f"unframe {unframe.__version__}\n")

    def test_main_returns_the_exit_code(self) -> None:
        done = run(code="from unframe._native import main; print('code', main(['unframe', 'methods', 'text']))")
        assert done.returncode == 0
        assert done.stdout.endswith("code 0\n")
        # Arguments that are not understood end the process.
        done = run(code="from unframe._native import main; print('code', main(['unframe', 'nonsense']))")
        assert (done.returncode, done.stdout) == (2, "")


# Each says when it is at work, and would go on for hours.
ENDLESS = """
        def endless():
            number = 0
            while True:
                number += 1
                if number == 1000:
                    print("at work", flush=True)
                yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><p>Story {number} of the week."
"""
CTRL_C = {
    "clean_pages of an endless generator": ENDLESS
    + """
        work = lambda: list(unframe.clean_pages(endless(), state=sys.argv[1]))
    """,
    "clean_pages of an iterator that waits": """
        def slow():
            yield "https://a.example/1", "<nav>Home, Shop</nav><p>Story 1 of the week."
            print("at work", flush=True)
            # A signal just before a sleep does not end it.
            while True:
                time.sleep(0.1)
        work = lambda: list(unframe.clean_pages(slow(), state=sys.argv[1]))
    """,
    "learn_many of an endless generator": ENDLESS
    + """
        def work():
            with unframe.Site.open(sys.argv[1]) as site:
                site.learn_many(endless())
    """,
    "clean_table of a large table": """
        import pyarrow, threading
        html = ["<nav>Home, Shop</nav>" + f"<p>Story {number} of the week." * 10_000 for number in range(10)]
        batch = pyarrow.record_batch({"url": [f"https://a.example/{n}" for n in range(10)], "html": html})
        # They share their memory.
        table = pyarrow.Table.from_batches([batch] * 20_000)
        def tell():
            while not os.path.exists(sys.argv[1]):
                time.sleep(0.01)
            print("at work", flush=True)
        threading.Thread(target=tell, daemon=True).start()
        work = lambda: unframe.clean_table(table, state=sys.argv[1])
    """,
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single process")
@pytest.mark.parametrize("what", CTRL_C)
def test_ctrl_c(what: str, tmp_path: Path) -> None:
    # A job in the background inherits that signals are ignored.
    program = f"""import os, signal, sys, time, unframe
signal.signal(signal.SIGINT, signal.default_int_handler)
{textwrap.dedent(CTRL_C[what])}
try:
    work()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "a.unframe")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        hung = Timer(HANG, process.kill)
        hung.start()
        try:
            assert process.stdout.readline() == "at work\n"
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate()
        finally:
            hung.cancel()
            process.kill()
        assert (out, errors, process.returncode) == ("interrupted\n", "", 0)
    assert run("state", "check", tmp_path / "a.unframe").returncode == 0
