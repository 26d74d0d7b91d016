"""Fills the disk under the service: pages are refused and not lost, and the service goes on when there is room.
Needs to be root, or on a machine where users may have namespaces, to have a small disk.

    python full_disk.py PROGRAM WORK_FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

from common import LONGEST, Service, check, run

PROGRAM, DISK = sys.argv[1], pathlib.Path(sys.argv[2], "disk")


def ask(address, path, body=None):
    request = urllib.request.Request(address + path, body, {"Content-Type": "text/html"} if body else {})
    try:
        with urllib.request.urlopen(request, timeout=LONGEST) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def page(number):
    words = " ".join(f"word{number}x{n}" for n in range(300))
    return f"<title>{number}</title><nav>Home</nav><main><h1>Page {number}</h1><p>{words}.</p></main>".encode()


def main():
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", DISK], check=True)
    acknowledged, number = [], 0
    with Service(PROGRAM, "--state", DISK / "a.unframe") as service:
        address = service.address
        while True:
            status, headers, body = ask(address, f"/v1/learn?url=https://a.example/{number}", page(number))
            if status != 200:
                break
            acknowledged.append(number)
            number += 1
            check("the disk is full at some time", number < 5000)
        check(f"it is said clearly: {status} {body}", status == 503 and b"no space left" in body and headers.get("Retry-After"))
        check("it can be asked for", ask(address, "/readyz")[0] == 503)
        check("the service is there", ask(address, "/healthz")[0] == 200)
        check("what needs no state works", ask(address, "/v1/extract", page(1))[0] == 200)
        check("the same page is still refused", ask(address, f"/v1/learn?url=https://a.example/{number}", page(number))[0] == 503)
        subprocess.run(["mount", "-o", "remount,size=8M", "tmpfs", DISK], check=True)
        check("there is room again, and it is noticed", ask(address, "/readyz")[0] == 200)
        # It was refused, and is known now; it counts once.
        check("the page is taken", ask(address, f"/v1/learn?url=https://a.example/{number}", page(number))[0] == 200)
        acknowledged.append(number)
        service.kill()
        check(f"nothing has failed otherwise: {service.log}", "panicked" not in service.log)
    with Service(PROGRAM, "--state", DISK / "a.unframe") as service:
        sites = json.loads(ask(service.address, "/v1/sites")[2])["sites"]
        check(f"every acknowledged page is there once: {sites}", sites[0]["pages"] == len(acknowledged))
        for one in acknowledged:
            known = json.loads(ask(service.address, f"/v1/learn?url=https://a.example/{one}", page(one))[2])
            check(f"page {one} is known", known["learned"] is False)
    print(f"{len(acknowledged)} pages were taken before and after")


def enter_namespace():
    """Goes on in a namespace of its own, where it may mount, and where what is mounted goes with the last process."""
    DISK.mkdir(parents=True, exist_ok=True)
    for command in [["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]]:
        if subprocess.run([*command, "mount", "-t", "tmpfs", "tmpfs", DISK], capture_output=True).returncode == 0:
            os.execvpe(command[0], [*command, sys.executable, *sys.argv], {**os.environ, "UNFRAME_OWN_MOUNTS": "1"})
    print("disk: not checked: neither root nor a user with a namespace can make a small disk here")
    sys.exit(2)


if "UNFRAME_OWN_MOUNTS" not in os.environ:
    enter_namespace()
run("disk", main)
