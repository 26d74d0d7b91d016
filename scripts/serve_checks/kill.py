"""Kills the service while it is under load, again and again: every page that was acknowledged must be known, and
once.

    python kill.py PROGRAM WORK_FOLDER [ROUNDS]
"""

import http.client
import json
import pathlib
import random
import subprocess
import sys
import threading
import time

from common import LONGEST, Service, check, run

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
CLIENTS = 6
BATCHES = 2
BATCH = 100
SITES = 3
# A round ends after so many acknowledgements, at most.
MOST = 1000


def page(site, number):
    body = f"Page {number} of site {site} tells what nobody else does, {random.Random(number).random()}. " * 20
    links = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(20))
    return f"<title>{number}</title><nav><ul>{links}</ul></nav><main><h1>Page {number}</h1><p>{body}</p></main><footer>All rights</footer>"


def connect(service):
    return http.client.HTTPConnection(*service.place, timeout=LONGEST)


def post(service, sent, acknowledged, lock, stop):
    """Posts pages, some of them again, until the service is gone."""
    connection = connect(service)
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
        connection = connect(service)
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
    connection = connect(service)
    connection.request("GET", path)
    answer = connection.getresponse()
    return json.loads(answer.read())


def main():
    state = WORK / "kill.unframe"
    state.unlink(missing_ok=True)
    sent, acknowledged, lock = set(), set(), threading.Lock()
    for _ in range(ROUNDS):
        with Service(PROGRAM, "--state", state) as service:
            stop = threading.Event()
            kinds = [post] * CLIENTS + [post_batches] * BATCHES
            clients = [threading.Thread(target=kind, args=(service, sent, acknowledged, lock, stop), daemon=True) for kind in kinds]
            enough = len(acknowledged) + random.randint(1, MOST)
            for client in clients:
                client.start()
            while len(acknowledged) < enough and any(client.is_alive() for client in clients):
                time.sleep(random.uniform(0, 0.02))
            check(f"the service is there until it is killed: {service.log}", len(acknowledged) >= enough and service.process.poll() is None)
            service.kill()
            stop.set()
            for client in clients:
                client.join()
            check(f"nothing has failed otherwise: {service.log}", "panicked" not in service.log)
    with Service(PROGRAM, "--state", state) as service:
        known = {site["site"]: site["pages"] for site in get(service, "/v1/sites")["sites"]}
        # Every page is posted once more: those that were acknowledged must be known as they are.
        lost, new = [], 0
        connection = connect(service)
        for site, number in sorted(sent):
            body = json.dumps({"url": f"https://{site}/{number}", "html": page(site, number)})
            connection.request("POST", "/v1/learn", body, {"Content-Type": "application/json"})
            learned = json.loads(connection.getresponse().read())["learned"]
            new += learned
            if learned and (site, number) in acknowledged:
                lost.append((site, number))
        after = {site["site"]: site["pages"] for site in get(service, "/v1/sites")["sites"]}
        service.end()
    sums = sum(known.values()), sum(after.values())
    print(f"{ROUNDS} kills: {len(sent)} pages sent, {len(acknowledged)} acknowledged, {sums[0]} known after them, {len(lost)} lost")
    check(f"no acknowledged page is lost: {lost[:5]}", not lost)
    check(f"known pages were sent: {known}", len(acknowledged) <= sums[0] <= len(sent))
    check(f"all are known in the end: {after}, {new} new", sums[1] == len(sent) == sums[0] + new)
    check(f"batches are answered in order: {disorder[:5]}", not disorder)
    told = subprocess.run([PROGRAM, "state", "check", str(state)], capture_output=True, text=True)
    check(f"the state is whole: {told.stdout}{told.stderr}", told.returncode == 0)


run("kill", main)
