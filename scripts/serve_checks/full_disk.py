"""Fills the disk under the service: pages are refused and not lost, and the service goes on when there is room.
Needs to be root, to have a small disk.

    python full_disk.py PROGRAM WORK_FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
PASSED = 0


def check(what, is_so):
    global PASSED
    if not is_so:
        raise SystemExit(f"not so: {what}")
    PASSED += 1


def ask(address, path, body=None):
    request = urllib.request.Request(address + path, body, {"Content-Type": "text/html"} if body else {})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def page(number):
    words = " ".join(f"word{number}x{n}" for n in range(300))
    return f"<title>{number}</title><nav>Home</nav><main><h1>Page {number}</h1><p>{words}.</p></main>".encode()


def main():
    disk = WORK / "disk"
    disk.mkdir(exist_ok=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", disk], capture_output=True).returncode:
        print("disk: NOT CHECKED: a small disk cannot be made here")
        return
    service = None
    try:
        service = subprocess.Popen([PROGRAM, "serve", "--state", disk / "a.unframe", "--listen", "127.0.0.1:0"],
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "UNFRAME_LOG": "error"})
        address = service.stderr.readline().split("lens: ")[1].split("/,")[0]
        acknowledged, number = [], 0
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
        subprocess.run(["mount", "-o", "remount,size=8M", disk], check=True)
        check("there is room again, and it is noticed", ask(address, "/readyz")[0] == 200)
        # It was refused, and is known now; it counts once.
        check("the page is taken", ask(address, f"/v1/learn?url=https://a.example/{number}", page(number))[0] == 200)
        acknowledged.append(number)
        service.kill()
        log = service.stderr.read()
        service.wait()
        check(f"nothing has failed otherwise: {log}", "panicked" not in log)
        service = subprocess.Popen([PROGRAM, "serve", "--state", disk / "a.unframe", "--listen", "127.0.0.1:0"],
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "UNFRAME_LOG": "error"})
        address = service.stderr.readline().split("lens: ")[1].split("/,")[0]
        sites = json.loads(ask(address, "/v1/sites")[2])["sites"]
        check(f"every acknowledged page is there once: {sites}", sites[0]["pages"] == len(acknowledged))
        for one in acknowledged:
            known = json.loads(ask(address, f"/v1/learn?url=https://a.example/{one}", page(one))[2])
            check(f"page {one} is known", known["learned"] is False)
    finally:
        if service is not None:
            service.kill()
            service.wait()
        subprocess.run(["umount", "-l", disk])
    print(f"disk: {len(acknowledged)} pages were taken before and after\ndisk: {PASSED} passed, 0 failed")


main()
