"""Kills the service while it is under load, again and again: every page that was acknowledged must be known, and
once.

    python kill.py PROGRAM WORK_FOLDER [ROUNDS]
"""

import http.client
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
CLIENTS = 6
BATCHES = 2
BATCH = 300
SITES = 3


def page(site, number):
    body = f"Page {number} of site {site} tells what nobody else does, {random.Random(number).random()}. " * 20
    links = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(20))
    return f"<title>{number}</title><nav><ul>{links}</ul></nav><main><h1>Page {number}</h1><p>{body}</p></main><footer>All rights</footer>"


class Service:
    def __init__(self, state):
        arguments = [PROGRAM, "serve", "--state", str(state), "--listen", "127.0.0.1:0"]
        environment = {**os.environ, "UNFRAME_LOG": "warn"}
        self.process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=environment)
        line = self.process.stderr.readline()
        found = re.search(r"http://([\d.]+):(\d+)", line)
        if not found:
            raise SystemExit(f"the service does not start: {line}{self.process.stderr.read()}")
        self.address = found.group(1), int(found.group(2))
        self.log = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def connect(self):
        return http.client.HTTPConnection(*self.address, timeout=20)


def post(service, sent, acknowledged, lock, stop):
    """Posts pages, some of them again, until the service is gone."""
    connection = service.connect()
    while not stop.is_set():
        with lock:
            again = acknowledged and random.random() < 0.2
            site, number = random.choice(list(acknowledged)) if again else (f"s{len(sent) % SITES}.example", len(sent))
            sent.add((site, number))
        body = json.dumps({"url": f"https://{site}/{number}", "html": page(site, number)})
        try:
            path = random.choice(["/v1/clean", "/v1/learn"])
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return
        if answer.status == 200:
            with lock:
                acknowledged.add((site, number))


def post_batches(service, sent, acknowledged, lock, stop):
    """Posts pages in batches: each line that came back is acknowledged, and the lines are in order."""
    while not stop.is_set():
        with lock:
            first = len(sent)
            pages = [(f"s{number % SITES}.example", number) for number in range(first, first + BATCH)]
            sent.update(pages)
        lines = (json.dumps({"url": f"https://{site}/{number}", "html": page(site, number)}) for site, number in pages)
        connection = service.connect()
        try:
            connection.request("POST", "/v1/clean/batch", "\n".join(lines), {"Content-Type": "application/x-ndjson"})
            answer = connection.getresponse()
            for site, number in pages:
                line = answer.readline()
                if not line.endswith(b"\n"):
                    break
                record = json.loads(line)
                if record["url"] != f"https://{site}/{number}":
                    disorder.append(record["url"])
                if "problem" not in record:
                    with lock:
                        acknowledged.add((site, number))
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()


disorder = []


def get(service, path):
    connection = service.connect()
    connection.request("GET", path)
    answer = connection.getresponse()
    return json.loads(answer.read())


def main():
    state = WORK / "kill.unframe"
    state.unlink(missing_ok=True)
    sent, acknowledged, lock = set(), set(), threading.Lock()
    for number in range(ROUNDS):
        service = Service(state)
        stop = threading.Event()
        kinds = [post] * CLIENTS + [post_batches] * BATCHES
        clients = [threading.Thread(target=kind, args=(service, sent, acknowledged, lock, stop)) for kind in kinds]
        for client in clients:
            client.start()
        time.sleep(random.uniform(0.05, 0.6))
        service.process.send_signal(signal.SIGKILL)
        service.process.wait()
        stop.set()
        for client in clients:
            client.join()
    service = Service(state)
    known = {site["site"]: site["pages"] for site in get(service, "/v1/sites")["sites"]}
    # Every page is posted once more: those that were acknowledged must be known as they are.
    lost, new = [], 0
    connection = service.connect()
    for site, number in sorted(sent):
        body = json.dumps({"url": f"https://{site}/{number}", "html": page(site, number)})
        connection.request("POST", "/v1/learn", body, {"Content-Type": "application/json"})
        learned = json.loads(connection.getresponse().read())["learned"]
        new += learned
        if learned and (site, number) in acknowledged:
            lost.append((site, number))
    after = {site["site"]: site["pages"] for site in get(service, "/v1/sites")["sites"]}
    service.process.terminate()
    code = service.process.wait(30)
    sums = sum(known.values()), sum(after.values())
    print(f"{ROUNDS} kills: {len(sent)} pages sent, {len(acknowledged)} acknowledged, {sums[0]} known after them, {len(lost)} lost")
    if lost or code != 0 or not len(acknowledged) <= sums[0] <= len(sent) or sums[1] != len(sent) or sums[0] + new != len(sent):
        raise SystemExit(f"not so: lost {lost[:5]}, exit {code}, counts {known} {after}, {new} new")
    if disorder:
        raise SystemExit(f"batches were answered out of order: {disorder[:5]}")
    if len(acknowledged) < ROUNDS:
        raise SystemExit("nearly nothing was acknowledged, so nothing was tested")
    check = subprocess.run([PROGRAM, "state", "check", str(state)], capture_output=True, text=True)
    if check.returncode != 0:
        raise SystemExit(f"the state is damaged: {check.stdout}{check.stderr}")
    print(f"kill: {ROUNDS} passed, 0 failed")


main()
