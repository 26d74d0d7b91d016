"""What checks need of the machine, and how to install it."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Callable, NamedTuple


class Need(NamedTuple):
    # Returns where it is, or None.
    find: Callable[[], str | None]
    # A package of Debian and Ubuntu, or a command that installs it.
    package: str = ""
    command: str = ""

    @property
    def how(self):
        return self.command or f"apt-get install {self.package}"


def program(*names):
    return lambda: next(filter(None, map(shutil.which, names)), None)


def of_version(least, *command):
    """A program that says it has the version `least` or a later one."""

    def find():
        path = shutil.which(command[0])
        if not path:
            return None
        said = subprocess.run([path, *command[1:]], capture_output=True, text=True)
        found = re.search(r"\d+", said.stdout + said.stderr)
        return path if found and int(found[0]) >= least else None

    return find


def java():
    home = os.environ.get("JAVA_HOME")
    return of_version(17, f"{home}/bin/java" if home else "java", "-version")()


def wasm_target():
    root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    folder = Path(root, "lib/rustlib/wasm32-unknown-unknown")
    return str(folder) if folder.is_dir() else None


NEEDS = {
    "wasm": Need(wasm_target, command="rustup target add wasm32-unknown-unknown"),
    "node": Need(of_version(20, "node", "--version"), command="install Node.js 20 or later, with npm"),
    "java": Need(java, package="default-jre-headless"),
    "chromium": Need(program("chromium", "chromium-browser", "google-chrome"), package="chromium"),
    "firefox": Need(program("firefox-esr", "firefox"), package="firefox-esr"),
    "valgrind": Need(program("valgrind"), package="valgrind"),
    "curl": Need(program("curl"), package="curl"),
    "apt": Need(program("apt-get"), command="run this on Debian or Ubuntu"),
}


class Machine:
    """The machine that the checks run on."""

    @staticmethod
    @cache
    def path(need):
        return NEEDS[need].find()

    def missing(self, check):
        """What a check needs and the machine does not have."""
        return [need for need in check.needs if not self.path(need)]

    def install(self, needs):
        missing = [need for need in sorted(needs) if not self.path(need)]
        self.path.cache_clear()
        packages = [NEEDS[need].package for need in missing if NEEDS[need].package]
        commands = [NEEDS[need].command.split() for need in missing if NEEDS[need].command.startswith("rustup ")]
        if packages and shutil.which("apt-get"):
            apt = [*([] if os.geteuid() == 0 else ["sudo"]), "apt-get", "-qq"]
            commands += [[*apt, "update"], [*apt, "install", "--yes", "--no-install-recommends", *packages]]
        for command in commands:
            print(f"$ {' '.join(command)}", flush=True)
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
            if done.returncode:
                print(f"{done.stdout[-2000:]}\ntest: exit code {done.returncode}; going on without", flush=True)
